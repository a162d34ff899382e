"""The crossword grid of dice that touch: which die lies in which row and column, from their outlines alone.

Two dice side by side show sides of about the same length and direction, and the step from one centre to the other is about
one side. Such pairs are joined, the surest first; a mapping from cells to the picture is then fitted to a group,
drops what does not lie on it, and takes in what lies on it beyond a gap: a die that was missed must not split the grid.
Every group is tried, since one false die can bend the fit of a group; the grid is what holds the most dice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, apply, is_convex, signed_area
from visionset.vision.quads import areas, half_axes

Cell = tuple[int, int]
"""Row and column."""

_Ints = NDArray[np.intp]

_TURNS = np.array([[[1, 0], [0, 1]], [[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]]], np.intp)
"""Quarter turns, clockwise in the picture: x to y, y to -x."""

_STEPS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], np.intp)
"""From a cell to its four neighbours, as (x, y)."""

_CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
"""Corners of a square about its centre, clockwise in the picture."""

_FAR = 1e6  # cells further away than this are beyond the horizon


OFF = 0.22
"""Largest error of a die in the grid, as a share of its side: of its middle from where its neighbour expects it, of its side vectors from
the neighbour's (13 degrees, or what corners off by 6 % and perspective do together), and, root mean square, of its corners from the fit."""

_LINE = 3
"""Least number of dice side by side in a row or column that make a grid: two hold no SET, and among 42 thrown ones pairs and corners are
chance. Dice on the lattice beyond a gap belong to it up to this many cells away; further away they are chance."""

_OUTSIDE = 6
"""Most dice outside the grid for each die that has a neighbour in it: among more, three in a line are chance too."""


def lattice(outlines_px: Floats) -> tuple[Cell | None, ...]:
    """Find the grid that dice form by their top faces, shape (n, 4, 2), corners in order from any of them; some may be false.

    The largest group of neighbours has cells, and so have dice and groups near it that lie on the same lattice. Scattered dice have none,
    and neither have two that lie side by side: None for each outline outside the grid.

    Rows count from the top of the picture and columns from the left: of the four ways to turn the numbering, the one whose columns run
    most nearly to the right. It is never mirrored. The smallest row and the smallest column are 0.
    """
    quads = np.array(outlines_px, np.float64).reshape(-1, 4, 2)
    cells: list[Cell | None] = [None] * len(quads)
    sound = [at for at, quad in enumerate(quads) if np.isfinite(quad).all() and _clockwise(quad)]
    grids = _Grid.groups(quads[sound])
    for group in grids:
        group.settle()
    grid = max(grids, key=lambda group: len(group.cell_of), default=None)
    if grid is None or not grid.is_one():
        return tuple(cells)
    turn = _upright(grid)
    turned = {at: turn @ cell for at, cell in grid.cell_of.items()}
    first = np.min(list(turned.values()), axis=0)
    for at, cell in turned.items():
        column, row = (int(number) for number in cell - first)
        cells[sound[at]] = (row, column)
    return tuple(cells)


def _clockwise(quad: Floats) -> bool:
    """Turn a quad clockwise where it lies in the array; False for one that encloses nothing."""
    if signed_area(quad) < 0:
        quad[:] = quad[[0, 3, 2, 1]]
    return is_convex(quad)


def _side_vectors(quads: Floats) -> Floats:
    """Matrices, shape (n, 2, 2), from a face's own (x, y) to the picture: columns are its first and second side."""
    down, across = half_axes(quads)
    return 2 * np.stack([across, down], axis=2)


def _neighbours(quads: Floats) -> Iterator[tuple[int, int, _Ints, _Ints]]:
    """Give pairs that lie side by side, the surest first: two dice, turn and step.

    The turn, shape (2, 2), takes the second die's own axes to the first one's by quarters; the step, shape (2,), leads from the first die
    to the second in the first one's axes.
    """
    sides = _side_vectors(quads)
    turned = np.einsum("nij,kjl->knil", sides, _TURNS)
    size = np.sqrt(areas(quads))
    unlike = np.linalg.norm(sides[None, :, None] - turned[:, None], axis=(3, 4))
    quarter = unlike.argmin(axis=0)
    unlike = unlike.min(axis=0) / (np.sqrt(2) * np.sqrt(size[:, None] * size[None]))
    first, second = np.nonzero(np.triu(unlike < OFF, 1))
    mean = (sides[first] + turned[quarter[first, second], second]) / 2
    center = quads.mean(axis=1)
    step = np.linalg.solve(mean, (center[second] - center[first])[..., None])[..., 0]
    off = np.linalg.norm(step[:, None] - _STEPS, axis=2)
    towards = off.argmin(axis=1)
    off = off.min(axis=1)
    for at in np.argsort(off + unlike[first, second], kind="stable"):
        if off[at] < OFF:
            i, j = int(first[at]), int(second[at])
            yield i, j, _TURNS[quarter[i, j]].T, _STEPS[towards[at]]


@dataclass(slots=True)
class _Grid:
    """Dice with cells, as (x, y) in the axes of one of them, and the mapping fitted to them."""

    quads: Floats
    cell_of: dict[int, _Ints]
    turn_of: dict[int, _Ints]
    image_from_cell: Floats = field(init=False)

    @classmethod
    def groups(cls, quads: Floats) -> list[_Grid]:
        """Join neighbours into groups that are large enough for a line, the largest first."""
        owner = [cls(quads, {at: np.zeros(2, np.intp)}, {at: _TURNS[0]}) for at in range(len(quads))]
        for first, second, turn, step in _neighbours(quads):
            one, other = owner[first], owner[second]
            if one is other:
                continue
            turned = one.turn_of[first] @ turn @ other.turn_of[second].T
            shift = one.cell_of[first] + one.turn_of[first] @ step - turned @ other.cell_of[second]
            moved = {at: turned @ cell + shift for at, cell in other.cell_of.items()}
            taken = {tuple(cell) for cell in one.cell_of.values()}
            if any(tuple(cell) in taken for cell in moved.values()):
                continue  # dice do not lie in one another: a surer pair has said otherwise
            one.cell_of |= moved
            one.turn_of |= {at: turned @ own for at, own in other.turn_of.items()}
            for at in moved:
                owner[at] = one
        every = {id(group): group for group in owner if len(group.cell_of) >= _LINE}.values()
        return sorted(every, key=lambda group: -len(group.cell_of))

    def settle(self) -> None:
        """Fit the mapping, drop what is off it and take in what lies on it, until nothing changes."""
        for _ in self.quads:
            self._fit_and_drop()
            if len(self.cell_of) < _LINE or not self._take_in():
                return
        self._fit_and_drop()

    def is_one(self) -> bool:
        """Tell whether this is a grid rather than chance."""
        there = {(int(x), int(y)) for x, y in self.cell_of.values()}
        across = any(all((x + along, y) in there for along in range(_LINE)) for x, y in there)
        down = any(all((x, y + along) in there for along in range(_LINE)) for x, y in there)
        touching = sum(any((x + dx, y + dy) in there for dx, dy in _STEPS.tolist()) for x, y in there)
        return (across or down) and len(self.quads) - touching <= _OUTSIDE * touching

    def _fit_and_drop(self) -> None:
        """Fit; drop the die that is furthest off and fit again, while there is one."""
        while len(self.cell_of) >= _LINE:
            self._fit()
            cell, off, _ = self._placed()
            inside = list(self.cell_of)
            wrong = {at: np.inf if (cell[at] != self.cell_of[at]).any() else off[at] for at in inside}
            worst = max(inside, key=lambda at: wrong[at])
            if wrong[worst] <= OFF:
                return
            del self.cell_of[worst], self.turn_of[worst]

    def _fit(self) -> None:
        """Least squares for the mapping, errors relative to the size of each die; the perspective part is held near none."""
        inside = list(self.cell_of)
        points = np.concatenate([self.cell_of[at] + _CORNERS @ self.turn_of[at].T for at in inside])
        quads = self.quads[inside]
        size = np.sqrt(areas(quads))
        middle, center, scale = points.mean(axis=0), quads.reshape(-1, 2).mean(axis=0), float(size.mean())
        points = points - middle
        seen = (quads.reshape(-1, 2) - center) / scale
        weight = np.repeat(scale / size, len(_CORNERS))
        rows = np.zeros((2 * len(points) + 2, 8))
        rows[0:-2:2, 0:2] = rows[1:-2:2, 3:5] = points
        rows[0:-2:2, 2] = rows[1:-2:2, 5] = 1
        rows[0:-2:2, 6:] = -points * seen[:, :1]
        rows[1:-2:2, 6:] = -points * seen[:, 1:]
        rows[:-2] *= np.repeat(weight, 2)[:, None]
        rows[-2, 6] = rows[-1, 7] = 1
        wanted = np.append((seen * weight[:, None]).ravel(), [0.0, 0.0])
        fitted = np.append(np.linalg.lstsq(rows, wanted)[0], 1.0).reshape(3, 3)
        to_image = np.array([[scale, 0, center[0]], [0, scale, center[1]], [0, 0, 1]])
        to_middle = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
        self.image_from_cell = to_image @ fitted @ to_middle

    def _placed(self) -> tuple[_Ints, Floats, _Ints]:
        """For every die the nearest cell, how far its corners are off it, and how it is turned there."""
        with np.errstate(divide="ignore", invalid="ignore"):
            cell_from_image: Floats = np.linalg.inv(self.image_from_cell).astype(np.float64)
            corners = apply(cell_from_image, self.quads.reshape(-1, 2)).reshape(self.quads.shape)
        corners = np.nan_to_num(corners, nan=np.inf).clip(-_FAR, _FAR)
        cell = np.rint(corners.mean(axis=1)).astype(np.intp)
        wanted = np.stack([_CORNERS @ turn.T for turn in _TURNS])
        off = np.sqrt(((corners - cell[:, None] - wanted[:, None]) ** 2).sum(axis=3).mean(axis=2))
        return cell, off.min(axis=0), off.argmin(axis=0)

    def _take_in(self) -> bool:
        """Give cells to dice that lie on the lattice within reach, the most exact first; tell whether there was one."""
        cell, off, turn = self._placed()
        grown = False
        for at in np.argsort(off, kind="stable").tolist():
            if at in self.cell_of:
                continue
            away = min(int(np.abs(cell[at] - other).max()) for other in self.cell_of.values())
            if 0 < away <= _LINE and off[at] <= OFF:
                self.cell_of[at], self.turn_of[at] = cell[at], _TURNS[turn[at]]
                grown = True
        return grown


def _upright(grid: _Grid) -> _Ints:
    """The quarter turn of the cells after which columns run most nearly to the right of the picture and rows downwards."""
    middle: Floats = np.array(list(grid.cell_of.values()), np.float64).mean(axis=0)
    axes = _side_vectors(apply(grid.image_from_cell, middle + _CORNERS)[None])[0]
    axes /= np.linalg.norm(axes, axis=0)
    return max(_TURNS, key=lambda turn: float(np.trace(axes @ turn.T)))
