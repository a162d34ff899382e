"""What is shown of Scramble SET: the dice on the table."""

from __future__ import annotations

from visionset.games.scramble.rules import ScrambleState
from visionset.games.view import ViewPart, spread
from visionset.messages import Message

_COLUMNS = 7


def view(state: ScrambleState) -> tuple[ViewPart, ...]:
    """The dice by their positions."""
    return spread(state.table, _COLUMNS, Message("scramble.view.dice", count=len(state.table)))
