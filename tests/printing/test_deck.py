"""The deck on paper: what is printed is what is read, and every length is that of the plan."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

import visionset
from tests.printing.photographs import Cutting, flat, from_above, page_picture, pages_of, paths_mm, photograph, size_mm, words_of
from visionset.art import CARD_HEIGHT_MM, CARD_WIDTH_MM, DeckStyle, set_card_symbols
from visionset.messages import speaking
from visionset.pieces import SET_DECK, SetCard
from visionset.printing.deck import MARGIN_MM, CardSize, FlipEdge, card_grid, deck_pdf
from visionset.printing.pdf import Paper
from visionset.render.layouts import Spot

EVERY = pytest.mark.parametrize(("paper", "size"), list(product(Paper, CardSize)))


@EVERY
def test_every_card_is_whole_on_its_sheet_once(paper: Paper, size: CardSize) -> None:
    grid = card_grid(paper, size)
    on_sheets = [range(first, end) for first, end in grid.sheets()]
    assert [card for sheet in on_sheets for card in sheet] == list(range(81))
    if size is CardSize.COMPACT:
        assert [(sheet[0] + 1, sheet[-1] + 1) for sheet in on_sheets] == [(1, 21), (22, 42), (43, 63), (64, 81)]  # S12
    centers = np.array([grid.center_mm(place) for place in range(len(on_sheets[0]))])
    reach = np.array(grid.cell_mm) / 2 + grid.bleed_mm
    assert (centers - reach >= MARGIN_MM - 1e-9).all()
    assert (centers + reach <= np.array(paper.value) - MARGIN_MM + 1e-9).all()
    apart = np.abs(centers[:, None] - centers[None]) / (2 * reach)
    assert (apart.max(axis=2)[~np.eye(len(centers), dtype=bool)] >= 1 - 1e-9).all()


@pytest.mark.parametrize(
    ("paper", "size"),
    [pytest.param(*each, marks=() if each == (Paper.LETTER, CardSize.COMPACT) else pytest.mark.slow) for each in product(Paper, CardSize)],
)
def test_lengths_in_the_file_are_those_of_the_plan(paper: Paper, size: CardSize) -> None:
    data, grid, style = deck_pdf(paper, size), card_grid(paper, size), DeckStyle()
    (first, end), page = list(grid.sheets())[-1], pages_of(data) - 1
    assert size_mm(data, page) == pytest.approx(paper.value, abs=0.01)
    paths = paths_mm(data, page)
    marks = paths.pop(0)
    edges = [grid.center_mm(at) for at in range(grid.columns * grid.rows)]
    for axis, cell in enumerate(grid.cell_mm):
        wanted = {round(center[axis] + side * cell / 2, 3) for center in edges for side in (-1, 1)}
        ends = marks.reshape(-1, 2, 2)
        found = ends[np.ptp(ends[..., axis], axis=1) < 0.01][:, 0, axis]
        assert max(min(abs(at - one) for one in found) for at in wanted) < 0.02
        assert max(min(abs(at - one) for one in wanted) for at in found) < 0.02
    for place, card in enumerate(SET_DECK[first:end]):
        for symbol in set_card_symbols(card, style):
            if len(symbol.stripes_mm):
                paths.pop(0)
            outline = paths.pop(0)
            wanted = symbol.outline_mm * grid.scale
            if grid.turn_deg:
                wanted = wanted[:, ::-1] * [-1, 1]
            assert np.abs(outline[: len(wanted)] - wanted - grid.center_mm(place)).max() < 0.02


@pytest.mark.parametrize(
    ("paper", "size", "edge"),
    [(Paper.A4, CardSize.COMPACT, FlipEdge.LONG), pytest.param(Paper.LETTER, CardSize.COMPACT, FlipEdge.SHORT, marks=pytest.mark.slow)],
)
def test_backs_lie_behind_their_cards(paper: Paper, size: CardSize, edge: FlipEdge) -> None:
    data, grid = deck_pdf(paper, size, edge), card_grid(paper, size)
    assert pages_of(data) == 2 * len(list(grid.sheets()))
    back = page_picture(data, pages_of(data) - 1, 2)
    seen = back[:, ::-1] if edge is FlipEdge.LONG else back[::-1]  # as through the paper
    first, end = list(grid.sheets())[-1]
    for place in range(grid.columns * grid.rows):
        inked = (Cutting(grid.center_mm(place), grid.cell_mm).of(seen, 2).mean(axis=2) < 200).mean()
        assert (inked > 0.5) == (place < end - first)


def test_the_sheets_say_what_they_are_in_the_language_that_is_spoken() -> None:
    with speaking("de"):
        words = words_of(deck_pdf(Paper.A4, plain=True), 3)
    assert "Karten 64 bis 81" in words
    assert "V" in words.split()  # violett


def test_the_same_deck_is_the_same_file() -> None:
    assert deck_pdf(Paper.A4) == deck_pdf(Paper.A4)


def photographs(paper: Paper, size: CardSize, plain: bool, order: list[int], most: int = 12) -> list[SetCard]:
    """Which cards are read, each once, where the deck lies twelve by twelve before the camera."""
    grid, data = card_grid(paper, size), deck_pdf(paper, size, None, plain)
    width, height, pieces = CARD_WIDTH_MM * grid.scale, CARD_HEIGHT_MM * grid.scale, {}
    for page, (first, end) in enumerate(grid.sheets()):
        picture = page_picture(data, page)
        for at in set(order) & set(range(first, end)):
            cut = Cutting(grid.center_mm(at - first), grid.cell_mm, 1 if grid.turn_deg else 0)
            pieces[at] = flat(cut.of(picture), 4.0 * grid.scale)
    good: list[SetCard] = []
    for start in range(0, len(order), most):
        spots = [Spot((at % 4 - 1.5) * (width + 12), (at // 4 - 1) * (height + 10), 0.03 * (at % 3 - 1)) for at in range(most)]
        scale = min(1280 / (4.6 * (width + 12)), 720 / (3.3 * (height + 10)))
        laid = [(pieces[at], spot) for at, spot in zip(order[start : start + most], spots, strict=False)]
        table = visionset.read(photograph(laid, from_above((1280, 720), scale)))
        read = Counter(one.piece for one in table.sightings if one.piece is not None)
        there = {SET_DECK[at] for at in order[start : start + most]}
        assert set(read) <= there
        good += [card for card in there if read[card] == 1]
    return good


def test_printed_cards_are_read() -> None:
    order = [(5 * at) % 21 for at in range(6)]
    assert len(photographs(Paper.A4, CardSize.COMPACT, False, order)) == 6


@pytest.mark.slow
@EVERY
@pytest.mark.parametrize("plain", [False, True])
def test_all_81_printed_cards_are_read(paper: Paper, size: CardSize, plain: bool) -> None:
    good = photographs(paper, size, plain, [(31 * at) % 81 for at in range(81)])
    assert len(good) == len(set(good)) == 81
