"""The window of a session: shows its snapshots, takes keys, and writes the video of what is shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from visionset.session import Session
from visionset.window.watch import Shown, TablePresenter

_LEAST_WAIT_S = 0.001
"""OpenCV draws its window while it waits for a key, so that it has to wait a little."""


class Screen(Protocol):
    """A window with keys; tests bring their own."""

    def show(self, image_bgr: NDArray[np.uint8]) -> None:
        """Show a picture."""

    def key(self, wait_s: float) -> int:
        """Wait for a key and return its code; negative for none."""

    def is_open(self) -> bool:
        """False after the person closed the window."""


class TableWindow:
    """Drives a session and shows it, in the thread that calls `run`: windows want the main one.

    A clip is played at its own pace. Without a screen `write` is called all the same: with each new picture as it is recorded, and its
    time.
    """

    def __init__(
        self,
        session: Session,
        presenter: TablePresenter,
        screen: Screen | None,
        write: Callable[[NDArray[np.uint8], float], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session, self.presenter, self.screen = session, presenter, screen
        self._write, self._clock = write, clock
        self._due_s = clock()

    def run(self) -> None:
        """Show the session until it is over or the person leaves."""
        shown: Shown | None = None
        shown_for: object = None
        while not (self.presenter.is_done or self.session.is_over) and (self.screen is None or self.screen.is_open()):
            news = self.session.step() if self._clock() >= self._due_s else None  # a key ends the wait: the picture stands all the same
            snapshot, is_fresh = self.session.snapshot, news is not None and news.is_fresh
            if snapshot is None or (self.screen is None and (self._write is None or not is_fresh)):
                continue
            if shown is None or (snapshot.version, self.presenter.wanted) != shown_for:
                shown = self.presenter.compose(snapshot, self.screen is not None)
                shown_for = snapshot.version, self.presenter.wanted
                if self._write is not None and is_fresh:
                    self._write(shown.recorded, snapshot.frame.time_s)
                if self.screen is not None:
                    self.screen.show(shown.window)
            if self.screen is not None:
                self.presenter.pressed(self.screen.key(self._wait_s(is_fresh)), shown)

    def _wait_s(self, is_fresh: bool) -> float:
        """Time to wait for a key: until a clip's next frame is due, hardly at all where the session waits by itself."""
        source, now_s = self.session.source, self._clock()
        if is_fresh and not source.is_live and source.fps > 0:
            self._due_s = max(self._due_s + 1 / source.fps, now_s)  # a clip that fell behind does not hurry to catch up
        return max(_LEAST_WAIT_S, self._due_s - now_s)
