"""What is shown of SET Cubed: the board, and the hands."""

from __future__ import annotations

from visionset.games.cubed.rules import CubedState
from visionset.games.view import ViewPart, die_grid, hands
from visionset.messages import Message


def view(state: CubedState) -> tuple[ViewPart, ...]:
    """The board around the dice that lie on it, and the dice of each player."""
    board = state.options.board
    marks = {bonus.cell: bonus.points for bonus in board.bonuses}
    shown = die_grid(state.grid, Message("cubed.view.board", count=state.bag), marks, (board.rows, board.cols))
    return (*shown, *hands(state.players, state.hands))
