"""A picture of a table with its pieces named and its SETs outlined."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from visionset.errors import ArrayError, check_type
from visionset.geometry import checked
from visionset.messages import Message, at_table
from visionset.overlay.compose import draw_table, shown_groups
from visionset.overlay.drawing import paint
from visionset.overlay.view import Reveal, View
from visionset.table import Table
from visionset.table_sets import TableSets, sets_of
from visionset.vision.options import ReadOptions
from visionset.words import counted_sets


def draw(image_bgr: NDArray[np.uint8], table: Table, view: View = View(), decks: int = 1) -> NDArray[np.uint8]:
    """Return a copy of a picture with every piece named and every SET outlined.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (height, width, 3)
        The picture that was read; not modified.
    table : Table
        What `visionset.read` made of it.
    view : View
        How much to give away, and which way round.
    decks : int
        Copies of each card that may lie there.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3), or (width, height, 3) after a quarter turn

    Raises
    ------
    ArrayError
        The array is no picture, or one of another size: a `ValueError` too.
    OptionError
        What is given as table or view is something else, or no number of decks: a `ValueError` too.
    """
    image_bgr = checked(image_bgr)
    check_type(table, Table, "a Table", "visionset.read makes one of the picture")
    check_type(view, View, "a View", "write it as View(hint=Reveal.COUNT)")
    found = sets_of(table, ReadOptions(decks=decks).decks)
    width, height = table.size_px
    if image_bgr.shape[:2] != (height, width):
        got = "x".join(map(str, image_bgr.shape[1::-1]))
        raise ArrayError(f"expected the picture that was read, of {width}x{height} pixels, got {got}; read this one, or draw on that one")
    return paint(draw_table(view.turn_table(table), found.sets, view, note=drawn_note(found, view)), view.turn_image(image_bgr))


def drawn_note(found: TableSets, view: View = View()) -> str:
    """Say how many SETs there are, where that is all that may be told, and where not all are drawn: ``1080 SETs, 8 of them drawn``."""
    if view.hint is Reveal.COUNT:
        return at_table(counted_sets(found.count))
    drawn = len(shown_groups(found.sets, view))
    if view.hint is not Reveal.ALL or view.step is not None or drawn == found.count:
        return ""
    return at_table(Message("caption.not_all", count=found.count, drawn=drawn))
