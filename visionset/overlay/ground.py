"""Where on a picture there is room for a tag."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from visionset.geometry import Quad
from visionset.overlay.marks import Box


class Ground:
    """A coarse map of what must not be covered: symbols, and tags already placed.

    Parameters
    ----------
    size_px : tuple of int
        Width and height of the picture.
    cards, symbols : iterable of quad
        Whole cards, and the parts of them that carry symbols.
    cell_px : int
        Side of a cell of the map.
    """

    def __init__(self, size_px: tuple[int, int], cards: Iterable[Quad], symbols: Iterable[Quad], cell_px: int) -> None:
        self._cell_px = cell_px
        self._width, self._height = size_px
        shape = -(-self._height // cell_px) + 1, -(-self._width // cell_px) + 1
        self._hard, self._soft = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
        self._fill(self._hard, symbols)
        self._fill(self._soft, cards)

    def _fill(self, mask: np.ndarray[tuple[int, int], np.dtype[np.uint8]], quads: Iterable[Quad]) -> None:
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round(quad / self._cell_px).astype(np.int32), 1)

    def take(self, candidates: Iterable[Box], *, off_cards: bool = False) -> Box | None:
        """Claim the first candidate that is inside the picture and covers no symbol and no other tag; None if there is none.

        Parameters
        ----------
        candidates : iterable of Box
            The best first.
        off_cards : bool
            Cover no part of any card either.
        """
        for box in candidates:
            if box.left < 0 or box.top < 0 or box.left + box.width > self._width or box.top + box.height > self._height:
                continue
            rows = slice(int(box.top / self._cell_px), int((box.top + box.height) / self._cell_px) + 1)
            columns = slice(int(box.left / self._cell_px), int((box.left + box.width) / self._cell_px) + 1)
            if self._hard[rows, columns].any() or (off_cards and self._soft[rows, columns].any()):
                continue
            self._hard[rows, columns] = 1
            return box
        return None
