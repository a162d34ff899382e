import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.geometry import signed_area
from visionset.vision.find import AXIS_UNIT_PX, STRIDE_PX, Proposals, decode, merge

angle = st.floats(0, 2 * np.pi)


def cell_map(center, long_axis, short_axis, score=0.9, size=24):
    """The network's map with one card on it, as training would have it."""
    cells = np.zeros((9, size, size), np.float32)
    cells[0] = -8.0
    column, row = round(center[0] / STRIDE_PX), round(center[1] / STRIDE_PX)
    cells[0, row, column] = np.log(score / (1 - score))
    cells[1:3, row, column] = center[0] / STRIDE_PX - column, center[1] / STRIDE_PX - row
    for at, axis in ((3, long_axis), (6, short_axis)):
        x, y = axis
        cells[at : at + 3, row, column] = np.array([x * x, x * y, y * y]) / np.hypot(x, y) / AXIS_UNIT_PX
    return cells


@given(st.tuples(st.floats(20, 70), st.floats(20, 70)), angle, st.floats(10, 60), st.floats(0.3, 2.8), st.floats(0.2, 0.9))
def test_a_card_on_the_map_comes_back(center, turn, length, between, slim):
    long_axis = length * np.array([np.cos(turn), np.sin(turn)])
    short_axis = slim * length * np.array([np.cos(turn + between), np.sin(turn + between)])
    found = decode(cell_map(center, long_axis, short_axis), min_score=0.25)
    assert len(found) == 1
    assert np.allclose(found.center_px[0], center, atol=1e-3)
    assert found.score[0] == pytest.approx(0.9, abs=1e-4)
    for got, want in ((found.long_px[0], long_axis), (found.short_px[0], short_axis)):
        assert min(np.abs(got - want).max(), np.abs(got + want).max()) < 1e-3 * length
    quad = found.quads()[0]
    assert signed_area(quad) > 0
    assert np.allclose(quad.mean(axis=0), center, atol=1e-3)
    assert np.linalg.norm(quad[3] - quad[0]) == pytest.approx(2 * length, rel=1e-3)  # the quad begins at a short side


def test_low_scores_are_no_proposals():
    assert len(decode(cell_map((40, 40), (20, 0), (0, 13), score=0.2), min_score=0.25)) == 0


@given(st.permutations(range(3)))
def test_merge_keeps_the_best_of_each_card(order):
    center = np.array([[100.0, 100.0], [104.0, 98.0], [170.0, 100.0]])[order]
    score = np.array([0.5, 0.9, 0.7])[order]
    long_px, short_px = np.tile([0.0, 40.0], (3, 1)), np.tile([26.0, 0.0], (3, 1))
    kept = merge(Proposals(center, long_px, short_px, score), same_card=0.45)
    assert kept.score.tolist() == [0.9, 0.7]
