"""How many symbols a SET card bears is told by its ink alone too, however close together they lie."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

import visionset
from tests.rendering import card_photo
from visionset.art import DeckStyle, set_card_symbols
from visionset.pieces import SET_DECK
from visionset.render.camera import Viewpoint
from visionset.render.faces import ink
from visionset.render.layouts import Spot
from visionset.vision import inks, set_cards
from visionset.vision.inks import optical_density, symbol_count
from visionset.vision.options import SET_CARDS_ALONE

NUMBERS = np.array([card.number for card in SET_DECK])


def deck(closeness: float) -> DeckStyle:
    """A deck whose symbols lie so many widths from middle to middle."""
    style = DeckStyle()
    return replace(style, symbol_pitch_mm=closeness * style.symbol_width_mm)


def drawn(style: DeckStyle, paint_bgr: tuple[float, float, float] = (0.5, 0.1, 0.4)) -> np.ndarray:
    """All cards as they are straightened, shape (81, 3, 96, 64), their paper at 1."""
    cards = np.ones((81, 3, 96, 64), np.float32)
    for card, patch in zip(SET_DECK, cards, strict=True):
        cover = cv2.resize(ink(set_card_symbols(card, style), style).astype(np.float32) / 255, (51, 77), interpolation=cv2.INTER_AREA)
        patch[:, 10:87, 7:58] -= cover * (1 - np.float32(paint_bgr))[:, None, None]
    return cards


@pytest.mark.parametrize("closeness", [1.06, 1.5, *(pytest.param(one, marks=pytest.mark.slow) for one in (1.15, 1.3))])
@pytest.mark.parametrize("paint_bgr", [(0.5, 0.1, 0.4), (0.2, 0.2, 0.95), (0.75, 0.7, 0.8)])
def test_the_symbols_of_all_cards_are_counted(closeness, paint_bgr):
    cards = drawn(deck(closeness), paint_bgr)
    for seen in (cards, cards[:, :, ::-1], cards[..., ::-1]):
        assert (symbol_count(optical_density(seen)).argmax(axis=1) + 1 == NUMBERS).all()


def test_each_card_is_counted_alone_as_beside_others():
    density = optical_density(drawn(deck(1.1)))
    alone = np.concatenate([symbol_count(density[at : at + 1]) for at in range(len(density))])
    assert symbol_count(density) == pytest.approx(alone, abs=1e-3)


def test_nothing_but_where_ink_is_counts():
    """Paler, in another colour, on paper with a shadow: the same."""
    cards, other = drawn(deck(1.1), (0.1, 0.1, 0.1)), drawn(deck(1.1), (0.7, 0.9, 0.4))
    shadow = np.linspace(0.4, 1, 96, dtype=np.float32)[:, None]
    for seen in (other, cards * shadow):
        assert (symbol_count(optical_density(seen)).argmax(axis=1) + 1 == NUMBERS).all()


def test_what_is_said_against_a_number_has_an_end():
    """A card may lie under a hand: what is sure by all else stays possible."""
    said = symbol_count(optical_density(np.concatenate([drawn(deck(1.4)), np.ones((2, 3, 96, 64), np.float32)])))
    assert said.min() >= -inks._MISCOUNTED
    assert said.max() <= 0


def test_a_deck_of_small_symbols_that_all_but_touch_is_read(monkeypatch):
    """Three of them are no higher than two of a usual deck, for which they were taken."""
    usual = DeckStyle()
    width_mm = 0.85 * usual.symbol_width_mm
    style, at = (
        replace(usual, symbol_width_mm=width_mm, symbol_pitch_mm=1.1 * width_mm),
        [card for card in SET_DECK if card.number > 1][::4],
    )
    places = [(card, Spot(66.0 * (place % 4 - 1.5), 96.0 * (place // 4 - 1.5), 0.0)) for place, card in enumerate(at)]
    image = card_photo(places, Viewpoint((960, 720), 1.4, 20.0, 2.0, 900.0, (480.0, 360.0)), style)

    def right() -> int:
        return (Counter(visionset.read(image, SET_CARDS_ALONE).pieces) & Counter(at)).total()

    assert right() == len(at)
    monkeypatch.setattr(set_cards, "symbol_count", lambda density: np.zeros((len(density), 3)))
    assert right() < 0.7 * len(at)
