"""SET cards that others print: smaller, larger, longer and bolder symbols and coarse stripes are read as those of the usual deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

import visionset
from tests.rendering import card_photo
from visionset.art import DeckStyle
from visionset.pieces import SET_DECK, SetCard
from visionset.render.camera import Viewpoint
from visionset.render.layouts import Spot
from visionset.vision.options import SET_CARDS_ALONE

USUAL = DeckStyle()
DEALT = [SET_DECK[first::7][:12] for first in range(2)]


def right(dealt: Sequence[SetCard], style: DeckStyle) -> int:
    """How many of twelve cards that lie in rows are read rightly."""
    places = [(card, Spot(66.0 * (at % 4 - 1.5), 96.0 * (at // 4 - 1.5), 0.0)) for at, card in enumerate(dealt)]
    image = card_photo(places, Viewpoint((960, 720), 1.4, 20.0, 2.0, 900.0, (480.0, 360.0)), style)
    return (Counter(visionset.read(image, SET_CARDS_ALONE).pieces) & Counter(dealt)).total()


@pytest.mark.parametrize("size", [0.8, *(pytest.param(size, marks=pytest.mark.slow) for size in (0.9, 1.2))])
def test_smaller_and_larger_symbols_are_read(size: float) -> None:
    style = replace(
        USUAL,
        symbol_width_mm=size * USUAL.symbol_width_mm,
        symbol_length_mm=size * USUAL.symbol_length_mm,
        symbol_pitch_mm=size * USUAL.symbol_pitch_mm,
    )
    read = [right(dealt, style) for dealt in DEALT]
    assert sum(read) >= 0.95 * sum(map(len, DEALT)), read


@pytest.mark.parametrize(
    "style",
    [
        pytest.param(replace(USUAL, stripe_pitch_mm=0.7, stripe_mm=0.28), id="fine"),
        pytest.param(replace(USUAL, stripe_pitch_mm=2.0, stripe_mm=0.5, stripes_across=False), id="coarse", marks=pytest.mark.slow),
        pytest.param(replace(USUAL, stroke_mm=1.8), id="bold"),
        pytest.param(replace(USUAL, width_mm=63.0, symbol_length_mm=48.0, symbol_width_mm=17.0), id="long", marks=pytest.mark.slow),
    ],
)
def test_other_prints_are_read(style: DeckStyle) -> None:
    read = [right(dealt, style) for dealt in DEALT]
    assert sum(read) >= 0.95 * sum(map(len, DEALT)), read
