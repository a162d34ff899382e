"""Take a veil off a picture: haze, glare on a window, an exposure that lifts the shadows.

A veil adds the same light everywhere, so that solid ink looks like stripes. Somewhere on every table something is dark in one
colour at least: an ink, a pip, the shadow beside a piece. What no place falls below is the veil.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_STEP = 3
"""Step between the rows and columns that are asked."""

_DARK, _BRIGHT = 0.1, 99.0
"""Percentiles of the darkest and of the brightest colour of each place: one symbol of a small card covers so much of a picture."""

_WASHED_OUT = 0.22
"""Share of the brightest below which the darkest is no veil: all but one in a hundred rendered tables are darker."""

_NOTHING_DARK = 0.6
"""Share of the brightest beyond which there is simply nothing dark."""

_LEFT = 0.06
"""What is left of the veil, of the brightest: black ink is not quite black."""


def without_veil(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same picture where it has no veil, else a copy without, its brightest places as they are."""
    size = tuple(-(-side // _STEP) for side in image_bgr.shape[1::-1])
    blue, green, red = cv2.split(cv2.resize(image_bgr, size, interpolation=cv2.INTER_NEAREST))  # slices take four times as long
    dark = _percentile(cv2.min(cv2.min(blue, green), red), _DARK)
    bright = _percentile(cv2.max(cv2.max(blue, green), red), _BRIGHT)
    if not _WASHED_OUT * bright < dark < _NOTHING_DARK * bright:
        return image_bgr
    veil = dark - _LEFT * bright
    levels = np.clip((np.arange(256) - veil) * bright / (bright - veil), 0, 255)
    return np.asarray(cv2.LUT(image_bgr, np.round(levels).astype(np.uint8)), dtype=np.uint8)


def _percentile(values: cv2.typing.MatLike, percent: float) -> float:
    """The same as `numpy.percentile` gives, without what lies between two values: counted, since sorting took longer than a glance."""
    counts = cv2.calcHist([values], [0], None, [256], [0, 256])
    return float(np.searchsorted(np.cumsum(counts), percent / 100 * values.size))
