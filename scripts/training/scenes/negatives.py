"""Pictures without any SET card: whatever else a camera may see. They teach the networks what a card is not.

Occluding shapes of all sizes ("dead leaves", after Lee, Mumford and Huang 2001) have the statistics of natural
pictures; boards, pages, screens, dice and loose symbols have the shapes that are easily taken for cards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from scenes.clutter import flat_of, moved, random_rgb
from scenes.recipes import table
from scenes.setting import Motifs, Spoil, anywhere, ground, letters, lie, random_plan, spoil, strew
from visionset.art import DeckStyle, set_card_symbols
from visionset.pieces import SET_DECK, Kind
from visionset.render.faces import print_card, random_style
from visionset.render.pixels import Picture, color, fractal, write
from visionset.render.tables import light

# leaves, rubble, clothes: shapes of all sizes, one on another
_LEAVES = Motifs(("ellipse", "box", "box"), (30, 400), (0.1, 0.6), small=3.0)
_DOTS = Motifs(("ellipse",), (5, 250), (0.005, 0.08), small=2.0, soft=0.5)  # stars, lamps, holes, crumbs, buttons
_STROKES = Motifs(("line",), (50, 900), (0.02, 0.4), spread_rad=0.5)  # grass, hair, wires, scribbles: many lines along a common course
# headings, boxes and buttons of a page or a screen
_PAGE = Motifs(("letters", "letters", "box", "ellipse"), (4, 30), (0.02, 0.3), spread_rad=0.0)


def strewn_over(rng: np.random.Generator, height: int, width: int, how: Motifs) -> Picture:
    """Figures on any ground, shaded at times."""
    picture = strew(rng, ground(rng, height, width), how)
    if rng.random() < 0.3:
        picture = picture * np.exp(0.3 * fractal(rng, height, width, width / rng.uniform(2, 12)))[..., None]
    return np.asarray(picture, np.float32)


def page(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Printed pages and screens: figures, and lines of letters in several sizes."""
    picture = strew(rng, np.broadcast_to(color(rng, 0.3, 0.9, 0.2), (height, width, 3)), _PAGE)
    ink, y = color(rng, 0.01, 0.3).tolist(), 0.0
    while y < height:
        scale = rng.uniform(0.25, 1.6)
        y += 28 * scale
        at = (int(rng.uniform(-20, width / 2)), int(y))
        write(picture, letters(rng, 60), at, int(rng.integers(0, 8)), scale, ink, int(rng.integers(1, 4)))
    return picture


def clouds(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Smooth fields, at times cut into a few levels: stars, tissue, water, skin."""
    field = fractal(rng, height, width, width / rng.uniform(1, 40), octaves=5, fade=rng.uniform(0.4, 0.9))
    if rng.random() < 0.5:
        field = np.floor(field * rng.uniform(0.7, 3))
    share = (np.clip(field * rng.uniform(0.1, 0.5) + 0.5, 0, 1) ** rng.uniform(0.5, 5))[..., None]
    return np.asarray(color(rng, 0.005) * (1 - share) + color(rng) * share, np.float32)


def squares(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Chessboards, tiles, calendars, keyboards, switches: squares with a number, a letter, a disc or nothing, lying aslant."""
    side = max(height, width)
    sheet = np.array(ground(rng, side, side), np.float32)
    paints, step = [color(rng, 0.01).tolist() for _ in range(3)], float(np.exp(rng.uniform(np.log(8), np.log(90))))
    tall, gap = step * rng.choice([1.0, rng.uniform(0.4, 2.0)]), rng.choice([0.0, rng.uniform(0.03, 0.3)])
    every, thick = rng.integers(1, 3), -1 if rng.random() < 0.6 else max(1, int(0.03 * step))
    printed, disc, font = rng.uniform(0, 1), rng.choice([0.25, 1.0]), int(rng.integers(0, 8))
    for row in range(int(side / tall) + 1):
        for column in range(int(side / step) + 1):
            x, y, wide, high = column * step, row * tall, step * (1 - gap), tall * (1 - gap)
            if (row + column) % every == 0:
                cv2.rectangle(sheet, (int(x), int(y)), (int(x + wide), int(y + high)), paints[0], thick)
            if rng.random() > printed:
                continue
            if rng.random() < disc:
                center, radius = (int(x + wide / 2), int(y + high / 2)), max(1, int(min(wide, high) * rng.uniform(0.05, 0.4)))
                cv2.circle(sheet, center, radius, paints[int(rng.integers(1, 3))], int(rng.choice([-1, 1])))
            else:
                text, scale = letters(rng, 1, 65) if rng.random() < 0.4 else str(rng.integers(1, 100)), high / 30 * rng.uniform(0.4, 0.9)
                at = (int(x + wide * rng.uniform(0.1, 0.35)), int(y + high * rng.uniform(0.55, 0.85)))
                write(sheet, text, at, font, scale, paints[1], max(1, round(1.5 * scale)))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turn, middle = rng.uniform(0, 2 * np.pi), corners.mean(axis=0)
    spin = rng.uniform(1.0, 1.8) * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    away = (corners - middle) @ spin.T * [1.0, rng.uniform(0.5, 1.0)] + middle + rng.normal(0, 0.05 * side, (4, 2))
    slant = cv2.getPerspectiveTransform(corners, away.astype(np.float32))
    return np.asarray(cv2.warpPerspective(sheet, slant, (width, height), borderMode=cv2.BORDER_REFLECT_101), np.float32)


def loose_symbols(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Symbols printed on cloth or paper without a card, in any arrangement but that of a card."""
    scale = float(np.exp(rng.uniform(np.log(0.5), np.log(3))))
    plan, style = random_plan(rng, (width, height), scale), random_style(rng)
    reach, flats = max(height, width) / scale / 2, []
    for _ in range(int(rng.integers(2, 25))):
        one, size = set_card_symbols(SET_DECK[int(rng.integers(81))], style)[0], float(rng.uniform(0.3, 2))
        symbol = moved(one, size, -size * one.outline_mm.mean(axis=0))
        sheet = DeckStyle(width_mm=60 * size, height_mm=35 * size, corner_mm=rng.uniform(0, 15) * size, paper_rgb=random_rgb(rng))
        flats.append(lie(rng, flat_of(print_card((symbol,), sheet, color(rng))), anywhere(rng, reach)))
    return light(replace(plan, flats=tuple(flats))).picture


# painters of what is no table, as often as they stand here
PAINTERS: tuple[Callable[[np.random.Generator, int, int], Picture], ...] = (
    *(partial(strewn_over, how=how) for how in (_LEAVES, _LEAVES, _DOTS, _STROKES)),
    *(clouds, page, squares, squares, loose_symbols),
)
_TABLE_SHARE = 0.25  # how often the picture is a table of dice, or one crowded with everything but SET cards


def rough_or_empty(rng: np.random.Generator, size_px: tuple[int, int], how: Spoil | None = None) -> tuple[NDArray[np.uint8], bool]:
    """A picture without a SET card, uint8 BGR, and whether pieces of other kinds lie there of which nothing is said."""
    width, height = size_px
    how = how or Spoil()
    if rng.random() < _TABLE_SHARE:
        kind = (Kind.SET_DIE, Kind.SET_DIE, Kind.PIP_DIE, Kind.SET_CARD)[int(rng.integers(4))]
        piece_px = float(np.exp(rng.uniform(np.log(16), np.log(90))))
        return table(rng, size_px, piece_px, how, kind, laid=kind is not Kind.SET_CARD).image_bgr, True
    picture = np.clip(PAINTERS[int(rng.integers(len(PAINTERS)))](rng, height, width), 0.002, 1.0).astype(np.float32)
    if rng.random() < 0.15:
        picture[:] = picture.mean(axis=2, keepdims=True)
    return spoil(rng, picture, how), False
