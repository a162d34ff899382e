"""Limbs: rounded shapes above the table that melt into one another, as height fields seen from the camera.

A limb is a ball that grows from one end to the other. A height field of it is exact enough for hands and pencils and
far quicker than tracing rays.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from visionset.geometry import Floats
from visionset.render.pixels import Field, window_around
from visionset.render.viewpoint import Viewpoint

OUTSIDE_FALL = 4.0
"""Millimetres that a limb's height field falls for each millimetre beside it; steep enough to melt only near."""

NEAREST = 0.7
"""What is nearer to the camera than the rest of this share of its distance is not drawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """A ball moving from `start_mm` to `end_mm`, shape (3,), while its radius changes."""

    start_mm: Floats
    end_mm: Floats
    start_radius_mm: float
    end_radius_mm: float
    flat: bool = False
    """Cut off at the start instead of round: the end of a sleeve."""


@dataclass(frozen=True, slots=True, eq=False)
class Decal:
    """A nail or the folds of a knuckle: an ellipse about a place on the surface, given by two half axes."""

    center_mm: Floats
    along_mm: Floats
    across_mm: Floats
    kind: str


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Limbs of one material that melt into one another over `melt_mm`."""

    limbs: tuple[Limb, ...]
    """At least one."""
    melt_mm: float
    """Reach of the melting among them."""
    join_mm: float
    """Reach of the melting with the parts before of the same material; 0 only touches."""
    color_rgb: tuple[float, float, float]
    """Linear reflectance."""
    matter: str
    """Skin, cloth or plastic: one of `GLOSS` in `visionset.render.bodies`."""
    decals: tuple[Decal, ...] = ()


def in_front(view: Viewpoint, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Cut off what is beside or behind the camera; parts that are all there are left out."""
    most = NEAREST * view.distance_mm
    kept = []
    for part in parts:
        limbs = []
        for limb in part.limbs:
            start, end = view.see(np.stack([limb.start_mm, limb.end_mm]))[1]
            if min(start, end) >= most:
                continue
            share = [0.0, 1.0]
            if max(start, end) > most:
                share[int(end > start)] = float((most - start) / (end - start))
            places = [limb.start_mm + s * (limb.end_mm - limb.start_mm) for s in share]
            radii = [limb.start_radius_mm + s * (limb.end_radius_mm - limb.start_radius_mm) for s in share]
            limbs.append(Limb(places[0], places[1], radii[0], radii[1], limb.flat))
        if limbs:
            kept.append(replace(part, limbs=tuple(limbs)))
    return tuple(kept)


def smooth_max(a: Field, b: Field, reach: float) -> Field:
    """Larger of two fields, rounded where they are within `reach` of each other."""
    top = np.maximum(a, b)
    if reach <= 0:
        return top
    return np.asarray(top + np.maximum(reach - np.abs(a - b), 0) ** 2 / (4 * reach), np.float32)


def _limb(view: Viewpoint, limb: Limb, x: Field, y: Field) -> tuple[Field, Field]:
    """Height towards the camera and distance from the limb's surface (negative inside), both in millimetres."""
    ends, toward, scales = (one.astype(np.float32) for one in view.see(np.stack([limb.start_mm, limb.end_mm])))
    start, axis, scale = ends[0], ends[1] - ends[0], scales[0]
    length = np.sqrt(axis @ axis + np.float32(1e-6))
    along = ((x - start[0]) * axis[0] + (y - start[1]) * axis[1]) / length**2
    t = np.clip(along, 0, 1)
    gap = np.hypot(x - start[0] - t * axis[0], y - start[1] - t * axis[1]) / (scale + t * (scales[1] - scale))
    radius = np.float32(limb.start_radius_mm) + t * np.float32(limb.end_radius_mm - limb.start_radius_mm)
    beside = gap - radius
    if limb.flat:
        bulge = 0.22 * radius * np.clip(gap / radius, 0, 1) ** 2
        beside = np.maximum(beside, bulge - along * length / scale)
    middle = toward[0] + t * (toward[1] - toward[0])
    height = np.where(beside < 0, middle + np.sqrt(np.maximum(radius**2 - gap**2, 0)), middle - OUTSIDE_FALL * beside)
    return np.asarray(height, np.float32), np.asarray(beside, np.float32)


def part_field(view: Viewpoint, part: Part, x: Field, y: Field) -> tuple[Field, Field]:
    """Height towards the camera and distance from the part's outline (negative inside), both in millimetres."""
    height, beside = _limb(view, part.limbs[0], x, y)
    for limb in part.limbs[1:]:
        other_height, other_beside = _limb(view, limb, x, y)
        height = smooth_max(height, other_height, part.melt_mm)
        beside = -smooth_max(-beside, -other_beside, part.melt_mm)
    return height, beside


def frame_of(view: Viewpoint, parts: tuple[Part, ...], margin_mm: float = 4.0) -> tuple[int, int, int, int] | None:
    """Window of the picture (left, top, right, bottom) that holds the body, None when it is out of sight."""
    limbs = [limb for part in parts for limb in part.limbs]
    seen, _, scale = view.see(np.array([end for limb in limbs for end in (limb.start_mm, limb.end_mm)]))
    radii = np.array([radius for limb in limbs for radius in (limb.start_radius_mm, limb.end_radius_mm)])
    return window_around(seen, ((radii + margin_mm) * scale)[:, None] + 2, view.size_px)
