"""Dither: a picture that stands still is read from another pixel each time, so that a blink of the reader is not repeated.

Readers look through grids of pixels. While neither camera nor table moves, they see every piece through the same cells again
and again: one that is overlooked at the edge of a cell is overlooked in each reading, and no number of readings helps.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

import cv2
import numpy as np

from visionset.frame import Frame
from visionset.geometry import Floats, as_quad
from visionset.table import Sighting, Table
from visionset.tracking.tracker import Reader

_SHIFTS_PX = ((0, 0), (2, 2), (3, 0), (0, 3), (1, 1))
"""Shifts of one reading after the other, right and down; the first is none. Cells of the finder are some 3 to 5 pixels of a picture wide:
these lie in different parts of one."""


def dithered(reader: Reader) -> Reader:
    """Read each frame through a shifted picture; outlines are those of the frame itself."""
    shifts = cycle(_SHIFTS_PX)

    def read(frame: Frame) -> Table:
        right, down = next(shifts)
        if not (right or down):
            return reader(frame)
        table = reader(shifted(frame, right, down))
        back = np.array([right, down], np.float64)
        return replace(table, sightings=tuple(_moved(one, back) for one in table.sightings))

    return read


def shifted(frame: Frame, right: int, down: int) -> Frame:
    """The frame with its picture pushed right and down; what is pushed over the edge is lost, the other edge is repeated."""
    height, width = frame.image_bgr.shape[:2]
    wider = cv2.copyMakeBorder(frame.image_bgr, down, 0, right, 0, cv2.BORDER_REPLICATE)
    return replace(frame, image_bgr=np.asarray(wider[:height, :width], np.uint8))


def _moved(one: Sighting, back_px: Floats) -> Sighting:
    return replace(one, outline_px=as_quad(one.outline_px - back_px))
