"""Pieces for a rendered table: dice and cards drawn by a seed, all dice of SET and all cards of a pack in one print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from visionset.geometry import Floats
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, PipDie, PlayingCard, SetCard, SetDie
from visionset.render.card_backs import random_back
from visionset.render.dice import Die
from visionset.render.die_faces import DieStyle, pip_atlas, random_die, random_set_die, symbol_atlas
from visionset.render.faces import Face, random_style, set_card
from visionset.render.playing_cards import index_boxes_mm, playing_face
from visionset.render.playing_style import random_playing_style
from visionset.render.table_spec import DICE, KINDS

SET_DIE_MM = (22.0, 26.0)
"""Side of a SET die."""

WILD_SHARE = 0.06
"""How often WILD lies on top."""

_CUT_EDGE = 0.1
"""How much darker the cut edge of a card is than its face."""


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """Something flat, not yet laid down.

    Attributes
    ----------
    kind : Kind or None
        None for what is no piece.
    piece : SetCard or PlayingCard or None
        None for backs and for what is no piece.
    size_mm : tuple of float
        Width and height.
    corner_mm : float
        Radius of the corners.
    paint : callable
        ``(px_mm) -> Face``.
    indices_mm : tuple of ndarray, each of shape (4, 2)
        Corner indices of a playing card about its centre.
    """

    kind: Kind | None
    piece: SetCard | PlayingCard | None
    size_mm: tuple[float, float]
    corner_mm: float
    paint: Callable[[float], Face]
    indices_mm: tuple[Floats, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A die, not yet put down: its make, top face and six faces."""

    piece: SetDie | PipDie
    style: DieStyle
    atlas: np.ndarray[tuple[int, ...], np.dtype[np.float32]]

    @property
    def kind(self) -> Kind:
        """Sort of die."""
        return self.piece.kind

    @property
    def size_mm(self) -> tuple[float, float]:
        """Footprint."""
        return self.style.size_mm, self.style.size_mm

    def at(self, x_mm: float, y_mm: float, turn_rad: float) -> Die:
        """Put it down."""
        return Die(self.piece, self.style, self.atlas, x_mm, y_mm, turn_rad)


Item = Flat | Block


def _set_dice(rng: np.random.Generator) -> Iterator[Block]:
    style, symbols = random_set_die(rng)
    size = float(rng.uniform(*SET_DIE_MM))
    style = replace(style, size_mm=size, round_mm=style.round_mm * size / style.size_mm)
    while True:
        top = SetDie() if rng.random() < WILD_SHARE else SET_DIE_FACES[int(rng.integers(len(SET_DIE_FACES) - 1))]
        yield Block(top, style, symbol_atlas(rng, top, style, symbols))


def _pip_dice(rng: np.random.Generator) -> Iterator[Block]:
    makes = [random_die(rng) for _ in range(int(rng.integers(2, 6)))]
    while True:
        style, pips = makes[int(rng.integers(len(makes)))]
        value = int(rng.integers(1, 7))
        yield Block(PipDie(value), style, pip_atlas(rng, value, style, pips))


def _set_cards(rng: np.random.Generator) -> Iterator[Flat]:
    style = random_style(rng)

    def painter(card: SetCard) -> Callable[[float], Face]:
        return lambda px_mm: set_card(card, style, _CUT_EDGE, px_mm)

    while True:  # another deck of the same print when one is dealt out
        for at in rng.permutation(len(SET_DECK)):
            card = SET_DECK[at]
            yield Flat(card.kind, card, (style.width_mm, style.height_mm), style.corner_mm, painter(card))


def _playing_cards(rng: np.random.Generator) -> Iterator[Flat]:
    style = random_playing_style(rng)

    def painter(card: PlayingCard) -> Callable[[float], Face]:
        return lambda px_mm: playing_face(card, style, px_mm)

    while True:
        for at in rng.permutation(len(PACK)):
            card = PACK[at]
            indices = []
            for x, y, width, height, _ in index_boxes_mm(style, card):
                indices.append(np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * (width / 2, height / 2) + (x, y))
            yield Flat(card.kind, card, (style.width_mm, style.height_mm), style.corner_mm, painter(card), tuple(indices))


def _backs(rng: np.random.Generator) -> Iterator[Flat]:
    corner = 3.5
    size = (float(rng.uniform(56, 64)), float(rng.uniform(86, 90)))
    seed = int(rng.integers(1 << 30))  # every back of a pack is the same
    while True:
        yield Flat(
            Kind.CARD_BACK, None, size, corner, lambda px_mm: random_back(np.random.default_rng(seed), min(8.0, px_mm), size, corner)
        )


_DEALERS: dict[Kind, Callable[[np.random.Generator], Iterator[Item]]] = {
    Kind.SET_DIE: _set_dice,
    Kind.PIP_DIE: _pip_dice,
    Kind.SET_CARD: _set_cards,
    Kind.PLAYING_CARD: _playing_cards,
    Kind.CARD_BACK: _backs,
}


def deal_items(rng: np.random.Generator, kinds: Sequence[str], count: int) -> list[Item]:
    """Draw pieces, each kind at least once where `count` allows; kinds stay together."""
    chosen = [KINDS[name] for name in kinds][:count]
    shares = np.ones(len(chosen), np.int64) + rng.multinomial(count - len(chosen), np.full(len(chosen), 1 / len(chosen)))
    items: list[Item] = []
    for kind, number in zip(chosen, shares, strict=True):
        dealer = _DEALERS[kind](rng)
        items += [next(dealer) for _ in range(int(number))]
    return items


def is_die(item: Item) -> bool:
    """Whether it stands on the table rather than lies on it."""
    return item.kind in DICE
