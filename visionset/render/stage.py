"""Stage: things laid on a believable table, lit by one lamp or window, seen from a viewpoint, in linear light.

Everything is painted at twice the picture's resolution and averaged down, so edges and stripes blur as in a camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad, apply
from visionset.render.faces import Face
from visionset.render.layouts import Spot
from visionset.render.materials import TablePainter
from visionset.render.pixels import Field, Picture
from visionset.render.viewpoint import Viewpoint

FINER = 2
"""Pixels painted along each side of one pixel of the picture."""

TEXTURE_LIMIT_PX = 14e6
"""Most pixels of a painted table top; larger tables are painted more coarsely."""

CARD_GLOSS, CARD_POLISH = 0.05, 14.0
"""Linen-finished card stock mirrors little and broadly."""

STEEPEST = 6.0
"""Greatest slope that a thing in the air is lit with."""

NOBODY = -1
"""Owner of the bare table."""

COVER = -2
"""Owner of everything that is not a card of the truth."""


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp or window, and what comes from everywhere."""

    lamp_mm: tuple[float, float, float] = (-500.0, -900.0, 1300.0)
    """Place of the lamp."""
    lamp_rgb: tuple[float, float, float] = (0.62, 0.6, 0.56)
    ambient_rgb: tuple[float, float, float] = (0.36, 0.38, 0.41)
    """Linear strength at the table's origin; together about 1."""
    sun_mm: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Polygons on the table that the lamp shines on; empty: everywhere."""
    penumbra_mm: float = 4.0
    """Softness of those polygons' edges."""

    @property
    def toward(self) -> Floats:
        """Unit vector from the table's origin to the lamp."""
        lamp = np.array(self.lamp_mm)
        return np.asarray(lamp / np.linalg.norm(lamp))

    @property
    def ambient_share(self) -> float:
        """Part of the light on the table that comes from everywhere."""
        return float(np.sum(self.ambient_rgb) / np.sum(np.add(self.lamp_rgb, self.ambient_rgb)))

    @property
    def tint_bgr(self) -> Picture:
        """Light on white paper in the middle of the table."""
        return np.asarray(np.add(self.lamp_rgb, self.ambient_rgb)[::-1], np.float32)


@dataclass(frozen=True, slots=True)
class Pose:
    """How a flat thing lies: place, lift and bend."""

    place: Spot
    """Centre and turn on the table."""
    lift_mm: float = 0.5
    """How far the thing's centre is above the table: it shifts and softens the shadow."""
    roll_rad: float = 0.0
    """Turn of the thing about its own long axis; positive lifts its right side."""
    warp: tuple[float, float] = (0.0, 0.0)
    """Slope at the ends of a slightly bent card, across and along: it shades, but moves nothing."""

    def image_from_face(self, view: Viewpoint) -> Floats:
        """Homography from millimetres about the thing's centre to the picture."""
        cos, sin = np.cos(self.place.turn_rad), np.sin(self.place.turn_rad)
        right = np.array([cos * np.cos(self.roll_rad), sin * np.cos(self.roll_rad), np.sin(self.roll_rad)])
        down = np.array([-sin, cos, 0.0])
        return view.image_from_plane(np.array([self.place.x_mm, self.place.y_mm, self.lift_mm]), right, down)


@dataclass(slots=True, eq=False)
class Layers:
    """What is known of each fine pixel before it is lit; a window of it shares memory with the whole."""

    albedo: Picture
    slope: NDArray[np.float32]
    gloss: Field
    polish: Field
    cast: Field
    contact: Field
    owner: NDArray[np.int32]
    offset_px: tuple[int, int] = (0, 0)

    def window(self, left: int, top: int, right: int, bottom: int) -> Layers:
        """Return a part of the picture."""
        cut = (slice(top, bottom), slice(left, right))
        offset = (self.offset_px[0] + left, self.offset_px[1] + top)
        flat = (self.gloss[cut], self.polish[cut], self.cast[cut], self.contact[cut], self.owner[cut])
        return Layers(self.albedo[cut], self.slope[cut], *flat, offset)

    def copy(self) -> Layers:
        """Return layers that share no memory with these."""
        flat = (self.gloss.copy(), self.polish.copy(), self.cast.copy(), self.contact.copy(), self.owner.copy())
        return Layers(self.albedo.copy(), self.slope.copy(), *flat, self.offset_px)


def bare_table(
    rng: np.random.Generator, top: TablePainter, view: Viewpoint, turn_rad: float = 0.0, limit_px: float = TEXTURE_LIMIT_PX
) -> Layers:
    """Paint a table top of `limit_px` pixels at most, its grain turned by `turn_rad`, and look at it."""
    fine = view.finer(FINER)
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    material_from_table = np.array([[cos, sin], [-sin, cos]])
    ground = view.table_mm() @ material_from_table.T
    low, high = ground.min(axis=0) - 5, ground.max(axis=0) + 5
    nearest = float(view.see(np.column_stack([view.table_mm(), np.zeros(4)]))[2].max())
    px_mm = min(1.4 * nearest, float(np.sqrt(limit_px / np.prod(high - low))))
    width, height = (int(np.ceil(v)) for v in (high - low) * px_mm)
    material = top(rng, height, width, px_mm)
    rise = cv2.GaussianBlur(material.rise_mm, (0, 0), 1.0)
    down, right = np.gradient(rise * px_mm)
    slope = np.stack([cos * right - sin * down, sin * right + cos * down], axis=2).astype(np.float32)
    table_from_texture = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]) @ np.array(
        [[1 / px_mm, 0, low[0]], [0, 1 / px_mm, low[1]], [0, 0, 1]]
    )
    fine_from_texture = fine.image_from_table @ table_from_texture
    size = fine.size_px[::-1]
    return Layers(
        albedo=_look(material.albedo, fine_from_texture, fine, px_mm),
        slope=_look(slope, fine_from_texture, fine, px_mm),
        gloss=np.full(size, material.gloss, np.float32),
        polish=np.full(size, material.polish, np.float32),
        cast=np.ones(size, np.float32),
        contact=np.ones(size, np.float32),
        owner=np.full(size, NOBODY, np.int32),
    )


def _look(texture: NDArray[np.float32], fine_from_texture: Floats, fine: Viewpoint, px_mm: float) -> NDArray[np.float32]:
    """Warp a texture, each row of pixels from the level of its pyramid that suits its distance."""
    width, height = fine.size_px
    rows = np.column_stack([np.full(height, width / 2), np.arange(height)])
    spot = np.column_stack([apply(np.asarray(np.linalg.inv(fine.image_from_table), np.float64), rows), np.zeros(height)])
    _, _, scale = fine.see(spot)
    wanted = np.clip(np.log2(px_mm / (scale * np.sqrt(np.cos(np.radians(fine.tilt_deg))))), 0, 3)
    seen = np.zeros((height, width, texture.shape[2]), np.float32)
    for level in range(int(np.floor(wanted.min())), int(np.ceil(wanted.max())) + 1):
        small = texture
        for _ in range(level):
            small = np.asarray(cv2.pyrDown(small), np.float32)
        k = texture.shape[1] / small.shape[1], texture.shape[0] / small.shape[0]
        grow = np.array([[k[0], 0, k[0] / 2 - 0.5], [0, k[1], k[1] / 2 - 0.5], [0, 0, 1]])
        weight = np.clip(1 - np.abs(wanted - level), 0, 1).astype(np.float32)[:, None, None]
        picture = cv2.warpPerspective(
            small, fine_from_texture @ grow, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
        )
        seen += weight * picture
    return seen


def outline(view: Viewpoint, size_mm: tuple[float, float], pose: Pose) -> Quad:
    """Corners of a flat thing in the picture from its own top left, clockwise, shape (4, 2)."""
    corners_mm = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * np.array(size_mm) / 2
    return apply(pose.image_from_face(view), corners_mm)


def lay(layers: Layers, view: Viewpoint, light: Light, face: Face, pose: Pose, owner: int) -> None:
    """Put a flat thing down, in place, with its shadow on what lies there already."""
    fine = view.finer(FINER)
    quad = outline(fine, face.size_mm, pose)
    foot = Pose(pose.place, 0.0)
    reach = np.concatenate([quad, outline(fine, face.size_mm, foot)])
    margin = FINER * (6 + int(3 * pose.lift_mm * view.scale_px_mm))
    height, width = layers.owner.shape
    left, top = np.clip(np.floor(reach.min(axis=0)).astype(int) - margin, 0, [width, height])
    right, bottom = np.clip(np.ceil(reach.max(axis=0)).astype(int) + margin, 0, [width, height])
    if right - left < 2 or bottom - top < 2:
        return
    part = layers.window(left, top, right, bottom)
    size = (int(right - left), int(bottom - top))
    face_from_pixels = np.array([[face.size_mm[0] / face.cover.shape[1], 0, 0], [0, face.size_mm[1] / face.cover.shape[0], 0], [0, 0, 1]])
    center = np.array([[1, 0, 0.5 - face.cover.shape[1] / 2], [0, 1, 0.5 - face.cover.shape[0] / 2], [0, 0, 1]])
    window = np.array([[1.0, 0, -left], [0, 1, -top], [0, 0, 1]])
    place_in = window @ pose.image_from_face(fine) @ face_from_pixels @ center
    seen = cv2.warpPerspective(face.picture, place_in, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = np.asarray(cv2.warpPerspective(face.cover, place_in, size, flags=cv2.INTER_LINEAR), np.float32)

    k = fine.scale_px_mm
    toward = light.toward
    lift = max(pose.lift_mm, 0.3)
    away = -toward[:2] / toward[2] * lift
    shifted = Pose(Spot(pose.place.x_mm + away[0], pose.place.y_mm + away[1], pose.place.turn_rad), 0.0)
    dark = cv2.warpPerspective(face.cover, window @ shifted.image_from_face(fine) @ face_from_pixels @ center, size, flags=cv2.INTER_LINEAR)
    dark = cv2.GaussianBlur(dark, (0, 0), max(0.6, k * (0.25 + 0.12 * lift)))
    near = cv2.GaussianBlur(dark, (0, 0), max(0.8, k * (0.9 + 0.7 * lift)))
    part.cast *= 1 - 0.92 * dark
    part.contact *= 1 - 0.5 * near / (1 + 0.03 * lift)
    part.cast += alpha * (1 - part.cast)
    part.contact += alpha * (1 - part.contact)
    part.albedo += alpha[..., None] * (seen - part.albedo)
    part.gloss += alpha * (CARD_GLOSS - part.gloss)
    part.polish += alpha * (CARD_POLISH - part.polish)
    part.slope += alpha[..., None] * (_slope(pose, place_in, face, size) - part.slope)
    part.owner[alpha > 0.5] = owner


def _slope(pose: Pose, place_in: Floats, face: Face, size: tuple[int, int]) -> NDArray[np.float32]:
    """Slope of a bent card's surface in table coordinates, per pixel."""
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    back = np.linalg.inv(place_in).astype(np.float32)
    depth = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    u = (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / depth / face.cover.shape[1] * 2 - 1
    v = (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / depth / face.cover.shape[0] * 2 - 1
    steep = np.clip(np.tan(pose.roll_rad), -STEEPEST, STEEPEST)
    across, along = pose.warp[0] * np.clip(u, -1, 1) + steep, pose.warp[1] * np.clip(v, -1, 1)
    cos, sin = np.cos(pose.place.turn_rad), np.sin(pose.place.turn_rad)
    return np.stack([cos * across - sin * along, sin * across + cos * along], axis=2).astype(np.float32)
