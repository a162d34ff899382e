"""Cut a card out of a picture and straighten it; put its paper at white."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad

PATCH_WIDTH_PX, PATCH_HEIGHT_PX = 64, 96
"""Size of a straightened card with a margin of its surroundings: portrait."""

PATCH_QUAD: Floats = np.array([[6.5, 9.5], [56.5, 9.5], [56.5, 85.5], [6.5, 85.5]])
"""Where the card's corners come to lie in the patch, from its top left, clockwise."""

SHIFT_PX = 8.0
"""Unit of the reader's corner corrections, in patch pixels."""

_PAPER_QUANTILE = 0.85
"""Share of a card that is no brighter than its paper: three solid symbols leave 59 % of paper."""

_DARKEST_WHITE = 8.0
"""Paper is never taken to be darker than this (of 255): a black patch stays black."""

_OVERSAMPLING = 2
"""Cards are cut at twice the size of the patch and averaged down: stripes become a tint, noise shrinks."""


def cut(image_bgr: NDArray[np.uint8], quad: Quad, quad_in_patch: Floats = PATCH_QUAD) -> NDArray[np.uint8]:
    """Straighten one card.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (height, width, 3)
        The picture; a card much larger than the patch is averaged, not sampled.
    quad : ndarray of float64, shape (4, 2)
        The card's corners in the picture, beginning at a short side, clockwise.
    quad_in_patch : ndarray of float64, shape (4, 2)
        Where these corners shall lie.

    Returns
    -------
    ndarray of uint8, shape (96, 64, 3)
        Grey where the patch reaches beyond the picture's edge is a copy of the nearest pixel.
    """
    fine = (quad_in_patch + 0.5) * _OVERSAMPLING - 0.5
    side_px = max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2]))
    fine_side_px = (PATCH_QUAD[3, 1] - PATCH_QUAD[0, 1]) * _OVERSAMPLING
    points = np.asarray(quad, np.float64)
    if side_px > 2 * fine_side_px:
        # average the card's own window first, else the warp would skip pixels
        low = np.clip(np.floor(quad.min(axis=0) - 0.25 * side_px), 0, None).astype(int)
        high = np.ceil(quad.max(axis=0) + 0.25 * side_px).astype(int) + 1
        window = image_bgr[low[1] : high[1], low[0] : high[0]]
        if window.size:
            shrink = 1.5 * fine_side_px / side_px
            image_bgr = cv2.resize(window, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
            scale = np.array([image_bgr.shape[1] / window.shape[1], image_bgr.shape[0] / window.shape[0]])
            points = (points - low + 0.5) * scale - 0.5
    patch_from_image = cv2.getPerspectiveTransform(points.astype(np.float32), fine.astype(np.float32))
    size = (PATCH_WIDTH_PX * _OVERSAMPLING, PATCH_HEIGHT_PX * _OVERSAMPLING)
    large = cv2.warpPerspective(image_bgr, patch_from_image, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(large, (PATCH_WIDTH_PX, PATCH_HEIGHT_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def paper_white(patch: NDArray[np.float32]) -> NDArray[np.float32]:
    """Brightness of the card's paper in each channel, shape (3,), in the unit of the patch."""
    (left, top), (right, bottom) = PATCH_QUAD[0].astype(int) + 2, PATCH_QUAD[2].astype(int) - 2
    inner = patch[top:bottom:2, left:right:2].reshape(-1, 3)
    at = int(_PAPER_QUANTILE * len(inner))
    return np.asarray(np.maximum(np.partition(inner, at, axis=0)[at], _DARKEST_WHITE), dtype=np.float32)
