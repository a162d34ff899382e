"""What is shown while the view moves, or before anything has settled: what is read in this very frame, and nothing follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from visionset.geometry import Floats, reading_order, short_sides_px
from visionset.table import Sighting, Table
from visionset.tracking.tracks import HERE, Belief, Track, move_outline


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """One piece in the readings of a view that moves."""

    sighting: Sighting
    """Where it is now, by the name that it is shown with."""
    belief: Belief
    """What it is by those readings, and by what was known of it before."""
    read: Sighting
    """As the last reading that saw it has it."""
    unseen: int = 0
    """Readings since it was last read."""

    def at(self, image_from_before: Floats) -> Glimpse:
        """The same after the view moved."""
        outline = move_outline(self.sighting.outline_px, image_from_before)
        return replace(self, sighting=replace(self.sighting, outline_px=outline), read=replace(self.read, outline_px=outline))


class Glance:
    """Follows pieces from reading to reading by the motion of the view; a name is shown where place and reading agree on it.

    It begins with tracks whose places are known; with none of them where the view was lost, for then a place says nothing.
    """

    def __init__(self, tracks: Sequence[Track], readings: int) -> None:
        self._readings = readings
        self._glimpses = tuple(Glimpse(track.sighting, self._fading(track.belief), track.sighting) for track in tracks)
        self._now_from_asked: Floats = np.eye(3)

    def ask(self) -> None:
        """A frame is being read."""
        self._now_from_asked = np.eye(3)

    def move(self, image_from_last: Floats) -> None:
        """Follow the view."""
        self._glimpses = tuple(one.at(image_from_last) for one in self._glimpses)
        self._now_from_asked = np.asarray(image_from_last @ self._now_from_asked)

    def add(self, table: Table) -> None:
        """Take in the reading of the frame that was asked about; where the view moved meanwhile, it follows."""
        before = self._glimpses
        fresh = [replace(one, outline_px=move_outline(one.outline_px, self._now_from_asked)) for one in table.sightings]
        known = self._known(fresh)
        seen = [self._again(before[known[at]], one) if at in known else self._first(one) for at, one in enumerate(fresh)]
        unseen = (replace(one, unseen=one.unseen + 1) for row, one in enumerate(before) if row not in known.values())
        self._glimpses = (*seen, *(one for one in unseen if one.unseen <= self._readings))

    def sightings(self, size_px: tuple[int, int]) -> tuple[Sighting, ...]:
        """What is shown, in reading order: what was read last, as far as its middle is in the picture."""
        shown = [one.sighting for one in self._glimpses if not one.unseen]
        shown = [one for one in shown if ((one.center_px >= 0) & (one.center_px < size_px)).all()]
        return tuple(shown[at] for at in reading_order(np.array([one.outline_px for one in shown]).reshape(-1, 4, 2)))

    def doubting(self, settled: Sequence[Sighting], *, moving: bool) -> tuple[Sighting, ...]:
        """A settled table without the names that the last reading contradicts; while the view moves, where that reading saw it."""
        seen = [one for one in self._glimpses if not one.unseen]
        if not seen or not settled:
            return tuple(settled)
        outlines = np.array([one.outline_px for one in settled])
        apart = np.linalg.norm(outlines.mean(axis=1)[:, None] - np.array([one.sighting.center_px for one in seen]), axis=2)
        nearest, off = apart.argmin(axis=1), apart.min(axis=1) / np.maximum(short_sides_px(outlines), 1e-6)
        return tuple(
            self._doubting(one, seen[at].read if away < HERE else None, moving) for one, at, away in zip(settled, nearest, off, strict=True)
        )

    def _doubting(self, one: Sighting, read: Sighting | None, moving: bool) -> Sighting:
        if read is None:
            return replace(one, piece=None) if moving else one
        outline = read.outline_px if moving else one.outline_px
        other = read.piece is not None and read.piece != one.piece
        return replace(one, outline_px=outline, piece=None) if other else replace(one, outline_px=outline) if moving else one

    def _known(self, fresh: Sequence[Sighting]) -> dict[int, int]:
        """Which of the fresh sightings lie where which of the glimpses are."""
        if not fresh or not self._glimpses:
            return {}
        outlines = np.array([one.sighting.outline_px for one in self._glimpses])
        apart = np.linalg.norm(outlines.mean(axis=1)[:, None] - np.array([one.center_px for one in fresh]), axis=2)
        off = apart / np.maximum(short_sides_px(outlines), 1e-6)[:, None]
        same = np.array([[one.sighting.kind is other.kind for other in fresh] for one in self._glimpses])
        near = same & (off < HERE)
        rows, columns = linear_sum_assignment(np.where(near, off, 1.0 + HERE))
        return {int(column): int(row) for row, column in zip(rows, columns, strict=True) if near[row, column]}

    def _first(self, one: Sighting) -> Glimpse:
        return Glimpse(one, Belief.of(one), one)

    def _again(self, glimpse: Glimpse, one: Sighting) -> Glimpse:
        belief = self._fading(Belief.pooled([glimpse.belief, Belief.of(one)], self._readings))
        agrees = one.piece is not None and belief.top[0] == one.piece
        return Glimpse(replace(one, piece=one.piece if agrees else None, track=glimpse.sighting.track), belief, one)

    def _fading(self, belief: Belief) -> Belief:
        return belief.scaled(min(belief.weight, self._readings))
