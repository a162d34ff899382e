"""Where a table by chance stands: seen from anywhere, in any light, on anything, with anybody's hand over it."""

from __future__ import annotations

import cv2
import numpy as np

from scenes.surfaces import SURFACES
from visionset.render.hands import HandPose, Person, hand
from visionset.render.layouts import Spot
from visionset.render.materials import Material, TablePainter
from visionset.render.sensor import Sensor
from visionset.render.stage import Light, Pose
from visionset.render.table_pieces import Flat
from visionset.render.table_plan import CARD_MM, Body, LaidFlat, TablePlan
from visionset.render.viewpoint import Viewpoint

SURFACE_SHARES = (0.1, 0.22, 0.18, 0.14, 0.12, 0.1, 0.14)
"""How often each of `SURFACES` is the table."""

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
    name, coarse = str(rng.choice(list(SURFACES), p=SURFACE_SHARES)), np.exp(rng.uniform(-0.4, 0.4)) / scale_px_mm
    gloss = float(rng.choice([0.0, rng.uniform(0, 0.06)]))

    def top(chance: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
        share = min(1.0, 1 / (px_mm * coarse))
        small = SURFACES[name](chance, max(8, int(height * share)), max(8, int(width * share)))
        albedo = np.clip(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), 0.004, 1).astype(np.float32)
        return Material(albedo, np.zeros((height, width), np.float32), gloss)

    return top


def random_plan(rng: np.random.Generator, size_px: tuple[int, int], scale_px_mm: float, top: TablePainter | None = None) -> TablePlan:
    """An empty table."""
    view, top = random_view(rng, size_px, scale_px_mm), top or random_top(rng, scale_px_mm)
    texture_px = 5.0 * size_px[0] * size_px[1]
    lamp_mm = float(rng.uniform(10, 400))
    return TablePlan(int(rng.integers(1 << 30)), view, random_light(rng), Sensor(), top, lamp_radius_mm=lamp_mm, texture_px=texture_px)


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
