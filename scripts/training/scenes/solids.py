"""Dice of 4 to 20 faces with numerals, and cubes with numerals: they lie beside pip dice and are none."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import HalfspaceIntersection

from visionset.geometry import Floats
from visionset.render.pixels import Picture, color, write
from visionset.render.stage import Light
from visionset.render.viewpoint import Viewpoint

_TILE_PX = 96
"""Side of a painted face."""

_TILE_REACH = 1.6
"""Half the side of a painted face, in radii of the circle in the face: a triangle's corners are far out."""

_FINE = 2
"""Painted at so many times the picture's size and averaged down."""

_SLENDER = {4: 0.55, 6: 0.9, 8: 0.9}
"""Bodies of few faces reach far beyond the sphere inside; their sphere is smaller by this."""

_GOLDEN = (1 + 5**0.5) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A convex body whose faces touch a sphere of radius 1."""

    normals: Floats
    """Unit vectors out of each face; float64, shape (n, 3)."""
    faces: tuple[Floats, ...]
    """Corners of each face, in order; float64, shapes (k, 3)."""


def _signs(*values: float) -> Floats:
    """Every choice of signs of a vector; values of 0 have one."""
    grid = np.array(np.meshgrid(*[[1.0, -1.0] if value else [1.0] for value in values])).reshape(3, -1).T
    return np.asarray(grid * np.array(values))


def _cyclic(vectors: Floats) -> Floats:
    return np.concatenate([np.roll(vectors, turn, axis=1) for turn in range(3)])


def _trapezohedron() -> Floats:
    """Ten faces, five of them upward."""
    angle = np.arange(10) * np.pi / 5
    return np.column_stack([np.cos(angle), np.sin(angle), np.where(np.arange(10) % 2, 1.0, -1.0) * 0.9])


_NORMALS = {
    4: np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]),
    6: _cyclic(_signs(1, 0, 0)),
    8: _signs(1, 1, 1),
    10: _trapezohedron(),
    12: _cyclic(_signs(0, 1, _GOLDEN)),
    20: np.concatenate([_signs(1, 1, 1), _cyclic(_signs(0, 1 / _GOLDEN, _GOLDEN))]),
}


def solid(sides: int) -> Solid:
    """The body of a die of 4, 6, 8, 10, 12 or 20 faces."""
    normals = _NORMALS[sides] / np.linalg.norm(_NORMALS[sides], axis=1, keepdims=True)
    corners = HalfspaceIntersection(np.column_stack([normals, -np.ones(len(normals))]), np.zeros(3)).intersections
    faces = []
    for normal in normals:
        ring = np.unique(corners[corners @ normal > 1 - 1e-6].round(9), axis=0)
        right, down = _frame(normal)
        faces.append(ring[np.argsort(np.arctan2((ring - normal) @ down, (ring - normal) @ right))])
    return Solid(normals, tuple(faces))


def _frame(normal: Floats) -> tuple[Floats, Floats]:
    """Right and down in a face as seen from outside."""
    right = np.cross([0.0, 0.0, 1.0] if abs(normal[2]) < 0.9 else [0.0, 1.0, 0.0], normal)
    right /= np.linalg.norm(right)
    return right, np.cross(right, normal)


def _lying(rng: np.random.Generator, body: Solid) -> Solid:
    """The body on one of its faces, turned at random; its middle stays at 0."""
    down = body.normals[int(rng.integers(len(body.normals)))]
    right, away = _frame(-down)
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    rotation = spin @ np.stack([right, away, -down])
    return Solid(body.normals @ rotation.T, tuple(face @ rotation.T for face in body.faces))


def _tile(rng: np.random.Generator, body: Picture, ink: Picture, numeral: int, font: int, scale: float) -> Picture:
    """A painted face: a numeral in its middle, turned at random."""
    tile = np.empty((_TILE_PX, _TILE_PX, 3), np.float32)
    tile[:] = body
    text, thick = str(numeral), max(1, round(2.5 * scale))
    (width, height), _ = cv2.getTextSize(text, font, scale, thick)
    at = (int((_TILE_PX - width) / 2), int((_TILE_PX + height) / 2))
    write(tile, text, at, font, scale, tuple(map(float, ink)), thick)
    turn = cv2.getRotationMatrix2D((_TILE_PX / 2, _TILE_PX / 2), float(rng.uniform(0, 360)), 1.0)
    return np.asarray(cv2.warpAffine(tile, turn, (_TILE_PX, _TILE_PX), borderMode=cv2.BORDER_REPLICATE), np.float32)


def draw_polyhedron(
    rng: np.random.Generator, picture: Picture, owner: NDArray[np.int32], view: Viewpoint, light: Light, at_mm: tuple[float, float]
) -> None:
    """Put one on the table at `at_mm`, in place, with its shadow; it owns its pixels as -2."""
    body = _lying(rng, solid(int(rng.choice(list(_NORMALS)))))
    radius_mm = float(rng.uniform(5.5, 9.0)) * _SLENDER.get(len(body.faces), 1.0)
    center = np.array([*at_mm, radius_mm])
    paint, glow = color(rng, 0.02, 0.8, 0.8), float(rng.choice([0.0, rng.uniform(0.1, 0.5)]))
    ink = color(rng, 0.5, 0.95, 0.4) if float(paint.mean()) < 0.35 else color(rng, 0.01, 0.1)
    rim = color(rng, 0.2, 0.9, 0.5) if rng.random() < 0.3 else None
    font, scale = int(rng.integers(0, 5)), float(rng.uniform(0.7, 1.5))
    _shadow(picture, view, light, body, center, radius_mm, float(rng.uniform(0.1, 0.6)))
    corners_px = view.see(np.concatenate(body.faces) * radius_mm + center)[0]
    low = np.clip(np.floor(corners_px.min(axis=0)).astype(int) - 1, 0, picture.shape[1::-1])
    high = np.clip(np.ceil(corners_px.max(axis=0)).astype(int) + 2, 0, picture.shape[1::-1])
    if np.any(high - low < 2):
        return
    size = tuple(int(side) for side in (high - low) * _FINE)
    seen, cover = np.zeros((size[1], size[0], 3), np.float32), np.zeros((size[1], size[0]), np.uint8)
    window = np.array([[_FINE, 0, -_FINE * low[0]], [0, _FINE, -_FINE * low[1]], [0, 0, 1]], np.float64)
    for number, (normal, face) in enumerate(zip(body.normals, body.faces, strict=True), 1):
        if (view.eye_mm - center - normal * radius_mm) @ normal <= 0:
            continue
        bright = light.ambient_share + (1 - light.ambient_share) * max(0.0, float(normal @ light.toward)) / max(float(light.toward[2]), 0.3)
        tile = _tile(rng, paint, ink, number, font, scale) * np.float32(bright * np.exp(rng.normal(0, 0.1)))
        right, down = _frame(normal)
        plane = view.image_from_plane(normal * radius_mm + center, right, down)
        half_mm = _TILE_REACH * radius_mm * min(1.0, float(np.linalg.norm(face - normal, axis=1).min()))
        from_tile = np.array([[2 * half_mm / _TILE_PX, 0, -half_mm], [0, 2 * half_mm / _TILE_PX, -half_mm], [0, 0, 1]])
        painted = cv2.warpPerspective(tile, window @ plane @ from_tile, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        ring = ((view.see(face * radius_mm + center)[0] - low) * _FINE).round().astype(np.int32)
        mask = np.zeros(cover.shape, np.uint8)
        cv2.fillPoly(mask, [ring], 255)
        seen[mask > 0] = painted[mask > 0]
        if rim is not None:
            cv2.polylines(
                seen, [ring], True, tuple(map(float, rim * np.float32(bright))), max(1, int(0.12 * radius_mm * view.scale_px_mm * _FINE))
            )
        cover |= mask
    small = (int(high[0] - low[0]), int(high[1] - low[1]))
    share = np.asarray(cv2.resize(cover, small, interpolation=cv2.INTER_AREA), np.float32) / 255
    light_bgr = np.asarray(cv2.resize(seen * (cover > 0)[..., None], small, interpolation=cv2.INTER_AREA), np.float32)
    patch = picture[low[1] : high[1], low[0] : high[0]]
    through = np.float32(glow) * paint / max(float(paint.max()), 1e-3)
    patch *= 1 - share[..., None] * (1 - through)
    patch += light_bgr * np.float32(1 - 0.5 * glow)
    owner[low[1] : high[1], low[0] : high[0]][share > 0.5] = -2


def _shadow(picture: Picture, view: Viewpoint, light: Light, body: Solid, center: Floats, radius_mm: float, strength: float) -> None:
    """Darken the table beside the body, in place."""
    corners = np.concatenate(body.faces) * radius_mm + center
    flat = corners[:, :2] - light.toward[:2] / max(float(light.toward[2]), 0.25) * corners[:, 2:]
    points = np.clip(view.see(np.column_stack([flat, np.zeros(len(flat))]))[0], -4000, 4000)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [cv2.convexHull(np.round(points * 8).astype(np.int32))], 255, cv2.LINE_AA, 3)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.5, 0.1 * radius_mm * view.scale_px_mm)), np.float32) / 255
    picture *= (1 - np.float32(strength) * soft)[..., None]
