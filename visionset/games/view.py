"""What every surface shows of a state - terminal, window, page: rows, grids and lines of pieces and words, as data."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from visionset.games.grid import Cell, Laid
from visionset.messages import Message, Words
from visionset.pieces import Piece, SetDie


class Stress(Enum):
    """How much something is made to stand out."""

    NONE = "none"
    FAINT = "faint"
    GOOD = "good"
    DUE = "due"


@dataclass(frozen=True, slots=True)
class GridEntry:
    """One field of a grid: a piece, with what one cannot see of it, such as that a WILD stands for it, or words where none lies."""

    text: Words = ""
    piece: Piece | None = None
    stress: Stress = Stress.NONE


@dataclass(frozen=True, slots=True)
class Spread:
    """Pieces in rows of `columns`, None where a place is empty; by their positions where `is_numbered`: moves name these."""

    title: Words
    pieces: tuple[Piece | None, ...]
    columns: int
    is_numbered: bool = True


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns with a head: a sheet, a board, a lattice of dice."""

    title: Words
    head: tuple[Words, ...]
    rows: tuple[tuple[GridEntry, ...], ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """The pieces of one player, which are named by their places where `is_numbered`, and what is laid beside them.

    `after` says the same as `laid` for who draws no pieces there; `lent` are the places of pieces that lie on boards of others.
    """

    player: str
    pieces: tuple[Piece, ...]
    is_numbered: bool = True
    after: Words = ""
    laid: tuple[tuple[Piece, ...], ...] = ()
    lent: tuple[int, ...] = ()


ViewPart: TypeAlias = Spread | Grid | Hand


def faults_in(part: object) -> Iterator[tuple[str, object]]:
    """What was expected in a part of a view, and what is there instead: no type checker reads games of other packages."""
    match part:
        case Spread(title, pieces, columns):
            yield from _others("words as title of a Spread", (title,), Words)
            yield from _others("pieces and None in a Spread", pieces, Piece | None)
            if not isinstance(columns, int) or columns < 1:
                yield "a Spread of one column or more", columns
        case Grid(title, head, rows):
            yield from _others("words as title and head of a Grid", (title,), Words)
            yield from _others("words as title and head of a Grid", head, Words)
            yield from _others("rows of GridEntry in a Grid", rows, tuple | list)
            for row in rows:
                yield from _others("rows of GridEntry in a Grid", row, GridEntry)
                for entry in row:
                    yield from _others("words as text of a GridEntry", (entry.text,), Words)
                    yield from _others("a piece or None in a GridEntry", (entry.piece,), Piece | None)
                    yield from _others("a Stress in a GridEntry", (entry.stress,), Stress)
        case Hand(player, pieces, after=after, laid=laid, lent=lent):
            yield from _others("a name as player of a Hand", (player,), str)
            yield from _others("words after a Hand", (after,), Words)
            yield from _others("rows of pieces laid in a Hand", laid, tuple | list)
            yield from _others("places of pieces lent in a Hand", lent, int)
            for held in (pieces, *laid):
                yield from _others("pieces in a Hand", held, Piece)
        case _:
            yield "Spread, Grid and Hand", part


def _others(what: str, values: object, sort: Any) -> Iterator[tuple[str, object]]:
    """What is not of a sort among values, or instead of any."""
    if isinstance(values, tuple | list):
        yield from ((what, one) for one in values if not isinstance(one, sort))
    else:
        yield what, values


def spread(table: Sequence[Piece | None], columns: int, title: Words, *, is_numbered: bool = True) -> tuple[ViewPart, ...]:
    """Show what lies on a table; nothing where nothing lies there."""
    return (Spread(title, tuple(table), columns, is_numbered),) if table else ()


def hands(players: Iterable[str], held: Iterable[Sequence[SetDie]]) -> tuple[ViewPart, ...]:
    """Show the dice of each player."""
    return tuple(Hand(name, tuple(dice)) for name, dice in zip(players, held, strict=True))


def die_grid(
    dice: Sequence[Laid],
    title: Words,
    marks: Mapping[Cell, int] | None = None,
    size: tuple[int, int] | None = None,
    guests: Container[Cell] = (),
) -> tuple[ViewPart, ...]:
    """Show dice by cell, with two empty cells around them.

    `marks` are the printed numbers of a board, `size` its rows and columns; dice of `guests` are faint: they are in no hand of its owner.
    """
    if not dice:
        return ()
    where = {die.cell: die for die in dice}

    def around(axis: int) -> range:
        first, end = min(cell[axis] for cell in where) - 2, max(cell[axis] for cell in where) + 3
        return range(max(first, 0), min(end, size[axis])) if size else range(first, end)

    rows, columns = around(0), around(1)

    def entry(cell: Cell) -> GridEntry:
        if cell not in where:
            return GridEntry(str((marks or {}).get(cell, "·")), stress=Stress.FAINT)
        die = where[cell]
        stress = Stress.FAINT if cell in guests else Stress.NONE
        return GridEntry(Message("piece.wild") if die.face.is_wild and die.stated else "", die.value, stress)

    shown = tuple((GridEntry(str(row)), *(entry((row, column)) for column in columns)) for row in rows)
    return (Grid(title, ("", *map(str, columns)), shown),)
