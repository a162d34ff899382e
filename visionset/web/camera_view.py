"""A camera before a table, for pages: a session in a thread of its own, told as a state, as pictures, and as crops of pieces."""

from __future__ import annotations

import logging
import secrets
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from threading import Event, Thread, current_thread

from visionset.errors import VisionsetError
from visionset.messages import Message, at_table
from visionset.pieces import Piece
from visionset.referee.news import News
from visionset.session import Session, Snapshot
from visionset.session.piece_crops import PieceCrops
from visionset.session.refereed import open_for_game
from visionset.sources import Guarded, Paced, Source
from visionset.web.in_languages import InLanguages
from visionset.web.pictures import Pictures, jpeg
from visionset.web.showing import Json

_LOG = logging.getLogger(__name__)

_IDLE_S = 0.05
"""How often people are heard where no frame comes any more: nobody notices that."""

_AGAIN_S = 1.0
"""From a step that failed to the next: a fault that stays is not told a thousand times."""

_MOST_EXHIBITS = 600
"""Crops that pages may ask for, the latest: more than the log and all open questions show."""

_PATIENCE_S = 10.0
"""Longest wait at the end for the frame that is looked at."""

_FRAMES = 100
"""So many frames say how far the clock is ahead of the stream's time: the quickest of them hardly waited."""


def open_camera(source: str, game: str | None = None) -> Source:
    """Open a camera, a stream or a video for a game; a video is played in real time, as if a camera saw it now.

    Raises
    ------
    SourceError
        It cannot be opened.
    """
    opened = open_for_game(source, game)
    return opened if opened.is_live else Paced(opened)


class CameraView(ABC):
    """What a camera sees, told to pages; a `pace` is called with each snapshot that a frame brought, before the next frame.

    Attributes
    ----------
    pictures : Pictures
        The newest pictures.
    """

    def __init__(self, pace: Callable[[Snapshot], object] | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.pictures = Pictures()
        self._stack = ExitStack()
        self._stack.callback(self.pictures.close)
        self._crops = PieceCrops()
        self._exhibits: dict[str, bytes] = {}
        self._listeners: list[Callable[[], None]] = []
        self._published: tuple[int, InLanguages] = (0, InLanguages(dict))
        self._shown_last = self._published[1]
        self._ahead_s: deque[float] = deque(maxlen=_FRAMES)
        self._pace, self._clock = pace, clock
        self._closing = Event()
        self._thread = Thread(target=self._run, name="visionset camera", daemon=True)
        self._session: Session | None = None

    @property
    def version(self) -> int:
        """Of what is shown; it only grows."""
        return self._published[0]

    @property
    def session(self) -> Session:
        """What looks at the table."""
        assert self._session is not None
        return self._session

    def showing(self, player: int | None = None) -> Json:
        """The state, the same for everybody."""
        return self._published[1]()

    def listen(self, listener: Callable[[], None]) -> None:
        """Tell somebody about each new version, on any thread."""
        self._listeners.append(listener)

    def exhibit(self, id: str) -> bytes | None:
        """The crop of a piece, as JPEG; None where there is none of this name."""
        return self._exhibits.get(id)

    def close(self) -> None:
        """Give the camera back."""
        self._closing.set()
        self.session.stop()
        if self._thread is not current_thread():
            self._thread.join(_PATIENCE_S)
        self.session.close()
        self._ended()
        self._stack.close()

    def _ended(self) -> None:  # noqa: B027 - only a match has something to keep
        """Keep what is to be kept, once nothing looks any more."""

    def _start(self, session: Session) -> None:
        """Look at the table from now on."""
        self._session = session
        session.listen(self._look)
        self._thread.start()

    def _run(self) -> None:
        session = self.session
        while not self._closing.is_set():
            try:
                snapshot = session.step()
            except VisionsetError as error:  # of the source: it may come back
                _LOG.warning("%s", error)
                self._notice(error)
                snapshot = None
                self._closing.wait(_AGAIN_S)
            except Exception as error:  # of a game, ours or another's: the table goes on, as it does after what a page says
                self._notice_fault(error)
                snapshot = None
                self._closing.wait(_AGAIN_S)
            if session.snapshot is None and session.source.trouble:  # before the first frame nothing else tells of it
                self._notice(session.source.trouble)
            if snapshot is not None and snapshot.is_fresh and self._pace is not None:
                self._pace(snapshot)
            if session.source.ended:
                self._closing.wait(_IDLE_S)

    def _notice_fault(self, error: Exception) -> None:
        """Say that something of the program is wrong, whose trace the log keeps."""
        _LOG.error("what the camera sees", exc_info=error)
        self._notice(Message("web.refused.fault", error=type(error).__name__))

    def _notice(self, what: object) -> None:
        """Say what is wrong beside what is shown."""
        shown = self._shown_last
        self._publish(InLanguages(lambda: {**shown(), "notice": at_table(what)}))
        self._shown_last = shown  # what is wrong is told anew each second, and one state shall not hold all before it

    def _look(self, snapshot: Snapshot, news: tuple[News, ...]) -> None:
        if snapshot.is_fresh:
            self._ahead_s.append(self._clock() - snapshot.frame.time_s)
            self.pictures.look(snapshot)
            self._crops.look(snapshot.frame, snapshot.settled)
        try:
            self._publish(self._shown(snapshot, news))
        except Exception as error:  # a listener that raises is told nothing more, and no page would be either
            self._notice_fault(error)

    @abstractmethod
    def _shown(self, snapshot: Snapshot, news: tuple[News, ...]) -> InLanguages:
        """The state after a snapshot."""

    def _publish(self, state: InLanguages) -> None:
        version, before = self._published
        if state is before or state() == before():
            return
        self._published = version + 1, state
        self._shown_last = state
        for listener in tuple(self._listeners):
            listener()

    def _stream_s(self, clock_s: float | None) -> float | None:
        """The time of the stream at a time of the clock; None where it does not come in real time."""
        return None if clock_s is None or not self._ahead_s or not self.session.source.is_live else clock_s - min(self._ahead_s)

    def _kept(self, piece: Piece | None, track: int | None = None) -> str | None:
        """Keep how a piece looked, for pages to ask for; the name of its picture, None where nobody saw it."""
        crop = self._crops.of(track)
        if crop is None and piece is not None:
            crop = self._crops.of_piece(piece)
        if crop is None:
            return None
        return self._named(jpeg(crop))

    def _named(self, crop: bytes) -> str:
        """Let pages ask for a crop, by the name that is given back."""
        name = secrets.token_urlsafe(12)
        self._exhibits[name] = crop
        for old in list(self._exhibits)[:-_MOST_EXHIBITS]:
            del self._exhibits[old]
        return name


def guarded(source: Source) -> Source:
    """The source, watched over where it is live."""
    return Guarded(source) if source.is_live else source
