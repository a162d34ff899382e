"""Bodies above the table, such as hands and pencils: what the camera sees of them and the shadow they cast."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.render.body_shading import GLOSS, folds, shade, stick
from visionset.render.limbs import NEAREST, Limb, Part, frame_of, in_front, part_field, smooth_max
from visionset.render.materials import Field
from visionset.render.pixels import Picture
from visionset.render.stage import FINER, Light
from visionset.render.viewpoint import Viewpoint

OUTSIDE_MM = 8.0
"""How far around a limb its height field is looked at."""

FAR_MM = 1000.0
"""Further from a body than anything in a picture."""

FINE_BLUR_PX = 4.0
"""Standard deviation, in pixels of the smaller picture, that a wide blur keeps at least."""

_SHADOW_BITS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A body in a window of the picture, at the picture's resolution.

    Attributes
    ----------
    left, top : int
        Place of the window in the picture.
    light : ndarray of float32, shape (height, width, 3)
        Linear BGR.
    cover : ndarray of float32, shape (height, width)
        0 to 1.
    toward_mm : ndarray of float32, shape (height, width)
        Height on the way to the camera, as in `Viewpoint.see`.
    """

    left: int
    top: int
    light: Picture
    cover: Field
    toward_mm: Field


def render(view: Viewpoint, light: Light, parts: tuple[Part, ...]) -> Seen | None:
    """See a body from the camera; None when it is out of sight."""
    parts = in_front(view, parts)
    frame = frame_of(view, parts) if parts else None
    if frame is None:
        return None
    left, top, right, bottom = frame
    fine = view.finer(FINER)
    x = (np.arange(FINER * (right - left), dtype=np.float32) + FINER * left)[None, :]
    y = (np.arange(FINER * (bottom - top), dtype=np.float32) + FINER * top)[:, None]
    shape = (y.shape[0], x.shape[1])
    tall = np.full(shape, -FAR_MM, np.float32)
    near = np.full(shape, FAR_MM, np.float32)
    albedo = np.zeros((*shape, 3), np.float32)
    cloth, gloss = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    before = ""
    for part in parts:
        around = frame_of(fine, (part,), part.melt_mm + part.join_mm + OUTSIDE_MM)
        if around is None:
            continue
        x0, y0 = max(0, around[0] - FINER * left), max(0, around[1] - FINER * top)
        cut = (slice(y0, around[3] - FINER * top), slice(x0, around[2] - FINER * left))
        join = part.join_mm if part.matter == before else 0.0
        patch = (tall[cut], near[cut], albedo[cut], cloth[cut], gloss[cut])
        tall[cut], near[cut] = _add(fine, part, x[:, cut[1]], y[cut[0]], join, patch)
        before = part.matter
    tall = np.asarray(cv2.GaussianBlur(tall, (0, 0), 1.2), np.float32)
    anchor = fine.see(parts[0].limbs[0].start_mm[None])[0][0] - FINER * np.array([left, top])
    picture = shade(fine, light, tall, near, albedo, cloth, gloss, (int(anchor[0]), int(anchor[1])))
    cover = np.clip(0.5 - near * np.float32(fine.scale_px_mm), 0, 1).astype(np.float32)
    size = (right - left, bottom - top)
    picture = cv2.resize(picture * cover[..., None], size, interpolation=cv2.INTER_AREA)
    small = np.asarray(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), np.float32)
    picture = np.asarray(picture / np.maximum(small, 1e-3)[..., None], np.float32)
    return Seen(left, top, picture, small, np.asarray(cv2.resize(tall, size, interpolation=cv2.INTER_AREA), np.float32))


def _add(
    view: Viewpoint, part: Part, x: Field, y: Field, join: float, patch: tuple[Field, Field, Picture, Field, Field]
) -> tuple[Field, Field]:
    """Put a part on the body: paint colour, cloth and gloss in place, return the new height field and outline."""
    tall, near, albedo, cloth, gloss = patch
    height, beside = part_field(view, part, x, y)
    if part.matter == "cloth":
        grain = folds(view, part, x, y)
        height, beside = height + grain, beside - 0.5 * grain
    fresh = (beside < 0) & (height > tall)
    height = np.where((near < 0) & (beside > join), -FAR_MM, height)
    if join:
        tall = np.where(near > FAR_MM / 2, height, smooth_max(tall, height, join))
    else:
        tall = np.where((beside < 0) | (near > FAR_MM / 2), np.maximum(tall, height), tall)
    near = -smooth_max(-near, -beside, join)
    fresh |= (beside < near + 0.01) & (near > -0.01)
    albedo[fresh] = np.array(part.color_rgb[::-1], np.float32)
    cloth[fresh] = float(part.matter == "cloth")
    gloss[fresh] = GLOSS[part.matter]
    for decal in part.decals:
        tall = stick(view, decal, x, y, fresh & (beside < 0), albedo, gloss, tall)
    return tall, near


def shadow(view: Viewpoint, light: Light, parts: tuple[Part, ...], low: bool) -> Field:
    """Share of light that a body takes from each picture pixel of the table, 0 to 1.

    Parameters
    ----------
    view, light, parts
        What is seen, lit and in the way.
    low : bool
        True for the light from everywhere (a blurred patch straight below), else the lamp's.
    """
    width, height = view.size_px
    away = np.zeros(2) if low else -light.toward[:2] / light.toward[2]
    total = np.zeros((height, width), np.float32)
    softness = 0.55 if low else 0.1
    bands = ((-1e9, 22.0, 10.0), (22.0, 60.0, 40.0), (60.0, 1e9, 95.0))
    for least, most, typical in bands:
        mask = np.zeros((height, width), np.uint8)
        for part in in_front(view, parts):
            for limb in part.limbs:
                _drop(view, limb, away, (least, most), mask)
        if mask.any():
            soft = _soften(mask, max(1.0, softness * typical * view.scale_px_mm))
            total = np.maximum(total, soft / (1 + typical / 60) if low else soft)
    return total


def _soften(mask: NDArray[np.uint8], sigma_px: float) -> Field:
    """Blur a mask, 0 to 1; a wide blur works on a smaller picture, which cannot be told apart and is quick."""
    height, width = mask.shape
    step = max(1, int(sigma_px / FINE_BLUR_PX))
    small = cv2.resize(mask.astype(np.float32) / 255, (-(-width // step), -(-height // step)), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma_px / step)
    return np.asarray(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _drop(view: Viewpoint, limb: Limb, away: Floats, band: tuple[float, float], mask: NDArray[np.uint8]) -> None:
    steps = 12
    t = np.linspace(0, 1, steps)[:, None]
    spine = limb.start_mm + t * (limb.end_mm - limb.start_mm)
    radius = limb.start_radius_mm + t[:, 0] * (limb.end_radius_mm - limb.start_radius_mm)
    ground = np.column_stack([spine[:, :2] + away * np.maximum(spine[:, 2:], 0), np.zeros(steps)])
    seen, toward, scale = view.see(ground)
    chosen = (spine[:, 2] >= band[0] - 3) & (spine[:, 2] < band[1] + 3) & (toward < NEAREST * view.distance_mm)
    if not chosen.any():
        return
    squash = np.cos(np.radians(view.tilt_deg))
    corners = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    ring = np.stack([np.cos(corners), squash * np.sin(corners)], axis=1)
    balls = seen[:, None] + ring * (radius * scale)[:, None, None]
    index = np.flatnonzero(chosen)
    for first, second in zip(index, np.append(index[1:], index[-1]), strict=True):
        hull = cv2.convexHull(np.concatenate([balls[first], balls[second]]).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull * (1 << _SHADOW_BITS)).astype(np.int32), 255, cv2.LINE_AA, _SHADOW_BITS)
