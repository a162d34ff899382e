"""Packs of other tongues: a jack with a B is no eight, and a queen with a D no ten."""

from collections import Counter
from dataclasses import replace

import numpy as np

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


def test_cards_with_german_letters_are_named():
    right, wrong, courts = 0, 0, 0
    for seed in range(3):
        image, cards = table_with_german_letters(seed)
        named = Counter(str(piece) for piece in read(image).pieces if piece)
        right += sum(card in named for card in cards)
        courts += sum(card in named for card in cards[:6])
        wrong += (named - Counter(cards)).total()
    assert right >= 27
    assert courts >= 15
    assert wrong == 0
