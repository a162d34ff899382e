"""Dice of a lattice on the squares of a board: which turn and shift make them agree with what the game knows.

A lattice is read anew from each table, so that its first cell is another one when dice are added, the board is pushed or
the camera is bumped. What the game knows of the dice pins it down again: with the quarter turn R(row, col) = (col, -row)

    square = R^k cell + shift          a fit is k (0 to 3) and the shift
    shift  = square - R^k cell         each die whose face lies on a known square votes for four fits, one for each k
    best   = the fit with most votes   dice that are where the game has them all vote for the same one, others scatter
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from visionset.games.grid import Cell
from visionset.pieces import SetDie
from visionset.table import Sighting, Table

CellsOf: TypeAlias = Callable[[Table], tuple[Cell | None, ...]]
"""Gives the lattice cell of each sighting of a table; None for a die that lies on no lattice."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How cells of the lattice become squares."""

    quarter_turns: int = 0
    """Turns by 90 degrees, before the shift."""
    down: int = 0
    right: int = 0
    """`down` and `right`: the shift."""

    def square(self, cell: Cell) -> Cell:
        """The square of a cell."""
        row, col = turned(cell, self.quarter_turns)
        return row + self.down, col + self.right


def turned(cell: Cell, quarter_turns: int) -> Cell:
    """Turn a cell about the first one.

    >>> [turned((0, 1), quarter_turns) for quarter_turns in range(4)]
    [(0, 1), (1, 0), (0, -1), (-1, 0)]
    """
    row, col = cell
    return ((row, col), (col, -row), (-row, -col), (-col, row))[quarter_turns % 4]


def fitted(
    cells: Sequence[Cell | None], faces: Sequence[SetDie | None], known: Mapping[Cell, SetDie], before: Fit, turns: bool = True
) -> Fit:
    """Find the fit under which most dice lie on the squares where the game has them (`known`); the one before wins a draw.

    Cells and faces are those of the same dice, None where there is none or it was not read; without `turns` the turn of `before` stays.

    Examples
    --------
    >>> one, two = SetDie.parse("1-red-oval"), SetDie.parse("2-red-oval")
    >>> fitted([(0, 0), (1, 0)], [one, two], known={(7, 3): one, (7, 2): two}, before=Fit())
    Fit(quarter_turns=1, down=7, right=3)
    """
    places: dict[SetDie, list[Cell]] = {}
    for square, there in known.items():
        places.setdefault(there, []).append(square)
    votes: Counter[Fit] = Counter()
    for turn in range(4) if turns else (before.quarter_turns,):
        for cell, face in zip(cells, faces, strict=True):
            if cell is not None and face is not None:
                row, col = turned(cell, turn)
                votes.update(Fit(turn, square[0] - row, square[1] - col) for square in places.get(face, ()))
    if not votes:
        return before
    return max(votes, key=lambda fit: (votes[fit], fit == before, fit.quarter_turns == before.quarter_turns))


def grids(cells_of: CellsOf, table: Table) -> Iterator[dict[Cell, Sighting]]:
    """Give the dice of each grid by cell, the largest grid first: dice that wait in a neat row are one of their own."""
    while True:
        cells = cells_of(table)
        grid = {cell: one for cell, one in zip(cells, table.sightings, strict=True) if cell is not None}
        if not grid:
            return
        yield grid
        table = replace(table, sightings=tuple(one for cell, one in zip(cells, table.sightings, strict=True) if cell is None))


def likeliest_grid(
    cells_of: CellsOf,
    table: Table,
    known: Mapping[Cell, SetDie],
    before: Fit,
    turns: bool = True,
    worth: Callable[[Mapping[Cell, Sighting]], int] = lambda lying: 0,
) -> tuple[Fit, dict[Cell, Sighting]]:
    """Find the grid that is most `worth`, of several the one on which most dice lie where the game has them: its fit, its dice by square.

    The other parameters are those of `fitted`; no dice where there is no grid.
    """
    best, fit_of_best, lying_of_best = (-1, -1), before, dict[Cell, Sighting]()
    for grid in grids(cells_of, table):
        faces = [one.piece if isinstance(one.piece, SetDie) else None for one in grid.values()]
        fit = fitted(list(grid), faces, known, before, turns)
        lying = {fit.square(cell): one for cell, one in grid.items()}
        rank = worth(lying), sum(one.piece == known.get(square) for square, one in lying.items() if one.piece is not None)
        if rank > best:
            best, fit_of_best, lying_of_best = rank, fit, lying
    return fit_of_best, lying_of_best


def on_line(cells: Sequence[Cell], squares: Sequence[Cell]) -> Fit:
    """Lay three neighbouring cells of a line on three squares of a line, without turning more than needed.

    From which side the camera looks cannot be told from three dice: a board that is not the same upside down has to lie the
    right way up in the picture, or a quarter turned to the right.
    """
    first, last = min(cells), max(cells)
    along = squares[0][0] == squares[-1][0]
    turn = 0 if (first[0] == last[0]) == along else 3 if along else 1
    row, col = min(turned(cell, turn) for cell in cells)
    return Fit(turn, squares[0][0] - row, squares[0][1] - col)
