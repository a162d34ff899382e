"""English Sets: a simple player."""

from __future__ import annotations

import random

from visionset.games.base import Event
from visionset.games.english_sets.rules import EnglishSetsState, Exchange, Shuffle, Stop


def move(state: EnglishSetsState, player: int, rng: random.Random) -> Event | None:
    """Give what a simple player does now."""
    ways = {"exchange": Exchange(), "shuffle": Shuffle(), "stop": Stop()}
    return ways[rng.choice([choice.event for choice in state.legal])]
