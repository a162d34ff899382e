"""What following costs beside reading: a quiet frame, and a frame with a hand in it."""

from __future__ import annotations

from itertools import count

import cv2
import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from visionset.geometry import Frame
from visionset.sample_files import samples_folder
from visionset.sources.picture import read_picture
from visionset.tracking import TableTracker
from visionset.vision.pipeline import read

FPS = 15.0


@pytest.fixture(scope="module")
def image() -> np.ndarray:
    return read_picture(samples_folder() / "table-12.jpg")


@pytest.fixture
def tracker(image: np.ndarray) -> TableTracker:
    following = TableTracker(lambda frame: read(frame.image_bgr))
    for index in range(4):
        told = following.see(Frame(image, index, index / FPS))
    assert len(told.table.sightings) == 12
    return following


def test_quiet_frame(benchmark: BenchmarkFixture, image: np.ndarray, tracker: TableTracker) -> None:
    """Bar: 3 ms at 1280x720."""
    numbers = count(4)

    def look() -> bool:
        index = next(numbers)
        return tracker.see(Frame(image, index, index / FPS)).held

    assert not benchmark(look)
    assert "read" not in tracker.timings_ms


def test_frame_with_a_hand(benchmark: BenchmarkFixture, image: np.ndarray, tracker: TableTracker) -> None:
    pictures = []
    for step in range(8):
        picture = image.copy()
        cv2.ellipse(picture, (400 + 60 * step, 500), (90, 260), 20, 0, 360, (120, 150, 205), -1)
        pictures.append(picture)
    numbers = count(4)

    def look() -> bool:
        index = next(numbers)
        return tracker.see(Frame(pictures[index % len(pictures)], index, 4 / FPS + (index - 4) * 1e-3)).held

    assert benchmark(look)
