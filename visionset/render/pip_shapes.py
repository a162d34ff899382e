"""Suit symbols and index letters as outlines of height 1: hearts, diamonds, clubs and spades of many prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.pieces import Suit
from visionset.render.faces import Outlines, round_shape
from visionset.render.pixels import filled

_TRACE_PX = 160
"""Height at which letters and suits are drawn before they are traced: finer than any card is painted."""
_CURVE_STEPS = 12
_NORMAL_WEIGHT = 500
_REACH_PX_PER_WEIGHT = 0.01
"""At the bounds of 300 and 900 strokes lose 2 and gain 4 pixels on either side, of letters 110 pixels high."""


@dataclass(frozen=True, slots=True)
class SuitShape:
    """Proportions of the four suit symbols, as shares of the symbol's height."""

    heart_width: float = 0.95
    diamond_width: float = 0.78
    club_width: float = 0.98
    spade_width: float = 0.85
    cleft: float = 0.16
    fullness: float = 0.4
    """Depth of the heart's notch; how far its flanks bulge towards its point, 0 is slim and 1 is round."""
    hollow: float = 0.46
    """Where the diamond's edges run: 0.5 is straight, below it they curve inwards, above it outwards."""
    lobe: float = 0.24
    """Radius of the club's three leaves."""
    foot_width: float = 0.42
    foot_height: float = 0.34
    waist: float = 0.03
    """Stem of club and spade, and half its width where it is thinnest."""


_RANGES = ((0.8, 1.1), (0.66, 0.95), (0.88, 1.08), (0.74, 0.98), (0.08, 0.24), (0.05, 0.9))
_FOOT_RANGES = ((0.215, 0.27), (0.25, 0.6), (0.26, 0.42), (0.015, 0.06))
"""Of the fields of a `SuitShape` before and after the hollow."""


def random_suit_shape(rng: np.random.Generator) -> SuitShape:
    """Another engraver's suits."""
    shape = [rng.uniform(*between) for between in _RANGES]
    hollow = rng.uniform(0.36, 0.56) if rng.random() < 0.7 else 0.5
    shape += [hollow, *(rng.uniform(*between) for between in _FOOT_RANGES)]
    return SuitShape(*shape)


def bezier(*control: tuple[float, float]) -> Floats:
    """Cubic curve through four control points, shape (steps, 2)."""
    t = np.linspace(0, 1, _CURVE_STEPS)[:, None]
    a, b, c, d = (np.asarray(point) for point in control)
    return np.asarray((1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d)


def _mirrored(half: Floats) -> Floats:
    """Close the right half of a symmetric outline."""
    return np.concatenate([half, half[::-1] * [-1, 1]])


def _heart(cleft: float, fullness: float) -> Floats:
    flank = bezier((0, 0.5), (0.1 + 0.2 * fullness, 0.32 - 0.12 * fullness), (0.5, 0.12 + 0.1 * fullness), (0.5, -0.2))
    top = bezier((0.5, -0.2), (0.5, -0.6), (0.06, -0.62), (0, -0.5 + cleft))
    return _mirrored(np.concatenate([flank, top[1:]]))


def _stem(shape: SuitShape) -> Floats:
    top, half = 0.5 - shape.foot_height, shape.foot_width / 2
    side = bezier((shape.waist, top - 0.15), (shape.waist, top + shape.foot_height / 2), (half / 3, 0.46), (half, 0.5))
    return _mirrored(side)


def _parts(suit: Suit, shape: SuitShape) -> tuple[Outlines, float]:
    """Overlapping parts and the width they are stretched to."""
    if suit is Suit.HEARTS:
        return (_heart(shape.cleft, shape.fullness),), shape.heart_width
    if suit is Suit.DIAMONDS:
        edge = bezier((0, -0.5), (shape.hollow / 2, -shape.hollow / 2), (shape.hollow / 2, -shape.hollow / 2), (0.5, 0))
        quarter = edge if shape.hollow != 0.5 else np.array([[0, -0.5], [0.5, 0]])
        return (_mirrored(np.concatenate([quarter, quarter[::-1] * [1, -1]])),), shape.diamond_width
    if suit is Suit.SPADES:
        leaf = _heart(shape.cleft * 0.7, shape.fullness) * [1, -0.82] + [0, -0.09]
        return (leaf, _stem(shape)), shape.spade_width
    lobe = shape.lobe
    low = -0.5 + 2 * lobe + 0.7 * lobe
    leaves = [round_shape(at, (lobe, lobe), 28)[0] for at in ((0.0, -0.5 + lobe), (-0.5 + lobe, low), (0.5 - lobe, low))]
    middle = np.array([[0, -0.5 + lobe], [0.5 - lobe, low], [-0.5 + lobe, low]]) * [0.5, 1] + [0, 0.06]
    return (*leaves, middle, _stem(shape)), shape.club_width


def _traced(mask: NDArray[np.uint8]) -> list[Floats]:
    """Edges of a drawn shape at half coverage, in pixels."""
    contours, _ = cv2.findContours((mask > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_TC89_L1)
    return [np.asarray(contour.reshape(-1, 2), np.float64) for contour in contours if len(contour) > 2]


def _centred(parts: Sequence[Floats]) -> tuple[Outlines, Floats]:
    """Outlines about the middle of all, and their width and height."""
    every = np.concatenate(parts)
    low, high = every.min(axis=0), every.max(axis=0)
    return tuple(part - (low + high) / 2 for part in parts), high - low


@lru_cache(maxsize=512)
def suit_outlines(suit: Suit, shape: SuitShape) -> Outlines:
    """One symbol of height 1 about its centre; the point of the heart and the foot of the spade are down."""
    parts, width = _parts(suit, shape)
    if len(parts) > 1:
        side = _TRACE_PX + 8
        parts = tuple(_traced(np.asarray(255 * filled((side, side), (part * _TRACE_PX + side / 2 for part in parts)), np.uint8)))
    parts, size = _centred(parts)
    return tuple(part / size * [width, 1] for part in parts)


@dataclass(frozen=True, slots=True)
class Lettering:
    """Font of the index."""

    font: str = "sans"
    """One of OpenCV's own (``sans``, ``italic``) or the path of a font file."""
    weight: int = 600
    """100 thin to 900 black, where the font has weights."""

    @property
    def built_in(self) -> bool:
        """True for OpenCV's own fonts."""
        return self.font in {"sans", "italic"}


@lru_cache(maxsize=256)
def _face(font: str) -> cv2.FontFace:
    return cv2.FontFace(font)


def _drawn(text: str, lettering: Lettering) -> NDArray[np.uint8]:
    mask = np.zeros((2 * _TRACE_PX, (1 + len(text)) * 2 * _TRACE_PX), np.uint8)
    # The built-in fonts cross out their zero, which no card does: the letter O, made slim later, is one.
    text = text.replace("0", "O") if lettering.built_in else text
    cv2.putText(mask, text, (_TRACE_PX // 2, 3 * _TRACE_PX // 2), 255, _face(lettering.font), _TRACE_PX, lettering.weight)
    if lettering.built_in:
        return mask
    # Most font files have one weight: the pen is made broader or finer afterwards.
    reach = round((lettering.weight - _NORMAL_WEIGHT) * _REACH_PX_PER_WEIGHT)
    pen = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(reach) + 1, 2 * abs(reach) + 1))
    thicker = cv2.dilate(mask, pen) if reach > 0 else cv2.erode(mask, pen)
    return np.asarray(thicker if (thicker > 127).any() else mask, np.uint8)


@lru_cache(maxsize=4096)
def text_outlines(text: str, lettering: Lettering) -> tuple[Outlines, float]:
    """Letters of height 1 about their middle, and their width at that height.

    ``10`` is set as cards have it: both figures slim and close together.
    """
    if text == "10":
        (one, one_width), (zero, zero_width) = (text_outlines(figure, lettering) for figure in "10")
        slim, wide, gap = 0.3 * min(1.2, one_width / 0.4), 0.5, 0.08
        left = tuple(part * [slim / one_width, 1] - [(gap + wide) / 2, 0] for part in one)
        right = tuple(part * [wide / zero_width, 1] + [(gap + slim) / 2, 0] for part in zero)
        return left + right, slim + gap + wide
    parts, size = _centred(_traced(_drawn(text, lettering)) or [np.array([[0.0, 0.0], [1.0, 1.0]])])
    return tuple(part / size[1] for part in parts), float(size[0] / size[1])
