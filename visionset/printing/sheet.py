"""The calibration sheet as a page."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from visionset.messages import Message, in_words
from visionset.printing.pdf import Pages, Paper
from visionset.vision.charuco import SIZE_MM, SQUARE_MM, drawn_sheet

_UNIT_MM = 1.25
"""Squares (20), markers (14) and their modules (2) are whole multiples of it."""

RULER_MM = 100.0
"""The bar to check a printer by."""


def sheet_pdf(paper: Paper) -> bytes:
    """The sheet in the middle of a page, with a ruler to check the printer by."""
    title = in_words(Message("print.calibration.title", paper=paper.name))
    pages = Pages(paper, title)
    pages.begin()
    width, height = pages.size_mm
    left, top = (width - SIZE_MM[0]) / 2, (height - SIZE_MM[1]) / 2
    black = drawn_sheet(round(SQUARE_MM / _UNIT_MM)) < 128
    for x, y, across, down in black_rectangles(black):
        pages.rectangle(left + x * _UNIT_MM, top + y * _UNIT_MM, across * _UNIT_MM, down * _UNIT_MM)
    told = Message("print.calibration.told", square=f"{SQUARE_MM:g}", ruler=f"{RULER_MM:g}")
    pages.text(left, top - 3.0, f"{title}. {in_words(told)}")
    ruler(pages, left, top + SIZE_MM[1] + 5.5)
    return pages.data()


def ruler(pages: Pages, left: float, base: float) -> None:
    """A bar that is `RULER_MM` long where the printer scales nothing."""
    pages.rectangle(left, base, RULER_MM, 0.3)
    for end in (left, left + RULER_MM - 0.3):
        pages.rectangle(end, base - 1.5, 0.3, 3.3)


def black_rectangles(black: NDArray[np.bool_]) -> Iterator[tuple[int, int, int, int]]:
    """Cover the true cells of a grid, each once, by rectangles: left, top, width, height."""
    left = black.copy()
    for y in range(len(left)):
        x = 0
        while x < left.shape[1]:
            if not left[y, x]:
                x += 1
                continue
            across = int(np.argmin(np.append(left[y, x:], False)))
            down = 1
            while y + down < len(left) and left[y + down, x : x + across].all():
                down += 1
            left[y : y + down, x : x + across] = False
            yield x, y, across, down
            x += across
