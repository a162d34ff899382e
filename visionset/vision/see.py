"""The reader: a picture in, a table out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from visionset.frame import Frame
from visionset.table import Table

Stages: TypeAlias = Callable[[str, NDArray[np.uint8]], None]
"""Called with the short name of a step and a BGR picture of its result."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read.

    Attributes
    ----------
    decks : int
        Copies of each card that may lie on the table.
    min_confidence : float
        0 to 1; a card below it is reported as unread.
    """

    decks: int = 1
    min_confidence: float = 0.5


def read(image_bgr: NDArray[np.uint8], options: ReadOptions = ReadOptions(), *, stages: Stages | None = None) -> Table:
    """Read the cards on a table."""
    if stages:
        stages("input", image_bgr)
    return Table((image_bgr.shape[1], image_bgr.shape[0]))


def read_whole_card(image_bgr: NDArray[np.uint8], options: ReadOptions = ReadOptions(), *, stages: Stages | None = None) -> Table:
    """Read a picture that one card fills."""
    return read(image_bgr, options, stages=stages)


class Watcher:
    """Reads a stream, cheap where nothing changed."""

    def __init__(self, options: ReadOptions = ReadOptions()) -> None:
        self.options = options
        self.timings_ms: dict[str, float] = {}

    def see(self, frame: Frame) -> Table:
        """Read one frame."""
        return read(frame.image_bgr, self.options)
