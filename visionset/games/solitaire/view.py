"""What is shown of SET solitaire: the cards on the table."""

from __future__ import annotations

from visionset.games.solitaire.rules import SolitaireState
from visionset.games.view import ViewPart, spread
from visionset.messages import Message

_COLUMNS = 3


def view(state: SolitaireState) -> tuple[ViewPart, ...]:
    """The cards by their positions."""
    return spread(state.table, _COLUMNS, Message("set.view.pack", count=state.pack_left))
