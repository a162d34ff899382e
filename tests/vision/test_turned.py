"""From which side of a picture a camera looked at dice: each die that is read from all four sides speaks for one."""

from collections import Counter

import cv2
import numpy as np
import pytest

from tests.rendering import tables
from visionset.kinds import DICE
from visionset.pieces import Kind
from visionset.render.table_plan import TableSpec
from visionset.render.tables import render_table
from visionset.vision.options import ReadOptions
from visionset.vision.pipeline import read
from visionset.vision.turned import quarters_to_turn, turned_back, turned_picture

SIZE_PX = (640, 480)
NONE = np.empty((0, 4, 2))
DICE_ALONE = ReadOptions(kinds=DICE)


@pytest.fixture(scope="module", params=[("pip-dice", 4), ("set-dice", 3)], ids=["pip", "set"])
def scene(request):
    """A picture, and the corners of its top faces, shape (9, 4, 2)."""
    kind, seed = request.param
    image, truth = render_table(TableSpec("scattered", (kind,), seed, count=9, camera="oblique", size_px=SIZE_PX))
    return image, np.array([die["corners"] for die in truth["dice"]])


def in_turned(points, quarters):
    """Points of an upright picture as they lie in the one turned by so many quarters."""
    size_px = SIZE_PX if quarters == 2 else SIZE_PX[::-1]
    return turned_back(points, 4 - quarters, size_px)


def test_a_picture_that_stands_well_is_left_so(scene):
    image, corners = scene
    assert quarters_to_turn(image, corners, NONE) == 0
    assert quarters_to_turn(image, corners[:5], corners[5:]) == 0


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_picture_is_turned_back(scene, quarters):
    image, corners = scene
    turned, there = turned_picture(image, quarters), in_turned(corners, quarters)
    np.testing.assert_allclose(turned_back(there, quarters, SIZE_PX), corners)
    assert quarters_to_turn(turned, there, NONE) == 4 - quarters
    assert np.array_equal(turned_picture(turned, 4 - quarters), image)


def test_dice_that_were_missed_speak_too(scene):
    image, corners = scene
    there = in_turned(corners, 2)
    assert quarters_to_turn(turned_picture(image, 2), there[:1], there[1:]) == 2


@pytest.mark.parametrize(("kind", "seed"), [(Kind.PIP_DIE, 866), (Kind.SET_DIE, 861), (Kind.SET_DIE, 866)])
def test_dice_of_which_none_is_read_upside_down_speak_too(kind, seed):
    ((image, pieces),) = tables(kind, [seed])
    there = Counter(str(piece.piece) for piece in pieces)
    named = Counter(str(piece) for piece in read(turned_picture(image, 2)).pieces if piece)
    assert (named & there).total() >= there.total() - 1
    assert not named - there


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_every_pixel_comes_back(quarters):
    image = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
    there = turned_picture(image, quarters)
    y, x = np.mgrid[: there.shape[0], : there.shape[1]]
    back = turned_back(np.stack([x, y], axis=-1).astype(float), quarters, (7, 5)).astype(int)
    assert np.array_equal(image[back[..., 1], back[..., 0]], there)


def test_dice_are_named_from_every_side_of_the_picture(scene):
    image, _ = scene
    upright = read(image, DICE_ALONE)
    assert len(upright.pieces) == 9
    for turn in (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE):
        beside = read(cv2.rotate(image, turn), DICE_ALONE)
        assert sorted(map(str, beside.pieces)) == sorted(map(str, upright.pieces))
        centers = np.array([one.center_px for one in beside.sightings])
        assert (centers >= 0).all()
        assert (centers < beside.size_px).all()
