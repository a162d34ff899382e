"""Scramble SET: a simple player."""

from __future__ import annotations

import random

from visionset.games.base import Event
from visionset.games.scramble.rules import Phase, ScrambleState, Take
from visionset.games.sets import find_sets
from visionset.games.virtual.bots import pick


def move(state: ScrambleState, player: int, rng: random.Random) -> Event | None:
    """Give what a simple player does now."""
    if state.phase is Phase.TIE and player not in state.tied:
        return None
    return Take(player, pick(state, find_sets(state.table), rng))
