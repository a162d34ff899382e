"""What has been read is not read again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.vision.playing_cards import CardReadings
from visionset.vision.readers import Once, Readers

FRAMES = np.arange(6)[:, None, None] * 10.0 + np.array([[0.0, 0.0], [5.0, 0.0], [5.0, 8.0], [0.0, 8.0]])


@given(st.lists(st.lists(st.integers(0, 5), max_size=8), max_size=6))
def test_each_frame_is_read_once_and_its_reading_given_each_time(asked):
    read_px = []

    def read(quads):
        read_px.extend(quads[:, 0, 0])
        return CardReadings(np.zeros((len(quads), 4)), np.zeros((len(quads), 52)), quads, quads[:, 0, 0])

    once = Once(read)
    for which in asked:
        assert once(FRAMES[which].reshape(-1, 4, 2)).shift.tolist() == [10.0 * at for at in which]
    assert sorted(read_px) == [10.0 * at for at in sorted({at for which in asked for at in which})]


@pytest.mark.parametrize("name", ["set_cards", "cards", "indices", "dice", "mirrored"])
def test_every_reader_of_a_picture_reads_none_and_several_frames(name):
    reader = getattr(Readers.of(np.full((100, 100, 3), 128, np.uint8)), name)
    assert len(reader(np.empty((0, 4, 2)))) == 0
    assert len(reader(FRAMES[[0, 3, 0]])) == 3
    assert (reader(FRAMES[[3]]).quad_px == reader(FRAMES).quad_px[3]).all()
