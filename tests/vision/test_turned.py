"""From which side of a picture a camera looked at dice: shown by their view alone, whatever lies on top."""

import cv2
import numpy as np
import pytest

from visionset.render.table_plan import TableSpec
from visionset.render.tables import render_table
from visionset.vision.pipeline import read
from visionset.vision.turned import quarters_to_try, turned_back, turned_picture

SQUARE_MM = 9.0 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
SIZE_PX = (640, 480)


def top_faces(tilt_deg, count=9):
    """Squares thrown on a table, seen from so far beside the plumb line by a camera 500 mm away, clockwise, shape (count, 4, 2)."""
    rng, tilt = np.random.default_rng(4), np.radians(tilt_deg)
    faces = []
    for angle, place in zip(rng.uniform(0, np.pi, count), rng.uniform(-120, 120, (count, 2)), strict=True):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        x, y = (SQUARE_MM @ turn.T + place).T
        distance = 500 - y * np.sin(tilt)
        faces.append(600 * np.stack([x / distance, y * np.cos(tilt) / distance], axis=1) + np.array(SIZE_PX) / 2)
    return np.array(faces)


@pytest.mark.parametrize("tilt_deg", [0, 5, 20, 40, 55])
def test_a_picture_that_stands_well_is_left_so(tilt_deg):
    assert quarters_to_try(top_faces(tilt_deg)) == ()


@pytest.mark.parametrize("tilt_deg", [30, 40, 55])
@pytest.mark.parametrize(("quarters", "back"), [(1, 3), (2, 2), (3, 1)])
def test_a_turned_picture_is_turned_back(tilt_deg, quarters, back):
    corners = np.array([[0.0, 0.0], [SIZE_PX[0] - 1, SIZE_PX[1] - 1]])
    plain = np.zeros((*SIZE_PX[::-1], 3), np.uint8)
    there = SIZE_PX if quarters == 2 else SIZE_PX[::-1]
    faces = turned_back(top_faces(tilt_deg), back, there)  # as they lie in the picture after so many quarters
    assert turned_picture(plain, quarters).shape[1::-1] == there
    assert back in quarters_to_try(faces)
    np.testing.assert_allclose(turned_back(faces, quarters, SIZE_PX), top_faces(tilt_deg))
    assert turned_back(corners, 2, SIZE_PX).tolist() == corners[::-1].tolist()


def test_few_dice_tell_nothing():
    assert quarters_to_try(turned_back(top_faces(40)[:2], 1, SIZE_PX)) == ()
    assert quarters_to_try(np.empty((0, 4, 2))) == ()


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_every_pixel_comes_back(quarters):
    image = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
    there = turned_picture(image, quarters)
    y, x = np.mgrid[: there.shape[0], : there.shape[1]]
    back = turned_back(np.stack([x, y], axis=-1).astype(float), quarters, (7, 5)).astype(int)
    assert np.array_equal(image[back[..., 1], back[..., 0]], there)


@pytest.fixture(scope="module")
def dice():
    return render_table(TableSpec("scattered", ("set-dice",), 3, count=9, camera="oblique", size_px=SIZE_PX))[0]


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE, cv2.ROTATE_180])
def test_dice_are_named_from_every_side_of_the_picture(dice, turn):
    upright, beside = read(dice), read(cv2.rotate(dice, turn))
    assert sorted(map(str, beside.pieces)) == sorted(map(str, upright.pieces))
    assert len(upright.pieces) == 9
    for one in beside.sightings:
        center = one.center_px
        assert (center >= 0).all()
        assert (center < beside.size_px).all()
