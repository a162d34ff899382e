"""How pieces looked by which something was judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from visionset.pieces import Piece
from visionset.referee.rulings import Exhibit
from visionset.table import Sighting, Table

_MOST_TRACKS = 200
"""Pieces that are remembered: more than two rounds of any game show."""


class Evidence:
    """Remembers the last sighting of each track, and what events were judged by.

    In `beyond_doubt` are the pieces that people have vouched for since the last event.
    """

    def __init__(self) -> None:
        self._last: dict[int, Sighting] = {}
        self._there: frozenset[int] = frozenset()
        self._kept: dict[int, tuple[Exhibit, ...]] = {}
        self.beyond_doubt: frozenset[Piece] = frozenset()

    def look(self, table: Table) -> None:
        """Remember what lies there now; pieces that people imagine are none."""
        seen = {one.track: one for one in table.sightings if one.track is not None and one.track >= 0}
        for track, one in seen.items():
            self._last.pop(track, None)  # the newest last
            self._last[track] = one
        for track in list(self._last)[:-_MOST_TRACKS]:
            del self._last[track]
        self._there = frozenset(seen)

    def thrown(self, tracks: frozenset[int]) -> None:
        """Dice show another side now: nothing on the table is what an earlier event was judged by."""
        for number, exhibits in self._kept.items() if tracks else ():
            self._kept[number] = tuple(replace(one, track=None) if one.track in tracks else one for one in exhibits)

    def of(self, pieces: Sequence[Piece], mine: Sequence[int] = (), *, have_left: bool = False) -> tuple[Exhibit, ...]:
        """How these pieces looked, which have the tracks `mine`: each its own where as many are known.

        Of equal ones else first those that have left the table, the latest before the earlier; where they `have_left`, nothing that lies
        there is one of them.
        """
        latest = [one for track, one in self._last.items() if not (have_left and track in self._there)]
        latest.reverse()
        latest.sort(key=lambda one: one.track in self._there and one.track not in mine)
        found = []
        for piece, own in zip(pieces, mine if len(mine) == len(pieces) else (None,) * len(pieces), strict=True):
            alike = [one for one in latest if one.piece == piece]
            if not alike:
                found.append(Exhibit(piece))
                continue
            one = next((one for one in alike if one.track == own), alike[0])
            latest.remove(one)
            found.append(seen_as(piece, one))
        return tuple(found)

    def keep(self, number: int, pieces: Sequence[Piece], mine: Sequence[int] = (), *, have_left: bool = False) -> None:
        """Keep how the pieces looked by which an event was judged; events from its number on are forgotten."""
        self.beyond_doubt = frozenset()
        self._kept = {before: exhibits for before, exhibits in self._kept.items() if before < number}
        if pieces:
            self._kept[number] = self.of(pieces, mine, have_left=have_left)

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


def seen_as(piece: Piece, one: Sighting) -> Exhibit:
    """How a piece looks."""
    guessed = (one.guess.piece, one.guess.runner_up) if one.guess else ()
    runner_up = next((other for other in guessed if other is not None and other != piece), None)
    return Exhibit(piece, one.confidence, runner_up, one.track)
