"""Where a table by chance stands, in any light, under anybody's hand, and what its light suffers on its way to a program."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scenes.surfaces import random_surface
from visionset.render.camera import Sensor, Viewpoint
from visionset.render.faces import round_shape
from visionset.render.hands import HandPose, Person, hand
from visionset.render.layouts import Spot
from visionset.render.materials import TablePainter
from visionset.render.pixels import Picture, blurred, filled, fractal, shrunk
from visionset.render.stage import Light, Pose
from visionset.render.table_pieces import Flat
from visionset.render.table_plan import CARD_MM, Body, LaidFlat, TablePlan
from visionset.render.tables import smear

_STEEPEST_DEG = 62.0  # tilt of the flattest view


def random_view(rng: np.random.Generator, size_px: tuple[int, int], scale_px_mm: float) -> Viewpoint:
    """From straight above to a laptop's lid; the table fills the picture."""
    width, height = size_px
    while True:
        tilt = min(abs(rng.normal(0, 34)), _STEEPEST_DEG) if rng.random() < 0.7 else rng.uniform(0, _STEEPEST_DEG)
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
    soft_mm, radius_mm = (float(v) for v in rng.uniform((1, 10), (20, 400)))
    return Light((x, y, z), tuple(map(float, shining)), tuple(map(float, around)), radius_mm, tuple(patches), soft_mm)


def random_top(rng: np.random.Generator, scale_px_mm: float) -> TablePainter:
    """A table top whose print is about as fine as pixels are, whatever it is painted with."""
    painter, coarse_mm = random_surface(rng), float(np.exp(rng.uniform(-0.4, 0.4))) / scale_px_mm
    return lambda chance, height, width, px_mm: painter(chance, height, width, px_mm * coarse_mm)


def random_plan(rng: np.random.Generator, size_px: tuple[int, int], scale_px_mm: float) -> TablePlan:
    """An empty table."""
    view, top, shine = random_view(rng, size_px, scale_px_mm), random_top(rng, scale_px_mm), random_light(rng)
    return TablePlan(int(rng.integers(1 << 30)), view, shine, Sensor(), top, texture_px=5.0 * size_px[0] * size_px[1])


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


@dataclass(frozen=True, slots=True)
class Spoil:
    """How bad a picture is, each from 0 (not at all) to 1 (the worst that a reader should survive)."""

    light: float = 0.5
    shadow: float = 0.5
    cast: float = 0.5
    blur: float = 0.5
    noise: float = 0.5
    coding: float = 0.5


def lamp(rng: np.random.Generator, picture: Picture, strength: float) -> Picture:
    """Fall-off of one lamp, as a soft quadratic field."""
    height, width = picture.shape[:2]
    x, y = np.linspace(-1, 1, width, dtype=np.float32)[None], np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    cx, cy = rng.uniform(-1.2, 1.2, 2)
    field = rng.normal(0, 0.5) * x + rng.normal(0, 0.5) * y - rng.uniform(0, 0.6) * ((x - cx) ** 2 + (y - cy) ** 2)
    return np.asarray(picture * np.exp(strength * (field - field.mean()))[..., None], np.float32)


def patch(rng: np.random.Generator, picture: Picture, reach: tuple[float, float], soft: tuple[float, float], corners: int) -> Picture:
    """A spot with hard or soft edges, 0 to 1, shape (height, width, 1); `reach` and `soft` are ranges in sides of the picture."""
    size = np.array(picture.shape[1::-1])
    ring = rng.uniform(*reach, (corners, 1)) * size.max() * round_shape((0.0, 0.0), (1.0, rng.uniform(0.3, 1.0)), corners)[0]
    sigma = size.max() * np.exp(rng.uniform(*np.log(soft)))
    return blurred(filled(picture.shape[1::-1], [ring + rng.uniform(0, size)]), max(0.5, float(sigma)))[..., None]


def random_sensor(rng: np.random.Generator, how: Spoil) -> Sensor:
    """A camera with its settings, right ones or wrong ones."""
    gains = np.exp(how.cast * rng.normal(0, 0.35, 3) + how.cast * rng.normal(0, 0.35) * np.array([1, 0, -1]))
    red, green, blue = (float(gain) for gain in gains / gains.mean())
    grain = float(how.noise * abs(rng.normal(0, 0.03)))
    return Sensor(
        exposure=float(np.exp(rng.normal(0, 0.3)) * 0.85),
        balance_rgb=(red, green, blue),
        blur_px=float(how.blur * abs(rng.normal(0, 1.0))),
        read_noise=0.2 * grain,
        shot_noise=grain,
        chroma_noise=float(how.noise * abs(rng.normal(0, 4))) if rng.random() < 0.4 else 0.0,
        vignette=float(rng.uniform(0, 0.35)),
        contrast=float(rng.uniform(-0.4, 0.6)),
        saturation=float(np.exp(rng.normal(0, 0.25))),
        sharpen=float(rng.uniform(0.2, 1.5)) if rng.random() < 0.35 else 0.0,
        black=float(rng.uniform(0, 0.02)) if rng.random() < 0.4 else 0.0,
    )


def code(rng: np.random.Generator, image: NDArray[np.uint8], strength: float) -> NDArray[np.uint8]:
    """JPEG artefacts, and the softness of a picture that was once smaller."""
    if rng.random() < 0.3 * strength:
        width, height = (round(side * rng.uniform(0.5, 0.95)) for side in image.shape[1::-1])
        image = np.asarray(cv2.resize(shrunk(image, (width, height)), image.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.7:
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(98 - 65 * strength, 98))])[1]
        image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return image


def spoil(rng: np.random.Generator, picture: Picture, how: Spoil) -> NDArray[np.uint8]:
    """All of it, in the order in which light travels; linear light to 8 bits."""
    picture = lamp(rng, picture, how.light)
    for _ in range(int(rng.integers(1, 3)) if rng.random() < 0.5 * how.shadow else 0):  # a hand, a head, a window's frame; bluish at times
        depth = rng.uniform(0.2, 0.8) * np.exp(rng.normal(0, 0.08, 3))
        picture = picture * (1 - patch(rng, picture, (0.2, 1.0), (0.003, 0.08), int(rng.integers(3, 7))) * np.minimum(depth, 1))
    if rng.random() < 0.15:
        height, width = picture.shape[:2]
        picture = picture * np.exp(0.15 * fractal(rng, height, width, width / 4, 2))[..., None]
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.3 * how.light else 0):  # mirrored by the lacquer
        picture = picture + rng.uniform(0.1, 0.7) * patch(rng, picture, (0.02, 0.2), (0.01, 0.08), 24)
    picture = np.asarray(picture, np.float32)
    if rng.random() < 0.15:
        angle, length = rng.uniform(0, np.pi), how.blur * rng.uniform(4, 14)
        picture = smear(picture, (float(length * np.cos(angle)), float(length * np.sin(angle))))
    bright = float(np.percentile(picture, 97)) + 1e-6
    return code(rng, random_sensor(rng, how).take(rng, picture, 1 / bright), how.coding)
