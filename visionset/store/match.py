"""A match as its log: entries, the history that they lead to, and the summary that a list shows.

The log is only ever added to. Taking an event back is an entry of its own, and so is the end of a match; what was played
follows from reading the entries in order.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Self

from visionset import __version__
from visionset.codec import from_json, to_json
from visionset.errors import RecordError, RuleError, VisionsetError
from visionset.games.base import Event
from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.untrusted import json_of


class EntryKind(Enum):
    """What an entry says."""

    BEGIN = "begin"
    EVENT = "event"
    UNDO = "undo"
    FINISH = "finish"


class Origin(Enum):
    """Where a match is played: with a shuffled pack in the program, or on a table before a camera."""

    VIRTUAL = "virtual"
    CAMERA = "camera"


@dataclass(frozen=True, slots=True)
class EntryLine:
    """The JSON of an entry; `begin` and `event` are read by whoever knows the game."""

    entry: EntryKind
    written_s: float
    scores: tuple[int, ...]
    is_over: bool
    begin: Any = None
    event: Any = None


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the first entry says."""

    game: str
    options: Any
    players: tuple[str, ...]
    bots: tuple[str, ...]
    origin: Origin
    version: str
    seed: str = ""
    """What somebody has named for pack and dice to follow from, if anybody has."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log; `parse` and ``str`` are inverse."""

    kind: EntryKind
    """Begin, event, undo or finish."""
    written_s: float
    """When it was written, in seconds since 1970 by the computer's clock, which somebody may set back: order is the log's alone."""
    scores: tuple[int, ...]
    """Points of each player after it."""
    is_over: bool
    """True when the game is over after it."""
    data: str = ""
    """JSON of the event, or of how the match begins; empty for the other kinds."""

    def __str__(self) -> str:
        line = {"entry": self.kind.value, "written_s": self.written_s, "scores": list(self.scores), "is_over": self.is_over}
        return json.dumps({**line, self.kind.value: json.loads(self.data)} if self.data else line)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an entry from its line; raises `RecordError` for what is none."""
        try:
            line = from_json(EntryLine, json_of(text))
        except RecordError as error:
            raise RecordError(f"expected an entry of a match as JSON, got {text!r:.80} ({error!s:.160}); export the match again") from None
        given = {EntryKind.BEGIN: line.begin, EntryKind.EVENT: line.event}
        for kind, data in given.items():
            if (data is not None) is not (kind is line.entry):
                raise RecordError(
                    f"expected {kind.value} only and always in an entry {kind.value}, got {text!r:.80}; export the match again"
                )
        data = given.get(line.entry)
        return cls(line.entry, line.written_s, line.scores, line.is_over, "" if data is None else json.dumps(data))


@dataclass(frozen=True, slots=True)
class Summary:
    """A match in one line of a list."""

    id: int
    """Its number in the store."""
    game: str
    options: str
    """Its options as JSON."""
    players: tuple[str, ...]
    bots: tuple[str, ...]
    """`players` and `bots`: all names in the order of the seats, and those among them that the program plays."""
    origin: Origin
    """Where it is played."""
    begun_s: float
    last_s: float
    """`begun_s` and `last_s`: when its first and its last entry were written, in seconds since 1970."""
    entries: int
    scores: tuple[int, ...]
    is_finished: bool
    """True when the game is over or the match was closed."""
    is_over: bool
    """True when the game was played to its end."""

    @classmethod
    def of(cls, match: int, first: Entry, last: Entry, entries: int) -> Self:
        """Sum up a log by its first and last entry; raises `RecordError` when the first does not begin a match."""
        begin = _beginning(first)
        finished = last.is_over or last.kind is EntryKind.FINISH
        told = (begin.game, json.dumps(begin.options), begin.players, begin.bots, begin.origin)
        return cls(match, *told, first.written_s, last.written_s, entries, last.scores, finished, last.is_over)


@dataclass(frozen=True, slots=True)
class Match:
    """A match so far. Each step gives a new value with one more entry; the store writes that entry."""

    id: int
    """Its number in the store."""
    history: History
    """The game as it stands."""
    entries: tuple[Entry, ...]

    @classmethod
    def begun(cls, match: int, history: History, bots: Sequence[str], origin: Origin, at_s: float, seed: str = "") -> Self:
        """Begin a match with a history to which nothing has happened yet.

        Raises `RuleError` for a history with events, or a bot that is no player.
        """
        if history.events:
            raise RuleError(f"expected a new game, got one with {len(history.events)} events; import its log instead")
        _check_bots(history, bots)
        options = to_json(history.options)
        begin = Beginning(history.game.name, None, history.players, tuple(bots), origin, __version__, seed)
        data = json.dumps({**to_json(begin), "options": options})
        return cls(match, history, (_entry(EntryKind.BEGIN, history, at_s, data),))

    @classmethod
    def replayed(cls, match: int, entries: Sequence[Entry]) -> Self:
        """Read a log; scores are as the rules give them today.

        Raises `RecordError` for a log that no match can have written; the message names the entry.
        """
        if not entries:
            raise RecordError("expected the entries of a match, got none; export the match again")
        begin = _beginning(entries[0])
        if begin.game not in GAMES:
            known = ", ".join(GAMES)
            raise RecordError(f"expected a game among {known}, got {begin.game}; update visionset, or install the package of the game")
        game = GAMES[begin.game]
        try:
            stack = [History.begin(game, from_json(game.options, begin.options), begin.players)]  # one history for each event that stands
            _check_bots(stack[0], begin.bots)
        except RuleError as error:
            raise RecordError(f"expected a match to begin by the rules, got: {error}") from error
        seen = [_entry(EntryKind.BEGIN, stack[0], entries[0].written_s, entries[0].data)]
        for place, entry in enumerate(entries[1:], 1):
            if entry.kind is EntryKind.BEGIN or seen[-1].kind is EntryKind.FINISH:
                raise RecordError(
                    f"expected an entry that can follow {seen[-1].kind.value}, got {entry.kind.value} as entry {place}; "
                    "export the match again"
                )
            try:
                if entry.kind is EntryKind.EVENT:
                    stack.append(stack[-1].then(game.parse_event(json.loads(entry.data))))
                elif entry.kind is EntryKind.UNDO:
                    _may_undo(stack[-1])
                    stack.pop()
            except VisionsetError as error:
                raise RecordError(f"expected entry {place} to follow the rules, got: {error}") from error
            seen.append(_entry(entry.kind, stack[-1], entry.written_s, entry.data))
        return cls(match, stack[-1], tuple(seen))

    @property
    def summary(self) -> Summary:
        """The match in one line."""
        return Summary.of(self.id, self.entries[0], self.entries[-1], len(self.entries))

    @property
    def seed(self) -> str:
        """What pack and dice follow from, the same whenever it goes on: what somebody has named, else when it began to a microsecond."""
        return _beginning(self.entries[0]).seed or str(int(1e6 * self.entries[0].written_s))

    @property
    def is_closed(self) -> bool:
        """True once nothing can be added."""
        return self.entries[-1].kind is EntryKind.FINISH

    def then(self, event: Event, at_s: float) -> Self:
        """Add an event; raises `RuleError` when it is against the rules or the match is closed."""
        return self._with(EntryKind.EVENT, self.history.then(event), at_s, json.dumps(event.to_json()))

    def undone(self, at_s: float) -> Self:
        """Take the last event back that still stands; raises `RuleError` when there is none or the match is closed."""
        _may_undo(self.history)
        return self._with(EntryKind.UNDO, self.history.undone(), at_s)

    def finished(self, at_s: float) -> Self:
        """Close the match; raises `RuleError` when it is closed already."""
        return self._with(EntryKind.FINISH, self.history, at_s)

    def _with(self, kind: EntryKind, history: History, at_s: float, data: str = "") -> Self:
        if self.is_closed:
            raise RuleError(f"expected a match that goes on, got match {self.id}, which is closed; begin a new one")
        return replace(self, history=history, entries=(*self.entries, _entry(kind, history, at_s, data)))


def _entry(kind: EntryKind, history: History, at_s: float, data: str = "") -> Entry:
    return Entry(kind, at_s, tuple(history.state.scores), history.state.is_over, data)


def _beginning(entry: Entry) -> Beginning:
    if entry.kind is not EntryKind.BEGIN:
        raise RecordError(f"expected a log to start with an entry begin, got {entry.kind.value}; export the match again")
    return from_json(Beginning, json.loads(entry.data))


def _may_undo(history: History) -> None:
    if not history.events:
        raise RuleError("expected an event to take back, got none that stands; play on")


def _check_bots(history: History, bots: Sequence[str]) -> None:
    if not set(bots) <= set(history.players):
        raise RuleError(f"expected bots among {', '.join(history.players)}, got {', '.join(bots)}; name players")
