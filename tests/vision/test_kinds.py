"""Dice and playing cards on rendered tables: seeds, prints and lights that training has not met."""

import numpy as np
import pytest

from visionset.pieces import Kind
from visionset.render.card_tables import DrawnPack, card_table
from visionset.render.mixed import dice_table
from visionset.render.playing_style import random_playing_style
from visionset.render.spoil import Spoil
from visionset.vision.options import SET_CARDS_ALONE, ReadOptions
from visionset.vision.pipeline import read

KIND = Spoil(0.3, 0.0, 0.3, 0.1, 0.3, 0.3)
COUNT = {Kind.PIP_DIE: 12, Kind.SET_DIE: 12, Kind.PLAYING_CARD: 8}
SEEN = 0.9
"""Pieces seen less than this may be read or not."""


def tables(kind, px, count=None):
    for seed in range(count or COUNT[kind]):
        rng = np.random.default_rng([77, seed])
        if kind is Kind.PLAYING_CARD:
            yield card_table(rng, (640, 480), px, KIND, DrawnPack(random_playing_style(rng)))
        else:
            yield dice_table(rng, (640, 480), px, KIND, kind)


def compare(kind, px):
    hit = missed = wrong = 0
    for table in tables(kind, px):
        seen = read(table.image_bgr, ReadOptions(kinds=frozenset({kind})))
        named = sorted(str(piece) for piece in seen.pieces if piece is not None and piece.kind is kind)
        for piece in table.known:
            if piece.kind is not kind or piece.visible < 0.2:
                continue
            if str(piece.piece) in named:
                named.remove(str(piece.piece))
                hit += piece.visible >= SEEN
            else:
                missed += piece.visible >= SEEN
        wrong += len(named)
    return 2 * hit / (2 * hit + missed + wrong)


@pytest.mark.parametrize(("kind", "px", "f1"), [(Kind.PIP_DIE, 45.0, 0.83), (Kind.SET_DIE, 55.0, 0.88), (Kind.PLAYING_CARD, 150.0, 0.95)])
def test_pieces_on_rendered_tables_are_read(kind, px, f1):
    assert compare(kind, px) >= f1


def test_only_what_is_asked_for_is_looked_for():
    (table,) = tables(Kind.PIP_DIE, 45.0, 1)
    assert {sighting.kind for sighting in read(table.image_bgr, ReadOptions(kinds=frozenset({Kind.PIP_DIE}))).sightings} == {Kind.PIP_DIE}
    assert read(table.image_bgr, SET_CARDS_ALONE).sightings == ()
