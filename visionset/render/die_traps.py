"""Flat things that look like dice and are none: perforated sheets.

No dominoes: half of one, seen from above, is a die's face to any eye, and a reader that has to tell them apart doubts both.
"""

from __future__ import annotations

import cv2
import numpy as np

from visionset.render.faces import Face, cover
from visionset.render.surfaces import color

_PX_MM = 8


def perforated(rng: np.random.Generator) -> Face:
    """A sheet or mat with holes, buttons or dots."""
    size_mm = (rng.uniform(20, 110), rng.uniform(20, 110))
    height, width = round(size_mm[1] * _PX_MM), round(size_mm[0] * _PX_MM)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = color(rng)
    ink = tuple(map(float, color(rng)))
    pitch = rng.uniform(3, 14) * _PX_MM
    radius = max(2, int(pitch * rng.uniform(0.12, 0.35)))
    loose = rng.choice([0.0, 0.4])
    for x in np.arange(pitch / 2, width, pitch):
        for y in np.arange(pitch / 2, height, pitch):
            at = np.array([x, y]) + rng.normal(0, 1, 2) * loose * pitch
            cv2.circle(picture, (int(at[0]), int(at[1])), radius, ink, -1, cv2.LINE_AA)
    return Face(picture, cover(size_mm, rng.uniform(0, 5)), size_mm)
