"""Windows of a picture: left, top, right, bottom, in pixels."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from visionset.render.bodies import Seen

Window = tuple[int, int, int, int]


def window_of(points_px: NDArray[np.float64], margin_px: int, size_px: tuple[int, int]) -> Window:
    """The window of some points, as far as it lies in the picture."""
    left, top = np.clip(np.floor(points_px.min(axis=0)).astype(int) - margin_px, 0, size_px)
    right, bottom = np.clip(np.ceil(points_px.max(axis=0)).astype(int) + margin_px, 0, size_px)
    return int(left), int(top), int(right), int(bottom)


def place_of(seen: Seen) -> Window:
    """Where a body is seen."""
    height, width = seen.cover.shape
    return seen.left, seen.top, seen.left + width, seen.top + height


def touched(field: NDArray[np.uint8]) -> Window | None:
    """The window of what is not 0."""
    rows, columns = (np.flatnonzero(field.any(axis=axis)) for axis in (1, 0))
    return (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1) if len(rows) else None


def cut(window: Window) -> tuple[slice, slice]:
    """The window as rows and columns of an array."""
    left, top, right, bottom = window
    return slice(top, bottom), slice(left, right)


def grown(window: Window, margin_px: int, size_px: tuple[int, int]) -> Window:
    """A window with more around it, as far as that lies in the picture."""
    left, top, right, bottom = window
    width, height = size_px
    return max(0, left - margin_px), max(0, top - margin_px), min(width, right + margin_px), min(height, bottom + margin_px)


def meet(one: Window, other: Window) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def around(one: Window, other: Window) -> Window:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def around_all(windows: Iterable[Window]) -> Window:
    """The smallest window around several."""
    return reduce(around, windows)
