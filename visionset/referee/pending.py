"""What is waited for, and since when."""

from __future__ import annotations

import math

from visionset.referee.game_referee import RefereeOptions
from visionset.referee.match_clock import MatchClock
from visionset.referee.rulings import Differ, Question, Ruling, Unsure, Wait


class Pending:
    """The ruling that stands, and since when by the time of the match."""

    def __init__(self, options: RefereeOptions, clock: MatchClock) -> None:
        self._options, self._clock = options, clock
        self.ruling: Ruling = None
        self.since_s = clock.now_s
        self.key: tuple[object, ...] = ()
        self.warned: tuple[object, ...] = ()
        self._warned_s = -math.inf

    def become(self, ruling: Ruling) -> None:
        """Take a ruling; the time of one that is the same as before goes on, and so it does where fewer pieces are unsure."""
        key = _key(ruling)
        fewer = isinstance(ruling, Unsure) and isinstance(self.ruling, Unsure) and set(ruling.tracks) < set(self.ruling.tracks)
        if fewer:
            self.key, self.warned = key, ()
        elif key != self.key:
            self.key, self.since_s, self.warned = key, self._clock.now_s, ()
        self.ruling = ruling

    def differ_now(self, differ: Differ) -> None:
        """Take a difference that people are told at once."""
        self.become(differ)
        self.since_s = self._clock.now_s - self._options.differ_s

    def begin_again(self) -> None:
        """Wait as long once more: what settles it now may not settle it."""
        self.since_s = self._clock.now_s

    def ask_now(self) -> None:
        """Let what is to be asked be asked at once."""
        self.since_s = min(self.since_s, self._clock.now_s - self._options.ask_s)

    @property
    def _waited_s(self) -> float:
        return self._clock.now_s - self.since_s

    @property
    def is_told_differ(self) -> bool:
        """Whether people see a difference: one that lasts only for a moment is not told."""
        return isinstance(self.ruling, Differ) and self._waited_s >= self._options.differ_s

    @property
    def reminded_s(self) -> float | None:
        """For how long somebody has been waited for; None until that is long enough to be told."""
        is_told = isinstance(self.ruling, Wait) and self.ruling.until_s is None and self._waited_s >= self._options.remind_s
        return self._waited_s if is_told else None

    @property
    def has_just_begun(self) -> bool:
        """Whether somebody may mean what was before."""
        return self._waited_s < self._options.just_begun_s

    @property
    def is_due(self) -> bool:
        """Whether it is time for a question: most of what is unsure becomes sure by itself before."""
        return self._waited_s >= self._options.ask_s

    @property
    def is_forgotten(self) -> bool:
        """Whether nobody has settled it for so long that it is settled without them."""
        return self._waited_s >= self._options.settle_differ_s

    def is_warned(self) -> bool:
        """Whether people were told already what happens without an answer; from now on they were."""
        before, self.warned = self.warned, self.key
        if before != self.key:
            self._warned_s = self._clock.stream_s
        return before == self.key

    @property
    def is_just_told(self) -> bool:
        """Whether they were told so short a time ago that nobody has read it: two people may say "next" at once."""
        return self.warned == self.key and 0 <= self._clock.stream_s - self._warned_s < self._options.warned_s


def _key(ruling: Ruling) -> tuple[object, ...]:
    """What makes a ruling the same as the one before."""
    match ruling:
        case Wait():
            return "wait", ruling.to, ruling.message, ruling.until_s
        case Unsure():
            return ("unsure", *ruling.tracks)
        case Question():
            return ("question", *ruling.key)
        case Differ():
            return ("differ", ruling.message)
    return ("none",)
