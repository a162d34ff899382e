"""Listeners that have a thread of their own."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, Thread, current_thread

from visionset.referee.news import News
from visionset.session.snapshot import Listener, Snapshot


class ListenerThread:
    """A listener in a thread of its own: it gets the newest snapshot there is, and all news."""

    def __init__(self, listener: Listener, give_up: Callable[[Listener, Exception], object]) -> None:
        self.listener, self._give_up = listener, give_up
        self._came = Condition()
        self._snapshot: Snapshot | None = None
        self._news: list[News] = []
        self._is_ending = False
        self._thread = Thread(target=self._run, name="visionset listener", daemon=True)
        self._thread.start()

    def __call__(self, snapshot: Snapshot, news: tuple[News, ...]) -> None:
        """Leave something to be told."""
        with self._came:
            self._snapshot = snapshot
            self._news += news
            self._came.notify()

    def end(self, patience_s: float = 0.0) -> None:
        """Let it finish with what there is; who is told by it to end does not wait for itself."""
        with self._came:
            self._is_ending = True
            self._came.notify()
        if patience_s and current_thread() is not self._thread:
            self._thread.join(patience_s)

    def _run(self) -> None:
        while True:
            with self._came:
                self._came.wait_for(lambda: self._snapshot is not None or self._is_ending)
                snapshot, news = self._snapshot, tuple(self._news)
                self._snapshot, self._news = None, []
            if snapshot is None:
                return
            try:
                self.listener(snapshot, news)
            except Exception as error:
                self._give_up(self.listener, error)
                return
