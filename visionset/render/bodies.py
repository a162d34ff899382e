"""Bodies above the table, such as hands and pencils: what the camera sees of them, shaded, and the shadow they cast."""

from __future__ import annotations

from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.render.camera import Viewpoint
from visionset.render.hands import NEAREST, Decal, Part, frame_of, in_front, part_field, smooth_max
from visionset.render.pixels import SUBPIXEL_BITS, Field, Picture, blurred, fixed, noise, shrunk, through
from visionset.render.stage import FINER, Light

GLOSS = {"skin": 0.022, "cloth": 0.0, "plastic": 0.12}  # share of the light that each matter mirrors
_TILE = 512

_OUTSIDE_MM = 8.0  # how far around a limb its height field is looked at
_FAR_MM = 1000.0  # further from a body than anything in a picture
_FINE_BLUR_PX = 4.0  # standard deviation, in pixels of the smaller picture, that a wide blur keeps at least


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A body in a window of the picture, at the picture's resolution."""

    left: int  # place of the window in the picture
    top: int
    light: Picture  # linear BGR; float32, shape (height, width, 3)
    cover: Field  # 0 to 1; float32, shape (height, width)
    toward_mm: Field  # height on the way to the camera, as in `Viewpoint.see`; float32, shape (height, width)


@dataclass(slots=True, eq=False)
class _Canvas:
    """What is known of each fine pixel of a body: height towards the camera and distance from the outline in millimetres, and matter."""

    tall: Field
    near: Field
    albedo: Picture
    cloth: Field
    gloss: Field


def render(view: Viewpoint, light: Light, parts: tuple[Part, ...]) -> Seen | None:
    """See a body from the camera; None when it is out of sight."""
    parts = in_front(view, parts)
    frame = frame_of(view, parts) if parts else None
    if frame is None:
        return None
    left, top, right, bottom = frame
    fine, size = view.finer(FINER), (right - left, bottom - top)
    x = (np.arange(FINER * size[0], dtype=np.float32) + FINER * left)[None, :]
    y = (np.arange(FINER * size[1], dtype=np.float32) + FINER * top)[:, None]
    far, none = np.full((y.size, x.size), _FAR_MM, np.float32), np.zeros((y.size, x.size), np.float32)
    whole = _Canvas(-far, far, np.zeros((*far.shape, 3), np.float32), none, none.copy())
    before = ""
    for part in parts:
        around = frame_of(fine, (part,), part.melt_mm + part.join_mm + _OUTSIDE_MM)
        if around is None:
            continue
        x0, y0 = max(0, around[0] - FINER * left), max(0, around[1] - FINER * top)
        cut = (slice(y0, around[3] - FINER * top), slice(x0, around[2] - FINER * left))
        canvas, at = _Canvas(*(getattr(whole, one.name)[cut] for one in fields(whole))), (x[:, cut[1]], y[cut[0]])
        tall, near, join = canvas.tall, canvas.near, part.join_mm if part.matter == before else 0.0
        height, beside = part_field(fine, part, *at)
        if part.matter == "cloth":
            grain = folds(fine, part, *at)
            height, beside = height + grain, beside - 0.5 * grain
        fresh = (beside < 0) & (height > tall)
        height = np.where((near < 0) & (beside > join), -_FAR_MM, height)
        alone = near > _FAR_MM / 2
        if join:
            tall[:] = np.where(alone, height, smooth_max(tall, height, join))
        else:
            tall[:] = np.where((beside < 0) | alone, np.maximum(tall, height), tall)
        near[:] = -smooth_max(-near, -beside, join)
        fresh |= (beside < near + 0.01) & (near > -0.01)
        canvas.albedo[fresh] = np.array(part.color_rgb[::-1], np.float32)
        canvas.cloth[fresh] = float(part.matter == "cloth")
        canvas.gloss[fresh] = GLOSS[part.matter]
        for decal in part.decals:
            stick(fine, decal, *at, fresh & (beside < 0), canvas)
        before = part.matter
    whole.tall = blurred(whole.tall, 1.2)
    anchor = fine.see(parts[0].limbs[0].ends_mm[:1])[0][0] - FINER * np.array([left, top])
    picture = shade(fine, light, whole, (int(anchor[0]), int(anchor[1])))
    cover = np.clip(0.5 - whole.near * np.float32(fine.scale_px_mm), 0, 1).astype(np.float32)
    small = shrunk(cover, size)
    picture = shrunk(picture * cover[..., None], size) / np.maximum(small, 1e-3)[..., None]
    return Seen(left, top, np.asarray(picture, np.float32), small, shrunk(whole.tall, size))


def shadow(view: Viewpoint, light: Light, parts: tuple[Part, ...], low: bool) -> Field:
    """Share of the lamp's light that a body takes from each pixel of the table, 0 to 1; with `low` that of light from everywhere."""
    away = np.zeros(2) if low else -light.toward[:2] / light.toward[2]
    total, (width, height) = np.zeros(view.size_px[::-1], np.float32), view.size_px
    corners, squash = np.linspace(0, 2 * np.pi, 20, endpoint=False), np.cos(np.radians(view.tilt_deg))
    ring = np.stack([np.cos(corners), squash * np.sin(corners)], axis=1)
    for least, most, typical in ((-1e9, 22.0, 10.0), (22.0, 60.0, 40.0), (60.0, 1e9, 95.0)):
        mask = np.zeros(total.shape, np.uint8)
        for limb in (limb for part in in_front(view, parts) for limb in part.limbs):
            spine, radius = limb.along(np.linspace(0, 1, 12))
            ground = np.column_stack([spine[:, :2] + away * np.maximum(spine[:, 2:], 0), np.zeros(len(spine))])
            seen, toward, scale = view.see(ground)
            balls = seen[:, None] + ring * (radius * scale)[:, None, None]
            balls = balls[(spine[:, 2] >= least - 3) & (spine[:, 2] < most + 3) & (toward < NEAREST * view.distance_mm)]
            for pair in zip(balls, [*balls[1:], *balls[-1:]], strict=True):
                hull = cv2.convexHull(np.concatenate(pair).astype(np.float32))
                cv2.fillConvexPoly(mask, fixed(np.asarray(hull, np.float64)), 255, cv2.LINE_AA, SUBPIXEL_BITS)
        if mask.any():
            # a wide blur works on a smaller picture, which cannot be told apart and is quick
            sigma = max(1.0, (0.55 if low else 0.1) * typical * view.scale_px_mm)
            step = max(1, int(sigma / _FINE_BLUR_PX))
            soft = blurred(shrunk(mask.astype(np.float32) / 255, (-(-width // step), -(-height // step))), sigma / step)
            soft = np.asarray(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
            total = np.maximum(total, soft / (1 + typical / 60) if low else soft)
    return total


def _on(origin: Floats, right: Floats, down: Floats, x: Field, y: Field) -> tuple[Field, Field]:
    """Coordinates of pixels along two directions of the picture, in lengths of these."""
    return through(np.vstack([np.column_stack([right, down, origin]), [0, 0, 1]]), x, y)


def folds(view: Viewpoint, part: Part, x: Field, y: Field) -> Field:
    """Creases across a sleeve, fixed to its start so that they move with the arm."""
    limb = part.limbs[0]
    ends, _, scale = view.see(limb.ends_mm)
    axis = (ends[1] - ends[0]) / (np.linalg.norm(ends[1] - ends[0]) + 1e-6) * scale[0]
    u, v = _on(ends[0], axis, np.array([-axis[1], axis[0]]), x, y)
    rng = np.random.default_rng(0)
    table = noise(rng, 256, 256, (9.0, 9.0)) + 0.5 * noise(rng, 256, 256, (4.0, 4.0))
    crease = cv2.remap(table, (u * 0.55 + v * 0.22 + 512) % 250, (v * 0.35 + 512) % 250, cv2.INTER_LINEAR)
    hem = 1.6 * np.exp(-(((u - 9) / 8) ** 2))
    return np.asarray(2.2 * crease * np.clip((u - 6) / 30, 0, 1) + hem, np.float32)


def stick(view: Viewpoint, decal: Decal, x: Field, y: Field, where: NDArray[np.bool_], canvas: _Canvas) -> None:
    """Put a nail or knuckle folds on a body, in place."""
    points, _, _ = view.see(decal.center_mm + np.stack([np.zeros(3), decal.along_mm, decal.across_mm]))
    along, across = points[1:] - points[0]
    if abs(along[0] * across[1] - along[1] * across[0]) < 1.0:
        return
    u, v = _on(points[0], along, across, x, y)
    albedo = canvas.albedo
    if decal.kind == "nail":
        shape = (np.abs(u) ** 2.6 + np.abs(v) ** 2.6).astype(np.float32)
        inside = np.clip((1 - shape) * 4, 0, 1) * where
        rim = np.exp(-(((shape - 1.1) / 0.22) ** 2)) * where
        tip = np.clip((u - 0.72) * 8, 0, 1) * inside
        albedo += inside[..., None] * albedo * np.array([0.22, 0.1, 0.06], np.float32) + tip[..., None] * 0.12
        albedo *= (1 - 0.22 * rim)[..., None]
        canvas.gloss += inside * 0.03
        canvas.tall += 0.1 * inside - 0.25 * rim
        return
    blob = np.exp(-(u**2 + v**2) * 1.4) * where
    albedo *= np.exp(-blob[..., None] * np.array([0.24, 0.2, 0.06], np.float32))
    fold = np.sin(u * 9 + 1.5 * np.sin(v * 1.7)) * np.exp(-(u**2) * 1.6 - v**2 * 1.2) * where
    canvas.tall += 0.22 * fold


def _grain(shape: tuple[int, ...], anchor: tuple[int, int], cell_px: float) -> Field:
    """Noise that is fixed to a body and moves with it."""
    tile = noise(np.random.default_rng(1), _TILE, _TILE, (cell_px, cell_px))
    rows, columns = (
        np.abs((np.arange(size) - start) % (2 * _TILE - 2) - (_TILE - 1)) for size, start in zip(shape, anchor[::-1], strict=True)
    )
    return tile[rows[:, None], columns[None, :]]


def shade(view: Viewpoint, light: Light, body: _Canvas, anchor: tuple[int, int]) -> Picture:
    """Light a body: light seeps through skin, hollows are darker; `anchor` is a pixel that moves with it, and its roughness along."""
    tall, cloth = body.tall, body.cloth
    rough = _grain(tall.shape, anchor, 1.1 * view.scale_px_mm)
    down, right = np.gradient((tall + (0.05 + 0.12 * cloth) * rough) * np.float32(view.scale_px_mm))
    steep = np.sqrt(1 + right**2 + down**2)
    camera = np.stack([-right / steep, -down / steep, 1 / steep], axis=2).astype(np.float32)
    normal = camera @ view.rotation.astype(np.float32)
    toward = light.toward.astype(np.float32)
    facing = normal @ toward
    wrap = np.array([0.16, 0.22, 0.42], np.float32) * (1 - cloth[..., None]) + 0.12 * cloth[..., None]
    diffuse = np.maximum((facing[..., None] + wrap) / (1 + wrap), 0)
    floor = np.where(body.near < 0, tall, tall.min(initial=0.0, where=body.near < 0))
    small = cv2.resize(floor, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    hollow = np.zeros_like(tall)
    for reach in (3.0, 9.0):
        around = cv2.GaussianBlur(small, (0, 0), max(0.5, reach * view.scale_px_mm / 4))
        around = cv2.resize(around, floor.shape[::-1], interpolation=cv2.INTER_LINEAR)
        hollow += np.clip((around - tall) / (2.2 * reach), 0, 0.4)
    open_sky = np.clip(1 - hollow, 0.25, 1) * (0.62 + 0.38 * np.clip(normal[..., 2], 0, 1))
    mottle = 1 + 0.035 * _grain(tall.shape, anchor, 6 * view.scale_px_mm)
    half = toward + view.rotation[2].astype(np.float32)
    lobe = body.gloss * np.clip(normal @ (half / np.linalg.norm(half)), 0, 1) ** 18 * 3
    lamp, ambient = (np.array(c[::-1], np.float32) for c in (light.lamp_rgb, light.ambient_rgb))
    bounce = np.array([0.04, 0.05, 0.06], np.float32) * np.clip(-normal[..., 2:] + 0.4, 0, 1)
    shadowed = np.clip(1 - 1.2 * hollow, 0.35, 1) / np.float32(light.toward[2])
    arriving = (diffuse * shadowed[..., None]) * lamp + open_sky[..., None] * ambient + bounce
    radiance = body.albedo * mottle[..., None] * arriving
    return np.asarray(radiance + lobe[..., None] * lamp, np.float32)
