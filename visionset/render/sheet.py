"""A sheet of card stock to print on: outlines in millimetres about its centre, painted in sRGB, delivered as a `Face`."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.art import rounded_rectangle
from visionset.geometry import Floats
from visionset.render.faces import Face

Rgb: TypeAlias = tuple[int, int, int]
"""SRGB from 0 to 255."""

Outlines: TypeAlias = tuple[Floats, ...]
"""Closed polygons, each of shape (n, 2); where two overlap there is a hole."""

_SUBPIXEL_BITS = 4
_LINEAR = np.asarray((np.arange(256) / 255) ** 2.2, dtype=np.float32)


def placed(outlines: Outlines, center_mm: tuple[float, float], scale: float | tuple[float, float], turned: bool = False) -> Outlines:
    """Outlines stretched, turned by 180 degrees if asked, and moved."""
    stretch = np.asarray(scale) * (-1 if turned else 1)
    return tuple(outline * stretch + np.asarray(center_mm) for outline in outlines)


def box(left: float, top: float, right: float, bottom: float) -> Outlines:
    """Rectangle."""
    return (np.array([[left, top], [right, top], [right, bottom], [left, bottom]], dtype=np.float64),)


def round_shape(center_mm: tuple[float, float], radii_mm: tuple[float, float], points: int = 20) -> Outlines:
    """Ellipse; with few points a regular polygon."""
    angle = np.arange(points) * (2 * np.pi / points) - np.pi / 2
    return (np.stack([np.cos(angle) * radii_mm[0] + center_mm[0], np.sin(angle) * radii_mm[1] + center_mm[1]], axis=1),)


class Sheet:
    """Paper being printed; coordinates are millimetres about the centre, x right, y down.

    Parameters
    ----------
    size_mm : tuple of float
        Width and height.
    px_mm : float
        Pixels a millimetre.
    paper : Rgb
        Colour of the empty sheet.
    """

    def __init__(self, size_mm: tuple[float, float], px_mm: float, paper: Rgb) -> None:
        self.size_mm, self.px_mm = size_mm, px_mm
        self.picture: NDArray[np.uint8] = np.empty((max(2, round(size_mm[1] * px_mm)), max(2, round(size_mm[0] * px_mm)), 3), np.uint8)
        self.picture[:] = paper[::-1]

    def _fixed(self, points_mm: Floats) -> NDArray[np.int32]:
        pixels = (points_mm + np.asarray(self.size_mm) / 2) * self.px_mm - 0.5
        return np.round(pixels * (1 << _SUBPIXEL_BITS)).astype(np.int32)

    def fill(self, outlines: Outlines, color: Rgb) -> None:
        """Fill; overlaps of the outlines stay empty."""
        cv2.fillPoly(self.picture, [self._fixed(outline) for outline in outlines], color[::-1], cv2.LINE_AA, _SUBPIXEL_BITS)

    def line(self, outlines: Outlines, color: Rgb, width_mm: float, closed: bool = True) -> None:
        """Stroke."""
        thick = max(1, round(width_mm * self.px_mm))
        paths = [self._fixed(outline) for outline in outlines]
        cv2.polylines(self.picture, paths, closed, color[::-1], thick, cv2.LINE_AA, _SUBPIXEL_BITS)

    def pixels(self, left: float, top: float, right: float, bottom: float) -> NDArray[np.uint8]:
        """View of the pixels of a box that is symmetric about the centre or not; clipped to the sheet."""
        height, width = self.picture.shape[:2]
        across = np.clip(np.round((np.array([left, right]) + self.size_mm[0] / 2) * self.px_mm), 0, width).astype(int)
        down = np.clip(np.round((np.array([top, bottom]) + self.size_mm[1] / 2) * self.px_mm), 0, height).astype(int)
        return self.picture[down[0] : down[1], across[0] : across[1]]

    def face(self, corner_mm: float) -> Face:
        """Cut the corners round and deliver."""
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        outline = self._fixed(rounded_rectangle(*self.size_mm, corner_mm))
        cv2.fillPoly(mask, [outline], 255, cv2.LINE_AA, _SUBPIXEL_BITS)
        return Face(np.asarray(cv2.LUT(self.picture, _LINEAR), np.float32), mask.astype(np.float32) / np.float32(255), self.size_mm)
