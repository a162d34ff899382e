"""Readings: a frame is read at once, or aside while the next frames are looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

from visionset.frame import Frame
from visionset.table import Table

Reader: TypeAlias = Callable[[Frame], Table]
"""Reads one frame by itself, such as ``lambda frame: visionset.vision.pipeline.read(frame.image_bgr)``."""


@runtime_checkable
class Readings(Protocol):
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
