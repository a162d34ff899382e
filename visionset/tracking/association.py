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

from visionset.geometry import Floats, Quad, apply, outlines_of, short_sides_px
from visionset.kinds import CARD_FACES, DICE
from visionset.pieces import Kind, Piece
from visionset.table import Appeared, Change, Moved, Reread, Sighting, Swapped, Taken, Thrown, TurnedOver
from visionset.tracking.belief import Belief
from visionset.tracking.occlusion import ALIKE, Cover, Surroundings
from visionset.tracking.options import PairOptions, SettleOptions, TrackerOptions
from visionset.tracking.tracks import HERE, Draft, Observation, Track, aligned, moved, name_all, offsets, pairs_of
from visionset.tracking.view import find_view
from visionset.vision.unread import is_cut_off

_NEVER = np.inf

_AROUND_DICE = 2.0
"""Size of a die with its sides and its shadow, which move with it, over that of its top face."""

_Became: TypeAlias = Moved | Swapped | Thrown | TurnedOver
"""Changes of a piece that is still there, or has another in its place."""

_Fate: TypeAlias = tuple[Track, Track | None, type[_Became] | None]
"""A track of before; the track of now that continues it or took its place, None if it is gone; and the change, None if there was none."""


def is_turned(one: Kind, other: Kind) -> bool:
    """Whether one is a card's back and the other a card's face."""
    return (one is Kind.CARD_BACK and other in CARD_FACES) or (other is Kind.CARD_BACK and one in CARD_FACES)


def pair(
    tracks: Sequence[Track], observations: Sequence[Observation], touched: Sequence[bool], options: PairOptions
) -> tuple[tuple[int, int], ...]:
    """Pairs of positions of tracks and observations, at the least total cost (linear assignment); those in no pair left or came.

    `touched` tells of each track whether something moved in its place. Each piece that left or came costs `options.gone`.
    """
    rows, columns = len(tracks), len(observations)
    cost, off = np.full((rows + columns, rows + columns), _NEVER), offsets(tracks, observations)
    for row, column in np.ndindex(rows, columns):
        cost[row, column] = _cost(tracks[row], observations[column], float(off[row, column]), touched[row], options)
    np.fill_diagonal(cost[:rows, columns:], options.gone)
    np.fill_diagonal(cost[rows:, :columns], options.gone)
    cost[rows:, columns:] = 0.0
    found = pairs_of(cost, np.isfinite(cost))
    return tuple((row, column) for column, row in found.items() if row < rows and column < columns)


def _cost(track: Track, observation: Observation, off: float, touched: bool, options: PairOptions) -> float:
    """Negative log odds that an observation is of a track from which it lies off by so many short sides; infinite where it cannot be.

    Elsewhere the way costs off / (1 + off): the further the more, and never more than 1.
    """
    if off < HERE and is_turned(track.belief.kind, observation.belief.kind) and observation.is_steady and not track.astray:
        return options.unlikely + off
    agree = track.belief.agreement(observation.belief)
    if track.astray:  # by its reading, and by its place only where several read alike
        return off / (1 + off) - log(agree) if agree >= options.agree else _NEVER
    if off < HERE:
        return off + min(-log(max(agree, 1e-6)), (1 + touched) * options.unlikely)
    if track.belief.kind is not observation.belief.kind:
        return _NEVER
    elsewhere = (2 - touched) * options.unlikely + off / (1 + off)
    if track.belief.kind in DICE:  # it may have been rolled, but of two dice the one that reads alike is the likelier
        return elsewhere - log(max(agree, options.agree))
    return elsewhere - log(agree) if agree >= options.agree else _NEVER


def common_view(tracks: Sequence[Track], observations: Sequence[Observation], options: PairOptions) -> Floats | None:
    """The camera's motion, a similarity from pixels of before to now, shape (3, 3); None unless most recognised cards moved alike."""
    same = [
        (track, observation)
        for track in tracks
        for observation in observations
        if track.belief.kind in CARD_FACES and track.belief.agreement(observation.belief) >= options.agree
    ]
    if len(same) < options.view_least:
        return None
    then_px, now_px = outlines_of(track for track, _ in same), outlines_of(one for _, one in same)
    middles_px = now_px.mean(axis=1)
    in_place_px = then_px + (middles_px - then_px.mean(axis=1))[:, None]
    # each begins at the corner that keeps the direction of its sides: cameras are bumped, not turned upside down
    now_px = np.array([aligned(now, then) for now, then in zip(now_px, in_place_px, strict=True)])
    off_px = HERE / 2 * float(np.median(short_sides_px(then_px)))
    from_, to = then_px.reshape(-1, 2), now_px.reshape(-1, 2)
    view, _ = cv2.estimateAffinePartial2D(from_, to, method=cv2.RANSAC, ransacReprojThreshold=off_px, maxIters=500)
    if view is None:
        return None
    matrix = np.vstack([view, [0.0, 0.0, 1.0]])
    right = np.linalg.norm(apply(matrix, from_).reshape(-1, 4, 2).mean(axis=1) - middles_px, axis=1) < off_px
    recognised = len({track.number for track, _ in same})
    return matrix if right.sum() >= max(options.view_least, options.view_share * recognised) else None


def is_frozen(outline_px: Quad, track: Track, options: SettleOptions) -> bool:
    """Whether no corner lies so far from the track's that its outline must follow: shown outlines do not tremble."""
    return float(np.abs(outline_px - track.outline_px).max()) < options.frozen * track.sighting.long_side_px


def count_in_place(tracks: Sequence[Track | Sighting], observations: Sequence[Observation]) -> int:
    """How many pieces lie where they lay, within a quarter of `HERE`: with the camera nudged by half a card none counts."""
    return int((offsets(tracks, observations) < HERE / 4).any(axis=1).sum())


def mostly_read_in_place(tracks: Sequence[Track], observations: Sequence[Observation], options: PairOptions) -> bool:
    """Whether most pieces lie where they lay and read alike, so that the camera is where it was."""
    here = np.argwhere(offsets(tracks, observations) < HERE)
    same = {row for row, column in here if tracks[row].belief.agreement(observations[column].belief) >= options.agree}
    return 2 * len(same) > len(tracks)


def find_again(
    tracks: Sequence[Track],
    observations: Sequence[Observation],
    far: tuple[NDArray[np.uint8], NDArray[np.uint8]],
    size_px: tuple[int, int],
    lost: bool,
    options: TrackerOptions,
) -> Floats | None:
    """The camera's motion that puts most pieces back in their places, a homography from pixels of before to those of now, shape (3, 3).

    Where the camera's motion is lost, or most pieces are not where they were, it is looked for in the pieces and in the grey pictures `far`
    of before and of now. None where no motion puts more pieces in their places than a camera at rest does.
    """
    best, most = None, count_in_place(tracks, observations)
    if not lost and 2 * most >= len(tracks):
        return None
    then, now = far
    to_far = np.diag([now.shape[1] / size_px[0], now.shape[0] / size_px[1], 1.0])
    # a die that rolls to another place looks like a die there, and two of them like a camera that moved
    seen = (then, _without_dice(then.shape, to_far, tracks)), (now, _without_dice(now.shape, to_far, observations))
    by_picture = find_view(*seen, options.view)
    by_pieces = common_view(tracks, observations, options.settle.pairs)
    for view in (by_pieces, None if by_picture is None else np.linalg.inv(to_far) @ by_picture @ to_far):
        there = 0 if view is None else count_in_place([moved(track.sighting, view) for track in tracks], observations)
        if there > most:
            best, most = view, there
    return best


def _without_dice(shape: tuple[int, ...], to_far: Floats, pieces: Sequence[Track | Observation]) -> NDArray[np.uint8]:
    """Mask for a grey picture of this shape, 0 at dice and around them, else 255; `to_far` maps pixels of the frame to it."""
    mask = np.full(shape, 255, np.uint8)
    for one in pieces:
        if one.belief.kind in DICE:
            middle = one.outline_px.mean(axis=0)
            cv2.fillConvexPoly(mask, np.round(apply(to_far, middle + _AROUND_DICE * (one.outline_px - middle))).astype(np.int32), 0)
    return mask


@dataclass(slots=True)
class Settling:
    """Decides what lies on the table and what changed, for one settled look; `run` is called once and fills in the last five fields."""

    before: Sequence[Track]
    """What lay there."""
    observations: Sequence[Observation]
    """What was read now."""
    around: Surroundings
    """What the picture says about places."""
    news: bool
    """Something moved or changed since the table was settled. If not, this is the same look once more and proves nothing new."""
    lost: bool
    """The camera moved and could not be followed: pieces elsewhere were not moved by people, missing ones may be out of the picture."""
    moving: bool
    """The camera moves: what is missing at the picture's edge, or was out of it, may have left it, or come back too late to be read."""
    numbers: Iterator[int]
    """Gives new tracks their numbers."""
    options: SettleOptions
    waiting: bool = False
    """Something is still hidden, held or unclear: look again soon."""
    held: bool = False
    """A new piece lies there that may still be in a hand."""
    hidden: list[Quad] = field(default_factory=list)
    """Outlines of tracks that are hidden, by another piece or by something that is no piece."""
    covered: list[int] = field(default_factory=list)
    """Numbers of those of them that are hidden by something that is no piece, such as an arm."""
    under: list[Quad] = field(default_factory=list)
    """Outlines of the covered ones whose places do not look like the bare table: the cover itself is seen there."""

    def run(self, excluded: frozenset[Piece]) -> tuple[tuple[Track, ...], tuple[Change, ...]]:
        """The tracks of now, named, none as an `excluded` piece, and the changes since before."""
        if self.lost and not mostly_read_in_place(self.before, self.observations, self.options.pairs):
            self.before = [replace(track, astray=True) for track in self.before]
        off = offsets(self.before, self.observations)
        rows = [row for row, track in enumerate(self.before) if not self._is_overlooked(track, off[row])]
        tracks = [self.before[row] for row in rows]
        found = pair(tracks, self.observations, [self.around.touched(track) for track in tracks], self.options.pairs)
        pairs = {rows[at]: column for at, column in found if self._is_believed(rows[at], column, off)}
        paired = [self._again(self.before[row], self.observations[column], float(off[row, column])) for row, column in pairs.items()]
        fresh = [one for column, one in enumerate(self.observations) if column not in pairs.values()]
        missing = [track for row, track in enumerate(self.before) if row not in pairs]
        disturbed = [one for was, now, what in paired if what or now.outline_px is not was.outline_px for one in (was, now)]
        cover = Cover(self.around, missing, [*outlines_of(disturbed), *outlines_of(fresh)])
        fates: list[_Fate] = [*paired, *((track, self._missing(track, cover), None) for track in missing)]
        lying = [now for _, now, _ in fates if now is not None]
        for one in fresh:
            lying += self._fresh(one, lying)
        named = name_all(lying, excluded, self.options.names)
        return named, tuple(_changes(fates, named))

    def _is_believed(self, row: int, column: int, off: Floats) -> bool:
        """Whether the track in `row` and the observation in `column` may be one piece.

        An observation that is not steady may be a mistake, as bare wood is now and then taken for the back of a card. In the track's place
        it counts if it is of the track's kind; elsewhere only at a look with news, and unless a steady observation is in the track's place.
        """
        seen = self.observations[column]
        if self.before[row].astray or seen.is_steady or self.around.busy(seen.outline_px):
            return True
        if off[row, column] < HERE:
            return self.before[row].belief.kind is seen.belief.kind
        is_taken = any(one.is_steady for one, away in zip(self.observations, off[row], strict=True) if away < HERE)
        return self.news and not is_taken

    def _is_settled(self, observation: Observation) -> bool:
        """Whether it was seen in most readings, and nothing moved there meanwhile."""
        return observation.is_steady and not self.around.busy(observation.outline_px)

    def _is_overlooked(self, track: Track, off: Floats) -> bool:
        """Whether nothing was read in its place, which looks as before: it lies there, and an observation elsewhere is of another piece."""
        return not track.astray and bool((off >= HERE).all()) and self._looks_as_before(track)

    def _looks_as_before(self, track: Track) -> bool:
        """Whether its place looks as before, and where something moved the marks on it too, since a mat may have the size of a card."""
        if self.around.likeness(track) < ALIKE:
            return False
        return not self.around.touched(track) or self.around.marks_likeness(track) >= self.options.some_marks

    def _is_replaced(self, track: Track) -> bool:
        """Whether another piece lies in its place: one was read there, and the marks, which are a little alike for any two, are others."""
        is_read = (offsets([track], [one for one in self.observations if one.is_steady]) < HERE).any()
        return bool(is_read) and self.around.marks_likeness(track) < ALIKE

    def _again(self, track: Track, observation: Observation, off: float) -> tuple[Track, Track, type[_Became] | None]:
        """The fate of a track that was paired with an observation."""
        if not self._is_settled(observation):
            self.waiting = True
            return track, track, None
        touched = off >= HERE or self.around.touched(track)
        what = None if track.astray else self._became(track, observation, off, touched)
        if what is not Swapped:
            return self._put(track, observation, what)
        return (track, self._new(observation), what) if touched else (track, track, None)  # where nothing moved it was misread

    def _became(self, track: Track, observation: Observation, off: float, touched: bool) -> type[_Became] | None:
        """What a settled observation, which lies off by so many short sides, says has become of a track; None: nothing."""
        kind, options = observation.belief.kind, self.options
        if is_turned(track.belief.kind, kind):
            return TurnedOver
        if kind is not track.belief.kind:
            return Swapped
        face, share = observation.belief.top
        known = track.face if track.corrected is None else track.belief.top[0]  # what a person says is no reading
        others = sum(part for one, part in observation.belief.shares[0].items() if one != known)
        other = known not in {face, None} and others >= options.names.sure  # whichever of them
        surely = share >= options.names.strong
        unlike = ALIKE if surely else options.some_marks  # the less sure the reading, the more the marks must differ
        if kind in DICE:
            if touched and ((other and surely) or (kind is Kind.PIP_DIE and off >= options.off)):
                return Thrown
        elif touched and other and off < HERE and self.around.marks_likeness(track) < unlike:
            return Swapped
        return Moved if off >= HERE and not self.lost and self.around.inside(track.outline_px) else None

    def _put(self, track: Track, observation: Observation, what: type[_Became] | None) -> tuple[Track, Track, type[_Became] | None]:
        """The fate of a track that goes on: its outline, belief and looks are renewed by the observation."""
        outline, belief, corrected = aligned(observation.outline_px, track.outline_px), track.belief, track.corrected
        now = track if not what and is_frozen(outline, track, self.options) else track.at(outline)
        if what in (TurnedOver, Thrown):  # its old name is no name of the face that shows now
            belief, corrected = observation.belief, None
            now = replace(now, sighting=Sighting(belief.kind, now.outline_px, None, 0.0, None, track.number))
        elif self.news or track.astray:
            belief = Belief.pooled([belief, observation.belief], self.options.most_weight)
        portrait, around = self.around.portrait(now.outline_px), self.around
        return track, Track(track.number, belief, now.sighting, around.time_s, portrait, around.background, corrected), what

    def _missing(self, track: Track, cover: Cover) -> Track | None:
        """A track that was paired with no observation: it stays if it is out of the picture, hidden or overlooked; else it is None."""
        outline = track.outline_px
        signs = self.moving, track.astray, is_cut_off(outline, self.around.size_px)
        if sum(signs) >= 2 or self.lost or not self.around.inside(outline):
            return replace(track, astray=track.astray or track.background.has_moved)
        if self.around.busy(outline):
            self.waiting = True
        elif self._is_replaced(track) or not self._looks_as_before(track):
            covered = cover.hides(track)
            if not covered and not cover.lies_under(track, [one.outline_px for one in self.observations]):
                return None
            self.hidden.append(outline)
            self.covered += [track.number] if covered else []
            self.under += [outline] if covered and not cover.is_bare(track) else []
        return track

    def _fresh(self, observation: Observation, lying: Sequence[Track]) -> list[Track]:
        """A new track for an observation that was paired with none; nothing if it is not settled yet, or is one of those `lying`."""
        is_settled = self._is_settled(observation)
        is_held = is_settled and self.around.held(observation.outline_px)
        if is_held or not is_settled:
            self.waiting, self.held = True, self.held or is_held
            return []
        is_twice = (offsets([track for track in lying if not track.astray], [observation]) < self.options.off).any()
        return [] if is_twice else [self._new(observation)]

    def _new(self, observation: Observation) -> Track:
        number = next(self.numbers)
        shown = Sighting(observation.belief.kind, observation.outline_px, None, 0.0, None, number)
        portrait = self.around.portrait(observation.outline_px)
        return Track(number, observation.belief, shown, self.around.time_s, portrait, self.around.background)


def _changes(fates: Sequence[_Fate], tracks: Sequence[Track]) -> Iterator[Change]:
    """The changes that the fates are, told by the names that the tracks have now."""
    shown = {track.number: track.sighting for track in tracks}
    for before, track, what in fates:
        now = None if track is None else shown.pop(track.number)
        if now is None:
            yield Taken(before.sighting)
        elif what is not None:
            yield what(before.sighting, now)
        elif before.sighting.piece != now.piece:
            yield Reread(before.sighting, now)
    yield from map(Appeared, shown.values())


def readings_needed(draft: Draft, tracks: Sequence[Track], options: TrackerOptions) -> int:
    """How many readings a draft needs: few if all saw the same and are sure, most if one overlooked a piece or contradicts a name."""
    observations = draft.observations()
    here = np.argwhere(offsets(tracks, observations) < HERE)
    contradicted = any(tracks[row].face not in {observations[column].belief.top[0], None} for row, column in here)
    if contradicted or any(one.seen < one.looked for one in observations):
        return options.most_readings
    beliefs = [one.belief for one in observations if one.belief.kind is not Kind.CARD_BACK]
    is_sure = all(one.top[1] >= options.settle.names.sure for one in beliefs)
    return options.readings if is_sure else options.unsure_readings
