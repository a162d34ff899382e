"""The loop: frame to table, table to SETs, all of it drawn and timed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from visionset.frame import Frame
from visionset.overlay import Drawing, View, caption_text, draw_table, paint
from visionset.table import Settled, Table
from visionset.table_sets import Trio, sets_of

_PACE_FRAMES = 30
"""Frames over which the pace is averaged: about a second, so that the number can be read."""


_HELD_S = 0.3
"""A table that is held for less is not called so: the tracker only looked twice, and words that flash disturb."""


class TableTracker(Protocol):
    """What follows a table through frames, such as `visionset.tracking.TableTracker`."""

    timings_ms: dict[str, float]

    def see(self, frame: Frame) -> Settled:
        """Look at one more frame of a stream."""


@dataclass(frozen=True, slots=True)
class Look:
    """One frame and what was made of it.

    Attributes
    ----------
    frame : Frame
        The picture.
    settled : Settled
        What lies there, whether that is from before, and remarks about the view.
    sets : tuple of three positions
        SETs among `table.sightings`, as `visionset.table_sets.sets_of` lists them.
    timings_ms : dict of float
        Milliseconds of each stage, in order.
    fps : float
        Frames looked at per second, over the last second or so; 0 for the first.
    held_s : float
        For how long the table has been held, in seconds of the frames' time; 0 when it is not.
    """

    frame: Frame
    settled: Settled
    sets: tuple[Trio, ...]
    timings_ms: dict[str, float]
    fps: float
    held_s: float = 0.0

    @property
    def table(self) -> Table:
        """What lies there."""
        return self.settled.table


def caption_of(look: Look, view: View) -> tuple[str, bool]:
    """The one line about a look, and whether it asks for something.

    What a person could mend about the view takes the place of what lies there; a table that is held says so.
    """
    if look.settled.remarks:
        return look.settled.remarks[0], True
    text = caption_text(look.table, look.sets, view)
    return (f"{text} · held while something moves" if look.held_s >= _HELD_S and look.table.sightings else text), False


class Assistant:
    """Looks at frames one after the other and draws what it sees.

    Parameters
    ----------
    tracker : TableTracker
        Remembers the stream.
    decks : int
        Copies of each card that may lie on the table.
    clock : callable
        Seconds that only grow; for tests.
    """

    def __init__(self, tracker: TableTracker, decks: int = 1, clock: Callable[[], float] = time.perf_counter) -> None:
        self._tracker = tracker
        self._decks = decks
        self._clock = clock
        self._seen_s: deque[float] = deque(maxlen=_PACE_FRAMES + 1)
        self._free_s: float | None = None
        self._draw_ms = 0.0
        self._drawn: tuple[object, ...] = ()
        self._drawing = Drawing((0, 0))

    def look(self, frame: Frame) -> Look:
        """Follow the table through one more frame and find its SETs."""
        start_s = self._clock()
        settled = self._tracker.see(frame)
        read_s = self._clock()
        sets = sets_of(settled.table, self._decks).sets
        end_s = self._clock()
        self._seen_s.append(end_s)
        spent_s = self._seen_s[-1] - self._seen_s[0]
        fps = (len(self._seen_s) - 1) / spent_s if spent_s > 0 else 0.0
        stages = dict(self._tracker.timings_ms) or {"read": 1000 * (read_s - start_s)}
        stages |= {"SETs": 1000 * (end_s - read_s), "draw": self._draw_ms, "all": 1000 * (end_s - start_s) + self._draw_ms}
        if not settled.held or self._free_s is None or frame.time_s < self._free_s:
            self._free_s = frame.time_s
        return Look(frame, settled, sets, stages, fps, frame.time_s - self._free_s)

    def looks(self, frames: Iterable[Frame]) -> Iterator[Look]:
        """Look at every frame of a source."""
        for frame in frames:
            yield self.look(frame)

    def draw(self, look: Look, view: View) -> NDArray[np.uint8]:
        """Return a copy of the frame, turned to the view, with cards and SETs drawn on it.

        Where neither the cards nor the view changed since the last frame, the last drawing is painted again.
        """
        start_s = self._clock()
        wanted = (look.table.sightings, look.table.size_px, look.sets, view)
        if not self._drawn or wanted[0] is not self._drawn[0] or wanted[1:] != self._drawn[1:]:
            self._drawn = wanted
            self._drawing = draw_table(view.turn_table(look.table), look.sets, view)
        picture = paint(self._drawing, view.turn_image(look.frame.image_bgr))
        self._draw_ms = 1000 * (self._clock() - start_s)
        return picture
