"""Cut again what was cut badly: a reader says where the corners really are, and reads better when they lie there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, are_convex


class QuadReadings(Protocol):
    """Readings of n quads with corrected corners; see `visionset.vision.dice.DieReadings`."""

    @property
    def quad_px(self) -> Floats:
        """Corrected corners, shape (n, 4, 2)."""

    @property
    def shift(self) -> Floats:
        """Largest correction of a corner, in patch pixels, shape (n,)."""

    def replaced(self, which: NDArray[np.intp], by: Self) -> Self:
        """These readings with some exchanged."""


ReadingsT = TypeVar("ReadingsT", bound=QuadReadings)


def refined(
    read: Callable[[Floats], ReadingsT], quads: Floats, hopeful: Callable[[ReadingsT], NDArray[np.bool_]], settled_px: float, looks: int
) -> ReadingsT:
    """Read quads, shape (n, 4, 2), until their corners stay, at most `looks` times.

    A quad whose corners move by no more than `settled_px` (patch pixels) lies well; others are read again where the reading is hopeful.
    """
    readings = read(quads)
    for _ in range(looks - 1):
        again = np.flatnonzero(hopeful(readings) & (readings.shift > settled_px) & are_convex(readings.quad_px))
        if not len(again):
            break
        readings = readings.replaced(again, read(readings.quad_px[again]))
    return readings
