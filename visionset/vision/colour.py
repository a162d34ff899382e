"""Light and colour: a veil over a picture, whether it shows colours at all, and of which ink each card is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats


@dataclass(frozen=True, slots=True)
class InkOptions:
    """Numbers of the common inks, in the order red, green, purple."""

    usual_deg: tuple[float, float, float] = (150.0, -57.0, 76.0)
    """Where the inks of a common print lie on the hue circle under neutral light."""
    spread_deg: float = 16.0
    """Standard deviation of a card's hue about its ink, within one table."""
    faint: float = 0.5
    """Chroma of the ink at which a hue is twice as uncertain."""
    outlier: float = 0.1
    """Share of hues that say nothing (glare, a shadow's edge, a stain)."""


_ROUNDS = 3
"""Steps of the fit: names did not change with more."""

GRAIN = 0.05
"""Share of paper white: what takes less away is the grain of paper, and no ink is measured to let less through."""

_SYMBOL = np.ones((11, 11), np.uint8)
"""A closing with this leaves paper where a symbol was: no symbol is wider both ways. Light and shadow stay.
In pixels of the patch at half its size, which is enough for a hue."""

_INNER = (slice(7, 41), slice(5, 27))
"""The card without its rim, in the patch at half its size."""


def ink_chroma(patches: NDArray[np.float32]) -> Floats:
    """Chroma of the ink on straightened cards, shape (n, 96, 64, 3), whose paper is at 1; shape (n, 2).

    Red against blue and green against both, of the mean optical density, relative to its gray part; the angle is the hue, the length how
    colourful the ink is. Zero where there is no ink.
    """
    if not len(patches):
        return np.empty((0, 2))
    density = optical_density(patches)
    weight = np.clip(density.mean(axis=1) - GRAIN, 0, None)
    total = np.einsum("nchw,nhw->nc", density, weight).astype(np.float64)
    blue, green, red = total.T
    chroma = np.stack([(red - blue) / np.sqrt(2), (2 * green - blue - red) / np.sqrt(6)], axis=1)
    amount = total.mean(axis=1, keepdims=True)
    return np.asarray(np.divide(chroma, amount, out=np.zeros_like(chroma), where=amount > 0))


def ink_amount(patches: NDArray[np.float32]) -> Floats:
    """How much ink is on straightened cards, shape (n, 96, 64, 3): mean optical density, shape (n,)."""
    if not len(patches):
        return np.empty(0)
    gray = optical_density(patches).mean(axis=1)
    return np.asarray(np.where(gray > GRAIN, gray, 0.0).mean(axis=(1, 2)), np.float64)


def optical_density(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Optical density of the inner card against the paper around each place, at half size; shape (n, 3, height, width).

    All are computed as one tall picture, with gaps between them that are darker than all where what is bright grows, and brighter where it
    shrinks again.
    """
    planes = np.ascontiguousarray(patches.transpose(0, 3, 1, 2))
    rows = cv2.resize(planes.reshape(-1, planes.shape[3]), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    small = rows.reshape(-1, planes.shape[2] // 2, rows.shape[1])
    paper = np.zeros((len(small), small.shape[1] + _SYMBOL.shape[0] // 2, small.shape[2]), np.float32)
    card = slice(small.shape[1])
    paper[:, card] = small
    for change, in_gaps in ((cv2.dilate, np.inf), (cv2.erode, 0)):
        paper = np.reshape(change(paper.reshape(-1, paper.shape[2]), _SYMBOL), paper.shape)
        paper[:, card.stop :] = in_gaps
    inner = (small / np.maximum(paper[:, card], GRAIN))[:, *_INNER]
    return np.asarray(-np.log(np.clip(inner, GRAIN, 1.0)), np.float32).reshape(len(patches), 3, *inner.shape[1:])


def common_inks(color_log: Floats, chroma: Floats, options: InkOptions | None = None) -> Floats:
    """What each card's colour is, given all cards of the table: log probabilities of red, green and purple, shape (n, 3).

    A single thin red outline under a warm lamp may look purple; beside other cards of the same table, which share one light and three
    inks, it does not. Three hues are fitted to the `ink_chroma` of all cards at once, starting from what the reader believes of each alone.
    """
    options = options or InkOptions()
    usual = np.deg2rad(np.array(options.usual_deg))
    usual_xy = np.stack([np.cos(usual), np.sin(usual)], axis=1)
    strength = np.linalg.norm(chroma, axis=1, keepdims=True)
    unit = np.divide(chroma, strength, out=np.zeros_like(chroma), where=strength > 0)
    spread = np.deg2rad(options.spread_deg) * np.hypot(1, options.faint / np.maximum(strength, 1e-6))
    center = usual_xy
    log = color_log
    for _ in range(_ROUNDS):
        off = np.arccos(np.clip(unit @ center.T, -1, 1))
        near = np.exp(-0.5 * (off / spread) ** 2) / spread
        near = (1 - options.outlier) * near + options.outlier / (2 * np.pi)
        log = color_log + np.where(strength > 0, np.log(near), 0.0)
        log = log - np.logaddexp.reduce(log, axis=1, keepdims=True)
        share = np.exp(log) * (strength > 0)
        pull = share.T @ unit + usual_xy  # the usual hue weighs as much as one card
        center = pull / np.linalg.norm(pull, axis=1, keepdims=True)
    return np.asarray(log)


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
    """The same picture where it has no veil, else a copy without, its brightest places as they are.

    Haze, glare on a window and an exposure that lifts the shadows add the same light everywhere, so that solid ink looks like stripes.
    Somewhere on every table something is dark in one colour at least: an ink, a pip, the shadow beside a piece. What no place falls below
    is the veil.
    """
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
    """Tell whether a picture shows more hues than one, above all in the pieces whose inks matter, shape (n, 4, 2).

    A gray picture has the same amount of blue, green and red everywhere. In a toned one (sepia, a blue print) the tint is a function of the
    brightness and of one hue. In a coloured one, however strong its cast, pieces of equal brightness differ in tint, or there are tints on
    both sides of gray.
    """
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
