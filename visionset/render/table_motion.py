"""How pieces move in rendered clips: dice that tumble and come to rest, a hand that puts dice down, a card that is turned over."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from visionset.geometry import Floats, apply
from visionset.render.dice import Die
from visionset.render.faces import Face
from visionset.render.hands import HandPose
from visionset.render.stage import FINER, Light, Pose
from visionset.render.surfaces import Picture
from visionset.render.viewpoint import Viewpoint

THROW_S = (0.7, 1.5)
"""Time from a die's first sight to its rest."""

THROW_MM, HOP_MM, HOPS = 420.0, 55.0, 3
"""Way over the table, height of the first hop, number of hops."""

TURNS = (1.2, 2.6)
"""Whole turns that a die makes on its way."""

TURN_ARC_MM = 12.0
"""A card that is turned over in place is lifted by this, besides what its width needs."""

_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """The way of one die to its place.

    Attributes
    ----------
    rest : Die
        Where it ends.
    start_s, rest_s : float
        When it comes into sight and when it lies still.
    way : ndarray of float64, shape (2,)
        Unit vector on the table along which it comes.
    turns : float
        Whole turns until it rests.
    """

    rest: Die
    start_s: float
    rest_s: float
    way: Floats
    turns: float

    def at(self, time_s: float) -> Die | None:
        """The die at some time; None before it comes."""
        if time_s >= self.rest_s:
            return self.rest
        if time_s < self.start_s:
            return None
        left = 1 - (time_s - self.start_s) / (self.rest_s - self.start_s)
        slow = left * left  # friction: the last of the way takes longest
        axis = np.array([-self.way[1], self.way[0], 0.0])
        tumble = rotation(axis, -2 * np.pi * self.turns * slow)
        hop = HOP_MM * abs(np.sin(np.pi * HOPS * slow)) * left
        moved = replace(
            self.rest,
            x_mm=self.rest.x_mm - float(self.way[0]) * THROW_MM * slow,
            y_mm=self.rest.y_mm - float(self.way[1]) * THROW_MM * slow,
        )
        moved = replace(moved, tumble=tumble)
        lowest = moved.half_mm * float(np.abs(moved.rotation()[2]).sum())
        return replace(moved, lift_mm=hop + lowest - moved.half_mm)


def random_throw(rng: np.random.Generator, rest: Die, way_rad: float, start_s: float) -> Throw:
    """Throw a die so that it ends where it should; all dice of a hand come about the same way."""
    angle = way_rad + float(rng.normal(0, 0.25))
    begin = start_s + float(rng.uniform(0, 0.15))
    return Throw(rest, begin, begin + float(rng.uniform(*THROW_S)), np.array([np.cos(angle), np.sin(angle)]), float(rng.uniform(*TURNS)))


def rotation(axis: Floats, angle_rad: float) -> Floats:
    """Rotation about a unit vector, by Rodrigues' formula, shape (3, 3)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle_rad) * cross + (1 - np.cos(angle_rad)) * (cross @ cross))


def carried(rest: Die, away_mm: float, progress: float) -> tuple[Die, HandPose]:
    """A die on its way from the player's side to its place, and the hand that holds it.

    Parameters
    ----------
    away_mm : float
        How far towards the player the way begins.
    progress : float
        0 far away, 1 on its place; above 1 the die lies and the hand goes back, until 2.
    """
    back = abs(1 - progress)
    ease = back * back * (3 - 2 * back)
    lift = 70.0 * ease
    die = rest if progress >= 1 else replace(rest, y_mm=rest.y_mm + away_mm * ease, lift_mm=lift)
    top = rest.style.size_mm + lift + 4.0
    tip = (rest.x_mm, rest.y_mm + away_mm * ease + 0.3 * rest.style.size_mm, top)
    return die, HandPose(tip, -np.pi / 2, 40.0, 0.35, 0.8 if progress < 1 else 0.3, 0.2)


@dataclass(frozen=True, slots=True, eq=False)
class Turning:
    """A card that is turned over in place, about its long axis: a back first, then a face.

    Attributes
    ----------
    pose : Pose
        How it lies before and after.
    back, face : Face
        Its two sides.
    """

    pose: Pose
    back: Face
    face: Face

    def draw(self, lamp: Picture, ambient: Picture, view: Viewpoint, light: Light, progress: float) -> Picture:
        """Light of each pixel with the card in the air; `progress` is 0 for the back and 1 for the face."""
        angle = np.pi * progress
        cos, sin = np.cos(self.pose.place.turn_rad), np.sin(self.pose.place.turn_rad)
        along, down = np.array([cos, sin, 0.0]), np.array([-sin, cos, 0.0])
        right = np.cos(angle) * along + np.sin(angle) * _UP
        normal = np.cos(angle) * _UP - np.sin(angle) * along
        lift = self.pose.lift_mm + (self.back.size_mm[0] / 2 + TURN_ARC_MM) * np.sin(angle)
        origin = np.array([self.pose.place.x_mm, self.pose.place.y_mm, lift])
        side = self.back
        if normal @ (view.eye_mm - origin) < 0:
            side, right, normal = self.face, -right, -normal
        half = np.array(side.size_mm) / 2
        flat = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * half
        corners = origin + flat[:, :1] * right + flat[:, 1:] * down
        shade = self._shadow(corners, view, light, float(lift))
        picture = lamp * (1 - 0.9 * shade[..., None]) + ambient * (1 - 0.4 * shade[..., None])
        facing = max(0.0, float(normal @ light.toward)) / float(light.toward[2])
        seen = np.add(facing * np.array(light.lamp_rgb), (0.6 + 0.4 * normal[2]) * np.array(light.ambient_rgb))[::-1]
        return _over(picture, view, side, view.finer(FINER).image_from_plane(origin, right, down), seen)

    @staticmethod
    def _shadow(corners: Floats, view: Viewpoint, light: Light, lift: float) -> Picture:
        ground = corners[:, :2] - light.toward[:2] / light.toward[2] * corners[:, 2:]
        mask = np.zeros(view.size_px[::-1], np.uint8)
        points = np.round(np.clip(apply(view.image_from_table, ground), -4000, 4000) * 16).astype(np.int32)
        cv2.fillPoly(mask, [cv2.convexHull(points)], 255, cv2.LINE_AA, 4)
        sigma = max(0.6, (0.4 + 0.08 * lift) * view.scale_px_mm)
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.float32) / 255


def _over(picture: Picture, view: Viewpoint, side: Face, fine_from_plane: Floats, light_bgr: Floats) -> Picture:
    height_px, width_px = side.cover.shape
    k = side.size_mm[0] / width_px, side.size_mm[1] / height_px
    plane_from_face = np.array([[k[0], 0, (k[0] - side.size_mm[0]) / 2], [0, k[1], (k[1] - side.size_mm[1]) / 2], [0, 0, 1]])
    size = view.finer(FINER).size_px
    seen = cv2.warpPerspective(
        side.picture, fine_from_plane @ plane_from_face, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    alpha = np.asarray(cv2.warpPerspective(side.cover, fine_from_plane @ plane_from_face, size, flags=cv2.INTER_LINEAR), np.float32)
    shown = cv2.resize(seen * alpha[..., None], view.size_px, interpolation=cv2.INTER_AREA)
    share = np.asarray(cv2.resize(alpha, view.size_px, interpolation=cv2.INTER_AREA), np.float32)[..., None]
    return np.asarray(picture * (1 - share) + shown * np.asarray(light_bgr, np.float32), np.float32)
