"""Pairing: which piece of before is which piece of now, by place and by what it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

import cv2
import numpy as np
from scipy.optimize import linear_sum_assignment

from visionset.geometry import Floats, Quad, apply
from visionset.pieces import Kind
from visionset.tracking.belief import DICE, FACES, Belief
from visionset.tracking.observations import Place, short_sides_px
from visionset.tracking.tracks import Track


@dataclass(frozen=True, slots=True)
class PairOptions:
    """Costs of what may have happened, as negative log odds.

    Attributes
    ----------
    here : float
        A piece lies in its place while its middle is off by less than this share of its short side.
    conflict : float
        In its place, and surely read as another piece: swapped or misread.
    conflict_untouched : float
        The same where nothing moved: misread.
    turned : float
        In its place, with its other side up.
    moved : float
        Elsewhere: somebody moved it.
    moved_untouched : float
        The same where nothing moved.
    distance : float
        For each short side that it moved, up to `far`.
    far : float
        Short sides beyond which distance says nothing more.
    changed_face : float
        A die elsewhere with another face.
    agree : float
        A card elsewhere is the same card when both readings agree with this probability.
    gone, fresh : float
        A piece that left, a piece that came.
    view_share : float
        Share of all recognised pieces that must move alike for the camera to have moved.
    view_least : int
        Fewer pieces that move alike were moved by a hand.
    """

    here: float = 0.5
    conflict: float = 6.0
    conflict_untouched: float = 3.0
    turned: float = 2.5
    moved: float = 3.0
    moved_untouched: float = 7.0
    distance: float = 0.05
    far: float = 10.0
    changed_face: float = 0.5
    agree: float = 0.5
    gone: float = 4.0
    fresh: float = 4.0
    view_share: float = 0.7
    view_least: int = 3


_NEVER = 1e6
_CARDS = frozenset({Kind.SET_CARD, Kind.PLAYING_CARD})


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
    return (one is Kind.CARD_BACK and other in _CARDS) or (other is Kind.CARD_BACK and one in _CARDS)


def offsets(tracks: Sequence[Track], places: Sequence[Place]) -> Floats:
    """How far each place is from where each piece lay, in the piece's short sides; shape (tracks, places)."""
    before = np.array([track.outline_px for track in tracks]).reshape(-1, 4, 2)
    now = np.array([place.outline_px for place in places]).reshape(-1, 4, 2)
    apart = np.linalg.norm(before.mean(axis=1)[:, None] - now.mean(axis=1), axis=2)
    return np.asarray(apart / np.maximum(short_sides_px(before), 1e-6)[:, None])


def pair(
    tracks: Sequence[Track], places: Sequence[Place], touched: Callable[[Track], bool], options: PairOptions
) -> tuple[tuple[int, int], ...]:
    """Pair positions of tracks with positions of places, at the least total cost; the rest left or came."""
    if not tracks or not places:
        return ()
    cost = np.full((len(tracks) + len(places), len(tracks) + len(places)), _NEVER)
    off = offsets(tracks, places)
    for row, track in enumerate(tracks):
        was_touched = touched(track)
        for column, place in enumerate(places):
            cost[row, column] = _cost(track, place, float(off[row, column]), was_touched, options)
        cost[row, len(places) + row] = options.gone
    for column in range(len(places)):
        cost[len(tracks) + column, column] = options.fresh
    cost[len(tracks) :, len(places) :] = 0.0
    rows, columns = linear_sum_assignment(cost)
    return tuple(
        (int(row), int(column))
        for row, column in zip(rows, columns, strict=True)
        if row < len(tracks) and column < len(places) and cost[row, column] < _NEVER
    )


def _cost(track: Track, place: Place, off: float, touched: bool, options: PairOptions) -> float:
    if off < options.here and is_turned(track.belief.kind, place.belief.kind):
        return options.turned + off
    agree = agreement(track.belief, place.belief)
    if off < options.here:
        return off + min(-log(max(agree, 1e-6)), options.conflict if touched else options.conflict_untouched)
    if track.belief.kind is not place.belief.kind:
        return _NEVER
    moved = (options.moved if touched else options.moved_untouched) + options.distance * min(off, options.far)
    if track.belief.kind in DICE:
        return moved + (0.0 if agree >= options.agree else options.changed_face)
    return moved - log(agree) if agree >= options.agree else _NEVER


def common_view(tracks: Sequence[Track], places: Sequence[Place], options: PairOptions) -> Floats | None:
    """The motion of the camera, when most recognised cards moved alike.

    Returns
    -------
    ndarray of float64, shape (3, 3), or None
        Maps points of before to points of now.
    """
    same = [
        (track, place)
        for track in tracks
        for place in places
        if track.belief.kind in _CARDS and agreement(track.belief, place.belief) >= options.agree
    ]
    if len(same) < options.view_least:
        return None
    # two opposite corners tell place, turn and size, whichever corner an outline begins with
    from_ = np.concatenate([track.outline_px for track, _ in same])
    to = np.concatenate([_like_turned(place.outline_px, track.outline_px) for track, place in same])
    off_px = options.here / 2 * float(np.median(short_sides_px(from_.reshape(-1, 4, 2))))
    view, _ = cv2.estimateAffinePartial2D(from_, to, method=cv2.RANSAC, ransacReprojThreshold=off_px, maxIters=500)
    if view is None:
        return None
    matrix = np.vstack([view, [0.0, 0.0, 1.0]])
    right = [np.linalg.norm(apply(matrix, track.outline_px).mean(axis=0) - place.outline_px.mean(axis=0)) < off_px for track, place in same]
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
