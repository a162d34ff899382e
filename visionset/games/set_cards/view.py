"""What is shown of SET with cards: the cards on the table."""

from __future__ import annotations

from visionset.games.set_cards.rules import SetCardsState
from visionset.games.view import ViewPart, spread
from visionset.messages import Message

_COLUMNS = 3


def view(state: SetCardsState) -> tuple[ViewPart, ...]:
    """The cards by their positions."""
    return spread(state.table, _COLUMNS, Message("set.view.pack", count=state.pack_left))
