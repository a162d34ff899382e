"""Float pictures in linear light: smooth noise, random colours, polygons, letters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats

Picture: TypeAlias = NDArray[np.floating[Any]]  # shape (height, width, 3), BGR, linear reflectance or radiance from 0 to 1
Field: TypeAlias = NDArray[np.float32]  # shape (height, width), or (height, width, 2 or 3)
Rgb: TypeAlias = tuple[int, int, int]  # sRGB from 0 to 255
SUBPIXEL_BITS = 4  # OpenCV knows corners to a sixteenth of a pixel
GAMMA = 2.2  # exponent from sRGB to linear light, near enough


def linear(rgb: Rgb | Floats) -> NDArray[np.float32]:
    """Linear BGR from 0 to 1, shape (3,), of sRGB from 0 to 255."""
    return np.asarray((np.asarray(rgb, np.float64)[::-1] / 255) ** GAMMA, dtype=np.float32)


def printed(bgr: Picture) -> Rgb:
    """Linear BGR as the nearest sRGB."""
    return to_rgb(255 * bgr[::-1] ** (1 / GAMMA))


def to_rgb(levels: Floats | Iterable[float]) -> Rgb:
    """Levels as whole numbers from 0 to 255."""
    red, green, blue = (int(np.clip(level, 0, 255)) for level in levels)
    return red, green, blue


def noise(rng: np.random.Generator, height: int, width: int, cell_px: tuple[float, float]) -> NDArray[np.float32]:
    """Smooth noise with the given cell size along x and y; mean about 0, standard deviation about 1."""
    rows, columns = max(2, round(height / cell_px[1])) + 3, max(2, round(width / cell_px[0])) + 3
    coarse = rng.standard_normal((rows, columns), dtype=np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def fractal(rng: np.random.Generator, height: int, width: int, cell_px: float, octaves: int = 4, fade: float = 0.55) -> NDArray[np.float32]:
    """Sum of noises, each octave at half the cell and `fade` of the strength of the one before."""
    total = np.zeros((height, width), np.float32)
    strength = 1.0
    for _ in range(octaves):
        if cell_px < 1:
            break
        total += strength * noise(rng, height, width, (cell_px, cell_px))
        cell_px, strength = cell_px / 2, strength * fade
    return total


def color(rng: np.random.Generator, dark: float = 0.03, bright: float = 0.8, vivid: float = 0.5) -> Picture:
    """One random reflectance, shape (3,)."""
    level = np.exp(rng.uniform(np.log(dark), np.log(bright)))
    tint = np.exp(rng.normal(0, vivid, 3))
    return np.asarray(np.clip(level * tint / tint.mean(), 0.01, 0.95), dtype=np.float32)


def fixed(points_px: Floats) -> NDArray[np.int32]:
    """Points as OpenCV takes them together with `SUBPIXEL_BITS`."""
    return np.round(np.clip(points_px, -1e5, 1e5) * (1 << SUBPIXEL_BITS)).astype(np.int32)


def filled(size_px: tuple[int, int], polygons: Iterable[Floats]) -> Field:
    """Share of each pixel that is within one of some polygons, 0 to 1."""
    mask = np.zeros(size_px[::-1], np.uint8)
    for polygon in polygons:
        cv2.fillPoly(mask, [fixed(polygon)], 255, cv2.LINE_AA, SUBPIXEL_BITS)
    return mask.astype(np.float32) / np.float32(255)


def thrice(field: NDArray[Any]) -> Field:
    """A field once for each channel of a picture: numpy is slow where an array of one channel meets one of three."""
    return np.asarray(cv2.merge((field, field, field)))


def painted_row(levels: Picture | tuple[float, float, float], width: int) -> Picture:
    """One row of a picture, shape (1, width, 3), of three levels: numpy is slow where three numbers meet a picture."""
    return np.tile(np.asarray(levels, np.float32), (1, width, 1))


def blurred(field: NDArray[Any], sigma_px: float) -> Field:
    """Gaussian blur of so many pixels."""
    return np.asarray(cv2.GaussianBlur(field, (0, 0), sigma_px), np.float32)


def shrunk(picture: NDArray[Any], size_px: tuple[int, int]) -> Field:
    """Average down to a smaller size."""
    return np.asarray(cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA), np.float32)


def window_around(points_px: Floats, margin_px: float | Floats, size_px: tuple[int, int]) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of what holds some points and a margin in a picture; None when that is out of sight."""
    left, top = (int(v) for v in np.clip(np.floor((points_px - margin_px).min(axis=0)), 0, size_px))
    right, bottom = (int(v) for v in np.clip(np.ceil((points_px + margin_px).max(axis=0)), 0, size_px))
    return None if right - left < 2 or bottom - top < 2 else (left, top, right, bottom)


def through(image_from_plane: Floats, x: NDArray[Any], y: NDArray[Any]) -> tuple[Field, Field]:
    """Coordinates in a plane of picture points that are given by two arrays, of which either may be a row or a column."""
    back = np.linalg.inv(image_from_plane).astype(np.float32)
    depth = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    return (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / depth, (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / depth


def write(picture: Picture, text: str, at: tuple[int, int], font: int, scale: float, paint: tuple[float, ...], thick: int) -> None:
    """Draw letters into a float picture (OpenCV writes into 8-bit pictures only)."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.putText(mask, text, at, font, scale, 255, thick, cv2.LINE_AA)
    x, y, width, height = cv2.boundingRect(mask)
    share = mask[y : y + height, x : x + width, None].astype(np.float32) / 255
    picture[y : y + height, x : x + width] += share * (np.asarray(paint, np.float32) - picture[y : y + height, x : x + width])
