"""What else lies on a believable table: notes, envelopes, a phone and pencils."""

from __future__ import annotations

import cv2
import numpy as np

from visionset.art import rounded_rectangle
from visionset.render.faces import RESOLUTION_PX_MM, Face, cover
from visionset.render.limbs import Limb, Part
from visionset.render.pixels import Picture, linear, noise, write

_SUBPIXEL_BITS = 4


def _handwriting(
    rng: np.random.Generator, picture: Picture, left_mm: float, base_mm: float, length_mm: float, pen: tuple[float, ...]
) -> None:
    """Words of loops and strokes that nobody can read."""
    k = RESOLUTION_PX_MM
    at, step = left_mm, 0.22
    while at < left_mm + length_mm:
        word = rng.uniform(6, 20)
        count = int(word / step)
        phase = np.cumsum(rng.uniform(0.45, 0.8, count))
        tall = 0.9 + 0.9 * np.abs(noise(rng, 2, count, (9.0, 2.0))[0]) * (rng.random(count) < 0.9)
        x = at + step * np.arange(count) + 0.55 * np.cos(phase)
        y = base_mm - tall * (1 + np.sin(phase)) + 0.25 * noise(rng, 2, count, (40.0, 2.0))[0]
        points = np.round(np.stack([x, y], axis=1) * k * 16).astype(np.int32)
        cv2.polylines(picture, [points], False, pen, 3, cv2.LINE_AA, _SUBPIXEL_BITS)
        at += word + rng.uniform(2, 3.5)


def note(rng: np.random.Generator, size_mm: tuple[float, float] = (105.0, 148.0), ruled: bool = True) -> Face:
    """A sheet of a notepad with a score written on it."""
    k = RESOLUTION_PX_MM
    picture = np.empty((round(size_mm[1] * k), round(size_mm[0] * k), 3), np.float32)
    picture[:] = linear((246, 243, 232))
    if ruled:
        for y in np.arange(16, size_mm[1] - 4, 7.0):
            cv2.line(picture, (0, int(y * k)), (picture.shape[1], int(y * k)), tuple(map(float, linear((168, 192, 216)))), 2)
    pen = tuple(map(float, linear((28, 36, 92))))
    for y in np.arange(22.5, size_mm[1] * rng.uniform(0.5, 0.9), 7.0):
        _handwriting(rng, picture, 9 + rng.uniform(0, 3), y - 1, rng.uniform(0.3, 0.8) * (size_mm[0] - 20), pen)
    return Face(picture, cover(size_mm, 0), size_mm)


def envelope(rng: np.random.Generator) -> Face:
    """A white window envelope with an address."""
    size_mm, k = (220.0, 110.0), RESOLUTION_PX_MM
    picture = np.empty((round(size_mm[1] * k), round(size_mm[0] * k), 3), np.float32)
    picture[:] = linear((240, 240, 238))
    pane = np.round((rounded_rectangle(90, 40, 3) + np.array([65, 68])) * k * 16).astype(np.int32)
    cv2.fillPoly(picture, [pane], tuple(map(float, linear((222, 224, 226)))), cv2.LINE_AA, _SUBPIXEL_BITS)
    for y in (58, 65, 72, 79):
        words = "".join(chr(int(c)) for c in rng.integers(97, 122, 16))
        write(picture, words, (26 * k, y * k), cv2.FONT_HERSHEY_SIMPLEX, 1.1, tuple(map(float, linear((40, 40, 44)))), 2)
    cv2.rectangle(picture, (188 * k, 8 * k), (212 * k, 36 * k), tuple(map(float, linear((96, 130, 160)))), -1)
    cv2.rectangle(picture, (190 * k, 10 * k), (210 * k, 34 * k), tuple(map(float, linear((196, 208, 214)))), -1)
    return Face(picture, cover(size_mm, 0.5), size_mm)


def phone() -> Face:
    """A dark telephone, its screen off."""
    size_mm, k = (72.0, 148.0), RESOLUTION_PX_MM
    picture = np.empty((round(size_mm[1] * k), round(size_mm[0] * k), 3), np.float32)
    picture[:] = linear((52, 54, 58))
    glass = np.round((rounded_rectangle(67, 143, 8) + np.array(size_mm) / 2) * k * 16).astype(np.int32)
    cv2.fillPoly(picture, [glass], tuple(map(float, linear((14, 15, 18)))), cv2.LINE_AA, _SUBPIXEL_BITS)
    return Face(picture, cover(size_mm, 10), size_mm)


def pencil(
    from_mm: tuple[float, float], to_mm: tuple[float, float], rgb: tuple[float, float, float] = (0.72, 0.36, 0.03)
) -> tuple[Part, ...]:
    """A sharpened pencil lying on the table, its point at `to_mm`."""
    tail, tip = (np.array([*p, 3.8]) for p in (from_mm, to_mm))
    way = (tip - tail) / np.linalg.norm(tip - tail)
    neck, lead = tip - 17 * way, tip - 4 * way
    return (
        Part((Limb(tail + 8 * way, neck, 3.6, 3.6),), 0.0, 0.0, rgb, "plastic"),
        Part((Limb(tail, tail + 9 * way, 3.5, 3.7),), 0.0, 0.0, (0.55, 0.55, 0.56), "plastic"),
        Part((Limb(neck, lead, 3.5, 1.2),), 0.0, 0.0, (0.66, 0.44, 0.24), "cloth"),
        Part((Limb(lead, tip - [0, 0, 3.2], 1.2, 0.4),), 0.0, 0.0, (0.04, 0.04, 0.045), "plastic"),
    )
