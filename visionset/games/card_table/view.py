"""What is shown of any game with a layout of SET cards: the cards on the table."""

from __future__ import annotations

from visionset.games.card_table.places import LayoutState
from visionset.games.view import ViewPart, spread
from visionset.messages import Message

_COLUMNS = 3


def view(state: LayoutState) -> tuple[ViewPart, ...]:
    """The cards by their positions."""
    return spread(state.table, _COLUMNS, Message("set.view.pack", count=state.pack_left))
