"""Cut a card out of a picture and straighten it; put its paper at white."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad
from visionset.vision.engine import at_once


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """How a reader wants its pieces straightened."""

    width_px: int
    height_px: int
    """`width_px` and `height_px`: size, with a margin of the piece's surroundings."""
    quad: Floats
    """Where the piece's corners come to lie, from its top left, clockwise. Shape (4, 2)."""
    shift_px: float
    """Unit of the reader's corner corrections, in patch pixels."""

    @property
    def inner(self) -> tuple[slice, slice]:
        """Rows and columns of the piece without its rim, of two pixels."""
        (left, top), (right, bottom) = self.quad[0].astype(int) + 2, self.quad[2].astype(int) - 2
        return slice(top, bottom), slice(left, right)


def _patch(width_px: int, height_px: int, left_px: float, top_px: float, shift_px: float) -> Patch:
    right_px, bottom_px = width_px - 1 - left_px, height_px - 1 - top_px
    quad = np.array([[left_px, top_px], [right_px, top_px], [right_px, bottom_px], [left_px, bottom_px]])
    return Patch(width_px, height_px, quad, shift_px)


SET_CARD_PATCH = _patch(64, 96, 6.5, 9.5, 8.0)
CARD_PATCH = _patch(96, 144, 10.5, 14.5, 8.0)
"""Playing cards are cut larger: their indices are small."""

DIE_PATCH = _patch(48, 48, 9.5, 9.5, 3.0)
"""The top face with a wide margin: what hangs on its rim tells which face is the top one."""

INDEX_PATCH = _patch(40, 56, 10.5, 11.5, 3.0)
"""Wide margins too: where the finder puts an index is half a guess."""

_PAPER_QUANTILE = 0.85
"""Share of a card that is no brighter than its paper: three solid symbols leave 59 % of paper."""

_DARKEST_WHITE = 8.0
"""Paper is never taken to be darker than this (of 255): a black patch stays black."""

_AROUND = 0.4
"""No patch shows more around a piece than this share of its side."""

_OVERSAMPLING = 2
"""Cards are cut at twice the size of the patch and averaged down: stripes become a tint, noise shrinks."""


def padded(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture with a fourth channel that says nothing, shape (height, width, 4): it is warped twice as fast, to the same bytes."""
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2BGRA), dtype=np.uint8)


def cut(image_bgr: NDArray[np.uint8], quad: Quad, patch: Patch = SET_CARD_PATCH) -> NDArray[np.uint8]:
    """Straighten one piece, whose corners in the picture are clockwise, a card's beginning at a short side; a patch in blue, green, red.

    A card much larger than the patch is averaged, not sampled. Beyond the picture's edge the patch shows copies of the nearest pixel.
    """
    piece = np.empty((patch.height_px, patch.width_px, image_bgr.shape[2]), np.uint8)
    _cut_into(piece, image_bgr, quad, patch)
    return piece[..., :3]


def cut_all(image_bgr: NDArray[np.uint8], quads: Floats, patch: Patch) -> list[NDArray[np.uint8]]:
    """Straighten n pieces, shape (n, 4, 2): blue, green and red, each of shape (n, height, width)."""
    pieces = np.empty((len(quads), patch.height_px, patch.width_px, image_bgr.shape[2]), np.uint8)

    def each(which: slice) -> None:
        for piece, quad in zip(pieces[which], quads[which], strict=True):
            _cut_into(piece, image_bgr, quad, patch)

    half = len(quads) // 2
    at_once(partial(each, slice(half)), partial(each, slice(half, None)))
    if not len(quads):
        return [pieces[..., channel] for channel in range(3)]
    rows = pieces.reshape(-1, *pieces.shape[2:])
    return [np.asarray(plane, np.uint8).reshape(pieces.shape[:3]) for plane in cv2.split(rows)[:3]]


def _cut_into(piece: NDArray[np.uint8], image_bgr: NDArray[np.uint8], quad: Quad, patch: Patch) -> None:
    """Straighten one piece into an array of its own."""
    fine = (patch.quad + 0.5) * _OVERSAMPLING - 0.5
    side_px = max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2]))
    fine_side_px = (patch.quad[3, 1] - patch.quad[0, 1]) * _OVERSAMPLING
    points = np.asarray(quad, np.float64)
    shrink = int(side_px / fine_side_px)
    if shrink > 1:
        # average the card's own window first, else the warp would skip pixels; whole blocks of pixels are averaged fast
        low = np.clip(np.floor(quad.min(axis=0) - _AROUND * side_px), 0, None).astype(int)
        high = np.ceil(quad.max(axis=0) + _AROUND * side_px).astype(int) + shrink
        width, height = (int(side) for side in (np.minimum(high, image_bgr.shape[1::-1]) - low) // shrink)
        if width > 0 and height > 0:
            window = image_bgr[low[1] : low[1] + height * shrink, low[0] : low[0] + width * shrink]
            image_bgr = cv2.resize(window, (width, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
            points = (points - low + 0.5) / shrink - 0.5
    patch_from_image = cv2.getPerspectiveTransform(points.astype(np.float32), fine.astype(np.float32))
    size = (patch.width_px * _OVERSAMPLING, patch.height_px * _OVERSAMPLING)
    large = cv2.warpPerspective(image_bgr, patch_from_image, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cv2.resize(large, (patch.width_px, patch.height_px), dst=piece, interpolation=cv2.INTER_AREA)


def paper_white(planes: Sequence[NDArray[np.uint8]] | NDArray[np.uint8 | np.float32], patch: Patch = SET_CARD_PATCH) -> NDArray[np.float32]:
    """Brightness of the paper or body of n pieces, shape (n, 3), in the unit of the picture; given colours as `cut_all` gives them."""
    white = np.empty((len(planes[0]), len(planes)), np.float32)
    for channel, plane in enumerate(planes):
        inner = plane[:, *patch.inner][:, ::2, ::2].reshape(len(plane), -1)
        at = int(_PAPER_QUANTILE * inner.shape[1])
        white[:, channel] = np.partition(inner, at, axis=1)[:, at]
    return np.maximum(white, np.float32(_DARKEST_WHITE), out=white)
