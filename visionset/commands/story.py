"""What happened on the table, told in lines: for videos without a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from visionset.commands.parts import headline, say
from visionset.messages import at_table
from visionset.pieces import Piece

if TYPE_CHECKING:
    from visionset.referee.news import News
    from visionset.session import Snapshot

_STEADY_S = 0.4
"""Time that a table must stay the same to be told: hands pass, cards slide."""


class Narrator:
    """A listener that tells a line whenever other cards lie on the table and stay."""

    def __init__(self) -> None:
        self._told: tuple[Piece | None, ...] | None = None
        self._now: tuple[Piece | None, ...] | None = None
        self._since_s = 0.0

    def __call__(self, snapshot: Snapshot, news: tuple[News, ...]) -> None:
        """Tell what is new, if anything is."""
        if line := self.tell(snapshot):
            say(line)

    def tell(self, snapshot: Snapshot) -> str:
        """Return a line when there is news, else an empty string."""
        if not snapshot.table.sightings and (snapshot.settled.passing or snapshot.settled.held):
            return ""  # nothing was read yet, or too little to say that nothing lies there
        pieces = tuple(sorted(snapshot.table.pieces, key=str))
        if pieces != self._now:
            self._now, self._since_s = pieces, snapshot.frame.time_s
        if pieces == self._told or snapshot.frame.time_s - self._since_s < _STEADY_S:
            return ""
        self._told = pieces
        line = f"{clock(snapshot.frame.time_s)}  {headline(snapshot.table, snapshot.sets)}"
        if len(snapshot.sets) == 1:
            named = [at_table(piece) for position in snapshot.sets[0] if (piece := snapshot.table.pieces[position]) is not None]
            line += f": {', '.join(named)}"
        return line


def clock(time_s: float) -> str:
    """Minutes and seconds: ``0:07.4``."""
    return f"{int(time_s // 60)}:{time_s % 60:04.1f}"
