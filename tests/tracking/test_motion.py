"""Motion: a hand moves, light does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.tracking.table import SIZE_PX, Moment, paint, twelve
from visionset.geometry import apply
from visionset.tracking.options import ViewOptions
from visionset.tracking.view import Motion, MotionDetector, find_view

TABLE = Moment(twelve())


def look(*moments: Moment, fps: float = 15.0) -> list[Motion]:
    detector = MotionDetector()
    return [detector.look(paint(moment, index), index / fps) for index, moment in enumerate(moments)]


def test_light_is_no_motion() -> None:
    assert not any(one.moving for one in look(*(replace(TABLE, gain=0.9 + 0.02 * index) for index in range(20)))[1:])


def test_flicker_is_no_motion() -> None:
    assert not any(one.moving for one in look(*(replace(TABLE, gain=1 + 0.06 * (index % 2)) for index in range(10)))[1:])


@pytest.mark.parametrize("step_px", [3.0, 10.0, 40.0])
def test_a_hand_is_motion_where_it_is(step_px: float) -> None:
    motion = look(*(replace(TABLE, hand=(200 + step_px * index, 200.0)) for index in range(8)))[-1]
    assert motion.moving
    _, columns = np.nonzero(motion.where)
    assert abs(columns.mean() * 4 - (200 + step_px * 7)) < 90


def test_a_hand_that_rests_is_quiet() -> None:
    assert not look(*[replace(TABLE, hand=(300.0, 200.0))] * 6)[-1].moving


def test_the_first_frame_is_quiet_until_the_next_says_otherwise() -> None:
    assert [one.moving for one in look(TABLE, replace(TABLE, hand=(300.0, 200.0)))] == [False, True]


@pytest.mark.parametrize("way", [(14.0, 3.0), (-25.0, 10.0), (0.0, -18.0)])
def test_the_whole_view_is_followed(way: tuple[float, float]) -> None:
    view = np.array([[1.0, -0.02, way[0]], [0.02, 1.0, way[1]], [0.0, 0.0, 1.0]])
    motion = look(TABLE, TABLE, TABLE, replace(TABLE, view=tuple(tuple(row) for row in view.tolist())))[-1]
    assert not motion.moving
    assert motion.image_from_before is not None
    corners = np.array([[0.0, 0.0], [SIZE_PX[0], 0.0], SIZE_PX, [0.0, SIZE_PX[1]]])
    assert np.abs(apply(motion.image_from_before, corners) - apply(view, corners)).max() < 3.0


@pytest.mark.parametrize("way", [(2.0, 0.0), (0.0, 2.0)])
def test_a_slow_slide_along_the_sides_of_cards_is_followed(way: tuple[float, float]) -> None:
    """Half a small pixel: the sides that lie along the way look as they did."""
    view = ((1.0, 0.0, way[0]), (0.0, 1.0, way[1]), (0.0, 0.0, 1.0))
    motion = look(TABLE, TABLE, TABLE, replace(TABLE, view=view))[-1]
    assert motion.image_from_before is not None
    assert np.abs(apply(motion.image_from_before, np.array([[320.0, 180.0]])) - (320.0 + way[0], 180.0 + way[1])).max() < 1.0


def test_a_hand_in_a_moving_view_is_motion() -> None:
    view = ((1.0, 0.0, 14.0), (0.0, 1.0, 5.0), (0.0, 0.0, 1.0))
    assert look(TABLE, TABLE, TABLE, replace(TABLE, view=view, hand=(300.0, 200.0)))[-1].moving


def test_a_view_is_found_again_after_a_bump() -> None:
    view = np.array([[0.97, -0.12, 70.0], [0.12, 0.97, -30.0], [0.0, 0.0, 1.0]])
    grey = [paint(moment, 0)[..., 1] for moment in (TABLE, replace(TABLE, view=tuple(tuple(row) for row in view.tolist())))]
    found = find_view((grey[0], None), (grey[1], None), ViewOptions())
    assert found is not None
    middle = np.array([[320.0, 180.0]])
    assert np.abs(apply(found, middle) - apply(view, middle)).max() < 2.0
    assert find_view((grey[0], None), (np.zeros_like(grey[0]), None), ViewOptions()) is None
