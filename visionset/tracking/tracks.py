"""Tracks: pieces that keep their number while they lie there, and the names they are given together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Quad
from visionset.pieces import Kind, Piece
from visionset.table import Guess, Sighting
from visionset.tracking.background import Ground
from visionset.tracking.belief import Belief, Face
from visionset.tracking.observations import moved


@dataclass(frozen=True, slots=True)
class NameOptions:
    """When a piece is named.

    Attributes
    ----------
    sure : float
        Pooled probability from which a piece is named; less is asked about.
    keep : float
        A named piece keeps its name down to this probability.
    strong : float
        Probability that another name needs to take its place.
    excluded_log : float
        Log factor for a piece that cannot be there (won, or under a cup): strong readings still overrule it.
    taken_log : float
        The same for a card that already lies there as often as there are decks.
    decks : int
        Copies of each card that may lie on the table.
    """

    sure: float = 0.6
    keep: float = 0.25
    strong: float = 0.95
    excluded_log: float = -3.0
    taken_log: float = -6.0
    decks: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """One piece on the table.

    Attributes
    ----------
    number : int
        Its own as long as it lies there.
    belief : Belief
        All readings of it, pooled.
    sighting : Sighting
        As it is shown; the same object while nothing about it changes.
    settled_s : float
        When it was last seen in a settled table.
    portrait : ndarray of float32
        How it looked then, straightened.
    ground : Ground
        How the table looked then.
    corrected : Piece or None
        What a person says it is.
    """

    number: int
    belief: Belief
    sighting: Sighting
    settled_s: float
    portrait: NDArray[np.float32]
    ground: Ground
    corrected: Piece | None = None

    @property
    def outline_px(self) -> Quad:
        """Where it lies."""
        return self.sighting.outline_px

    @property
    def face(self) -> Face | None:
        """What it is settled to be; None while unsure."""
        return Kind.CARD_BACK if self.sighting.kind is Kind.CARD_BACK else self.sighting.piece

    def at(self, outline_px: Quad) -> Track:
        """The same elsewhere."""
        shown = self.sighting
        return replace(self, sighting=Sighting(shown.kind, outline_px, shown.piece, shown.confidence, shown.guess, self.number))

    def follow(self, image_from_before: Floats, ground: Ground) -> Track:
        """The same after the view moved, and its ground with it."""
        return replace(self.at(moved(self.outline_px, image_from_before)), ground=ground)

    def called(self, piece: Piece | None, confidence: float, guess: Guess | None) -> Track:
        """The same with another reading; the same object when the reading is no news."""
        shown = self.sighting
        is_same = shown.piece == piece and shown.kind is self.belief.kind and (piece is not None or _same_guess(shown.guess, guess))
        if is_same and abs(shown.confidence - confidence) < _NEWS:
            return self
        return replace(self, sighting=Sighting(self.belief.kind, shown.outline_px, piece, confidence, guess, self.number))


_NEWS = 0.005
"""Difference in confidence that is no news: a name that later readings make surer is shown as sure as it is."""


def _same_guess(one: Guess | None, other: Guess | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.piece == other.piece


_ONE_A_DECK = frozenset({Kind.SET_CARD, Kind.PLAYING_CARD})
"""Kinds of which each deck holds every piece once."""


def name_all(tracks: Iterable[Track], excluded: frozenset[Piece], options: NameOptions) -> tuple[Track, ...]:
    """Name every track, the surest first: no card is named more often than there are decks."""
    given = tuple(tracks)
    used: Counter[Face] = Counter()
    called: dict[int, Track] = {}

    def rank(track: Track) -> tuple[bool, bool, float]:
        return track.corrected is not None, track.face is not None, track.belief.top[1]

    for track in sorted(given, key=rank, reverse=True):
        if track.corrected is not None:
            one = track.called(track.corrected, 1.0, Guess(track.corrected, 1.0))
        else:
            one = _named(track, used, excluded, options)
        called[track.number] = one
        if one.face is not None and one.belief.kind in _ONE_A_DECK:
            used[one.face] += 1
    return tuple(called[track.number] for track in given)


def _named(track: Track, used: Counter[Face], excluded: frozenset[Piece], options: NameOptions) -> Track:
    penalty: dict[Face, float] = dict.fromkeys(excluded, options.excluded_log)
    penalty |= {face: options.taken_log for face, count in used.items() if count >= options.decks}
    belief = track.belief.after(penalty)
    top, share = belief.top
    guess = belief.guess()
    if isinstance(top, Kind) or top is None:
        return track.called(None, share, None)
    before = track.face if track.sighting.kind is track.belief.kind else None
    if before is not None and not isinstance(before, Kind):
        kept = belief.probability(before)
        if before == top or (share < options.strong and kept >= options.keep):
            return track.called(before, kept, guess) if kept >= options.keep else track.called(None, share, guess)
        return track.called(top, share, guess) if share >= options.strong else track.called(None, share, guess)
    return track.called(top if share >= options.sure else None, share, guess)
