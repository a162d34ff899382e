"""Dice and playing cards on rendered tables: seeds, prints and lights that training has not met."""

import pytest

from tests.rendering import tables
from visionset.pieces import Kind
from visionset.vision.options import SET_CARDS_ALONE, ReadOptions
from visionset.vision.pipeline import read

SEEN = 0.9
"""Pieces seen less than this may be read or not."""


def compare(kind, seeds):
    hit = missed = wrong = 0
    for image_bgr, there in tables(kind, seeds):
        seen = read(image_bgr, ReadOptions(kinds=frozenset({kind})))
        named = sorted(str(piece) for piece in seen.pieces if piece is not None and piece.kind is kind)
        for piece in there:
            if str(piece.piece) in named:
                named.remove(str(piece.piece))
                hit += piece.visible >= SEEN
            else:
                missed += piece.visible >= SEEN
        wrong += len(named)
    return 2 * hit / (2 * hit + missed + wrong)


@pytest.mark.parametrize("seeds", [range(771, 774), pytest.param(range(770, 778), marks=pytest.mark.slow)])
@pytest.mark.parametrize(("kind", "f1"), [(Kind.PIP_DIE, 0.9), (Kind.SET_DIE, 0.9), (Kind.PLAYING_CARD, 0.95)])
def test_pieces_on_rendered_tables_are_read(kind, f1, seeds):
    assert compare(kind, seeds) >= f1


def test_only_what_is_asked_for_is_looked_for():
    ((image_bgr, _),) = tables(Kind.PIP_DIE, [771])
    assert {sighting.kind for sighting in read(image_bgr, ReadOptions(kinds=frozenset({Kind.PIP_DIE}))).sightings} == {Kind.PIP_DIE}
    assert read(image_bgr, SET_CARDS_ALONE).sightings == ()
