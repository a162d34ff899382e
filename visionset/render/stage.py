"""Stage: things laid on a believable table, lit by one lamp or window, seen from a viewpoint, in linear light.

Everything is painted at twice the picture's resolution and averaged down, so edges and stripes blur as in a camera.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad, apply
from visionset.render.camera import Viewpoint
from visionset.render.faces import Face
from visionset.render.layouts import Spot, corners_mm
from visionset.render.materials import Material, TopPainter
from visionset.render.pixels import Field, Picture, blurred, filled, painted_row, shrunk, thrice, through, window_around

FINER = 2  # pixels painted along each side of one pixel of the picture
TEXTURE_LIMIT_PX = 14e6  # most pixels of a painted table top; larger tables are painted more coarsely
_CARD_GLOSS, _CARD_POLISH = 0.05, 14.0  # linen-finished card stock mirrors little and broadly
_STEEPEST = 6.0  # greatest slope that a thing in the air is lit with
NOBODY = -1  # owner of the bare table
COVER = -2  # owner of everything that is not a card of the truth


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp or window, and what comes from everywhere."""

    lamp_mm: tuple[float, float, float] = (-500.0, -900.0, 1300.0)  # place of the lamp
    lamp_rgb: tuple[float, float, float] = (0.62, 0.6, 0.56)  # linear strength of the lamp at the table's origin
    ambient_rgb: tuple[float, float, float] = (0.36, 0.38, 0.41)  # that of what comes from everywhere; with the lamp's about 1
    radius_mm: float = 200.0  # half the size of the lamp or window: large ones cast soft shadows
    sun_mm: tuple[tuple[tuple[float, float], ...], ...] = ()  # polygons on the table that the lamp shines on; empty: everywhere
    penumbra_mm: float = 4.0  # softness of those polygons' edges

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

    place: Spot  # centre and turn on the table
    lift_mm: float = 0.5  # how far the thing's centre is above the table: it shifts and softens the shadow
    roll_rad: float = 0.0  # turn of the thing about its own long axis; positive lifts its right side
    warp: tuple[float, float] = (0.0, 0.0)  # slope at the ends of a slightly bent card, across and along: it shades, but moves nothing

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
    slope: Field  # in table coordinates; shape (height, width, 2)
    gloss: Field  # strength of the highlight
    polish: Field  # its exponent
    cast: Field  # share of the lamp's light that arrives, 0 to 1
    contact: Field  # share of all other light that arrives, 0 to 1
    owner: NDArray[np.int32]  # number of the flat thing that is seen, `NOBODY` or `COVER`
    offset_px: tuple[int, int] = (0, 0)  # place of the window in the whole

    def window(self, left: int, top: int, right: int, bottom: int) -> Layers:
        """Return a part of the picture."""
        x, y = self.offset_px
        return self._each(lambda layer: layer[top:bottom, left:right], (x + left, y + top))

    def copy(self) -> Layers:
        """Return layers that share no memory with these."""
        return self._each(np.copy, self.offset_px)

    def _each(self, change: Callable[[Any], Any], offset_px: tuple[int, int]) -> Layers:
        layers: dict[str, Any] = {one.name: change(getattr(self, one.name)) for one in fields(self)[:-1]}
        return Layers(**layers, offset_px=offset_px)


def painted_ground(
    rng: np.random.Generator, top: TopPainter, view: Viewpoint, turn_rad: float, limit_px: float, margin_mm: float, fineness: float
) -> tuple[Material, Floats, float]:
    """Paint what is seen of a table and a margin, its grain turned, `fineness` pixels for the nearest one; its place and pixels a mm."""
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    ground = view.table_mm() @ np.array([[cos, -sin], [sin, cos]])
    low, high = ground.min(axis=0) - margin_mm, ground.max(axis=0) + margin_mm
    nearest = float(view.see(np.column_stack([view.table_mm(), np.zeros(4)]))[2].max())
    px_mm = min(fineness * nearest, float(np.sqrt(limit_px / np.prod(high - low))))
    width, height = (int(np.ceil(side)) for side in (high - low) * px_mm)
    grain_from_texture = np.array([[1 / px_mm, 0, low[0]], [0, 1 / px_mm, low[1]], [0, 0, 1]])
    table_from_texture = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]) @ grain_from_texture
    return top(rng, height, width, px_mm), table_from_texture, px_mm


def bare_table(
    rng: np.random.Generator, top: TopPainter, view: Viewpoint, turn_rad: float = 0.0, limit_px: float = TEXTURE_LIMIT_PX
) -> Layers:
    """Paint a table top of `limit_px` pixels at most, its grain turned by `turn_rad`, and look at it."""
    material, table_from_texture, px_mm = painted_ground(rng, top, view, turn_rad, limit_px, 5.0, 1.4)
    fine = view.finer(FINER)
    fine_from_texture = fine.image_from_table @ table_from_texture
    albedo = _look(material.albedo.astype(np.float32, copy=False), fine_from_texture, fine, px_mm)
    turned = np.zeros((*albedo.shape[:2], 2), np.float32)
    if material.rise_mm.any():  # else it is even
        down, right = np.gradient(blurred(material.rise_mm, 1.0) * px_mm)
        turn = table_from_texture[:2, :2].T * px_mm
        slope = cv2.merge([(right * turn[0, axis] + down * turn[1, axis]).astype(np.float32) for axis in (0, 1)])
        turned = _look(np.asarray(slope), fine_from_texture, fine, px_mm)
    gloss, polish, cast, contact = (np.full(albedo.shape[:2], level, np.float32) for level in (material.gloss, material.polish, 1.0, 1.0))
    return Layers(albedo, turned, gloss, polish, cast, contact, np.full(albedo.shape[:2], NOBODY, np.int32))


def _look(texture: Field, fine_from_texture: Floats, fine: Viewpoint, px_mm: float) -> Field:
    """Warp a texture, each row of pixels from the level of its pyramid that suits its distance."""
    width, height = fine.size_px
    x, y = through(fine.image_from_table, np.full(height, width / 2), np.arange(height))
    _, _, scale = fine.see(np.column_stack([x, y, np.zeros(height)]))
    wanted = np.clip(np.log2(px_mm / (scale * np.sqrt(np.cos(np.radians(fine.tilt_deg))))), 0, 3)
    seen = np.zeros((height, width, texture.shape[2]), np.float32)
    small, first = texture, int(np.floor(wanted.min()))
    for level in range(int(np.ceil(wanted.max())) + 1):
        small = np.asarray(cv2.pyrDown(small), np.float32) if level else small
        if level < first:
            continue
        k = texture.shape[1] / small.shape[1], texture.shape[0] / small.shape[0]
        from_small = fine_from_texture @ np.array([[k[0], 0, k[0] / 2 - 0.5], [0, k[1], k[1] / 2 - 0.5], [0, 0, 1]])
        weight = np.clip(1 - np.abs(wanted - level), 0, 1).astype(np.float32)[:, None, None]
        seen += weight * cv2.warpPerspective(small, from_small, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return seen


def outline(view: Viewpoint, size_mm: tuple[float, float], pose: Pose) -> Quad:
    """Corners of a flat thing in the picture from its own top left, clockwise, shape (4, 2)."""
    return apply(pose.image_from_face(view), corners_mm(Spot(0.0, 0.0, 0.0), size_mm))


def shadow_of(pose: Pose, light: Light, lift_mm: float) -> Pose:
    """Where the lamp's shadow of a thing at some height falls."""
    x, y = np.array([pose.place.x_mm, pose.place.y_mm]) - light.toward[:2] / light.toward[2] * lift_mm
    return Pose(Spot(float(x), float(y), pose.place.turn_rad), 0.0)


def lay(layers: Layers, view: Viewpoint, light: Light, face: Face, pose: Pose, owner: int) -> None:
    """Put a flat thing down, in place, with its shadow on what lies there already."""
    fine = view.finer(FINER)
    reach = np.concatenate([outline(fine, face.size_mm, one) for one in (pose, Pose(pose.place, 0.0))])
    window = window_around(reach, FINER * (6 + int(3 * pose.lift_mm * view.scale_px_mm)), layers.owner.shape[::-1])
    if window is None:
        return
    left, top, right, bottom = window
    part, size = layers.window(*window), (right - left, bottom - top)
    (rows, columns), (width, height) = face.cover.shape, face.size_mm
    k_x, k_y = width / columns, height / rows
    face_from_pixels = np.array([[k_x, 0, (k_x - width) / 2], [0, k_y, (k_y - height) / 2], [0, 0, 1]])
    shift = np.array([[1.0, 0, -left], [0, 1, -top], [0, 0, 1]])

    def seen_at(pose: Pose) -> Floats:
        return np.asarray(shift @ pose.image_from_face(fine) @ face_from_pixels)

    def warped(picture: Picture, place_in: Floats, border: int = cv2.BORDER_CONSTANT) -> Field:
        return np.asarray(cv2.warpPerspective(picture, place_in, size, flags=cv2.INTER_LINEAR, borderMode=border), np.float32)

    place_in = seen_at(pose)
    seen, alpha = warped(face.picture, place_in, cv2.BORDER_REPLICATE), warped(face.cover, place_in)
    k, lift = fine.scale_px_mm, max(pose.lift_mm, 0.3)
    dark = blurred(warped(face.cover, seen_at(shadow_of(pose, light, lift))), max(0.6, k * (0.25 + 0.12 * lift)))
    near = blurred(dark, max(0.8, k * (0.9 + 0.7 * lift)))
    part.cast *= 1 - 0.92 * dark
    part.contact *= 1 - 0.5 * near / (1 + 0.03 * lift)
    u, v = through(place_in, np.arange(size[0], dtype=np.float32)[None], np.arange(size[1], dtype=np.float32)[:, None])
    u, v = (np.clip(at / side * 2 - 1, -1, 1) for at, side in zip((u, v), face.cover.shape[::-1], strict=True))
    across, along = pose.warp[0] * u + np.clip(np.tan(pose.roll_rad), -_STEEPEST, _STEEPEST), pose.warp[1] * v
    cos, sin = np.cos(pose.place.turn_rad), np.sin(pose.place.turn_rad)
    slope = np.asarray(cv2.merge([one.astype(np.float32) for one in (cos * across - sin * along, sin * across + cos * along)]))
    for layer, value in ((part.cast, 1.0), (part.contact, 1.0), (part.gloss, _CARD_GLOSS), (part.polish, _CARD_POLISH)):
        layer += alpha * (value - layer)
    part.albedo += thrice(alpha) * (seen - part.albedo)
    part.slope += np.asarray(cv2.merge((alpha, alpha))) * (slope - part.slope)
    part.owner[alpha > 0.5] = owner


def on_table(view: Viewpoint, offset_px: tuple[int, int], shape: tuple[int, int]) -> tuple[Field, Field]:
    """Table millimetres, x and y, of each pixel of a window of the picture."""
    x = (np.arange(shape[1], dtype=np.float32) + offset_px[0])[None, :]
    y = (np.arange(shape[0], dtype=np.float32) + offset_px[1])[:, None]
    return through(view.image_from_table, x, y)


def _unit(x: Field, y: Field, z: Field | float) -> tuple[Field, Field, Field]:
    length = np.sqrt(x * x + y * y + z * z)
    return np.asarray(x / length, np.float32), np.asarray(y / length, np.float32), np.asarray(z / length, np.float32)


def lit(layers: Layers, view: Viewpoint, light: Light) -> tuple[Field, Field]:
    """Light of each picture pixel of layers, or of a window of them with even sides: of the lamp, and of everything else.

    Both add up to 1 on white paper under full light. Apart, because a hand that comes later takes more from the one than from the other.
    """
    fine = view.finer(FINER)
    height, width = layers.owner.shape
    sun = [apply(fine.image_from_table, np.array(polygon, np.float64)) - np.array(layers.offset_px) for polygon in light.sun_mm]
    cast = layers.cast * blurred(filled((width, height), sun), max(0.5, light.penumbra_mm * fine.scale_px_mm)) if sun else layers.cast
    layers = replace(layers, cast=cast)
    bands = [layers.window(0, top, width, min(top + _BAND, height)) for top in range(0, height, _BAND)]
    direct, around = zip(*(_lit(band, fine, light) for band in bands), strict=True)
    return np.concatenate(direct), np.concatenate(around)


_BAND = 32 * FINER
"""Rows that are lit at once: few enough that what is reckoned of them stays near the processor, which takes half the time."""


def _lit(layers: Layers, fine: Viewpoint, light: Light) -> tuple[Field, Field]:
    """Light of some rows, whose `cast` has the edges of the sunlight in it."""
    shape = layers.owner.shape
    x, y = on_table(fine, layers.offset_px, shape)
    lamp, eye = np.array(light.lamp_mm, np.float32), fine.eye_mm.astype(np.float32)
    to_x, to_y = lamp[0] - x, lamp[1] - y
    falloff = float(np.sum(lamp**2)) / (to_x**2 + to_y**2 + lamp[2] ** 2)
    to_x, to_y, to_z = _unit(to_x, to_y, float(lamp[2]))
    n_x, n_y, n_z = _unit(-layers.slope[..., 0], -layers.slope[..., 1], 1.0)
    diffuse = np.maximum(n_x * to_x + n_y * to_y + n_z * to_z, 0) * falloff / np.float32(light.toward[2])
    eye_x, eye_y, eye_z = _unit(eye[0] - x, eye[1] - y, float(eye[2]))
    half_x, half_y, half_z = _unit(to_x + eye_x, to_y + eye_y, to_z + eye_z)
    cosine = np.clip(n_x * half_x + n_y * half_y + n_z * half_z, 0, 1)
    lobe = layers.gloss * np.exp(layers.polish * (cosine - 1) * 4) * falloff * 4
    grazing = layers.gloss * (1 - np.clip(eye_z, 0, 1)) ** 3 * 6
    arriving = thrice(layers.cast) * painted_row(light.lamp_rgb[::-1], shape[1])
    around = thrice(layers.contact) * painted_row(light.ambient_rgb[::-1], shape[1])
    size = (shape[1] // FINER, shape[0] // FINER)
    direct = shrunk((layers.albedo * thrice(diffuse) + thrice(lobe)) * arriving, size)
    return direct, shrunk((layers.albedo + thrice(grazing)) * around, size)
