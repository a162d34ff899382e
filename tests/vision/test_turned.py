"""From which side of a picture a camera looked at dice: each die that is read from all four sides speaks for one."""

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.rendering import tables
from visionset.geometry import as_quad
from visionset.kinds import DICE
from visionset.pieces import SET_DECK, Kind, PipDie
from visionset.render.table_plan import TableSpec
from visionset.render.tables import render_table
from visionset.table import Sighting
from visionset.vision import pipeline
from visionset.vision.dice import read_dice
from visionset.vision.options import ReadOptions
from visionset.vision.patches import Pyramid
from visionset.vision.pipeline import read
from visionset.vision.quads import quarter_turned
from visionset.vision.turned import are_surer, turned_back, voted_quarters, wrong_quarters

SIZE_PX = (640, 480)
DICE_ALONE = ReadOptions(kinds=DICE)
NONE_WRONG = np.zeros(4, bool)


@pytest.fixture(scope="module", params=[("pip-dice", 4), ("set-dice", 3)], ids=["pip", "set"])
def scene(request):
    """A picture, and the corners of its top faces, shape (9, 4, 2)."""
    kind, seed = request.param
    image, truth = render_table(TableSpec("scattered", (kind,), seed, count=9, camera="oblique", size_px=SIZE_PX))
    return image, np.array([die["corners"] for die in truth["dice"]])


def in_turned(points, quarters):
    """Points of an upright picture as they lie in the turned one: its pixels keep their points."""
    corners = quarter_turned(np.array([[0.0, 0.0], np.array(SIZE_PX) - 1]), quarters)
    return quarter_turned(points, quarters) - corners.min(axis=0)


def test_a_picture_that_stands_well_is_left_so(scene):
    image, corners = scene
    assert voted_quarters(Pyramid(image), corners, NONE_WRONG) == 0
    assert voted_quarters(Pyramid(image), corners[:5], NONE_WRONG) == 0


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_picture_tells_its_side(scene, quarters):
    image, corners = scene
    assert voted_quarters(Pyramid(np.rot90(image, quarters)), in_turned(corners, quarters), NONE_WRONG) == 4 - quarters


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_points_turn_with_their_pixels(quarters):
    width, height = SIZE_PX
    image = np.arange(height * width).reshape(height, width)
    points = np.array([[0, 0], [width - 1, 0], [5, height - 2], [31, 77]])
    x, y = in_turned(points.astype(float), quarters).astype(int).T
    assert np.array_equal(np.rot90(image, quarters)[y, x], image[points[:, 1], points[:, 0]])


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_what_is_seen_in_the_turned_picture_lies_where_it_is(scene, quarters):
    image, corners = scene
    there = [Sighting(Kind.SET_DIE, as_quad(quad), None, 0.5) for quad in in_turned(corners, quarters)]
    back = [one.outline_px for one in turned_back(there, quarters, image)]
    np.testing.assert_allclose(back, corners, atol=1e-9)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_dice_seen_from_a_side_are_read_as_those_of_the_turned_picture(scene, quarters, mirrored):
    image, corners = scene
    upright = read_dice(Pyramid(image), corners, mirrored=mirrored)
    beside = read_dice(Pyramid(np.rot90(image, quarters)), in_turned(corners, quarters), mirrored=mirrored, quarters=4 - quarters)
    np.testing.assert_allclose(beside.kind, upright.kind, atol=0.02)
    middle = in_turned(upright.quad_px.mean(axis=1), quarters)
    np.testing.assert_allclose(beside.quad_px.mean(axis=1), middle, atol=0.2)


def test_top_faces_outvote_side_faces_of_a_picture_upside_down(scene):
    image, corners = scene
    lower = np.array([0.0, np.ptp(corners[0, :, 1])])
    sides = corners[:3] + lower  # about where the near side faces of three dice are seen
    there = in_turned(np.concatenate([sides, corners]), 2)
    assert voted_quarters(Pyramid(np.rot90(image, 2)), there, NONE_WRONG) == 2


EQUAL_MM = np.full(20, 20.0)


def squares_seen(tilt_deg, side_mm=EQUAL_MM):
    """Squares on a table as a camera sees them at that angle from straight above; shape (n, 4, 2), in a picture of `SIZE_PX`."""
    middle = np.stack(np.meshgrid(np.linspace(-120, 120, 5), np.linspace(-90, 90, 4)), axis=2).reshape(-1, 2)[: len(side_mm)]
    corners = middle[:, None] + side_mm[:, None, None] / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    down, up = np.cos(np.radians(tilt_deg)), np.sin(np.radians(tilt_deg))
    depth = 500 - up * corners[..., 1:]
    return np.array(SIZE_PX) / 2 + 700 * corners * [1, down] / depth


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
@pytest.mark.parametrize("tilt_deg", [35, 50, 65])
def test_dice_look_smaller_on_the_far_side_of_a_table(tilt_deg, quarters):
    there = in_turned(squares_seen(tilt_deg), quarters)
    assert wrong_quarters(there, max(SIZE_PX)).tolist() == np.roll([False, False, True, False], -quarters).tolist()


def test_from_above_or_of_few_or_unlike_dice_no_side_is_surely_far():
    unlike_mm, oblique = np.random.default_rng(0).uniform(10, 30, 20), squares_seen(50)
    for dice_px in (squares_seen(0), squares_seen(5), oblique[:2], oblique[:1], oblique[:0], squares_seen(50, unlike_mm)):
        assert not wrong_quarters(dice_px, max(SIZE_PX)).any()


def test_no_picture_is_turned_towards_a_far_side(scene):
    image, corners = scene
    upside_down, there = np.rot90(image, 2), in_turned(corners, 2)
    assert voted_quarters(Pyramid(upside_down), there, wrong_quarters(there, max(SIZE_PX))) == 2
    assert voted_quarters(Pyramid(upside_down), there, np.array([False, False, True, False])) != 2


def test_dice_of_a_narrowed_picture_are_not_taken_for_seen_from_beside(scene):
    image, corners = scene
    narrowed = cv2.resize(image, None, fx=0.6, fy=1.0, interpolation=cv2.INTER_AREA)
    there = corners * [0.6, 1.0]
    assert voted_quarters(Pyramid(narrowed), there, NONE_WRONG) in (1, 3), "by their form alone they are"
    assert voted_quarters(Pyramid(narrowed), there, np.array([False, False, True, False])) == 0


def dice(*confidences, quads=((0, 0), (9, 0), (9, 9), (0, 9))):
    """As many dice as confidences, all in one place or each in a place of its own, shape (n, 4, 2)."""
    places = np.broadcast_to(np.array(quads, np.float64), (len(confidences), 4, 2))
    return [Sighting(Kind.PIP_DIE, as_quad(quad), PipDie(1), one) for quad, one in zip(places, confidences, strict=True)]


def test_surer_dice_win_however_many_there_are_and_none_never_win():
    def is_surer(beside, upright):
        return are_surer(beside, upright, max(SIZE_PX))

    assert is_surer(dice(0.99), dice(0.98, 0.98, 0.98))
    assert not is_surer(dice(0.98, 0.98, 0.98), dice(0.99))
    assert not is_surer(dice(0.99), dice(0.99)), "alike, the picture stays as it is"
    assert is_surer(dice(1.0), dice(0.0)), "whatever rounding makes of them"
    assert is_surer(dice(0.2), [])
    assert not is_surer([], dice(0.2))
    assert not is_surer([], [])


def test_sure_dice_that_grow_upwards_are_not_seen_from_below():
    well = squares_seen(50)
    upside_down = in_turned(well, 2)
    sure, less = [0.99] * 20, [0.97] * 20
    assert are_surer(dice(*less, quads=well), dice(*sure, quads=upside_down), max(SIZE_PX))
    assert not are_surer(dice(*less, quads=upside_down), dice(*sure, quads=well), max(SIZE_PX))
    assert not are_surer([], dice(*sure, quads=upside_down), max(SIZE_PX)), "no dice are no better"


@pytest.mark.parametrize(("kind", "seed"), [(Kind.PIP_DIE, 866), (Kind.SET_DIE, 861), (Kind.SET_DIE, 866)])
def test_dice_of_which_none_is_read_upside_down_speak_too(kind, seed):
    ((image, pieces),) = tables(kind, [seed])
    upright, upside_down = (Counter(str(piece) for piece in read(one).pieces if piece) for one in (image, np.rot90(image, 2)))
    assert upside_down == upright
    assert upright.total() >= 4
    assert not upright - Counter(str(piece.piece) for piece in pieces)


def test_cards_no_larger_than_dice_are_asked_from_the_other_sides_too(monkeypatch):
    """A top face upside down may look like a card with one solid symbol: four such cards hid a table of dice."""
    ((image, pieces),) = tables(Kind.SET_DIE, [866])
    upside_down, first = np.rot90(image, 2), pipeline._sightings

    def as_cards(readers, looks, options):
        seen = first(readers, looks, options)
        stands_well = not np.array_equal(readers.image_bgr, upside_down)
        return seen if stands_well else [replace(one, kind=Kind.SET_CARD, piece=SET_DECK[at]) for at, one in enumerate(seen[:4])]

    monkeypatch.setattr(pipeline, "_sightings", as_cards)
    named = Counter(str(piece) for piece in read(upside_down).pieces if piece)
    assert not named - Counter(str(piece.piece) for piece in pieces)
    assert named.total() >= len(pieces) - 1


def test_dice_are_named_from_every_side_of_the_picture(scene):
    image, _ = scene
    upright = read(image, DICE_ALONE)
    assert len(upright.pieces) == 9
    for quarters in (1, 2, 3):
        beside = read(np.rot90(image, quarters), DICE_ALONE)
        assert sorted(map(str, beside.pieces)) == sorted(map(str, upright.pieces))
        centers = np.array([one.center_px for one in beside.sightings])
        assert (centers >= 0).all()
        assert (centers < beside.size_px).all()
