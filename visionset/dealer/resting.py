"""Dice that were thrown since a moment, and dice that have only lain there."""

from __future__ import annotations

from collections.abc import Sequence

from visionset.changes import Change, Rolled, Swapped
from visionset.dealer.steward import has_moved, track_of
from visionset.geometry import Quad
from visionset.pieces import Piece
from visionset.table import Sighting, Table


class Resting:
    """Remembers how the dice lay at a moment, to tell later which were thrown."""

    def __init__(self) -> None:
        self._old: dict[int, tuple[Piece | None, Quad]] = {}
        self._rolled: set[int] = set()

    def begin(self, table: Table) -> None:
        """From now on."""
        self._old = {track_of(one): (one.piece, one.outline_px) for one in table.sightings}
        self._rolled = set()

    def changed(self, changes: Sequence[Change]) -> None:
        """Learn what was seen to roll."""
        self._rolled |= {track_of(one.after) for one in changes if isinstance(one, Rolled | Swapped)}

    def thrown(self, table: Table, moved_counts: bool = True) -> tuple[Sighting, ...]:
        """The dice that were thrown: new ones, and those that rolled, lie elsewhere or show another face.

        Parameters
        ----------
        table : Table
            The dice now.
        moved_counts : bool
            False: a die that shows the same face elsewhere was pushed, not thrown.
        """
        return tuple(one for one in table.sightings if self._is_thrown(one, moved_counts))

    def _is_thrown(self, one: Sighting, moved_counts: bool) -> bool:
        track = track_of(one)
        if track not in self._old or track in self._rolled:
            return True
        piece, outline = self._old[track]
        if piece is not None and one.piece is not None and piece != one.piece:
            return True
        return moved_counts and has_moved(outline, one)
