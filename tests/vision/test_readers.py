"""What has been read is not read again, but what was cut badly, until it lies well."""

from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.vision.patches import CachedReader, Rows, asked_twice, refined
from visionset.vision.pipeline import Readers
from visionset.vision.playing_cards import CardReadings

SQUARE = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])


@dataclass(frozen=True, slots=True, eq=False)
class Looked(Rows):
    quad_px: np.ndarray
    shift: np.ndarray
    value: np.ndarray


class Reader:
    """Moves every frame half of the way to the right place."""

    def __init__(self):
        self.asked = []

    def __call__(self, quads):
        self.asked.append(len(quads))
        step = -quads[:, :1, :1] / 2
        return Looked(quads + step * [1, 0], np.abs(step[:, 0, 0]), quads[:, 0, 0])


def everything(readings):
    return np.ones(len(readings), dtype=bool)


def test_only_frames_that_are_off_are_read_again():
    reader = Reader()
    found = refined(reader, np.array([SQUARE, SQUARE + np.array([8, 0]), SQUARE + np.array([100, 0])]), everything, 2.5)
    assert reader.asked == [3, 2, 1]
    assert found.value.tolist() == [0, 4, 25]


def test_hopeless_frames_are_let_be():
    reader = Reader()
    found = refined(reader, np.array([SQUARE + np.array([100, 0])]), lambda readings: readings.value < 50, 2.5)
    assert reader.asked == [1]
    assert found.value.tolist() == [100]


def test_what_is_in_doubt_is_read_upside_down_too_and_what_is_sure_stays():
    asked_px = []

    def read(quads):
        asked_px.extend(quads)
        return Looked(quads, np.zeros(len(quads)), np.full(len(quads), 30.0))

    def mean(one, other):
        return Looked(one.quad_px, one.shift, (one.value + other.value) / 2)

    quads = np.array([SQUARE, SQUARE + 20, SQUARE + 40])
    first = Looked(quads, np.arange(3.0), np.array([10.0, 20.0, 40.0]))
    found = asked_twice(read, first, first.value != 20, mean)
    assert found.value.tolist() == [20, 20, 35]
    assert found.shift.tolist() == [0, 1, 2]
    assert (found.quad_px == quads).all()
    assert [quad.tolist() for quad in asked_px] == [np.roll(quads[at], 2, axis=0).tolist() for at in (0, 2)]
    asked_px.clear()
    assert asked_twice(read, first, first.value < 0, mean) is first
    assert not asked_px


FRAMES = np.arange(6)[:, None, None] * 10.0 + np.array([[0.0, 0.0], [5.0, 0.0], [5.0, 8.0], [0.0, 8.0]])


@given(st.lists(st.lists(st.integers(0, 5), max_size=8), max_size=6))
def test_each_frame_is_read_once_and_its_reading_given_each_time(asked):
    read_px = []

    def read(quads):
        read_px.extend(quads[:, 0, 0])
        return CardReadings(quads, quads[:, 0, 0], np.zeros((len(quads), 4)), np.zeros((len(quads), 52)))

    once = CachedReader(read)
    for which in asked:
        assert once(FRAMES[which].reshape(-1, 4, 2)).shift.tolist() == [10.0 * at for at in which]
    assert sorted(read_px) == [10.0 * at for at in sorted({at for which in asked for at in which})]


@pytest.mark.parametrize("name", ["set_cards", "cards", "indices", "dice.upright", "dice.mirrored"])
def test_every_reader_of_a_picture_reads_none_and_several_frames(name):
    reader = attrgetter(name)(Readers(np.full((100, 100, 3), 128, np.uint8)))
    assert len(reader(np.empty((0, 4, 2)))) == 0
    assert len(reader(FRAMES[[0, 3, 0]])) == 3
    assert (reader(FRAMES[[3]]).quad_px == reader(FRAMES).quad_px[3]).all()
