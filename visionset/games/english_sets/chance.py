"""English Sets: the cards that are dealt, drawn and turned, from a seeded generator."""

from __future__ import annotations

import random

from visionset.games.base import Event
from visionset.games.english_sets.rules import HAND, Deal, Draw, EnglishSetsState, Phase, Starter


def chance(state: EnglishSetsState, rng: random.Random) -> Event | None:
    """Give what the pack brings."""
    if state.phase is Phase.DEAL:
        eight = rng.sample(state.pack, 2 * HAND)
        return Deal((tuple(eight[:HAND]), tuple(eight[HAND:])))
    if state.phase is not Phase.STARTER and not state.short:
        return None
    card = rng.choice(state.on_top)
    return Starter(card) if state.phase is Phase.STARTER else Draw(state.short[0], card)
