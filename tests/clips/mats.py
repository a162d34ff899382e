"""What lies under the cards of a filmed table and is as flat as it: mats, cloths, stains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from visionset.render.faces import Face
from visionset.render.layouts import Spot
from visionset.render.pixels import linear


@dataclass(frozen=True, slots=True)
class Mat:
    """A flat thing under the cards: a place mat, a stain, the border of a playing mat."""

    place: Spot
    size_mm: tuple[float, float]
    rgb: tuple[int, int, int]
    share: float = 1.0
    """How much of the table it hides; a stain lets the table through."""
    stripe_mm: float = 0.0
    """Breadth of dark stripes across it; 0 for none."""

    def face(self, px_mm: float) -> Face:
        """Paint it."""
        width, height = (max(2, round(side * px_mm)) for side in self.size_mm)
        picture = np.empty((height, width, 3), np.float32)
        picture[:] = linear(self.rgb)
        if self.stripe_mm:
            picture[:, (np.arange(width) / px_mm // self.stripe_mm) % 2 > 0] *= 0.4
        return Face(picture, np.full((height, width), self.share, np.float32), self.size_mm)
