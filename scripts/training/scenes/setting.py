"""Where a table by chance stands: on anything, in any light, under anybody's hand, and what its light suffers on its way to a program.

Table tops are those of `visionset.render.materials` in any tone, whose units are pixels here, and prints.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.render.camera import Sensor, Viewpoint
from visionset.render.faces import round_shape
from visionset.render.hands import HandPose, Person, hand
from visionset.render.layouts import Spot
from visionset.render.materials import Material, TopPainter, boards, even, plaid, speckled, veined
from visionset.render.pixels import Picture, blurred, color, filled, fractal, shrunk, write
from visionset.render.stage import Light, Pose
from visionset.render.table_pieces import Flat
from visionset.render.table_plan import CARD_MM, Body, LaidFlat, TablePlan
from visionset.render.tables import smear


@dataclass(frozen=True, slots=True)
class Motifs:
    """Figures strewn over a ground; lengths are shares of the picture's longer side."""

    shapes: tuple[str, ...]
    count: tuple[float, float]
    size: tuple[float, float]
    small: float = 1.0  # exponent by which small ones are more frequent
    spread_rad: float = np.pi  # how far each is turned from the common way
    soft: float = 0.0  # how often all of them are blurred


PRINTED = Motifs(("ellipse", "star", "letters", "line", "box"), (8, 80), (0.02, 0.2))
CORNERS = {"ellipse": 24, "box": 4}  # corners of figures; stars have any number


def letters(rng: np.random.Generator, length: int, least: int = 32) -> str:
    """Characters that make no word."""
    return "".join(chr(int(code)) for code in rng.integers(least, 123, length))


def strew(rng: np.random.Generator, ground: Picture, how: Motifs) -> Picture:
    """Draw figures over a ground, filled or outlined, in a few colours, white and black among them at times."""
    picture = np.array(ground, np.float32, order="C")
    height, width = picture.shape[:2]
    palette = [color(rng) for _ in range(int(rng.integers(1, 8)))] + [np.full(3, level, np.float32) for level in (0.85, 0.03)]
    largest, common = max(height, width) * rng.uniform(*how.size), rng.uniform(0, 2 * np.pi)
    for _ in range(int(np.exp(rng.uniform(*np.log(how.count))))):
        shape, size = str(rng.choice(how.shapes)), max(1.5, largest * rng.random() ** how.small)
        fill, thick = (palette[int(rng.integers(len(palette)))] * np.exp(rng.normal(0, 0.2))).tolist(), int(rng.integers(1, 4))
        at, turn = rng.uniform(0, (width, height)), common + rng.uniform(-1, 1) * how.spread_rad
        way = np.array([np.cos(turn), np.sin(turn)])
        if shape == "letters":
            write(picture, letters(rng, int(rng.integers(1, 7))), (int(at[0]), int(at[1])), int(rng.integers(0, 5)), size / 25, fill, thick)
            continue
        count = CORNERS.get(shape) or int(rng.integers(3, 12))
        angle = (np.arange(count) + 0.5) * (2 * np.pi / count)
        reach = size * (rng.uniform(0.4, 1.2, count) if shape == "star" else 1.0)
        across, along = reach * np.sin(angle) * rng.uniform(0.2, 1), reach * np.cos(angle)
        ring = at + along[:, None] * way + across[:, None] * [-way[1], way[0]] if shape != "line" else np.stack([at, at + size * way])
        if shape != "line" and rng.random() < 0.8:
            cv2.fillPoly(picture, [ring.astype(np.int32)], fill)
            fill = palette[int(rng.integers(len(palette)))].tolist()
        if shape == "line" or rng.random() < 0.5:
            cv2.polylines(picture, [ring.astype(np.int32)], shape != "line", fill, thick)
    if rng.random() < how.soft:
        picture = cv2.GaussianBlur(picture, (0, 0), max(0.5, largest * rng.uniform(0.1, 0.5)))
    return np.asarray(picture, np.float32)


def wood(rng: np.random.Generator) -> TopPainter:
    """Boards of any breadth and tone."""
    dark = np.exp(rng.uniform(np.log(0.02), np.log(0.35))) * np.array([0.45, 0.75, 1.0]) ** rng.uniform(0.5, 2)
    return partial(boards, tones=(np.clip(dark * rng.uniform(1.3, 2.6), 0, 0.9), dark), broad_mm=rng.uniform(60, 400))


def speckles(rng: np.random.Generator, size: tuple[float, float], rare: tuple[float, float]) -> TopPainter:
    """Two to four colours, all but the first as specks within ranges of size and rarity."""
    specks = [(color(rng, vivid=0.3), float(rng.uniform(*size)), float(rng.uniform(*rare))) for _ in range(int(rng.integers(1, 4)))]
    return partial(speckled, ground=color(rng, vivid=0.3), specks=specks)


def printed(rng: np.random.Generator) -> TopPainter:
    """Printed fabric or paper."""
    paper = color(rng)

    def top(chance: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
        fine = min(1.0, 1 / px_mm)
        small = strew(chance, np.broadcast_to(paper, (max(8, int(height * fine)), max(8, int(width * fine)), 3)), PRINTED)
        return Material(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.zeros((height, width), np.float32), 0.0)

    return top


def one_tone(rng: np.random.Generator, tone: Picture, nap: tuple[float, float], cell: tuple[float, float], gloss: float) -> TopPainter:
    """One colour with unevenness within ranges of strength and size."""
    return partial(
        even, tone=tone, nap=rng.uniform(*nap), cell_mm=rng.uniform(*cell), cloud=0.015, rise_mm=0.0, gloss=rng.uniform(0, gloss)
    )


# how often a table is such, and who draws it
_SURFACES: dict[str, tuple[float, Callable[[np.random.Generator], TopPainter]]] = {
    "painted": (0.1, lambda rng: one_tone(rng, color(rng, vivid=0.3), (0, 0.12), (20, 120), 0.06)),
    # as bright as card stock or a little off: the card's edge may be invisible on it
    "white": (0.22, lambda rng: one_tone(rng, rng.uniform(0.55, 0.95) * (1 + rng.normal(0, 0.03, 3)), (0, 0.03), (10, 100), 0.06)),
    "wood": (0.18, wood),
    "checks": (0.14, lambda rng: partial(plaid, sett=[(color(rng), rng.uniform(3, 60)) for _ in range(int(rng.integers(2, 7)))])),
    "pile": (0.06, lambda rng: one_tone(rng, color(rng), (0.1, 0.5), (2, 9), 0.0)),
    "carpet": (0.06, lambda rng: speckles(rng, (2, 90), (-0.5, 0.6))),
    "marble": (0.04, lambda rng: partial(veined, ground=color(rng, 0.2, 0.8, 0.15), vein=color(rng, 0.05, 0.8, 0.15))),
    "stone": (0.06, lambda rng: speckles(rng, (2, 20), (0.2, 1.6))),
    "printed": (0.14, printed),
}


def random_surface(rng: np.random.Generator) -> TopPainter:
    """Any table top; at times with the joints of tiles."""
    painter = _SURFACES[str(rng.choice(list(_SURFACES), p=[share for share, _ in _SURFACES.values()]))][1](rng)
    tile = rng.uniform(120, 400) if rng.random() < 0.06 else 0.0

    def top(chance: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
        material = painter(chance, height, width, px_mm)
        albedo = np.clip(material.albedo, 0.004, 1).astype(np.float32)
        if tile:
            joint = (np.arange(width)[None] / px_mm % tile < 2) | (np.arange(height)[:, None] / px_mm % tile < 2)
            albedo[joint] *= 0.6
        return Material(albedo, material.rise_mm, material.gloss, material.polish)

    return top


def ground(rng: np.random.Generator, height: int, width: int) -> Picture:
    """A picture of any table top from above, or of one mottled colour."""
    if rng.random() < 0.4:
        return color(rng, 0.004) * np.exp(rng.uniform(0, 0.3) * fractal(rng, height, width, rng.uniform(2, 80)))[..., None]
    return random_surface(rng)(rng, height, width, 1.0).albedo


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


def random_plan(rng: np.random.Generator, size_px: tuple[int, int], scale_px_mm: float) -> TablePlan:
    """An empty table, whose top's print is about as fine as pixels are, whatever it is painted with."""
    view, painter, coarse = random_view(rng, size_px, scale_px_mm), random_surface(rng), float(np.exp(rng.uniform(-0.4, 0.4)))
    shine, seed = random_light(rng), int(rng.integers(1 << 30))

    def top(chance: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
        return painter(chance, height, width, px_mm * coarse / scale_px_mm)

    return TablePlan(seed, view, shine, Sensor(), top, texture_px=5.0 * size_px[0] * size_px[1])


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
    image = random_sensor(rng, how).take(rng, picture, 1 / bright)
    if rng.random() < 0.3 * how.coding:  # it was once smaller
        width, height = (round(side * rng.uniform(0.5, 0.95)) for side in image.shape[1::-1])
        image = np.asarray(cv2.resize(shrunk(image, (width, height)), image.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.7:
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(98 - 65 * how.coding, 98))])[1]
        image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return image
