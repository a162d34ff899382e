"""Scramble SET: what the dice show, from a seeded generator."""

from __future__ import annotations

import random

from visionset.games.base import Event
from visionset.games.scramble.rules import Phase, Rolled, ScrambleState
from visionset.games.virtual.chance import roll_faces


def chance(state: ScrambleState, rng: random.Random) -> Event | None:
    """Give what the dice bring."""
    return Rolled(roll_faces(state.to_roll, rng)) if state.phase in (Phase.ROLL, Phase.TIE_ROLL) else None
