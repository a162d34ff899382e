"""Frames are read again until they lie well, and no more often."""

from dataclasses import dataclass

import numpy as np

from visionset.vision.corner_refinement import refined
from visionset.vision.rows import Rows

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
