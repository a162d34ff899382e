"""Hands in sleeves, built of limbs: balls that grow from one end to the other and melt into one another.

A right hand points at a place on the table, opens, curls and pinches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from visionset.geometry import Floats
from visionset.render.camera import Viewpoint
from visionset.render.pixels import Field, window_around

_OUTSIDE_FALL = 4.0  # millimetres that a limb's height field falls for each millimetre beside it; steep enough to melt only near
NEAREST = 0.7  # what is nearer to the camera than the rest of this share of its distance is not drawn


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """A ball moving from `start_mm` to `end_mm`, shape (3,), while its radius changes."""

    start_mm: Floats
    end_mm: Floats
    start_radius_mm: float
    end_radius_mm: float
    flat: bool = False  # cut off at the start instead of round: the end of a sleeve


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

    limbs: tuple[Limb, ...]  # at least one
    melt_mm: float  # reach of the melting among them
    join_mm: float  # reach of the melting with the parts before of the same material; 0 only touches
    color_rgb: tuple[float, float, float]  # linear reflectance
    matter: str  # skin, cloth or plastic: one of `GLOSS` in `visionset.render.bodies`
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
    limbs = [limb for part in parts for limb in part.limbs]
    seen, _, scale = view.see(np.array([end for limb in limbs for end in (limb.start_mm, limb.end_mm)]))
    radii = np.array([radius for limb in limbs for radius in (limb.start_radius_mm, limb.end_radius_mm)])
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


@dataclass(frozen=True, slots=True)
class _Finger:
    knuckle: tuple[float, float, float]
    bones: tuple[float, float, float]
    radii: tuple[float, float, float, float]
    spread_deg: float
    more_curl: float


# Forward from the wrist, towards the thumb, up; bones and radii in millimetres.
_FINGERS = (
    _Finger((88, 26, 0), (43, 25, 21), (9.4, 9.0, 8.0, 7.0), 9, 0.0),
    _Finger((92, 6, 3), (47, 29, 22), (9.6, 9.2, 8.1, 7.1), 1, 0.06),
    _Finger((86, -14, 1), (43, 27, 22), (9.2, 8.8, 7.7, 6.8), -7, 0.16),
    _Finger((76, -31, -3), (34, 20, 19), (8.2, 7.6, 6.7, 6.0), -16, 0.26),
)
_FLEX_DEG = (44.0, 62.0, 34.0)  # bend at the three joints of a finger at full curl
_REST_DEG = (4.0, 8.0, 5.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """Axes of the hand in table coordinates."""

    origin: Floats
    forward: Floats
    side: Floats
    up: Floats

    def at(self, f: float, s: float, u: float) -> Floats:
        return np.asarray(self.origin + f * self.forward + s * self.side + u * self.up)


def _frame(pose: HandPose, origin: Floats) -> _Frame:
    heading, up = np.array([np.cos(pose.heading_rad), np.sin(pose.heading_rad), 0.0]), np.array([0.0, 0.0, 1.0])
    cos, sin = np.cos(np.radians(pose.drop_deg)), np.sin(np.radians(pose.drop_deg))
    return _Frame(origin, cos * heading - sin * up, np.array([heading[1], -heading[0], 0.0]), sin * heading + cos * up)


def _finger_joints(frame: _Frame, finger: _Finger, pose: HandPose, size: float) -> tuple[list[Floats], list[Floats]]:
    """Joints from knuckle to tip, and the direction of each bone."""
    side = np.radians(finger.spread_deg * (0.35 + 1.1 * pose.spread) * (1 - 0.6 * pose.curl))
    flat, curl = np.cos(side) * frame.forward + np.sin(side) * frame.side, min(1.0, pose.curl + finger.more_curl * (0.4 + pose.curl))
    bends = np.cumsum(np.radians(np.array(_REST_DEG) + np.array(_FLEX_DEG) * curl))
    ways = [np.cos(bend) * flat - np.sin(bend) * frame.up for bend in bends]
    joints = [frame.at(*(size * v for v in finger.knuckle))]
    for bone, way in zip(finger.bones, ways, strict=True):
        joints.append(joints[-1] + size * bone * way)
    return joints, ways


def _thumb_joints(frame: _Frame, pose: HandPose, size: float, index_tip: Floats) -> list[Floats]:
    rest = [frame.at(*(size * np.array(v))) for v in ((52, 52, -16), (80, 62, -21), (104, 64, -25))]
    under = index_tip - 10 * size * frame.up - 2 * size * frame.forward
    middle = frame.at(size * 58, size * 42, size * -24)
    grip = [middle, middle + 0.55 * (under - middle) + size * 8 * frame.side - size * 3 * frame.up, under]
    return [frame.at(size * 20, size * 24, size * -9), *(a + pose.pinch * (b - a) for a, b in zip(rest, grip, strict=True))]


def _chain(joints: list[Floats], radii: tuple[float, ...], size: float) -> tuple[Limb, ...]:
    return tuple(Limb(a, b, size * start, size * end) for (a, b), (start, end) in zip(pairwise(joints), pairwise(radii), strict=True))


def _nail(joint: Floats, way: Floats, up: Floats, side: Floats, bone: float, radius: float) -> Decal:
    dorsal = up - (up @ way) * way
    dorsal = dorsal / np.linalg.norm(dorsal)
    return Decal(joint + way * bone * 0.78 + dorsal * radius * 0.8, way * bone * 0.4, side * radius * 0.66, "nail")


def hand(pose: HandPose, person: Person | None = None) -> tuple[Part, ...]:
    """Build a hand with its forearm; the first part is the palm, the last the sleeve."""
    person = person or Person()
    size = person.size
    trial = _frame(pose, np.zeros(3))
    tips = [_finger_joints(trial, finger, pose, size)[0][-1] for finger in _FINGERS[:2]]
    frame = _frame(pose, np.array(pose.tip_mm) - 0.5 * (tips[0] + tips[1]) + [0, 0, 0.75 * size * _FINGERS[0].radii[3]])
    side, up = size * frame.side, size * frame.up

    back = np.array([-np.cos(pose.heading_rad), -np.sin(pose.heading_rad), 0.12])
    back = back / np.linalg.norm(back)
    cuff = frame.origin + size * 62 * back
    sleeve = Part((Limb(cuff, cuff + 620 * back, 42 * size, 62 * size, flat=True),), 0.0, 0.0, person.sleeve_rgb, "cloth")

    fingers, knuckles = [], []
    palm: list[Limb] = []
    for number, finger in enumerate(_FINGERS):
        joints, ways = _finger_joints(frame, finger, pose, size)
        root, across = frame.at(0, size * (finger.knuckle[1] * 0.5 + 1), 0), size * finger.knuckle[1] * 0.5
        palm += _chain([frame.at(0, across, 0) + size * 80 * back, root, joints[0] - 1.5 * up], (19.0, 16.5, 11.2 - 0.6 * number), size)
        folds = [Decal(joints[j] + finger.radii[j] * 0.8 * up, ways[j] * size * 8.5, side * 8.0, "folds") for j in (1, 2)]
        nail = _nail(joints[2], ways[2], frame.up, frame.side, size * finger.bones[2], size * finger.radii[3])
        fingers.append(Part(_chain(joints, finger.radii, size), 3.0, 10.0 * size, person.skin_rgb, "skin", (*folds, nail)))
        knuckles.append(Decal(joints[0] + 9 * up, ways[0] * size * 11, side * 9, "folds"))
    thumb = _thumb_joints(frame, pose, size, fingers[0].limbs[-1].end_mm)
    way = (thumb[3] - thumb[2]) / np.linalg.norm(thumb[3] - thumb[2])
    facing = frame.up * 0.75 + frame.side * 0.6
    decals = (
        Decal(thumb[2] + facing * size * 8, way * size * 9, np.cross(way, facing) * size * 8, "folds"),
        _nail(thumb[2], way, facing, np.cross(way, facing), size * 27, size * 9.0),
    )
    palm.append(Limb(frame.at(size * 8, size * 12, size * -6), frame.at(size * 50, size * 26, size * -10), size * 16, size * 15))
    return (
        Part(tuple(palm), 16.0 * size, 0.0, person.skin_rgb, "skin", tuple(knuckles)),
        Part(_chain(thumb, (15.0, 11.5, 10.2, 8.4), size), 4.0, 9.0 * size, person.skin_rgb, "skin", decals),
        *reversed(fingers),
        sleeve,
    )
