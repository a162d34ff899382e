"""Pieces for a rendered table: dice and cards drawn by a seed, all dice of SET and all cards of a pack in one print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from visionset.art import DeckStyle
from visionset.geometry import Floats
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, PipDie, PlayingCard, SetCard, SetDie
from visionset.render.dice import Die
from visionset.render.die_faces import pip_atlas, random_die, random_set_die, symbol_atlas
from visionset.render.faces import RESOLUTION_PX_MM, Face, Sheet, box, placed, random_style, set_card
from visionset.render.layouts import Spot, corners_mm
from visionset.render.pixels import color, linear, printed
from visionset.render.playing_cards import index_boxes_mm, playing_face, random_back
from visionset.render.playing_style import Lettering, PlayingStyle, random_playing_style, text_outlines

SET_DIE_MM = (22.0, 26.0)  # side of a SET die
_WILD_SHARE = 0.06  # how often WILD lies on top
_LETTER_SHARE = 0.42  # height of a number in sides of its square
_CUT_EDGE = 0.12  # how much darker the cut edge of a card is than its face


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """Something flat, not yet laid down."""

    kind: Kind | None  # None for what is no piece, such as a board
    piece: SetCard | PlayingCard | None  # None for backs too
    size_mm: tuple[float, float]  # width and height
    corner_mm: float  # radius of the corners
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


def _dealt(rng: np.random.Generator, deck: Sequence[Any], print_of: Callable[..., Any], flat: Callable[..., Flat]) -> Iterator[Flat]:
    style = print_of(rng)
    while True:  # another deck of the same print when one is dealt out
        yield from (flat(deck[at], style) for at in rng.permutation(len(deck)))


def _backs(rng: np.random.Generator) -> Iterator[Flat]:
    size = (float(rng.uniform(56, 64)), float(rng.uniform(86, 90)))
    return repeat(back_flat(int(rng.integers(1 << 30)), size, 3.5))  # every back of a pack is the same


# who draws pieces of each kind, without end
DEALERS: dict[Kind, Callable[[np.random.Generator], Iterator[Item]]] = {
    Kind.SET_DIE: _set_dice,
    Kind.PIP_DIE: _pip_dice,
    Kind.SET_CARD: lambda rng: _dealt(rng, SET_DECK, random_style, set_flat),
    Kind.PLAYING_CARD: lambda rng: _dealt(rng, PACK, random_playing_style, playing_flat),
    Kind.CARD_BACK: _backs,
}


def deal_items(rng: np.random.Generator, kinds: Sequence[Kind], count: int) -> list[Item]:
    """Draw pieces, each kind at least once where `count` allows; kinds stay together."""
    kinds = kinds[:count]
    shares = 1 + rng.multinomial(count - len(kinds), np.full(len(kinds), 1 / len(kinds)))
    return [item for kind, number in zip(kinds, shares, strict=True) for item in islice(DEALERS[kind](rng), int(number))]


def printed_board(
    rng: np.random.Generator,
    rows: int,
    columns: int,
    pitch_mm: float,
    letter: float = _LETTER_SHARE,
    fonts: Sequence[Path] = (),
    ink_rgb: tuple[int, int, int] | None = None,
    numbered: NDArray[np.bool_] | None = None,
) -> Face:
    """Squares of `pitch_mm` about the board's middle with a rim around, pale or dark; about a third of the squares carries a number.

    A number is `letter` of its square high; `fonts` are font files for it, OpenCV's own is used where none are given. It is printed nearly
    black on pale paper and white on dark one, or in the colour `ink_rgb` (0 to 255); `numbered`, shape (rows, columns), says where.
    """
    rim = float(rng.uniform(0.3, 1.0) * pitch_mm)
    size_mm = (columns * pitch_mm + 2 * rim, rows * pitch_mm + 2 * rim)
    dark = rng.random() < 0.25
    paper = color(rng, 0.05, 0.12, 0.4) if dark else linear(np.array([rng.uniform(215, 245), rng.uniform(222, 246), rng.uniform(200, 240)]))
    tint = np.clip(paper * np.float32(1.8 if dark else 0.72) * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32), 0, 0.95)
    ink = (230, 230, 225) if dark else printed(color(rng, 0.02, 0.06, 0.9))
    ink = ink_rgb or ink
    if numbered is None:
        numbered = rng.random((rows, columns)) < rng.uniform(0.15, 0.4)
    lettering = Lettering(str(fonts[int(rng.integers(len(fonts)))]) if fonts else "sans", int(rng.integers(300, 850)))
    sheet = Sheet(size_mm, RESOLUTION_PX_MM, printed(paper))
    for row, column in np.argwhere(numbered):
        x, y = (column - columns / 2) * pitch_mm, (row - rows / 2) * pitch_mm
        sheet.fill(box(x, y, x + pitch_mm, y + pitch_mm), printed(tint))
        number, _ = text_outlines(str(int(rng.integers(1, 10))), lettering)
        sheet.fill(placed(number, (x + pitch_mm / 2, y + pitch_mm / 2), letter * pitch_mm), ink)
    half = np.array([columns, rows]) * pitch_mm / 2
    down, across = (np.linspace(-reach, reach, count + 1) for reach, count in zip(half[::-1], (rows, columns), strict=True))
    edges = [np.array([[-half[0], y], [half[0], y]]) for y in down] + [np.array([[x, -half[1]], [x, half[1]]]) for x in across]
    sheet.line(tuple(edges), printed(np.clip(paper * np.float32(2.2 if dark else 0.55), 0, 1)), 0.45)
    return sheet.face(float(rng.uniform(0, 4)))
