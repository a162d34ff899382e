"""What people say to the referee: by key, by click, or from a script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from visionset.codec import from_json, to_json
from visionset.errors import OptionError, RecordError, check_type
from visionset.games.base import Event


@dataclass(frozen=True, slots=True)
class CallSet:
    """A player says SET: by the key of the seat or a click on the name."""

    player: int
    said_s: float | None = None
    """When, by the time of the stream; None: when it is heard."""


@dataclass(frozen=True, slots=True)
class NoSet:
    """A player says that there is no SET."""

    player: int


@dataclass(frozen=True, slots=True)
class Move:
    """A player does what the camera cannot see: circles a row, ends a turn, agrees to an exchange."""

    event: Event


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question, by its number from 1; 0 for none of them."""

    number: int
    asked: str | None = None
    """Which question that is, by its `Question.id`: another one that is asked by then is left alone. None: whatever is asked."""


@dataclass(frozen=True, slots=True)
class TableIsRight:
    """The table counts, and the game follows it."""

    asked: str | None = None
    """Which difference is meant, by its `Showing.differ_id`: another one that is told by then is left alone. None: whatever is told."""


@dataclass(frozen=True, slots=True)
class GameIsRight:
    """The game counts: what the camera sees otherwise is passed over."""

    asked: str | None = None
    """Which difference is meant, as for `TableIsRight`."""


@dataclass(frozen=True, slots=True)
class Next:
    """Go on without what is waited for."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last event back."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """Somebody says that a piece by which was judged was read wrongly."""


@dataclass(frozen=True, slots=True)
class AskHint:
    """A player asks for a hint, or for the next stronger one."""

    player: int


Said: TypeAlias = CallSet | NoSet | Move | Answer | TableIsRight | GameIsRight | Next | Undo | Dispute | AskHint


def check_said(said: object) -> None:
    """Raise `OptionError` for what nobody can say at a table, whatever is played; what makes no sense now the referee refuses."""
    check_type(said, Said, "what somebody says", "say it as CallSet(player=0), Undo() or another of player_input")
    if isinstance(said, Move) and not isinstance(said.event, Event):
        raise OptionError(f"expected a Move of an event of the game, got {said!r:.80}; Game.parse_event reads one")
    value = said.event if isinstance(said, Move) else said
    try:
        from_json(type(value), to_json(value))  # a field that holds no such value
    except RecordError as error:
        raise OptionError(str(error)) from None


@dataclass(frozen=True, slots=True)
class Timed:
    """Something that is said at a time of the stream, from a script."""

    time_s: float
    said: Said


_SEEN = "deal take rolled roll open place replace roll_wild drawn draw starter lay add"
SEEN_EVENTS = frozenset(_SEEN.split())
"""Events that the camera sees, so that nobody says them."""
