"""Which game lies on the table: told from the pieces and how they lie."""

from __future__ import annotations

from collections import Counter

from visionset.games.scramble.rules import DICE
from visionset.pieces import Kind
from visionset.referee.lattice_fit import CellsOf, groups
from visionset.table import Table

_LAYOUT = 9
"""SET cards that make a layout: fewer may be what was left of something else."""

_HANDS = 4
"""Playing cards of the smaller of two hands."""

_ROLL = 10
"""Dice that each player of Crossword SET begins with."""

_SCATTERED = DICE - 6
"""Dice on the table that only Scramble SET has, some of them hidden."""


def offer(table: Table, cells_of: CellsOf | None = None) -> str | None:
    """Name the game that lies there; None where it may be several or none.

    Parameters
    ----------
    table : Table
        Settled.
    cells_of : callable, optional
        Gives the lattice cell of each die; without it a grid of dice is not told from scattered ones.
    """
    count = Counter(one.kind for one in table.sightings)
    kind, most = count.most_common(1)[0] if count else (None, 0)
    if kind is None or most < len(table.sightings) - count[Kind.CARD_BACK]:
        return None
    if kind is Kind.SET_CARD:
        return "set" if most >= _LAYOUT else None
    if kind is Kind.PLAYING_CARD:
        return "english-sets" if most >= _HANDS else None
    if kind is Kind.PIP_DIE:
        return "sets-dice" if most == 2 else None
    return _dice_game(table, most, cells_of) if kind is Kind.SET_DIE else None


def _dice_game(table: Table, most: int, cells_of: CellsOf | None) -> str | None:
    grids = [group for group in groups([cell for cell in cells_of(table) if cell is not None]) if len(group) >= 3] if cells_of else []
    if sum(map(len, grids)) * 2 >= most:
        return "cubed" if len(grids) == 1 else "crossword"
    if most >= _SCATTERED:
        return "scramble"
    return "crossword" if most % _ROLL == 0 else None
