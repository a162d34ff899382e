"""Ghost SET: the six cards that are laid."""

from __future__ import annotations

import random

from ghost_set import CARDS
from ghost_set.rules import Deal, GhostState
from visionset.games.base import Event
from visionset.pieces import SET_DECK


def chance(state: GhostState, rng: random.Random) -> Event | None:
    """Lay six cards where none lie."""
    return None if state.table else Deal(tuple(rng.sample(SET_DECK, CARDS)))
