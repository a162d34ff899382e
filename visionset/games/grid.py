"""Dice in a grid: windows of three neighbours, the SETs in them, and what is wrong with a grid (rules D4, D14)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from visionset.games.base import Finding
from visionset.games.sets import DIE_FACE_INDEX, DIE_THIRD, WILD_INDEX
from visionset.games.statements import Cell as Cell
from visionset.games.statements import Window as Window
from visionset.games.statements import best_statement
from visionset.messages import Message
from visionset.pieces import SET_DIE_FACES, SetDie

_STEPS = ((0, 1), (1, 0))


class InCell:
    """Whatever lies in a cell."""

    __slots__ = ()
    row: int
    col: int

    @property
    def cell(self) -> Cell:
        """Row and column."""
        return self.row, self.col


@dataclass(frozen=True, slots=True)
class Placing(InCell):
    """One die of a hand in a cell."""

    die: int
    """Position in the player's hand."""
    row: int
    col: int
    stated: SetDie | None = None
    """For a WILD: what it stands for; None leaves it to the SETs around it."""


@dataclass(frozen=True, slots=True)
class Laid(InCell):
    """A die that lies in a grid."""

    row: int
    col: int
    face: SetDie
    stated: SetDie | None = None
    """For a WILD: the face that it stands for, once stated (D3)."""

    @property
    def value(self) -> SetDie:
        """The face that counts; WILD while nothing is stated."""
        return self.face if self.stated is None else self.stated

    @property
    def is_misstated(self) -> bool:
        """It is stated to stand for a face, and only a WILD may, for another face than WILD."""
        return self.stated is not None and (not self.face.is_wild or self.stated.is_wild)


def cell_named(cell: Cell) -> Message:
    """What people call a square."""
    return Message("cell", row=cell[0], col=cell[1])


def windows_through(cell: Cell) -> Iterator[Window]:
    """Give the six windows that a cell is part of."""
    row, col = cell
    for down, right in _STEPS:
        for back in (2, 1, 0):
            top, left = row - back * down, col - back * right
            yield (top, left), (top + down, left + right), (top + 2 * down, left + 2 * right)


def windows_of(cells: Collection[Cell]) -> tuple[Window, ...]:
    """Give every window of three neighbouring cells that are all in `cells`, ascending (D4).

    >>> windows_of([(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)])
    (((0, 0), (0, 1), (0, 2)), ((0, 1), (0, 2), (0, 3)))
    """
    there = set(cells)
    found = []
    for row, col in sorted(there):
        for down, right in _STEPS:
            middle, last = (row + down, col + right), (row + 2 * down, col + 2 * right)
            if middle in there and last in there:
                found.append(((row, col), middle, last))
    return tuple(found)


def is_face_set(first: int, second: int, last: int) -> bool:
    """Tell whether three faces, by index, are a SET; a WILD that is not stated completes any two."""
    return WILD_INDEX in (first, second, last) or DIE_THIRD[first][second] == last


def face_indices(grid: Sequence[Laid]) -> dict[Cell, int]:
    """Map each cell to the index in `SET_DIE_FACES` of the face that counts there."""
    return {die.cell: DIE_FACE_INDEX[die.value] for die in grid}


def sets_in(faces: Mapping[Cell, int]) -> tuple[Window, ...]:
    """Give every window whose three dice are a SET (D4).

    >>> faces = [SetDie.parse(name) for name in ("1-red-oval", "2-red-oval", "3-red-oval", "wild")]
    >>> row = [Laid(0, col, face) for col, face in enumerate(faces)]
    >>> sets_in(face_indices(row))
    (((0, 0), (0, 1), (0, 2)), ((0, 1), (0, 2), (0, 3)))
    """
    return tuple(window for window in windows_of(faces) if is_face_set(*(faces[cell] for cell in window)))


def open_windows(occupied: Collection[Cell], inside: Callable[[Cell], bool]) -> Iterator[tuple[tuple[Cell, ...], tuple[Cell, ...]]]:
    """Give the windows with one or two dice in them and all cells `inside` the board, each once, as (cells with a die, empty cells)."""
    there = set(occupied)
    seen = set()
    for cell in sorted(there):
        for window in windows_through(cell):
            if window not in seen:
                seen.add(window)
                empty = tuple(other for other in window if other not in there)
                if empty and all(inside(other) for other in empty):
                    yield tuple(other for other in window if other in there), empty


def parts(cells: Collection[Cell], joined: Sequence[Sequence[Cell]]) -> tuple[frozenset[Cell], ...]:
    """Split cells into connected parts, largest first; each group in `joined` holds together.

    >>> parts([(0, 0), (0, 1), (5, 5)], [[(0, 0), (0, 1)]]) == ({(0, 0), (0, 1)}, {(5, 5)})
    True
    """
    owner = {cell: {cell} for cell in cells}
    for group in joined:
        whole = set().union(*(owner[cell] for cell in group))
        for cell in whole:
            owner[cell] = whole
    distinct = {id(part): frozenset(part) for part in owner.values()}
    return tuple(sorted(distinct.values(), key=lambda part: (-len(part), min(part))))


def _neighbours(cells: Collection[Cell]) -> Iterator[tuple[Cell, Cell]]:
    return (((r, c), (r + d, c + s)) for r, c in cells for d, s in _STEPS if (r + d, c + s) in cells)


def groups(cells: Collection[Cell]) -> tuple[frozenset[Cell], ...]:
    """Split cells into groups that touch side by side, the largest first.

    >>> [sorted(group) for group in groups([(0, 0), (4, 4), (0, 1)])]
    [[(0, 0), (0, 1)], [(4, 4)]]
    """
    return parts(cells, tuple(_neighbours(set(cells))))


def _held_together(sets: Sequence[Window], touching_joins: bool) -> tuple[frozenset[Cell], ...]:
    in_sets = {cell for window in sets for cell in window}
    return parts(in_sets, [*sets, *(_neighbours(in_sets) if touching_joins else ())])


def _largest(sets: Sequence[Window], touching_joins: bool, first: Collection[Cell]) -> frozenset[Cell]:
    """Give the dice that SETs hold together: the part with most of those that come first, the largest among such."""
    wanted = set(first)
    return max(_held_together(sets, touching_joins), key=lambda part: (len(part & wanted), len(part)), default=frozenset())


def used_cells(grid: Sequence[Laid], touching_joins: bool = False, first: Collection[Cell] = ()) -> frozenset[Cell]:
    """Give the cells that count as used: in a SET, and in the largest connected part (D14, D16).

    WILDs that are not stated stand for what uses most dice, those in `first` before any other. Where `touching_joins`, dice in SETs
    that lie side by side hold together, without a die that is in both SETs.
    """
    return _largest(sets_in(face_indices(settle_wilds(grid, touching_joins, first))), touching_joins, first)


def faults(grid: Sequence[Laid], touching_joins: bool = False, first: Collection[Cell] = ()) -> tuple[Finding, ...]:
    """Find what keeps a grid from being a crossword of SETs (D14); positions are those in `grid`. For the parameters see `used_cells`.

    >>> row = [Laid(0, col, SetDie.parse(name)) for col, name in enumerate(("1-red-oval", "2-red-oval", "1-green-oval"))]
    >>> [finding.text for finding in faults(row)][0]
    '1-red-oval in row 0, column 0 is in no SET; move it'
    """
    place = {die.cell: position for position, die in enumerate(grid)}
    if len(place) < len(grid):
        twice = tuple(position for position, die in enumerate(grid) if place[die.cell] != position)
        return (Finding("D14", Message("game.finding.one_cell"), twice),)
    found = [
        Finding("D3", Message("game.finding.stated", face=die.face, stated=die.stated), (position,))
        for position, die in enumerate(grid)
        if die.is_misstated
    ]
    settled = settle_wilds(grid, touching_joins, first)
    open_faces, faces = face_indices(grid), face_indices(settled)
    sets = sets_in(faces)
    in_sets = {cell for window in sets for cell in window}
    for position, die in enumerate(grid):
        if die.face.is_wild and die.stated is None:
            needed = sorted(str(SET_DIE_FACES[face]) for face in _needed(open_faces, die.cell))
            if len(needed) > 1 and any(cell not in in_sets for window in windows_through(die.cell) for cell in window if cell in faces):
                found.append(Finding("D14", Message("game.finding.two_faces", needed=tuple(needed)), (position,)))
    for position, die in enumerate(grid):
        if die.cell not in in_sets:
            found.append(Finding("D14", Message("game.finding.in_no_set", value=die.value, row=die.row, col=die.col), (position,)))
    apart = parts(faces, [*sets, *(_neighbours(faces) if touching_joins else ())])
    for part in apart[1:]:
        if len(part) > 1 or part <= in_sets:
            positions = tuple(sorted(place[cell] for cell in part))
            found.append(Finding("D14", Message("game.finding.apart", count=len(part)), positions))
    return tuple(found)


def _needed(faces: Mapping[Cell, int], cell: Cell) -> set[int]:
    """Faces that would complete a window through a cell with two other dice that are known."""
    found = set()
    for window in windows_through(cell):
        others = [faces.get(other, WILD_INDEX) for other in window if other != cell]
        if WILD_INDEX not in others:
            found.add(DIE_THIRD[others[0]][others[1]])
    return found


def settle_wilds(grid: Sequence[Laid], touching_joins: bool = False, first: Collection[Cell] = ()) -> tuple[Laid, ...]:
    """State for each WILD what it stands for, so that as many dice as possible are used: in SETs that hold together (D14, D16).

    What is stated already stays. A WILD that has no window with two dice beside it is left as it is. For the parameters see
    `used_cells`.

    >>> row = [Laid(0, col, SetDie.parse(name)) for col, name in enumerate(("1-red-oval", "2-green-oval", "wild"))]
    >>> str(settle_wilds(row)[2].stated)
    '3-purple-oval'
    """
    if not any(die.value.is_wild for die in grid):
        return tuple(grid)

    def worth(sets: Sequence[Window]) -> tuple[int, int, int]:
        part = _largest(sets, touching_joins, first)
        return len(part & set(first)), len(part), len({cell for window in sets for cell in window})

    faces = face_indices(grid)
    stated = best_statement(faces, windows_of(faces), worth)
    return tuple(
        replace(die, stated=SET_DIE_FACES[stated[die.cell]]) if die.value.is_wild and stated[die.cell] != WILD_INDEX else die
        for die in grid
    )


def grows(
    before: Sequence[Laid], after: Sequence[Laid], added: Collection[Cell], touching_joins: bool = False, first: Collection[Cell] = ()
) -> bool:
    """Tell whether one statement of the WILDs uses the added dice together with all that were used before (D3, D15).

    `before` and `after` are the grid without and with the added dice; for the other parameters see `used_cells`.
    """

    def rank(part: frozenset[Cell]) -> tuple[int, int]:
        return len(part & set(first)), len(part)

    old, wanted = {die.cell for die in before}, rank(used_cells(before, touching_joins, first))

    def does_grow(sets: Sequence[Window]) -> bool:
        parts_before = _held_together([window for window in sets if old.issuperset(window)], touching_joins) or (frozenset(),)
        parts_now = _held_together(sets, touching_joins) or (frozenset(),)
        return any(part | set(added) <= now for part in parts_before if rank(part) >= wanted for now in parts_now)

    faces = face_indices(after)
    return does_grow(sets_in(best_statement(faces, windows_of(faces), does_grow)))
