from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.builders import NINE, deal
from visionset.errors import OptionError
from visionset.overlay import View


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("turns", range(4))
def test_outlines_turn_with_the_picture(mirrored: bool, turns: int) -> None:
    image = np.zeros((20, 30, 3), np.uint8)
    image[4, 7] = 255
    table = deal(["1-red-open-oval"], (30, 20), card_px=12)
    spot = np.array([[7.0, 4.0], [8.0, 4.0], [8.0, 5.0], [7.0, 5.0]])
    view = View(mirrored=mirrored, quarter_turns=turns)
    turned = view.turn_image(image)
    x, y = view._turn_points(spot, 30, 20)[0]
    assert turned[int(y), int(x)].tolist() == [255, 255, 255]
    moved = view.turn_table(table)
    assert moved.size_px == (turned.shape[1], turned.shape[0])
    assert moved.pieces == table.pieces


def test_nothing_is_copied_when_nothing_is_turned() -> None:
    image, table = np.zeros((20, 30, 3), np.uint8), deal(NINE)
    assert View().turn_image(image) is image
    assert View().turn_table(table) is table


@pytest.mark.parametrize("wrong", [{"quarter_turns": 4}, {"quarter_turns": -1}, {"quarter_turns": 0.5}, {"hint": "all"}, {"hint": None}])
def test_a_view_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="expected"):
        View(**wrong)
