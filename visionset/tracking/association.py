"""Association: which piece of before is which piece of now, by place and by what it is, and so what changed.

Longer than most modules: pairing and what follows from it share one sense of what lies in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import log
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from visionset.geometry import Floats, Frame, Quad, apply, short_sides_px
from visionset.kinds import CARD_FACES, DICE
from visionset.pieces import Kind, Piece
from visionset.table import Appeared, Change, Moved, Reread, Sighting, Swapped, Taken, Thrown, TurnedOver
from visionset.tracking.occlusion import ALIKE, Surroundings
from visionset.tracking.options import PairOptions, SettleOptions, TrackerOptions, ViewOptions
from visionset.tracking.tracks import FACES, HERE, Belief, Draft, Observation, Track, aligned, move_outline, name_all
from visionset.tracking.view import Mask, find_view, small_size

_NEVER = np.inf

_AROUND_DICE = 2.0
"""Times its top face: the sides of a die and its shadow move with it."""

_Seen: TypeAlias = Moved | Swapped | Thrown | TurnedOver
"""What may become of a piece in its place, or of one that lies elsewhere."""


def agreement(one: Belief, other: Belief) -> float:
    """Probability that two beliefs are about the same face."""
    if one.kind is not other.kind:
        return 0.0
    if one.kind is Kind.CARD_BACK:
        return 1.0
    (here, here_else), (there, there_else) = one.shares, other.shares
    only_there = [share for face, share in there.items() if face not in here]
    named = sum(share * there.get(face, there_else) for face, share in here.items()) + here_else * sum(only_there)
    return named + max(0, FACES[one.kind] - len(here) - len(only_there)) * here_else * there_else


def is_turned(one: Kind, other: Kind) -> bool:
    """Two sides of a card."""
    return (one is Kind.CARD_BACK and other in CARD_FACES) or (other is Kind.CARD_BACK and one in CARD_FACES)


def offsets(tracks: Sequence[Track], observations: Sequence[Observation]) -> Floats:
    """How far each observation is from where each piece lay, in the piece's short sides; shape (tracks, observations)."""
    before = np.array([track.outline_px for track in tracks]).reshape(-1, 4, 2)
    now = np.array([observation.outline_px for observation in observations]).reshape(-1, 4, 2)
    apart = np.linalg.norm(before.mean(axis=1)[:, None] - now.mean(axis=1), axis=2)
    return np.asarray(apart / np.maximum(short_sides_px(before), 1e-6)[:, None])


def pair(
    tracks: Sequence[Track], observations: Sequence[Observation], touched: Sequence[bool], options: PairOptions
) -> tuple[tuple[int, int], ...]:
    """Pair positions of tracks with positions of observations, at the least total cost; the rest left or came."""
    if not tracks or not observations:
        return ()
    cost = np.full((len(tracks) + len(observations), len(tracks) + len(observations)), _NEVER)
    off = offsets(tracks, observations)
    for row, track in enumerate(tracks):
        for column, observation in enumerate(observations):
            cost[row, column] = _cost(track, observation, float(off[row, column]), touched[row], options)
        cost[row, len(observations) + row] = options.gone
    for column in range(len(observations)):
        cost[len(tracks) + column, column] = options.gone
    cost[len(tracks) :, len(observations) :] = 0.0
    rows, columns = linear_sum_assignment(cost)
    return tuple(
        (int(row), int(column))
        for row, column in zip(rows, columns, strict=True)
        if row < len(tracks) and column < len(observations) and cost[row, column] < _NEVER
    )


def _cost(track: Track, observation: Observation, off: float, touched: bool, options: PairOptions) -> float:
    if off < HERE and is_turned(track.belief.kind, observation.belief.kind) and observation.is_steady and not track.astray:
        return options.unlikely + off
    agree = agreement(track.belief, observation.belief)
    if track.astray:  # by its reading, and by its place only where several read alike
        return min(off / options.far, 1.0) - log(agree) if agree >= options.agree else _NEVER
    if off < HERE:
        return off + min(-log(max(agree, 1e-6)), (1 + touched) * options.unlikely)
    if track.belief.kind is not observation.belief.kind:
        return _NEVER
    moved = (2 - touched) * options.unlikely + min(off / options.far, 1.0)
    if track.belief.kind in DICE:  # it may have been rolled, but of two dice the one that reads alike is the likelier
        return moved - log(max(agree, options.agree))
    return moved - log(agree) if agree >= options.agree else _NEVER


def common_view(tracks: Sequence[Track], observations: Sequence[Observation], options: PairOptions) -> Floats | None:
    """The motion of the camera, when most recognised cards moved alike: maps points of before to points of now, shape (3, 3)."""
    same = [
        (track, observation)
        for track in tracks
        for observation in observations
        if track.belief.kind in CARD_FACES and agreement(track.belief, observation.belief) >= options.agree
    ]
    if len(same) < options.view_least:
        return None
    # two opposite corners tell place, turn and size, whichever corner an outline begins with
    from_ = np.concatenate([track.outline_px for track, _ in same])
    to = np.concatenate([_like_turned(observation.outline_px, track.outline_px) for track, observation in same])
    off_px = HERE / 2 * float(np.median(short_sides_px(from_.reshape(-1, 4, 2))))
    view, _ = cv2.estimateAffinePartial2D(from_, to, method=cv2.RANSAC, ransacReprojThreshold=off_px, maxIters=500)
    if view is None:
        return None
    matrix = np.vstack([view, [0.0, 0.0, 1.0]])
    right = [
        np.linalg.norm(apply(matrix, track.outline_px).mean(axis=0) - observation.outline_px.mean(axis=0)) < off_px
        for track, observation in same
    ]
    recognised = len({track.number for track, _ in same})
    if sum(right) < max(options.view_least, options.view_share * recognised):
        return None
    return np.asarray(matrix, np.float64)


def _like_turned(outline_px: Quad, like_px: Quad) -> Floats:
    """Begin at the corner that keeps the direction of the sides closest: cameras are bumped, not turned upside down."""
    centred, like = outline_px - outline_px.mean(axis=0), like_px - like_px.mean(axis=0)
    turns = [np.roll(np.arange(4), turn) for turn in range(4)]
    best = min(turns, key=lambda order: float(np.abs(centred[order] - like).sum()))
    return np.asarray(outline_px[best])


def far_picture(frame: Frame, long_side_px: int) -> NDArray[np.uint8]:
    """Grey picture in which a view can be found again."""
    grey = cv2.cvtColor(frame.image_bgr, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, small_size(frame.size_px, long_side_px), interpolation=cv2.INTER_AREA), np.uint8)


def is_frozen(outline_px: Quad, track: Track, options: SettleOptions) -> bool:
    """No corner of a piece is off by enough for its outline to follow."""
    return float(np.abs(outline_px - track.outline_px).max()) < options.frozen * track.sighting.long_side_px


def count_in_place(tracks: Sequence[Track], observations: Sequence[Observation]) -> int:
    """How many pieces lie where they lay, so nearly that the table around them looks as it did: a nudge of half a card is another view."""
    return int((offsets(tracks, observations) < HERE / 4).any(axis=1).sum())


def mostly_read_in_place(tracks: Sequence[Track], observations: Sequence[Observation], options: PairOptions) -> bool:
    """Whether most pieces lie where they lay and read as they read: the camera is where it was."""
    here = offsets(tracks, observations) < HERE
    same = [
        any(there and agreement(track.belief, one.belief) >= options.agree for one, there in zip(observations, row, strict=True))
        for track, row in zip(tracks, here, strict=True)
    ]
    return 2 * sum(same) > len(same)


def find_again(
    tracks: Sequence[Track],
    observations: Sequence[Observation],
    far: tuple[NDArray[np.uint8], NDArray[np.uint8]],
    size_px: tuple[int, int],
    view: ViewOptions,
    pairs: PairOptions,
) -> Floats | None:
    """The motion of the camera that puts most pieces back in their places: maps points of before to points of now, shape (3, 3).

    It is looked for in pieces and in the `far_picture` of before and of now; None when nothing is explained better than by a camera at
    rest.
    """
    then, now = far
    to_far = np.diag([now.shape[1] / size_px[0], now.shape[0] / size_px[1], 1.0])
    # a die that rolls to another place looks like a die there, and two of them like a camera that moved
    where = _without_dice(then.shape, to_far, tracks), _without_dice(now.shape, to_far, observations)
    by_picture = find_view(then, now, view, where)
    candidates = [common_view(tracks, observations, pairs)]
    if by_picture is not None:
        candidates.append(np.linalg.inv(to_far) @ by_picture @ to_far)
    best, most = None, count_in_place(tracks, observations)
    for candidate in candidates:
        if candidate is None:
            continue
        there = count_in_place([track.at(move_outline(track.outline_px, candidate)) for track in tracks], observations)
        if there > most:
            best, most = candidate, there
    return best


def _without_dice(shape: tuple[int, ...], to_far: Floats, pieces: Sequence[Track | Observation]) -> Mask:
    """Mask of a far picture that leaves dice and what surrounds them aside."""
    mask = np.full(shape, 255, np.uint8)
    for one in pieces:
        if one.belief.kind in DICE:
            middle = one.outline_px.mean(axis=0)
            cv2.fillConvexPoly(mask, np.round(apply(to_far, middle + _AROUND_DICE * (one.outline_px - middle))).astype(np.int32), 0)
    return mask


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The table after settling."""

    tracks: tuple[Track, ...]
    """What lies there."""
    changes: tuple[Change, ...]
    waiting: bool
    """Something is still hidden, held or unclear: look again soon."""
    hidden: tuple[Quad, ...]
    """Outlines of pieces that are covered by something."""
    covered: bool
    """Some are covered by what is no piece."""


@dataclass(slots=True)
class Settling:
    """Decides what lies on the table and what changed; asked once."""

    before: tuple[Track, ...]
    """What lay there."""
    observations: Sequence[Observation]
    """What was read now."""
    around: Surroundings
    """What the picture says about places."""
    news: bool
    """Something moved or changed since the table was settled; otherwise this is the same look once more and proves nothing new."""
    lost: bool
    """The camera moved and could not be followed: what lies elsewhere was not moved, what is missing is perhaps out of the picture."""
    numbers: Iterator[int]
    """Gives new tracks their numbers."""
    options: SettleOptions
    kept: dict[int, Track] = field(default_factory=dict)
    happened: list[tuple[type[_Seen] | None, Track | None, int]] = field(default_factory=list)
    hidden: list[Quad] = field(default_factory=list)
    waiting: bool = False
    covered: bool = False

    def run(self, excluded: frozenset[Piece]) -> Outcome:
        """Say what lies there, where the excluded pieces cannot."""
        if self.lost and not mostly_read_in_place(self.before, self.observations, self.options.pairs):
            self.before = tuple(replace(track, astray=True) for track in self.before)
        off = offsets(self.before, self.observations)
        rows = [row for row, track in enumerate(self.before) if not self._is_overlooked(track, off[row])]
        tracks = [self.before[row] for row in rows]
        found = pair(tracks, self.observations, [self.around.touched(track) for track in tracks], self.options.pairs)
        pairs = [(rows[at], column) for at, column in found if self._is_believed(rows[at], column, off)]
        for row, column in pairs:
            self._again(self.before[row], self.observations[column], float(off[row, column]))
        missing = [self.before[row] for row in sorted(set(range(len(self.before))) - {row for row, _ in pairs})]
        self.around.look_for(missing, [*self._disturbed(), *self._unpaired(pairs)])
        for track in missing:
            self._missing(track)
        for column in sorted(set(range(len(self.observations))) - {column for _, column in pairs}):
            self._fresh(self.observations[column])
        named = name_all(self.kept.values(), excluded, self.options.names)
        return Outcome(named, tuple(self._changes(named)), self.waiting, tuple(self.hidden), self.covered)

    def _is_believed(self, row: int, column: int, off: Floats) -> bool:
        """Whether a pair may be believed.

        What is hardly seen elsewhere does not keep a piece where it lay for longer than one look, nor where another lies now; nor does what
        is hardly seen in its place and of another kind: bare wood may now and then be taken for the back of a card.
        """
        seen = self.observations[column]
        if self.before[row].astray or seen.is_steady or self.around.busy(seen.outline_px):
            return True
        if off[row, column] < HERE:
            return self.before[row].belief.kind is seen.belief.kind
        is_taken = any(one.is_steady for one, away in zip(self.observations, off[row], strict=True) if away < HERE)
        return self.news and not is_taken

    def _is_settled(self, observation: Observation) -> bool:
        """Whether it was seen again and again, and nothing moved there."""
        return observation.is_steady and not self.around.busy(observation.outline_px)

    def _disturbed(self) -> Iterator[Quad]:
        """Where pieces that were paired lay, and where they lie now, if that is not the same."""
        for what, before, number in self.happened:
            if before is not None and (what or self.kept[number].outline_px is not before.outline_px):
                yield before.outline_px
                yield self.kept[number].outline_px

    def _unpaired(self, pairs: Sequence[tuple[int, int]]) -> Iterator[Quad]:
        """What was read and was not there before."""
        paired = {column for _, column in pairs}
        return (observation.outline_px for column, observation in enumerate(self.observations) if column not in paired)

    def _is_overlooked(self, track: Track, off: Floats) -> bool:
        """Its place looks as before although nothing was read there: it lies there, and what came elsewhere is another piece."""
        return not track.astray and bool((off >= HERE).all()) and self._looks_as_before(track)

    def _looks_as_before(self, track: Track) -> bool:
        """What is seen of its outline is there, and where something moved the marks on it too: a mat may have the size of a card."""
        if self.around.alike(track) < ALIKE:
            return False
        return not self.around.touched(track) or self.around.bears_the_same(track) >= self.options.some_marks

    def _again(self, track: Track, observation: Observation, off: float) -> None:
        """A piece that was there is there again: in its place, elsewhere, turned, or another in its stead."""
        if not self._is_settled(observation):
            self.waiting = True
            self._keep(track)
            return
        elsewhere = off >= HERE
        kind_before, kind = track.belief.kind, observation.belief.kind
        face, share = observation.belief.top
        touched = self.around.touched(track) or elsewhere
        known = track.face if track.corrected is None else track.belief.top[0]  # what a person says is no reading
        names = self.options.names
        other = known not in {face, None} and share >= names.sure
        surely = share >= names.strong
        unlike = ALIKE if surely else self.options.some_marks  # the less sure the reading, the more the marks must differ
        if track.astray:
            pooled = Belief.pooled([track.belief, observation.belief], self.options.most_weight)
            self._put(replace(track, astray=False), observation, pooled, None, corrected=track.corrected)
        elif is_turned(kind_before, kind):
            self._put(track, observation, observation.belief, TurnedOver)
        elif kind_before is not kind:
            self._stranger(track, observation, touched)
        elif kind in DICE and touched and ((other and surely) or (kind is Kind.PIP_DIE and off >= self.options.off)):
            self._put(track, observation, observation.belief, Thrown)
        elif kind not in DICE and not elsewhere and touched and other and self.around.bears_the_same(track) < unlike:
            self._stranger(track, observation, touched)
        else:
            pooled = Belief.pooled([track.belief, observation.belief], self.options.most_weight) if self.news else track.belief
            moved = elsewhere and not self.lost and self.around.inside(track.outline_px)
            self._put(track, observation, pooled, Moved if moved else None, corrected=track.corrected)

    def _stranger(self, track: Track, observation: Observation, touched: bool) -> None:
        """Another piece in the same place; where nothing moved it was misread, and is kept."""
        if not touched:
            self._keep(track)
            return
        number = self._new(observation)
        self.happened.append((Swapped, track, number))

    def _put(
        self, track: Track, observation: Observation, belief: Belief, what: type[_Seen] | None, corrected: Piece | None = None
    ) -> None:
        outline = aligned(observation.outline_px, track.outline_px)
        stays = not what and is_frozen(outline, track, self.options)
        now = track if stays else track.at(outline)
        if what in (TurnedOver, Thrown):
            # its old name is no name of the face that shows now
            shown = now.sighting
            now = replace(now, sighting=Sighting(belief.kind, shown.outline_px, None, 0.0, None, track.number))
        now = replace(
            now,
            belief=belief,
            settled_s=self.around.time_s,
            background=self.around.background,
            portrait=self.around.portrait(now.outline_px),
            corrected=corrected,
        )
        self.kept[track.number] = now
        self.happened.append((what, track, track.number))

    def _keep(self, track: Track) -> None:
        self.kept[track.number] = track
        self.happened.append((None, track, track.number))

    def _missing(self, track: Track) -> None:
        """A piece that was not read: out of the picture, covered, overlooked, or gone."""
        outline = track.outline_px
        if self.lost or not self.around.inside(outline):
            self._keep(replace(track, astray=track.astray or track.background.has_moved))
        elif self.around.busy(outline):
            self.waiting = True
            self._keep(track)
        elif self._looks_as_before(track):
            self._keep(track)
        elif (covered := self.around.covered(track)) or self.around.lies_under(track, [one.outline_px for one in self.observations]):
            self.covered |= covered
            self.hidden.append(outline)
            self._keep(track)
        else:
            self.happened.append((None, track, track.number))

    def _fresh(self, observation: Observation) -> None:
        """Something that was not there before."""
        if not self._is_settled(observation) or self.around.held(observation.outline_px):
            self.waiting = True
            return
        if (offsets([track for track in self.kept.values() if not track.astray], (observation,)) < self.options.off).any():
            return
        self.happened.append((None, None, self._new(observation)))

    def _new(self, observation: Observation) -> int:
        number = next(self.numbers)
        shown = Sighting(observation.belief.kind, observation.outline_px, None, 0.0, None, number)
        portrait = self.around.portrait(observation.outline_px)
        self.kept[number] = Track(number, observation.belief, shown, self.around.time_s, portrait, self.around.background)
        return number

    def _changes(self, tracks: Sequence[Track]) -> Iterator[Change]:
        named = {track.number: track for track in tracks}
        for what, before, number in self.happened:
            if before is None:
                yield Appeared(named[number].sighting)
            elif number not in named:
                yield Taken(before.sighting)
            elif what is not None:
                yield what(before.sighting, named[number].sighting)
            elif before.sighting.piece != named[number].sighting.piece:
                yield Reread(before.sighting, named[number].sighting)


def readings_needed(draft: Draft, tracks: Sequence[Track], options: TrackerOptions) -> int:
    """Few when every reading saw the same and is sure of it, most when one overlooked something or contradicts what is known."""
    needed = options.readings
    observations = draft.observations()
    here = (offsets(tracks, observations) < HERE).T
    for observation, is_here in zip(observations, here, strict=True):
        face, share = observation.belief.top
        if observation.seen < observation.looked:
            return options.most_readings
        if any(there and track.face not in {face, None} for track, there in zip(tracks, is_here, strict=True)):
            return options.most_readings
        if share < options.settle.names.sure and observation.belief.kind is not Kind.CARD_BACK:
            needed = options.unsure_readings
    return needed
