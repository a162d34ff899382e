"""Places and looks of pieces: the small picture of the table, observations pooled from a few readings, and the tracks that pieces keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from visionset.geometry import Floats, Quad, apply, as_quad, outlines_of, reading_order, short_sides_px
from visionset.kinds import CARD_FACES
from visionset.pieces import Kind, Piece
from visionset.table import Guess, Sighting, Table
from visionset.tracking.belief import Belief, TopFace
from visionset.tracking.options import NameOptions
from visionset.tracking.view import FLOOR, KNOWN, Mask, fill, small_size, warp


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """A small picture of the table at one moment, told apart into brightness and colour, and the view's motion since."""

    logs: NDArray[np.float32]
    """Log brightness; log of red over green; log of blue over green. Shape (height, width, 3)."""
    scale: Floats
    """Small pixels per pixel of the frame, in x and y. Shape (2,)."""
    now_from_then: Floats
    """Homography from its pixels to those of now, after the view moved. Shape (3, 3)."""

    @staticmethod
    def of(image_bgr: NDArray[np.uint8], long_side_px: int) -> Background:
        """Remember a frame in a small picture with this long side."""
        size_px = (image_bgr.shape[1], image_bgr.shape[0])
        size = small_size(size_px, long_side_px)
        small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
        blue, green, red = np.moveaxis(cv2.log(cv2.GaussianBlur(small, (3, 3), 0).astype(np.float32) + FLOOR), 2, 0)
        logs = np.dstack([cv2.log(grey + FLOOR), red - green, blue - green])
        return Background(np.asarray(logs, np.float32), np.array(size) / size_px, np.eye(3))

    def fill(self, outlines_px: Iterable[Quad], grow_px: int = 0) -> Mask:
        """Mask of the insides of outlines in the small picture, grown by so many of its pixels."""
        return fill(outlines_px, self.scale, self.logs.shape[:2], grow_px)

    def moved(self, image_from_before: Floats) -> Background:
        """The same after the view moved, by a homography between pixels of frames."""
        to_small = np.diag([*self.scale, 1.0])
        return replace(self, now_from_then=to_small @ image_from_before @ np.linalg.inv(to_small) @ self.now_from_then)

    @property
    def has_moved(self) -> bool:
        """The view is no longer that of the moment."""
        return not np.allclose(self.now_from_then, np.eye(3))

    def now(self) -> tuple[NDArray[np.float32], Mask]:
        """`logs` as they look from where the camera is now, and the mask of pixels that were in the picture then."""
        if not self.has_moved:
            return self.logs, np.ones(self.logs.shape[:2], bool)
        known = warp(np.ones(self.logs.shape[:2], np.float32), self.now_from_then) > KNOWN
        return np.asarray(warp(self.logs, self.now_from_then), np.float32), known

    def with_older(self, where: Mask, older: Background) -> Background:
        """The same, with the pixels of an older moment in a mask, as far as they are known."""
        logs, known = older.now()
        return replace(self, logs=np.where((where & known)[..., None], logs, self.logs))


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """One thing as a few readings saw it."""

    outline_px: Quad
    """Corner by corner the median of all readings; of those that saw the whole card where others saw no more than its index."""
    belief: Belief
    """What it is, with the weight of one look, however many readings that look had: they share light and angle."""
    seen: int
    looked: int
    """`seen` and `looked`: number of readings in which it was seen, and of all readings."""

    @property
    def is_steady(self) -> bool:
        """Seen in most readings."""
        return 2 * self.seen > self.looked


def aligned(outline_px: Quad, like_px: Quad) -> Quad:
    """The same outline, beginning at the corner that brings its corners nearest to those of another."""
    turns = np.stack([np.roll(outline_px, turn, axis=0) for turn in range(len(outline_px))])
    return as_quad(turns[np.abs(turns - like_px).sum(axis=(1, 2)).argmin()])


def moved(one: Sighting, image_from_before: Floats) -> Sighting:
    """The same after the view moved."""
    return replace(one, outline_px=apply(image_from_before, one.outline_px))


def within(sightings: Sequence[Sighting], size_px: tuple[int, int]) -> tuple[Sighting, ...]:
    """Those whose middle is in the picture, in reading order."""
    middles_px = outlines_of(sightings).mean(axis=1)
    is_inside = ((middles_px >= 0) & (middles_px < size_px)).all(axis=1)
    inside = [one for one, is_so in zip(sightings, is_inside, strict=True) if is_so]
    return tuple(inside[at] for at in reading_order(outlines_of(inside)))


HERE = 0.5
"""Share of a piece's short side by which its middle may be off for it to lie in its place."""


def offsets(before: Iterable[Sighting | Observation | Track], now: Iterable[Sighting | Observation | Track]) -> Floats:
    """Distances of the middles of pieces of before and of now, in short sides of the former; shape (before, now)."""
    then_px = outlines_of(before)
    apart = np.linalg.norm(then_px.mean(axis=1)[:, None] - outlines_of(now).mean(axis=1), axis=2)
    return np.asarray(apart / np.maximum(short_sides_px(then_px), 1e-6)[:, None])


def pairs_of(cost: Floats, allowed: Mask) -> dict[int, int]:
    """The linear assignment of least total cost as row by column, without pairs that are not allowed."""
    rows, columns = linear_sum_assignment(cost)
    return {int(column): int(row) for row, column in zip(rows, columns, strict=True) if allowed[row, column]}


class Draft:
    """Collects the readings of a table that is not settled yet, and pools those of each piece in one observation."""

    def __init__(self, since_s: float) -> None:
        self.since_s = self.last_s = since_s
        self.readings = 0
        self._seen: list[list[Sighting]] = []
        self._now_from_asked: Floats = np.eye(3)
        self._observations: tuple[Observation, ...] | None = None

    def ask(self, time_s: float) -> None:
        """Note that this frame is being read: `add` gets what was read in it, perhaps some frames later."""
        self.last_s = time_s
        self._now_from_asked = np.eye(3)

    def add(self, table: Table) -> None:
        """Take in the reading of the frame of `ask`, moved by as much as the view moved since then."""
        self.readings += 1
        self._observations = None
        fresh = [moved(one, self._now_from_asked) for one in table.sightings]
        joined: dict[int, int] = {}
        for at, sighting in enumerate(fresh):
            free = [row for row in range(len(self._seen)) if row not in joined.values()]
            same = [row for row in free if any(_is_same_card(one, sighting) for one in self._seen[row])]
            if same:
                joined[at] = min(same, key=lambda row: self._seen[row][-1].apart_px(sighting))
        rows = [row for row in range(len(self._seen)) if row not in joined.values()]
        columns = [at for at in range(len(fresh)) if at not in joined]
        off = offsets([self._seen[row][-1] for row in rows], [fresh[at] for at in columns])
        joined |= {columns[at]: rows[row] for at, row in pairs_of(np.minimum(off / HERE, 2.0), off < HERE).items()}
        for at, sighting in enumerate(fresh):
            if at in joined:
                self._seen[joined[at]].append(sighting)
            else:
                self._seen.append([sighting])

    def move(self, image_from_before: Floats) -> None:
        """Move all places with the view, by a homography from pixels of before to those of now."""
        self._observations = None
        self._seen = [[moved(one, image_from_before) for one in group] for group in self._seen]
        self._now_from_asked = image_from_before @ self._now_from_asked

    def observations(self) -> tuple[Observation, ...]:
        """What was seen so far."""
        if self._observations is None:
            self._observations = tuple(self._observed(group) for group in self._seen)
        return self._observations

    def _observed(self, group: list[Sighting]) -> Observation:
        areas = [cv2.contourArea(one.outline_px.astype(np.float32)) for one in group]
        # what is less than half as large as the largest is a card's index
        whole = [one.outline_px for one, area in zip(group, areas, strict=True) if 2 * area >= max(areas)]
        outline = np.median([aligned(one, whole[-1]) for one in whole], axis=0)
        belief = Belief.pooled([Belief.of(one) for one in group], most=1.0)
        return Observation(as_quad(outline), belief, len(group), self.readings)


def _is_same_card(one: Sighting, other: Sighting) -> bool:
    """Whether a playing card of one name is nearer than a long side: in a fan a reading may see its index alone, or other edges."""
    if one.kind is not Kind.PLAYING_CARD or one.piece is None or one.piece != other.piece:
        return False
    return one.apart_px(other) < max(one.long_side_px, other.long_side_px)


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """One piece on the table."""

    number: int
    """Its own as long as it lies there."""
    belief: Belief
    """All readings of it, pooled."""
    sighting: Sighting
    """As it is shown; the same object while nothing about it changes."""
    settled_s: float
    """When it was last seen in a settled table."""
    portrait: NDArray[np.float32]
    """How it looked then, see `occlusion.Surroundings.portrait`. Shape (48, 36)."""
    background: Background
    """How the table looked then."""
    corrected: Piece | None = None
    """What a person says it is."""
    astray: bool = False
    """The view moved while it was not seen: its place is a guess, and it is not shown until its face is read again."""

    @property
    def outline_px(self) -> Quad:
        """Where it lies."""
        return self.sighting.outline_px

    @property
    def face(self) -> TopFace | None:
        """What it is settled to be; None while unsure."""
        return Kind.CARD_BACK if self.sighting.kind is Kind.CARD_BACK else self.sighting.piece

    def at(self, outline_px: Quad) -> Track:
        """The same elsewhere."""
        return replace(self, sighting=replace(self.sighting, outline_px=outline_px))

    def corrected_to(self, piece: Piece | None) -> Track:
        """The same as a person calls it; None: nobody does any more, and its readings alone tell what it is."""
        unnamed = self if piece is not None or self.corrected is None else self.called(None, 0.0, None)
        return replace(unnamed, corrected=piece)

    def called(self, piece: Piece | None, confidence: float, guess: Guess | None) -> Track:
        """The same with another reading; the same object when the reading is no news."""
        shown = self.sighting
        is_same = shown.piece == piece and shown.kind is self.belief.kind
        if piece is None:
            is_same &= (shown.guess and shown.guess.piece) == (guess and guess.piece)
        if is_same and abs(shown.confidence - confidence) < _NEWS:
            return self
        return replace(self, sighting=Sighting(self.belief.kind, shown.outline_px, piece, confidence, guess, self.number))


_NEWS = 0.005
"""Difference in confidence that is no news: a name that later readings make surer is shown as sure as it is."""


def name_all(tracks: Iterable[Track], excluded: frozenset[Piece], options: NameOptions) -> tuple[Track, ...]:
    """Name every track, the surest first, so that no card has its name more often than there are decks; in the order given."""
    given = tuple(tracks)
    used: Counter[TopFace] = Counter()
    called: dict[int, Track] = {}
    for track in sorted(given, key=lambda one: (one.corrected is not None, one.face is not None, one.belief.top[1]), reverse=True):
        called[track.number] = one = _named(track, used, excluded, options)
        if one.face is not None and one.belief.kind in CARD_FACES:
            used[one.face] += 1
    return tuple(called[track.number] for track in given)


def _named(track: Track, used: Counter[TopFace], excluded: frozenset[Piece], options: NameOptions) -> Track:
    if track.corrected is not None:
        return track.called(track.corrected, 1.0, Guess(track.corrected, 1.0))
    penalty: dict[TopFace, float] = dict.fromkeys(excluded, options.excluded_log)
    penalty |= {face: 2 * options.excluded_log for face, count in used.items() if count >= options.decks}
    belief = track.belief.after(penalty)
    top, share = belief.top
    guess = belief.guess(track.belief.logs)  # only faces that a reading named, not such as are known for a penalty alone
    if isinstance(top, Kind) or top is None:
        return track.called(None, share, None)
    before = track.sighting.piece if track.sighting.kind is track.belief.kind else None
    if before is None:
        needed = options.sure
    elif before == top:
        needed = options.keep
    elif share < options.strong and (kept := belief.probability(before)) >= options.keep:
        return track.called(before, kept, guess)
    else:
        needed = options.strong
    return track.called(top if share >= needed else None, share, guess)
