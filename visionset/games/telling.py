"""Events as messages, for people who were not told anything else about them, and what was taken back."""

from __future__ import annotations

from visionset.games.base import Amend, Event, State
from visionset.games.correction import Correct
from visionset.games.game import History, Mended
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


def undone_words(before: History, after: History) -> Message:
    """Say what was taken back between two histories of a match: ``taken back: Ann takes three (Ann -1)``; points as they had been given."""
    gone = list(zip(before.standing, before.before, strict=True))[len(after.standing) :]
    of_players = [(event, state) for event, state in gone if getattr(event, "player", None) is not None]
    what = tuple(reason_or_event(event, state) for event, state in of_players or gone) or (event_words(before.events[-1], after.state),)
    scores = zip(after.players, before.state.scores, after.state.scores, strict=True)
    points = tuple(Message("game.notice.gained", name=name, points=now - then) for name, now, then in scores if now != then)
    return Message("game.notice.undone_points", what=what, points=points) if points else Message("game.notice.undone", what=what)
