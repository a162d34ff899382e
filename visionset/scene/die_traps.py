"""Flat things that look like dice and are none: perforated sheets, and polyhedral dice with numerals.

No dominoes: half of one, seen from above, is a die's face to any eye, and a reader that has to tell them apart doubts both.
"""

from __future__ import annotations

import cv2
import numpy as np

from visionset.scene.faces import Face, cover
from visionset.scene.surfaces import color, write

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


def polyhedron(rng: np.random.Generator) -> Face:
    """A die of 4, 8, 10, 12 or 20 faces seen from above: a polygon with a face in its middle and numerals."""
    size = rng.uniform(14, 26)
    side = round(size * _PX_MM)
    body = color(rng, 0.03, 0.8, 0.6)
    ink = 0.9 if float(body.mean()) < 0.3 else 0.03
    picture = np.empty((side, side, 3), np.float32)
    picture[:] = body
    outer, inner = int(rng.integers(3, 11)), int(rng.integers(3, 6))
    turn = rng.uniform(0, 2 * np.pi)
    angle = np.arange(outer) * 2 * np.pi / outer + turn
    rim = (np.stack([np.cos(angle), np.sin(angle)], axis=1) * 0.48 + 0.5) * side
    middle_angle = np.arange(inner) * 2 * np.pi / inner + turn
    middle = (np.stack([np.cos(middle_angle), np.sin(middle_angle)], axis=1) * rng.uniform(0.25, 0.4) + 0.5) * side
    mask = np.zeros((side, side), np.uint8)
    cv2.fillPoly(mask, [rim.astype(np.int32)], 255, cv2.LINE_AA)
    center = np.array([side / 2, side / 2])
    for at in range(outer):  # the faces around, each with a light of its own
        shade = tuple(map(float, body * rng.uniform(0.4, 1.0)))
        cv2.fillPoly(picture, [np.array([center, rim[at], rim[(at + 1) % outer]]).astype(np.int32)], shade, cv2.LINE_AA)
    cv2.fillPoly(picture, [middle.astype(np.int32)], tuple(map(float, body)), cv2.LINE_AA)
    scale = rng.uniform(0.7, 1.3) * side / 150
    write(picture, str(rng.integers(1, 21)), (int(side * 0.36), int(side * 0.58)), 0, scale, (ink, ink, ink), max(1, round(2.5 * scale)))
    for _ in range(int(rng.integers(0, 5))):
        where = (int(rng.uniform(0.05, 0.8) * side), int(rng.uniform(0.15, 0.95) * side))
        write(picture, str(rng.integers(1, 21)), where, 0, 0.6 * scale, (ink * 0.8,) * 3, max(1, round(1.5 * scale)))
    return Face(picture, mask.astype(np.float32) / np.float32(255), (size, size))


TRAPS = (perforated, polyhedron, polyhedron)
"""Painters, as often as they stand here."""
