import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visionset.pieces import Kind
from visionset.render.card_layouts import LAYOUTS
from visionset.render.card_tables import DrawnPack, card_table
from visionset.render.playing_style import random_playing_style
from visionset.render.spoil import Spoil
from visionset.vision.quads import inside

MILD = Spoil(0.2, 0.0, 0.2, 0.1, 0.2, 0.2)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from([maker for _, maker in LAYOUTS]))
def test_every_layout_shows_a_face(seed, maker):
    slots = maker(np.random.default_rng(seed), 250.0, (63.0, 88.0))
    assert any(slot.face_up for slot in slots) or not slots
    assert all(np.isfinite([slot.place.x_mm, slot.place.y_mm, slot.place.turn_rad]).all() for slot in slots)


@pytest.mark.parametrize("seed", range(6))
def test_the_truth_of_a_card_table(seed):
    rng = np.random.default_rng(seed)
    table = card_table(rng, (240, 180), 70.0, MILD, DrawnPack(random_playing_style(rng)))
    again = np.random.default_rng(seed)
    same = card_table(again, (240, 180), 70.0, MILD, DrawnPack(random_playing_style(again)))
    assert np.array_equal(table.image_bgr, same.image_bgr)
    for piece in table.known:
        assert (piece.piece is None) == (piece.kind is Kind.CARD_BACK)
        assert 0 <= piece.visible <= 1
    faces = [piece.piece for piece in table.known if piece.kind is Kind.PLAYING_CARD]
    assert len(set(faces)) == len(faces)  # the pack holds each card once
    outlines = {piece.piece: piece.outline_px for piece in table.known if piece.kind is Kind.PLAYING_CARD}
    for index in table.indices:
        quad = outlines[index.piece]
        assert inside(index.outline_px.mean(axis=0)[None], quad[None]).all()


def test_what_is_covered_is_not_seen():
    shares = []
    for seed in range(12):
        rng = np.random.default_rng([9, seed])
        table = card_table(rng, (200, 200), 60.0, MILD, DrawnPack(random_playing_style(rng)))
        shares += [piece.visible for piece in table.known if piece.kind is Kind.PLAYING_CARD]
    assert min(shares) < 0.3
    assert max(shares) > 0.97
