"""Lighting: from painted layers to the light that reaches the camera."""

from __future__ import annotations

import cv2
import numpy as np

from visionset.geometry import Floats, apply
from visionset.render.pixels import Field, Picture
from visionset.render.stage import FINER, Layers, Light
from visionset.render.viewpoint import Viewpoint


def table_points(view: Viewpoint, offset_px: tuple[int, int], shape: tuple[int, int]) -> tuple[Field, Field]:
    """Table millimetres, x and y, of each pixel of a window of the picture."""
    back = np.linalg.inv(view.image_from_table).astype(np.float32)
    x = (np.arange(shape[1], dtype=np.float32) + offset_px[0])[None, :]
    y = (np.arange(shape[0], dtype=np.float32) + offset_px[1])[:, None]
    depth = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    return (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / depth, (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / depth


def sunlit(view: Viewpoint, light: Light, offset_px: tuple[int, int], shape: tuple[int, int]) -> Field:
    """Share of the lamp that reaches each pixel of the table through a window."""
    if not light.sun_mm:
        return np.ones(shape, np.float32)
    mask = np.zeros(shape, np.uint8)
    for polygon in light.sun_mm:
        points: Floats = apply(view.image_from_table, np.array(polygon, np.float64)) - np.array(offset_px)
        cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), max(0.5, light.penumbra_mm * view.scale_px_mm))
    return np.asarray(soft / 255, np.float32)


def _unit(x: Field, y: Field, z: Field | float) -> tuple[Field, Field, Field]:
    length = np.sqrt(x * x + y * y + z * z)
    return np.asarray(x / length, np.float32), np.asarray(y / length, np.float32), np.asarray(z / length, np.float32)


def lit(layers: Layers, view: Viewpoint, light: Light) -> tuple[Picture, Picture]:
    """Light of each picture pixel: diffuse light and a mirrored lobe, averaged down from the fine layers.

    Parameters
    ----------
    layers : Layers
        The whole picture or a window of it with even offset and size.

    Returns
    -------
    lamp, ambient : ndarray of float32, shape (height, width, 3)
        What the lamp and what everything else gives, linear BGR; they add up to 1 on white paper under full light.
        Apart, because a hand that comes later takes more from the one than from the other.
    """
    fine = view.finer(FINER)
    shape = layers.owner.shape
    x, y = table_points(fine, layers.offset_px, shape)
    lamp = np.array(light.lamp_mm, np.float32)
    to_x, to_y = lamp[0] - x, lamp[1] - y
    falloff = float(np.sum(lamp**2)) / (to_x**2 + to_y**2 + lamp[2] ** 2)
    to_x, to_y, to_z = _unit(to_x, to_y, float(lamp[2]))
    n_x, n_y, n_z = _unit(-layers.slope[..., 0], -layers.slope[..., 1], 1.0)
    diffuse = np.maximum(n_x * to_x + n_y * to_y + n_z * to_z, 0) * falloff / np.float32(light.toward[2])
    eye = view.eye_mm.astype(np.float32)
    eye_x, eye_y, eye_z = _unit(eye[0] - x, eye[1] - y, float(eye[2]))
    half_x, half_y, half_z = _unit(to_x + eye_x, to_y + eye_y, to_z + eye_z)
    cosine = np.clip(n_x * half_x + n_y * half_y + n_z * half_z, 0, 1)
    lobe = layers.gloss * np.exp(layers.polish * (cosine - 1) * 4) * falloff * 4
    grazing = layers.gloss * (1 - np.clip(eye_z, 0, 1)) ** 3 * 6
    arriving = (layers.cast * sunlit(fine, light, layers.offset_px, shape))[..., None] * np.array(light.lamp_rgb[::-1], np.float32)
    around = layers.contact[..., None] * np.array(light.ambient_rgb[::-1], np.float32)
    direct = (layers.albedo * diffuse[..., None] + lobe[..., None]) * arriving
    indirect = (layers.albedo + grazing[..., None]) * around
    size = (shape[1] // FINER, shape[0] // FINER)
    return _average(direct, size), _average(indirect, size)


def _average(fine: Picture, size: tuple[int, int]) -> Picture:
    return np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32)
