import cv2
import numpy as np
import pytest

from visionset.geometry import signed_area
from visionset.pieces import PipDie, SetDie
from visionset.render.camera import Viewpoint
from visionset.render.dice import Die, draw_die, top_quad
from visionset.render.die_faces import FACE_PX, PIP_PLACES, DieStyle, PipStyle, pip_atlas, pip_face, random_set_die, symbol_atlas
from visionset.render.stage import Light

WHITE, BLACK = np.full(3, 0.8, np.float32), np.full(3, 0.02, np.float32)
PLAIN = DieStyle(16.0, 1.0, 2.0, WHITE, 0.0, 10.0)
PIPS = PipStyle(BLACK, BLACK, 0.09, 0.09, 0.25, 0.0)
LAMP = Light((0.0, 0.0, 1000.0), (0.5, 0.5, 0.5), (0.5, 0.5, 0.5))


class Even:
    """A generator without chance in it, for faces that are even and unturned."""

    def random(self):
        return 0.9

    def uniform(self, low=0.0, high=1.0, size=None):
        return np.zeros(size) if size is not None else 0.0

    def integers(self, *_):
        return 0


@pytest.mark.parametrize("value", range(1, 7))
def test_a_face_has_as_many_pips_as_its_value(value):
    face = pip_face(Even(), value, PLAIN, PIPS)
    count, _ = cv2.connectedComponents((face[..., 1] < 0.4).astype(np.uint8))
    assert count - 1 == value == len(PIP_PLACES[value])


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("seed", range(4))
def test_opposite_faces_add_up_to_seven_and_all_six_are_there(value, seed):
    atlas = pip_atlas(np.random.default_rng(seed), value, PLAIN, PIPS)
    counts = [cv2.connectedComponents((face[..., 1] < 0.35).astype(np.uint8))[0] - 1 for face in atlas]
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert counts[0] == value
    assert all(counts[at] + counts[at + 1] == 7 for at in (0, 2, 4))


@pytest.mark.parametrize("tilt", [0, 30, 55])
@pytest.mark.parametrize("turn", [0, 20, 45])
def test_the_print_of_the_top_face_lies_where_the_truth_says(tilt, turn):
    view = Viewpoint((200, 240), 6.0, tilt, turn, 400.0, (100.0, 140.0))
    atlas = np.zeros((6, FACE_PX, FACE_PX, 3), np.float32)
    atlas[0] = 0.9
    die = Die(PipDie(1), PLAIN, atlas, 0.0, 0.0, 0.3)
    picture = np.full((240, 200, 3), 0.3, np.float32)
    draw_die(picture, view, die, LAMP)
    want = np.zeros((240, 200), np.uint8)
    cv2.fillPoly(want, [np.round(top_quad(view, die)).astype(np.int32)], 1)
    bright = picture[..., 1] > 0.5
    assert np.count_nonzero(bright & (want > 0)) / np.count_nonzero(bright | (want > 0)) > 0.85  # edges are round
    assert signed_area(top_quad(view, die)) > 0


def test_faces_of_set_dice_differ():
    rng = np.random.default_rng(3)
    style, symbols = random_set_die(rng)
    atlas = symbol_atlas(np.random.default_rng(1), SetDie.parse("3-red-oval"), style, symbols)
    other = symbol_atlas(np.random.default_rng(1), SetDie.parse("1-red-oval"), style, symbols)
    assert atlas.shape == (6, FACE_PX, FACE_PX, 3)
    assert np.abs(atlas[0] - other[0]).max() > 0.2
