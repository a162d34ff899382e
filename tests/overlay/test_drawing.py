from __future__ import annotations

import numpy as np
import pytest

from visionset.overlay import Box, Drawing, Line, Tag, paint
from visionset.overlay.drawing import DARK, YELLOW, _dashes

SQUARE = np.array([[20.0, 20.0], [120.0, 20.0], [120.0, 80.0], [20.0, 80.0]])


def gray() -> np.ndarray:
    return np.full((100, 140, 3), 120, np.uint8)


def test_the_picture_is_not_drawn_on() -> None:
    image = gray()
    image.flags.writeable = False
    painted = paint(Drawing((140, 100), (Line(SQUARE, YELLOW, 3.0),)), image)
    assert painted is not image
    assert (image == 120).all()
    assert (painted != 120).any()


def test_a_bright_line_lies_on_a_dark_one() -> None:
    painted = paint(Drawing((140, 100), (Line(SQUARE, YELLOW, 3.0),)), gray())
    across = painted[50, 12:28].astype(int)
    assert across[8].tolist() == list(YELLOW)
    assert across[2:8].sum(axis=1).min() < 3 * 60
    assert across[9:15].sum(axis=1).min() < 3 * 60
    assert across[0].tolist() == across[15].tolist() == [120] * 3


def test_a_side_that_leads_far_out_of_the_picture_has_no_more_dashes_than_any_picture_has_room_for() -> None:
    far = np.array([[10.0, 10.0], [1e6, 10.0], [1e6, 60.0], [10.0, 60.0]])
    assert len(_dashes(far, 10.0)) < 5000


def test_dashes_leave_dark_gaps_and_keep_the_corners() -> None:
    painted = paint(Drawing((140, 100), (Line(SQUARE, YELLOW, 3.0, dash_px=10.0),)), gray())
    along = painted[20, 20:121]
    bright, dark = (along == YELLOW).all(axis=1), (along == DARK).all(axis=1)
    assert bright[[2, -3]].all()
    assert bright.sum() > 30
    assert dark.sum() > 10


def test_letters_are_drawn_inside_their_plate() -> None:
    tag = Tag(Box(20, 20, 90, 30), ("2 red", "ovals"), 12.0, plate_bgr=(0, 0, 0), opacity=1.0)
    changed = (paint(Drawing((140, 100), (tag,)), gray()) != 120).any(axis=2)
    rows, columns = np.where(changed)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (20, 49, 20, 109)
    plate = paint(Drawing((140, 100), (tag,)), gray())[20:50, 20:110]
    assert (plate > 200).any()


@pytest.mark.parametrize("box", [Box(-50, -50, 60, 60), Box(130, 90, 60, 60), Box(500, 500, 10, 10), Box(-500, 5, 10, 10)])
def test_tags_beyond_the_edge_do_no_harm(box: Box) -> None:
    for is_round in (False, True):
        assert paint(Drawing((140, 100), (Tag(box, ("A",), 12.0, is_round=is_round),)), gray()).shape == (100, 140, 3)
