"""The clocks of the phones against the server's, and calls in the order of their true times.

Server and phone exchange a ping and a pong. With the server's clock at `sent` and `came` and the phone's at `told` in between:

    sent <= told + offset <= came,  so  sent - told <= offset <= came - told

Each pong gives such bounds, and each message of a phone the upper one alone. The closest of a window hold, each widened by what two clocks
may drift apart since; the offset lies between them, in the middle when the quickest ways there and back take the same time. Round trips
that vary cost nothing, since the two bounds need not come from the same pong.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import count


@dataclass(frozen=True, slots=True)
class PhoneClockOptions:
    """How phones' clocks are followed, and how long a call waits for an earlier one."""

    window_s: float = 60.0
    """Pongs of so many seconds count: long enough for a quick one to be among them."""
    drift: float = 1e-4
    """Seconds in a second that two clocks may drift apart: quartz is ten times better."""
    margin_s: float = 0.02
    """How much longer than the slowest message of the window one may take."""
    most_s: float = 0.25
    """Longest wait for an earlier call, and farthest that a call is dated back: a tie is one within 250 ms (rule S6)."""
    unknown_s: float = 0.1
    """Taken for the time that a message of a phone takes from which no pong came yet."""
    most_pings: int = 20
    """Pings that wait for their pongs; older ones are given up."""
    most_bounds: int = 300
    """Messages of the window that are remembered, the latest."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """What one message says: the offset is no less, or no more, than this; by the server's clock when it came."""

    offset_s: float
    came_s: float


class PhoneClock:
    """The clock of one phone against the server's."""

    def __init__(self, options: PhoneClockOptions = PhoneClockOptions()) -> None:
        self._options = options
        self._sent: dict[int, float] = {}
        self._answered_s: float | None = None
        self._least: deque[_Bound] = deque(maxlen=options.most_bounds)
        self._most: deque[_Bound] = deque(maxlen=options.most_bounds)
        self._said: deque[tuple[float, float]] = deque(maxlen=options.most_bounds)

    def ping(self, number: int, now_s: float) -> None:
        """Remember when a ping was sent."""
        self._sent[number] = now_s
        for old in list(self._sent)[: -self._options.most_pings]:
            del self._sent[old]

    def pong(self, number: int, told_s: float, now_s: float) -> None:
        """Take the answer to a ping, with the phone's own time; one that nobody asked for is passed over."""
        sent_s = self._sent.pop(number, None)
        if sent_s is None:
            return
        self._answered_s = sent_s if self._answered_s is None else max(self._answered_s, sent_s)
        self._hear(told_s, now_s)
        self._least.append(_Bound(sent_s - told_s, now_s))
        if self._offset_bounds(now_s) is None:  # it slept, or its clock was set: what was known before is worth nothing
            for known in (self._least, self._most, self._said):
                known.clear()
            self._hear(told_s, now_s)
            self._least.append(_Bound(sent_s - told_s, now_s))

    def when_s(self, told_s: float, now_s: float) -> float:
        """The server's time of something that the phone says now, with its own time; now where its clock is not known."""
        self._hear(told_s, now_s)
        offset_s = self.offset_s(now_s)
        return now_s if offset_s is None else min(now_s, max(told_s + offset_s, now_s - self._options.most_s))

    def offset_s(self, now_s: float) -> float | None:
        """The server's time less the phone's; None before the first pong."""
        bounds = self._offset_bounds(now_s)
        return None if bounds is None else sum(bounds) / 2

    def unheard_s(self, now_s: float) -> float:
        """For how long the phone may have heard nothing from here when it said what comes now; 0 before the first pong.

        Its pongs and what else it says come in the order in which it said them: the last ping that it had then has been answered.
        """
        return 0.0 if self._answered_s is None else now_s - self._answered_s

    def lateness_s(self, now_s: float) -> float:
        """For how long a message of this phone may be on its way."""
        offset_s, options = self.offset_s(now_s), self._options
        if offset_s is None:
            return options.unknown_s
        slowest_s = max((came_s - told_s for told_s, came_s in self._said), default=0.0) - offset_s
        return max(0.0, slowest_s) + options.margin_s

    def _hear(self, told_s: float, now_s: float) -> None:
        """Every message says when it cannot have been sent later."""
        self._most.append(_Bound(now_s - told_s, now_s))
        self._said.append((told_s, now_s))
        first_s = now_s - self._options.window_s
        for bounds in (self._least, self._most):
            while bounds and bounds[0].came_s < first_s:
                bounds.popleft()
        while self._said and self._said[0][1] < first_s:
            self._said.popleft()

    def _offset_bounds(self, now_s: float) -> tuple[float, float] | None:
        if not self._least:
            return None
        drift = self._options.drift
        least = max(one.offset_s - drift * (now_s - one.came_s) for one in self._least)
        most = min(one.offset_s + drift * (now_s - one.came_s) for one in self._most)
        return (least, most) if least <= most else None


@dataclass(frozen=True, slots=True, order=True)
class _Held:
    """Something that waits until nothing earlier can come: its true time, its place among equal ones, who said it, what it does."""

    true_s: float
    number: int
    phone: Hashable
    do: Callable[[float], object]


class PhoneClocks:
    """All phones at a table: their clocks, and what they say in the order of its true times.

    A call is done once it is older than the time for which a message of any other phone may be on its way, and after
    `PhoneClockOptions.most_s` at the latest. It has no thread: whoever owns it calls `release` when it says.

    Parameters
    ----------
    clock : callable
        The server's seconds, which only grow.
    options : PhoneClockOptions
        Windows and waits.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, options: PhoneClockOptions = PhoneClockOptions()) -> None:
        self._clock, self._options = clock, options
        self._phones: dict[Hashable, PhoneClock] = {}
        self._numbers = count(1)
        self._held: list[_Held] = []

    def ping(self, phone: Hashable) -> int:
        """Number of a ping that is sent to a phone now."""
        number = next(self._numbers)
        self._of(phone).ping(number, self._clock())
        return number

    def pong(self, phone: Hashable, number: int, t_ms: float) -> None:
        """Take a phone's answer, with its own clock in milliseconds."""
        self._of(phone).pong(number, t_ms / 1000, self._clock())

    def unheard_s(self, phone: Hashable) -> float:
        """For how long a phone may have heard nothing from here when it said what comes now."""
        return self._of(phone).unheard_s(self._clock())

    def gone(self, phone: Hashable) -> None:
        """Forget a phone, and wait for nothing of it; what it said before still counts."""
        self._phones.pop(phone, None)

    def hear(self, phone: Hashable, t_ms: float | None, do: Callable[[float], object], is_call: bool = True) -> None:
        """Do something at the server's time at which a phone said it, once nothing earlier can come.

        Parameters
        ----------
        phone : hashable
            Who says it.
        t_ms : float or None
            By the phone's own clock; None: now.
        do : callable
            Takes the true time on the server's clock.
        is_call : bool
            The order matters. What is none is done at once, but never before what the same phone said earlier.
        """
        now_s = self._clock()
        true_s = now_s if t_ms is None else self._of(phone).when_s(t_ms / 1000, now_s)
        mine = [held.true_s for held in self._held if held.phone == phone]
        if not (is_call or mine):
            do(true_s)
            return
        heapq.heappush(self._held, _Held(max([true_s, *mine]), next(self._numbers), phone, do))

    def release(self) -> float | None:
        """Do what nothing earlier can precede any more, in order; the seconds until more can be done, None where nothing waits."""
        now_s = self._clock()
        while self._held:
            wait_s = self._held[0].true_s + self._patience_s(self._held[0].phone, now_s) - now_s
            if wait_s > 0:
                return wait_s
            held = heapq.heappop(self._held)
            held.do(held.true_s)
        return None

    def _patience_s(self, phone: Hashable, now_s: float) -> float:
        """How old something must be before nothing earlier of another phone can come."""
        late_s = (clock.lateness_s(now_s) for other, clock in self._phones.items() if other != phone)
        return min(max(late_s, default=0.0), self._options.most_s)

    def _of(self, phone: Hashable) -> PhoneClock:
        return self._phones.setdefault(phone, PhoneClock(self._options))
