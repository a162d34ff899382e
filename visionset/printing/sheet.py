"""The calibration sheet as a page."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from visionset.printing.pdf import Page, Paper, pdf
from visionset.vision.charuco import SHEET, CharucoSheet

_UNIT_MM = 1.25
"""Squares (20), markers (14) and their modules (2) are whole multiples of it."""

_RULER_MM = 100.0


def sheet_pdf(paper: Paper, sheet: CharucoSheet = SHEET) -> bytes:
    """The sheet in the middle of a page, with a ruler to check the printer by."""
    page = Page(paper)
    width, height = paper.value
    left, top = (width - sheet.size_mm[0]) / 2, (height - sheet.size_mm[1]) / 2
    black = sheet.drawn(round(sheet.square_mm / _UNIT_MM)) < 128
    for x, y, across, down in black_rectangles(black):
        page.rectangle(left + x * _UNIT_MM, top + y * _UNIT_MM, across * _UNIT_MM, down * _UNIT_MM)
    base = top + sheet.size_mm[1] + 5.5
    told = (
        f"visionset calibration sheet, {paper.name}. Print at 100 %: squares of {sheet.square_mm:g} mm; the bar is {_RULER_MM:g} mm long."
    )
    page.text(left, top - 3.0, told)
    page.rectangle(left, base, _RULER_MM, 0.3)
    for end in (left, left + _RULER_MM - 0.3):
        page.rectangle(end, base - 1.5, 0.3, 3.3)
    return pdf([page], f"visionset calibration sheet, {paper.name}")


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
