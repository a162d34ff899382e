"""Laws of the tables that networks learn from: seeds repeat, and what is told of a table is possible and what the picture shows."""

import numpy as np
import pytest
from scenes.negatives import PAINTERS, rough_or_empty
from scenes.recipes import CARD_LAYOUTS, DIE_LAYOUTS, SORTS, places, table
from scenes.setting import Spoil

from visionset.geometry import is_convex
from visionset.pieces import Kind
from visionset.render.dice import Die
from visionset.render.layouts import corners_mm, meet
from visionset.render.table_pieces import DEALERS
from visionset.vision.quads import inside

MILD = Spoil(0.2, 0.0, 0.2, 0.1, 0.2, 0.2)
SIZE_PX = (120, 96)
PX = {Kind.SET_CARD: 40.0, Kind.PLAYING_CARD: 40.0, Kind.PIP_DIE: 14.0, Kind.SET_DIE: 16.0}


def tables(kind, seeds):
    return [table(np.random.default_rng([kind is Kind.SET_DIE, seed]), SIZE_PX, PX[kind], MILD, kind) for seed in seeds]


@pytest.mark.parametrize("kind", SORTS)
def test_the_truth_of_a_table_is_possible(kind):
    made = tables(kind, range(4))
    assert any(one.known for one in made)
    for one in made:
        assert one.image_bgr.shape == (*SIZE_PX[::-1], 3)
        assert one.image_bgr.dtype == np.uint8
        for piece in one.known:
            assert is_convex(piece.outline_px), "it is seen from above"
            assert 0 <= piece.visible <= 1
            assert (piece.piece is None) == (piece.kind is Kind.CARD_BACK)
        outlines = {str(piece.piece): piece.outline_px for piece in one.known if piece.kind is Kind.PLAYING_CARD}
        for index in one.indices:
            if str(index.piece) in outlines:
                assert inside(index.outline_px.mean(axis=0)[None], outlines[str(index.piece)][None]).all()


def test_the_same_seed_gives_the_same_table_and_another_another():
    first, same, other = tables(Kind.SET_CARD, (1, 1, 2))
    assert first.image_bgr.tobytes() == same.image_bgr.tobytes() != other.image_bgr.tobytes()
    assert [(str(one.piece), one.visible) for one in first.known] == [(str(one.piece), one.visible) for one in same.known]


def test_a_table_without_pieces_has_no_truth():
    bare = [table(np.random.default_rng(seed), SIZE_PX, 40.0, MILD, Kind.SET_CARD, laid=False) for seed in (3, 4)]
    assert not any(piece.kind is Kind.SET_CARD for one in bare for piece in one.known)
    assert any(one.clutter_px for one in bare)


@pytest.mark.parametrize("layout", DIE_LAYOUTS)
@pytest.mark.parametrize("seed", range(6))
def test_no_two_dice_stand_in_one_place(layout, seed):
    rng = np.random.default_rng(seed)
    dealer = DEALERS[Kind.SET_DIE](rng)
    dice = [next(dealer) for _ in range(int(rng.integers(1, 20)))]
    found = places(rng, dice, {layout: 1.0})
    assert len(found) == len(dice)
    quads = [corners_mm(place, dice[0].size_mm, -2.5) for place in found]  # pushed together they touch
    assert not any(meet(one, other) for at, one in enumerate(quads) for other in quads[:at])


@pytest.mark.parametrize("layout", CARD_LAYOUTS)
def test_every_layout_has_a_place_for_cards(layout):
    rng = np.random.default_rng(8)
    dealer = DEALERS[Kind.PLAYING_CARD](rng)
    cards = [next(dealer) for _ in range(7)]
    assert not isinstance(cards[0], Die)
    found = places(rng, cards, {layout: 1.0})
    assert 1 <= len(found) <= 7
    assert np.isfinite([[place.x_mm, place.y_mm, place.turn_rad] for place in found]).all()


def test_pictures_of_anything_else_differ_in_sort():
    shown = [rough_or_empty(np.random.default_rng(seed), (64, 48)) for seed in range(8)]
    assert all(image.shape == (48, 64, 3) for image, _ in shown)
    assert {rough for _, rough in shown} == {True, False}
    for painter in set(PAINTERS):
        picture = painter(np.random.default_rng(1), 48, 64)
        assert np.isfinite(picture).all()
        assert np.ptp(picture) > 0
