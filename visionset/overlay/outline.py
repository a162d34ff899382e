"""Where on a card its symbols are, and lines that run beside its edge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from visionset.geometry import Floats, Quad, apply, homography
from visionset.pieces import SetCard
from visionset.table import Sighting

_UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, slots=True)
class SymbolZone:
    """Which part of a card its symbols take, as shares of its sides; measured on cards of 87 x 56 mm, with 2 mm to spare.

    Attributes
    ----------
    across : float
        Share of the short side: symbols are 36 mm high.
    along : tuple of float
        Share of the long side for 1, 2 and 3 symbols, 18 mm wide with 6 mm between.
    """

    across: float = 0.72
    along: tuple[float, float, float] = (0.27, 0.54, 0.82)


def symbol_zone(sighting: Sighting, zone: SymbolZone = SymbolZone()) -> Quad:
    """The part of a card that nothing may hide; of an unread card, where three symbols would be."""
    quad = sighting.outline_px
    along = zone.along[sighting.piece.number - 1] if isinstance(sighting.piece, SetCard) else zone.along[2]
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    wide = sides[0] + sides[2] >= sides[1] + sides[3]
    share = np.array([along, zone.across] if wide else [zone.across, along])
    inner = 0.5 + (_UNIT - 0.5) * share
    try:
        return apply(homography(quad, _UNIT), inner)
    except np.linalg.LinAlgError:  # three corners on a line: no card that anybody could look at
        return quad


def short_side_px(quad: Quad) -> float:
    """Length of the shorter pair of sides, averaged."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def outward_normals(quad: Quad) -> Floats:
    """Unit normals of the four sides (side i runs from corner i to the next), pointing out of a clockwise quad."""
    side = np.roll(quad, -1, axis=0) - quad
    length = np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
    return np.stack([side[:, 1], -side[:, 0]], axis=1) / length


def inset(quad: Quad, by_px: float) -> Floats:
    """The quad with every side moved inwards by so many pixels, but never past its middle."""
    by_px = min(by_px, 0.4 * short_side_px(quad))
    after = outward_normals(quad)
    before = np.roll(after, 1, axis=0)
    corner = 1 + np.sum(before * after, axis=1, keepdims=True)  # 0 where the outline turns back on itself
    return np.asarray(quad - by_px * (before + after) / np.maximum(corner, 0.2))
