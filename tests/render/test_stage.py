"""Painting, lighting and taking a picture of a small table."""

import numpy as np
import pytest

from visionset.art import DeckStyle
from visionset.geometry import is_convex
from visionset.pieces import PACK, SET_DECK, Rank, Suit
from visionset.render.bodies import render, shadow
from visionset.render.clutter import playing_card, suit_outlines
from visionset.render.hands import HandPose, hand
from visionset.render.layouts import Place
from visionset.render.materials import MATERIALS
from visionset.render.places import chains, grid, strewn
from visionset.render.sensor import Sensor
from visionset.render.shot import Laid, arrange, expose
from visionset.render.stage import Light, Pose, bare_table
from visionset.render.viewpoint import Viewpoint

VIEW = Viewpoint((240, 160), 0.8, 25.0, 5.0, 700.0, (120.0, 80.0))
LIGHT = Light()
CARD_MM = (57.0, 87.0)


@pytest.mark.parametrize("name", MATERIALS)
def test_materials_reflect_a_possible_share_of_light(name):
    first, second = (MATERIALS[name](np.random.default_rng(2), 60, 90, 1.5) for _ in range(2))
    assert first.albedo.shape == (60, 90, 3)
    assert np.isfinite(first.albedo).all()
    assert first.albedo.min() >= 0
    assert first.albedo.mean() < 1
    assert np.array_equal(first.albedo, second.albedo)


def test_white_paper_under_full_light_is_white():
    shot = arrange(VIEW, LIGHT, bare_table(np.random.default_rng(0), "felt", VIEW), DeckStyle(), [Laid(SET_DECK[0], Pose(Place(0, 0, 0)))])
    paper = (shot.lamp + shot.ambient)[shot.owner == 0]
    assert np.percentile(paper, 90) == pytest.approx(0.95, abs=0.12)


def test_a_covered_card_shows_what_is_left():
    laid = [Laid(SET_DECK[0], Pose(Place(0, 0, 0))), Laid(SET_DECK[1], Pose(Place(19.0, 0, 0)))]
    shot = arrange(VIEW, LIGHT, bare_table(np.random.default_rng(0), "felt", VIEW), DeckStyle(), laid)
    under, over = shot.cards
    assert over.visible == pytest.approx(1.0, abs=0.02)
    assert under.visible == pytest.approx(1 / 3, abs=0.03)
    assert is_convex(under.outline_px)


def test_a_hand_is_seen_where_its_fingers_point_and_casts_a_shadow():
    body = hand(HandPose((0.0, 0.0, 20.0)))
    seen = render(VIEW, LIGHT, body)
    assert seen is not None
    tip = VIEW.see(np.array([[0.0, 6.0, 20.0]]))[0][0]
    around = seen.cover[int(tip[1]) - seen.top - 8 : int(tip[1]) - seen.top + 9, int(tip[0]) - seen.left - 8 : int(tip[0]) - seen.left + 9]
    assert around.max() > 0.9
    assert np.isfinite(seen.light).all()
    assert shadow(VIEW, LIGHT, body, low=False).max() > 0.5


def test_a_hand_out_of_sight_changes_nothing():
    shot = arrange(VIEW, LIGHT, bare_table(np.random.default_rng(0), "felt", VIEW), DeckStyle(), [])
    radiance, cover = expose(shot, [hand(HandPose((0.0, 900.0, 20.0)))])
    assert cover.max() == 0
    np.testing.assert_allclose(radiance, shot.lamp + shot.ambient, rtol=1e-5)


def test_noise_grows_with_its_setting_and_repeats_with_its_seed():
    gray = np.full((80, 100, 3), 0.3, np.float32)
    quiet, loud = (Sensor(shot_noise=level, vignette=0.0).take(np.random.default_rng(1), gray) for level in (0.005, 0.05))
    assert loud.std() > 3 * quiet.std()
    assert np.array_equal(loud, Sensor(shot_noise=0.05, vignette=0.0).take(np.random.default_rng(1), gray))


def test_strewn_cards_keep_apart_and_in_the_picture():
    wide = Viewpoint((640, 480), 0.9, 30.0, 0.0, 900.0, (320.0, 240.0))
    places = strewn(np.random.default_rng(4), wide, CARD_MM, 10)
    assert len(places) == 10
    centers = np.array([[p.x_mm, p.y_mm] for p in places])
    gaps = np.linalg.norm(centers[:, None] - centers, axis=2) + 1e9 * np.eye(10)
    assert gaps.min() > min(CARD_MM)


def test_chains_cover_up_to_a_third():
    wide = Viewpoint((640, 480), 0.9, 30.0, 0.0, 900.0, (320.0, 240.0))
    places = chains(np.random.default_rng(4), wide, CARD_MM, 4, 3)
    laid = [Laid(SET_DECK[number], Pose(place)) for number, place in enumerate(places)]
    shot = arrange(wide, LIGHT, bare_table(np.random.default_rng(0), "felt", wide), DeckStyle(), laid)
    shares = [card.visible for card in shot.cards]
    assert min(shares) > 0.6
    assert min(shares) < 0.95


def test_grid_has_a_place_for_every_card():
    assert len(grid(np.random.default_rng(0), 9, 9, (90.0, 60.0), 90.0, 1.0, 1.0)) == 81


def test_playing_cards_are_all_different():
    assert len({playing_card(card).picture.tobytes() for card in PACK[::5]}) == len(PACK[::5])
    assert set(Rank) == {card.rank for card in PACK}
    assert all(np.abs(np.concatenate(suit_outlines(suit))).max() < 1.2 for suit in Suit)
