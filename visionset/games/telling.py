"""Events as messages, for people who were not told anything else about them."""

from __future__ import annotations

from visionset.games.base import Amend, Event, State
from visionset.games.correction import Correct, Mended
from visionset.messages import Message, Words


def event_words(event: Event, state: State) -> Message:
    """Say an event of the game that a state is of: ``Ann says SET``, ``the cards are dealt``."""
    of_all = isinstance(event, Amend | Correct | Mended)
    what = Message(f"happened.{event.name}") if of_all else Message(f"{state.game}.happened.{event.name}")
    player = getattr(event, "player", None)
    return what if player is None else Message("happened_by", player=state.players[player], what=what)


def reason_or_event(event: Event, state: State) -> Words:
    """Say why something was agreed, or what happened."""
    return event.reason if isinstance(event, Amend) and event.reason else event_words(event, state)
