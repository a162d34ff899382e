"""Table tops to scale, in millimetres, meant to be believed by a person: boards, checked cloth, stone, felt and laminate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np

from visionset.render.pixels import Field, Picture, fractal, linear, noise, painted_row, thrice


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """A painted table top."""

    albedo: Picture  # linear BGR reflectance; float32, shape (height, width, 3)
    rise_mm: Field  # height of folds and grooves: it shades, but moves nothing; float32, shape (height, width)
    gloss: float  # share of the light that is mirrored, 0 (wool) to about 0.1 (varnish)
    polish: float = 30.0  # narrowness of the mirrored light: exponent of its lobe


# ``painter(rng, height_px, width_px, px_mm) -> Material``; tones of the painters below are linear BGR, shape (3,)
TopPainter = Callable[[np.random.Generator, int, int, float], Material]


def _mix(a: Picture, b: Picture, share: Picture) -> Picture:
    share = np.clip(share, 0, 1)  # each channel by itself: numpy is slow where one of them meets three
    return np.asarray(cv2.merge([np.asarray(a[..., c] + (b[..., c] - a[..., c]) * share, np.float32) for c in range(3)]))


def _waves(rng: np.random.Generator, height: int, width: int, px_mm: float) -> Callable[[float, float], Field]:
    """Noise of cells in millimetres."""
    return lambda x_mm, y_mm: noise(rng, height, width, (x_mm * px_mm, y_mm * px_mm))


def _board(rng: np.random.Generator, height: int, width: int, px_mm: float, tones: tuple[Picture, Picture]) -> Picture:
    """One plain-sawn board, grain along x: the annual rings of a trunk, cut by a plane that is not quite along it."""
    waves = _waves(rng, height, width, px_mm)
    x, y = np.arange(width, dtype=np.float32) / np.float32(px_mm), np.arange(height, dtype=np.float32)[:, None] / np.float32(px_mm)
    x = x + rng.uniform(0, 4000)
    middle = height / px_mm * rng.uniform(0.1, 0.9)
    waver = 6 * waves(480, 70) + 0.9 * waves(130, 22)
    depth = rng.uniform(8, 70) + rng.normal(0, 0.02) * (x - x.mean()) + 5 * waves(600, 2000)
    age = (np.sqrt((y - middle + waver) ** 2 + depth**2) + 0.25 * waves(40, 3)) / rng.uniform(2.6, 4.2)
    age = age + 0.8 * np.sin(age * 0.37 + rng.uniform(0, 6))
    ring = (age - np.floor(age)).astype(np.float32)
    latewood = np.clip((ring - 0.25) / 0.6, 0, 1) ** 2 * np.clip((1 - ring) / 0.12, 0, 1)
    picture = _mix(*tones, 0.12 + 0.62 * latewood + 0.07 * waves(26, 0.5) + 0.1 * waves(300, 7))
    pore = noise(rng, height, width, (9 * px_mm, max(1.0, 0.3 * px_mm))) * (1.2 - ring)
    tint = np.exp(rng.normal(0, 0.025, 3) + rng.normal(0, 0.1)).astype(np.float32)
    cloud = 1 + 0.05 * fractal(rng, height, width, 90 * px_mm, 3)
    return np.asarray(picture * thrice((1 - 0.45 * np.clip(pore - 1.25, 0, 1)) * cloud) * painted_row(tint, width), np.float32)


def boards(rng: np.random.Generator, height: int, width: int, px_mm: float, tones: tuple[Picture, Picture], broad_mm: float) -> Material:
    """Oiled boards in the tones of early and late wood, with grooves between them."""
    albedo, rise = np.empty((height, width, 3), np.float32), np.zeros((height, width), np.float32)
    groove = max(1, round(0.5 * px_mm))
    top = -int(rng.uniform(0, 0.6) * broad_mm * px_mm)
    while top < height:
        high = max(8, int(broad_mm * px_mm * rng.uniform(0.9, 1.1)))
        bottom = min(height, top + high)
        albedo[max(0, top) : bottom] = _board(rng, high, width, px_mm, tones)[max(0, -top) : bottom - top]
        if bottom < height:
            albedo[bottom - groove : bottom] *= 0.35
            rise[bottom - groove : bottom] = -0.4
        top = bottom
    soft = cv2.GaussianBlur(rise, (0, 0), max(0.3, 0.4 * px_mm))
    return Material(albedo, np.asarray(soft, np.float32), gloss=0.035, polish=22)


def plaid(rng: np.random.Generator, height: int, width: int, px_mm: float, sett: Sequence[tuple[Picture, float]]) -> Material:
    """A checked blanket in twill, with folds; `sett` has the tone and the breadth in millimetres of each stripe."""
    waves = _waves(rng, height, width, px_mm)
    edges, colors = np.cumsum([span for _, span in sett]), np.stack([tone for tone, _ in sett])
    along, down = (at.astype(np.float32) / px_mm + 4.5 * waves(170, 170) for at in (np.arange(width)[None], np.arange(height)[:, None]))
    warp, weft = (colors[np.searchsorted(edges, way % edges[-1], side="right").clip(0, len(sett) - 1)] for way in (along, down))
    pitch = 1.1
    over = (np.floor(along / pitch) + np.floor(down / pitch)) % 4 < 2
    sharp = float(np.clip(px_mm * pitch / 2 - 0.5, 0, 1))
    thread = 1 + 0.09 * waves(2.4, 0.7) + 0.09 * waves(0.7, 2.4)
    rise = 5.0 * waves(330, 120) + 2.5 * waves(90, 150) + 0.05 * waves(1, 1)
    return Material(_mix(weft, warp, 0.5 + sharp * (over - 0.5)) * thrice(thread), rise, gloss=0.0)


def veined(rng: np.random.Generator, height: int, width: int, px_mm: float, ground: Picture, vein: Picture) -> Material:
    """Polished marble."""
    drift = 55 * px_mm * noise(rng, height, width, (240 * px_mm, 240 * px_mm))
    field = fractal(rng, height, width, 190 * px_mm, 6, 0.58)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    field = np.asarray(cv2.remap(field, x + drift, y - drift, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101), np.float32)
    lines = np.exp(-((field / 0.055) ** 2)) * np.clip(0.5 + 0.5 * noise(rng, height, width, (150 * px_mm, 150 * px_mm)), 0, 1)
    cloud = 0.5 + 0.5 * fractal(rng, height, width, 120 * px_mm, 5)
    share = 0.16 * cloud + 0.22 * np.exp(-((field / 0.5) ** 2)) + 0.65 * lines
    return Material(_mix(ground, vein, share), np.zeros_like(field), 0.05, 80)


def speckled(
    rng: np.random.Generator, height: int, width: int, px_mm: float, ground: Picture, specks: Sequence[tuple[Picture, float, float]]
) -> Material:
    """Cut stone; each of `specks` has its tone, its size in millimetres and how rare it is in standard deviations."""
    albedo = np.broadcast_to(ground, (height, width, 3))
    for tone, cell, least in specks:
        albedo = _mix(albedo, tone, 3.5 * (fractal(rng, height, width, cell * px_mm, 2, 0.5) - least))
    albedo = albedo * thrice(1 + 0.08 * fractal(rng, height, width, 150 * px_mm, 3))
    return Material(np.asarray(albedo, np.float32), np.zeros((height, width), np.float32), 0.05, 90)


def even(
    rng: np.random.Generator,
    height: int,
    width: int,
    px_mm: float,
    tone: Picture,
    nap: float = 0.07,
    cell_mm: float = 5.0,
    cloud: float = 0.07,
    rise_mm: float = 0.03,
    gloss: float = 0.0,
) -> Material:
    """One tone: felt, carpet, paint or laminate, `nap` and `cloud` being the strength of its fine and of its coarse unevenness."""
    fluff = fractal(rng, height, width, cell_mm * px_mm, 4, 0.8)
    albedo = painted_row(tone, width) * thrice(np.clip(1 + nap * fluff + cloud * fractal(rng, height, width, 130 * px_mm, 3), 0.2, 3))
    return Material(np.asarray(albedo, np.float32), np.asarray(rise_mm * fluff, np.float32), gloss)


_RED, _GREEN, _NAVY, _WHITE, _GOLD = (linear(c) for c in ((158, 26, 30), (22, 62, 46), (24, 30, 68), (226, 222, 208), (206, 164, 52)))
_TARTAN = [(_RED, 34.0), (_NAVY, 9.0), (_GREEN, 20.0), (_NAVY, 9.0), (_RED, 8.0), (_WHITE, 3.5), (_RED, 5.0), (_WHITE, 3.5), (_RED, 8.0)]
_GRANITE = {(190, 176, 160): (5.5, 0.5), (104, 94, 88): (4.2, 0.8), (56, 52, 52): (3.4, 1.0), (216, 208, 198): (2.2, 1.6)}
_TERRAZZO = {(166, 151, 134): (2.5, 0.2), (132, 118, 104): (2.5, 0.4), (214, 206, 190): (3.5, 1.1), (58, 62, 82): (3.5, 1.3)}

# painters by name
MATERIALS: dict[str, TopPainter] = {
    "oak": partial(boards, tones=(linear((201, 158, 104)), linear((142, 94, 50))), broad_mm=128),
    "walnut": partial(boards, tones=(linear((112, 74, 47)), linear((58, 34, 21))), broad_mm=165),
    "tartan": partial(plaid, sett=[*_TARTAN, (_GOLD, 2.5)]),
    "marble": partial(veined, ground=linear((243, 243, 240)), vein=linear((118, 122, 128))),
    "granite": partial(speckled, ground=linear((150, 128, 112)), specks=[(linear(c), *grain) for c, grain in _GRANITE.items()]),
    "felt": partial(even, tone=linear((34, 92, 66))),
    "terrazzo": partial(speckled, ground=linear((150, 136, 120)), specks=[(linear(c), *grain) for c, grain in _TERRAZZO.items()]),
    # as bright as card stock: only a thin shadow tells where a card ends
    "laminate": partial(even, tone=linear((246, 245, 242)), nap=0.004, cell_mm=1.6, cloud=0.012, rise_mm=0.004, gloss=0.03),
}
