"""SET cards as other printers lay them out: small or large symbols, slim or round ones, near or far apart, in other inks and shadings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from visionset.art import DeckStyle, Symbol, hatch, symbol_outline
from visionset.geometry import Floats
from visionset.pieces import SET_DECK, Color, SetCard, Shading, Shape
from visionset.render.faces import Face, print_card
from visionset.render.pixels import linear, to_rgb
from visionset.render.table_pieces import Flat

_LONG = (0.42, 0.86)  # a symbol's length to the width of its card, ...
_SLIM = (1.5, 2.9)  # ... to its own width, ...
_APART = (1.06, 1.9)  # ... and from middle to middle in its widths, as far as three of them leave ...
_ROOM = 0.94  # ... this share of the card's height
_TINT = 0.25  # share of the decks whose stripes are so fine that they are a tint
_ASLANT = 0.2  # share of the others whose stripes run aslant
_ROUNDED = 0.3  # share of the decks whose ovals are ellipses and whose diamonds have round corners
_INK = {  # least and greatest levels of each ink
    Color.RED: ((165, 0, 20), (255, 110, 110)),
    Color.GREEN: ((0, 85, 20), (110, 195, 130)),
    Color.PURPLE: ((30, 10, 75), (160, 90, 200)),
}


@dataclass(frozen=True, slots=True)
class Deck:
    """How one printer draws."""

    style: DeckStyle
    stripes_turn_rad: float
    is_rounded: bool

    def outline(self, shape: Shape) -> Floats:
        """Closed outline of a symbol about the origin, shape (n, 2), in millimetres."""
        style = self.style
        half = np.array([style.symbol_length_mm, style.symbol_width_mm]) / 2
        if self.is_rounded and shape is not Shape.SQUIGGLE:
            turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
            power = 1.0 if shape is Shape.OVAL else 1.75  # of a superellipse: 2 is a diamond
            around = np.stack([np.cos(turn), np.sin(turn)], axis=1)
            return np.asarray(np.sign(around) * np.abs(around) ** power * half)
        return symbol_outline(shape, *(2 * half), style.squiggle_bend)

    def stripes(self, outline: Floats) -> Floats:
        """Lines inside an outline, shape (m, 2, 2)."""
        cos, sin = np.cos(self.stripes_turn_rad), np.sin(self.stripes_turn_rad)
        turn = np.array([[cos, sin], [-sin, cos]])
        return hatch(outline @ turn, self.style.stripe_pitch_mm) @ turn.T

    def face(self, card: SetCard, px_mm: float) -> Face:
        outline = self.outline(card.shape)
        stripes = self.stripes(outline) if card.shading is Shading.STRIPED else np.empty((0, 2, 2))
        symbols = []
        for place in range(card.number):
            shift = np.array([0.0, (place - (card.number - 1) / 2) * self.style.symbol_pitch_mm])
            symbols.append(Symbol(outline + shift, stripes + shift, card.shading is Shading.SOLID))
        return print_card(tuple(symbols), self.style, linear(self.style.ink_rgb[card.color]), 0.1, px_mm)


def other_deck(rng: np.random.Generator) -> Deck:
    """A print of the deck by anybody."""
    height = rng.uniform(60, 95)
    width = height * rng.uniform(0.6, 0.76)
    length = width * rng.uniform(*_LONG)
    slim = min(length / rng.uniform(*_SLIM), _ROOM * height / (1 + 2 * _APART[0]))
    pitch = min(slim * rng.uniform(*_APART), (_ROOM * height - slim) / 2)
    paper = np.array([1, 1, 1 - abs(rng.normal(0, 0.07))]) * rng.uniform(215, 254)
    if rng.random() < _TINT:
        stripe_pitch, turn = rng.uniform(0.4, 0.6), 0.0
        stripe = stripe_pitch * rng.uniform(0.3, 0.5)
    else:
        stripe_pitch = rng.uniform(0.8, 2.2)
        stripe = float(np.clip(stripe_pitch * rng.uniform(0.2, 0.45), 0.2, 0.7))
        turn = rng.uniform(0, np.pi) if rng.random() < _ASLANT else float(rng.choice([0.0, np.pi / 2], p=[0.7, 0.3]))
    style = DeckStyle(
        width_mm=width,
        height_mm=height,
        corner_mm=rng.uniform(0, 6),
        symbol_length_mm=length,
        symbol_width_mm=slim,
        symbol_pitch_mm=pitch,
        stroke_mm=float(np.clip(slim * rng.uniform(0.03, 0.12), 0.35, 2.0)),
        stripe_mm=stripe,
        stripe_pitch_mm=stripe_pitch,
        squiggle_bend=rng.uniform(0.6, 1.6),
        paper_rgb=to_rgb(paper),
        ink_rgb={color: to_rgb(rng.uniform(*between)) for color, between in _INK.items()},
    )
    return Deck(style, turn, bool(rng.random() < _ROUNDED))


def other_set_cards(rng: np.random.Generator) -> Iterator[Flat]:
    """SET cards of one such print, without end."""
    deck = other_deck(rng)
    size_mm = (deck.style.width_mm, deck.style.height_mm)

    def flat(card: SetCard) -> Flat:
        return Flat(card.kind, card, size_mm, deck.style.corner_mm, lambda px_mm: deck.face(card, px_mm))

    while True:
        yield from (flat(SET_DECK[at]) for at in rng.permutation(len(SET_DECK)))
