"""A session: frames and what people say go in, snapshots and news come out, to any number of listeners.

``Source -> TableTracker -> Session -> listeners``. One thread looks: the one that calls `Session.run`, `step` or `look`. Everything
else may be called from any thread, and what comes out are values that never change.

What listeners may rely on:

- Each is called with the newest `Snapshot` and the `News` since its last call, never twice at once, versions only growing.
- One that listens in turn is called by the thread that looks, for every snapshot, before the next frame: a recording misses nothing.
- One that listens aside has a thread of its own. While it is busy snapshots pass it by; it gets the newest next, with all news.
- One that raises is complained of, and is not called again. Neither it nor one that is slow aside stops the table.
- `Session.close` lets those that listen aside finish with the last snapshot; for one that hangs it waits `SessionOptions.patience_s`.

Longer than most modules: what goes in and what comes out hang on the same few fields.
"""

from __future__ import annotations

import heapq
import logging
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import count
from numbers import Real
from threading import Event, Lock
from typing import Protocol, Self

from visionset.closable import Closable
from visionset.errors import OptionError, OutputError, check_type, reason
from visionset.geometry import Frame
from visionset.messages import Message, Words, in_words
from visionset.pieces import Piece
from visionset.referee.director import Director
from visionset.referee.player_input import CallSet, Said, check_said
from visionset.referee.zones import Zones
from visionset.session.listening import ListenerThread
from visionset.session.options import SessionOptions, tracker_of
from visionset.session.snapshot import Listener, SetsOnTable, Snapshot
from visionset.sources import Guarded, Source, open_source
from visionset.table import Settled, Table
from visionset.tracking import TableTracker


class Keeper(Protocol):
    """What writes to a disk, such as `visionset.recording.Recorder`."""

    @property
    def trouble(self) -> Words:
        """What is wrong just now; empty when all is well."""


class Tracker(Protocol):
    """What follows a table through frames, such as `visionset.tracking.TableTracker`."""

    timings_ms: dict[str, float]

    def see(self, frame: Frame) -> Settled:
        """Look at one more frame of a stream."""

    def exclude(self, pieces: frozenset[Piece]) -> None:
        """Leave out pieces that cannot lie on the table."""


_LOG = logging.getLogger(__name__)


def _check_options(options: object) -> None:
    check_type(options, SessionOptions, "SessionOptions", "it takes decks, kinds and min_confidence too")


_PACE_FRAMES = 30
"""Frames over which the pace is averaged: about a second, so that the number can be read."""


class Session(Closable):
    """Looks at a table, follows a game on it, and tells its listeners; use it in a ``with`` statement.

    Parameters
    ----------
    source : Source
        Where frames come from.
    tracker : Tracker
        Follows the table through them.
    director : Director, optional
        Follows a game on it.
    options : SessionOptions
        What lies there, and how patient the session is.
    complain : callable
        Takes one line about trouble with the source, the disk or a listener, and one when it is over; logs it where left out.
    clock : callable
        Seconds that only grow; for tests.

    Attributes
    ----------
    frames : int
        Frames that were looked at.
    gave_up : tuple of Exception
        What listeners raised that are told nothing more.

    Raises
    ------
    OptionError
        The source is none, or what is given as director or options is something else.
    RecordError
        The zones of the game are in millimetres, and no profile knows the table.

    See Also
    --------
    Session.open : the same for a camera, a stream or a video, with its tracker.

    Examples
    --------
    >>> import visionset
    >>> from visionset.sample_files import demo_clip
    >>> seen = []
    >>> with visionset.Session.open(str(demo_clip())) as session:
    ...     _ = session.listen(lambda snapshot, news: seen.append(len(snapshot.sets)))
    ...     first = session.step()
    >>> first.version, first.table.size_px, seen == [len(first.sets)]
    (1, (1280, 720), True)
    """

    def __init__(
        self,
        source: Source,
        tracker: Tracker,
        director: Director | None = None,
        options: SessionOptions = SessionOptions(),
        complain: Callable[[str], object] = _LOG.warning,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        if not callable(getattr(source, "poll", None)):
            raise OptionError(f"expected a Source, got {source!r:.80}; Session.open takes the name of a camera or a video")
        check_type(director, Director | None, "a Director or None", "examples/referee_clip.py shows how one is made")
        _check_options(options)
        self.source, self.options = source, options
        self._complain = complain
        self.frames = 0
        self.gave_up: tuple[Exception, ...] = ()
        self._tracker, self._director, self._clock = tracker, director, clock
        self._stack = ExitStack()
        self._inputs: list[tuple[float, int, Callable[[Director], object]]] = []  # heap of what was said: time to hear it, number, how
        self._number = count()
        self._lock = Lock()
        self._listeners: tuple[Listener, ...] = ()
        self._keepers: tuple[Keeper, ...] = ()
        self._woken = Event()
        self._snapshot: Snapshot | None = None
        self._frame: Frame | None = None
        self._settled = Settled(Table((1, 1)), held=True)
        self._found = SetsOnTable(self._settled.table, options.decks)
        self._lying: object = None  # tracks and pieces for which SETs were found last
        self._excluded: frozenset[Piece] = frozenset()
        self._time_s, self._free_s = 0.0, math.inf  # time of the stream so far, and of the last frame whose table was not held
        self._timings_ms: Mapping[str, float] = {}
        self._seen_s: deque[float] = deque(maxlen=_PACE_FRAMES + 1)
        self._source_trouble: Words = ""
        self._keeper_trouble: Words = ""
        self._unkept: Words = ""  # why the game's log cannot be written; empty while it can
        self._is_changed = self._is_stopped = self._is_paused = False
        if director is not None:
            director.calibrate(options.profile)

    @classmethod
    def open(
        cls,
        source: str | int | Source,
        options: SessionOptions = SessionOptions(),
        directed: Callable[[TableTracker], Director] | None = None,
    ) -> Self:
        """Open a camera, a stream or a video, or take a source of one's own, to be closed with the session.

        Parameters
        ----------
        source : str, int or Source
            ``0`` or ``/dev/video0`` for a webcam, ``rtsp://...`` for a stream, any other text for a video file.
        options : SessionOptions
            What lies there.
        directed : callable, optional
            Makes the director of a game, whom the tracker must know: people's corrections go there.

        Raises
        ------
        SourceError
            The source cannot be opened.
        OptionError
            What is given as source or options is something else.
        """
        _check_options(options)
        with ExitStack() as stack:
            opened = stack.enter_context(source if isinstance(source, Source) else open_source(source))
            tracker = tracker_of(options, opened.is_live, stack)
            director = None if directed is None else directed(tracker)
            session = cls(Guarded(opened) if opened.is_live else opened, tracker, director, options)
            session._stack = stack.pop_all()
        return session

    @property
    def snapshot(self) -> Snapshot | None:
        """The newest snapshot; None before the first frame."""
        return self._snapshot

    @property
    def is_over(self) -> bool:
        """No further frame comes, or somebody stopped it."""
        return self._is_stopped or (self.source.ended and not self._is_paused)

    def listen(self, listener: Listener, *, aside: bool = False) -> None:
        """Tell a listener from now on.

        Parameters
        ----------
        listener : callable
            Takes the newest `Snapshot` and the `News` since its last call.
        aside : bool
            In a thread of its own, where it may be slow; else in turn, before the next frame.

        Raises
        ------
        OptionError
            It cannot be called.
        """
        if not callable(listener):
            raise OptionError(f"expected a listener that is called with snapshot and news, got {listener!r:.80}; give a function")
        with self._lock:
            self._listeners = (*self._listeners, ListenerThread(listener, self._give_up) if aside else listener)

    def watch_over(self, keeper: Keeper) -> None:
        """Tell the trouble of what writes to a disk, as that of the source is told."""
        self._keepers = (*self._keepers, keeper)

    def unlisten(self, listener: Listener) -> None:
        """Tell a listener nothing more."""
        with self._lock:
            gone = [one for one in self._listeners if one is listener or (isinstance(one, ListenerThread) and one.listener is listener)]
            self._listeners = tuple(one for one in self._listeners if one not in gone)
        for one in gone:
            if isinstance(one, ListenerThread):
                one.end()

    def say(self, said: Said, time_s: float | None = None) -> None:
        """Pass on what somebody says: at once, or when the stream has reached a time; nothing is heard before the first frame.

        Raises
        ------
        OptionError
            That is nothing that anybody can say, or the time is none; of what the game does not allow now the news tell.
        """
        if time_s is not None and not (isinstance(time_s, Real) and math.isfinite(time_s)):
            raise OptionError(f"expected time_s in seconds of the stream, got {time_s!r:.40}; None is at once")
        check_said(said)
        if isinstance(said, CallSet) and said.said_s is None:  # it was said then, and not with the frame that comes next
            said = replace(said, said_s=time_s)
        self._enqueue(lambda director: director.hear(said, self._time_s), time_s)

    def rearrange(self, zones: Zones) -> None:
        """Let the game go by other zones; raises `OptionError` for what is none."""
        check_type(zones, Zones, "Zones", "Zones.load reads a file of them")
        self._enqueue(lambda director: director.rearrange(zones))

    def pause(self, is_paused: bool) -> None:
        """Take no further frame, or go on."""
        self._is_paused = is_paused
        self._woken.set()

    def stop(self) -> None:
        """Let `run` return after the frame that is looked at."""
        self._is_stopped = True
        self._woken.set()

    def run(self) -> None:
        """Look at frames until the source ends or somebody stops it."""
        while not self.is_over:
            self.step()

    def __iter__(self) -> Iterator[Snapshot]:
        """Look at frames as `run` does, and give the snapshot of each."""
        while not self.is_over:
            snapshot = self.step()
            if snapshot is not None and snapshot.is_fresh:
                yield snapshot

    def step(self) -> Snapshot | None:
        """Hear what was said, look at one more frame if one comes soon, and tell the listeners; None where nothing is new."""
        self._hear()
        frame = None
        if self._is_paused:
            self._woken.wait(self.options.wait_s)
            self._woken.clear()
        else:
            frame = self.source.poll(self.options.wait_s)
        self._watch_for_trouble()
        if frame is not None:
            return self.look(frame)
        return self._publish(self._frame, False) if self._frame is not None and self._is_changed else None

    def look(self, frame: Frame) -> Snapshot:
        """Look at one frame, for those who have frames and no source; raises `OptionError` for what is none."""
        check_type(frame, Frame, "a Frame", "visionset.geometry.Frame makes one of a picture, with its number and its time")
        self.frames += 1
        if self._director is not None and self._frame is not None and frame.time_s - self._time_s > self.options.gap_s:
            self._director.miss(frame.time_s)
        self._frame, self._time_s = frame, max(self._time_s, frame.time_s)
        self._hear()
        start_s = self._clock()
        settled = self._tracker.see(frame)
        if isinstance(self.source, Guarded) and self.source.same_s > self.options.gap_s:
            settled = replace(settled, blind=True)
        self._settled = settled
        read_s = self._clock()
        if not settled.held or frame.time_s < self._free_s:
            self._free_s = frame.time_s
        lying = tuple((one.track, one.piece) for one in settled.table.sightings)
        if settled.changes or lying != self._lying:
            self._lying, self._found = lying, SetsOnTable(settled.table, self.options.decks)
        director = self._director
        if director is None:
            _ = self._found.sets  # looked for now, so that their time is in `timings_ms`; in a game hardly anybody asks for them
        else:
            self._keeping(lambda: director.see(settled, self._time_s))
            if director.excluded != self._excluded:
                self._excluded = director.excluded
                self._tracker.exclude(self._excluded)
        end_s = self._clock()
        self._seen_s.append(end_s)
        stages = dict(self._tracker.timings_ms) or {"read": 1000 * (read_s - start_s)}
        what = "SETs" if director is None else "game"
        self._timings_ms = {**stages, what: 1000 * (end_s - read_s), "all": 1000 * (end_s - start_s)}
        return self._publish(frame, True)

    def close(self) -> None:
        """Let the listeners finish, and close what `open` opened; closing twice is allowed."""
        self.stop()
        with self._lock:
            listeners, self._listeners = self._listeners, ()
        for one in listeners:
            if isinstance(one, ListenerThread):
                one.end(self.options.patience_s)
        self._stack.close()

    def _enqueue(self, heard: Callable[[Director], object], time_s: float | None = None) -> None:
        with self._lock:
            heapq.heappush(self._inputs, (-math.inf if time_s is None else time_s, next(self._number), heard))
        self._woken.set()

    def _hear(self) -> None:
        """Pass on to the director what was said until the time of this frame, in the order of its times."""
        while self._frame is not None and self._inputs and self._inputs[0][0] <= self._time_s:
            with self._lock:
                _, _, heard = heapq.heappop(self._inputs)
            if self._director is not None:
                self._keeping(partial(heard, self._director))
                self._is_changed = True

    def _keeping(self, do: Callable[[], object]) -> None:
        """Let the director do something; complain where the game's log cannot be written: the game stands still until it can."""
        history = None if self._director is None else self._director.history
        try:
            do()
        except OutputError as error:
            if not self._unkept:
                self._complain(str(error))
            self._unkept = error.message
        else:
            if self._director is not None and self._director.history is not history:  # what was kept tells that there is room again
                self._unkept = ""

    def _watch_for_trouble(self) -> None:
        """Complain of trouble with source or disk, and tell when it is over."""
        source, keeper = self.source.trouble, next((one.trouble for one in self._keepers if one.trouble), "")
        if bool(source) != bool(self._source_trouble):
            self._complain(in_words(source or Message("source.back", name=self.source.called)))
        if bool(keeper) != bool(self._keeper_trouble):
            self._complain(in_words(keeper or Message("disk.room_again")))
        self._is_changed |= (source, keeper) != (self._source_trouble, self._keeper_trouble)
        self._source_trouble, self._keeper_trouble = source, keeper

    def _publish(self, frame: Frame, is_fresh: bool) -> Snapshot:
        """Make the next snapshot, and tell it."""
        self._is_changed = False
        director, before = self._director, self._snapshot
        spent_s = self._seen_s[-1] - self._seen_s[0]
        self._snapshot = snapshot = Snapshot(
            1 if before is None else before.version + 1,
            frame,
            is_fresh,
            self._settled,
            self._found,
            None if director is None else director.history,
            None if director is None else director.showing,
            None if director is None else director.referee.zones,
            self._source_trouble or self._unkept or self._keeper_trouble,
            self._timings_ms,
            (len(self._seen_s) - 1) / spent_s if spent_s > 0 else 0.0,
            frame.time_s - self._free_s,
        )
        news = () if director is None else director.take_news()
        for listener in self._listeners:
            try:
                listener(snapshot, news)
            except Exception as error:
                self._give_up(listener, error)
        return snapshot

    def _give_up(self, listener: Listener, error: Exception) -> None:
        """A listener raised: it is complained of, and told nothing more."""
        self.unlisten(listener)
        self.gave_up = (*self.gave_up, error)
        if isinstance(error, OSError):
            if not isinstance(error, BrokenPipeError):  # that nobody reads any more is no trouble
                self._complain(
                    f"expected to write what is told, got {reason(error)}; it is told no more, and the table is followed all the same"
                )
            return
        self._complain(f"{getattr(listener, '__qualname__', type(listener).__name__)} gave up: {error}")
