"""Lay the outline of a card on the edges of its paper: the reader says where its corners are to some millimetres."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.quads import picture_from_rectangle, projected

_CARD_MM = np.array([[0.0, 0.0], [60.0, 0.0], [60.0, 88.0], [0.0, 88.0]])
"""Between a SET card and a playing card, from the corner where a short side begins, clockwise."""

_REACH_MM = 7.0
"""An edge is looked for so far on both sides of where the reader puts it. Most of its errors are smaller, and no symbol is nearer."""

_PLACES = np.linspace(-0.38, 0.38, 12)
"""Where each side is looked at, as a share of its length from the middle: its ends are round."""

_FAINTEST = 0.06
"""Paper is lighter than what lies beside it by this share of its brightness: white cards on a white cloth have a shadow at least."""

_SEEN = 0.5
"""Share of the places of a side that must agree on a line: else something lies on it, or the table is as light as the paper."""

_BESIDE_MM = (3.0, 1.0, 0.5)
"""Distance at which a place has a quarter of its say in the line, in turns: each line tells which places are no part of the edge.
Those within the last one agree on the line."""

_STEPS_MM = np.arange(-_REACH_MM - 1, _REACH_MM + 2)
"""Outwards from the side; the step over an edge is taken from a millimetre before to a millimetre behind."""

_OFFSETS_MM = _STEPS_MM[1:-1]
_NEARER = 1 - 0.7 * (_OFFSETS_MM / _REACH_MM) ** 2
"""Of two edges rather the nearer one."""

_WITHIN = 2
"""The step that surely lies on the paper."""

_ALONG_MM = np.roll(_CARD_MM, -1, axis=0) - _CARD_MM
_OUTWARDS = np.stack([_ALONG_MM[:, 1], -_ALONG_MM[:, 0]], axis=1) / np.abs(_ALONG_MM).sum(axis=1, keepdims=True)
_PLACES_MM = _CARD_MM[:, None] + _ALONG_MM[:, None] * (_PLACES[:, None] + 0.5)
_SAMPLES_MM = _PLACES_MM[:, :, None] + _OUTWARDS[:, None, None] * _STEPS_MM[:, None]
"""From each side of a card outwards, at each of its places: shape (4, places, steps, 2)."""

_BEFORE = [3, 0, 1, 2]
_POWERS = np.stack([np.ones_like(_PLACES), _PLACES, _PLACES**2], axis=1)

_LEAST = 1e-9
"""Keeps divisions sound."""


def on_edges(image_bgr: NDArray[np.uint8], quads: Floats) -> Floats:
    """Outlines of n cards, shape (n, 4, 2), each beginning at a short side, with every side that shows an edge on that edge.

    `image_bgr` has the shape (height, width, 3 or 4). Sides that show none stay.
    """
    if not len(quads):
        return quads
    image_from_card = picture_from_rectangle(quads, _CARD_MM)
    heights_mm, steps = _edges(image_bgr, image_from_card)
    middle_mm, slope_mm = _lines(heights_mm, steps)
    away_mm = np.abs(heights_mm - middle_mm[..., None] - slope_mm[..., None] * _PLACES)
    furthest_mm = np.abs(middle_mm) + np.abs(slope_mm) * _PLACES[-1]
    is_edge = (((away_mm < _BESIDE_MM[-1]) & (steps > 0)).mean(axis=2) >= _SEEN) & (furthest_mm <= _REACH_MM)
    corners_mm = _corners(np.where(is_edge, middle_mm, 0.0), np.where(is_edge, slope_mm, 0.0))
    return projected(image_from_card, corners_mm)


def _edges(image_bgr: NDArray[np.uint8], image_from_card: Floats) -> tuple[Floats, Floats]:
    """How far outside of each place of each side its strongest edge lies, and how strong it is; both of shape (n, 4, places)."""
    count = len(image_from_card)
    across = projected(image_from_card, _SAMPLES_MM.reshape(1, -1, 2)).astype(np.float32).reshape(-1, len(_STEPS_MM), 2)
    seen = cv2.remap(image_bgr, across, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    light = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY).astype(np.float32).reshape(count, *_SAMPLES_MM.shape[:3])
    paper = np.maximum(np.median(light[..., _WITHIN], axis=(1, 2)), 1)
    steps = (light[..., :-2] - light[..., 2:]) / paper[:, None, None, None]
    at = (steps * _NEARER).argmax(axis=3)
    count_of_all = np.arange(at.size).reshape(at.shape) * len(_OFFSETS_MM)
    before, here, behind = (steps.ravel()[count_of_all + np.clip(at + by, 0, len(_OFFSETS_MM) - 1)] for by in (-1, 0, 1))
    bend = np.maximum(2 * here - before - behind, _LEAST)
    between = np.clip((behind - before) / (2 * bend), -0.5, 0.5)  # the top of the parabola through three steps
    return _OFFSETS_MM[at] + between, np.where(here > _FAINTEST, np.minimum(here, 5 * _FAINTEST), 0.0)


def _lines(heights_mm: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Lines through most of the places of each side: the height in its middle, and from its one end to the other; shape (n, 4)."""
    order = heights_mm.argsort(axis=2)
    share = np.take_along_axis(weights, order, axis=2).cumsum(axis=2)
    half = (share >= share[..., -1:] / 2).argmax(axis=2)[..., None]
    middle = np.take_along_axis(heights_mm, np.take_along_axis(order, half, axis=2), axis=2)[..., 0]
    slope = np.zeros_like(middle)
    for beside_mm in _BESIDE_MM:
        away = (heights_mm - middle[..., None] - slope[..., None] * _PLACES) / beside_mm
        say = weights / (1 + away**2) ** 2
        (total, tilt, spread), (height, product, _) = np.moveaxis(say @ _POWERS, 2, 0), np.moveaxis((say * heights_mm) @ _POWERS, 2, 0)
        determinant = np.maximum(total * spread - tilt**2, _LEAST)
        middle = (spread * height - tilt * product) / determinant
        slope = (total * product - tilt * height) / determinant
    return middle, slope


def _corners(middle_mm: Floats, slope_mm: Floats) -> Floats:
    """Where the lines of neighbouring sides cross, on the card; shape (n, 4, 2).

    The side before, from p along u, meets this one, from q along v, at p + s u with s = (q - p) x v / (u x v), x the cross product.
    """
    first = _CARD_MM + _OUTWARDS * (middle_mm - slope_mm / 2)[..., None]
    along = _ALONG_MM + _OUTWARDS * slope_mm[..., None]
    back, corner = along[:, _BEFORE], first[:, _BEFORE]
    gap = first - corner
    share = (gap[..., 0] * along[..., 1] - gap[..., 1] * along[..., 0]) / (back[..., 0] * along[..., 1] - back[..., 1] * along[..., 0])
    return np.asarray(corner + back * share[..., None])
