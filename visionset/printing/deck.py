"""The 81 SET cards on paper, in the groups of rule S12 or at full size, with cut marks, and backs that fit double-sided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from math import floor

import numpy as np

from visionset.art import CARD_HEIGHT_MM, CARD_WIDTH_MM
from visionset.messages import Message, in_words
from visionset.pieces import SET_DECK
from visionset.printing.faces import draw_card_back, draw_set_card
from visionset.printing.pdf import Pages, Paper

MARGIN_MM = 6.0
"""From the edge of the paper to what is printed: printers leave some free."""

MARKS_MM = (3.0, 5.4)
"""Where cut marks begin and end, from the edge of the paper."""

_BLEEDS_MM = (1.0, 3.0)
"""How far backs go beyond the cut: at least, and where there is room."""


class CardSize(Enum):
    """How large the cards are printed."""

    COMPACT = "compact"
    """As large as 21 to a sheet allow: the groups of rule S12."""
    FULL = "full"
    """57 x 87 mm, nine to a sheet."""


class FlipEdge(Enum):
    """About which edge a printer turns the paper over."""

    LONG = "long"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class CardGrid:
    """How cards lie on a sheet; lengths in millimetres."""

    paper: Paper
    columns: int
    rows: int
    turn_deg: float
    """90 where cards lie sideways."""
    scale: float
    """Of a card of full size."""
    bleed_mm: float
    groups: tuple[int, ...]
    """The first card of each sheet, from 0, and the end."""

    @property
    def cell_mm(self) -> tuple[float, float]:
        """A card as it lies, width and height."""
        width, height = CARD_WIDTH_MM * self.scale, CARD_HEIGHT_MM * self.scale
        return (height, width) if self.turn_deg else (width, height)

    def center_mm(self, place: int) -> tuple[float, float]:
        """The middle of a place, counted by rows from the top left."""
        row, column = divmod(place, self.columns)
        x, y = (cell + 2 * self.bleed_mm for cell in self.cell_mm)
        width, height = self.paper.value
        return width / 2 + (column - (self.columns - 1) / 2) * x, height / 2 + (row - (self.rows - 1) / 2) * y

    def sheets(self) -> Iterator[tuple[int, int]]:
        """The first card of each sheet and the first that is not on it, from 0."""
        return zip(self.groups[:-1], self.groups[1:], strict=True)


def card_grid(paper: Paper, size: CardSize) -> CardGrid:
    """How the deck lies on sheets of paper."""
    width, height = (side - 2 * MARGIN_MM for side in paper.value)
    least, most = _BLEEDS_MM
    if size is CardSize.FULL:
        room = min((width - 3 * CARD_WIDTH_MM) / 6, (height - 3 * CARD_HEIGHT_MM) / 6)
        return CardGrid(paper, 3, 3, 0.0, 1.0, min(most, max(least, floor(room))), tuple(range(0, 82, 9)))
    short_mm = min(height / 7 - 2 * least, (width / 3 - 2 * least) * CARD_WIDTH_MM / CARD_HEIGHT_MM)
    return CardGrid(paper, 3, 7, 90.0, floor(10 * short_mm) / 10 / CARD_WIDTH_MM, least, (0, 21, 42, 63, 81))


def deck_pdf(paper: Paper, size: CardSize = CardSize.COMPACT, backs: FlipEdge | None = None, plain: bool = False) -> bytes:
    """The deck in the order of `SET_DECK`; with `backs` every other page has the backs of the page before."""
    grid, pages = card_grid(paper, size), Pages(paper, in_words(Message("print.deck.title")))
    for first, end in grid.sheets():
        pages.begin()
        _cut_marks(pages, grid)
        named = Message("print.deck.sheet", first=first + 1, last=end)
        _labels(pages, grid, named, Message("print.deck.order"), Message("print.deck.cut"))
        for place, card in enumerate(SET_DECK[first:end]):
            with pages.placed(*grid.center_mm(place), grid.turn_deg, grid.scale):
                draw_set_card(pages, card, plain)
        if backs is not None:
            _backs(pages, grid, end - first, backs, named)
    return pages.data()


def _labels(pages: Pages, grid: CardGrid, *labels: Message) -> None:
    """Words below the columns, between the marks."""
    for column, label in enumerate(labels):
        left = grid.center_mm(column)[0] - grid.cell_mm[0] / 2 + 1.5
        pages.note(left, in_words(label))


def _backs(pages: Pages, grid: CardGrid, count: int, edge: FlipEdge, named: Message) -> None:
    """The backs of a sheet: mirrored, so that they lie behind their cards when the paper was turned about that edge."""
    pages.begin()
    _cut_marks(pages, grid)
    width, height = grid.paper.value
    flip = Message("print.deck.long_edge") if edge is FlipEdge.LONG else Message("print.deck.short_edge")
    _labels(pages, grid, Message("print.deck.backs"), named, flip)
    for place in range(count):
        x, y = grid.center_mm(place)
        x, y = (width - x, y) if edge is FlipEdge.LONG else (x, height - y)
        with pages.placed(x, y, grid.turn_deg, grid.scale):
            draw_card_back(pages, grid.bleed_mm / grid.scale)


def _cut_marks(pages: Pages, grid: CardGrid) -> None:
    """Short lines at the rim of the paper, where each cut goes."""
    (width, height), (x, y), (start, end) = grid.paper.value, grid.cell_mm, MARKS_MM
    marks = []
    for column in range(grid.columns):
        for at in (grid.center_mm(column)[0] - x / 2, grid.center_mm(column)[0] + x / 2):
            marks += [[[at, start], [at, end]], [[at, height - start], [at, height - end]]]
    for row in range(grid.rows):
        for at in (grid.center_mm(row * grid.columns)[1] - y / 2, grid.center_mm(row * grid.columns)[1] + y / 2):
            marks += [[[start, at], [end, at]], [[width - start, at], [width - end, at]]]
    pages.lines(np.array(marks), 0.15)
