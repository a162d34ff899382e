"""SET with cards: the cards that the dealer lays, from a seeded generator."""

from __future__ import annotations

import random

from visionset.games.base import Event
from visionset.games.card_table.places import Deal
from visionset.games.set_cards.rules import Phase, SetCardsState
from visionset.games.virtual.chance import unseen_cards


def chance(state: SetCardsState, rng: random.Random) -> Event | None:
    """Give what the pack brings."""
    return Deal(unseen_cards(state.table, state.seen, rng)) if state.phase is Phase.DEAL else None
