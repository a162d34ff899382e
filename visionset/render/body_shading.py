"""Shading of bodies: skin, cloth and plastic, nails and the folds of knuckles."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.render.limbs import Decal, Part
from visionset.render.materials import Field
from visionset.render.pixels import Picture, noise
from visionset.render.stage import Light
from visionset.render.viewpoint import Viewpoint

GLOSS = {"skin": 0.022, "cloth": 0.0, "plastic": 0.12}
"""Share of the light that each matter mirrors."""

_TILE = 512


def folds(view: Viewpoint, part: Part, x: Field, y: Field) -> Field:
    """Creases across a sleeve, fixed to its start so that they move with the arm."""
    limb = part.limbs[0]
    ends, _, scale = view.see(np.stack([limb.start_mm, limb.end_mm]))
    axis = (ends[1] - ends[0]) / (np.linalg.norm(ends[1] - ends[0]) + 1e-6)
    u = ((x - ends[0, 0]) * axis[0] + (y - ends[0, 1]) * axis[1]) / scale[0]
    v = ((y - ends[0, 1]) * axis[0] - (x - ends[0, 0]) * axis[1]) / scale[0]
    rng = np.random.default_rng(0)
    table = noise(rng, 256, 256, (9.0, 9.0)) + 0.5 * noise(rng, 256, 256, (4.0, 4.0))
    crease = cv2.remap(
        table, (u * 0.55 + v * 0.22 + 512).astype(np.float32) % 250, (v * 0.35 + 512).astype(np.float32) % 250, cv2.INTER_LINEAR
    )
    hem = 1.6 * np.exp(-(((u - 9) / 8) ** 2))
    return np.asarray(2.2 * crease * np.clip((u - 6) / 30, 0, 1) + hem, np.float32)


def stick(view: Viewpoint, decal: Decal, x: Field, y: Field, where: NDArray[np.bool_], albedo: Picture, gloss: Field, tall: Field) -> Field:
    """Paint a nail or knuckle folds, in place on colour and gloss; return the changed height field."""
    points, _, _ = view.see(np.stack([decal.center_mm, decal.center_mm + decal.along_mm, decal.center_mm + decal.across_mm]))
    basis = np.column_stack([points[1] - points[0], points[2] - points[0]])
    if abs(np.linalg.det(basis)) < 1.0:
        return tall
    back = np.linalg.inv(basis).astype(np.float32)
    u = back[0, 0] * (x - np.float32(points[0, 0])) + back[0, 1] * (y - np.float32(points[0, 1]))
    v = back[1, 0] * (x - np.float32(points[0, 0])) + back[1, 1] * (y - np.float32(points[0, 1]))
    if decal.kind == "nail":
        shape = (np.abs(u) ** 2.6 + np.abs(v) ** 2.6).astype(np.float32)
        inside = np.clip((1 - shape) * 4, 0, 1) * where
        rim = np.exp(-(((shape - 1.1) / 0.22) ** 2)) * where
        tip = np.clip((u - 0.72) * 8, 0, 1) * inside
        nail = albedo * np.array([1.22, 1.1, 1.06], np.float32)
        albedo += inside[..., None] * (nail - albedo) + tip[..., None] * 0.12
        albedo *= (1 - 0.22 * rim)[..., None]
        gloss += inside * 0.03
        return np.asarray(tall - 0.25 * rim + 0.1 * inside, np.float32)
    blob = np.exp(-(u**2 + v**2) * 1.4) * where
    albedo *= np.exp(-blob[..., None] * np.array([0.24, 0.2, 0.06], np.float32))
    fold = np.sin(u * 9 + 1.5 * np.sin(v * 1.7)) * np.exp(-(u**2) * 1.6 - v**2 * 1.2) * where
    return np.asarray(tall + 0.22 * fold, np.float32)


def _grain(shape: tuple[int, ...], anchor: tuple[int, int], cell_px: float) -> Field:
    """Noise that is fixed to a body and moves with it."""
    tile = noise(np.random.default_rng(1), _TILE, _TILE, (cell_px, cell_px))
    rows, columns = (
        np.abs((np.arange(size) - start) % (2 * _TILE - 2) - (_TILE - 1)) for size, start in zip(shape, anchor[::-1], strict=True)
    )
    return tile[rows[:, None], columns[None, :]]


def shade(
    view: Viewpoint, light: Light, tall: Field, near: Field, albedo: Picture, cloth: Field, gloss: Field, anchor: tuple[int, int]
) -> Picture:
    """Light a body: diffuse with some light that seeps through skin, hollows darker, a little shine.

    Parameters
    ----------
    view, light
        Fine viewpoint and what shines.
    tall, near : ndarray
        Height towards the camera and distance from the outline, in millimetres.
    albedo, cloth, gloss : ndarray
        What each pixel is made of.
    anchor : tuple of int
        Pixel that moves with the body: its roughness moves along.
    """
    rough = _grain(tall.shape, anchor, 1.1 * view.scale_px_mm)
    down, right = np.gradient((tall + (0.05 + 0.12 * cloth) * rough) * np.float32(view.scale_px_mm))
    steep = np.sqrt(1 + right**2 + down**2)
    camera = np.stack([-right / steep, -down / steep, 1 / steep], axis=2).astype(np.float32)
    normal = camera @ view.rotation.astype(np.float32)
    toward = light.toward.astype(np.float32)
    facing = normal @ toward
    wrap = np.array([0.16, 0.22, 0.42], np.float32) * (1 - cloth[..., None]) + 0.12 * cloth[..., None]
    diffuse = np.maximum((facing[..., None] + wrap) / (1 + wrap), 0)
    floor = np.where(near < 0, tall, tall.min(initial=0.0, where=near < 0))
    small = cv2.resize(floor, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    hollow = np.zeros_like(tall)
    for reach in (3.0, 9.0):
        around = cv2.GaussianBlur(small, (0, 0), max(0.5, reach * view.scale_px_mm / 4))
        around = cv2.resize(around, floor.shape[::-1], interpolation=cv2.INTER_LINEAR)
        hollow += np.clip((around - tall) / (2.2 * reach), 0, 0.4)
    open_sky = np.clip(1 - hollow, 0.25, 1) * (0.62 + 0.38 * np.clip(normal[..., 2], 0, 1))
    mottle = 1 + 0.035 * _grain(tall.shape, anchor, 6 * view.scale_px_mm)
    half = toward + view.rotation[2].astype(np.float32)
    lobe = gloss * np.clip(normal @ (half / np.linalg.norm(half)), 0, 1) ** 18 * 3
    lamp, ambient = (np.array(c[::-1], np.float32) for c in (light.lamp_rgb, light.ambient_rgb))
    bounce = np.array([0.04, 0.05, 0.06], np.float32) * np.clip(-normal[..., 2:] + 0.4, 0, 1)
    straight = float(light.toward[2])
    shadowed = np.clip(1 - 1.2 * hollow, 0.35, 1)
    radiance = albedo * mottle[..., None] * ((diffuse * shadowed[..., None]) * lamp / straight + open_sky[..., None] * ambient + bounce)
    return np.asarray(radiance + lobe[..., None] * lamp, np.float32)
