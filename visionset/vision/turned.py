"""Tell from which side of the picture a camera looked at dice: their reader knows them from below, as people take pictures.

Squares on a table that is seen at a slant look wider than high. Where they look higher than wide the picture was turned by a
quarter; where those that are higher in the picture look larger, they are nearer, and it stands on its head.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.quads import areas
from visionset.vision.top_faces import shapes

_FEW = 3
"""Fewer dice show no common view."""

_SLANT = 0.06
"""Logarithm of width by height, of the middle one of the dice, that shows a slant: upright rendered tables seldom reach -0.04."""

_MANY, _SURELY = 6, 3.0
"""Of `_MANY` dice the sizes tell where they are nearer, if their growth across the picture is `_SURELY` times its standard error: dice of
one table may be of several sizes."""

_SIZE_ERROR = 0.03
"""Standard error of the logarithm of a die's side, however well the dice agree."""

_TURNS = {1: cv2.ROTATE_90_COUNTERCLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_CLOCKWISE}


def quarters_to_try(dice_px: Floats) -> tuple[int, ...]:
    """By how many quarters, against the clock, the picture should be turned for the reader of dice; empty where it stands well.

    Given top faces, shape (n, 4, 2), most of them rightly found. Two answers where it may be either.
    """
    if len(dice_px) < _FEW:
        return ()
    wider = float(np.median(shapes(dice_px)[:, 0]))
    to_right, downwards = _growth(dice_px)
    if wider < -_SLANT:
        return (1, 3) if abs(to_right) < _SURELY else (1,) if to_right < 0 else (3,)
    return (2,) if wider > _SLANT and downwards < -_SURELY else ()


def _growth(dice_px: Floats) -> tuple[float, float]:
    """How much larger dice are further to the right, and further down, in standard errors."""
    if len(dice_px) < _MANY:
        return 0.0, 0.0
    places = dice_px.mean(axis=1)
    places = (places - places.mean(axis=0)) / max(float(np.ptp(places)), 1e-6)
    size = 0.5 * np.log(np.maximum(areas(dice_px), 1e-6))
    columns = np.concatenate([np.ones((len(places), 1)), places], axis=1)
    inverse = np.linalg.pinv(columns)
    slope = inverse @ size
    off = size - columns @ slope
    error = np.sqrt(off @ off / (len(size) - columns.shape[1]) + _SIZE_ERROR**2) * np.linalg.norm(inverse, axis=1)
    to_right, downwards = slope[1:] / np.maximum(error[1:], 1e-6)
    return float(to_right), float(downwards)


def turned_picture(image_bgr: NDArray[np.uint8], quarters: int) -> NDArray[np.uint8]:
    """The picture turned against the clock."""
    return np.asarray(cv2.rotate(image_bgr, _TURNS[quarters]), dtype=np.uint8)


def turned_back(points: Floats, quarters: int, size_px: tuple[int, int]) -> Floats:
    """Points of the turned picture, shape (..., 2), in the picture that was turned, of this width and height."""
    width, height = size_px
    for side in ((width, height, width)[:quarters])[::-1]:
        points = np.stack([side - 1 - points[..., 1], points[..., 0]], axis=-1)
    return points
