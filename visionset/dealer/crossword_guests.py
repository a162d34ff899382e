"""Dice of one player of Crossword SET in the grid of another (D15): which of them count, and why the others do not."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from visionset.dealer.plain import in_plain_words
from visionset.errors import RuleError
from visionset.games.crossword import Add, CrosswordState, Placing
from visionset.games.grid import Cell
from visionset.pieces import SetDie

_MOST_AT_ONCE = 3
"""A SET has no more dice, and more dice can be added SET by SET."""


def added(state: CrosswordState, player: int, owner: int, new: Mapping[Cell, SetDie]) -> tuple[Add | None, str]:
    """Find dice that the rules let a player add, as few at once as make a SET.

    Parameters
    ----------
    state : CrosswordState
        The game.
    player, owner : int
        Whose dice, and whose grid.
    new : mapping of Cell to SetDie
        What lies in the grid and is not in the game there; dice of the owner may be among them.

    Returns
    -------
    (Add or None, str)
        The event; else why there is none, in plain words.
    """
    away = {p.placing.die for grid in state.grids for p in grid if p.player == player}
    spare = [die for die in range(len(state.hands[player])) if die not in away]
    placings: list[Placing] = []
    for cell, face in sorted(new.items()):
        die = next((die for die in spare if state.hands[player][die] == face), None)
        if die is not None:
            spare.remove(die)
            placings.append(Placing(die, *cell))
    reason = ""
    for count in range(1, min(len(placings), _MOST_AT_ONCE) + 1):
        for some in combinations(placings, count):
            event = Add(player, owner, some)
            try:
                state.after(event)
            except RuleError as error:
                reason = f"{in_plain_words(error.tried)} is not allowed ({error.rule})"
                continue
            return event, ""
    return None, reason
