"""Where things lie: strewn, in rows, fans, columns, chains and crosswords; table millimetres, later ones on earlier ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, TypeAlias

import numpy as np

from visionset.geometry import Floats, apply

Cell: TypeAlias = tuple[int, int]  # row and column of a crossword, both from 0
Point: TypeAlias = tuple[float, float]

_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True, slots=True)
class Spot:
    """Centre in millimetres and turn in radians of something on the table."""

    x_mm: float
    y_mm: float
    turn_rad: float

    def table_from_card(self) -> Floats:
        """Rigid mapping as a 3 x 3 homography."""
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        return np.array([[cos, -sin, self.x_mm], [sin, cos, self.y_mm], [0.0, 0.0, 1.0]])

    @property
    def xy(self) -> tuple[float, float]:
        """The centre alone."""
        return self.x_mm, self.y_mm

    def beside(self, x_mm: float, y_mm: float, turn_rad: float) -> Spot:
        """A place that is given in the directions of this one."""
        x, y = apply(self.table_from_card(), np.array([[x_mm, y_mm]]))[0]
        return Spot(float(x), float(y), float(self.turn_rad + turn_rad))


# width of the strewn ground by its depth; least gap between two things; attempts a piece until the ground grows, and by what factor
_ASPECT, _GAP_MM, _TRIES, _GROW = 1.6, 0.5, 60, 1.08


def corners_mm(place: Spot, size_mm: Point, margin_mm: float = 0.0) -> Floats:
    """Corners of something on the table, from its own top left, clockwise, shape (4, 2)."""
    return apply(place.table_from_card(), _CORNERS * (np.array(size_mm) + margin_mm))


def meet(a: Floats, b: Floats) -> bool:
    """Whether two rectangles overlap: no side of either parts them."""
    axes = [side for quad in (a, b) for side in (quad[1] - quad[0], quad[2] - quad[1])]
    return not any((a @ axis).max() <= (b @ axis).min() or (b @ axis).max() <= (a @ axis).min() for axis in axes)


def strewn(
    rng: np.random.Generator, sizes_mm: Sequence[Point], room: float = 1.7, beside: float = 0.3, near: Point = (1.03, 1.7)
) -> list[Spot]:
    """Any turn, no two in one place, on `room` areas of all; a share `beside` of squares lies `near` sides from another one."""
    area = room * sum(np.pi / 4 * (w * w + h * h) for w, h in sizes_mm)
    reach = np.array([np.sqrt(area * _ASPECT), np.sqrt(area / _ASPECT)]) / 2
    taken: list[Floats] = []
    spots: dict[int, Spot] = {}
    for at in np.argsort([-w * h for w, h in sizes_mm], kind="stable"):  # large things first, while there is room
        size = sizes_mm[at]
        for tries in count(1):
            x, y = rng.uniform(-reach, reach)
            if spots and size[0] == size[1] and rng.random() < beside:
                friend, way = list(spots.values())[int(rng.integers(len(spots)))], rng.uniform(0, 2 * np.pi)
                apart = size[0] * rng.uniform(*near)
                x, y = friend.x_mm + apart * np.cos(way), friend.y_mm + apart * np.sin(way)
            place = Spot(float(x), float(y), float(rng.uniform(0, 2 * np.pi)))
            quad = corners_mm(place, size, _GAP_MM)
            if not any(meet(quad, other) for other in taken):
                break
            reach = reach * (1.0 if tries % _TRIES else _GROW)
        taken.append(quad)
        spots[int(at)] = place
    return [spots[at] for at in range(len(sizes_mm))]


def crossword_cells(rng: np.random.Generator, count: int) -> list[Cell]:
    """A connected crossword with holes: words of two to four squares, each from a square that is there; smallest row and column 0."""
    cells: list[Cell] = [(0, 0)]
    while len(cells) < count:
        row, column = cells[int(rng.integers(len(cells)))]
        down, right = ((0, 1), (1, 0), (0, -1), (-1, 0))[int(rng.integers(4))]
        for at in range(1, int(rng.integers(2, 5))):
            cell = (row + at * down, column + at * right)
            neighbours = sum((cell[0] + a, cell[1] + b) in cells for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)))
            if cell not in cells and len(cells) < count and (neighbours < 3 or rng.random() < 0.3):
                cells.append(cell)
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return [(row - top, column - left) for row, column in cells]


def on_lattice(
    rng: np.random.Generator, cells: Sequence[Cell], pitch_mm: Point, loose_mm: Any, wobble_rad: float, turns: int = 1, most: float = 9.0
) -> list[Spot]:
    """Places of cells about the middle of all, each off by about `loose_mm` (`most` times that at most) and by any of `turns` turns."""
    middle, loose = (np.max(cells, axis=0) + np.min(cells, axis=0)) / 2, np.broadcast_to(loose_mm, (len(cells), 2))
    places = []
    for (row, column), off in zip(cells, loose, strict=True):
        x, y = [column - middle[1], row - middle[0]] * np.array(pitch_mm) + np.clip(rng.normal(0, off), -most * off, most * off)
        places.append(Spot(float(x), float(y), float(rng.normal(0, wobble_rad) + 2 * np.pi / turns * rng.integers(turns))))
    return places


def rows(rng: np.random.Generator, sizes_mm: Sequence[Point]) -> list[Spot]:
    """Put down by hand, six in a row at most, each a little off."""
    gap, longest = float(rng.uniform(1.08, 1.5)), int(rng.integers(4, 7))
    wide, tall = np.max(sizes_mm, axis=0) * gap
    return on_lattice(rng, [divmod(at, longest) for at in range(len(sizes_mm))], (wide, tall), 0.03 * np.array(sizes_mm), 0.05, 2)


def fan(rng: np.random.Generator, size_mm: Point, show_mm: float, count: int) -> list[Spot]:
    """Cards about a point below them, each showing `show_mm` of the one below at its left edge."""
    radius = size_mm[1] * float(rng.uniform(1.2, 2.0))
    step = show_mm / radius * float(rng.uniform(1.05, 1.5))
    turn = [(at - (count - 1) / 2) * step + float(rng.normal(0, 0.012)) for at in range(count)]
    return [Spot(float(radius * np.sin(a)), float(radius * (1 - np.cos(a)) + rng.normal(0, 1)), float(a)) for a in turn]


def columns(rng: np.random.Generator, size_mm: Point, show_mm: float, count: int) -> list[Spot]:
    """Columns of three to six cards, each showing `show_mm` of the one below at its upper edge."""
    length = int(rng.integers(3, 7))
    step, wide = show_mm * float(rng.uniform(1.1, 1.6)), size_mm[0] * float(rng.uniform(1.08, 1.3))
    return on_lattice(rng, [divmod(at, length)[::-1] for at in range(count)], (wide, step), np.array([1.2, 0.8]), 0.015)


def grid(
    rng: np.random.Generator, rows: int, columns: int, pitch_mm: Point, turn_deg: float, shift_mm: float, wobble_deg: float
) -> list[Spot]:
    """Rows and columns about the table's origin, each card off by about `shift_mm` and `wobble_deg`, some upside down."""
    places = on_lattice(rng, list(np.ndindex(rows, columns)), pitch_mm, shift_mm, np.radians(wobble_deg), 2, 2.0)
    return [replace(place, turn_rad=place.turn_rad + np.radians(turn_deg)) for place in places]


def chain(rng: np.random.Generator, first: Spot, card_mm: Point, length: int) -> list[Spot]:
    """Up to `length` cards from `first` on, of which each covers up to a third of the one before."""
    places = [first]
    for _ in range(int(rng.integers(1, length))):
        axis = int(rng.integers(2))
        step = rng.uniform(0.7, 0.92) * card_mm[axis] * (1 if rng.random() < 0.5 else -1)
        aside = rng.uniform(-0.15, 0.15) * card_mm[1 - axis]
        x, y = (step, aside) if axis == 0 else (aside, step)
        places.append(places[-1].beside(float(x), float(y), float(rng.normal(0, 0.07))))
    return places
