"""The log of a match in words: what happened, with which pieces, and what people agreed on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from visionset.games.base import Amend, Event
    from visionset.games.game import History
    from visionset.messages import Words
    from visionset.store import Entry, Match


_SAID = ("row", "col", "bonus", "place", "sum", "value")
"""Values of events without pieces that say which: of a sheet its row, and so on."""


def told_entries(match: Match) -> Iterator[tuple[Entry, str, bool]]:
    """Give each entry, what it says in words, and whether it still stands: an event that was taken back does not."""
    from visionset.games.game import History
    from visionset.messages import Message, at_table
    from visionset.store import EntryKind

    stands = _standing(match.entries)
    history: History = History.begin(match.history.game, match.history.options, match.history.players)
    stack = [history]
    for entry, is_standing in zip(match.entries, stands, strict=True):
        if entry.kind is EntryKind.EVENT:
            before, event = stack[-1], match.history.game.parse_event(json.loads(entry.data))
            stack.append(before.then(event))
            yield entry, _event_told(event, before, stack[-1]), is_standing
            continue
        if entry.kind is EntryKind.UNDO:
            stack.pop()
        yield entry, at_table(Message(f"entry.{entry.kind.value}")), is_standing


def has_moves(match: Match) -> bool:
    """Whether somebody played: chance and dealer alone make no match."""
    return any(getattr(event, "player", None) is not None for event in match.history.events) or any(match.history.state.scores)


def _standing(entries: Iterable[Entry]) -> list[bool]:
    from visionset.store import EntryKind

    stands: list[bool] = []
    events = []
    for place, entry in enumerate(entries):
        stands.append(True)
        if entry.kind is EntryKind.EVENT:
            events.append(place)
        elif entry.kind is EntryKind.UNDO:
            stands[events.pop()] = False
    return stands


def _event_told(event: Event, before: History, after: History) -> str:
    """``Ann takes three: two red solid ovals, ...``; of a correction what the game made of it."""
    from visionset.games.base import Amend
    from visionset.games.correction import Correct, decoded, read_off
    from visionset.games.telling import event_words
    from visionset.messages import Message, at_table

    if isinstance(event, Amend):
        return _amendment_told(event, before)
    if isinstance(event, Correct):
        return at_table(Message("entry.with", what=event_words(event, before.state), pieces=(after.state.notice,)))
    what = event_words(event, before.state)
    pieces: tuple[Words, ...] = before.state.judged(event) or tuple(decoded(code) for code in read_off(event))
    if pieces:
        return at_table(Message("entry.with", what=what, pieces=pieces))
    values = tuple(f"{name} {value}" for name, value in event.to_json().items() if name in _SAID and value is not None)
    return at_table(Message("entry.which", what=what, values=values) if values else what)


def _amendment_told(event: Amend, before: History) -> str:
    """Say why the game was changed, which pieces went and which came."""
    from visionset.games.correction import decoded, pieces_in
    from visionset.games.telling import event_words
    from visionset.messages import Message, at_table, in_words

    changes, state = json.loads(event.changes), before.state.to_json()
    then = Counter(pieces_in({name: state.get(name) for name in changes}))
    now = Counter(pieces_in(changes))
    told: list[Words] = [event_words(event, before.state)]
    if in_words(event.reason):
        told.append(event.reason)
    for word, codes in (("gone", then - now), ("come", now - then)):
        pieces = tuple(piece for code in codes.elements() if isinstance(code, str) and not isinstance(piece := decoded(code), str))
        if pieces:
            told.append(Message(f"entry.{word}", pieces=pieces))
    return at_table(Message("entry.agreed", told=tuple(told)))
