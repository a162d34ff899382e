"""Pictures without any SET card: whatever else a camera may see. They teach the networks what a card is not.

Occluding shapes of all sizes ("dead leaves", after Lee, Mumford and Huang 2001) have the statistics of natural
pictures; boards, pages, screens, dice and loose symbols have the shapes that are easily taken for cards.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.art import DeckStyle, Symbol, set_card_symbols
from visionset.pieces import SET_DECK, Shading
from visionset.render.faces import DISTRACTORS, linear, paint, random_style
from visionset.render.layouts import Place
from visionset.render.scene import Canvas, look
from visionset.render.spoil import Spoil, spoil
from visionset.render.surfaces import SURFACES, Picture, color, fractal, write


def _ground(rng: np.random.Generator, height: int, width: int) -> Picture:
    return SURFACES[str(rng.choice(list(SURFACES)))](rng, height, width)


def _floats(paint_bgr: Picture) -> tuple[float, ...]:
    return tuple(float(value) for value in paint_bgr)


def leaves(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Shapes of all sizes, one on another, some shaded or textured."""
    picture = _ground(rng, height, width).copy()
    palette = [color(rng) for _ in range(int(rng.integers(3, 12)))]
    biggest = max(height, width) * rng.uniform(0.1, 0.6)
    for _ in range(int(rng.integers(30, 400))):
        size = max(1.5, biggest * rng.random() ** 3)
        center = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        fill = _floats(palette[int(rng.integers(len(palette)))] * np.float32(np.exp(rng.normal(0, 0.3))))
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
    dark, light, disc = _floats(color(rng)), _floats(color(rng)), [_floats(color(rng)) for _ in range(2)]
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
        cv2.rectangle(picture, corner, (corner[0] + size[0], corner[1] + size[1]), _floats(color(rng)), int(rng.choice([-1, 1, 2])))
    ink, y = _floats(color(rng, 0.01, 0.3)), 0.0
    while y < height:
        scale = rng.uniform(0.25, 1.6)
        y += 28 * scale
        words = "".join(chr(int(code)) for code in rng.integers(32, 123, 60))
        write(picture, words, (int(rng.uniform(-20, width / 2)), int(y)), int(rng.integers(0, 8)), scale, ink, int(rng.integers(1, 4)))
    for _ in range(int(rng.integers(0, 6))):
        center = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.circle(picture, center, int(rng.uniform(3, 40)), _floats(color(rng)), int(rng.choice([-1, 2])), cv2.LINE_AA)
    return picture


def tiles(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Squares with a number, a letter or a dot, lying aslant: game boards, calendars, keyboards, switches."""
    side = max(height, width)
    sheet = np.array(_ground(rng, side, side), np.float32)
    base, line, ink = color(rng, 0.02), _floats(color(rng)), _floats(color(rng, 0.005, 0.4) if rng.random() < 0.7 else color(rng))
    if rng.random() < 0.7:
        sheet[:] = base * (1 + 0.05 * fractal(rng, side, side, rng.uniform(2, 40)))[..., None]
    step = float(np.exp(rng.uniform(np.log(14), np.log(90))))
    gap, filled, printed = rng.choice([0.0, rng.uniform(0.03, 0.25)]), rng.random() < 0.4, rng.uniform(0.1, 1.0)
    tile, font = _floats(color(rng)), int(rng.integers(0, 8))
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
    paints = [_floats(color(rng)) for _ in range(3)]
    course, length = rng.uniform(0, np.pi), rng.uniform(4, 80)
    for _ in range(int(rng.integers(50, 900))):
        start = np.array([rng.uniform(0, width), rng.uniform(0, height)])
        angle = course + rng.normal(0, 0.5)
        end = start + length * np.array([np.cos(angle), np.sin(angle)])
        cv2.line(picture, tuple(map(int, start)), tuple(map(int, end)), paints[int(rng.integers(3))], int(rng.integers(1, 4)), cv2.LINE_AA)
    return np.asarray(picture, np.float32)


def _slant(rng: np.random.Generator, height: int, width: int, scale_px_mm: float) -> Canvas:
    tilt = rng.uniform(0, 1.0)
    return Canvas(
        np.asarray(_ground(rng, height, width).copy(), np.float32),
        look(tilt, rng.uniform(0, 2 * np.pi), scale_px_mm, (width / 2, height / 2), max(height, width) / scale_px_mm * rng.uniform(1, 3)),
    )


def _die_face(rng: np.random.Generator, side_mm: float, style: DeckStyle) -> tuple[tuple[Symbol, ...], DeckStyle]:
    card = SET_DECK[int(rng.integers(81))]
    shrink = side_mm / rng.uniform(60, 95)
    symbols = set_card_symbols(card, style)
    if card.shading is Shading.STRIPED or rng.random() < 0.5:
        symbols = tuple(Symbol(s.outline_mm, np.empty((0, 2, 2)), True) for s in symbols)
    smaller = tuple(Symbol(s.outline_mm * shrink, s.stripes_mm * shrink, s.filled) for s in symbols)
    face = DeckStyle(
        width_mm=side_mm, height_mm=side_mm, corner_mm=side_mm * rng.uniform(0.05, 0.25), stroke_mm=0.5, paper_rgb=style.paper_rgb
    )
    return smaller, face


def dice(rng: np.random.Generator, height: int, width: int) -> Picture:
    """White cubes with symbols, scattered or in touching rows, a side face visible below the top one."""
    scale = np.exp(rng.uniform(np.log(0.7), np.log(4)))
    canvas = _slant(rng, height, width, scale)
    style, side_mm = random_style(rng), rng.uniform(18, 28)
    reach = max(height, width) / scale / 2
    lift = np.array([[1, 0, rng.normal(0, 0.05) * side_mm * scale], [0, 1, -rng.uniform(0.1, 0.8) * side_mm * scale], [0, 0, 1]])
    down = canvas.image_from_table
    rows = rng.random() < 0.5
    for at in range(int(rng.integers(3, 40))):
        where = (np.array([at % 6, at // 6]) - 2.5) * side_mm * rng.uniform(1.0, 1.04) if rows else rng.uniform(-reach, reach, 2)
        place = Place(float(where[0]), float(where[1]), 0.0 if rows else float(rng.uniform(0, 2 * np.pi)))
        symbols, face_style = _die_face(rng, side_mm, style)
        ink = linear(style.ink_rgb[SET_DECK[int(rng.integers(81))].color])
        face = paint(symbols, face_style, ink, edge=0.2, px_mm=2 * scale)
        for share in (0.0, 0.35, 0.7):  # the body, darker than the top, as a stack of slices
            canvas.image_from_table = np.array([[1, 0, lift[0, 2] * share], [0, 1, lift[1, 2] * share], [0, 0, 1]]) @ down
            body = paint((), face_style, ink, px_mm=scale)
            canvas.lay(body, place, -2, 0.2, float(rng.uniform(0.55, 0.75)))
        canvas.image_from_table = lift @ down
        canvas.lay(face, place, -2)
    return canvas.picture


def loose_symbols(rng: np.random.Generator, height: int, width: int) -> Picture:
    """Symbols printed on cloth or paper without a card, in any arrangement but that of a card."""
    scale = np.exp(rng.uniform(np.log(0.5), np.log(3)))
    canvas = _slant(rng, height, width, scale)
    style = random_style(rng)
    reach = max(height, width) / scale / 2
    for _ in range(int(rng.integers(2, 25))):
        card = SET_DECK[int(rng.integers(81))]
        one = set_card_symbols(card, style)[0]
        center = one.outline_mm.mean(axis=0)
        size = rng.uniform(0.3, 2)
        symbol = Symbol((one.outline_mm - center) * size, (one.stripes_mm - center) * size, one.filled)
        ground = color(rng)
        srgb = tuple(int(v) for v in (255 * ground[::-1] ** (1 / 2.2)))
        sheet = DeckStyle(width_mm=60 * size, height_mm=35 * size, corner_mm=rng.uniform(0, 15) * size, paper_rgb=srgb)  # type: ignore[arg-type]
        face = paint((symbol,), sheet, color(rng), px_mm=2 * scale)
        x, y = rng.uniform(-reach, reach, 2)
        canvas.lay(face, Place(float(x), float(y), float(rng.uniform(0, 2 * np.pi))), -2)
    return canvas.picture


def things(rng: np.random.Generator, height: int, width: int) -> Picture:
    """A table crowded with everything but SET cards."""
    scale = np.exp(rng.uniform(np.log(0.5), np.log(3)))
    canvas = _slant(rng, height, width, scale)
    reach = max(height, width) / scale / 2
    for _ in range(int(rng.integers(2, 14))):
        face = DISTRACTORS[int(rng.integers(len(DISTRACTORS)))](rng)
        x, y = rng.uniform(-reach, reach, 2)
        canvas.lay(face, Place(float(x), float(y), float(rng.uniform(0, 2 * np.pi))), -2, rng.uniform(0, 0.4))
    return canvas.picture


ELSEWHERE: tuple[Callable[[np.random.Generator, int, int], Picture], ...] = (
    leaves,
    leaves,
    clouds,
    board,
    page,
    tiles,
    dots,
    strokes,
    dice,
    dice,
    loose_symbols,
    things,
)
"""Painters, as often as they stand here."""


ROUGH = (dice, things)
"""Those that hold rough drawings of dice or playing cards: no SET card is there for sure, of the rest nothing is said."""


def elsewhere(rng: np.random.Generator, size_px: tuple[int, int], how: Spoil | None = None) -> NDArray[np.uint8]:
    """One picture without a SET card, uint8 BGR; the same bytes from the same generator state."""
    return rough_or_empty(rng, size_px, how)[0]


def rough_or_empty(rng: np.random.Generator, size_px: tuple[int, int], how: Spoil | None = None) -> tuple[NDArray[np.uint8], bool]:
    """The picture of `elsewhere`, and whether its painter is one of `ROUGH`."""
    width, height = size_px
    painter = ELSEWHERE[int(rng.integers(len(ELSEWHERE)))]
    picture = np.clip(painter(rng, height, width), 0.002, 1.0).astype(np.float32)
    if rng.random() < 0.15:
        picture[:] = picture.mean(axis=2, keepdims=True)
    return spoil(rng, picture, how or Spoil()), painter in ROUGH
