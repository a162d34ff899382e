"""Light and colour of a whole picture: a veil over it, whether it shows colours at all, and how much of them is lost.

A cheap camera in poor light, a washed-out screen and a faded film mix each colour with the gray that is as bright, so that red looks
purple. Among several pieces one ink at least is colourful; what it lacks, all colours of the picture lack.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, outlines_of
from visionset.kinds import BY_INK
from visionset.pieces import Kind
from visionset.table import Sighting
from visionset.vision.judging import SURE
from visionset.vision.patches import DARKEST_WHITE, WIDEST, sampled

_STEP = 3
"""Every third row and column is enough to measure veil, range of brightness and noise."""

_DARK, _BRIGHT = 0.1, 99.0
"""Percentiles that are taken as darkest and as brightest: of the least of each pixel's three colours, and of the greatest. One symbol of a
small card covers 0.1 % of a picture."""

_WASHED_OUT = 0.22
"""Darkest over brightest up to which there is no veil: all but one in a hundred rendered tables are below."""

_NOTHING_DARK = 0.6
"""Darkest over brightest from which there is simply nothing dark, and no veil can be told."""

_LEFT = 0.06
"""Darkest over brightest once the veil is taken off: black ink is not quite black."""


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
    """`numpy.percentile` of whole numbers from 0 to 255, not interpolated: counted, which is much faster than sorted."""
    counts = cv2.calcHist([values], [0], None, [256], [0, 256])
    return float(np.searchsorted(np.cumsum(counts), percent / 100 * values.size))


_Plane: TypeAlias = NDArray[np.float32]

_Tint: TypeAlias = tuple[_Plane, _Plane]
"""Chroma of pixels, (0, 0) for gray: red less green, and blue less the mean of red and green. Two planes are faster than one of pairs."""

_SAMPLED_PX = 320
"""Long side of the grid of pixels looked at: the symbols of the smallest card that can be read are two of them wide."""

_MEAN_PX = 3
"""Side of the square over which tints are averaged: noise and the errors of JPEG change sign within it, prints do not."""

_RARE = 99.9, 97.0
"""Percentile of strength that must reach `_least`, of the whole picture or of the pieces: a single open symbol covers 3 % of a card."""

_LEAST = 0.08
"""Least strength of a tint, of the picture's range of brightness: inks keep back a third of some colour; JPEG leaves a third of this limit
at edges of toned pictures. A piece that keeps back no more of the light bears no ink; inks no more colourful tell no colour."""

_LEAST_LEVELS = 1.0
"""Least strength of a tint, of 255 levels: weaker ones come from rounding."""

_NOISE = 4.5
"""Standard deviations of the averaged noise that fewer than one in a thousand pixels exceed."""


def has_colour(image_bgr: NDArray[np.uint8], pieces_px: Floats) -> bool:
    """Whether a picture shows more than one hue, in it or in the pieces whose inks matter, shape (n, 4, 2).

    A gray picture has the same amount of blue, green and red everywhere. In a toned one (sepia, a blue print) the tint is a function of the
    brightness and of one hue. In a coloured one, however strong its cast, pixels of equal brightness differ in tint (`_beside`), or there
    are tints on both sides of gray (`_across`).
    """
    step = max(1, round(max(image_bgr.shape[:2]) / _SAMPLED_PX))
    tint, brightness = _sampled(image_bgr, step)
    least = _least(tint, brightness)
    mask = cv2.fillPoly(np.zeros(brightness.shape, np.uint8), [np.round(piece).astype(np.int32) for piece in pieces_px / step], 1)

    def shows(strength: _Plane) -> bool:
        return _reaches(strength, _RARE[0], least) or _reaches(strength[mask > 0], _RARE[1], least)

    return shows(_across(tint, least)) or shows(_beside(tint, brightness))


def has_tint(image_bgr: NDArray[np.uint8]) -> bool:
    """Tell whether a picture of one card is anything but gray: a single ink is one hue, so that more cannot be asked.

    Gray stays gray in a coded picture: no more than noise has to be outdone.
    """
    tint, _ = _sampled(image_bgr, max(1, round(max(image_bgr.shape[:2]) / _SAMPLED_PX)))
    return _reaches(_strength(_averaged(tint)), _RARE[1], max(_of_noise(tint), _LEAST_LEVELS))


def _reaches(evidence: _Plane, percentile: float, least: float) -> bool:
    """Whether this percentile of `evidence` is above `least`; to count is faster than to sort."""
    return bool(np.count_nonzero(evidence > least) > (1 - percentile / 100) * evidence.size)


def _sampled(image_bgr: NDArray[np.uint8], step: int) -> tuple[_Tint, _Plane]:
    """Tint of every `step`-th pixel, and three times its brightness; not averaged: a mean of two tones is none of them."""
    blue, green, red = (image_bgr[::step, ::step, channel].astype(np.float32) for channel in range(3))
    both = np.asarray(green + red, np.float32)
    return (np.asarray(red - green, np.float32), np.asarray(blue - np.float32(0.5) * both, np.float32)), np.asarray(blue + both, np.float32)


def _least(tint: _Tint, brightness: _Plane) -> float:
    """Strength from which a tint is colour, in levels: beyond noise, and beyond what JPEG makes of a tone."""
    dark, bright = np.percentile(brightness[::_STEP, ::_STEP], (1, 99)) / 3
    return max(_LEAST * float(bright - dark), _of_noise(tint), _LEAST_LEVELS)


def _of_noise(tint: _Tint) -> float:
    """Strength that a tint may have by noise alone, in levels, after averaging; noise is told by the differences of neighbours."""
    rows = np.stack([plane[::_STEP] for plane in tint])
    last = (rows.shape[2] - 1) // _STEP * _STEP + 1
    steps = np.abs(rows[..., 1:last:_STEP] - rows[..., : last - 1 : _STEP])
    noise = 1.4826 * float(np.median(steps)) / np.sqrt(2) if steps.size else 0.0
    return _NOISE * noise / _MEAN_PX


def _across(tint: _Tint, least: float) -> _Plane:
    """Strength of tints on the other side of gray from the picture's main one, 0 for others; where most of the picture is gray, which no
    toned one is, of all tints."""
    smooth = _averaged(tint)
    strength = _strength(smooth)
    if 2 * np.count_nonzero(strength < least / 2) > strength.size:
        return strength
    main = np.array([cv2.mean(plane)[0] for plane in tint])
    to_red, to_blue = main / max(float(np.hypot(*main)), 1e-9)
    along = to_red * smooth[0] + to_blue * smooth[1]
    return np.asarray(np.where(along < 0, strength, 0.0), np.float32)


def _averaged(tint: _Tint) -> _Tint:
    red, blue = (np.asarray(cv2.blur(plane, (_MEAN_PX, _MEAN_PX)), np.float32) for plane in tint)
    return red, blue


def _strength(tint: _Tint) -> _Plane:
    """How far tints are from gray."""
    return np.asarray(cv2.magnitude(*tint), np.float32)


def _beside(tint: _Tint, brightness: _Plane) -> _Plane:
    """Strength of the difference between tints and the mean tint at their brightness."""
    level = (brightness / 3).astype(np.intp).ravel()
    count = np.bincount(level, minlength=256).astype(np.float64)
    nearby = cv2.getGaussianKernel(9, 2).ravel()
    counts = np.maximum(np.convolve(count, nearby, "same"), 1e-9)
    usual = (np.convolve(np.bincount(level, plane.ravel(), 256), nearby, "same") / counts for plane in tint)
    red, blue = (plane - at_level[level].reshape(plane.shape).astype(np.float32) for plane, at_level in zip(tint, usual, strict=True))
    return _strength(_averaged((red, blue)))


_FEWEST = 8
"""Least number of SET cards or dice: fewer may all be of a dull ink, such as dark purple, or too thinly printed to tell."""

_PALE, _USUAL = 0.6, 0.8
"""Colourfulness as of `_colourfulness`. Where no ink reaches `_PALE`, as on hardly a rendered table in usual light, colours are multiplied
until the most colourful ink has `_USUAL`; but not where none reaches `_LEAST`, as of noise or of black suits."""

_GRAY = cv2.cvtColor(np.eye(3, dtype=np.float32)[None], cv2.COLOR_BGR2GRAY)[0]
"""Share of blue, green and red in the brightness that stays where colour fades (Rec. ITU-R BT.601)."""


def with_full_colours(image_bgr: NDArray[np.uint8], sightings: Sequence[Sighting]) -> NDArray[np.uint8] | None:
    """The picture with colours as strong as usual, by the inks of what was seen in it; None where they are, or too few pieces tell."""
    inked = [one for one in sightings if one.kind in BY_INK]
    if inked:
        return _stronger(image_bgr, outlines_of(inked)) if len(inked) >= _FEWEST else None
    suits = [one for one in sightings if one.kind is Kind.PLAYING_CARD]
    if all(one.confidence >= SURE for one in suits):  # their shapes tell suits too
        return None
    return _stronger(image_bgr, outlines_of(suits))


def _stronger(image_bgr: NDArray[np.uint8], pieces_px: Floats) -> NDArray[np.uint8] | None:
    """The picture with stronger colours; None unless the most colourful ink of n pieces, shape (n, 4, 2), is from `_LEAST` to `_PALE`."""
    colourful, paper = _colourfulness(image_bgr, pieces_px)
    strongest = float(colourful.max())
    if not _LEAST <= strongest < _PALE:
        return None
    factor = _USUAL / strongest
    stronger = factor * np.eye(3) + (1 - factor) * _GRAY
    paper = np.maximum(np.median(paper.reshape(-1, 3), axis=0), DARKEST_WHITE)
    return np.asarray(cv2.transform(image_bgr, paper[:, None] * stronger / paper), np.uint8)


def _colourfulness(image_bgr: NDArray[np.uint8], pieces_px: Floats) -> tuple[Floats, NDArray[np.uint8]]:
    """How colourful the ink of n pieces is, 0 for gray, shape (n,), and the paper around each sampled pixel, shape (n, 24, 16, 3).

    It is the distance of the ink's colour from the gray that is as bright, over how much darker than the paper it is: a line that is
    thinner than a pixel has as much as a broad one.
    """
    seen = sampled(image_bgr, pieces_px)
    paper = np.asarray([cv2.morphologyEx(one, cv2.MORPH_CLOSE, WIDEST) for one in seen], np.uint8)
    share = np.divide(seen, np.maximum(paper, DARKEST_WHITE), dtype=np.float32).reshape(len(seen), -1, 3)
    gray = share @ _GRAY
    at = gray.shape[1] // 50
    fullest = 1 - np.partition(gray, at, axis=1)[:, at, None]
    is_ink = (1 - gray >= fullest / 2) & (fullest > _LEAST)  # else it has no ink
    colour = np.einsum("np,npc->nc", is_ink, share - gray[..., None])
    amount = np.einsum("np,np->n", is_ink, 1 - gray)
    colourful = np.divide(np.linalg.norm(colour, axis=1), amount, out=np.zeros(len(seen)), where=amount > 0)
    return colourful, paper
