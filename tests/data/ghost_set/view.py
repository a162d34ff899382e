"""What is shown of Ghost SET: the pairs."""

from __future__ import annotations

from ghost_set.rules import GhostState
from visionset.games.view import ViewPart, spread
from visionset.messages import Message


def view(state: GhostState) -> tuple[ViewPart, ...]:
    """The six cards, a pair in each row."""
    return spread(state.table, 2, Message("ghost-set.view.pairs"))
