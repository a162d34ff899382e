"""Player sheets for Sets with two dice, each with its tracker, and a list of the best."""

from __future__ import annotations

import numpy as np

from visionset.art import pip_places
from visionset.games.pip_sets.rules import PipSetsOptions
from visionset.games.registry import GAMES
from visionset.messages import Message, in_words
from visionset.printing.deck import MARGIN_MM
from visionset.printing.pdf import GREY, Pages, Paper

_BOXES = 20
"""Values of a row that have a box: two dice and a bonus a turn seldom make more."""

_LABEL_MM = 14.0
_ROW_MM = 12.0
_RANKS = 25


def score_sheets_pdf(paper: Paper, players: int = 4, starting_values: bool = True) -> bytes:
    """A sheet for each player, two on a page, then a page for the ranks (rules P1 and P6)."""
    pages = Pages(paper, GAMES["sets-dice"].title)
    for player in range(players):
        if player % 2 == 0:
            pages.begin()
        _score_sheet(pages, 10.0 + player % 2 * (paper.value[1] / 2), starting_values)
    _ranks(pages)
    return pages.data()


def row_box_mm(row: int, at: int, paper: Paper) -> tuple[float, float, float]:
    """Left, top and side of the box for a value of a row, both from 0, from the top left of a sheet."""
    side = (paper.value[0] - 2 * MARGIN_MM - _LABEL_MM - 4) / _BOXES
    return MARGIN_MM + 2 + _LABEL_MM + at * side, 26.0 + row * _ROW_MM, side


def _score_sheet(pages: Pages, top: float, starting_values: bool) -> None:
    left, right = MARGIN_MM + 2, pages.size_mm[0] - MARGIN_MM - 2
    pages.text(left, top + 5, GAMES["sets-dice"].title, 5.0, bold=True)
    pages.text(right - 80, top + 5, in_words(Message("page.over.name")), 3.2, paint=GREY)
    pages.lines(np.array([[[right - 68, top + 6], [right, top + 6]]]), 0.25)
    pages.text(left, top + 16, in_words(Message("print.score.turns")), 3.2, paint=GREY)
    turns = PipSetsOptions().turns
    for at in range(turns):
        x = left + 30 + at * 11.0
        pages.frame(x, top + 11, 8.0, 8.0, 1.0)
        pages.middle(x + 4.0, top + 15, str(turns - at), 3.6, bold=False, paint=GREY)
    paper = Paper(pages.size_mm)
    for row in range(6):
        with pages.placed(left + 5.0, top + 26 + row * _ROW_MM + 4.5):
            _pip_sign(pages, row + 1)
        for at in range(_BOXES):
            x, y, side = row_box_mm(row, at, paper)
            pages.frame(x, top + y, side, side)
        if starting_values:
            x, y, side = row_box_mm(row, 0, paper)
            pages.middle(x + side / 2, top + y + side / 2, str(row + 1), 0.6 * side, bold=False)
    low = top + 26 + 6 * _ROW_MM + 7
    for at, what in enumerate((Message("print.score.circled"), Message("print.score.others"), Message("print.score.points"))):
        x = left + at * (right - left) / 3
        words = in_words(what)
        pages.text(x, low, words, 3.2, paint=GREY)
        start = x + pages.width(words, 3.2) + 2
        pages.lines(np.array([[[start, low + 0.8], [x + (right - left) / 3 - 6, low + 0.8]]]), 0.25)
    pages.text(left, low + 8, in_words(Message("print.score.how")), 2.6, paint=GREY)


def _pip_sign(pages: Pages, value: int) -> None:
    pages.frame(-4.0, -4.0, 8.0, 8.0, 1.2, line=0.4)
    for x, y in pip_places(value):
        pages.disc(2.2 * x, 2.2 * y, 0.8)


def _ranks(pages: Pages) -> None:
    pages.begin()
    width, height = pages.size_mm
    left, right = MARGIN_MM + 6, width - MARGIN_MM - 6
    pages.text(left, 20.0, in_words(Message("print.score.ranks")), 6.0, bold=True)
    stops = [left, left + 18, right - 70, right - 40, right]
    heads = (Message("page.over.place"), Message("page.over.name"), Message("page.over.points"), Message("print.score.day"))
    for x, head in zip(stops, heads, strict=False):
        pages.text(x + 2, 30.0, in_words(head), 3.2, paint=GREY)
    step = (height - 32.0 - MARGIN_MM - 4) / _RANKS
    rules = [[[left, 32.0 + at * step], [right, 32.0 + at * step]] for at in range(_RANKS + 1)]
    rules += [[[x, 32.0], [x, 32.0 + _RANKS * step]] for x in stops]
    pages.lines(np.array(rules), 0.25)
    for at in range(_RANKS):
        pages.text(stops[1] - 4, 32.0 + (at + 0.5) * step + 1.4, str(at + 1), 4.0, anchor="end", paint=GREY)
