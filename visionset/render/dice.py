"""Dice on a rendered table: rounded cubes under a pinhole camera, by marching along each pixel's ray.

A quick renderer for training pictures and samples; `visionset render --physical` asks Mitsuba for better light.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad, apply
from visionset.pieces import PipDie, SetDie
from visionset.render.die_faces import FACE_PX, DieStyle
from visionset.render.layouts import Cell, Spot
from visionset.render.pixels import Picture
from visionset.render.stage import Light
from visionset.render.viewpoint import Viewpoint

_MARCH_STEPS = 10
_HIT = 0.004
"""Distance in half sides at which a ray has arrived."""

_FINE_PX = 130
"""A die is drawn twice as finely as it is seen, but not beyond this many pixels across."""


@dataclass(frozen=True, slots=True, eq=False)
class Die:
    """One die on the table."""

    piece: PipDie | SetDie
    """Its top face."""
    style: DieStyle
    atlas: NDArray[np.float32]
    """Faces: top, bottom, left, right, far, near; float32, shape (6, 96, 96, 3)."""
    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_rad: float = 0.0
    lift_mm: float = 0.0
    """How far its lowest point would be above the table if it stood upright; 0 unless it flies."""
    tumble: Floats | None = None
    """Rotation in the air, after the turn; float64, shape (3, 3), or None."""
    cell: Cell | None = None
    """Row and column in the crossword."""

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
        """Top face clockwise as seen from above, then the bottom face, shape (8, 3)."""
        flat = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
        cube = np.concatenate([np.column_stack([flat, np.full(4, z)]) for z in (1.0, -1.0)])
        return np.asarray(cube @ self.rotation().T * self.half_mm + self.center_mm)


def top_quad(view: Viewpoint, die: Die) -> Quad:
    """Corners of the top face in the picture, shape (4, 2)."""
    return view.see(die.corners_mm()[:4])[0]


def draw_die(picture: Picture, owner: NDArray[np.int32], number: int, view: Viewpoint, die: Die, light: Light) -> None:
    """Put a die on the table, in place; farther ones first, their shadows before (`cast_shadow`)."""
    corners_px = view.see(die.corners_mm())[0]
    height, width = picture.shape[:2]
    low, high = np.floor(corners_px.min(axis=0)).astype(int) - 1, np.ceil(corners_px.max(axis=0)).astype(int) + 2
    left, top = int(max(low[0], 0)), int(max(low[1], 0))
    right, bottom = int(min(high[0], width)), int(min(high[1], height))
    if right - left < 2 or bottom - top < 2:
        return
    fine = 2 if max(right - left, bottom - top) <= _FINE_PX else 1
    xs = left - 0.5 + (np.arange((right - left) * fine) + 0.5) / fine
    ys = top - 0.5 + (np.arange((bottom - top) * fine) + 0.5) / fine
    seen, cover = _march(view, die, light, *np.meshgrid(xs, ys))
    if fine > 1:
        seen = np.asarray(cv2.resize(seen, (right - left, bottom - top), interpolation=cv2.INTER_AREA), np.float32)
        cover = np.asarray(cv2.resize(cover, (right - left, bottom - top), interpolation=cv2.INTER_AREA), np.float32)
    patch = picture[top:bottom, left:right]
    through = die.style.glow * 0.35 * die.style.body_bgr / max(float(die.style.body_bgr.max()), 1e-3)
    patch *= 1 - cover[..., None] * (1 - through)
    patch += seen
    owner[top:bottom, left:right][cover > 0.5] = number


def _march(view: Viewpoint, die: Die, light: Light, x: Floats, y: Floats) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Radiance, premultiplied, and coverage of a grid of picture points."""
    style = die.style
    axes, way = die.rotation(), view.rotation
    a, b = (x - view.center_px[0]) / (view.scale_px_mm * view.distance_mm), (y - view.center_px[1]) / (view.scale_px_mm * view.distance_mm)
    ray = (a[..., None] * way[0] + b[..., None] * way[1] - way[2]).reshape(-1, 3) @ axes
    ray /= np.linalg.norm(ray, axis=1, keepdims=True)
    eye = (view.eye_mm - die.center_mm) @ axes / die.half_mm
    with np.errstate(divide="ignore", invalid="ignore"):
        near, far = ((side - eye[:, None]) / ray.T for side in (-1, 1))  # rows of coordinates: numpy is slow along short axes
    enter = np.fmax.reduce(np.minimum(near, far))
    leave = np.fmin.reduce(np.maximum(near, far))
    inside = np.flatnonzero(enter < leave)
    radiance = np.zeros((x.size, 3), np.float32)
    cover = np.zeros(x.size, np.float32)
    ray, along = ray[inside], enter[inside]
    rounding = style.round_mm / die.half_mm
    core = 1 - rounding
    rows, start = np.ascontiguousarray(ray.T), eye[:, None]
    for _ in range(_MARCH_STEPS):
        point = start + along * rows
        out = np.abs(point) - core
        gap = _length(np.maximum(out, 0)) + np.minimum(out.max(axis=0), 0) - rounding
        gap = np.maximum(gap, _length(point) - style.ball)
        along = along + np.maximum(gap, 0)
    point = np.ascontiguousarray(point.T)
    hit = gap < 8 * _HIT
    inside, point, ray = inside[hit], point[hit], ray[hit]
    if not len(inside):
        return radiance.reshape(*x.shape, 3), cover.reshape(x.shape)
    normal = np.sign(point) * np.maximum(np.abs(point) - core, 1e-6)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    on_ball = np.linalg.norm(point, axis=1) > style.ball - 2 * _HIT
    normal[on_ball] = point[on_ball] / np.linalg.norm(point[on_ball], axis=1, keepdims=True)
    albedo = _albedo(die, view, point, normal)
    toward = light.toward @ axes
    facing = np.clip(normal @ toward, 0, None) / max(float(toward[2]), 0.2)
    sky = 0.55 + 0.45 * normal[:, 2]
    low = np.clip((point[:, 2] + 1) / 1.2, 0, 1)
    shine_on = light.ambient_share * sky * (0.55 + 0.45 * low) + (1 - light.ambient_share) * facing
    if style.glow:
        shine_on = shine_on * (1 - 0.5 * style.glow) + style.glow * (0.35 + 0.5 * (1 - np.clip(-(normal * ray).sum(axis=1), 0, 1)))
    half = toward - ray
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    shine = style.gloss * np.clip((normal * half).sum(axis=1), 0, 1) ** style.sharp
    radiance[inside] = albedo * shine_on[:, None] + shine[:, None]
    cover[inside] = 1
    return radiance.reshape(*x.shape, 3), cover.reshape(x.shape)


def _length(rows: Floats) -> Floats:
    """Lengths of n vectors, shape (3, n) to (n,)."""
    x, y, z = rows
    return np.asarray(np.sqrt(x * x + y * y + z * z))


def _albedo(die: Die, view: Viewpoint, point: Floats, normal: Floats) -> NDArray[np.float32]:
    """Look the print up: each point belongs to the face whose axis its normal follows most."""
    axis = np.abs(normal).argmax(axis=1)
    rows = np.arange(len(point))
    face = 2 * ((axis + 1) % 3) + (point[rows, axis] < 0)
    across = np.where(axis == 0, point[:, 1], point[:, 0])
    down = np.where(axis == 2, point[:, 1], -point[:, 2])
    size_px = 2 * die.half_mm * view.see(die.center_mm[None])[2][0]
    atlas, side = die.atlas, FACE_PX
    while side > 1.6 * 2 * size_px and side > 12:
        side //= 2
    if side != FACE_PX:
        atlas = np.stack([cv2.resize(one, (side, side), interpolation=cv2.INTER_AREA) for one in atlas])
    u = (across + 1) / 2 * side - 0.5
    v = np.clip((down + 1) / 2 * side - 0.5, 0, side - 1) + face * side
    sheet = atlas.reshape(6 * side, side, 3)
    maps = (np.clip(u, 0, side - 1).astype(np.float32)[None], v.astype(np.float32)[None])
    looked = [  # remap is limited to 32767 columns
        cv2.remap(sheet, maps[0][:, at : at + 30000], maps[1][:, at : at + 30000], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0]
        for at in range(0, len(point), 30000)
    ]
    return np.asarray(np.concatenate(looked), np.float32)


def cast_shadow(picture: Picture, view: Viewpoint, dice: list[Die], light: Light, strength: float, soft_mm: float) -> None:
    """Darken the table beside dice, in place: the lamp's shadow and the contact shadow."""
    size = picture.shape[1::-1]
    cast, contact = np.zeros(size[::-1], np.uint8), np.zeros(size[::-1], np.uint8)
    for die in dice:
        corners = die.corners_mm()
        flat = corners[:, :2] - light.toward[:2] / max(float(light.toward[2]), 0.25) * corners[:, 2:]
        foot = (corners[4:, :2] - [die.x_mm, die.y_mm]) * 1.12 + [die.x_mm, die.y_mm]
        for mask, points in ((cast, flat), (contact, foot))[: 1 if die.tumble is not None or die.lift_mm > 0 else 2]:
            seen = np.clip(apply(view.image_from_table, points), -4000, 4000)
            hull = cv2.convexHull(np.round(seen * 8).astype(np.int32))
            cv2.fillPoly(mask, [hull], 255, cv2.LINE_AA, 3)
    scale = view.scale_px_mm
    dark = np.asarray(cv2.GaussianBlur(cast, (0, 0), max(0.5, soft_mm * scale)), np.float32) / 255
    near = np.asarray(cv2.GaussianBlur(contact, (0, 0), max(0.5, 1.3 * scale)), np.float32) / 255
    picture *= ((1 - strength * dark) * (1 - 0.35 * near))[..., None]
