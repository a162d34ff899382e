"""How long finding SETs takes."""

import random

from pytest_benchmark.fixture import BenchmarkFixture

from visionset.games.sets import find_sets
from visionset.pieces import SET_DECK, SET_DIE_FACES


def test_all_1080_sets_among_81_cards(benchmark: BenchmarkFixture) -> None:
    """Bar: 2 ms."""
    assert len(benchmark(find_sets, SET_DECK)) == 1080


def test_sets_among_12_cards(benchmark: BenchmarkFixture) -> None:
    table = random.Random(7).sample(SET_DECK, 12)
    benchmark(find_sets, table)


def test_sets_among_42_dice(benchmark: BenchmarkFixture) -> None:
    rolled = random.Random(7).choices(SET_DIE_FACES, k=42)
    benchmark(find_sets, rolled)
