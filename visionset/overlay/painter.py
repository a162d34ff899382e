"""A watched table drawn frame by frame, and the one line about it."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from visionset.games.sets import Triple
from visionset.messages import Message, at_table
from visionset.overlay.compose import draw_table
from visionset.overlay.drawing import Drawing, paint
from visionset.overlay.panel import caption_text
from visionset.overlay.view import View
from visionset.table import Settled

_HELD_S = 0.3
"""A table that is held for less is not called so: the tracker only looked twice, and words that flash disturb."""


def caption_of(settled: Settled, sets: Sequence[Triple], count: int, held_s: float, view: View) -> tuple[str, bool]:
    """The one line about a table with so many SETs, and whether it asks for something.

    What a person could mend about the view takes the place of what lies there; a table that is held says so, and one that was not read
    yet is not called empty.
    """
    if settled.remarks:
        return at_table(settled.remarks[0]), True
    is_awaited = (settled.passing or settled.held) and not settled.table.sightings
    caption = Message("caption.reading") if is_awaited else caption_text(settled.table, sets, count, view)
    if held_s >= _HELD_S and settled.table.sightings:
        caption = Message("caption.held", caption=caption)
    return at_table(caption), False


class TablePainter:
    """Paints cards and SETs; where neither they nor the view changed since the last frame, the last drawing is painted again."""

    def __init__(self) -> None:
        self.spent_ms = 0.0
        self._drawn: tuple[object, ...] = ()
        self._drawing = Drawing((0, 0))

    def paint(self, image_bgr: NDArray[np.uint8], settled: Settled, sets: Sequence[Triple], view: View) -> NDArray[np.uint8]:
        """Return a copy of the picture, turned to the view, with cards and SETs drawn on it."""
        start_s = time.perf_counter()
        table = settled.table
        wanted = (table.sightings, table.size_px, sets, view)
        if not self._drawn or wanted[0] is not self._drawn[0] or wanted[1:] != self._drawn[1:]:
            self._drawn = wanted
            self._drawing = draw_table(view.turn_table(table), sets, view)
        picture = paint(self._drawing, view.turn_image(image_bgr))
        self.spent_ms = 1000 * (time.perf_counter() - start_s)
        return picture
