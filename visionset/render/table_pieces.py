"""Pieces for a rendered table: dice and cards drawn by a seed, all dice of SET and all cards of a pack in one print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat

import numpy as np

from visionset.art import DeckStyle
from visionset.geometry import Floats
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, PipDie, PlayingCard, SetCard, SetDie
from visionset.render.card_backs import random_back
from visionset.render.dice import Die
from visionset.render.die_faces import pip_atlas, random_die, random_set_die, symbol_atlas
from visionset.render.faces import RESOLUTION_PX_MM, Face, cover, random_style, set_card
from visionset.render.layouts import Spot, corners_mm
from visionset.render.pixels import color, linear, write
from visionset.render.playing_cards import index_boxes_mm, playing_face
from visionset.render.playing_style import PlayingStyle, random_playing_style
from visionset.render.table_spec import KINDS

SET_DIE_MM = (22.0, 26.0)  # side of a SET die
_WILD_SHARE = 0.06  # how often WILD lies on top
_LETTER_SHARE = 0.42  # height of a number in sides of its square
_CAP_PX = 21.0  # height of OpenCV's plain capitals at scale 1
_CUT_EDGE = 0.12  # how much darker the cut edge of a card is than its face


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """Something flat, not yet laid down."""

    kind: Kind | None
    piece: SetCard | PlayingCard | None  # none for what is no piece; the piece is None for backs too
    size_mm: tuple[float, float]
    corner_mm: float  # width and height, and the radius of the corners
    paint: Callable[[float], Face]  # ``(px_mm) -> Face``
    indices_mm: tuple[Floats, ...] = ()  # corner indices of a playing card about its centre; shape (4, 2)


Item = Flat | Die


def set_flat(card: SetCard, style: DeckStyle) -> Flat:
    """A SET card of one print."""
    size_mm = (style.width_mm, style.height_mm)
    return Flat(card.kind, card, size_mm, style.corner_mm, lambda px_mm: set_card(card, style, _CUT_EDGE, px_mm))


def playing_flat(card: PlayingCard, style: PlayingStyle) -> Flat:
    """A playing card of one print."""
    size_mm = (style.width_mm, style.height_mm)
    indices = tuple(corners_mm(Spot(x, y, 0.0), (width, height)) for x, y, width, height, _ in index_boxes_mm(style, card))
    return Flat(card.kind, card, size_mm, style.corner_mm, lambda px_mm: playing_face(card, style, px_mm), indices)


def back_flat(seed: int | Sequence[int], size_mm: tuple[float, float], corner_mm: float) -> Flat:
    """The back of a pack; the same seed is the same pack."""

    def paint(px_mm: float) -> Face:
        return random_back(np.random.default_rng(seed), min(8.0, px_mm), size_mm, corner_mm)

    return Flat(Kind.CARD_BACK, None, size_mm, corner_mm, paint)


def _set_dice(rng: np.random.Generator) -> Iterator[Die]:
    style, symbols = random_set_die(rng)
    style = style.sized(float(rng.uniform(*SET_DIE_MM)))
    while True:
        top = SetDie() if rng.random() < _WILD_SHARE else SET_DIE_FACES[int(rng.integers(len(SET_DIE_FACES) - 1))]
        yield Die(top, style, symbol_atlas(rng, top, style, symbols))


def _pip_dice(rng: np.random.Generator) -> Iterator[Die]:
    makes = [random_die(rng) for _ in range(int(rng.integers(2, 6)))]
    while True:
        style, pips = makes[int(rng.integers(len(makes)))]
        value = int(rng.integers(1, 7))
        yield Die(PipDie(value), style, pip_atlas(rng, value, style, pips))


def _set_cards(rng: np.random.Generator) -> Iterator[Flat]:
    style = random_style(rng)
    while True:  # another deck of the same print when one is dealt out
        yield from (set_flat(SET_DECK[at], style) for at in rng.permutation(len(SET_DECK)))


def _playing_cards(rng: np.random.Generator) -> Iterator[Flat]:
    style = random_playing_style(rng)
    while True:
        yield from (playing_flat(PACK[at], style) for at in rng.permutation(len(PACK)))


def _backs(rng: np.random.Generator) -> Iterator[Flat]:
    size = (float(rng.uniform(56, 64)), float(rng.uniform(86, 90)))
    return repeat(back_flat(int(rng.integers(1 << 30)), size, 3.5))  # every back of a pack is the same


# who draws pieces of each kind, without end
DEALERS: dict[Kind, Callable[[np.random.Generator], Iterator[Item]]] = {
    Kind.SET_DIE: _set_dice,
    Kind.PIP_DIE: _pip_dice,
    Kind.SET_CARD: _set_cards,
    Kind.PLAYING_CARD: _playing_cards,
    Kind.CARD_BACK: _backs,
}


def deal_items(rng: np.random.Generator, kinds: Sequence[str], count: int) -> list[Item]:
    """Draw pieces, each kind at least once where `count` allows; kinds stay together."""
    chosen = [KINDS[name] for name in kinds][:count]
    shares = 1 + rng.multinomial(count - len(chosen), np.full(len(chosen), 1 / len(chosen)))
    return [item for kind, number in zip(chosen, shares, strict=True) for item in islice(DEALERS[kind](rng), int(number))]


def printed_board(rng: np.random.Generator, rows: int, columns: int, pitch_mm: float) -> Face:
    """Squares of `pitch_mm` with a rim around, pale or dark; about a third of the squares carries a number.

    The outermost squares are half a pitch and the rim from the edge; the board's centre is the middle of the squares.
    """
    rim = float(rng.uniform(0.3, 1.0) * pitch_mm)
    size_mm = (columns * pitch_mm + 2 * rim, rows * pitch_mm + 2 * rim)
    picture = np.empty((round(size_mm[1] * RESOLUTION_PX_MM), round(size_mm[0] * RESOLUTION_PX_MM), 3), np.float32)
    dark = rng.random() < 0.25
    paper = color(rng, 0.05, 0.12, 0.4) if dark else linear(np.array([rng.uniform(215, 245), rng.uniform(222, 246), rng.uniform(200, 240)]))
    picture[:] = paper
    tint = np.clip(paper * np.float32(1.8 if dark else 0.72) * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32), 0, 0.95)
    ink = tuple(map(float, linear(np.array([230, 230, 225])) if dark else color(rng, 0.02, 0.06, 0.9)))
    numbered = rng.random((rows, columns)) < rng.uniform(0.15, 0.4)
    font, pitch = int(rng.integers(0, 5)), pitch_mm * RESOLUTION_PX_MM
    scale = _LETTER_SHARE * pitch / _CAP_PX
    for row, column in np.argwhere(numbered):
        left, top = (rim * RESOLUTION_PX_MM + at * pitch for at in (column, row))
        picture[round(top) : round(top + pitch), round(left) : round(left + pitch)] = tint
        corner = (round(left + 0.33 * pitch), round(top + 0.7 * pitch))
        write(picture, str(int(rng.integers(1, 10))), corner, font, scale, ink, max(2, round(2.2 * scale)))
    thick, first = max(1, round(0.45 * RESOLUTION_PX_MM)), rim * RESOLUTION_PX_MM
    for whole, count, other in ((picture, rows, columns), (picture.transpose(1, 0, 2), columns, rows)):
        for at in range(count + 1):
            across = round(first + at * pitch) - thick // 2
            whole[across : across + thick, round(first) : round(first + other * pitch)] = paper * np.float32(2.2 if dark else 0.55)
    return Face(picture, cover(size_mm, float(rng.uniform(0, 4))), size_mm)
