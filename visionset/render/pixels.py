"""Float pictures in linear light: smooth noise, random colours, letters."""

from __future__ import annotations

from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.floating[Any]]
"""Shape (height, width, 3), BGR, linear reflectance or radiance from 0 to 1."""

Field: TypeAlias = NDArray[np.float32]
"""Shape (height, width), or two and three of these on one another."""


def linear(rgb: tuple[int, int, int] | NDArray[np.float64]) -> NDArray[np.float32]:
    """SRGB 0 to 255 as linear BGR 0 to 1, shape (3,)."""
    return np.asarray((np.asarray(rgb, np.float64)[::-1] / 255) ** 2.2, dtype=np.float32)


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


def write(picture: Picture, text: str, at: tuple[int, int], font: int, scale: float, paint: tuple[float, ...], thick: int) -> None:
    """Draw letters into a float picture (OpenCV writes into 8-bit pictures only)."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.putText(mask, text, at, font, scale, 255, thick, cv2.LINE_AA)
    x, y, width, height = cv2.boundingRect(mask)
    share = mask[y : y + height, x : x + width, None].astype(np.float32) / 255
    picture[y : y + height, x : x + width] += share * (np.asarray(paint, np.float32) - picture[y : y + height, x : x + width])
