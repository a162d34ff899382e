"""Evidence: how each piece looked to the reader when it was seen last, for those who doubt a reading."""

from __future__ import annotations

from collections.abc import Sequence

from visionset.pieces import Piece
from visionset.referee.terms import Exhibit
from visionset.table import Sighting, Table

_MOST_TRACKS = 200
"""Pieces that are remembered: more than two rounds of any game show."""


class Evidence:
    """Remembers the last sighting of each track, and what events were judged by."""

    def __init__(self) -> None:
        self._last: dict[int, Sighting] = {}
        self._there: frozenset[int] = frozenset()
        self._kept: dict[int, tuple[Exhibit, ...]] = {}

    def look(self, table: Table) -> None:
        """Remember what lies there now; pieces that people imagine are none."""
        seen = {one.track: one for one in table.sightings if one.track is not None and one.track >= 0}
        for track, one in seen.items():
            self._last.pop(track, None)  # the newest last
            self._last[track] = one
        for track in list(self._last)[:-_MOST_TRACKS]:
            del self._last[track]
        self._there = frozenset(seen)

    def of(self, pieces: Sequence[Piece]) -> tuple[Exhibit, ...]:
        """How these pieces looked: of equal ones first those that have left the table, the latest before the earlier."""
        latest = list(self._last.values())
        latest.reverse()
        latest.sort(key=lambda one: one.track in self._there)
        found = []
        for piece in pieces:
            one = next((one for one in latest if one.piece == piece), None)
            if one is None:
                found.append(Exhibit(piece))
                continue
            latest.remove(one)
            runner_up = (
                None
                if one.guess is None
                else next((other for other in (one.guess.piece, one.guess.runner_up) if other is not None and other != piece), None)
            )
            found.append(Exhibit(piece, one.confidence, runner_up, one.track))
        return tuple(found)

    def keep(self, number: int, pieces: Sequence[Piece]) -> None:
        """Keep how the pieces looked by which an event was judged; events from its number on are forgotten."""
        self._kept = {before: exhibits for before, exhibits in self._kept.items() if before < number}
        if pieces:
            self._kept[number] = self.of(pieces)

    def kept(self, number: int, pieces: Sequence[Piece]) -> tuple[Exhibit, ...]:
        """How the pieces of an event looked; where nobody looked, as after a resume, they are named alone.

        One that people call otherwise since was read as what it was called before.
        """
        exhibits = self._kept.get(number, ())
        if len(exhibits) != len(pieces):
            return tuple(map(Exhibit, pieces))
        return tuple(
            one if one.piece == piece else Exhibit(piece, None, one.piece, one.track) for one, piece in zip(exhibits, pieces, strict=True)
        )
