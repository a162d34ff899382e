"""Where things are drawn beside a piece, and what of it stays free, on upright pieces, where each place is known."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest

from visionset.geometry import as_quad
from visionset.overlay.outline import Outline, places_beside
from visionset.pieces import Kind
from visionset.table import Sighting


def upright(kind: Kind, width: float, height: float) -> Sighting:
    return Sighting(kind, as_quad([[100, 100], [100 + width, 100], [100 + width, 100 + height], [100, 100 + height]]), None, 0.5)


def test_discs_are_tried_inside_the_corners_on_them_outside_and_then_along_the_sides() -> None:
    places = [place.center for place in Outline.of(upright(Kind.SET_CARD, 100, 200)).corner_places(20.0)]
    corners = [(100, 100), (200, 100), (100, 300), (200, 300)]
    for corner, inside, on, outside in zip(corners, places[:4], places[4:8], places[8:12], strict=True):
        assert 100 < inside[0] < 200
        assert 100 < inside[1] < 300
        assert hypot(inside[0] - corner[0], inside[1] - corner[1]) == pytest.approx(7)
        assert on == pytest.approx(corner)
        assert not (100 <= outside[0] <= 200)
        assert not (100 <= outside[1] <= 300)
        assert hypot(outside[0] - corner[0], outside[1] - corner[1]) == pytest.approx(8)
    assert sorted(places[12:16]) == [(100, 200), (150, 100), (150, 300), (200, 200)]
    assert len(places) == 24
    assert all((x in (100, 200) and 100 < y < 300) or (y in (100, 300) and 100 < x < 200) for x, y in places[12:])


def test_plates_touch_a_side_from_outside_or_inside() -> None:
    outline = Outline.of(upright(Kind.SET_CARD, 100, 200))
    lowest, right = outline.sides_from_below()[0], outline.sides[1]
    outside, *_, inside = places_beside(lowest, 30, 10, (1, -1))
    assert (outside.left, outside.top) == pytest.approx((135, 300))
    assert inside.top + inside.height == pytest.approx(300)
    beside = list(places_beside(right, 30, 10, (1,)))
    assert [place.left for place in beside] == pytest.approx([200] * 5)
    assert sorted(place.center[1] for place in beside) == pytest.approx([160, 180, 200, 220, 240])


@pytest.mark.parametrize(
    ("kind", "size", "free"),
    [
        (Kind.PIP_DIE, (100, 100), (10, 10)),
        (Kind.PLAYING_CARD, (100, 200), (3, 6)),
        (Kind.SET_CARD, (100, 200), (14, 18)),
        (Kind.SET_CARD, (200, 100), (18, 14)),
    ],
)
def test_what_nothing_may_hide_is_a_share_of_the_sides(kind: Kind, size: tuple[float, float], free: tuple[float, float]) -> None:
    one = upright(kind, *size)
    symbols = Outline.of(one).symbols(one)
    assert np.allclose(symbols.min(axis=0) - 100, free)
    assert np.allclose(100 + np.array(size) - symbols.max(axis=0), free)
