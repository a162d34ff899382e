"""Dice of one player of Crossword SET in the grid of another (D15): which of them count, and why the others do not."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from visionset.games.base import Event
from visionset.games.crossword.rules import Add, CrosswordState
from visionset.games.grid import Cell, Placing
from visionset.messages import Message, Words
from visionset.referee.phrasing import first_allowed
from visionset.referee.rulings import Wait

_SET = 3
"""Dice of a SET: where not all dice together are right, they are tried three at a time, since others can be added after them."""


def added_dice(state: CrosswordState, player: int, owner: int, placings: Sequence[Placing]) -> tuple[tuple[Event, ...], Words]:
    """Find dice that the rules let a player add to the grid of `owner`; else why there are none.

    All of them if they do, since a WILD that is added alone may be fixed to another face.
    """
    counts = sorted({len(placings), *range(1, min(len(placings), _SET) + 1)} - {0}, reverse=True)
    return first_allowed(state, ((Add(player, owner, some),) for count in counts for some in combinations(placings, count)))


def moved_guest(state: CrosswordState, lying: Collection[tuple[int, Cell]]) -> Wait | None:
    """Ask for a die back that was added to a grid and is not among those that are `lying` there, each with whose grid it is."""
    for owner, grid in enumerate(state.grids):
        for one in grid:
            if one.player != owner and (owner, one.cell) not in lying:
                face = state.hands[one.player][one.placing.die]
                return Wait(Message("crossword.wait.put_back", face=face, player=state.players[owner]), state.players[one.player])
    return None
