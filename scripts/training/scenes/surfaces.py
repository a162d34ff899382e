"""Table tops drawn by chance: those of `visionset.render.materials` in any tone, whose units are pixels here, and prints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np

from visionset.render.materials import Material, TablePainter, boards, even, plaid, speckled, veined
from visionset.render.pixels import Picture, color, fractal, write


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


def floats(paint_bgr: Picture) -> tuple[float, ...]:
    """A colour as OpenCV wants it."""
    return tuple(float(value) for value in paint_bgr)


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
        fill, thick = floats(palette[int(rng.integers(len(palette)))] * np.exp(rng.normal(0, 0.2))), int(rng.integers(1, 4))
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
            fill = floats(palette[int(rng.integers(len(palette)))])
        if shape == "line" or rng.random() < 0.5:
            cv2.polylines(picture, [ring.astype(np.int32)], shape != "line", fill, thick)
    if rng.random() < how.soft:
        picture = cv2.GaussianBlur(picture, (0, 0), max(0.5, largest * rng.uniform(0.1, 0.5)))
    return np.asarray(picture, np.float32)


def wood(rng: np.random.Generator) -> TablePainter:
    """Boards of any breadth and tone."""
    dark = np.exp(rng.uniform(np.log(0.02), np.log(0.35))) * np.array([0.45, 0.75, 1.0]) ** rng.uniform(0.5, 2)
    return partial(boards, tones=(np.clip(dark * rng.uniform(1.3, 2.6), 0, 0.9), dark), broad_mm=rng.uniform(60, 400))


def speckles(rng: np.random.Generator, size: tuple[float, float], rare: tuple[float, float]) -> TablePainter:
    """Two to four colours, all but the first as specks within ranges of size and rarity."""
    specks = [(color(rng, vivid=0.3), float(rng.uniform(*size)), float(rng.uniform(*rare))) for _ in range(int(rng.integers(1, 4)))]
    return partial(speckled, ground=color(rng, vivid=0.3), specks=specks)


def printed(rng: np.random.Generator) -> TablePainter:
    """Printed fabric or paper."""
    paper = color(rng)

    def top(chance: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
        fine = min(1.0, 1 / px_mm)
        small = strew(chance, np.broadcast_to(paper, (max(8, int(height * fine)), max(8, int(width * fine)), 3)), PRINTED)
        return Material(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.zeros((height, width), np.float32), 0.0)

    return top


def one_tone(rng: np.random.Generator, tone: Picture, nap: tuple[float, float], cell: tuple[float, float], gloss: float) -> TablePainter:
    """One colour with unevenness within ranges of strength and size."""
    return partial(
        even, tone=tone, nap=rng.uniform(*nap), cell_mm=rng.uniform(*cell), cloud=0.015, rise_mm=0.0, gloss=rng.uniform(0, gloss)
    )


# how often a table is such, and who draws it
_SURFACES: dict[str, tuple[float, Callable[[np.random.Generator], TablePainter]]] = {
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


def random_surface(rng: np.random.Generator) -> TablePainter:
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
