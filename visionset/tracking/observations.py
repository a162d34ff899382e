"""Places: what a few readings of the same quiet table have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.optimize import linear_sum_assignment

from visionset.geometry import Floats, Quad, apply, as_quad
from visionset.pieces import Kind
from visionset.table import Sighting, Table
from visionset.tracking.belief import Belief


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """One thing as a few readings saw it.

    Attributes
    ----------
    outline_px : ndarray of float64, shape (4, 2)
        Corner by corner the median of all readings; of those that saw the whole card where others saw no more than its index.
    belief : Belief
        What it is, with the weight of one look, however many readings that look had: they share light and angle.
    seen, looked : int
        Readings in which it was seen, and readings there were.
    """

    outline_px: Quad
    belief: Belief
    seen: int
    looked: int

    @property
    def is_steady(self) -> bool:
        """Seen in most readings."""
        return 2 * self.seen > self.looked


def short_sides_px(outlines_px: Floats) -> Floats:
    """Length of the shorter pair of sides, averaged, of each outline of shape (..., 4, 2)."""
    sides = outlines_px - outlines_px[..., [3, 0, 1, 2], :]
    long = np.hypot(sides[..., 0], sides[..., 1])
    return np.asarray(np.minimum(long[..., 0] + long[..., 2], long[..., 1] + long[..., 3]) / 2)


def short_side_px(outline_px: Quad) -> float:
    """The same of one outline."""
    return float(short_sides_px(outline_px))


_TURNS = (np.arange(4) - np.arange(4)[:, None]) % 4
"""Orders of four corners that go round alike, each beginning at another one."""


def aligned(outline_px: Quad, like_px: Quad) -> Quad:
    """The same outline, beginning at the corner that makes it most like another."""
    turns = outline_px[_TURNS]
    return as_quad(turns[np.abs(turns - like_px).sum(axis=(1, 2)).argmin()])


def moved(outline_px: Quad, image_from_before: Floats) -> Quad:
    """An outline after the view moved."""
    return as_quad(apply(image_from_before, outline_px))


_SAME_PLACE = 0.5
"""Sightings are of one thing while their middles are closer than this share of its short side."""

_WHOLE = 0.5
"""An outline of less than this share of the largest one's area is a card's index."""


class Draft:
    """Readings of a table that is not settled yet."""

    def __init__(self, since_s: float) -> None:
        self.since_s = since_s
        self.last_s = since_s
        self.readings = 0
        self._seen: list[list[Sighting]] = []
        self._now_from_asked: Floats | None = None
        self._places: tuple[Place, ...] | None = None

    def ask(self, time_s: float) -> None:
        """A frame is being read."""
        self.last_s = time_s
        self._now_from_asked = None

    def add(self, table: Table) -> None:
        """Take in the reading of the frame that was asked about; where the view moved meanwhile, it follows."""
        self.readings += 1
        self._places = None
        fresh = list(table.sightings)
        if self._now_from_asked is not None:
            fresh = [_moved(one, self._now_from_asked) for one in fresh]
        joined: dict[int, int] = {}
        for at, sighting in enumerate(fresh):
            free = [row for row in range(len(self._seen)) if row not in joined.values()]
            same = [row for row in free if any(_is_same_card(one, sighting) for one in self._seen[row])]
            if same:
                joined[at] = min(same, key=lambda row: _apart_px(self._seen[row][-1], sighting))
        joined |= self._nearest(fresh, joined)
        for at, sighting in enumerate(fresh):
            if at in joined:
                self._seen[joined[at]].append(sighting)
            else:
                self._seen.append([sighting])

    def _nearest(self, fresh: Sequence[Sighting], joined: Mapping[int, int]) -> dict[int, int]:
        """Which of the fresh sightings that are not yet joined lie where which of the others was seen."""
        columns = [at for at in range(len(fresh)) if at not in joined]
        rows = [row for row in range(len(self._seen)) if row not in joined.values()]
        if not rows or not columns:
            return {}
        known = np.array([self._seen[row][-1].center_px for row in rows])
        apart = np.linalg.norm(known[:, None] - np.array([fresh[at].center_px for at in columns]), axis=2)
        reach = _SAME_PLACE * short_sides_px(np.array([self._seen[row][-1].outline_px for row in rows]))
        pairs = zip(*linear_sum_assignment(np.minimum(apart / np.maximum(reach, 1e-6)[:, None], 2.0)), strict=True)
        return {columns[column]: rows[row] for row, column in pairs if apart[row, column] < reach[row]}

    def move(self, image_from_before: Floats) -> None:
        """Follow the view."""
        self._places = None
        self._seen = [[_moved(one, image_from_before) for one in group] for group in self._seen]
        asked = self._now_from_asked
        self._now_from_asked = image_from_before if asked is None else np.asarray(image_from_before @ asked)

    def places(self) -> tuple[Place, ...]:
        """What was seen so far."""
        if self._places is None:
            self._places = tuple(self._place(group) for group in self._seen)
        return self._places

    def _place(self, group: list[Sighting]) -> Place:
        whole = _largest(group)
        like = whole[-1].outline_px
        outline = np.median([aligned(one.outline_px, like) for one in whole], axis=0)
        belief = Belief.pooled([Belief.of(one) for one in group], most=np.inf)
        return Place(as_quad(outline), belief.scaled(1.0), len(group), self.readings)


def _is_same_card(one: Sighting, other: Sighting) -> bool:
    """In a fan a card may be seen by its index in one reading, whole in the next, and its edges taken for a neighbour's."""
    if one.kind is not Kind.PLAYING_CARD or one.piece is None or one.piece != other.piece:
        return False
    return _apart_px(one, other) < max(one.long_side_px, other.long_side_px)


def _apart_px(one: Sighting, other: Sighting) -> float:
    return float(np.linalg.norm(one.center_px - other.center_px))


def _largest(group: list[Sighting]) -> list[Sighting]:
    """The sightings of one piece that show all of it, in order."""
    areas = [cv2.contourArea(one.outline_px.astype(np.float32)) for one in group]
    return [one for one, area in zip(group, areas, strict=True) if area >= _WHOLE * max(areas)]


def _moved(one: Sighting, image_from_before: Floats) -> Sighting:
    return Sighting(one.kind, moved(one.outline_px, image_from_before), one.piece, one.confidence, one.guess)
