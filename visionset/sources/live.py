"""What a live source needs: to be watched over, and frames that are worked on aside.

A source that misbehaves is told of in plain words, and what comes out is sound: frames are whole, in order, and their times only
grow, whatever happens to the camera, its cable or the computer's clock.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.closable import Closable
from visionset.errors import OptionError, VisionsetError
from visionset.geometry import Frame
from visionset.messages import Message, Words
from visionset.sources.base import Source


@dataclass(frozen=True, slots=True)
class GuardOptions:
    """When something is wrong."""

    late_s: float = 0.7
    """Delay, beyond the least there was, from which hands and picture no longer go together."""
    asleep_s: float = 5.0
    """Seconds of the very same picture: the noise of a chip that is awake never repeats."""
    black: int = 10
    """Brightness (of 255) that no pixel of a covered camera exceeds."""
    jump_s: float = 3.0
    """Seconds by which a frame's time may be ahead of the time that has passed; more is a clock that was set."""
    told_s: float = 5.0
    """Seconds for which something that is over is still told."""
    torn_share: float = 1 / 16
    """Part of the rows at the bottom that a torn picture lacks at least: less is not seen by anybody."""
    torn_run: int = 15
    """Pictures in a row that may look torn; after that the table just looks so."""
    window: int = 60
    torn_often: int = 3
    """`window` and `torn_often`: among the last `window` pictures, `torn_often` torn ones are worth a word."""
    sample: int = 16
    """Every pixel in `sample`, each way, is compared with the last picture."""


class Guarded(Source):
    """Another source, or any iterable of frames, watched over; `dropped` counts frames that were torn or came out of order.

    A source that raises is waited for: the error is told, the next frame asked for. A source brings its name, an iterable is given one.
    """

    is_live = True

    def __init__(
        self,
        frames: Source | Iterable[Frame],
        name: str = "camera",
        options: GuardOptions = GuardOptions(),
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.inner = frames if isinstance(frames, Source) else None
        self._frames: Iterator[Frame] = iter(frames)
        self.name = self.inner.name if self.inner else name
        self.fps = self.inner.fps if self.inner else 0.0
        self.size_px = self.inner.size_px if self.inner else (0, 0)
        self.options, self._clock = options, clock
        self.dropped = 0
        self._gone: Message | None = None
        self._last: Frame | None = None
        self._last_s = clock()
        self._first = 0
        self._offset_s = 0.0
        self._least_delay_s: float | None = None
        self._delay_s = 0.0
        self._sample: NDArray[np.uint8] | None = None
        self._same_since_s = self._last_s
        self._torn: deque[bool] = deque(maxlen=options.window)
        self._torn_run = 0
        self._first_size_px = (0, 0)
        self._told: Message | None = None
        self._told_until_s = 0.0

    @property
    def called(self) -> Words:
        """As the source is."""
        return self.name if self.inner is None else self.inner.called

    @property
    def trouble(self) -> Words:  # type: ignore[override]
        """The most pressing thing that is wrong just now; empty when all is well."""
        now_s = self._clock()
        if self.inner is not None and self.inner.trouble:
            return self.inner.trouble
        if self._gone:
            return self._gone
        same_s = now_s - self._same_since_s
        if self._sample is not None and same_s > self.options.asleep_s and now_s - self._last_s <= self.options.asleep_s:
            if int(self._sample.max()) <= self.options.black:
                return Message("source.black", name=self.called)
            return Message("source.asleep", name=self.called, seconds=round(same_s))
        if self._delay_s - (self._least_delay_s or 0.0) > self.options.late_s:
            late_s = self._delay_s - (self._least_delay_s or 0.0)
            return Message("source.late", name=self.called, seconds=round(late_s, 1))
        if sum(self._torn) >= self.options.torn_often:
            return Message("source.torn", name=self.called)
        return self._told if self._told is not None and now_s < self._told_until_s else ""

    @property
    def same_s(self) -> float:
        """Seconds for which the newest frame shows the very same picture as those before it."""
        return self._last_s - self._same_since_s

    def poll(self, timeout_s: float) -> Frame | None:
        """Return the next sound frame; None when none came in time, it was left out, or the source has ended."""
        frame = self._next(timeout_s)
        if frame is None:
            return None
        is_back, self._gone = self._gone is not None, None
        frame = self._numbered(frame, is_back)
        if self._last is not None and frame.index <= self._last.index:
            self.dropped += 1  # late, or twice
            return None
        if self._is_torn(frame.image_bgr):
            self.dropped += 1
            return None
        frame = self._timed(frame, is_back)
        self._look_at(frame)
        self._last = frame
        return frame

    def close(self) -> None:
        """Close the source."""
        self.ended = True
        if self.inner is not None:
            self.inner.close()

    def _next(self, timeout_s: float) -> Frame | None:
        try:
            if self.inner is not None:
                frame = self.inner.poll(timeout_s)
                self.ended = self.inner.ended
                return frame
            return next(self._frames)
        except StopIteration:
            self.ended = True
        except OptionError:  # the source makes its frames wrongly, and always will
            raise
        except ValueError:  # what came is no picture
            self._torn.append(True)
            self.dropped += 1
        except (VisionsetError, OSError, cv2.error) as error:
            self._gone = Message("source.gone_why", name=self.called, error=_why(error))
        return None

    def _is_torn(self, image_bgr: NDArray[np.uint8]) -> bool:
        """True for a picture whose lower rows are all one row: what decoders put where data is missing."""
        rows = max(4, int(self.options.torn_share * len(image_bgr)))
        torn = _is_smeared(image_bgr[-rows:]) and not _is_smeared(image_bgr[:rows])
        if torn and self._last is not None and self._torn_run < self.options.torn_run:
            self._torn.append(True)
            self._torn_run += 1
            return True
        self._torn.append(False)
        self._torn_run = self._torn_run if torn else 0
        return False

    def _numbered(self, frame: Frame, is_back: bool) -> Frame:
        """Go on counting where a source that came back begins again."""
        if is_back and self._last is not None and frame.index + self._first <= self._last.index:
            self._first = self._last.index + 1 - frame.index
        return Frame(frame.image_bgr, frame.index + self._first, frame.time_s, frame.name) if self._first else frame

    def _timed(self, frame: Frame, is_back: bool) -> Frame:
        """Give the frame a time that goes on from the last one's, whatever became of the clock it was stamped by."""
        now_s = self._clock()
        time_s = frame.time_s + self._offset_s
        if self._last is not None:
            passed_s, step_s = now_s - self._last_s, time_s - self._last.time_s
            # a source counts its seconds by a clock that nobody sets; what stamps the frames of other iterables is not known
            ahead = self.inner is None and step_s > passed_s + self.options.jump_s
            if step_s <= 0 or ahead:
                if not is_back:
                    set_s = abs(step_s - passed_s)
                    self._tell(Message("source.clock_forward" if ahead else "source.clock_back", seconds=set_s), now_s)
                time_s = self._last.time_s + max(passed_s, _LEAST_STEP_S)
                self._offset_s = time_s - frame.time_s
                self._least_delay_s = None
        self._delay_s = now_s - time_s
        self._least_delay_s = self._delay_s if self._least_delay_s is None else min(self._delay_s, self._least_delay_s)
        self._last_s = now_s
        return frame if time_s == frame.time_s else Frame(frame.image_bgr, frame.index, time_s, frame.name)

    def _look_at(self, frame: Frame) -> None:
        sample = np.ascontiguousarray(frame.image_bgr[:: self.options.sample, :: self.options.sample])
        if self._sample is None or not np.array_equal(sample, self._sample):
            self._same_since_s = self._last_s
        self._sample = sample
        if self._last is None:
            self._first_size_px = frame.size_px
        elif frame.size_px != self._last.size_px:
            now, before = ("x".join(map(str, size)) for size in (frame.size_px, self._first_size_px))
            self._tell(Message("source.other_size", name=self.called, now=now, before=before), self._last_s)
            if frame.size_px == self._first_size_px:
                self._told = None
        self.size_px = frame.size_px

    def _tell(self, told: Message, now_s: float) -> None:
        self._told, self._told_until_s = told, now_s + self.options.told_s


def _why(error: Exception) -> Words:
    """What an error says: a message that is put into words where it is told, else one short line; its kind where it says nothing."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Message) else (str(error).strip() or type(error).__name__).splitlines()[0][:60]


_LEAST_STEP_S = 0.001
"""Two frames are never at the same time."""


def _is_smeared(rows: NDArray[np.uint8]) -> bool:
    return bool((rows[1:] == rows[:-1]).all())


T = TypeVar("T")

_PATIENCE_S = 5.0
"""Longest wait at the end for work that is under way; a reading takes a tenth of a second."""


class Aside(Closable, Generic[T]):
    """Does one piece of work at a time, in a thread, on the frame it was given; use it in a ``with`` statement."""

    def __init__(self, work: Callable[[Frame], T]) -> None:
        self._work = work
        self._pool = ThreadPoolExecutor(1, "visionset reading")
        self._under_way: tuple[Frame, Future[T]] | None = None

    def begin(self, frame: Frame) -> bool:
        """Begin with a frame; False while another is under way or its outcome was not taken."""
        if self._under_way is not None:
            return False
        self._under_way = frame, self._pool.submit(self._work, frame)
        return True

    def take(self, timeout_s: float = 0.0) -> tuple[Frame, T] | None:
        """Take the outcome away, with the frame that it is of; None when there is none within `timeout_s`.

        What the work raises is raised here.
        """
        if self._under_way is None:
            return None
        frame, outcome = self._under_way
        if not wait([outcome], timeout_s).done:
            return None
        self._under_way = None
        return frame, outcome.result()

    def close(self) -> None:
        """Let what is under way end, and stop the thread."""
        if self._under_way is not None:
            wait([self._under_way[1]], _PATIENCE_S)
        self._pool.shutdown(wait=False)
