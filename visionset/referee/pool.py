"""Dice that wait beside a grid: one that nobody touched is not laid, however exactly it happens to lie in line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from visionset.games.grid import Cell, Laid, groups, used_cells
from visionset.pieces import SetDie
from visionset.referee.sightings import moved_over_table, track_of
from visionset.table import Change, Sighting

_LEAST = 3
"""Dice that touch side by side and are fewer than a SET are no grid."""


class Pool:
    """Remembers which dice lie apart, to tell a die that was laid from one that the grid grew up to."""

    def __init__(self) -> None:
        self._waiting: set[int] = set()
        self._known: set[int] = set()

    def throw(self, dice: Sequence[Sighting]) -> None:
        """Those among these that are new lie apart, whatever they touch."""
        self._wait([one for one in dice if track_of(one) not in self._known])

    def changed(self, changes: Sequence[Change]) -> None:
        """Dice that were moved may be laid now."""
        self._waiting -= moved_over_table(changes)

    def grid(self, lying: Mapping[Cell, Sighting], dice: Sequence[Sighting], touching_joins: bool = False) -> dict[Cell, Sighting]:
        """The dice that touch side by side, less those that wait beside them; all others wait from now on.

        A die that was not moved since it lay apart is laid only where it is in a SET: others may be laid around it.
        """
        grid = _touching(lying)
        while waiting := [cell for cell, one in grid.items() if track_of(one) in self._waiting]:
            in_sets = used(grid, touching_joins)
            if in_sets.issuperset(waiting):
                break
            fewer = [_touching({c: d for c, d in grid.items() if c != cell}) for cell in waiting]
            grid = max(fewer, key=lambda rest: len(used(rest, touching_joins)))
        laid = {track_of(one) for one in grid.values()}
        self._waiting -= laid
        self._wait([one for one in dice if track_of(one) not in laid])
        self._known |= laid
        return grid

    def _wait(self, dice: Sequence[Sighting]) -> None:
        tracks = {track_of(one) for one in dice}
        self._waiting |= tracks
        self._known |= tracks


def _touching(lying: Mapping[Cell, Sighting]) -> dict[Cell, Sighting]:
    return {cell: lying[cell] for group in groups(lying) if len(group) >= _LEAST for cell in group}


def used(grid: Mapping[Cell, Sighting], touching_joins: bool) -> frozenset[Cell]:
    """The cells of dice that are in a SET of the grid, as `used_cells` tells them."""
    return used_cells([Laid(*cell, one.piece) for cell, one in grid.items() if isinstance(one.piece, SetDie)], touching_joins)
