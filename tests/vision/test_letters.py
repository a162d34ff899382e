"""Packs of other tongues: a jack with a B is no eight, and a queen with a D no ten."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.rendering import TEXTURE_PX, spoiled
from visionset.pieces import PACK, Rank
from visionset.render.playing_style import random_playing_style
from visionset.render.table_pieces import playing_flat
from visionset.render.table_plan import TableSpec, plan_table
from visionset.render.tables import light
from visionset.vision.pipeline import read

GERMAN = {Rank.JACK: "B", Rank.QUEEN: "D", Rank.KING: "K"}


def table_with_german_letters(seed: int) -> tuple[np.ndarray, list[str]]:
    """Six court cards, and four that their letters resemble, each pack another print."""
    rng = np.random.default_rng(seed)
    style = random_playing_style(rng)
    style.letters.update(GERMAN)
    courts = [card for card in PACK if card.rank in GERMAN]
    cards = [courts[at] for at in rng.permutation(len(courts))[:6]] + [card for card in PACK if card.rank in (Rank.EIGHT, Rank.TEN)][:4]
    plan = plan_table(TableSpec("scattered", ("set-cards",), seed, count=len(cards), size_px=(900, 675)))
    flats = tuple(replace(laid, flat=playing_flat(card, style)) for laid, card in zip(plan.flats, cards, strict=True))
    plan = replace(plan, flats=flats, texture_px=TEXTURE_PX)
    return spoiled(light(plan).picture, seed), [str(card) for card in cards]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_cards_with_german_letters_are_named(seed: int) -> None:
    image, cards = table_with_german_letters(seed)
    named = Counter(str(piece) for piece in read(image).pieces if piece)
    assert not named - Counter(cards)
    assert sum(card in named for card in cards) >= 9
    assert sum(card in named for card in cards[:6]) >= 5
