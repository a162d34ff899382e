"""A dispute: people say that a piece by which somebody got or lost points was read wrongly. One key names it, one says what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from visionset.dealer.evidence import Evidence
from visionset.dealer.naming import named
from visionset.dealer.terms import Exhibit, Option, Question
from visionset.errors import RuleError
from visionset.games.correction import code, pieces_in
from visionset.games.game import Record
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Piece, PipDie, PlayingCard, SetCard, SetDie

_KEYS = 9
"""Digits from 1: as many answers as one key can tell apart."""

DOUBT = "doubt"
"""What the keys of questions begin with that are asked before something is judged wrong."""

_LEAVE_IT = "leave it as it was judged"
"""The answer 0."""

_EARLIER, _OTHERS = "earlier", "others"
"""Answers that are no pieces."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """A dispute that is open: what was answered so far.

    Attributes
    ----------
    numbers : tuple of int
        Events of the round that a reading decided, among those that stand, the newest first; the first is looked at.
    exhibits : tuple of Exhibit
        The pieces of that event.
    place : int or None
        The piece that is said to be another one.
    passed_over : int
        Answers about that piece that were turned down already.
    """

    numbers: tuple[int, ...]
    exhibits: tuple[Exhibit, ...]
    place: int | None = None
    passed_over: int = 0

    @classmethod
    def about(cls, record: Record, evidence: Evidence, numbers: Sequence[int] | None = None) -> Hearing:
        """Open a dispute about the newest event; raises RuleError where no reading has decided anything in this round."""
        if numbers is None:
            numbers = _decided(record)
        if not numbers:
            raise RuleError("nothing was judged by a reading in this round: there is nothing to dispute")
        first = numbers[0]
        return cls(tuple(numbers), evidence.kept(first, record.before[first].judged(record.standing[first])))

    def question(self, record: Record) -> Question:
        """What is asked now."""
        event = record.standing[self.numbers[0]]
        if self.place is None:
            player = getattr(event, "player", None)
            who = "" if player is None else f" of {record.players[player]}"
            options = [Option(_described(one), place) for place, one in enumerate(self.exhibits[: _KEYS - 1])]
            if self.numbers[1:]:
                options.append(Option("an earlier one", _EARLIER))
            key = ("dispute", self.numbers[0])
            return Question(
                key, f"{event.name.replace('_', ' ')}{who}: which was read wrongly?", tuple(options), self._tracks(), none=_LEAVE_IT
            )
        choices = self._choices(record)
        options = [Option(named(piece), piece) for piece in choices[: _KEYS - 1]]
        if len(choices) > _KEYS - 1:
            options.append(Option("something else", _OTHERS))
        text = f"What is it, if not {named(self.exhibits[self.place].piece)}?"
        return Question(("dispute", self.numbers[0], self.place, self.passed_over), text, tuple(options), self._tracks(), none=_LEAVE_IT)

    def answered(self, value: object, record: Record, evidence: Evidence) -> Hearing:
        """Take an answer that is no piece yet: which one it is, an earlier event, or none of the likely pieces."""
        if value == _EARLIER:
            return self.about(record, evidence, self.numbers[1:])
        if value == _OTHERS:
            return replace(self, passed_over=self.passed_over + _KEYS - 1)
        return replace(self, place=cast(int, value))

    def _choices(self, record: Record) -> tuple[Piece, ...]:
        """What the piece may be, the likeliest first: cards that are known to be elsewhere are left out."""
        assert self.place is not None
        known = pieces_in(record.state.to_json())
        choices = likely(self.exhibits[self.place])
        left = [piece for piece in choices if isinstance(piece, SetDie | PipDie) or code(piece) not in known]
        return tuple(left[self.passed_over :])

    def _tracks(self) -> tuple[int, ...]:
        exhibits = self.exhibits if self.place is None else self.exhibits[self.place : self.place + 1]
        return tuple(one.track for one in exhibits if one.track is not None)


def doubt(exhibits: Sequence[Exhibit], beyond_doubt: frozenset[Piece], sure: float) -> Question | None:
    """Ask about a piece that is about to be judged wrong and was not surely read; None where all are beyond doubt.

    Parameters
    ----------
    exhibits : sequence of Exhibit
        What is judged.
    beyond_doubt : set of Piece
        What people have said already.
    sure : float
        Confidence, 0 to 1, from which a reading is not doubted.
    """
    for place, one in enumerate(exhibits):
        if one.confidence is not None and one.confidence < sure and one.piece not in beyond_doubt:
            options = [Option(named(piece), piece) for piece in (one.piece, *likely(one))[:_KEYS]]
            text = f"No SET as it was read: what is the piece that looked like {named(one.piece)}?"
            return Question((DOUBT, place, one), text, tuple(options), () if one.track is None else (one.track,))
    return None


def likely(exhibit: Exhibit) -> tuple[Piece, ...]:
    """What a piece may be that is not what it was read as: the runner-up, then pieces that differ in one attribute, then all others."""
    piece = exhibit.piece
    others = sorted((other for other in _ALL[type(piece)] if other != piece), key=lambda other: _unlike(piece, other))
    first = () if exhibit.runner_up is None else (exhibit.runner_up,)
    return tuple(dict.fromkeys((*first, *others)))


_ALL: dict[type, tuple[Piece, ...]] = {
    SetCard: SET_DECK,
    SetDie: SET_DIE_FACES,
    PlayingCard: PACK,
    PipDie: tuple(map(PipDie, range(1, 7))),
}
_ATTRIBUTES = {SetCard: ("number", "color", "shading", "shape"), SetDie: ("number", "color", "shape"), PlayingCard: ("rank", "suit")}


def _unlike(piece: Piece, other: Piece) -> int:
    """In how many attributes two pieces of one kind differ."""
    return sum(getattr(piece, name) != getattr(other, name) for name in _ATTRIBUTES.get(type(piece), ()))


def _decided(record: Record) -> tuple[int, ...]:
    """Events of the round that is played, or just over, that a reading decided: the newest first."""
    decided = [number for number, event in enumerate(record.standing) if record.before[number].judged(event)]
    rounds = [_rounds_over(record.before[number]) for number in decided]
    return tuple(number for number, over in zip(decided, rounds, strict=True) if over == rounds[-1])[::-1]


def _rounds_over(state: Any) -> int:
    return len(getattr(state, "finished", ()))


def _described(exhibit: Exhibit) -> str:
    """A piece, how sure its reading was, and what it would be otherwise."""
    if exhibit.confidence is None:
        return named(exhibit.piece)
    other = "" if exhibit.runner_up is None else f", else {named(exhibit.runner_up)}"
    return f"{named(exhibit.piece)} ({100 * exhibit.confidence:.0f} %{other})"
