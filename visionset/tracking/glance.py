"""What is shown while the view moves, or before anything has settled: the pieces of the latest reading. Nothing else follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from visionset.geometry import Floats
from visionset.pieces import Piece
from visionset.table import Sighting, Table
from visionset.tracking.belief import Belief
from visionset.tracking.tracks import HERE, Track, moved, offsets, pairs_of, within


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """One piece in the readings of a view that moves."""

    sighting: Sighting
    """Where it is now, with the name that is shown."""
    belief: Belief
    """What it is by those readings, and by its track where it has one."""
    read: Piece | None
    """Its name in the last reading that saw it."""
    unseen: int = 0
    """Readings that have not seen it since."""


class Glance:
    """Follows pieces from reading to reading by the motion of the view; shown are names that the last reading and all together agree on.

    It begins with tracks whose places are known, or with none where the view was lost. So many `readings` are pooled in the belief about a
    piece, which is forgotten once more than as many in turn have not seen it.
    """

    def __init__(self, tracks: Sequence[Track], readings: int) -> None:
        self._readings = readings
        self._glimpses = [Glimpse(track.sighting, self._pooled(track.belief), track.sighting.piece) for track in tracks]
        self._now_from_asked: Floats = np.eye(3)

    def ask(self) -> None:
        """Note that this frame is being read: `add` gets what was read in it, perhaps some frames later."""
        self._now_from_asked = np.eye(3)

    def move(self, image_from_last: Floats) -> None:
        """Move all places with the view, by a homography from pixels of the last frame to those of this one."""
        self._glimpses = [replace(one, sighting=moved(one.sighting, image_from_last)) for one in self._glimpses]
        self._now_from_asked = image_from_last @ self._now_from_asked

    def add(self, table: Table) -> None:
        """Take in the reading of the frame of `ask`, moved by as much as the view moved since then."""
        before, fresh = self._glimpses, [moved(one, self._now_from_asked) for one in table.sightings]
        off = offsets([one.sighting for one in before], fresh)
        same = np.array([[one.sighting.kind is other.kind for other in fresh] for one in before], bool).reshape(off.shape)
        near = same & (off < HERE)
        known = pairs_of(np.where(near, off, 1.0 + HERE), near)
        seen = [
            self._again(before[known[at]], one) if at in known else Glimpse(one, Belief.of(one), one.piece) for at, one in enumerate(fresh)
        ]
        unseen = [one for row, one in enumerate(before) if row not in known.values() and one.unseen < self._readings]
        self._glimpses = [*seen, *(replace(one, unseen=one.unseen + 1) for one in unseen)]

    def sightings(self, size_px: tuple[int, int]) -> tuple[Sighting, ...]:
        """The pieces of the last reading whose middle is in the picture, in reading order: they are shown."""
        return within([one.sighting for one in self._glimpses if not one.unseen], size_px)

    def doubting(self, settled: Sequence[Sighting], *, moving: bool) -> tuple[Sighting, ...]:
        """A settled table without the names that the last reading contradicts; while the view moves, with the places of that reading."""
        seen = [one for one in self._glimpses if not one.unseen]
        if not seen or not settled:
            return tuple(settled)
        off = offsets(settled, [one.sighting for one in seen])
        return tuple(
            _doubting(one, seen[at] if away < HERE else None, moving)
            for one, at, away in zip(settled, off.argmin(axis=1), off.min(axis=1), strict=True)
        )

    def _again(self, before: Glimpse, one: Sighting) -> Glimpse:
        belief = self._pooled(before.belief, Belief.of(one))
        shown = one.piece if belief.top[0] == one.piece else None
        return Glimpse(replace(one, piece=shown, track=before.sighting.track), belief, one.piece)

    def _pooled(self, *beliefs: Belief) -> Belief:
        return Belief.pooled(beliefs, self._readings)


def _doubting(one: Sighting, last: Glimpse | None, moving: bool) -> Sighting:
    """A settled piece without its name if the last reading of it, `last`, has another; None is a piece that this reading did not see."""
    if last is None:
        return replace(one, piece=None) if moving else one
    if moving:
        one = replace(one, outline_px=last.sighting.outline_px)
    return one if last.read in {one.piece, None} else replace(one, piece=None)
