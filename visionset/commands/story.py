"""What happened on the table, told in lines: for videos without a window."""

from __future__ import annotations

from collections.abc import Callable

from visionset.assistant import Look
from visionset.commands.parts import headline, say
from visionset.pieces import Piece
from visionset.words import in_words

_STEADY_S = 0.4
"""Time that a table must stay the same to be told: hands pass, cards slide."""


class Narrator:
    """Turns looks into lines, one whenever other cards lie on the table and stay."""

    def __init__(self) -> None:
        self._told: tuple[Piece | None, ...] | None = None
        self._now: tuple[Piece | None, ...] | None = None
        self._since_s = 0.0

    def tell(self, look: Look) -> str:
        """Return a line when there is news, else an empty string."""
        pieces = tuple(sorted(look.table.pieces, key=str))
        if pieces != self._now:
            self._now, self._since_s = pieces, look.frame.time_s
        if pieces == self._told or look.frame.time_s - self._since_s < _STEADY_S:
            return ""
        self._told = pieces
        line = f"{clock(look.frame.time_s)}  {headline(look.table, look.sets)}"
        if len(look.sets) == 1:
            named = [in_words(piece) for position in look.sets[0] if (piece := look.table.pieces[position]) is not None]
            line += f": {', '.join(named)}"
        return line


def clock(time_s: float) -> str:
    """Minutes and seconds: ``0:07.4``."""
    return f"{int(time_s // 60)}:{time_s % 60:04.1f}"


def teller() -> Callable[[Look], None]:
    """Print the story while it happens."""
    story = Narrator()

    def tell(look: Look) -> None:
        line = story.tell(look)
        if line:
            say(line)

    return tell
