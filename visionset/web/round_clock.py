"""The clock of a round: how long a match has been played, or how long it may still be; at its end it says so, and changes no point."""

from __future__ import annotations

from collections.abc import Callable

from visionset.web.showing import Json


class RoundClock:
    """The clock of a match; it stands still while the table rests, and that time does not count.

    Parameters
    ----------
    clock : callable
        Seconds that only grow.
    played_s : float
        For which the match has been played before: one that goes on later does not count the time between.
    limit_s : float, optional
        After which it says so; without one it counts up alone.
    """

    def __init__(self, clock: Callable[[], float], played_s: float, limit_s: float | None) -> None:
        self._clock, self._limit_s = clock, limit_s
        self._began_s = clock() - played_s
        self._stands_s: float | None = None
        self._is_told = False

    @property
    def due_s(self) -> float | None:
        """When there is something to be said, by the clock."""
        return None if self._limit_s is None or self._is_told or self._stands_s is not None else self._began_s + self._limit_s

    def wake(self) -> bool:
        """Whether it is to be said now that the time is over; true once."""
        due_s = self.due_s
        self._is_told |= due_s is not None and self._clock() >= due_s
        return due_s is not None and self._is_told

    def stand(self, is_resting: bool) -> None:
        """Stand still while the table rests, and go on after that."""
        if is_resting and self._stands_s is None:
            self._stands_s = self._clock()
        elif not is_resting and self._stands_s is not None:
            self._began_s += self._clock() - self._stands_s
            self._stands_s = None

    def showing(self) -> Json:
        """The key `round_clock` of the state."""
        stands_s = self._stands_s
        elapsed_s = (self._clock() if stands_s is None else stands_s) - self._began_s
        is_up = self._limit_s is not None and elapsed_s >= self._limit_s
        return {"elapsed_s": elapsed_s, "limit_s": self._limit_s, "is_running": stands_s is None, "is_up": is_up}
