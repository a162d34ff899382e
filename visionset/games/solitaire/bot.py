"""SET solitaire: a simple player."""

from __future__ import annotations

import random

from visionset.games.base import Event
from visionset.games.sets import find_sets
from visionset.games.solitaire.rules import FindNone, SolitaireState, Take
from visionset.games.virtual.bots import habits, pick


def move(state: SolitaireState, player: int, rng: random.Random) -> Event | None:
    """Give what a simple player does now."""
    sets = find_sets(state.table)
    if sets and rng.random() >= habits().overlook:
        return Take(pick(state, sets, rng))
    return FindNone() if state.pack_left or not sets else Take(sets[0])
