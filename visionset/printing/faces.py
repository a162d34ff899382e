"""Faces of cards and dice on paper, from `visionset.art`: as the readers know them, or with letters and patterns besides colours."""

from __future__ import annotations

import numpy as np

from visionset.art import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    PLAIN_DASHES_MM,
    PLAIN_PITCHES_MM,
    PLAIN_RGB,
    SYMBOL_OF_DIE,
    DeckStyle,
    hatch,
    set_card_symbols,
    set_die_symbols,
)
from visionset.geometry import Floats
from visionset.messages import Message, at_table
from visionset.pieces import Color, SetCard, SetDie, Shading
from visionset.printing.pdf import BLACK, WHITE, Pages
from visionset.words import color_letter

_STYLE = DeckStyle()
PLAIN_PRINT_RGB = {**PLAIN_RGB, Color.PURPLE: (52, 16, 92)}
"""Of the page's inks black alone is no purple to a camera; so dark a one is as far from the others as black."""

_PLAIN_STROKE_MM, _PLAIN_STRIPE_MM = 1.6, 0.4
_LETTER_MM = 7.5
"""Size of the letters in a card's corners."""

_TINT = 0.75
"""Of the ink, between the stripes of dice: symbols of dice are full of colour, and an empty one is taken for another.

Of 224 faces before a rendered camera two are not read; nine were with 0.6, two are with 0.8, where the stripes are hardly seen.
"""

_DRAWN_MM = 40.0
"""Side of the face of a die for which the patterns are given."""

_BACK_RGB = (59, 91, 122)
_DIAMOND_MM = 6.0


def draw_set_card(pages: Pages, card: SetCard, plain: bool = False) -> None:
    """A SET card of full size, upright, about the origin; `plain` adds letters and patterns."""
    ink = (PLAIN_PRINT_RGB if plain else _STYLE.ink_rgb)[card.color]
    line, dashes = (_PLAIN_STROKE_MM, PLAIN_DASHES_MM[card.color]) if plain else (_STYLE.stroke_mm, ())
    for symbol in set_card_symbols(card, _STYLE):
        if len(symbol.stripes_mm):
            pages.lines(symbol.stripes_mm, _PLAIN_STRIPE_MM if plain else _STYLE.stripe_mm, ink)
        pages.outline(symbol.outline_mm, fill=ink if symbol.filled else None, line=line, paint=ink, dashes=dashes)
    for turn in (0.0, 180.0) if plain else ():
        with pages.placed(0.0, 0.0, turn):
            left, base = 3 - CARD_WIDTH_MM / 2, 3 + 0.72 * _LETTER_MM - CARD_HEIGHT_MM / 2
            letter = color_letter(card.color)
            pages.text(left, base, letter, _LETTER_MM, bold=True, paint=ink)
            _shading_sign(pages, card.shading, left + pages.width(letter, _LETTER_MM, bold=True) + 1.0, base, ink)


def _shading_sign(pages: Pages, shading: Shading, left: float, base: float, ink: tuple[int, int, int]) -> None:
    side = 0.72 * _LETTER_MM
    square = np.array([[left, base - side], [left + side, base - side], [left + side, base], [left, base]])
    pages.outline(square, fill=ink if shading is Shading.SOLID else None, line=0.5, paint=ink)
    if shading is Shading.STRIPED:
        pages.lines(hatch(square, side / 4), 0.4, ink)


def draw_card_back(pages: Pages, bleed_mm: float) -> None:
    """A card's back of full size about the origin, the same upside down, with a rim around for knives that miss the edge."""
    half = np.array([CARD_WIDTH_MM, CARD_HEIGHT_MM]) / 2 + bleed_mm
    left, top = (float(-side) for side in half)
    with pages.clipped(left, top, -2 * left, -2 * top):
        pages.rectangle(left, top, -2 * left, -2 * top, _BACK_RGB)
        reach = np.ceil(half / _DIAMOND_MM) + 1
        middles = np.stack(np.meshgrid(*(np.arange(-count, count + 1) for count in reach)), axis=-1).reshape(-1, 1, 1, 2)
        corners = np.array([[0.0, -0.4], [0.4, 0.0], [0.0, 0.4], [-0.4, 0.0]])
        sides = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
        pages.lines((_DIAMOND_MM * (middles + sides)).reshape(-1, 2, 2), 0.6, WHITE)


def draw_set_die(pages: Pages, face: SetDie, side_mm: float, plain: bool = False) -> None:
    """A face of a SET die about the origin, without its edge; `plain` adds letters and patterns."""
    if face.color is None:
        word = at_table(Message("piece.wild")).upper()
        pages.middle(0.0, 0.0, word, 0.78 * side_mm / pages.width(word, 1.0, bold=True), paint=BLACK)
        return
    ink = (PLAIN_PRINT_RGB if plain else _STYLE.ink_rgb)[face.color]
    unit = side_mm / _DRAWN_MM
    shift = np.array([0.075 * side_mm if plain else 0.0, 0.0])
    for symbol in set_die_symbols(face, side_mm, 0.55 if plain else SYMBOL_OF_DIE):
        _die_symbol(pages, symbol + shift, ink, unit, face.color if plain else None)
    if plain:
        size = 6.5 * unit
        pages.text(2 * unit - side_mm / 2, 2 * unit + 0.72 * size - side_mm / 2, color_letter(face.color), size, bold=True, paint=ink)


def _die_symbol(pages: Pages, outline: Floats, ink: tuple[int, int, int], unit: float, pattern: Color | None) -> None:
    if pattern is None:
        pages.outline(outline, fill=ink)
        return
    red, green, blue = (round(255 - _TINT * (255 - level)) for level in ink)
    pages.outline(outline, fill=(red, green, blue))
    pages.lines(hatch(outline, PLAIN_PITCHES_MM[pattern] * unit), 0.5 * unit, ink)
    pages.outline(outline, line=1.2 * unit, paint=ink)
