"""Flat things that lie on tables and are no pieces: paper, books, key pads, holes, and cards that are none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from visionset.art import DeckStyle, Symbol, set_card_symbols
from visionset.pieces import PACK, SET_DECK, SetCard
from visionset.render.card_backs import random_back
from visionset.render.faces import RESOLUTION_PX_MM, Face, cover, print_card, random_style
from visionset.render.pixels import color, fractal, linear, write
from visionset.render.playing_cards import playing_face
from visionset.render.playing_style import random_playing_style
from visionset.render.table_pieces import Flat

K = RESOLUTION_PX_MM


def _sheet(size_mm: tuple[float, float], paint_bgr: np.ndarray) -> np.ndarray:
    picture = np.empty((max(2, round(size_mm[1] * K)), max(2, round(size_mm[0] * K)), 3), np.float32)
    picture[:] = paint_bgr
    return picture


def floats(paint_bgr: np.ndarray) -> tuple[float, ...]:
    """A colour as OpenCV wants it."""
    return tuple(float(value) for value in paint_bgr)


def blank(rng: np.random.Generator) -> Face:
    """Sheet of paper, envelope, note: white or coloured, empty, ruled or written on."""
    size_mm = (rng.uniform(30, 160), rng.uniform(40, 200))
    picture = _sheet(size_mm, linear(rng.uniform(215, 255, 3)) if rng.random() < 0.7 else color(rng))
    pen = floats(color(rng, 0.02, 0.3))
    height, width = picture.shape[:2]
    style = rng.integers(4)
    if style == 1:
        for y in np.arange(8, size_mm[1] - 6, rng.uniform(4, 9)):
            words = "".join(chr(int(c)) for c in rng.integers(32, 123, int(size_mm[0] / 2.5)))
            write(picture, words, (5 * K, int(y * K)), int(rng.integers(0, 4)), rng.uniform(0.6, 1.3), pen, 2)
    elif style == 2:
        pitch = rng.uniform(5, 40)
        for at in np.arange(pitch / 2, max(size_mm), pitch):
            cv2.line(picture, (0, int(at * K)), (width, int(at * K)), pen, 3)
            if rng.random() < 0.9:
                cv2.line(picture, (int(at * K), 0), (int(at * K), height), pen, 3)
    elif style == 3:
        for _ in range(int(rng.integers(1, 6))):
            center, axes = (int(rng.uniform(0, width)), int(rng.uniform(0, height))), (rng.uniform(3, 25, 2) * K).astype(int)
            cv2.ellipse(picture, center, axes, float(rng.uniform(0, 180)), 0, 360, floats(color(rng)), int(rng.choice([-1, 4, 8])))
    return Face(picture, cover(size_mm, 0), size_mm)


def thing(rng: np.random.Generator) -> Face:
    """Coin, pen, key pad, book: round or long things of one or two colours."""
    if rng.random() < 0.4:
        size = rng.uniform(10, 90)
        side = round(size * K)
        picture = np.asarray(cv2.resize(blank(rng).picture, (side, side)), np.float32)
        return Face(picture, cover((size, size), size / 2.01), (size, size))
    size_mm = (rng.uniform(5, 150), rng.uniform(30, 200))
    picture = _sheet(size_mm, color(rng, 0.02))
    if rng.random() < 0.5:
        pitch, key = rng.uniform(8, 25) * K, floats(color(rng, 0.02))
        for x in np.arange(2, picture.shape[1] - 8, pitch):
            for y in np.arange(2, picture.shape[0] - 8, pitch):
                cv2.rectangle(picture, (int(x), int(y)), (int(x + pitch * 0.8), int(y + pitch * 0.8)), key, -1)
    return Face(picture, cover(size_mm, min(size_mm) / 8), size_mm)


def perforated(rng: np.random.Generator) -> Face:
    """A sheet or mat with holes, buttons or dots.

    No dominoes: half of one, seen from above, is a die's face to any eye, and a reader that has to tell them apart doubts both.
    """
    size_mm = (rng.uniform(20, 110), rng.uniform(20, 110))
    picture, ink = _sheet(size_mm, color(rng)), floats(color(rng))
    pitch, loose = rng.uniform(3, 14) * K, rng.choice([0.0, 0.4])
    radius = max(2, int(pitch * rng.uniform(0.12, 0.35)))
    for x in np.arange(pitch / 2, picture.shape[1], pitch):
        for y in np.arange(pitch / 2, picture.shape[0], pitch):
            at = np.array([x, y]) + rng.normal(0, 1, 2) * loose * pitch
            cv2.circle(picture, (int(at[0]), int(at[1])), radius, ink, -1, cv2.LINE_AA)
    return Face(picture, cover(size_mm, rng.uniform(0, 5)), size_mm)


def wrong_card(rng: np.random.Generator) -> Face:
    """Nearly a SET card: symbols missing, mixed, too many, too small, off centre, or on a die's square face."""
    style, card = random_style(rng), SET_DECK[int(rng.integers(81))]
    symbols = list(set_card_symbols(card, style))
    choice = rng.integers(5)
    if choice == 0:
        symbols = []
    elif choice == 1:
        offset = rng.uniform(-0.5, 0.5, 2) * [style.width_mm / 2, style.height_mm / 2]
        symbols = [moved(symbol, 0.45, offset) for symbol in symbols]
    elif choice == 2:
        one = set_card_symbols(SetCard(1, card.color, card.shading, card.shape), style)[0]
        symbols = [moved(one, 0.6, np.array([0, place * style.symbol_pitch_mm * 0.62])) for place in np.arange(4) - 1.5]
    elif choice == 3:
        square = rng.uniform(0.85, 1.1) * style.width_mm * 0.62
        style = DeckStyle(width_mm=square, height_mm=square, corner_mm=square / 8, stroke_mm=style.stroke_mm, paper_rgb=style.paper_rgb)
        symbols = [moved(symbol, square / 82, np.zeros(2)) for symbol in symbols]
    else:
        turn = np.array([[0.0, -1.0], [1.0, 0.0]])
        symbols = [Symbol(symbols[0].outline_mm @ turn, symbols[0].stripes_mm @ turn, symbols[0].filled)]
    return print_card(tuple(symbols), style, linear(style.ink_rgb[card.color]))


def moved(symbol: Symbol, scale: float, by_mm: np.ndarray) -> Symbol:
    """The same symbol at another size and place."""
    return Symbol(symbol.outline_mm * scale + by_mm, symbol.stripes_mm * scale + by_mm, symbol.filled)


def playing_card(rng: np.random.Generator) -> Face:
    """A card of another game."""
    return playing_face(PACK[int(rng.integers(len(PACK)))], random_playing_style(rng))


Painter = Callable[[np.random.Generator], Face]
OTHERS: tuple[Painter, ...] = (perforated, perforated, blank, thing)
"""Painters of what is no piece of any kind, as often as they stand here."""

NO_SET_CARDS: tuple[Painter, ...] = (blank, playing_card, random_back, wrong_card, wrong_card, thing)
"""Painters of what is no SET card."""


def flat_of(face: Face) -> Flat:
    """Something without a name, to be laid down; a lens sees less of it than it was painted with."""

    def shrunk(px_mm: float) -> Face:
        share = min(1.0, px_mm * face.size_mm[0] / face.cover.shape[1])
        if share > 0.9:
            return face
        small = cv2.resize(face.cover, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        picture = cv2.resize(face.picture, small.shape[1::-1], interpolation=cv2.INTER_AREA)
        return Face(np.asarray(picture, np.float32), np.asarray(small, np.float32), face.size_mm)

    return Flat(None, None, face.size_mm, 0.0, shrunk)


def worn(rng: np.random.Generator, flat: Flat) -> Flat:
    """A card that has been played with for years: dirt, stains and scuffs."""
    seed, depth, cell = int(rng.integers(1 << 30)), rng.uniform(0, 0.12), rng.uniform(0.02, 0.3)

    def dirty(px_mm: float) -> Face:
        face = flat.paint(px_mm)
        height, width = face.cover.shape
        dirt = np.clip(fractal(np.random.default_rng(seed), height, width, width * cell, octaves=3), 0, 2)[..., None]
        return Face(np.asarray(face.picture * (1 - depth * dirt), np.float32), face.cover, face.size_mm)

    return replace(flat, paint=dirty)
