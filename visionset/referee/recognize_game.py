"""Which game lies on the table: told from the pieces and how they lie."""

from __future__ import annotations

from collections import Counter

from visionset.games.game import Game
from visionset.games.grid import groups
from visionset.games.registry import sound
from visionset.games.spec import TableGlance
from visionset.kinds import kinds_of
from visionset.pieces import Kind
from visionset.referee.lattice_fit import CellsOf
from visionset.table import Table

_GRID = 3
"""Dice that make a grid: fewer may lie side by side by chance."""


def offer(table: Table, cells_of: CellsOf | None = None, players: int = 2) -> str | None:
    """Name the game that lies on a settled table; None where it may be several or none.

    Of games that look alike, those for so many players count. Without `cells_of` a grid of dice is not told from scattered ones.
    """
    count = Counter(one.kind for one in table.sightings if one.kind is not Kind.CARD_BACK)
    if len(count) != 1:
        return None
    ((kind, most),) = count.items()
    seen = TableGlance(most, _grids(table, cells_of) if cells_of and kind is Kind.SET_DIE else ())
    found = [game for game in sound()[0] if kind in kinds_of(game.spec.pieces) and _recognizes(game, seen)]
    if len(found) > 1:
        found = [game for game in found if game.min_players <= players <= game.max_players]
    return found[0].name if len(found) == 1 else None


def _recognizes(game: Game, seen: TableGlance) -> bool:
    try:
        return game.spec.recognizes(seen)
    except Exception:  # whatever is wrong with a package of others, which its `lacks` tells: it costs no other game
        return False


def _grids(table: Table, cells_of: CellsOf) -> tuple[int, ...]:
    """How many dice lie in each group of one lattice."""
    cells = [cell for cell in cells_of(table) if cell is not None]
    return tuple(size for size in map(len, groups(cells)) if size >= _GRID)
