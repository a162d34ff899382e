"""Work on frames in a thread of its own, so that what shows them does not wait for it."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, Thread
from types import TracebackType
from typing import Generic, Self, TypeVar

from visionset.frame import Frame

T = TypeVar("T")

_PATIENCE_S = 5.0
"""Longest wait at the end for work that is under way; a reading takes a tenth of a second."""


class Aside(Generic[T]):
    """Does one piece of work at a time, on the frame it was given; use it in a ``with`` statement.

    Parameters
    ----------
    work : callable
        Takes a `Frame`; it is called in the thread, never twice at once.
    """

    def __init__(self, work: Callable[[Frame], T]) -> None:
        self._work = work
        self._news = Condition()
        self._frame: Frame | None = None
        self._done: tuple[Frame, T] | None = None
        self._error: BaseException | None = None
        self._stop = False
        self._thread = Thread(target=self._run, name="visionset reading", daemon=True)
        self._thread.start()

    def begin(self, frame: Frame) -> bool:
        """Begin with a frame; False while another is under way or its outcome was not taken."""
        with self._news:
            if self._frame is not None or self._done is not None or self._error is not None:
                return False
            self._frame = frame
            self._news.notify_all()
            return True

    def take(self, timeout_s: float = 0.0) -> tuple[Frame, T] | None:
        """Take the outcome away, with the frame that it is of; None when there is none within `timeout_s`.

        What the work raises is raised here.
        """
        with self._news:
            self._news.wait_for(lambda: self._done is not None or self._error is not None, timeout_s)
            error, self._error = self._error, None
            done, self._done = self._done, None
        if error is not None:
            raise error
        return done

    def close(self) -> None:
        """Let what is under way end, and stop the thread."""
        with self._news:
            self._stop = True
            self._news.notify_all()
        self._thread.join(_PATIENCE_S)

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._frame is not None or self._stop)
                frame = self._frame
                if self._stop or frame is None:
                    return
            done: tuple[Frame, T] | None = None
            error: BaseException | None = None
            try:
                done = frame, self._work(frame)
            except BaseException as raised:
                error = raised
            with self._news:
                self._frame, self._done, self._error = None, done, error
                self._news.notify_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
