"""A card's outline as plain numbers: where its symbols are, lines beside its edge, places for tags.

Four corners are too few for numpy to pay: in plain floats twelve cards take half a millisecond, in arrays five.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot
from typing import TypeAlias

import numpy as np

from visionset.geometry import Floats
from visionset.kinds import DICE
from visionset.overlay.drawing import Box
from visionset.pieces import Kind, SetCard
from visionset.table import Sighting

_Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SymbolZone:
    """Which part of a piece its symbols take, as shares of its sides; measured on cards of 87 x 56 mm, with 2 mm to spare."""

    across: float = 0.72
    """Share of the short side: symbols are 36 mm high."""
    along: tuple[float, float, float] = (0.27, 0.54, 0.82)
    """Share of the long side for 1, 2 and 3 symbols, 18 mm wide with 6 mm between."""
    die: float = 0.8
    """Share of a die's side: pips and symbols keep a tenth of it from each edge."""
    playing_card: float = 0.94
    """Share of both sides: the indices stand in the corners, 2 mm from the edge."""


_ZONE = SymbolZone()


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an outline: its ends, its middle, and the unit vector that points away from the card."""

    start: _Point
    end: _Point
    middle: _Point
    normal: _Point
    length: float


@dataclass(frozen=True, slots=True)
class Outline:
    """The outline of one card."""

    sides: tuple[Side, ...]
    """Clockwise."""
    center: _Point
    """Mean of the corners."""
    short_px: float
    is_wide: bool
    """`short_px` and `is_wide`: length of the shorter pair of sides, and whether the first side is of the longer pair."""

    @classmethod
    def of(cls, sighting: Sighting) -> Outline:
        """Take the outline of a sighting apart."""
        corners = [(float(x), float(y)) for x, y in sighting.outline_px]
        sides = []
        for (x, y), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
            length = max(hypot(x2 - x, y2 - y), 1e-9)
            sides.append(Side((x, y), (x2, y2), ((x + x2) / 2, (y + y2) / 2), ((y2 - y) / length, (x - x2) / length), length))
        first, second = sides[0].length + sides[2].length, sides[1].length + sides[3].length
        center = sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4
        return cls(tuple(sides), center, min(first, second) / 2, first >= second)

    def inset(self, by_px: float) -> Floats:
        """Corners of the outline with every side moved inwards, but never past its middle; shape (4, 2)."""
        by_px = min(by_px, 0.4 * self.short_px)
        moved = []
        for before, after in zip(self.sides[-1:] + self.sides[:-1], self.sides, strict=True):
            (ax, ay), (bx, by) = before.normal, after.normal
            turn = by_px / max(1 + ax * bx + ay * by, 0.2)  # the sum is 0 where an outline turns back on itself
            moved.append((after.start[0] - turn * (ax + bx), after.start[1] - turn * (ay + by)))
        return np.array(moved)

    def symbols(self, sighting: Sighting) -> Floats:
        """The part of the piece that nothing may hide, shape (4, 2); of an unread card, where three symbols would be.

        Sides are divided evenly, as without perspective: over one card the error is below the 2 mm that the zone has to spare.
        """
        if sighting.kind in DICE:
            right = down = _ZONE.die
        elif sighting.kind is Kind.PLAYING_CARD:
            right = down = _ZONE.playing_card
        else:
            along = _ZONE.along[sighting.piece.number - 1] if isinstance(sighting.piece, SetCard) else _ZONE.along[2]
            right, down = (along, _ZONE.across) if self.is_wide else (_ZONE.across, along)
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (side.start for side in self.sides)
        corners = []
        for u, v in ((-right, -down), (right, -down), (right, down), (-right, down)):
            a, b, c, d = (1 - u) * (1 - v) / 4, (1 + u) * (1 - v) / 4, (1 + u) * (1 + v) / 4, (1 - u) * (1 + v) / 4
            corners.append((a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy))
        return np.array(corners)

    def corner_places(self, across: float) -> Iterator[Box]:
        """Places for a disc: just inside the corners from the top left, on them, just outside, then along the sides."""
        sides = sorted(self.sides, key=lambda side: side.start[0] + side.start[1])
        x0, y0 = self.center
        for shift in (0.35, 0.0, -0.4):
            for side in sides:
                x, y = side.start
                scale = shift * across / max(hypot(x0 - x, y0 - y), 1e-9)
                yield Box.around((x + scale * (x0 - x), y + scale * (y0 - y)), across, across)
        for share in (0.5, 0.3, 0.7):
            for side in sides:
                (x, y), (x2, y2) = side.start, side.end
                yield Box.around((x + share * (x2 - x), y + share * (y2 - y)), across, across)

    def sides_from_below(self) -> list[Side]:
        """The sides, the lowest in the picture first: a label is looked for below its card."""
        return sorted(self.sides, key=lambda side: -side.middle[1])


def places_beside(side: Side, width: float, height: float, shifts: tuple[float, ...]) -> Iterator[Box]:
    """Places for a plate along one side.

    The shifts say how far out, in half extents of the plate: 1 touches the side from outside, 0 lies across it, -1 touches it from inside.
    """
    (x, y), (nx, ny) = side.middle, side.normal
    reach = (abs(nx) * width + abs(ny) * height) / 2
    along_x, along_y = side.end[0] - side.start[0], side.end[1] - side.start[1]
    for shift in shifts:
        for share in (0.0, -0.1, 0.1, -0.2, 0.2):
            yield Box.around((x + shift * reach * nx + share * along_x, y + shift * reach * ny + share * along_y), width, height)
