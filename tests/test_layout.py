import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from visionset.layout import reading_order, table_angle_rad


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
