"""What lies on tables and is no piece: paper, books, coins, holes, cards that are none, and dice of 4 to 20 faces with numerals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from scipy.spatial import HalfspaceIntersection

from scenes.setting import letters
from visionset.art import DeckStyle, Symbol, set_card_symbols
from visionset.geometry import Floats
from visionset.pieces import PACK, SET_DECK, SetCard
from visionset.render.dice import Die, Solid
from visionset.render.die_faces import FACE_PX, NO_BALL, DieStyle
from visionset.render.faces import Face, Sheet, box, print_card, random_style, round_shape
from visionset.render.pixels import Rgb, color, fractal, linear, printed, shrunk, write
from visionset.render.playing_cards import playing_face, random_back
from visionset.render.playing_style import random_playing_style
from visionset.render.table_pieces import Flat

_THING_PX_MM = 6.0  # fineness of what is no piece


def random_rgb(rng: np.random.Generator, dark: float = 0.03, bright: float = 0.8) -> Rgb:
    """Any colour."""
    return printed(color(rng, dark, bright))


def thing(rng: np.random.Generator) -> Face:
    """Paper, envelope, coin, pen, key pad, book, mat: one colour, and lines, keys, holes, blots or letters on it.

    No dominoes: half of one, seen from above, is a die's face to any eye, and a reader that has to tell them apart doubts both.
    """
    size = np.array([rng.uniform(10, 150), rng.uniform(20, 190)])
    is_round = rng.random() < 0.15
    if is_round:
        size[:] = rng.uniform(10, 90)
    sheet = Sheet((float(size[0]), float(size[1])), _THING_PX_MM, random_rgb(rng, 0.7, 0.95) if rng.random() < 0.35 else random_rgb(rng))
    ink, pitch, share, loose = random_rgb(rng, 0.01, 0.5), rng.uniform(3, 25), rng.uniform(0.12, 0.8), rng.choice([0.0, 0.0, 0.4])
    xs, ys = (np.arange(pitch / 2, side, pitch) - side / 2 for side in size)
    pattern = rng.choice(["none", "letters", "rules", "keys", "holes", "blots"], p=[0.2, 0.14, 0.14, 0.14, 0.28, 0.1])
    if pattern == "letters":
        for y in ys:
            at, font = (int(5 * _THING_PX_MM), int((y + size[1] / 2) * _THING_PX_MM)), int(rng.integers(0, 4))
            cv2.putText(sheet.picture, letters(rng, int(size[0] / 2.5)), at, font, rng.uniform(0.5, 1.0), ink[::-1], 2)
    elif pattern == "rules":
        sheet.line(tuple(np.array([[-size[0], y], [size[0], y]]) for y in ys), ink, 0.4)
        sheet.line(tuple(np.array([[x, -size[1]], [x, size[1]]]) for x in xs[: rng.choice([0, len(xs)])]), ink, 0.4)
    elif pattern == "blots":
        for _ in range(int(rng.integers(1, 6))):
            x, y = rng.uniform(-0.5, 0.5, 2) * size
            sheet.fill(round_shape((x, y), tuple(rng.uniform(3, 25, 2)), int(rng.integers(3, 20))), random_rgb(rng))
    elif pattern != "none":
        half = share * pitch / 2
        for x, y in np.stack(np.meshgrid(xs, ys), axis=2).reshape(-1, 2) + rng.normal(0, 1, (len(xs) * len(ys), 2)) * loose * pitch:
            sheet.fill(round_shape((x, y), (half, half)) if pattern == "holes" else box(x - half, y - half, x + half, y + half), ink)
    return sheet.face(size[0] / 2.01 if is_round else float(rng.choice([0.0, rng.uniform(0, 5), size.min() / 8])))


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
OTHERS: tuple[Painter, ...] = (thing,)  # painters of what is no piece of any kind, as often as they stand here
NO_SET_CARDS: tuple[Painter, ...] = (thing, thing, playing_card, random_back, wrong_card, wrong_card)  # painters of what is no SET card


def flat_of(face: Face) -> Flat:
    """Something without a name, to be laid down; a lens sees less of it than it was painted with."""

    def seen(px_mm: float) -> Face:
        share = min(1.0, px_mm * face.size_mm[0] / face.cover.shape[1])
        if share > 0.9:
            return face
        height, width = (max(1, round(share * side)) for side in face.cover.shape)
        return Face(shrunk(face.picture, (width, height)), shrunk(face.cover, (width, height)), face.size_mm)

    return Flat(None, None, face.size_mm, 0.0, seen)


def worn(rng: np.random.Generator, flat: Flat) -> Flat:
    """A card that has been played with for years: dirt, stains and scuffs."""
    seed, depth, cell = int(rng.integers(1 << 30)), rng.uniform(0, 0.12), rng.uniform(0.02, 0.3)

    def dirty(px_mm: float) -> Face:
        face = flat.paint(px_mm)
        height, width = face.cover.shape
        dirt = np.clip(fractal(np.random.default_rng(seed), height, width, width * cell, octaves=3), 0, 2)[..., None]
        return Face(np.asarray(face.picture * (1 - depth * dirt), np.float32), face.cover, face.size_mm)

    return replace(flat, paint=dirty)


_SLENDER = {4: 0.55, 6: 0.9, 8: 0.9}  # bodies of few faces reach far beyond the sphere inside; their sphere is smaller by this
_GOLDEN = (1 + 5**0.5) / 2


def _signs(*values: float) -> Floats:
    """Every choice of signs of a vector; values of 0 have one."""
    grid = np.array(np.meshgrid(*[[1.0, -1.0] if value else [1.0] for value in values])).reshape(3, -1).T
    return np.asarray(grid * np.array(values))


def _cyclic(vectors: Floats) -> Floats:
    return np.concatenate([np.roll(vectors, turn, axis=1) for turn in range(3)])


_TENTHS = np.arange(10) * np.pi / 5
# ways out of the faces, by their number; five of the ten are upward
_NORMALS = {
    4: np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]),
    6: _cyclic(_signs(1, 0, 0)),
    8: _signs(1, 1, 1),
    10: np.column_stack([np.cos(_TENTHS), np.sin(_TENTHS), np.where(np.arange(10) % 2, 0.9, -0.9)]),
    12: _cyclic(_signs(0, 1, _GOLDEN)),
    20: np.concatenate([_signs(1, 1, 1), _cyclic(_signs(0, 1 / _GOLDEN, _GOLDEN))]),
}


def solid(sides: int, down: int = 0) -> Solid:
    """The body of a die of 4, 6, 8, 10, 12 or 20 faces, which lies on face `down`."""
    normals = _NORMALS[sides] / np.linalg.norm(_NORMALS[sides], axis=1, keepdims=True)
    corners = HalfspaceIntersection(np.column_stack([normals, -np.ones(sides)]), np.zeros(3)).intersections
    corners = np.unique(corners.round(9), axis=0)
    upright = _frame(-normals[down])
    faces = np.stack([_frame(normal) for normal in normals @ upright.T])
    return Solid(faces, corners @ upright.T)


def _frame(normal: Floats) -> Floats:
    """Right, down and out of a face as seen from outside, in rows."""
    right = np.cross([0.0, 0.0, 1.0] if abs(normal[2]) < 0.9 else [0.0, 1.0, 0.0], normal)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(normal, right), normal])


def numbered_die(rng: np.random.Generator) -> Die:
    """A die of any number of faces, its numerals turned at random."""
    sides = int(rng.choice(list(_NORMALS)))
    body = solid(sides, int(rng.integers(sides)))
    radius_mm = float(rng.uniform(5.5, 9.0)) * _SLENDER.get(sides, 1.0)
    paint, glow = color(rng, 0.02, 0.8, 0.8), float(rng.choice([0.0, rng.uniform(0.1, 0.5)]))
    style = DieStyle(2 * radius_mm, radius_mm * rng.uniform(0, 0.15), NO_BALL, paint, rng.uniform(0, 0.4), 40.0, glow)
    ink = color(rng, 0.5, 0.95, 0.4) if float(paint.mean()) < 0.35 else color(rng, 0.01, 0.1)
    nearest = np.sort(np.linalg.norm(body.faces[0, 2] - body.faces[:, 2], axis=1))[1]
    font, scale = int(rng.integers(0, 5)), float(rng.uniform(1.1, 2.4) * min(1.0, nearest))
    atlas, thick = np.empty((sides, FACE_PX, FACE_PX, 3), np.float32), max(1, round(2.5 * scale))
    atlas[:] = paint
    for number, tile in enumerate(atlas, 1):
        (width, height), _ = cv2.getTextSize(str(number), font, scale, thick)
        at = ((FACE_PX - width) // 2, (FACE_PX + height) // 2)
        write(tile, str(number), at, font, scale, tuple(map(float, ink)), thick)
        turn = cv2.getRotationMatrix2D((FACE_PX / 2, FACE_PX / 2), float(rng.uniform(0, 360)), 1.0)
        tile[:] = cv2.warpAffine(tile, turn, (FACE_PX, FACE_PX), borderMode=cv2.BORDER_REPLICATE)
    return Die(None, style, atlas, solid=body)
