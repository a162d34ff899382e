"""Read a stream, and nothing twice."""

from __future__ import annotations

import time

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.frame import Frame
from visionset.table import Table
from visionset.vision.options import ReadOptions
from visionset.vision.see import read


class Watcher:
    """Reads a stream: a frame in which nothing changed since the last reading costs next to nothing.

    Attributes
    ----------
    timings_ms : dict of str to float
        Milliseconds of each stage of the last frame.
    """

    _SMALL = (160, 90)
    _CHANGE_LEVELS = 9
    """A block of the small picture that differs by more than this (of 255) is a change, less is noise and flicker."""

    def __init__(self, options: ReadOptions | None = None) -> None:
        self.options = options or ReadOptions()
        self.timings_ms: dict[str, float] = {}
        self._reference: NDArray[np.uint8] | None = None
        self._table: Table | None = None

    def see(self, frame: Frame) -> Table:
        """Read one frame."""
        start = time.perf_counter()
        small = cv2.cvtColor(cv2.resize(frame.image_bgr, self._SMALL, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        changed = (
            self._table is None
            or self._reference is None
            or self._table.size_px != frame.size_px
            or int(cv2.absdiff(small, self._reference).max()) > self._CHANGE_LEVELS
        )
        compared = time.perf_counter()
        self.timings_ms = {"compare": 1000 * (compared - start)}
        if changed or self._table is None:
            self._table = read(frame.image_bgr, self.options)
            self._reference = np.asarray(small, np.uint8)
            self.timings_ms["read"] = 1000 * (time.perf_counter() - compared)
        self._table = Table(self._table.size_px, self._table.sightings, frame.index)
        return self._table
