"""Sets with two dice: the expected final score of best play, exactly, by dynamic programming (rules P1 to P4).

What is still to come depends only on the turns left and on how many values without a circle stand in each row: circled
values are counted already and cannot change. Sheets that agree in this are one state, and nothing is lost.

A second merge is exact too. With t turns left row r is circled at most t times more, so at most ``r * t`` of its
values. Whatever stands there beyond that stays without a circle and costs r each, and it makes nothing possible that
``r * t`` values do not. So each row is counted up to ``r * t``, and the rest is paid at once.

Each circling takes r values out and writes one, so the number of values without a circle grows by two a turn at most.
That bounds the table: 445,000 sheets for ten turns.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import comb
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from visionset.games.pip_sets.rules import ROWS, PipSetsOptions
from visionset.geometry import Floats

_Places = npt.NDArray[np.intp]
Counts = npt.NDArray[np.int64]

VALUES: Counts = np.arange(1, ROWS + 1)
"""What a value in each row is worth."""

_LAYOUT = 1
"""Version of the file's layout: a file with another one is computed anew."""


class Space:
    """All sheets with at most `total` values without a circle, row r counted up to ``r * turns``.

    `counts`, shape (n, 6), are the values without a circle in each row, by place in the table.
    """

    def __init__(self, turns: int, total: int) -> None:
        self.caps: Counts = VALUES * turns
        # The combinatorial number system counts all sheets by their number of values: a sheet with partial sums s_i
        # has the number sum of C(s_i + i - 1, i), and sheets with fewer values come first.
        self._choose = np.array([[comb(n, i) for i in range(ROWS + 1)] for n in range(total + ROWS + 1)], dtype=np.int64)
        rest = np.arange(comb(total + ROWS, ROWS), dtype=np.int64)
        sums = np.empty((len(rest), ROWS), dtype=np.int64)
        for i in range(ROWS, 0, -1):
            chosen = np.searchsorted(self._choose[:, i], rest, side="right") - 1
            rest -= self._choose[chosen, i]
            sums[:, i - 1] = chosen - (i - 1)
        every = np.diff(sums, axis=1, prepend=0)
        kept = (every <= self.caps).all(axis=1)
        self.counts: Counts = every[kept]
        self._place = np.full(len(every), -1, dtype=np.int32)
        self._place[kept] = np.arange(len(self.counts), dtype=np.int32)

    def find(self, counts: Counts) -> tuple[_Places, Floats]:
        """Give the place of each sheet, shape (n, 6) -> (n,), and what its values beyond the cap cost, <= 0."""
        kept = np.minimum(counts, self.caps)
        cost = ((kept - counts) @ VALUES).astype(np.float64)
        numbers = np.zeros(len(counts), dtype=np.int64)
        sums = np.zeros(len(counts), dtype=np.int64)
        for i in range(1, ROWS + 1):
            sums += kept[:, i - 1]
            numbers += self._choose[sums + i - 1, i]
        return self._place[numbers].astype(np.intp), cost

    def worth(self, values: Floats, counts: Counts, *at: Counts) -> Floats:
        """Give what each sheet is worth, shape (n, 6) -> (n,), by the values of all places; `at` picks among several such rows."""
        places, cost = self.find(counts)
        return np.asarray(values[(*at, places)] + cost)


@dataclass(frozen=True)
class Turn:
    """One turn after the roll."""

    space: Space
    """The sheets that may be there after the roll."""
    stop: Floats
    """What is still to be expected when the turn ends on a sheet. Shape (n,)."""

    @cached_property
    def _written(self) -> list[tuple[_Places, Floats]]:
        """For each bonus: where it leads. Only places within the bound are ever asked for."""
        steps = []
        totals = self.space.counts.sum(axis=1)
        room = totals < totals.max()
        for value in range(ROWS):
            more = self.space.counts.copy()
            more[:, value] += room
            steps.append(self.space.find(more))
        return steps

    @cached_property
    def _circled(self) -> list[tuple[_Places, _Places]]:
        """For each row: the places with enough values, and where they lead before the bonus is written."""
        steps = []
        for row in range(ROWS):
            ready = np.flatnonzero(self.space.counts[:, row] > row)
            fewer = self.space.counts[ready]
            fewer[:, row] -= row + 1
            steps.append((ready, self.space.find(fewer)[0]))
        return steps

    def _with_bonus(self, values: Floats) -> Floats:
        best = np.full(len(values), -np.inf)
        for places, cost in self._written:
            np.maximum(best, values[places] + cost, out=best)
        return best

    def values(self, keep_all: bool = False) -> dict[int, Floats]:
        """Give what is to be expected of best play from each sheet, by the rows closed in this turn: bit r - 1 for row r.

        Only for an open turn, key 0, where not `keep_all`.
        """
        values: dict[int, Floats] = {}
        bonus: dict[int, Floats] = {}
        for closed_count in range(ROWS, -1, -1):
            layer: dict[int, Floats] = {}
            for closed_rows in combinations(range(ROWS), closed_count):
                closed = sum(1 << row for row in closed_rows)
                best = self.stop.copy()
                for row in range(ROWS):
                    if not closed >> row & 1:
                        ready, after = self._circled[row]
                        best[ready] = np.maximum(best[ready], (row + 1) ** 2 + bonus[closed | 1 << row][after])
                if keep_all or not closed:
                    values[closed] = best
                if closed:
                    layer[closed] = self._with_bonus(best)
            bonus = layer
        return values


@dataclass(frozen=True)
class DiceTable:
    """What is to be expected of best play before each roll."""

    turns: int
    starting_values: bool
    """Whether each row starts with its own value."""
    expected: tuple[Floats, ...]
    """By turns left, from 0 on: points still to come, values without a circle paid for, by place in the space of that turn."""

    @classmethod
    def compute(cls, options: PipSetsOptions) -> DiceTable:
        """Compute the table: a few seconds for ten turns."""
        table = cls(options.turns, options.starting_values, (np.zeros(1),))
        for left in range(1, options.turns + 1):
            turn = table.turn(left)
            after = turn.values()[0]
            before = table.space(left)
            expected = np.zeros(len(before.counts))
            for first, second, chance in rolls():
                rolled = before.counts.copy()
                rolled[:, first] += 1
                rolled[:, second] += 1
                expected += chance * turn.space.worth(after, rolled)
            table = cls(options.turns, options.starting_values, (*table.expected, expected))
        return table

    def most_values(self, left: int) -> int:
        """Most values without a circle before the roll with `left` turns to go."""
        return ROWS * self.starting_values + 2 * (self.turns - left)

    def space(self, left: int) -> Space:
        """Sheets before the roll with `left` turns to go."""
        return Space(left, self.most_values(left))

    def turn(self, left: int) -> Turn:
        """Give the turn after the roll with `left` turns to go, this one included."""
        space = Space(left, self.most_values(left) + 2)
        return Turn(space, self.space(left - 1).worth(self.expected[left - 1], space.counts))

    @property
    def start(self) -> float:
        """Expected final score of best play, from the first roll on."""
        counts = np.full((1, ROWS), int(self.starting_values), dtype=np.int64)
        return float(self.space(self.turns).worth(self.expected[self.turns], counts)[0])

    def save(self, path: Path) -> None:
        """Write the table, a few megabytes."""
        path.parent.mkdir(parents=True, exist_ok=True)
        head = np.array([_LAYOUT, self.turns, self.starting_values])
        arrays = {f"left_{left}": values.astype(np.float32) for left, values in enumerate(self.expected)}
        temporary = path.with_name(path.name + ".part.npz")
        try:
            np.savez_compressed(temporary, head=head, **arrays)  # type: ignore[arg-type]
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    @classmethod
    def load(cls, path: Path, options: PipSetsOptions) -> DiceTable | None:
        """Read a table; None where there is none for these options, or none that can be read."""
        try:
            # Opened here, so that it is closed too where its content is no table.
            with path.open("rb") as file, np.load(file) as data:
                if data["head"].tolist() != [_LAYOUT, options.turns, options.starting_values]:
                    return None
                expected = tuple(data[f"left_{left}"].astype(np.float64) for left in range(options.turns + 1))
        except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error):
            return None
        table = cls(options.turns, options.starting_values, expected)
        fits = all(len(values) == len(table.space(left).counts) for left, values in enumerate(expected[:2]))
        return table if fits else None


def rolls() -> Iterable[tuple[int, int, float]]:
    """Give the 21 rolls of two dice as rows from 0, with their chances."""
    for first, second in combinations_with_replacement(range(ROWS), 2):
        yield first, second, (1 if first == second else 2) / ROWS**2
