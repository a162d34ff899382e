"""A dispute: people say that a piece by which somebody got or lost points was read wrongly. One key names it, one says what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from visionset.errors import RuleError
from visionset.games.base import Event
from visionset.games.correction import Correct, piece_code, pieces_in
from visionset.games.game import History
from visionset.kinds import KIND_SPECS
from visionset.messages import Message
from visionset.pieces import Piece
from visionset.referee.terms import MOST_ANSWERS, Exhibit, Option, Question, RefereeOptions
from visionset.table import Sighting, Table

_MOST_TRACKS = 200
"""Pieces that are remembered: more than two rounds of any game show."""


class Evidence:
    """Remembers the last sighting of each track, and what events were judged by."""

    def __init__(self) -> None:
        self._last: dict[int, Sighting] = {}
        self._there: frozenset[int] = frozenset()
        self._kept: dict[int, tuple[Exhibit, ...]] = {}

    def look(self, table: Table) -> None:
        """Remember what lies there now; pieces that people imagine are none."""
        seen = {one.track: one for one in table.sightings if one.track is not None and one.track >= 0}
        for track, one in seen.items():
            self._last.pop(track, None)  # the newest last
            self._last[track] = one
        for track in list(self._last)[:-_MOST_TRACKS]:
            del self._last[track]
        self._there = frozenset(seen)

    def of(self, pieces: Sequence[Piece]) -> tuple[Exhibit, ...]:
        """How these pieces looked: of equal ones first those that have left the table, the latest before the earlier."""
        latest = list(self._last.values())
        latest.reverse()
        latest.sort(key=lambda one: one.track in self._there)
        found = []
        for piece in pieces:
            one = next((one for one in latest if one.piece == piece), None)
            if one is None:
                found.append(Exhibit(piece))
                continue
            latest.remove(one)
            runner_up = (
                None
                if one.guess is None
                else next((other for other in (one.guess.piece, one.guess.runner_up) if other is not None and other != piece), None)
            )
            found.append(Exhibit(piece, one.confidence, runner_up, one.track))
        return tuple(found)

    def keep(self, number: int, pieces: Sequence[Piece]) -> None:
        """Keep how the pieces looked by which an event was judged; events from its number on are forgotten."""
        self._kept = {before: exhibits for before, exhibits in self._kept.items() if before < number}
        if pieces:
            self._kept[number] = self.of(pieces)

    def kept(self, number: int, pieces: Sequence[Piece]) -> tuple[Exhibit, ...]:
        """How the pieces of an event looked; where nobody looked, as after a resume, they are named alone.

        One that people call otherwise since was read as what it was called before.
        """
        exhibits = self._kept.get(number, ())
        if len(exhibits) != len(pieces):
            return tuple(map(Exhibit, pieces))
        return tuple(
            one if one.piece == piece else Exhibit(piece, None, one.piece, one.track) for one, piece in zip(exhibits, pieces, strict=True)
        )


DOUBT = "doubt"
"""What the keys of questions begin with that are asked before something is judged wrong."""

_LEAVE_IT = Message("referee.answer.leave_it")
"""The answer 0."""

_EARLIER, _OTHERS = "earlier", "others"
"""Answers that are no pieces."""


@dataclass(frozen=True, slots=True)
class Misread:
    """What people say of a piece: how it was read, what it is, and the event that corrects it."""

    exhibit: Exhibit
    truth: Piece
    correct: Correct


class Disputes:
    """Who doubts or disputes a reading is asked one question after the other; what pieces looked like is remembered for that."""

    def __init__(self, options: RefereeOptions) -> None:
        self._options = options
        self._evidence = Evidence()
        self._beyond_doubt: frozenset[Piece] = frozenset()
        self._doubted = Event()
        self._hearing: _Hearing | None = None
        self._since_s = 0.0
        self.question: Question | None = None

    def look(self, table: Table) -> None:
        """Remember how the pieces look now."""
        self._evidence.look(table)

    def went_on(self, history: History) -> None:
        """Keep how the pieces looked by which the last event was judged."""
        if isinstance(history.events[-1], Correct):
            return
        self._beyond_doubt = frozenset()
        self._evidence.keep(len(history.standing) - 1, history.before[-1].judged(history.standing[-1]))

    @property
    def is_open(self) -> bool:
        """Whether a dispute is open: the game rests meanwhile."""
        return self._hearing is not None

    def is_forgotten(self, now_s: float) -> bool:
        """Whether a dispute was left open."""
        return self.is_open and now_s - self._since_s >= self._options.settle_differ_s

    def open(self, history: History, now_s: float) -> None:
        """Open a dispute about what was judged last; raises RuleError where no reading has decided anything in this round."""
        self._hear(_Hearing.about(history, self._evidence), history)
        self._since_s = now_s

    def close(self) -> None:
        """Leave everything as it was judged."""
        self._hearing = self.question = None

    def answered(self, history: History, number: int, now_s: float) -> Misread | None:
        """Take the answer to the open question, from 1; None where another one follows.

        Raises `RuleError`: it cannot be that piece; the question stays.
        """
        assert self._hearing is not None
        assert self.question is not None
        hearing, value = self._hearing, self.question.options[number - 1].value
        self._since_s = now_s
        if hearing.place is None or isinstance(value, str):
            self._hear(hearing.answered(value, history, self._evidence), history)
            return None
        truth = cast(Piece, value)
        correct = history.correction(hearing.numbers[0], hearing.place, truth)
        self.close()
        return Misread(hearing.exhibits[hearing.place], truth, correct)

    def doubt(self, history: History, event: Event) -> Question | None:
        """Ask about a piece by which an event is about to be judged wrong and that was not surely read; None where all are beyond doubt."""
        self._doubted = event
        for place, one in enumerate(self._evidence.of(history.state.judged(event))):
            if one.confidence is not None and one.confidence < self._options.sure_wrong and one.piece not in self._beyond_doubt:
                options = [Option(piece, piece) for piece in (one.piece, *_likely(one, history.state))[:MOST_ANSWERS]]
                text = Message("referee.text.what_is_it", piece=one.piece)
                return Question((DOUBT, place, one), text, tuple(options), () if one.track is None else (one.track,))
        return None

    def doubt_answered(self, history: History, question: Question, number: int) -> Misread | None:
        """Take what people say of a doubtful piece; None where it was read rightly."""
        place, exhibit = cast("tuple[int, Exhibit]", question.key[1:])
        truth = cast(Piece, question.options[number - 1].value)
        correct = None if truth == exhibit.piece else history.then(self._doubted).correction(len(history.standing), place, truth)
        self._beyond_doubt |= {truth}
        return None if correct is None else Misread(exhibit, truth, correct)

    def exhibits(self, question: Question | None) -> tuple[Exhibit, ...]:
        """The pieces that are asked about: all by which was judged, or the one that is said to be another."""
        if self._hearing is not None:
            return self._hearing.shown
        return () if question is None or question.key[0] != DOUBT else (cast(Exhibit, question.key[2]),)

    def _hear(self, hearing: _Hearing, history: History) -> None:
        self.question, self._hearing = hearing.question(history), hearing


@dataclass(frozen=True, slots=True)
class _Hearing:
    """A dispute that is open: what was answered so far."""

    numbers: tuple[int, ...]
    """Events of the round that a reading decided, among those that stand, the newest first; the first is looked at."""
    exhibits: tuple[Exhibit, ...]
    """The pieces of that event."""
    place: int | None = None
    """The piece that is said to be another one."""
    passed_over: int = 0
    """Answers about that piece that were turned down already."""

    @classmethod
    def about(cls, history: History, evidence: Evidence, numbers: Sequence[int] | None = None) -> _Hearing:
        """Open a dispute about the newest event; raises RuleError where no reading has decided anything in this round."""
        if numbers is None:
            numbers = _decided(history)
        if not numbers:
            raise RuleError(Message("referee.refused.nothing_judged"))
        first = numbers[0]
        return cls(tuple(numbers), evidence.kept(first, history.judged(first)))

    def question(self, history: History) -> Question:
        """What is asked now."""
        event = history.standing[self.numbers[0]]
        if self.place is None:
            player = getattr(event, "player", None)
            who = "" if player is None else Message("referee.text.of", player=history.players[player])
            options = [Option(_described(one), place) for place, one in enumerate(self.exhibits[: MOST_ANSWERS - 1])]
            if self.numbers[1:]:
                options.append(Option(Message("referee.answer.earlier_one"), _EARLIER))
            text = Message("referee.ask.which_was_misread", event=Message(f"event.{event.name}"), who=who)
            return Question(("dispute", self.numbers[0]), text, tuple(options), self._tracks(), none=_LEAVE_IT)
        choices = _likely(self.exhibits[self.place], history.state)[self.passed_over :]
        options = [Option(piece, piece) for piece in choices[: MOST_ANSWERS - 1]]
        if len(choices) > MOST_ANSWERS - 1:
            options.append(Option(Message("referee.answer.something_else"), _OTHERS))
        text = Message("referee.text.if_not", piece=self.exhibits[self.place].piece)
        return Question(("dispute", self.numbers[0], self.place, self.passed_over), text, tuple(options), self._tracks(), none=_LEAVE_IT)

    def answered(self, value: object, history: History, evidence: Evidence) -> _Hearing:
        """Take an answer that is no piece yet: which one it is, an earlier event, or none of the likely pieces."""
        if value == _EARLIER:
            return self.about(history, evidence, self.numbers[1:])
        if value == _OTHERS:
            return replace(self, passed_over=self.passed_over + MOST_ANSWERS - 1)
        return replace(self, place=cast(int, value))

    @property
    def shown(self) -> tuple[Exhibit, ...]:
        """The pieces that are asked about."""
        return self.exhibits if self.place is None else self.exhibits[self.place : self.place + 1]

    def _tracks(self) -> tuple[int, ...]:
        return tuple(one.track for one in self.shown if one.track is not None)


def _likely(exhibit: Exhibit, state: Any) -> tuple[Piece, ...]:
    """What a piece may be that is not what it was read as: the runner-up, then pieces that differ in one attribute, then all others.

    Cards that are known to be elsewhere are left out.
    """
    piece, known, kind = exhibit.piece, pieces_in(state.to_json()), KIND_SPECS[exhibit.piece.kind]

    def unlike(other: Piece) -> int:
        return sum(getattr(piece, name) != getattr(other, name) for name in kind.attributes)

    others = sorted((other for other in kind.faces if other != piece), key=unlike)
    first = () if exhibit.runner_up is None else (exhibit.runner_up,)
    likely = dict.fromkeys((*first, *others))
    return tuple(one for one in likely if one in first or kind.is_die or piece_code(one) not in known)


def _decided(history: History) -> tuple[int, ...]:
    """Events of the round that is played, or just over, that a reading decided: the newest first."""
    decided = [number for number, event in enumerate(history.standing) if history.before[number].judged(event)]
    rounds = [_rounds_over(history.before[number]) for number in decided]
    return tuple(number for number, over in zip(decided, rounds, strict=True) if over == rounds[-1])[::-1]


def _rounds_over(state: Any) -> int:
    return len(getattr(state, "finished", ()))


def _described(exhibit: Exhibit) -> Message:
    """A piece, how sure its reading was, and what it would be otherwise."""
    if exhibit.confidence is None:
        return exhibit.piece.said
    other = "" if exhibit.runner_up is None else Message("referee.answer.else", piece=exhibit.runner_up)
    return Message("referee.answer.piece", piece=exhibit.piece, share=100 * exhibit.confidence, other=other)
