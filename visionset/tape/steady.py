"""When a table has settled, for readers that do not say so themselves: the same pieces, long enough."""

from __future__ import annotations

from visionset.pieces import Piece
from visionset.table import Table

_STEADY_S = 0.4
"""Time that a table must stay the same: hands pass, cards slide."""


class Steady:
    """Lets a table pass once the same pieces have lain there for a while.

    Parameters
    ----------
    steady_s : float
        How long, in seconds of the frames' time.
    """

    def __init__(self, steady_s: float = _STEADY_S) -> None:
        self._steady_s = steady_s
        self._now: tuple[Piece | None, ...] | None = None
        self._since_s = 0.0

    def settled(self, table: Table, time_s: float) -> Table | None:
        """Return the table when it is settled, None while it is not."""
        pieces = tuple(sorted(table.pieces, key=str))
        if pieces != self._now:
            self._now, self._since_s = pieces, time_s
        return table if time_s - self._since_s >= self._steady_s else None
