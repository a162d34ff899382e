"""Drawing must stay a small part of a frame's 33 ms."""

from __future__ import annotations

from pytest_benchmark.fixture import BenchmarkFixture

from tests.builders import deal, picture
from visionset.overlay import draw_table, paint
from visionset.pieces import SET_DECK
from visionset.table_sets import sets_on_table

TWELVE = deal([str(card) for card in SET_DECK[:12]], columns=4, gap_px=60)


def test_lay_out_twelve_cards(benchmark: BenchmarkFixture) -> None:
    sets = sets_on_table(TWELVE.pieces)
    assert benchmark(draw_table, TWELVE, sets).marks


def test_paint_twelve_cards(benchmark: BenchmarkFixture) -> None:
    drawing, image = draw_table(TWELVE, sets_on_table(TWELVE.pieces)), picture(TWELVE)
    assert benchmark(paint, drawing, image).shape == image.shape


def test_sets_of_twelve_cards(benchmark: BenchmarkFixture) -> None:
    assert len(benchmark(sets_on_table, TWELVE.pieces)) == 13
