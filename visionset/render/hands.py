"""Hands in sleeves, built of limbs: balls that grow from one end to the other and melt into one another.

A right hand points at a place on the table, opens, curls and pinches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from visionset.geometry import Floats
from visionset.render.camera import Viewpoint
from visionset.render.pixels import Field, window_around

_OUTSIDE_FALL = 4.0  # millimetres that a limb's height field falls for each millimetre beside it; steep enough to melt only near
NEAREST = 0.7  # what is nearer to the camera than the rest of this share of its distance is not drawn


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """A ball moving from one end to the other while its radius changes."""

    ends_mm: Floats  # shape (2, 3)
    radii_mm: Floats  # shape (2,)
    flat: bool = False  # cut off at the start instead of round: the end of a sleeve

    def along(self, shares: Floats) -> tuple[Floats, Floats]:
        """Middles and radii of the ball at shares of its way."""
        (start, end), (first, last) = self.ends_mm, self.radii_mm
        return start + shares[:, None] * (end - start), first + shares * (last - first)


@dataclass(frozen=True, slots=True, eq=False)
class Decal:
    """A nail or the folds of a knuckle: an ellipse about a place on the surface, given by two half axes."""

    center_mm: Floats  # shape (3,), like the half axes
    along_mm: Floats
    across_mm: Floats
    kind: str  # "nail" or "folds"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Limbs of one material that melt into one another over `melt_mm`."""

    limbs: tuple[Limb, ...]  # at least one
    melt_mm: float  # reach of the melting among them
    join_mm: float  # reach of the melting with the parts before of the same material; 0 only touches
    color_rgb: tuple[float, float, float]  # linear reflectance
    matter: str  # skin, cloth or plastic: one of `GLOSS` in `visionset.render.bodies`
    decals: tuple[Decal, ...] = ()


def in_front(view: Viewpoint, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Cut off what is beside or behind the camera; parts that are all there are left out."""
    most, kept = NEAREST * view.distance_mm, []
    for part in parts:
        limbs = []
        for limb in part.limbs:
            near, share = view.see(limb.ends_mm)[1], np.array([0.0, 1.0])
            if near.max() > most:
                share[near.argmax()] = (most - near[0]) / (near[1] - near[0])
            if near.min() < most:
                limbs.append(Limb(*limb.along(share), limb.flat))
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
    ends, toward, scales = (one.astype(np.float32) for one in view.see(limb.ends_mm))
    start, axis, scale = ends[0], ends[1] - ends[0], scales[0]
    length = np.sqrt(axis @ axis + np.float32(1e-6))
    along = ((x - start[0]) * axis[0] + (y - start[1]) * axis[1]) / length**2
    t = np.clip(along, 0, 1)
    gap = np.hypot(x - start[0] - t * axis[0], y - start[1] - t * axis[1]) / (scale + t * (scales[1] - scale))
    radius = np.float32(limb.radii_mm[0]) + t * np.float32(np.diff(limb.radii_mm)[0])
    beside = gap - radius
    if limb.flat:
        bulge = 0.22 * radius * np.clip(gap / radius, 0, 1) ** 2
        beside = np.maximum(beside, bulge - along * length / scale)
    middle = toward[0] + t * (toward[1] - toward[0])
    height = np.where(beside < 0, middle + np.sqrt(np.maximum(radius**2 - gap**2, 0)), middle - _OUTSIDE_FALL * beside)
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
    ends, radii = (np.concatenate([getattr(limb, name) for part in parts for limb in part.limbs]) for name in ("ends_mm", "radii_mm"))
    seen, _, scale = view.see(ends)
    return window_around(seen, ((radii + margin_mm) * scale)[:, None] + 2, view.size_px)


@dataclass(frozen=True, slots=True)
class Person:
    """Whose hand it is: linear reflectances, and size relative to a hand 185 mm long."""

    skin_rgb: tuple[float, float, float] = (0.58, 0.33, 0.225)
    sleeve_rgb: tuple[float, float, float] = (0.05, 0.075, 0.14)
    size: float = 1.0


@dataclass(frozen=True, slots=True)
class HandPose:
    """Where a hand is and how it is held."""

    tip_mm: tuple[float, float, float]  # where the index and middle fingertips meet what they hold, x, y and z
    heading_rad: float = -np.pi / 2  # way from the wrist to the fingers in the table plane; -pi/2 points away from the player
    drop_deg: float = 22.0  # slope of the hand down towards its fingers
    curl: float = 0.3  # 0 is stretched, 1 a loose fist
    pinch: float = 0.0  # 0 lets the thumb rest beside the hand, 1 lays it under the index finger
    spread: float = 0.4  # 0 closes the fingers, 1 spreads them


class _Finger(NamedTuple):
    knuckle: tuple[float, float, float]  # millimetres forward from the wrist, towards the thumb, up
    bones: tuple[float, float, float]  # lengths in millimetres
    radii: tuple[float, float, float, float]  # at the ends of the bones, in millimetres
    spread_deg: float  # towards the thumb
    more_curl: float  # than the pose says: of two fingers the outer one bends further


_FINGERS = (
    _Finger((88, 26, 0), (43, 25, 21), (9.4, 9.0, 8.0, 7.0), 9, 0.0),
    _Finger((92, 6, 3), (47, 29, 22), (9.6, 9.2, 8.1, 7.1), 1, 0.06),
    _Finger((86, -14, 1), (43, 27, 22), (9.2, 8.8, 7.7, 6.8), -7, 0.16),
    _Finger((76, -31, -3), (34, 20, 19), (8.2, 7.6, 6.7, 6.0), -16, 0.26),
)
_FLEX_DEG = (44.0, 62.0, 34.0)  # bend at the three joints of a finger at full curl
_REST_DEG = (4.0, 8.0, 5.0)
# the thumb's root, its first joint when it holds something, and its joints at rest
_THUMB = np.array([[20, 24, -9], [58, 42, -24], [52, 52, -16], [80, 62, -21], [104, 64, -25]])


def _joints(axes: Floats, finger: _Finger, pose: HandPose) -> tuple[Floats, Floats]:
    """Joints from knuckle to tip, shape (4, 3), and the direction of each bone, a usual hand's millimetre long."""
    side = np.radians(finger.spread_deg * (0.35 + 1.1 * pose.spread) * (1 - 0.6 * pose.curl))
    flat, curl = np.cos(side) * axes[0] + np.sin(side) * axes[1], min(1.0, pose.curl + finger.more_curl * (0.4 + pose.curl))
    bends = np.cumsum(np.radians(np.array(_REST_DEG) + np.array(_FLEX_DEG) * curl))[:, None]
    ways = np.cos(bends) * flat - np.sin(bends) * axes[2]
    return np.cumsum([finger.knuckle @ axes, *np.array(finger.bones)[:, None] * ways], axis=0), ways


def joined_limbs(joints: Iterable[Floats], radii: Iterable[float], flat: bool = False) -> tuple[Limb, ...]:
    """Limbs from joint to joint."""
    return tuple(Limb(np.stack(ends), np.array(wide), flat) for ends, wide in zip(pairwise(joints), pairwise(radii), strict=True))


def _nail(joint: Floats, way: Floats, up: Floats, side: Floats, bone: float, radius: float) -> Decal:
    dorsal = up - (up @ way) / (way @ way) * way
    dorsal = dorsal * (np.linalg.norm(way) / np.linalg.norm(dorsal))
    return Decal(joint + way * bone * 0.78 + dorsal * radius * 0.8, way * bone * 0.4, side * radius * 0.66, "nail")


def hand(pose: HandPose, person: Person | None = None) -> tuple[Part, ...]:
    """Build a hand with its forearm; the first part is the palm, the last the sleeve."""
    person = person or Person()
    size, upward = person.size, np.array([0.0, 0.0, 1.0])
    heading = np.array([np.cos(pose.heading_rad), np.sin(pose.heading_rad), 0.0])
    cos, sin = np.cos(np.radians(pose.drop_deg)), np.sin(np.radians(pose.drop_deg))
    axes = size * np.stack([cos * heading - sin * upward, [heading[1], -heading[0], 0.0], sin * heading + cos * upward])
    forward, side, up = axes
    bent = [_joints(axes, finger, pose) for finger in _FINGERS]
    origin = np.array(pose.tip_mm) - 0.5 * (bent[0][0][-1] + bent[1][0][-1]) + 0.75 * size * _FINGERS[0].radii[3] * upward
    back = (0.12 * upward - heading) / np.hypot(1, 0.12)

    fingers, knuckles = [], []
    palm: list[Limb] = []
    for number, (finger, (joints, ways)) in enumerate(zip(_FINGERS, bent, strict=True)):
        joints, across = joints + origin, origin + 0.5 * finger.knuckle[1] * side
        wrist, root = across + size * 80 * back, across + side
        palm += joined_limbs([wrist, root, joints[0] - 1.5 * up], size * np.array([19.0, 16.5, 11.2 - 0.6 * number]))
        folds = [Decal(joints[j] + finger.radii[j] * 0.8 * up, ways[j] * 8.5, side * 8.0, "folds") for j in (1, 2)]
        nail = _nail(joints[2], ways[2], up, side, finger.bones[2], finger.radii[3])
        limbs = joined_limbs(joints, size * np.array(finger.radii))
        fingers.append(Part(limbs, 3.0, 10.0 * size, person.skin_rgb, "skin", (*folds, nail)))
        knuckles.append(Decal(joints[0] + 9 * up, ways[0] * 11, side * 9, "folds"))
    under = fingers[0].limbs[-1].ends_mm[1] - 10 * up - 2 * forward
    first, middle, *rest = origin + _THUMB @ axes
    grip = np.stack([middle, middle + 0.55 * (under - middle) + 8 * side - 3 * up, under])
    thumb = np.concatenate([first[None], rest + pose.pinch * (grip - rest)])
    way, facing = size * (thumb[3] - thumb[2]) / np.linalg.norm(thumb[3] - thumb[2]), 0.75 * up + 0.6 * side
    beside = np.cross(way, facing) / size
    decals = (Decal(thumb[2] + facing * 8, way * 9, beside * 8, "folds"), _nail(thumb[2], way, facing, beside, 27, 9.0))
    palm += joined_limbs(origin + np.array([[8, 12, -6], [50, 26, -10]]) @ axes, (size * 16, size * 15))
    cuff = origin + size * 62 * back
    return (
        Part(tuple(palm), 16.0 * size, 0.0, person.skin_rgb, "skin", tuple(knuckles)),
        Part(joined_limbs(thumb, size * np.array([15.0, 11.5, 10.2, 8.4])), 4.0, 9.0 * size, person.skin_rgb, "skin", decals),
        *reversed(fingers),
        Part(joined_limbs([cuff, cuff + 620 * back], (42 * size, 62 * size), flat=True), 0.0, 0.0, person.sleeve_rgb, "cloth"),
    )
