"""One question at a time about pieces that were not read, and what the answers come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from visionset.pieces import Piece
from visionset.referee.doubt import Doubt
from visionset.referee.game_referee import by_track, track_of
from visionset.referee.terms import Question, RefereeOptions
from visionset.table import Sighting, Table


class Asking:
    """Keeps what was answered about each piece until it is known.

    Parameters
    ----------
    options : RefereeOptions
        When a question that was put aside comes again.
    """

    def __init__(self, options: RefereeOptions) -> None:
        self._again_s = options.again_s
        self._doubts: dict[int, Doubt] = {}
        self._later_s: dict[int, float] = {}

    def forget(self, tracks: Iterable[int]) -> None:
        """Drop the answers about pieces that show another side now."""
        for track in tracks:
            self._doubts.pop(track, None)
            self._later_s.pop(track, None)

    def question(
        self,
        wanted: Sequence[int],
        table: Table,
        now_s: float,
        excluded: frozenset[Piece],
        candidates: Callable[[Sighting], Sequence[Piece]],
    ) -> Question | None:
        """Ask about the first of the pieces that is not put aside; None where there is none.

        Parameters
        ----------
        wanted : sequence of int
            Tracks, the most pressing first.
        table : Table
            Where they lie.
        now_s : float
            Time of the stream.
        excluded : set of Piece
            What none of them can be.
        candidates : callable
            Gives the likeliest pieces for a sighting.
        """
        there = by_track(table)
        for track in wanted:
            if self._later_s.get(track, 0.0) <= now_s and track in there:
                sighting = there[track]
                doubt = self._doubts.setdefault(track, Doubt.about(sighting.kind, excluded))
                return doubt.question(table, sighting, candidates(sighting))
        return None

    def spell(self, sighting: Sighting, excluded: frozenset[Piece]) -> None:
        """Ask for the traits of a piece one by one: people say that it is nothing of what it was taken for."""
        doubt = Doubt.about(sighting.kind, excluded)
        doubt.refuse()
        self._doubts[track_of(sighting)] = doubt

    def answer(self, question: Question, number: int, now_s: float) -> tuple[int, Piece] | None:
        """Take an answer, 0 for none of them; the track and its piece once that is known."""
        track = question.tracks[0]
        doubt = self._doubts[track]
        if number == 0:
            if not doubt.refuse():
                del self._doubts[track]
                self._later_s[track] = now_s + self._again_s
            return None
        piece = doubt.answer(question.options[number - 1])
        if piece is None:
            return None
        del self._doubts[track]
        return track, piece
