"""A picture of a table with its pieces named and its SETs outlined."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from visionset.overlay.compose import draw_table
from visionset.overlay.drawing import paint
from visionset.overlay.view import View
from visionset.table import Table
from visionset.table_sets import sets_of


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
    """
    sets = sets_of(table, decks).sets
    return paint(draw_table(view.turn_table(table), sets, view), view.turn_image(image_bgr))
