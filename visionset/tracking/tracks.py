"""What is known of each piece: a belief pooled over readings, where it was observed, how the table looked, and the track that it keeps.

Longer than most modules: tracks are made of observations, observations of beliefs, and each is short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import exp, log
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from visionset.geometry import Floats, Quad, apply, as_quad, reading_order, short_sides_px
from visionset.kinds import CARD_FACES, KIND_SPECS
from visionset.pieces import Kind, Piece
from visionset.table import Guess, Sighting, Table
from visionset.tracking.options import BackgroundOptions, NameOptions
from visionset.tracking.view import FLOOR, KNOWN, Mask, fill, small_size, warp

_Face: TypeAlias = Piece | Kind
"""What lies uppermost: a piece, or `Kind.CARD_BACK`, which shows no piece."""

FACES: Mapping[Kind, int] = {kind: max(len(spec.faces), 1) for kind, spec in KIND_SPECS.items()}
"""How many different faces each kind has."""

SURE_AT_MOST = 0.98
"""No single reading is believed more than this: one glare can make a reader sure of the wrong thing."""


@dataclass(frozen=True)  # no slots: probabilities are asked for again and again, and kept
class Belief:
    """Log probabilities of faces, not normalised, and how many looks they were added up over.

    Probabilities come from the mean: looks of one camera under one lamp err together, so that a hundred of them are no surer than
    one, but one that errs alone is outvoted by how sure the others are.
    """

    kind: Kind
    logs: Mapping[_Face, float] = field(default_factory=dict)
    """Pooled log probability of each face that any reading named."""
    other_log: float = 0.0
    """The same of each face that none named."""
    weight: float = 0.0
    """How many looks are in it."""

    @staticmethod
    def of(sighting: Sighting) -> Belief:
        """What one reading says; a piece that could not even be guessed says only that it is there, and is no look at its face."""
        faces = FACES[sighting.kind]
        if sighting.kind is Kind.CARD_BACK:
            return Belief(sighting.kind, {Kind.CARD_BACK: 0.0}, 0.0, 1.0)
        guess = sighting.guess or (Guess(sighting.piece, sighting.confidence) if sighting.piece is not None else None)
        if guess is None:
            return Belief(sighting.kind)
        first = min(max(guess.confidence, 1 / faces), SURE_AT_MOST)
        if guess.runner_up is None:
            other = max(1 - first, 1 - SURE_AT_MOST) / (faces - 1)
            return Belief(sighting.kind, {guess.piece: log(first)}, log(other), 1.0)
        second = min(guess.runner_up_confidence, 1 - first)
        other = max(1 - first - second, 1 - SURE_AT_MOST) / (faces - 2)
        return Belief(sighting.kind, {guess.piece: log(first), guess.runner_up: log(max(second, other))}, log(other), 1.0)

    @staticmethod
    def pooled(beliefs: Sequence[Belief], most: float) -> Belief:
        """Join beliefs about one piece: log probabilities add up; beyond `most` looks all of them fade alike.

        Beliefs about another kind than the weightiest are left out.
        """
        kinds = dict.fromkeys(belief.kind for belief in beliefs)
        kind = max(kinds, key=lambda one: sum(belief.weight for belief in beliefs if belief.kind is one))
        chosen = [belief for belief in beliefs if belief.kind is kind]
        faces = dict.fromkeys(face for belief in chosen for face in belief.logs)
        weight = sum(belief.weight for belief in chosen)
        share = min(1.0, most / weight) if weight else 1.0
        logs = {face: share * sum(belief.logs.get(face, belief.other_log) for belief in chosen) for face in faces}
        return Belief(kind, logs, share * sum(belief.other_log for belief in chosen), share * weight)

    def after(self, penalty: Mapping[_Face, float]) -> Belief:
        """The same with some faces less likely beforehand, by a log factor each (0 or below)."""
        faces = dict.fromkeys([*self.logs, *(face for face in penalty if not isinstance(face, Kind) and face.kind is self.kind)])
        share = self._mean
        logs = {face: share * self.logs.get(face, self.other_log) + penalty.get(face, 0.0) for face in faces}
        return Belief(self.kind, logs, share * self.other_log, 1.0)

    @property
    def _mean(self) -> float:
        return 1 / self.weight if self.weight else 1.0

    @cached_property
    def ranked(self) -> tuple[tuple[_Face, float], ...]:
        """Faces that were named with their probabilities, likeliest first."""
        if not self.logs:
            return ()
        share = self._mean
        highest = max(*self.logs.values(), self.other_log)
        others = (FACES[self.kind] - len(self.logs)) * exp(share * (self.other_log - highest))
        odds = {face: exp(share * (value - highest)) for face, value in self.logs.items()}
        total = others + sum(odds.values())
        return tuple(sorted(((face, one / total) for face, one in odds.items()), key=lambda one: (-one[1], str(one[0]))))

    def agreement(self, other: Belief) -> float:
        """Probability that both are about the same face."""
        if self.kind is not other.kind:
            return 0.0
        if self.kind is Kind.CARD_BACK:
            return 1.0
        (here, here_else), (there, there_else) = self.shares, other.shares
        only_there = [share for face, share in there.items() if face not in here]
        named = sum(share * there.get(face, there_else) for face, share in here.items()) + here_else * sum(only_there)
        return named + (FACES[self.kind] - len(here) - len(only_there)) * here_else * there_else

    def probability(self, face: _Face) -> float:
        """Probability of one face, 0 to 1."""
        named, other = self.shares
        return named.get(face, other)

    @cached_property
    def shares(self) -> tuple[Mapping[_Face, float], float]:
        """Probabilities of the faces that were named, and of each other face."""
        if not self.logs:
            return {}, 1 / FACES[self.kind]
        named = dict(self.ranked)
        left = max(1, FACES[self.kind] - len(named))
        return named, max(0.0, 1 - sum(named.values())) / left

    @property
    def top(self) -> tuple[_Face | None, float]:
        """The likeliest face and its probability; (None, 0) when nothing was ever guessed."""
        return self.ranked[0] if self.ranked else (None, 0.0)

    def guess(self, named: Container[_Face] | None = None) -> Guess | None:
        """The likeliest piece and the next, for asking, among those that are `named`; None for a back or where nothing was guessed."""
        pieces = [(face, share) for face, share in self.ranked if not isinstance(face, Kind) and (named is None or face in named)]
        return Guess(*pieces[0], *(pieces[1] if len(pieces) > 1 else ())) if pieces else None


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """The small picture of a moment."""

    logs: NDArray[np.float32]
    """Log brightness; log of red over green; log of blue over green. Shape (height, width, 3)."""
    scale: Floats
    """Small pixels per pixel of the frame, in x and y. Shape (2,)."""
    now_from_then: Floats
    """Where its small pixels are now, after the view moved. Shape (3, 3)."""

    @staticmethod
    def of(image_bgr: NDArray[np.uint8], options: BackgroundOptions) -> Background:
        """Remember a frame."""
        size_px = (image_bgr.shape[1], image_bgr.shape[0])
        size = small_size(size_px, options.long_side_px)
        small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
        blue, green, red = np.moveaxis(cv2.log(cv2.GaussianBlur(small, (3, 3), 0).astype(np.float32) + FLOOR), 2, 0)
        logs = np.dstack([cv2.log(grey + FLOOR), red - green, blue - green])
        return Background(np.asarray(logs, np.float32), np.array(size) / size_px, np.eye(3))

    def fill(self, outlines_px: Iterable[Quad], grow_px: int = 0) -> Mask:
        """The insides of outlines in its small picture, grown by some of its pixels."""
        return fill(outlines_px, self.scale, self.logs.shape[:2], grow_px)

    def moved(self, image_from_before: Floats) -> Background:
        """Follow the view (mapping of pixels of the frame)."""
        to_small = np.diag([*self.scale, 1.0])
        return replace(self, now_from_then=to_small @ image_from_before @ np.linalg.inv(to_small) @ self.now_from_then)

    @property
    def has_moved(self) -> bool:
        """The view is no longer that of the moment."""
        return not np.allclose(self.now_from_then, np.eye(3))

    def now(self) -> tuple[NDArray[np.float32], Mask]:
        """As it looks from where the camera is now, and where that is known."""
        if not self.has_moved:
            return self.logs, np.ones(self.logs.shape[:2], bool)
        known = warp(np.ones(self.logs.shape[:2], np.float32), self.now_from_then) > KNOWN
        return np.asarray(warp(self.logs, self.now_from_then), np.float32), known

    def with_older(self, where: Mask, older: Background) -> Background:
        """The same with what was remembered before in some places."""
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
    """`seen` and `looked`: readings in which it was seen, and readings there were."""

    @property
    def is_steady(self) -> bool:
        """Seen in most readings."""
        return 2 * self.seen > self.looked


def aligned(outline_px: Quad, like_px: Quad) -> Quad:
    """The same outline, beginning at the corner that makes it most like another."""
    turns = np.stack([np.roll(outline_px, turn, axis=0) for turn in range(len(outline_px))])
    return as_quad(turns[np.abs(turns - like_px).sum(axis=(1, 2)).argmin()])


def moved(one: Sighting, image_from_before: Floats) -> Sighting:
    """The same after the view moved."""
    return replace(one, outline_px=apply(image_from_before, one.outline_px))


def outlines_px(pieces: Iterable[Sighting | Observation | Track]) -> Floats:
    """Their outlines, shape (n, 4, 2)."""
    return np.array([one.outline_px for one in pieces]).reshape(-1, 4, 2)


def within(sightings: Sequence[Sighting], size_px: tuple[int, int]) -> tuple[Sighting, ...]:
    """Those whose middle is in the picture, in reading order."""
    middles_px = outlines_px(sightings).mean(axis=1)
    is_inside = ((middles_px >= 0) & (middles_px < size_px)).all(axis=1)
    inside = [one for one, is_so in zip(sightings, is_inside, strict=True) if is_so]
    return tuple(inside[at] for at in reading_order(outlines_px(inside)))


HERE = 0.5
"""A piece lies in its place while its middle is off by less than this share of its short side."""


def offsets(before: Iterable[Sighting | Observation | Track], now: Iterable[Sighting | Observation | Track]) -> Floats:
    """How far each piece of now is from where each of before lay, in the short sides of the latter; shape (before, now)."""
    then_px = outlines_px(before)
    apart = np.linalg.norm(then_px.mean(axis=1)[:, None] - outlines_px(now).mean(axis=1), axis=2)
    return np.asarray(apart / np.maximum(short_sides_px(then_px), 1e-6)[:, None])


def pairs_of(cost: Floats, allowed: Mask) -> dict[int, int]:
    """For columns the rows that they are paired with at the least total cost, where that pair is allowed."""
    rows, columns = linear_sum_assignment(cost)
    return {int(column): int(row) for row, column in zip(rows, columns, strict=True) if allowed[row, column]}


class Draft:
    """Readings of a table that is not settled yet."""

    def __init__(self, since_s: float) -> None:
        self.since_s = self.last_s = since_s
        self.readings = 0
        self._seen: list[list[Sighting]] = []
        self._now_from_asked: Floats = np.eye(3)
        self._observations: tuple[Observation, ...] | None = None

    def ask(self, time_s: float) -> None:
        """A frame is being read."""
        self.last_s = time_s
        self._now_from_asked = np.eye(3)

    def add(self, table: Table) -> None:
        """Take in the reading of the frame that was asked about; where the view moved meanwhile, it follows."""
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
        """Follow the view."""
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
    """In a fan a card may be seen by its index in one reading, whole in the next, and its edges taken for a neighbour's."""
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
    """How it looked then, straightened."""
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
    def face(self) -> _Face | None:
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
    """Name every track, the surest first: no card is named more often than there are decks."""
    given = tuple(tracks)
    used: Counter[_Face] = Counter()
    called: dict[int, Track] = {}
    for track in sorted(given, key=lambda one: (one.corrected is not None, one.face is not None, one.belief.top[1]), reverse=True):
        called[track.number] = one = _named(track, used, excluded, options)
        if one.face is not None and one.belief.kind in CARD_FACES:
            used[one.face] += 1
    return tuple(called[track.number] for track in given)


def _named(track: Track, used: Counter[_Face], excluded: frozenset[Piece], options: NameOptions) -> Track:
    if track.corrected is not None:
        return track.called(track.corrected, 1.0, Guess(track.corrected, 1.0))
    penalty: dict[_Face, float] = dict.fromkeys(excluded, options.excluded_log)
    penalty |= {face: 2 * options.excluded_log for face, count in used.items() if count >= options.decks}
    belief = track.belief.after(penalty)
    top, share = belief.top
    guess = belief.guess(track.belief.logs)  # not what is here for being somewhere else
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
