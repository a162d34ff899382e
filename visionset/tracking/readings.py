"""Readings: a frame is read at once, or aside while the next frames are looked at; each from another pixel.

Readers look through grids of pixels. While neither camera nor table moves, they see every piece through the same cells again
and again: one that is overlooked at the edge of a cell is overlooked in each reading, and no number of readings helps. So a
picture that stands still is shifted by a little each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Protocol, TypeAlias, runtime_checkable

import cv2
import numpy as np

from visionset.frame import Frame
from visionset.geometry import Floats, as_quad
from visionset.table import Sighting, Table

Reader: TypeAlias = Callable[[Frame], Table]
"""Reads one frame by itself, such as ``lambda frame: visionset.vision.pipeline.read(frame.image_bgr)``."""


@runtime_checkable
class AsyncReader(Protocol):
    """Reads one frame at a time, perhaps in a thread of its own, as `visionset.sources.Aside` does."""

    def begin(self, frame: Frame) -> bool:
        """Begin to read a frame; False while another is read."""

    def take(self) -> tuple[Frame, Table] | None:
        """Take the outcome away, with its frame; None while there is none."""


class AtOnce:
    """Reads a frame while everybody waits: a stream gives the same each time it is followed.

    Parameters
    ----------
    reader : callable
        Takes a `Frame`, returns the `Table` in it.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._done: tuple[Frame, Table] | None = None

    def begin(self, frame: Frame) -> bool:
        """Read a frame."""
        self._done = frame, self._reader(frame)
        return True

    def take(self) -> tuple[Frame, Table] | None:
        """Take the outcome away."""
        done, self._done = self._done, None
        return done


@dataclass(frozen=True, slots=True)
class DitherOptions:
    """How far the picture is shifted.

    Attributes
    ----------
    shifts_px : sequence of (right, down)
        Shifts of one reading after the other, in pixels; the first is none. Cells of the finder are some 3 to 5 pixels of a
        picture wide: these lie in different parts of one.
    """

    shifts_px: Sequence[tuple[int, int]] = ((0, 0), (2, 2), (3, 0), (0, 3), (1, 1))


def dithered(reader: Reader, options: DitherOptions = DitherOptions()) -> Reader:
    """Read each frame through a shifted picture; outlines are those of the frame itself.

    Parameters
    ----------
    reader : callable
        Takes a `Frame`, returns the `Table` in it.
    options : DitherOptions
        Numbers.
    """
    shifts = cycle(options.shifts_px)

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
