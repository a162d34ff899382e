"""Reading a frame, beside the least that any reader of it does; `visionset bench` prints the same as a table."""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from visionset.commands.measurement import floor, median_ms
from visionset.sample_files import samples_folder
from visionset.sources.picture import read_picture
from visionset.vision.pipeline import read


@pytest.fixture(scope="module")
def frame() -> np.ndarray:
    return read_picture(samples_folder() / "table-12.jpg")


def test_floor(benchmark: BenchmarkFixture, frame: np.ndarray) -> None:
    benchmark(floor, frame)


def test_twelve_cards_nothing_known_before(benchmark: BenchmarkFixture, frame: np.ndarray) -> None:
    table = benchmark(read, frame)
    assert len(table.sightings) == 12
    if benchmark.stats is not None:  # None when benchmarks are off
        benchmark.extra_info["times the floor"] = 1000 * benchmark.stats.stats.median / median_ms(lambda: floor(frame))


def test_a_whole_deck(benchmark: BenchmarkFixture) -> None:
    table = benchmark(read, read_picture(samples_folder() / "deck-81.jpg"))
    assert len(table.sightings) == 81
