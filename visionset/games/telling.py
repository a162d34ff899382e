"""Events in words, for people who were not told anything else about them."""

from __future__ import annotations

from visionset.games.base import Event, State
from visionset.games.registry import SPECS


def event_words(event: Event, state: State) -> str:
    """Say an event of the game that a state is of: ``Ann says SET``, ``the cards are dealt``."""
    words = SPECS[state.game].book.events.get(event.name, event.name.replace("_", " "))
    player = getattr(event, "player", None)
    return words if player is None else f"{state.players[player]} {words}"
