"""Pictures without any SET card: whatever else a camera may see. They teach the networks what a card is not.

Occluding shapes of all sizes ("dead leaves", after Lee, Mumford and Huang 2001) have the statistics of natural
pictures; boards, pages, screens, dice and loose symbols have the shapes that are easily taken for cards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scenes.clutter import flat_of, floats, moved
from scenes.recipes import table
from scenes.setting import anywhere, lie, random_plan
from scenes.spoil import Spoil, spoil
from scenes.surfaces import SURFACES
from visionset.art import DeckStyle, set_card_symbols
from visionset.pieces import SET_DECK, Kind
from visionset.render.faces import print_card, random_style
from visionset.render.pixels import Picture, color, fractal, linear, write
from visionset.render.tables import light


def _ground(rng: np.random.Generator, height: int, width: int) -> Picture:
    return SURFACES[str(rng.choice(list(SURFACES)))](rng, height, width)


def leaves(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Shapes of all sizes, one on another, some shaded or textured."""
    picture = _ground(rng, height, width).copy()
    palette = [color(rng) for _ in range(int(rng.integers(3, 12)))]
    biggest = max(height, width) * rng.uniform(0.1, 0.6)
    for _ in range(int(rng.integers(30, 400))):
        size = max(1.5, biggest * rng.random() ** 3)
        center = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        fill = floats(palette[int(rng.integers(len(palette)))] * np.float32(np.exp(rng.normal(0, 0.3))))
        thick = -1 if rng.random() < 0.8 else int(rng.integers(1, 4))
        turn = float(rng.uniform(0, 180))
        if rng.random() < 0.5:
            axes = (max(1, int(size)), max(1, int(size * rng.uniform(0.2, 1))))
            cv2.ellipse(picture, center, axes, turn, 0, 360, fill, thick, cv2.LINE_AA)
        else:
            box = cv2.boxPoints((center, (size * 2, size * rng.uniform(0.3, 2)), turn))
            points = (box + rng.normal(0, 0.1 * size, box.shape)).astype(np.int32)
            cv2.polylines(picture, [points], True, fill, max(1, thick), cv2.LINE_AA)
            if thick < 0:
                cv2.fillPoly(picture, [points], fill, cv2.LINE_AA)
    if rng.random() < 0.5:
        picture = picture * np.exp(0.3 * fractal(rng, height, width, width / rng.uniform(2, 12)))[..., None]
    return np.asarray(picture, np.float32)


def clouds(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Smooth fields, at times cut into a few levels: stars, tissue, water, skin."""
    field = fractal(rng, height, width, width / rng.uniform(1, 40), octaves=5, fade=rng.uniform(0.4, 0.9))
    if rng.random() < 0.5:
        field = np.floor(field * rng.uniform(0.7, 3))
    share = (np.clip(field * rng.uniform(0.1, 0.5) + 0.5, 0, 1) ** rng.uniform(0.5, 5))[..., None]
    return np.asarray(color(rng, 0.005) * (1 - share) + color(rng) * share, np.float32)


def board(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Chessboards, grids, tiles, keyboards, with discs or nothing on the squares."""
    picture = _ground(rng, height, width).copy()
    step = rng.uniform(8, 70)
    tall = step * rng.choice([1.0, rng.uniform(0.4, 2.0)])
    dark, light, disc = floats(color(rng)), floats(color(rng)), [floats(color(rng)) for _ in range(2)]
    gap = rng.uniform(0, 0.3)
    full, round_share = rng.random() < 0.5, rng.choice([0.0, 0.5])
    for row in range(int(height / tall) + 1):
        for column in range(int(width / step) + 1):
            x, y = int(column * step), int(row * tall)
            if full or (row + column) % 2:
                corner = (int(x + step * (1 - gap)), int(y + tall * (1 - gap)))
                cv2.rectangle(picture, (x, y), corner, dark if (row + column) % 2 else light, -1)
            if rng.random() < round_share:
                cv2.circle(
                    picture,
                    (int(x + step / 2), int(y + tall / 2)),
                    max(1, int(min(step, tall) * 0.4)),
                    disc[int(rng.integers(2))],
                    -1,
                    cv2.LINE_AA,
                )
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.normal(0, 20)), 1.0)
    return np.asarray(cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REFLECT_101), np.float32)


def page(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Printed pages and screens: lines of letters in several sizes, boxes, rules, round buttons."""
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = linear(rng.uniform(200, 255, 3)) if rng.random() < 0.7 else color(rng)
    for _ in range(int(rng.integers(0, 8))):
        corner = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        size = (int(rng.uniform(5, width / 2)), int(rng.uniform(5, height / 2)))
        cv2.rectangle(picture, corner, (corner[0] + size[0], corner[1] + size[1]), floats(color(rng)), int(rng.choice([-1, 1, 2])))
    ink, y = floats(color(rng, 0.01, 0.3)), 0.0
    while y < height:
        scale = rng.uniform(0.25, 1.6)
        y += 28 * scale
        words = "".join(chr(int(code)) for code in rng.integers(32, 123, 60))
        write(picture, words, (int(rng.uniform(-20, width / 2)), int(y)), int(rng.integers(0, 8)), scale, ink, int(rng.integers(1, 4)))
    for _ in range(int(rng.integers(0, 6))):
        center = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.circle(picture, center, int(rng.uniform(3, 40)), floats(color(rng)), int(rng.choice([-1, 2])), cv2.LINE_AA)
    return picture


def tiles(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Squares with a number, a letter or a dot, lying aslant: game boards, calendars, keyboards, switches."""
    side = max(height, width)
    sheet = np.array(_ground(rng, side, side), np.float32)
    base, line, ink = color(rng, 0.02), floats(color(rng)), floats(color(rng, 0.005, 0.4) if rng.random() < 0.7 else color(rng))
    if rng.random() < 0.7:
        sheet[:] = base * (1 + 0.05 * fractal(rng, side, side, rng.uniform(2, 40)))[..., None]
    step = float(np.exp(rng.uniform(np.log(14), np.log(90))))
    gap, filled, printed = rng.choice([0.0, rng.uniform(0.03, 0.25)]), rng.random() < 0.4, rng.uniform(0.1, 1.0)
    tile, font = floats(color(rng)), int(rng.integers(0, 8))
    for row in range(int(side / step) + 1):
        for column in range(int(side / step) + 1):
            x, y, size = column * step, row * step, step * (1 - gap)
            corner, across = (int(x), int(y)), (int(x + size), int(y + size))
            cv2.rectangle(sheet, corner, across, tile if filled else line, -1 if filled else max(1, int(0.03 * step)))
            if rng.random() > printed:
                continue
            if rng.random() < 0.25:
                radius = max(1, int(size * rng.uniform(0.05, 0.3)))
                cv2.circle(sheet, (int(x + size / 2), int(y + size / 2)), radius, ink, int(rng.choice([-1, 1])), cv2.LINE_AA)
            else:
                text = str(rng.integers(1, 100)) if rng.random() < 0.6 else chr(int(rng.integers(65, 91)))
                scale = size / 30 * rng.uniform(0.4, 0.9)
                at = (int(x + size * rng.uniform(0.1, 0.35)), int(y + size * rng.uniform(0.55, 0.85)))
                write(sheet, text, at, font, scale, ink, max(1, round(1.5 * scale)))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turn, zoom = rng.uniform(0, 2 * np.pi), rng.uniform(1.0, 1.8)
    spin = zoom * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    squash = np.array([1.0, rng.uniform(0.5, 1.0)])
    away = (corners - corners.mean(axis=0)) @ spin.T * squash + corners.mean(axis=0) + rng.normal(0, 0.05 * side, (4, 2))
    slant = cv2.getPerspectiveTransform(corners, away.astype(np.float32))
    flags = cv2.INTER_AREA if rng.random() < 0.5 else cv2.INTER_LINEAR
    return np.asarray(cv2.warpPerspective(sheet, slant, (width, height), flags=flags, borderMode=cv2.BORDER_REFLECT_101), np.float32)


def dots(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Stars, lamps, holes, crumbs, buttons: round spots on an even or a mottled ground, sharp or soft, apart or in pairs."""
    picture = np.array(_ground(rng, height, width), np.float32)
    if rng.random() < 0.7:
        base = color(rng, 0.004, 0.8, 0.4)
        picture[:] = base * np.exp(rng.uniform(0, 0.3) * fractal(rng, height, width, rng.uniform(2, 80)))[..., None]
    paints = [color(rng, 0.01, 0.95) for _ in range(int(rng.integers(1, 4)))]
    usual = float(np.exp(rng.uniform(np.log(1.0), np.log(12.0))))
    for _ in range(int(np.exp(rng.uniform(np.log(5), np.log(250))))):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        radius = usual * float(np.exp(rng.normal(0, 0.5)))
        spot = np.zeros((height, width), np.uint8)
        for _ in range(2 if rng.random() < 0.1 else 1):
            cv2.circle(spot, (int(x * 8), int(y * 8)), max(4, int(radius * 8)), 255, -1, cv2.LINE_AA, 3)
            x, y = x + rng.normal(0, 4 * radius), y + rng.normal(0, 4 * radius)
        left, top, wide, high = cv2.boundingRect(spot)
        reach = int(3 * radius) + 2
        window = (slice(max(0, top - reach), top + high + reach), slice(max(0, left - reach), left + wide + reach))
        share = spot[window].astype(np.float32) / 255
        if share.size and rng.random() < 0.5:
            share = np.asarray(cv2.GaussianBlur(share, (0, 0), max(0.5, radius * rng.uniform(0.1, 0.8))), np.float32)
        picture[window] += share[..., None] * (paints[int(rng.integers(len(paints)))] - picture[window])
    return picture


def strokes(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Grass, hair, wires, scribbles: many lines along a common course."""
    picture = _ground(rng, height, width).copy()
    paints = [floats(color(rng)) for _ in range(3)]
    course, length = rng.uniform(0, np.pi), rng.uniform(4, 80)
    for _ in range(int(rng.integers(50, 900))):
        start = np.array([rng.uniform(0, width), rng.uniform(0, height)])
        angle = course + rng.normal(0, 0.5)
        end = start + length * np.array([np.cos(angle), np.sin(angle)])
        cv2.line(picture, tuple(map(int, start)), tuple(map(int, end)), paints[int(rng.integers(3))], int(rng.integers(1, 4)), cv2.LINE_AA)
    return np.asarray(picture, np.float32)


def loose_symbols(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Symbols printed on cloth or paper without a card, in any arrangement but that of a card."""
    scale = float(np.exp(rng.uniform(np.log(0.5), np.log(3))))
    plan, style = random_plan(rng, (width, height), scale), random_style(rng)
    reach, flats = max(height, width) / scale / 2, []
    for _ in range(int(rng.integers(2, 25))):
        one, size = set_card_symbols(SET_DECK[int(rng.integers(81))], style)[0], float(rng.uniform(0.3, 2))
        symbol = moved(one, size, -size * one.outline_mm.mean(axis=0))
        red, green, blue = (int(v) for v in 255 * color(rng)[::-1] ** (1 / 2.2))
        sheet = DeckStyle(width_mm=60 * size, height_mm=35 * size, corner_mm=rng.uniform(0, 15) * size, paper_rgb=(red, green, blue))
        flats.append(lie(rng, flat_of(print_card((symbol,), sheet, color(rng))), anywhere(rng, reach)))
    return light(replace(plan, flats=tuple(flats))).picture


PAINTERS: tuple[Callable[[np.random.Generator, int, int], Picture], ...] = (
    leaves,
    leaves,
    clouds,
    board,
    page,
    tiles,
    dots,
    strokes,
    loose_symbols,
)
"""Painters of what is no table, as often as they stand here."""

TABLE_SHARE = 0.25
"""How often the picture is a table of dice, or one crowded with everything but SET cards."""


def rough_or_empty(rng: np.random.Generator, size_px: tuple[int, int], how: Spoil | None = None) -> tuple[NDArray[np.uint8], bool]:
    """A picture without a SET card, uint8 BGR, and whether pieces of other kinds lie there of which nothing is said."""
    width, height = size_px
    how = how or Spoil()
    if rng.random() < TABLE_SHARE:
        kind = (Kind.SET_DIE, Kind.SET_DIE, Kind.PIP_DIE, Kind.SET_CARD)[int(rng.integers(4))]
        piece_px = float(np.exp(rng.uniform(np.log(16), np.log(90))))
        return table(rng, size_px, piece_px, how, kind, with_pieces=kind is not Kind.SET_CARD).image_bgr, True
    picture = np.clip(PAINTERS[int(rng.integers(len(PAINTERS)))](rng, height, width), 0.002, 1.0).astype(np.float32)
    if rng.random() < 0.15:
        picture[:] = picture.mean(axis=2, keepdims=True)
    return spoil(rng, picture, how), False
