"""Table tops to scale, in millimetres: oiled boards, tartan, marble, granite, felt, laminate and terrazzo.

Unlike `surfaces`, which shows a network anything, these are meant to be believed by a person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.render.faces import linear
from visionset.render.pixels import Picture, fractal, noise

Field = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """A painted table top."""

    albedo: Picture
    """Linear BGR reflectance; float32, shape (height, width, 3)."""
    rise_mm: Field
    """Height of folds and grooves: it shades, but moves nothing; float32, shape (height, width)."""
    gloss: float
    """Share of the light that is mirrored, 0 (wool) to about 0.1 (varnish)."""
    polish: float = 30.0
    """Narrowness of the mirrored light: exponent of its lobe."""


def _grid(height: int, width: int, px_mm: float) -> tuple[Field, Field]:
    x = (np.arange(width, dtype=np.float32) / np.float32(px_mm))[None, :]
    y = (np.arange(height, dtype=np.float32) / np.float32(px_mm))[:, None]
    return x, y


def _mix(a: Picture, b: Picture, share: Field) -> Picture:
    return np.asarray(a + (b - a) * np.clip(share, 0, 1)[..., None], np.float32)


def _board(rng: np.random.Generator, height: int, width: int, px_mm: float, tones: tuple[Picture, Picture]) -> Picture:
    """One plain-sawn board, grain along x: the annual rings of a trunk, cut by a plane that is not quite along it."""
    early, late = tones
    x, y = _grid(height, width, px_mm)
    x = x + rng.uniform(0, 4000)
    middle = height / px_mm * rng.uniform(0.1, 0.9)
    waver = 6 * noise(rng, height, width, (480 * px_mm, 70 * px_mm)) + 0.9 * noise(rng, height, width, (130 * px_mm, 22 * px_mm))
    depth = rng.uniform(8, 70) + rng.normal(0, 0.02) * (x - x.mean()) + 5 * noise(rng, height, width, (600 * px_mm, 2000 * px_mm))
    radius = np.sqrt((y - middle + waver) ** 2 + depth**2) + 0.25 * noise(rng, height, width, (40 * px_mm, 3 * px_mm))
    age = radius / rng.uniform(2.6, 4.2)
    age = age + 0.8 * np.sin(age * 0.37 + rng.uniform(0, 6))
    ring = (age - np.floor(age)).astype(np.float32)
    latewood = np.clip((ring - 0.25) / 0.6, 0, 1) ** 2 * np.clip((1 - ring) / 0.12, 0, 1)
    fibre = noise(rng, height, width, (26 * px_mm, 0.5 * px_mm))
    streak = noise(rng, height, width, (300 * px_mm, 7 * px_mm))
    share = 0.12 + 0.62 * latewood + 0.07 * fibre + 0.1 * streak
    picture = _mix(early, late, np.asarray(share, np.float32))
    pore = noise(rng, height, width, (9 * px_mm, max(1.0, 0.3 * px_mm))) * (1.2 - ring)
    picture = picture * (1 - 0.45 * np.clip(pore - 1.25, 0, 1))[..., None]
    tint = np.exp(rng.normal(0, 0.025, 3) + rng.normal(0, 0.1)).astype(np.float32)
    cloud = 1 + 0.05 * fractal(rng, height, width, 90 * px_mm, 3)
    return np.asarray(picture * tint * cloud[..., None], np.float32)


def _boards(rng: np.random.Generator, height: int, width: int, px_mm: float, tones: tuple[Picture, Picture], broad_mm: float) -> Material:
    albedo = np.empty((height, width, 3), np.float32)
    rise = np.zeros((height, width), np.float32)
    top = -int(rng.uniform(0, 0.6) * broad_mm * px_mm)
    while top < height:
        high = max(8, int(broad_mm * px_mm * rng.uniform(0.9, 1.1)))
        bottom = min(height, top + high)
        albedo[max(0, top) : bottom] = _board(rng, high, width, px_mm, tones)[max(0, -top) : bottom - top]
        groove = max(1, round(0.5 * px_mm))
        if bottom < height:
            albedo[bottom - groove : bottom] *= 0.35
            rise[bottom - groove : bottom] = -0.4
        top = bottom
    soft = np.asarray(cv2.GaussianBlur(rise, (0, 0), max(0.3, 0.4 * px_mm)), np.float32)
    return Material(albedo, soft, gloss=0.035, polish=22)


def oak(rng: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
    """Oiled oak: honey-coloured boards a hand broad."""
    return _boards(rng, height, width, px_mm, (linear((201, 158, 104)), linear((142, 94, 50))), 128)


def walnut(rng: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
    """Dark varnished boards."""
    return _boards(rng, height, width, px_mm, (linear((112, 74, 47)), linear((58, 34, 21))), 165)


def tartan(rng: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
    """A checked blanket in twill, with folds: red, green, navy and a pair of white lines, as bright as a card's edge."""
    palette = [linear(c) for c in ((158, 26, 30), (22, 62, 46), (24, 30, 68), (226, 222, 208), (206, 164, 52))]
    sett = ((0, 34.0), (2, 9.0), (1, 20.0), (2, 9.0), (0, 8.0), (3, 3.5), (0, 5.0), (3, 3.5), (0, 8.0), (4, 2.5))
    period = sum(span for _, span in sett)
    edges = np.cumsum([span for _, span in sett])
    colors = np.stack([palette[index] for index, _ in sett])
    x, y = _grid(height, width, px_mm)
    bend = 4.5 * noise(rng, height, width, (170 * px_mm, 170 * px_mm)), 4.5 * noise(rng, height, width, (170 * px_mm, 170 * px_mm))
    along, down = x + bend[0], y + bend[1]
    warp = colors[np.searchsorted(edges, along % period, side="right").clip(0, len(sett) - 1)]
    weft = colors[np.searchsorted(edges, down % period, side="right").clip(0, len(sett) - 1)]
    pitch = 1.1
    over = (np.floor(along / pitch) + np.floor(down / pitch)) % 4 < 2
    sharp = np.float32(np.clip(px_mm * pitch / 2 - 0.5, 0, 1))
    share = (0.5 + sharp * (over - 0.5)).astype(np.float32)
    thread = 1 + 0.09 * noise(rng, height, width, (2.4 * px_mm, 0.7 * px_mm)) + 0.09 * noise(rng, height, width, (0.7 * px_mm, 2.4 * px_mm))
    albedo = _mix(weft, warp, share) * thread[..., None]
    fold = noise(rng, height, width, (330 * px_mm, 120 * px_mm))
    rise = 5.0 * fold + 2.5 * noise(rng, height, width, (90 * px_mm, 150 * px_mm)) + 0.05 * noise(rng, height, width, (px_mm, px_mm))
    return Material(np.asarray(albedo, np.float32), np.asarray(rise, np.float32), gloss=0.0)


def marble(rng: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
    """White marble with grey veins, polished."""
    drift = 55 * px_mm * noise(rng, height, width, (240 * px_mm, 240 * px_mm))
    field = fractal(rng, height, width, 190 * px_mm, 6, 0.58)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    field = np.asarray(cv2.remap(field, x + drift, y - drift, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101), np.float32)
    vein = np.exp(-((field / 0.055) ** 2)) * np.clip(0.5 + 0.5 * noise(rng, height, width, (150 * px_mm, 150 * px_mm)), 0, 1)
    haze = np.exp(-((field / 0.5) ** 2))
    cloud = 0.5 + 0.5 * fractal(rng, height, width, 120 * px_mm, 5)
    share = 0.16 * cloud + 0.22 * haze + 0.65 * vein
    return Material(_mix(linear((243, 243, 240)), linear((118, 122, 128)), np.asarray(share, np.float32)), np.zeros_like(share), 0.05, 80)


def granite(rng: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
    """Speckled kitchen stone: feldspar, quartz and mica."""
    albedo = np.empty((height, width, 3), np.float32)
    albedo[:] = linear((150, 128, 112))
    for tone, cell, least in (
        ((190, 176, 160), 5.5, 0.5),
        ((104, 94, 88), 4.2, 0.8),
        ((56, 52, 52), 3.4, 1.0),
        ((216, 208, 198), 2.2, 1.6),
    ):
        grain = noise(rng, height, width, (cell * px_mm, cell * px_mm)) + 0.5 * noise(
            rng, height, width, (cell * px_mm / 2, cell * px_mm / 2)
        )
        albedo = _mix(albedo, linear(tone), np.asarray((grain - least) * 3.5, np.float32))
    albedo *= (1 + 0.08 * fractal(rng, height, width, 150 * px_mm, 3))[..., None]
    return Material(np.asarray(albedo, np.float32), np.zeros((height, width), np.float32), 0.05, 90)


def _fibrous(rng: np.random.Generator, height: int, width: int, px_mm: float, base: Picture, nap: float, rise_mm: float) -> Material:
    fluff = fractal(rng, height, width, 5 * px_mm, 4, 0.8)
    cloud = fractal(rng, height, width, 130 * px_mm, 3)
    albedo = base * np.clip(1 + nap * fluff + 0.07 * cloud, 0.2, 3)[..., None]
    return Material(np.asarray(albedo, np.float32), np.asarray(rise_mm * fluff, np.float32), 0.0)


def felt(rng: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
    """Green card-table felt."""
    return _fibrous(rng, height, width, px_mm, linear((34, 92, 66)), 0.07, 0.03)


def terrazzo(rng: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
    """Grey-brown cast stone with light and dark chips."""
    ground = _fibrous(rng, height, width, px_mm, linear((150, 136, 120)), 0.16, 0.0)
    chips = noise(rng, height, width, (3 * px_mm, 3 * px_mm))
    albedo = _mix(ground.albedo, linear((214, 206, 190)), np.asarray((chips - 1.0) * 2, np.float32))
    albedo = _mix(albedo, linear((58, 62, 82)), np.asarray((-chips - 1.2) * 2, np.float32))
    return Material(albedo, ground.rise_mm, 0.03, 60)


def laminate(rng: np.random.Generator, height: int, width: int, px_mm: float) -> Material:
    """White melamine desk, as bright as card stock: only a thin shadow tells where a card ends."""
    peel = noise(rng, height, width, (1.6 * px_mm, 1.6 * px_mm))
    smudge = fractal(rng, height, width, 100 * px_mm, 4)
    albedo = linear((246, 245, 242)) * (1 + 0.004 * peel + 0.012 * smudge)[..., None]
    return Material(np.asarray(albedo, np.float32), np.asarray(0.004 * peel, np.float32), 0.03, 35)


TablePainter = Callable[[np.random.Generator, int, int, float], Material]
"""``painter(rng, height_px, width_px, px_mm) -> Material``."""

MATERIALS: dict[str, TablePainter] = {
    "oak": oak,
    "walnut": walnut,
    "tartan": tartan,
    "marble": marble,
    "granite": granite,
    "felt": felt,
    "terrazzo": terrazzo,
    "laminate": laminate,
}
"""Painters by name."""
