"""Quads keep their order, homographies their points, and tables are named row by row."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.errors import ArrayError, VisionsetError
from visionset.geometry import apply, as_quad, checked, homography, is_convex, read_only, reading_order, signed_area, table_angle_rad

UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
corner_shift = st.lists(st.floats(-0.2, 0.2), min_size=8, max_size=8)


@given(corner_shift, corner_shift)
def test_homography_takes_each_corner_to_its_own(one, other):
    a = UNIT * 100 + np.reshape(one, (4, 2)) * 100
    b = UNIT * 300 + np.reshape(other, (4, 2)) * 300
    assert np.allclose(apply(homography(b, a), a), b, atol=1e-6)
    assert np.allclose(apply(homography(a, b) @ homography(b, a), a), a, atol=1e-6)


@given(corner_shift)
def test_quads_are_clockwise_and_keep_their_first_corner(shift):
    quad = UNIT + np.reshape(shift, (4, 2))
    for given_order in (quad, quad[::-1]):
        made = as_quad(given_order)
        assert signed_area(made) > 0
        assert np.array_equal(made[0], given_order[0])
        assert is_convex(made)


def test_quads_cannot_be_written():
    quad = as_quad(UNIT)
    with pytest.raises(ValueError, match="read-only"):
        quad[0, 0] = 3
    own = UNIT.copy()
    read_only(own)
    own[0, 0] = 5  # the owner may still write


@pytest.mark.parametrize(
    ("bad", "why"), [(np.zeros((3, 2)), "shape (3, 2)"), (np.full((4, 2), np.nan), "[[nan, nan]"), (np.zeros((2, 4)), "shape (2, 4)")]
)
def test_other_points_are_no_quad(bad, why):
    for kind in (ArrayError, VisionsetError, ValueError):
        with pytest.raises(kind, match=re.escape(why)):
            as_quad(bad)


@pytest.mark.parametrize(
    ("bad", "todo"),
    [
        (np.zeros((4, 4, 3)), "scale it to 0 to 255"),
        (np.zeros((4, 4), np.uint8), "COLOR_GRAY2BGR"),
        (np.zeros((4, 4, 4), np.uint8), "COLOR_BGRA2BGR"),
        (np.zeros((0, 4, 3), np.uint8), "it holds no pixel"),
        (np.zeros((2, 4, 4, 3), np.uint8), "give one picture"),
    ],
)
def test_what_is_no_picture_is_told_how_to_become_one(bad, todo):
    with pytest.raises(ArrayError, match=todo):
        checked(bad)


def test_a_bow_tie_is_not_convex():
    assert not is_convex(UNIT[[0, 2, 1, 3]])


def grid(rows, columns, slant_rad=0.0, squeeze=0.0):
    """Quads of a card grid in reading order; far rows shrink by `squeeze`."""
    quads = []
    for row in range(rows):
        for column in range(columns):
            place = np.array([column * 80 - 40 * columns, row * 110 - 55 * rows])
            corner = np.array([[0.0, 0.0], [60.0, 0.0], [60.0, 90.0], [0.0, 90.0]]) + place
            scale = 1 - squeeze * (1 - corner[:, 1:].mean() / (110.0 * rows))
            quads.append(corner * scale)
    turn = np.array([[np.cos(slant_rad), np.sin(slant_rad)], [-np.sin(slant_rad), np.cos(slant_rad)]])
    return np.array(quads) @ turn


@given(st.integers(1, 5), st.integers(1, 6), st.floats(-0.7, 0.7), st.floats(0, 0.3), st.randoms(use_true_random=False))
def test_a_slanted_grid_is_read_row_by_row(rows, columns, slant, squeeze, random):
    quads = grid(rows, columns, slant, squeeze)
    shuffled = list(range(len(quads)))
    random.shuffle(shuffled)
    order = reading_order(quads[shuffled])
    assert [shuffled[at] for at in order] == list(range(len(quads)))


@given(st.floats(-0.75, 0.75))
def test_the_slant_is_measured(slant):
    assert abs(table_angle_rad(grid(3, 4, slant)) - slant) < 1e-6


def test_an_empty_table_has_no_order_and_no_slant():
    assert len(reading_order(np.empty((0, 4, 2)))) == 0
    assert table_angle_rad(np.empty((0, 4, 2))) == 0.0


@given(st.lists(st.tuples(st.floats(0, 1000), st.floats(0, 1000), st.floats(0, 6.28)), max_size=30))
def test_any_scatter_is_ordered_completely(places):
    corner = np.array([[-30.0, -45.0], [30.0, -45.0], [30.0, 45.0], [-30.0, 45.0]])
    quads = np.array([corner @ [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]] + [x, y] for x, y, a in places]).reshape(-1, 4, 2)
    assert sorted(reading_order(quads)) == list(range(len(places)))
