"""Backs of playing cards: lattices, scrolls, plain colours, names, pictures, with and without a white border."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.pieces import Suit
from visionset.render.faces import Face, Sheet, box, placed, round_shape
from visionset.render.pixels import Rgb, fractal, to_rgb
from visionset.render.playing_style import Lettering, random_suit_shape, suit_outlines, text_outlines

_T = TypeVar("_T")

# colours of print, and how frequent they are
_INKS: dict[Rgb, float] = {
    (195, 30, 40): 0.26,
    (35, 60, 150): 0.26,
    (95, 190, 40): 0.08,
    (85, 40, 130): 0.1,
    (25, 25, 28): 0.12,
    (130, 130, 135): 0.08,
    (20, 110, 80): 0.05,
    (200, 120, 30): 0.05,
}
_WORDS = ("CARD", "CARDS", "SET", "FUN", "POKER", "CLUB", "PLAY", "ROYAL", "GAME", "DECK")
_WHITE: Rgb = (248, 248, 245)


def _drawn(rng: np.random.Generator, shares: dict[_T, float]) -> _T:
    weights = np.array(list(shares.values()))
    return list(shares)[int(rng.choice(len(shares), p=weights / weights.sum()))]


def _ink(rng: np.random.Generator) -> Rgb:
    return to_rgb([level * rng.uniform(0.75, 1.2) + rng.normal(0, 10) for level in _drawn(rng, _INKS)])


def _lattice(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """Crossing lines with a dot, ring or lozenge in every mesh: the fine print most backs have."""
    pitch, slope = rng.uniform(1.6, 7), rng.uniform(0.5, 1.6) if rng.random() < 0.8 else 0.0
    width, lean = pitch * rng.uniform(0.05, 0.3), half[1] / slope if slope else 0.0
    reach = half[0] + half[1] / max(slope, 0.3)
    for at in np.arange(-np.ceil(reach / pitch) * pitch, reach, pitch):
        second = [[at + lean, -half[1]], [at - lean, half[1]]] if slope else [[-half[0], at], [half[0], at]]
        sheet.line((np.array([[at - lean, -half[1]], [at + lean, half[1]]]), np.array(second)), ink, width, False)
    if rng.random() < 0.6:
        tall = pitch * (slope or 1)
        size, sides = pitch * rng.uniform(0.12, 0.3), int(rng.choice([4, 10]))
        for row in np.arange(-np.ceil(half[1] / tall), half[1] / tall + 1):
            for x in np.arange(-np.ceil(half[0] / pitch), half[0] / pitch + 1) * pitch:
                sheet.fill(round_shape((x + pitch / 2, row * tall), (size, size), sides), ink)


def _scrolls(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """Spirals, leaves and rings in one quarter, mirrored into the others, about a medallion."""
    t = np.linspace(0, 1, 40)[:, None]
    for _ in range(int(rng.integers(10, 34))):
        center = np.array([rng.uniform(0, half[0]), rng.uniform(0, half[1])])
        radius, turns, phase = rng.uniform(2, 10), rng.uniform(0.4, 2.2), rng.uniform(0, 2 * np.pi)
        angle = phase + 2 * np.pi * turns * t
        spiral = center + radius * t ** rng.uniform(0.5, 1.3) * np.hstack([np.cos(angle), np.sin(angle)])
        width, paint = rng.uniform(0.25, 1.4), ink if rng.random() < 0.75 else ground
        for flip in ([1, 1], [-1, 1], [1, -1], [-1, -1]):
            sheet.line((spiral * flip,), paint, width, False)
            if width > 0.9:
                sheet.fill(placed(round_shape((0.0, 0.0), (width, width * 1.6), 12), spiral[-1] * flip, 1.0), paint)
    for middle in ((0.0, 0.0), (0.0, -half[1] * 0.55), (0.0, half[1] * 0.55))[: 1 if rng.random() < 0.5 else 3]:
        radius = rng.uniform(4, 11)
        sheet.fill(round_shape(middle, (radius, radius), 40), ground)
        for scale in radius * rng.uniform(0.4, 1, 3):
            sheet.line(round_shape(middle, (scale, scale), 40), ink, rng.uniform(0.3, 1))
        for petal in round_shape((0.0, 0.0), (0.5 * radius, 0.5 * radius), int(rng.integers(4, 13)))[0]:
            sheet.fill(placed(round_shape(middle, (radius * 0.16, radius * 0.16), 10), petal, 1.0), ink)


def _plain(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """One colour, or a fan of stripes, or nested rectangles."""
    kind = int(rng.integers(3))
    if kind == 1:
        pitch, lean = rng.uniform(1.5, 9), rng.uniform(-1, 1) * half[1]
        for at in np.arange(-2 * half[1], 2 * half[1], 2 * pitch):
            sheet.fill((np.array([[-half[0], at], [half[0], at + lean], [half[0], at + lean + pitch], [-half[0], at + pitch]]),), ink)
    elif kind == 2:
        for inset in np.arange(1, half[0], rng.uniform(1.2, 5)):
            sheet.line(box(inset - half[0], inset - half[1], half[0] - inset, half[1] - inset), ink, rng.uniform(0.3, 1.2))


def _name(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """A word, large along or across the card, or small and repeated, on dots."""
    if rng.random() < 0.6:
        pitch = rng.uniform(1.2, 5)
        dot = pitch * rng.uniform(0.15, 0.4)
        shade = to_rgb([0.8 * level for level in ground])
        for row, y in enumerate(np.arange(-half[1], half[1], pitch)):
            for x in np.arange(-half[0] + (row % 2) * pitch / 2, half[0], pitch):
                sheet.fill(round_shape((x, y), (dot, dot), 6), shade)
    word = _WORDS[int(rng.integers(len(_WORDS)))]
    lettering = Lettering("sans" if rng.random() < 0.7 else "italic", int(rng.integers(400, 900)))
    outlines, natural = text_outlines(word, lettering)
    count = int(rng.choice([1, 2, 3, 5]))
    upright = rng.random() < 0.5 and count < 3
    length = 2 * (half[1] if upright else half[0]) * rng.uniform(0.6, 0.92)
    room = 2 * (half[0] if upright else half[1]) / count
    height = min(length / natural * rng.uniform(1.0, 1.7), room * 0.7)
    plate = rng.random() < 0.4
    for place in (np.arange(count) - (count - 1) / 2) * room:
        turned = count % 2 == 0 and place > 0
        drawn = placed(outlines, (0, 0), (length / natural, height), turned)
        upended = tuple(np.stack([place + part[:, 1], -part[:, 0]], axis=1) for part in drawn)
        drawn = upended if upright else placed(drawn, (0, place), 1.0)
        if plate:
            every = np.concatenate(drawn)
            low, high = every.min(axis=0) - 1.2, every.max(axis=0) + 1.2
            sheet.fill(box(low[0], low[1], high[0], high[1]), _WHITE)
        sheet.fill(drawn, ink)


def _picture(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """Something like a photograph."""
    view = sheet.pixels(-half[0], -half[1], half[0], half[1])
    height, width = view.shape[:2]
    cell = rng.uniform(0.1, 0.7) * width
    share = np.clip(0.5 + rng.uniform(0.2, 0.5) * fractal(rng, height, width, cell, octaves=5, fade=0.65), 0, 1)[..., None]
    tint = rng.uniform(-25, 25, 3) * fractal(rng, height, width, cell)[..., None]
    mixed = np.asarray(ground[::-1]) * (1 - share) + np.asarray(ink[::-1]) * share + tint
    view[:] = np.clip(mixed, 0, 255).astype(np.uint8)


def _suits(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """Small suit symbols in rows, or one large ornament of them."""
    shape = random_suit_shape(rng)
    pitch = rng.uniform(4, 14)
    size = pitch * rng.uniform(0.4, 0.8)
    suits = list(Suit)
    for row, y in enumerate(np.arange(pitch / 2 - np.ceil(half[1] / pitch) * pitch, half[1] + pitch, pitch)):
        for column, x in enumerate(np.arange(-np.ceil(half[0] / pitch) * pitch + (row % 2) * pitch / 2, half[0] + pitch, pitch)):
            sheet.fill(placed(suit_outlines(suits[(row + column) % 4], shape), (x, y), size, y > 0), ink)


Painter = Callable[[Sheet, np.random.Generator, tuple[float, float], Rgb, Rgb], None]

_PAINTERS: dict[Painter, float] = {_lattice: 0.28, _scrolls: 0.26, _plain: 0.13, _name: 0.17, _picture: 0.1, _suits: 0.06}


def random_back(rng: np.random.Generator, px_mm: float = 8, size_mm: tuple[float, float] | None = None, corner_mm: float = 3.2) -> Face:
    """Back of another pack, painted with `px_mm` pixels a millimetre; by default as large as cards are."""
    width, height = size_mm or (rng.uniform(56, 64), rng.uniform(86, 90))
    ground, ink = (_ink(rng), _WHITE) if rng.random() < 0.6 else (_WHITE, _ink(rng))
    if rng.random() < 0.2:
        ground, ink = _ink(rng), _ink(rng)
    border = 0.0 if rng.random() < 0.25 else rng.uniform(2, 6.5)
    inner = (width / 2 - border, height / 2 - border)
    print_sheet = Sheet((2 * inner[0], 2 * inner[1]), px_mm, ground)
    for _ in range(1 if rng.random() < 0.7 else 2):
        _drawn(rng, _PAINTERS)(print_sheet, rng, inner, ground, ink)
    for inset in np.cumsum(rng.uniform(0.6, 2.5, int(rng.integers(0, 3)))):
        print_sheet.line(box(inset - inner[0], inset - inner[1], inner[0] - inset, inner[1] - inset), ink, rng.uniform(0.3, 1))
    sheet = Sheet((width, height), px_mm, _WHITE if rng.random() < 0.85 else ink)
    view: NDArray[np.uint8] = sheet.pixels(-inner[0], -inner[1], inner[0], inner[1])
    view[:] = cv2.resize(print_sheet.picture, view.shape[1::-1]) if view.shape != print_sheet.picture.shape else print_sheet.picture
    return sheet.face(corner_mm)
