"""Dice of 4 to 20 faces with numerals, and cubes with numerals: they lie beside pip dice and are none."""

from __future__ import annotations

import cv2
import numpy as np
from scipy.spatial import HalfspaceIntersection

from visionset.geometry import Floats
from visionset.render.dice import Die, Solid
from visionset.render.die_faces import FACE_PX, NO_BALL, DieStyle
from visionset.render.pixels import Picture, color, write

_SLENDER = {4: 0.55, 6: 0.9, 8: 0.9}
"""Bodies of few faces reach far beyond the sphere inside; their sphere is smaller by this."""

_GOLDEN = (1 + 5**0.5) / 2


def _signs(*values: float) -> Floats:
    """Every choice of signs of a vector; values of 0 have one."""
    grid = np.array(np.meshgrid(*[[1.0, -1.0] if value else [1.0] for value in values])).reshape(3, -1).T
    return np.asarray(grid * np.array(values))


def _cyclic(vectors: Floats) -> Floats:
    return np.concatenate([np.roll(vectors, turn, axis=1) for turn in range(3)])


_TENTHS = np.arange(10) * np.pi / 5
NORMALS = {
    4: np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]),
    6: _cyclic(_signs(1, 0, 0)),
    8: _signs(1, 1, 1),
    10: np.column_stack([np.cos(_TENTHS), np.sin(_TENTHS), np.where(np.arange(10) % 2, 0.9, -0.9)]),
    12: _cyclic(_signs(0, 1, _GOLDEN)),
    20: np.concatenate([_signs(1, 1, 1), _cyclic(_signs(0, 1 / _GOLDEN, _GOLDEN))]),
}
"""Ways out of the faces, by their number; five of the ten are upward."""


def solid(sides: int, down: int = 0) -> Solid:
    """The body of a die of 4, 6, 8, 10, 12 or 20 faces, which lies on face `down`."""
    normals = NORMALS[sides] / np.linalg.norm(NORMALS[sides], axis=1, keepdims=True)
    corners = HalfspaceIntersection(np.column_stack([normals, -np.ones(sides)]), np.zeros(3)).intersections
    corners = np.unique(corners.round(9), axis=0)
    upright = _frame(-normals[down])
    faces = np.stack([_frame(normal) for normal in normals @ upright.T])
    return Solid(faces, corners @ upright.T)


def _frame(normal: Floats) -> Floats:
    """Right, down and out of a face as seen from outside, in rows."""
    right = np.cross([0.0, 0.0, 1.0] if abs(normal[2]) < 0.9 else [0.0, 1.0, 0.0], normal)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(normal, right), normal])


def numbered_die(rng: np.random.Generator) -> Die:
    """A die of any number of faces, its numerals turned at random."""
    sides = int(rng.choice(list(NORMALS)))
    body = solid(sides, int(rng.integers(sides)))
    radius_mm = float(rng.uniform(5.5, 9.0)) * _SLENDER.get(sides, 1.0)
    paint, glow = color(rng, 0.02, 0.8, 0.8), float(rng.choice([0.0, rng.uniform(0.1, 0.5)]))
    style = DieStyle(2 * radius_mm, radius_mm * rng.uniform(0, 0.15), NO_BALL, paint, rng.uniform(0, 0.4), 40.0, glow)
    ink = color(rng, 0.5, 0.95, 0.4) if float(paint.mean()) < 0.35 else color(rng, 0.01, 0.1)
    nearest = np.sort(np.linalg.norm(body.faces[0, 2] - body.faces[:, 2], axis=1))[1]
    font, scale = int(rng.integers(0, 5)), float(rng.uniform(1.1, 2.4) * min(1.0, nearest))
    return Die(None, style, np.stack([_tile(rng, paint, ink, face + 1, font, scale) for face in range(sides)]), solid=body)


def _tile(rng: np.random.Generator, body: Picture, ink: Picture, numeral: int, font: int, scale: float) -> Picture:
    """A painted face: a numeral in its middle."""
    tile = np.empty((FACE_PX, FACE_PX, 3), np.float32)
    tile[:] = body
    text, thick = str(numeral), max(1, round(2.5 * scale))
    (width, height), _ = cv2.getTextSize(text, font, scale, thick)
    write(tile, text, ((FACE_PX - width) // 2, (FACE_PX + height) // 2), font, scale, tuple(map(float, ink)), thick)
    turn = cv2.getRotationMatrix2D((FACE_PX / 2, FACE_PX / 2), float(rng.uniform(0, 360)), 1.0)
    return np.asarray(cv2.warpAffine(tile, turn, (FACE_PX, FACE_PX), borderMode=cv2.BORDER_REPLICATE), np.float32)
