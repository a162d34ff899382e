"""What every source of frames has in common."""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from threading import Condition
from typing import Self

import numpy as np
from numpy.typing import NDArray

from visionset.closable import Closable
from visionset.geometry import Frame
from visionset.messages import Words

_PATIENCE_S = 1.0
"""How long iteration sleeps at a time while a live source has nothing new; any length works, Ctrl-C is heard between."""


class Source(ABC, Closable):
    """An iterable of `Frame`; use it in a ``with`` statement.

    The source decides how frames come: `Photos` and `Clip` give every one, `Camera` gives the newest and drops the rest.
    """

    name: str = ""
    """What a person calls it: ``camera 0``, ``deal.mp4``."""
    fps: float = 0.0
    """Frames per second that it promises, 0 where that means nothing."""
    size_px: tuple[int, int] = (0, 0)
    """Width and height of the pictures it gives at first; (0, 0) where that is not known."""
    is_live: bool = False
    """True when frames come at their own pace whether anybody looks or not."""
    ended: bool = False
    """True when no further frame will come."""
    trouble: Words = ""
    """One line about what is wrong just now and what it does about it; empty when all is well."""

    @property
    def called(self) -> Words:
        """Its name where it is put into words: `name`, if that is the same in all languages."""
        return self.name

    @abstractmethod
    def poll(self, timeout_s: float) -> Frame | None:
        """Return the next frame, or None when none came within `timeout_s` or the source has ended."""

    def close(self) -> None:
        """Give back the device or file; closing twice is allowed."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Frame:
        while not self.ended:
            frame = self.poll(_PATIENCE_S)
            if frame is not None:
                return frame
        raise StopIteration


def seconds() -> float:
    """Seconds that only grow, on Linux those too for which the computer slept: cards may have been moved meanwhile."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


class NewestWins(Source):
    """A live source that keeps its newest frame alone: those that nobody took in time are dropped and leave gaps in `Frame.index`."""

    is_live = True

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._start_s = self._last_s = clock()
        self._newest: Frame | None = None
        self._count = 0
        self._news = Condition()

    def poll(self, timeout_s: float) -> Frame | None:
        """Return the newest frame that was not returned before; None when none came within `timeout_s`."""
        with self._news:
            self._news.wait_for(lambda: self._newest is not None or self.ended, timeout_s)
            frame, self._newest = self._newest, None
            return frame

    def close(self) -> None:
        """Give no further frame."""
        with self._news:
            self.ended, self._newest = True, None
            self._news.notify_all()

    def _put(self, image_bgr: NDArray[np.uint8]) -> None:
        """Take a picture that came just now, on any thread."""
        with self._news:
            self._last_s = self._clock()
            self._newest = Frame(image_bgr, self._count, self._last_s - self._start_s)
            self._count += 1
            self._news.notify_all()
