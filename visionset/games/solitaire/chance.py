"""SET solitaire: the cards that are laid, from a seeded generator."""

from __future__ import annotations

import random

from visionset.games.base import Event
from visionset.games.card_table.places import Deal
from visionset.games.solitaire.rules import SolitaireState
from visionset.games.virtual.chance import unseen_cards


def chance(state: SolitaireState, rng: random.Random) -> Event | None:
    """Give what the pack brings."""
    return Deal(unseen_cards(state.table, state.seen, rng)) if None in state.table else None
