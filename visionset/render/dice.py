"""Dice on a rendered table: rounded cubes and other convex bodies under a pinhole camera, by marching along each pixel's ray."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad, apply
from visionset.pieces import PipDie, SetDie
from visionset.render.camera import Viewpoint
from visionset.render.die_faces import FACE_PX, DieStyle
from visionset.render.layouts import Cell, Spot
from visionset.render.pixels import Field, Picture, blurred, filled, shrunk, thrice, window_around
from visionset.render.stage import Light

_MARCH_STEPS = 10
_HIT = 0.004  # distance in half sides at which a ray has arrived
_FINE_PX = 130  # a die is drawn twice as finely as it is seen, but not beyond this many pixels across
_BAND_POINTS = 16384  # marched to at once; BLAS would spread the products of more over threads, which cost more than they win
_REMAP_LIMIT = 30000  # OpenCV looks up no wider rows than 32767


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A convex body about 0 whose faces touch the ball of radius 1."""

    faces: Floats  # of each face the print's right, the print's down and the way out; float64, shape (n, 3, 3)
    corners: Floats  # shape (k, 3); those of a cube are the top face's clockwise as seen from above, then the bottom face's


_SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
_X, _Y, _Z = np.eye(3)
CUBE = Solid(
    np.array([[_X, _Y, _Z], [_X, _Y, -_Z], [_Y, -_Z, _X], [_Y, -_Z, -_X], [_X, -_Z, _Y], [_X, -_Z, -_Y]]),
    np.concatenate([np.column_stack([_SQUARE, np.full(4, z)]) for z in (1.0, -1.0)]),
)


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """One die on the table."""

    piece: PipDie | SetDie | None  # its top face; None for one of another game
    style: DieStyle
    atlas: NDArray[np.float32]  # faces, of a cube top, bottom, left, right, far, near; float32, shape (n, 96, 96, 3)
    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_rad: float = 0.0
    lift_mm: float = 0.0  # how far its lowest point would be above the table if it stood upright; 0 unless it flies
    tumble: Floats | None = None  # rotation in the air, after the turn; float64, shape (3, 3), or None
    cell: Cell | None = None  # row and column in the crossword
    solid: Solid = CUBE

    @property
    def size_mm(self) -> tuple[float, float]:
        """Footprint."""
        return self.style.size_mm, self.style.size_mm

    @property
    def half_mm(self) -> float:
        """Half the side."""
        return self.style.size_mm / 2

    @property
    def center_mm(self) -> Floats:
        """Middle of the cube, shape (3,)."""
        return np.array([self.x_mm, self.y_mm, self.half_mm + self.lift_mm])

    def at(self, place: Spot) -> Die:
        """The same die elsewhere."""
        return replace(self, x_mm=place.x_mm, y_mm=place.y_mm, turn_rad=place.turn_rad)

    def rotation(self) -> Floats:
        """Columns: the die's axes in table coordinates."""
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        upright = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
        return upright if self.tumble is None else np.asarray(self.tumble @ upright)

    def corners_mm(self) -> Floats:
        """Corners of its body, shape (8, 3) for a cube: those of the top face come first."""
        return np.asarray(self.solid.corners @ self.rotation().T * self.half_mm + self.center_mm)


def top_quad(view: Viewpoint, die: Die) -> Quad:
    """Corners of the top face in the picture, shape (4, 2)."""
    return view.see(die.corners_mm()[:4])[0]


def draw_die(picture: Picture, view: Viewpoint, die: Die, light: Light) -> None:
    """Put a die on the table, in place; farther ones first, their shadows before (`cast_shadow`)."""
    window = window_around(view.see(die.corners_mm())[0], 1.0, picture.shape[1::-1])
    if window is None:
        return
    left, upper, right, lower = window
    size = (right - left, lower - upper)
    fine = 2 if max(size) <= _FINE_PX else 1
    xs, ys = (first - 0.5 + (np.arange(count * fine) + 0.5) / fine for first, count in zip((left, upper), size, strict=True))
    rows = max(1, _BAND_POINTS // len(xs))
    bands = [_march(view, die, light, *np.meshgrid(xs, ys[top : top + rows])) for top in range(0, len(ys), rows)]
    seen, cover = (shrunk(np.concatenate(parts), size) for parts in zip(*bands, strict=True))
    patch = picture[upper:lower, left:right]
    through = die.style.glow * 0.35 * die.style.body_bgr / max(float(die.style.body_bgr.max()), 1e-3)
    patch *= 1 - cover[..., None] * (1 - through)
    patch += seen


def _march(view: Viewpoint, die: Die, light: Light, x: Floats, y: Floats) -> tuple[Picture, Field]:
    """Radiance, premultiplied, and coverage of a grid of picture points."""
    style, outward = die.style, die.solid.faces[:, 2]
    axes, way = die.rotation(), view.rotation
    a, b = ((at - c) / (view.scale_px_mm * view.distance_mm) for at, c in zip((x, y), view.center_px, strict=True))
    ray = (a[..., None] * way[0] + b[..., None] * way[1] - way[2]).reshape(-1, 3) @ axes
    ray /= np.linalg.norm(ray, axis=1, keepdims=True)
    eye = (view.eye_mm - die.center_mm) @ axes / die.half_mm
    against = outward @ ray.T  # rows of coordinates from here on: numpy is slow along short axes
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = (1 - outward @ eye)[:, None] / against
    enter, leave = np.where(against < 0, reach, -np.inf).max(axis=0), np.where(against > 0, reach, np.inf).min(axis=0)
    inside = np.flatnonzero(enter < leave)
    radiance, cover = np.zeros((x.size, 3), np.float32), np.zeros(x.size, np.float32)
    along, rows, start = enter[inside], np.ascontiguousarray(ray[inside].T), eye[:, None]
    rounding = style.round_mm / die.half_mm
    for _ in range(_MARCH_STEPS):
        point = start + along * rows
        out = outward @ point - (1 - rounding)
        gap = np.sqrt(np.square(np.maximum(out, 0)).sum(axis=0)) + np.minimum(out.max(axis=0), 0) - rounding
        gap = np.maximum(gap, np.sqrt(np.square(point).sum(axis=0)) - style.ball)
        along = along + np.maximum(gap, 0)
    hit = gap < 8 * _HIT
    inside, point, rows = inside[hit], point[:, hit], rows[:, hit]
    if len(inside):
        normal = outward.T @ np.maximum(outward @ point - (1 - rounding), 1e-6)
        on_ball = np.sqrt(np.square(point).sum(axis=0)) > style.ball - 2 * _HIT
        normal[:, on_ball] = point[:, on_ball]
        normal /= np.sqrt(np.square(normal).sum(axis=0))
        toward = light.toward @ axes
        facing = np.clip(toward @ normal, 0, None) / max(float(toward[2]), 0.2)
        low = np.clip((point[2] + 1) / 1.2, 0, 1)
        shine_on = light.ambient_share * (0.55 + 0.45 * normal[2]) * (0.55 + 0.45 * low) + (1 - light.ambient_share) * facing
        if style.glow:
            shine_on = shine_on * (1 - 0.5 * style.glow) + style.glow * (0.35 + 0.5 * (1 - np.clip(-(normal * rows).sum(axis=0), 0, 1)))
        half = toward[:, None] - rows
        half /= np.sqrt(np.square(half).sum(axis=0))
        shine = style.gloss * np.clip((normal * half).sum(axis=0), 0, 1) ** style.sharp
        radiance[inside] = _albedo(die, view, point, normal) * shine_on[:, None] + shine[:, None]
        cover[inside] = 1
    return radiance.reshape(*x.shape, 3), cover.reshape(x.shape)


def _albedo(die: Die, view: Viewpoint, point: Floats, normal: Floats) -> NDArray[np.float32]:
    """Look the print up: each point, a column, belongs to the face whose way out its normal follows most."""
    faces = die.solid.faces
    face = (faces[:, 2] @ normal).argmax(axis=0)
    size_px = 2 * die.half_mm * view.see(die.center_mm[None])[2][0]
    atlas, side = die.atlas, FACE_PX
    while side > 1.6 * 2 * size_px and side > 12:
        side //= 2
    if side != FACE_PX:
        atlas = np.stack([shrunk(one, (side, side)) for one in atlas])
    place = (np.einsum("nij,jn->in", faces[face, :2], point) + 1) / 2 * side - 0.5
    u, v = np.clip(place, 0, side - 1) + np.stack([np.zeros(len(face)), face * side])
    sheet, maps = atlas.reshape(-1, side, 3), np.stack([u, v]).astype(np.float32)[:, None]
    parts = [maps[:, :, at : at + _REMAP_LIMIT] for at in range(0, len(face), _REMAP_LIMIT)]
    looked = [cv2.remap(sheet, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0] for across, down in parts]
    return np.asarray(np.concatenate(looked), np.float32)


def cast_shadow(picture: Picture, view: Viewpoint, dice: list[Die], light: Light, strength: float, soft_mm: float) -> None:
    """Darken the table beside dice, in place: the lamp's shadow and the contact shadow."""
    cast: list[Floats] = []
    contact: list[Floats] = []
    for die in dice:
        corners = die.corners_mm()
        flat = corners[:, :2] - light.toward[:2] / max(float(light.toward[2]), 0.25) * corners[:, 2:]
        foot = corners[corners[:, 2] < die.lift_mm + 0.1 * die.half_mm, :2]
        resting = die.tumble is None and die.lift_mm <= 0
        for masks, points in ((cast, flat), (contact, (foot - foot.mean(axis=0)) * 1.12 + foot.mean(axis=0)))[: 1 + resting]:
            seen = np.clip(apply(view.image_from_table, points), -4000, 4000)
            masks.append(np.asarray(cv2.convexHull(seen.astype(np.float32))[:, 0], np.float64))
    size, scale = picture.shape[1::-1], view.scale_px_mm
    dark, near = (blurred(filled(size, hulls), max(0.5, mm * scale)) for hulls, mm in ((cast, soft_mm), (contact, 1.3)))
    picture *= thrice((1 - strength * dark) * (1 - 0.35 * near))
