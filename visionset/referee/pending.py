"""What a game waits for: the ruling on its table, for how long it has been the same, and what people were told of it."""

from __future__ import annotations

from visionset.referee.terms import Differ, Question, RefereeOptions, Ruling, Unsure, Wait


class Pending:
    """The ruling that stands, and since when in the time of the match."""

    def __init__(self, options: RefereeOptions, now_s: float) -> None:
        self._options = options
        self.ruling: Ruling = None
        self.since_s = now_s
        self._key: tuple[object, ...] = ()
        self._warned: tuple[object, ...] = ()

    def become(self, ruling: Ruling, now_s: float) -> None:
        """Take a ruling; the time of one that is the same as before goes on, and so it does where fewer pieces are unsure."""
        key = _key(ruling)
        fewer = isinstance(ruling, Unsure) and isinstance(self.ruling, Unsure) and set(ruling.tracks) < set(self.ruling.tracks)
        if fewer:
            self._key, self._warned = key, ()
        elif key != self._key:
            self._key, self.since_s, self._warned = key, now_s, ()
        self.ruling = ruling

    def start_again(self, now_s: float) -> None:
        """Let its time begin now."""
        self.since_s = now_s

    def differ_now(self, differ: Differ, now_s: float) -> None:
        """Take a difference that people are told at once."""
        self.become(differ, now_s)
        self.since_s = now_s - self._options.differ_s

    def ask_now(self, now_s: float) -> None:
        """Let what is to be asked be asked at once."""
        self.since_s = min(self.since_s, now_s - self._options.ask_s)

    def is_told_differ(self, now_s: float) -> bool:
        """Whether people see a difference: one that lasts only for a moment is not told."""
        return isinstance(self.ruling, Differ) and now_s - self.since_s >= self._options.differ_s

    def reminded_s(self, now_s: float) -> float | None:
        """For how long somebody has been waited for; None until that is long enough to be told."""
        waited_s = now_s - self.since_s
        is_told = isinstance(self.ruling, Wait) and self.ruling.until_s is None and waited_s >= self._options.remind_s
        return waited_s if is_told else None

    def is_due(self, now_s: float) -> bool:
        """Whether it is time for a question: most of what is unsure becomes sure by itself before."""
        return now_s - self.since_s >= self._options.ask_s

    def is_forgotten(self, now_s: float) -> bool:
        """Whether nobody has settled it for so long that it is settled without them."""
        return now_s - self.since_s >= self._options.settle_differ_s

    def is_warned(self) -> bool:
        """Whether people were told already what happens without an answer; from now on they were."""
        before, self._warned = self._warned, self._key
        return before == self._key

    def forget_warning(self) -> None:
        """What happens without an answer has happened."""
        self._warned = ()


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
