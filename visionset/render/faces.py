"""Flat things to lay on a rendered table: SET cards of many prints, and everything that is not a SET card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.art import DeckStyle, Symbol, rounded_rectangle, set_card_symbols, symbol_outline
from visionset.geometry import Floats
from visionset.pieces import SET_DECK, Color, SetCard, Shape
from visionset.render.surfaces import Picture, color, fractal, write

RESOLUTION_PX_MM = 8
"""Faces are painted at this many pixels a millimetre and averaged down: stripes then blur as a lens would blur them."""

FINE_PX_MM = 1.5
"""Faces delivered below this resolution are drawn at `DRAFT_PX_MM`: their stripes are a tint either way."""

DRAFT_PX_MM = 4

_SUBPIXEL_BITS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A painted flat thing.

    Attributes
    ----------
    picture : ndarray of float32, shape (height, width, 3)
        Linear BGR reflectance.
    cover : ndarray of float32, shape (height, width)
        1 where the thing is, 0 beside its rounded corners.
    size_mm : tuple of float
        Width and height.
    """

    picture: Picture
    cover: NDArray[np.float32]
    size_mm: tuple[float, float]


def linear(rgb: tuple[int, int, int] | NDArray[np.float64]) -> NDArray[np.float32]:
    """SRGB 0 to 255 as linear BGR 0 to 1, shape (3,)."""
    return np.asarray((np.asarray(rgb, np.float64)[::-1] / 255) ** 2.2, dtype=np.float32)


def _canvas(size_mm: tuple[float, float], px_mm: float = RESOLUTION_PX_MM) -> tuple[int, int]:
    return max(2, round(size_mm[1] * px_mm)), max(2, round(size_mm[0] * px_mm))


def _fixed(points_mm: Floats, size_mm: tuple[float, float], px_mm: float = RESOLUTION_PX_MM) -> NDArray[np.int32]:
    """Millimetres about the centre as OpenCV's fixed-point pixels."""
    shifted = (points_mm + np.array(size_mm) / 2) * px_mm - 0.5
    return np.round(shifted * (1 << _SUBPIXEL_BITS)).astype(np.int32)


def cover(size_mm: tuple[float, float], corner_mm: float) -> NDArray[np.float32]:
    """Coverage of a rounded sheet."""
    mask = np.zeros(_canvas(size_mm), np.uint8)
    cv2.fillPoly(mask, [_fixed(rounded_rectangle(*size_mm, corner_mm), size_mm)], 255, cv2.LINE_AA, _SUBPIXEL_BITS)
    return mask.astype(np.float32) / np.float32(255)


def ink(
    symbols: tuple[Symbol, ...], size_mm: tuple[float, float], stroke_mm: float, stripe_mm: float, px_mm: float = RESOLUTION_PX_MM
) -> NDArray[np.uint8]:
    """Share of ink, 0 to 255, shape (height, width)."""
    mask = np.zeros(_canvas(size_mm, px_mm), np.uint8)
    thick, thin = max(1, round(stroke_mm * px_mm)), max(1, round(stripe_mm * px_mm))
    for symbol in symbols:
        outline = _fixed(symbol.outline_mm, size_mm, px_mm)
        if symbol.filled:
            cv2.fillPoly(mask, [outline], 255, cv2.LINE_AA, _SUBPIXEL_BITS)
        if len(symbol.stripes_mm):
            stripes = _fixed(symbol.stripes_mm.reshape(-1, 2), size_mm, px_mm).reshape(-1, 2, 2)
            cv2.polylines(mask, list(stripes), False, 255, thin, cv2.LINE_AA, _SUBPIXEL_BITS)
        cv2.polylines(mask, [outline], True, 255, thick, cv2.LINE_AA, _SUBPIXEL_BITS)
    return mask


def paint(symbols: tuple[Symbol, ...], style: DeckStyle, ink_bgr: Picture, edge: float = 0.0, px_mm: float = RESOLUTION_PX_MM) -> Face:
    """Print symbols on a card of the style's size, the rim darkened by `edge` (0 to 1).

    The print is drawn finely and averaged down to `px_mm` before it is coloured, which is quick.
    """
    size_mm = (style.width_mm, style.height_mm)
    fine = RESOLUTION_PX_MM if px_mm > FINE_PX_MM else DRAFT_PX_MM
    px_mm = min(px_mm, fine)
    share = ink(symbols, size_mm, style.stroke_mm, style.stripe_mm, fine)
    small = _canvas(size_mm, px_mm)
    share = np.asarray(cv2.resize(share, small[::-1], interpolation=cv2.INTER_AREA), np.uint8)
    outline = _fixed(rounded_rectangle(*size_mm, style.corner_mm), size_mm, px_mm)
    mask = np.zeros(small, np.uint8)
    cv2.fillPoly(mask, [outline], 255, cv2.LINE_AA, _SUBPIXEL_BITS)
    paper = linear(style.paper_rgb)
    picture = paper + share[..., None].astype(np.float32) * ((ink_bgr - paper) / 255)
    if edge > 0:
        rim = np.zeros(small, np.uint8)
        cv2.polylines(rim, [outline], True, 255, max(1, round(px_mm / 2)), cv2.LINE_AA, _SUBPIXEL_BITS)
        picture *= 1 - rim[..., None].astype(np.float32) * (edge / 255)
    return Face(np.asarray(picture, np.float32), mask.astype(np.float32) / np.float32(255), size_mm)


def set_card(card: SetCard, style: DeckStyle, edge: float = 0.0, px_mm: float = RESOLUTION_PX_MM) -> Face:
    """One face of the deck."""
    return paint(set_card_symbols(card, style), style, linear(style.ink_rgb[card.color]), edge, px_mm)


def random_style(rng: np.random.Generator) -> DeckStyle:
    """Another print of the deck: sizes, stroke, stripes, paper and inks vary as decks, printers and years do."""
    scale = rng.uniform(0.93, 1.08)
    pale = abs(rng.normal(0, 0.12))
    inks = {
        Color.RED: np.array([rng.uniform(170, 245), rng.uniform(15, 90), rng.uniform(20, 75)]),
        Color.GREEN: np.array([rng.uniform(0, 60), rng.uniform(95, 175), rng.uniform(35, 105)]),
        Color.PURPLE: np.array([rng.uniform(45, 130), rng.uniform(15, 75), rng.uniform(85, 165)]),
    }
    if rng.random() < 0.15:
        inks[Color.PURPLE] = np.array([rng.uniform(25, 60), rng.uniform(15, 50), rng.uniform(60, 120)])
    paper = np.array([1, 1, 1 - abs(rng.normal(0, 0.05))]) * rng.uniform(228, 254)
    rgb = {name: tuple(int(v) for v in mix + (paper - mix) * min(pale, 0.4)) for name, mix in inks.items()}
    stroke = rng.uniform(0.45, 1.5)
    return DeckStyle(
        width_mm=57 * rng.uniform(0.97, 1.12),
        height_mm=87 * rng.uniform(0.97, 1.05),
        corner_mm=rng.uniform(1, 6) if rng.random() < 0.9 else 0.0,
        symbol_length_mm=38 * scale * rng.uniform(0.93, 1.07),
        symbol_width_mm=18 * scale * rng.uniform(0.92, 1.08),
        symbol_pitch_mm=24 * scale * rng.uniform(0.96, 1.08),
        stroke_mm=stroke,
        stripe_mm=rng.uniform(0.2, 0.4),
        stripe_pitch_mm=rng.uniform(0.8, 1.7),
        stripes_across=bool(rng.random() < 0.8),
        squiggle_bend=rng.uniform(0.6, 1.6),
        paper_rgb=(int(paper[0]), int(paper[1]), int(paper[2])),
        ink_rgb=rgb,  # type: ignore[arg-type]
    )


def wear(rng: np.random.Generator, face: Face) -> Face:
    """Dirt, stains and scuffs on a card that has been played with for years."""
    height, width = face.cover.shape
    dirt = fractal(rng, height, width, width * rng.uniform(0.02, 0.3), octaves=3)
    picture = face.picture * (1 - rng.uniform(0, 0.12) * np.clip(dirt, 0, 2))[..., None]
    return Face(np.asarray(picture, np.float32), face.cover, face.size_mm)


def blank(rng: np.random.Generator) -> Face:
    """Sheet of paper, envelope, note: white or coloured, empty, ruled or written on."""
    size_mm = (rng.uniform(30, 160), rng.uniform(40, 200))
    paper = linear(rng.uniform(215, 255, 3)) if rng.random() < 0.7 else color(rng)
    picture = np.empty((*_canvas(size_mm), 3), np.float32)
    picture[:] = paper
    pen = tuple(map(float, color(rng, 0.02, 0.3)))
    k = RESOLUTION_PX_MM
    style = rng.integers(4)
    if style == 1:
        for y in np.arange(8, size_mm[1] - 6, rng.uniform(4, 9)):
            words = "".join(chr(int(c)) for c in rng.integers(32, 123, int(size_mm[0] / 2.5)))
            write(picture, words, (5 * k, int(y * k)), int(rng.integers(0, 4)), rng.uniform(0.6, 1.3), pen, 2)
    elif style == 2:
        pitch = rng.uniform(5, 40)
        for at in np.arange(pitch / 2, max(size_mm), pitch):
            cv2.line(picture, (0, int(at * k)), (picture.shape[1], int(at * k)), pen, 3)
            if rng.random() < 0.9:
                cv2.line(picture, (int(at * k), 0), (int(at * k), picture.shape[0]), pen, 3)
    elif style == 3:
        for _ in range(int(rng.integers(1, 6))):
            center = (int(rng.uniform(0, picture.shape[1])), int(rng.uniform(0, picture.shape[0])))
            axes = (int(rng.uniform(3, 25) * k), int(rng.uniform(3, 25) * k))
            cv2.ellipse(
                picture, center, axes, float(rng.uniform(0, 180)), 0, 360, tuple(map(float, color(rng))), int(rng.choice([-1, 4, 8]))
            )
    return Face(picture, cover(size_mm, 0), size_mm)


def playing_card(rng: np.random.Generator) -> Face:
    """An ordinary card, roughly: index in two corners and pips; diamonds are shaped like SET's but square."""
    size_mm = (rng.uniform(56, 64), rng.uniform(86, 90))
    picture = np.empty((*_canvas(size_mm), 3), np.float32)
    picture[:] = linear((250, 250, 248))
    red = rng.random() < 0.5
    ink_bgr = tuple(map(float, linear((200, 25, 30) if red else (20, 20, 22))))
    k = RESOLUTION_PX_MM
    count = int(rng.integers(1, 11))
    pips = [(x, y) for x in (-14, 14) for y in (-28, -9, 9, 28)] + [(0, -19), (0, 19)]
    rng.shuffle(pips)
    if count == 1:
        pips = [(0, 0)]
    half = rng.uniform(4, 6)
    outline = symbol_outline(Shape.DIAMOND if rng.random() < 0.6 else Shape.OVAL, 2 * half, 2 * half * rng.uniform(1.0, 1.4))
    for pip in pips[:count]:
        cv2.fillPoly(picture, [_fixed(outline + np.array(pip), size_mm)], ink_bgr, cv2.LINE_AA, _SUBPIXEL_BITS)
    rank = str(rng.choice(list("A23456789JQK")))
    write(picture, rank, (2 * k, 10 * k), cv2.FONT_HERSHEY_DUPLEX, 2.2, ink_bgr, 5)
    picture = np.ascontiguousarray(picture[::-1, ::-1])
    write(picture, rank, (2 * k, 10 * k), cv2.FONT_HERSHEY_DUPLEX, 2.2, ink_bgr, 5)
    return Face(picture, cover(size_mm, 3.5), size_mm)


def card_back(rng: np.random.Generator) -> Face:
    """A patterned back, with or without a white border."""
    size_mm = (rng.uniform(56, 64), rng.uniform(86, 90))
    height, width = _canvas(size_mm)
    ground, figure = color(rng), color(rng)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = ground
    k = RESOLUTION_PX_MM
    pitch, tile = rng.uniform(3, 20) * k, rng.integers(3)
    fill = tuple(map(float, figure))
    for x in np.arange(pitch / 2, width, pitch):
        for y in np.arange(pitch / 2, height, pitch):
            if tile == 0:
                cv2.circle(picture, (int(x), int(y)), int(pitch * 0.35), fill, -1)
            elif tile == 1:
                cv2.rectangle(picture, (int(x), int(y)), (int(x + pitch * 0.6), int(y + pitch * 0.5)), fill, -1)
            else:
                cv2.line(picture, (int(x), int(y)), (int(x + pitch), int(y + pitch)), fill, 6)
    if rng.random() < 0.4:
        for y in (0.2, 0.5, 0.8):
            cv2.rectangle(picture, (int(0.3 * width), int(y * height - 90)), (int(0.7 * width), int(y * height + 90)), (0.9, 0.9, 0.9), -1)
            write(picture, "SETX"[int(rng.integers(4))], (int(0.38 * width), int(y * height + 60)), 0, 5, fill, 18)
    if rng.random() < 0.6:
        border = int(rng.uniform(2, 6) * k)
        cv2.rectangle(picture, (0, 0), (width, height), (0.9, 0.9, 0.9), border)
    return Face(picture, cover(size_mm, 3.5), size_mm)


def wrong_card(rng: np.random.Generator) -> Face:
    """Nearly a SET card: symbols missing, mixed, too many, too small, off centre, or on a die's square face."""
    style = random_style(rng)
    card = SET_DECK[int(rng.integers(81))]
    symbols = list(set_card_symbols(card, style))
    choice = rng.integers(5)
    if choice == 0:
        symbols = []
    elif choice == 1:
        offset = rng.uniform(-1, 1, 2) * [style.width_mm / 2, style.height_mm / 2]
        symbols = [Symbol(s.outline_mm * 0.45 + offset * 0.5, s.stripes_mm * 0.45 + offset * 0.5, s.filled) for s in symbols]
    elif choice == 2:
        pitch = style.symbol_pitch_mm * 0.62
        one = set_card_symbols(SetCard(1, card.color, card.shading, card.shape), style)[0]
        places = np.arange(4) - 1.5
        symbols = [Symbol(one.outline_mm * 0.6 + [0, p * pitch], one.stripes_mm * 0.6 + [0, p * pitch], one.filled) for p in places]
    elif choice == 3:
        square = rng.uniform(0.85, 1.1) * style.width_mm * 0.62
        style = DeckStyle(width_mm=square, height_mm=square, corner_mm=square / 8, stroke_mm=style.stroke_mm, paper_rgb=style.paper_rgb)
        shrink = square / 82
        symbols = [Symbol(s.outline_mm * shrink, s.stripes_mm * shrink, s.filled) for s in symbols]
    else:
        turn = np.array([[0.0, -1.0], [1.0, 0.0]])
        symbols = [Symbol(symbols[0].outline_mm @ turn, symbols[0].stripes_mm @ turn, symbols[0].filled)]
    return paint(tuple(symbols), style, linear(style.ink_rgb[card.color]))


def thing(rng: np.random.Generator) -> Face:
    """Coin, pen, key pad, book: round or long things of one or two colours."""
    if rng.random() < 0.4:
        size = rng.uniform(10, 90)
        face = blank(rng)
        picture = np.asarray(cv2.resize(face.picture, _canvas((size, size))[::-1]), np.float32)
        return Face(picture, cover((size, size), size / 2.01), (size, size))
    size_mm = (rng.uniform(5, 150), rng.uniform(30, 200))
    picture = np.empty((*_canvas(size_mm), 3), np.float32)
    picture[:] = color(rng, 0.02)
    if rng.random() < 0.5:
        pitch = rng.uniform(8, 25) * RESOLUTION_PX_MM
        key = tuple(map(float, color(rng, 0.02)))
        for x in np.arange(2, picture.shape[1] - 8, pitch):
            for y in np.arange(2, picture.shape[0] - 8, pitch):
                cv2.rectangle(picture, (int(x), int(y)), (int(x + pitch * 0.8), int(y + pitch * 0.8)), key, -1)
    return Face(picture, cover(size_mm, min(size_mm) / 8), size_mm)


DISTRACTORS: tuple[Callable[[np.random.Generator], Face], ...] = (blank, playing_card, card_back, wrong_card, wrong_card, thing)
"""Painters of things that are not SET cards, as often as they stand here."""
