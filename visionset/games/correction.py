"""Correction: a piece was read wrongly, so an earlier event is told otherwise and everything after it follows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from visionset.errors import PieceError, RuleError
from visionset.games.base import Amend, Event
from visionset.messages import Message
from visionset.pieces import Piece, PipDie, PlayingCard, SetCard, SetDie


@dataclass(frozen=True, slots=True)
class Correct(Event):
    """Everybody agrees that a piece is another one than it was read as.

    Every game knows this event; `visionset.games.game.History` applies it, since it changes what happened before.
    """

    number: int
    """Place of the event that told the piece, among those that stand."""
    place: int
    """Place of the piece among those that the event read from the table."""
    piece: str | int
    """What it is: its text code, or the value of a pip die."""


@dataclass(frozen=True, slots=True)
class Mended(Event):
    """Points that were given or lost wrongly, by player; it stands after a correction that later events contradict.

    The piece is called what it is from then on, where the state can hold it so.
    """

    points: tuple[int, ...]
    number: int
    """Place of the event that told the piece, among those that stand."""
    was: str | int
    piece: str | int


def piece_code(piece: Piece) -> str | int:
    """How events write a piece."""
    return piece.value if isinstance(piece, PipDie) else str(piece)


def decoded(code: str | int) -> Piece | str:
    """The piece that events write so; what is none stays as it is."""
    for kind in (SetCard, SetDie, PlayingCard):
        try:
            return PipDie(code) if isinstance(code, int) else kind.parse(code)
        except PieceError:
            continue
    return str(code)


def read_off(event: Event) -> tuple[str | int, ...]:
    """Text codes and values that an event took from the table, in their order."""
    return pieces_in(_readings(event.to_json(), event))


def told_otherwise(event: Event, place: int, piece: str | int) -> dict[str, Any]:
    """JSON of the event with another piece at a place among those that it read; raises RuleError where it read none there."""
    data = event.to_json()
    readings = _readings(data, event)
    known = len(pieces_in(readings))
    if not 0 <= place < known:
        raise RuleError(Message("game.refused.no_such_place", number=known - 1, event=Message(f"event.{event.name}"), place=place))
    told = with_piece(readings, place, piece)
    return {**data, "changes": json.dumps(told)} if isinstance(event, Amend) else {**data, **told}


def _readings(data: Mapping[str, Any], event: Event) -> dict[str, Any]:
    """The fields that hold what was read; an amendment is read off the table as a whole."""
    if isinstance(event, Amend):
        changes: dict[str, Any] = json.loads(event.changes)
        return changes
    return {name: data[name] for name in event.readings if name in data}


def pieces_in(data: Any) -> tuple[str | int, ...]:
    """All texts and whole numbers in JSON, in their order: pieces among them."""
    if isinstance(data, dict | list):
        return tuple(leaf for item in (data.values() if isinstance(data, dict) else data) for leaf in pieces_in(item))
    return (data,) if _is_leaf(data) else ()


def with_piece(data: Any, place: int, piece: str | int) -> Any:
    """Copy JSON with another piece at a place among `pieces_in`."""
    return _with_leaf(data, count(), place, piece)


def _with_leaf(data: Any, numbers: Iterator[int], place: int, piece: str | int) -> Any:
    """Leaves are numbered in the order of `pieces_in`."""
    if isinstance(data, dict):
        return {name: _with_leaf(value, numbers, place, piece) for name, value in data.items()}
    if isinstance(data, list):
        return [_with_leaf(item, numbers, place, piece) for item in data]
    return piece if _is_leaf(data) and next(numbers) == place else data


def _is_leaf(data: Any) -> bool:
    return isinstance(data, str | int) and not isinstance(data, bool)
