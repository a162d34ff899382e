"""Does a picture show colours at all? SET cards and SET dice have no name without.

A gray picture has the same amount of blue, green and red everywhere. In a toned one (sepia, a blue print) the tint is a
function of the brightness and of one hue. In a coloured one, however strong its cast, pieces of equal brightness differ in
tint, or there are tints on both sides of gray.
"""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats

_Plane: TypeAlias = NDArray[np.float32]

_Tint: TypeAlias = tuple[_Plane, _Plane]
"""Red less green, and blue less the mean of both: planes of their own, which are looked through faster than one of pairs."""

_SAMPLED_PX = 320
"""Long side of the grid of pixels looked at: the symbols of the smallest card that can be read are two of them wide."""

_SOME = 3
"""Step between the rows and columns that are asked for noise and the range of brightness, which all share."""

_SAME_BRIGHTNESS = 3.0
"""Levels of brightness, times three, that are one: those of a camera's noise."""

_MEAN_PX = 3
"""Side of the square over which tints are averaged: noise and the errors of JPEG change sign within it, prints do not."""

_HUE_SPREAD = 0.5
"""Cosine of the angle of hue, seen from gray, within which one tone stays: where it is overexposed it turns by half of that."""

_RARE = 99.9, 97.0
"""Percentiles of tint in the whole picture, and in the pieces: a single open symbol covers 3 % of a card."""

_LEAST = 0.08
"""Tint, of the range of brightness: inks keep back a third of some colour. JPEG leaves a third of that at edges of toned pictures."""

_LEAST_LEVELS = 1.0
"""Levels of 255 below which a tint is a matter of rounding."""

_NOISE = 4.5
"""Standard deviations of the averaged noise that it hardly ever exceeds on one in a thousand pixels."""


def has_colour(image_bgr: NDArray[np.uint8], pieces_px: Floats) -> bool:
    """Tell whether a picture shows more hues than one, above all in the pieces whose inks matter, shape (n, 4, 2)."""
    step = max(1, round(max(image_bgr.shape[:2]) / _SAMPLED_PX))
    tint, brightness = _sampled(image_bgr, step)
    least = _least(tint, brightness)
    inside = _inside(pieces_px / step, brightness.shape)
    return any(
        _reaches(evidence, _RARE[0], least) or _reaches(evidence[inside], _RARE[1], least)
        for evidence in (look(tint, brightness, least) for look in (_across, _beside))
    )


def has_tint(image_bgr: NDArray[np.uint8]) -> bool:
    """Tell whether a picture of one card is anything but gray: a single ink is one hue, so that more cannot be asked.

    Gray stays gray in a coded picture: no more than noise has to be outdone.
    """
    tint, _ = _sampled(image_bgr, max(1, round(max(image_bgr.shape[:2]) / _SAMPLED_PX)))
    return _reaches(_strength(_averaged(tint)), _RARE[1], max(_of_noise(tint), _LEAST_LEVELS))


def _reaches(evidence: _Plane, percentile: float, least: float) -> bool:
    """Tell whether a percentile is above the least; to count is faster than to sort."""
    return bool(np.count_nonzero(evidence > least) > (1 - percentile / 100) * evidence.size)


def _sampled(image_bgr: NDArray[np.uint8], step: int) -> tuple[_Tint, _Plane]:
    """Tint and three times the brightness of some pixels; not averaged: a mean of two tones is none of them."""
    blue, green, red = (image_bgr[::step, ::step, channel].astype(np.float32) for channel in range(3))
    both = np.asarray(green + red, np.float32)
    return (np.asarray(red - green, np.float32), np.asarray(blue - np.float32(0.5) * both, np.float32)), np.asarray(blue + both, np.float32)


def _least(tint: _Tint, brightness: _Plane) -> float:
    """How strong a tint must be to be colour: beyond noise, and beyond what is left of a tone in a coded picture."""
    dark, bright = np.percentile(brightness[::_SOME, ::_SOME], (1, 99)) / 3
    return max(_LEAST * float(bright - dark), _of_noise(tint), _LEAST_LEVELS)


def _of_noise(tint: _Tint) -> float:
    """How strong a tint noise alone may make, after averaging."""
    rows = np.stack([plane[::_SOME] for plane in tint])
    last = (rows.shape[2] - 1) // _SOME * _SOME + 1
    steps = np.abs(rows[..., 1:last:_SOME] - rows[..., : last - 1 : _SOME])
    noise = 1.4826 * float(np.median(steps)) / np.sqrt(2) if steps.size else 0.0
    return _NOISE * noise / _MEAN_PX


def _across(tint: _Tint, brightness: _Plane, least: float) -> _Plane:
    """Strength of tints that are not of the picture's main hue; of all, where most of the picture is gray: a tone is everywhere."""
    smooth = _averaged(tint)
    strength = _strength(smooth)
    if 2 * np.count_nonzero(strength < least / 2) > strength.size:
        return strength
    main = np.array([cv2.mean(plane)[0] for plane in tint])
    to_red, to_blue = main / max(float(np.hypot(*main)), 1e-9)
    along = to_red * smooth[0] + to_blue * smooth[1]
    return np.asarray(np.where(along < _HUE_SPREAD * strength, strength, 0.0), np.float32)


def _averaged(tint: _Tint) -> _Tint:
    red, blue = (np.asarray(cv2.blur(plane, (_MEAN_PX, _MEAN_PX)), np.float32) for plane in tint)
    return red, blue


def _strength(tint: _Tint) -> _Plane:
    """How far tints are from gray."""
    return np.asarray(cv2.magnitude(*tint), np.float32)


def _beside(tint: _Tint, brightness: _Plane, least: float) -> _Plane:
    """By how much tints differ from what is usual at their brightness."""
    level = (brightness / _SAME_BRIGHTNESS).astype(np.intp).ravel()
    count = np.bincount(level, minlength=256).astype(np.float64)
    nearby = cv2.getGaussianKernel(9, 2).ravel()
    counts = np.maximum(np.convolve(count, nearby, "same"), 1e-9)
    usual = (np.convolve(np.bincount(level, plane.ravel(), 256), nearby, "same") / counts for plane in tint)
    red, blue = (plane - at_level[level].reshape(plane.shape).astype(np.float32) for plane, at_level in zip(tint, usual, strict=True))
    return _strength(_averaged((red, blue)))


def _inside(pieces_px: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(piece).astype(np.int32) for piece in pieces_px], 1)
    return mask.astype(bool)
