"""Crossword SET: a simple player."""

from __future__ import annotations

import random

from visionset.games.base import Event
from visionset.games.crossword.advice import CrosswordSearch, best_grid
from visionset.games.crossword.rules import CrosswordState, Done, Draw, Lay, Stuck
from visionset.games.grid import Placing
from visionset.games.virtual.chance import roll_faces

_STEPS = 40
"""Grids that a simple player tries before drawing another die."""


def move(state: CrosswordState, player: int, rng: random.Random) -> Event | None:
    """Give what a simple player does now."""
    if not state.unused(player) and not state.faults(player):
        return Done(player)
    hand, mine = state.hands[player], state.grids[player]
    answer = best_grid(hand, CrosswordSearch(_STEPS, max_wilds=1))
    lies = [(owner == player, placed.player == player) for owner, grid in enumerate(state.grids) for placed in grid]
    is_bound = (True, False) in lies or (False, True) in lies  # dice of others here, or mine there, stay as they lie (D15)
    if len(answer.dice) > len(mine) and not is_bound:
        placed = zip(answer.dice, answer.grid, strict=True)
        return Lay(player, tuple(Placing(die, laid.row, laid.col, laid.stated) for die, laid in placed))
    if state.bag:
        return Draw(player, roll_faces(1, rng)[0])
    return None if player in state.stuck else Stuck(player)
