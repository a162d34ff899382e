"""Painting, lighting and taking a picture of a small table."""

import numpy as np
import pytest
from sample_recipes.stills import in_sight

from visionset.art import DeckStyle
from visionset.geometry import is_convex
from visionset.pieces import SET_DECK
from visionset.render.bodies import render, shadow
from visionset.render.camera import Sensor, Viewpoint
from visionset.render.hands import HandPose, hand
from visionset.render.layouts import Spot, grid
from visionset.render.materials import MATERIALS
from visionset.render.stage import Light, Pose
from visionset.render.table_pieces import set_flat
from visionset.render.table_plan import LaidFlat, TablePlan
from visionset.render.table_truth import true_pieces
from visionset.render.tables import light, over

VIEW = Viewpoint((240, 160), 0.8, 25.0, 5.0, 700.0, (120.0, 80.0))
LIGHT = Light()
CARD_MM = (57.0, 87.0)


def plan(places, view=VIEW):
    flats = tuple(LaidFlat(set_flat(SET_DECK[number], DeckStyle()), Pose(place)) for number, place in enumerate(places))
    return TablePlan(0, view, LIGHT, Sensor(), MATERIALS["felt"], flats)


@pytest.mark.parametrize("name", MATERIALS)
def test_materials_reflect_a_possible_share_of_light(name):
    first, second = (MATERIALS[name](np.random.default_rng(2), 60, 90, 1.5) for _ in range(2))
    assert first.albedo.shape == (60, 90, 3)
    assert np.isfinite(first.albedo).all()
    assert first.albedo.min() >= 0
    assert first.albedo.mean() < 1
    assert np.array_equal(first.albedo, second.albedo)


def test_white_paper_under_full_light_is_white():
    table = light(plan([Spot(0, 0, 0)]))
    paper = table.picture[table.layers.owner[::2, ::2] == 0]
    assert np.percentile(paper, 90) == pytest.approx(0.95, abs=0.12)


def test_a_covered_card_shows_what_is_left():
    under, over_it = true_pieces(plan([Spot(0, 0, 0), Spot(19.0, 0, 0)]))
    assert over_it.visible == pytest.approx(1.0, abs=0.02)
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
    table = light(plan([]))
    radiance, cover = over(table, [hand(HandPose((0.0, 900.0, 20.0)))])
    assert cover.max() == 0
    np.testing.assert_allclose(radiance, table.lamp + table.ambient, rtol=1e-5)


def test_noise_grows_with_its_setting_and_repeats_with_its_seed():
    gray = np.full((80, 100, 3), 0.3, np.float32)
    quiet, loud = (Sensor(shot_noise=level, vignette=0.0).take(np.random.default_rng(1), gray) for level in (0.005, 0.05))
    assert loud.std() > 3 * quiet.std()
    assert np.array_equal(loud, Sensor(shot_noise=0.05, vignette=0.0).take(np.random.default_rng(1), gray))


def test_strewn_cards_keep_apart_and_in_the_picture():
    wide = Viewpoint((640, 480), 0.9, 30.0, 0.0, 900.0, (320.0, 240.0))
    places = in_sight(10, card_mm=CARD_MM)(np.random.default_rng(4), wide)
    assert len(places) == 10
    centers = np.array([[p.x_mm, p.y_mm] for p in places])
    gaps = np.linalg.norm(centers[:, None] - centers, axis=2) + 1e9 * np.eye(10)
    assert gaps.min() > min(CARD_MM)


def test_chains_cover_up_to_a_third():
    wide = Viewpoint((640, 480), 0.9, 30.0, 0.0, 900.0, (320.0, 240.0))
    places = in_sight(4, 3, 6.0, CARD_MM)(np.random.default_rng(4), wide)
    shares = [card.visible for card in true_pieces(plan(places, wide))]
    assert min(shares) > 0.6
    assert min(shares) < 0.95


def test_grid_has_a_place_for_every_card():
    assert len(grid(np.random.default_rng(0), 9, 9, (90.0, 60.0), 90.0, 1.0, 1.0)) == 81
