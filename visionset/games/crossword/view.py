"""What is shown of Crossword SET: the grids, and the hands."""

from __future__ import annotations

from visionset.games.crossword.rules import CrosswordState
from visionset.games.view import Hand, ViewPart, die_grid


def view(state: CrosswordState) -> tuple[ViewPart, ...]:
    """The grid and the dice of each player."""
    grids = (
        shown for player, name in enumerate(state.players) for shown in die_grid(state.laid(player), name, guests=state.of_guests(player))
    )
    hands = (Hand(name, state.hands[player], lent=tuple(sorted(state.lent(player)))) for player, name in enumerate(state.players))
    return (*grids, *hands)
