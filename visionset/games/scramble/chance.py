"""Scramble SET: what the dice show, from a seeded generator."""

from __future__ import annotations

import random

from visionset.games.base import Event
from visionset.games.scramble.rules import Phase, Rolled, ScrambleState
from visionset.games.sets import DICE_COUNT
from visionset.games.virtual.chance import roll_faces


def chance(state: ScrambleState, rng: random.Random) -> Event | None:
    """Give what the dice bring."""
    if state.phase is Phase.ROLL:
        return Rolled(roll_faces(DICE_COUNT, rng))
    return Rolled(roll_faces(state.roll_off_dice, rng)) if state.phase is Phase.TIE_ROLL else None
