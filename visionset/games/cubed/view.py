"""What is shown of SET Cubed: the board, and the hands."""

from __future__ import annotations

from visionset.games.cubed.rules import CubedState
from visionset.games.view import ViewPart, die_grid, hands
from visionset.messages import Message


def view(state: CubedState) -> tuple[ViewPart, ...]:
    """The board as far as dice lie on it, and the dice of each player."""
    marks = {bonus.cell: bonus.points for bonus in state.options.board.bonuses}
    return (*die_grid(state.grid, Message("cubed.view.board", count=state.bag), marks), *hands(state.players, state.hands))
