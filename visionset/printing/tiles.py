"""What is larger than a sheet of paper, on several that are put edge to edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, product
from math import ceil, floor

import numpy as np

from visionset.messages import Message, in_words
from visionset.printing.deck import MARGIN_MM, MARKS_MM
from visionset.printing.pdf import Pages, Paper


@dataclass(frozen=True, slots=True)
class Tiling:
    """How something is cut up for sheets of paper; in millimetres of the whole, from its top left."""

    paper: Paper
    sideways: bool
    """Whether the papers' long sides lie at the top."""
    x_cuts: tuple[float, ...]
    y_cuts: tuple[float, ...]
    """The first edge, each cut, and the last edge."""

    @property
    def sheets(self) -> int:
        """Sheets of paper."""
        return (len(self.x_cuts) - 1) * (len(self.y_cuts) - 1)

    def corner_mm(self, sheet: int) -> tuple[float, float]:
        """Where the whole has its top left corner on a sheet, counted by rows: mostly beside the paper."""
        row, column = divmod(sheet, len(self.x_cuts) - 1)
        width, height = self.paper.value[::-1] if self.sideways else self.paper.value
        return (
            (width - self.x_cuts[column] - self.x_cuts[column + 1]) / 2,
            (height - self.y_cuts[row] - self.y_cuts[row + 1]) / 2,
        )


def tiling(paper: Paper, units: tuple[int, int], unit_mm: tuple[float, float]) -> Tiling:
    """Cut so many units across and down, each whole, to as few sheets as will do, all about as large."""
    tried = []
    for sideways in (False, True):
        sides = paper.value[::-1] if sideways else paper.value
        cuts = []
        for count, unit, side in zip(units, unit_mm, sides, strict=True):
            parts = ceil(count / max(1, floor((side - 2 * MARGIN_MM + 1e-9) / unit)))
            shares = [count // parts + (at < count % parts) for at in range(parts)]
            cuts.append(tuple(unit * at for at in accumulate(shares, initial=0)))
        tried.append(Tiling(paper, sideways, *cuts))
    return min(tried, key=lambda one: one.sheets)


def tiled_pdf(tiles: Tiling, title: Message, draw: Callable[[Pages], None]) -> bytes:
    """Draw the whole on each sheet and show what lies there, with marks where to cut and where the next one goes."""
    pages = Pages(tiles.paper, in_words(title), tiles.sideways)
    width, height = pages.size_mm
    columns, rows = len(tiles.x_cuts) - 1, len(tiles.y_cuts) - 1
    for number, (row, column) in enumerate(product(range(rows), range(columns))):
        pages.begin()
        x, y = tiles.corner_mm(number)
        left, right = (x + tiles.x_cuts[column + end] for end in (0, 1))
        top, low = (y + tiles.y_cuts[row + end] for end in (0, 1))
        with pages.clipped(left - 0.3, top - 0.3, right - left + 0.6, low - top + 0.6), pages.placed(x, y):
            draw(pages)
        start, end = MARKS_MM
        marks = [
            [[at, edge], [at, edge + away]] for at in (left, right) for edge, away in ((start, end - start), (height - end, end - start))
        ]
        marks += [[[edge, at], [edge + away, at]] for at in (top, low) for edge, away in ((start, end - start), (width - end, end - start))]
        pages.lines(np.array(marks), 0.15)
        put = Message("print.tiles.sheet", row=row + 1, column=column + 1, rows=rows, columns=columns)
        pages.note(left + 1.5, f"{in_words(title)}. {in_words(put)}")
    return pages.data()
