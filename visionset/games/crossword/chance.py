"""Crossword SET: what the dice of all players show, from a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from visionset.games.base import Event
from visionset.games.crossword.rules import CrosswordState, Rolled
from visionset.games.virtual.chance import roll_faces


def chance(state: CrosswordState, rng: random.Random) -> Event | None:
    """Give what the dice bring."""
    if any(state.hands):
        return None
    return Rolled(tuple(roll_faces(state.options.hand, rng) for _ in state.players))


def brings(event: str, values: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """Roll the die that a player draws."""
    return {"face": str(roll_faces(1, rng)[0])}
