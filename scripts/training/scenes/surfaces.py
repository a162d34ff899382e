"""Table tops drawn by chance: wood, cloth, stone, carpet, prints and plain white; unlike `visionset.render.materials`, anything goes."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from visionset.render.pixels import Picture, color, fractal, noise, write


def plain(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Painted or laminated board: one colour with faint mottling."""
    base = color(rng, vivid=0.3)
    mottle = 1 + rng.uniform(0.0, 0.12) * fractal(rng, height, width, rng.uniform(20, 120))
    return np.asarray(base * mottle[..., None], dtype=np.float32)


def white(rng: np.random.Generator, height: int, width: int) -> Picture:
    """White table, as bright as card stock or a little off: the card's edge may be invisible on it."""
    base = np.float32(rng.uniform(0.55, 0.95)) * (1 + rng.normal(0, 0.03, 3).astype(np.float32))
    mottle = 1 + rng.uniform(0.0, 0.03) * fractal(rng, height, width, rng.uniform(10, 100))
    return np.asarray(base * mottle[..., None], dtype=np.float32)


def wood(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Boards with grain along x."""
    grain = rng.uniform(3, 14)
    lines = noise(rng, height, width, (grain * rng.uniform(10, 40), grain)) + 0.6 * noise(
        rng, height, width, (grain * 12, max(1.2, grain / 4))
    )
    rings = np.sin(2 * np.pi * (noise(rng, height, width, (width / 2, grain * 6)) * rng.uniform(0.5, 2.5))).astype(np.float32)
    tone = np.clip(0.5 + 0.2 * lines + rng.uniform(0, 0.2) * rings, 0, 1)[..., None]
    dark = np.exp(rng.uniform(np.log(0.02), np.log(0.35))) * np.array([0.45, 0.75, 1.0]) ** rng.uniform(0.5, 2)
    light = np.clip(dark * rng.uniform(1.3, 2.6), 0, 0.9)
    picture = dark * (1 - tone) + light * tone
    board = rng.uniform(60, 400)
    if rng.random() < 0.5:
        edge = (np.arange(height) + rng.uniform(0, board)) % board
        shade = 1 + 0.25 * np.sin(np.floor((np.arange(height) + board) / board) * 12.9)
        picture = picture * (shade * np.where(edge < 1.5, 0.5, 1.0))[:, None, None]
    return np.asarray(picture, dtype=np.float32)


def cloth(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Woven checks or stripes, with the thread showing."""
    y, x = np.arange(height), np.arange(width)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = color(rng)
    for _ in range(rng.integers(1, 4)):
        period, share, phase = rng.uniform(12, 140), rng.uniform(0.15, 0.6), rng.uniform(0, 100)
        paint, depth = color(rng), rng.uniform(0.3, 0.9)
        band_x = ((x + phase) % period < share * period).astype(np.float32) * depth
        band_y = ((y + phase) % period < share * period).astype(np.float32) * depth * (rng.random() < 0.8)
        for band in (band_x[None, :, None], band_y[:, None, None]):
            picture = picture * (1 - band) + paint * band
    thread = rng.uniform(0.02, 0.25) * noise(rng, height, width, (1.5, 1.5))
    return np.asarray(picture * (1 + thread[..., None]), dtype=np.float32)


def carpet(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Pile: strong fine noise of two colours, sometimes with a woven figure."""
    pile = fractal(rng, height, width, rng.uniform(2, 9), octaves=3, fade=0.8)
    share = np.clip(0.5 + rng.uniform(0.2, 0.6) * pile, 0, 1)[..., None]
    picture = color(rng) * (1 - share) + color(rng) * share
    if rng.random() < 0.5:
        figure = (fractal(rng, height, width, rng.uniform(20, 90), octaves=2) > 0.4)[..., None]
        picture = np.where(figure, picture * rng.uniform(0.4, 1.8), picture)
    return np.asarray(picture, dtype=np.float32)


def stone(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Terrazzo or marble: chips or veins in a ground, joints between tiles."""
    ground, other = color(rng, 0.2, 0.8, 0.15), color(rng, 0.05, 0.8, 0.15)
    field = fractal(rng, height, width, rng.uniform(8, 60), octaves=3)
    if rng.random() < 0.5:
        share = (np.abs(field) < rng.uniform(0.05, 0.3)).astype(np.float32)
    else:
        share = (field > rng.uniform(0.2, 1.0)).astype(np.float32)
    picture = ground * (1 - share[..., None]) + other * share[..., None]
    if rng.random() < 0.5:
        tile = rng.uniform(120, 400)
        joint = ((np.arange(width) + 50) % tile < 2)[None, :] | ((np.arange(height) + 90) % tile < 2)[:, None]
        picture = np.where(joint[..., None], picture * 0.6, picture)
    return np.asarray(picture, dtype=np.float32)


def printed(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Printed fabric or paper: many outlined blobs, rings, lines and letters, white ones among them."""
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = color(rng)
    palette = [color(rng) for _ in range(4)] + [np.full(3, 0.85, np.float32), np.full(3, 0.03, np.float32)]
    size = rng.uniform(10, 60)
    for _ in range(int(rng.uniform(0.3, 1.2) * height * width / (2.5 * size) ** 2)):
        center = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        fill, edge = palette[rng.integers(len(palette))], palette[rng.integers(len(palette))]
        _motif(rng, picture, center, size * rng.uniform(0.4, 1.3), tuple(map(float, fill)), tuple(map(float, edge)))
    return picture


def _motif(
    rng: np.random.Generator, picture: Picture, center: tuple[int, int], size: float, fill: tuple[float, ...], edge: tuple[float, ...]
) -> None:
    thick = int(rng.integers(1, 4))
    choice = rng.integers(5)
    if choice == 0:
        axes = (max(2, int(size)), max(2, int(size * rng.uniform(0.3, 1))))
        angle = float(rng.uniform(0, 180))
        cv2.ellipse(picture, center, axes, angle, 0, 360, fill, -1, cv2.LINE_AA)
        cv2.ellipse(picture, center, axes, angle, 0, 360, edge, thick, cv2.LINE_AA)
    elif choice in (1, 2):
        spikes = int(rng.integers(3, 12))
        around = np.sort(rng.uniform(0, 2 * np.pi, spikes))
        radius = size * rng.uniform(0.4, 1.2, spikes)
        points = np.stack([np.cos(around) * radius + center[0], np.sin(around) * radius + center[1]], axis=1).astype(np.int32)
        cv2.fillPoly(picture, [points], fill, cv2.LINE_AA)
        cv2.polylines(picture, [points], True, edge, thick, cv2.LINE_AA)
    elif choice == 3:
        letter = "".join(chr(int(code)) for code in rng.integers(48, 91, int(rng.integers(1, 7))))
        write(picture, letter, center, int(rng.integers(0, 5)), max(0.3, size / 25), fill, thick + 1)
    else:
        end = (center[0] + int(rng.normal(0, 2 * size)), center[1] + int(rng.normal(0, 2 * size)))
        cv2.line(picture, center, end, fill, thick, cv2.LINE_AA)


SURFACES: dict[str, Callable[[np.random.Generator, int, int], Picture]] = {
    "plain": plain,
    "white": white,
    "wood": wood,
    "cloth": cloth,
    "carpet": carpet,
    "stone": stone,
    "printed": printed,
}
"""Painters by name: ``painter(rng, height, width) -> Picture``."""
