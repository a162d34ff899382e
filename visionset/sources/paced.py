"""A video played at its own pace, as a camera would give it."""

from __future__ import annotations

import time
from collections.abc import Callable

from visionset.geometry import Frame
from visionset.messages import Message, Words
from visionset.sources.base import Source


class Paced(Source):
    """The frames of another source when they are due: the newest wins, and those that nobody took in time are dropped.

    Parameters
    ----------
    inner : Source
        Gives every frame, as a `Clip` does.
    clock : callable
        Seconds that only grow; for tests.
    sleep : callable
        Waits for so many seconds; for tests.
    """

    is_live = True

    def __init__(self, inner: Source, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], object] = time.sleep) -> None:
        self.inner, self.name, self.fps, self.size_px = inner, inner.name, inner.fps, inner.size_px
        self._clock, self._sleep = clock, sleep
        self._began_s: float | None = None
        self._coming: Frame | None = None

    @property
    def called(self) -> Words:
        """As the video is."""
        return self.inner.called

    @property
    def trouble(self) -> Words:  # type: ignore[override]
        """What is wrong with the video; that it is over is told, for people wait for a camera that sees nothing any more."""
        return self.inner.trouble or (Message("source.film_over", name=self.called) if self.ended else "")

    def poll(self, timeout_s: float) -> Frame | None:
        """Return the newest frame that is due; None when none is within `timeout_s` or the video has ended."""
        coming = self._coming or self.inner.poll(timeout_s)
        if coming is None:
            self.ended = self.inner.ended
            return None
        if self._began_s is None:
            self._began_s = self._clock() - coming.time_s
        wait_s = self._began_s + coming.time_s - self._clock()
        if wait_s > 0:
            self._sleep(min(wait_s, timeout_s))
        if wait_s > timeout_s:
            self._coming = coming
            return None
        now_s = self._clock() - self._began_s
        frame, self._coming = coming, None
        while not self.inner.ended and (following := self.inner.poll(0.0)) is not None:
            if following.time_s > now_s:
                self._coming = following
                break
            frame = following
        self.ended = self.inner.ended and self._coming is None
        return frame

    def close(self) -> None:
        """Close the video."""
        self.ended = True
        self.inner.close()
