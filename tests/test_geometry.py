import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.geometry import apply, as_quad, homography, is_convex, read_only, signed_area

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


@pytest.mark.parametrize("bad", [np.zeros((3, 2)), np.full((4, 2), np.nan), np.zeros((2, 4))])
def test_other_points_are_no_quad(bad):
    with pytest.raises(ValueError, match="four finite points"):
        as_quad(bad)


def test_a_bow_tie_is_not_convex():
    assert not is_convex(UNIT[[0, 2, 1, 3]])
