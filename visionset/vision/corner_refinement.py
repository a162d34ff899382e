"""Cut again what was cut badly: a reader says where the corners really are, and reads better when they lie there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, are_convex
from visionset.vision.rows import QuadReadings

_LOOKS = 3
"""The finder's quad and two better ones."""

ReadingsT = TypeVar("ReadingsT", bound=QuadReadings)


def refined(
    read: Callable[[Floats], ReadingsT], quads: Floats, hopeful: Callable[[ReadingsT], NDArray[np.bool_]], settled_px: float
) -> ReadingsT:
    """Read quads, shape (n, 4, 2), until their corners stay, at most `_LOOKS` times.

    A quad whose corners move by no more than `settled_px` (patch pixels) lies well; others are read again where the reading is hopeful.
    """
    readings = read(quads)
    if not len(quads):
        return readings
    for _ in range(_LOOKS - 1):
        again = np.flatnonzero(hopeful(readings) & (readings.shift > settled_px) & are_convex(readings.quad_px))
        if not len(again):
            break
        readings = readings.replaced(again, read(readings.quad_px[again]))
    return readings
