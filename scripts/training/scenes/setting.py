"""Where a table by chance stands: seen from anywhere, in any light, on anything, with anybody's hand over it."""

from __future__ import annotations

import numpy as np

from scenes.surfaces import random_surface
from visionset.render.hands import HandPose, Person, hand
from visionset.render.layouts import Spot
from visionset.render.materials import TablePainter
from visionset.render.sensor import Sensor
from visionset.render.stage import Light, Pose
from visionset.render.table_pieces import Flat
from visionset.render.table_plan import CARD_MM, Body, LaidFlat, TablePlan
from visionset.render.viewpoint import Viewpoint

STEEPEST_DEG = 62.0
"""Tilt of the flattest view."""


def random_view(rng: np.random.Generator, size_px: tuple[int, int], scale_px_mm: float) -> Viewpoint:
    """From straight above to a laptop's lid; the table fills the picture."""
    width, height = size_px
    while True:
        tilt = min(abs(rng.normal(0, 34)), STEEPEST_DEG) if rng.random() < 0.7 else rng.uniform(0, STEEPEST_DEG)
        distance = max(size_px) / scale_px_mm * rng.uniform(0.9, 3.0)
        center = (float(width / 2 + rng.normal(0, width / 10)), float(height / 2 + rng.normal(0, height / 10)))
        scale = scale_px_mm / np.sqrt(np.cos(np.radians(tilt)))
        view = Viewpoint(size_px, float(scale), float(tilt), float(rng.uniform(0, 360)), float(distance), center)
        try:
            corners = view.table_mm()
        except ValueError:  # the horizon is in the picture
            continue
        if np.ptp(corners, axis=0).max() < 8 * max(size_px) / scale_px_mm:
            return view


def random_light(rng: np.random.Generator) -> Light:
    """One lamp somewhere above, at times through a window, and light from all sides."""
    way, ambient = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.8)
    toward = np.array([np.cos(way), np.sin(way), np.exp(rng.uniform(-0.8, 1.5))])
    lamp = toward / np.linalg.norm(toward) * np.exp(rng.uniform(np.log(400), np.log(3000)))
    tints = np.exp(rng.normal(0, 0.08, (2, 3)))
    patches = []
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.1 else 0):
        center, angle = rng.normal(0, 250, 2), np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 6))))
        patches.append(tuple((float(center[0] + 300 * np.cos(a)), float(center[1] + 300 * np.sin(a))) for a in angle))
    x, y, z = (float(v) for v in lamp)
    shining, around = ((1 - ambient) * tints[0], ambient * tints[1])
    return Light((x, y, z), tuple(map(float, shining)), tuple(map(float, around)), tuple(patches), float(rng.uniform(1, 20)))


def random_top(rng: np.random.Generator, scale_px_mm: float) -> TablePainter:
    """A table top whose print is about as fine as pixels are, whatever it is painted with."""
    painter, coarse_mm = random_surface(rng), float(np.exp(rng.uniform(-0.4, 0.4))) / scale_px_mm
    return lambda chance, height, width, px_mm: painter(chance, height, width, px_mm * coarse_mm)


def random_plan(rng: np.random.Generator, size_px: tuple[int, int], scale_px_mm: float) -> TablePlan:
    """An empty table."""
    view, top, shine = random_view(rng, size_px, scale_px_mm), random_top(rng, scale_px_mm), random_light(rng)
    lamp_mm, texture_px = float(rng.uniform(10, 400)), 5.0 * size_px[0] * size_px[1]
    return TablePlan(int(rng.integers(1 << 30)), view, shine, Sensor(), top, lamp_radius_mm=lamp_mm, texture_px=texture_px)


def lie(rng: np.random.Generator, flat: Flat, place: Spot) -> LaidFlat:
    """A flat thing, a little bent, a little off the table."""
    across, along = (float(v) for v in rng.normal(0, rng.uniform(0, 0.03), 2))
    return LaidFlat(flat, Pose(place, CARD_MM + abs(float(rng.normal(0, 0.6))), warp=(across, along)))


def anywhere(rng: np.random.Generator, reach_mm: float) -> Spot:
    """Any place, any turn."""
    x, y = rng.uniform(-reach_mm, reach_mm, 2)
    return Spot(float(x), float(y), float(rng.uniform(0, 2 * np.pi)))


def random_hand(rng: np.random.Generator, reach_mm: float) -> Body:
    """A hand of anybody, over anything, from any side."""
    tip = anywhere(rng, reach_mm)
    skin = np.array([0.55, 0.32, 0.22]) * np.exp(rng.uniform(-1.2, 0.3)) * np.exp(rng.normal(0, 0.1, 3))
    person = Person(tuple(map(float, skin)), tuple(map(float, rng.uniform(0.02, 0.6, 3))), float(rng.uniform(0.8, 1.15)))
    held = [float(v) for v in rng.uniform(0, 1, 3)]
    return hand(HandPose((tip.x_mm, tip.y_mm, float(rng.uniform(8, 60))), tip.turn_rad, float(rng.uniform(8, 35)), *held), person)
