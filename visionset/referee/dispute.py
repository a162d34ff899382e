"""A dispute: people say that a piece by which somebody got or lost points was read wrongly. One key names it, one says what it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from visionset.errors import RuleError
from visionset.games.base import Event
from visionset.games.correction import Correct, piece_code, pieces_in
from visionset.games.game import History
from visionset.games.telling import event_words
from visionset.kinds import KIND_SPECS
from visionset.messages import Message
from visionset.pieces import Piece
from visionset.referee.rulings import MOST_ANSWERS, Exhibit, Lying, Option, Question

DOUBT = "doubt"
"""What the keys of questions begin with that are asked before something is judged wrong."""

_LEAVE_IT = Message("referee.answer.leave_it")
"""The answer 0."""

_EARLIER, _OTHERS, _LYING = "earlier", "others", "lying"
"""Answers that are no pieces."""


@dataclass(frozen=True, slots=True)
class Misread:
    """What people say of a piece: how it was read, what it is, and the event that corrects it."""

    exhibit: Exhibit
    truth: Piece
    correct: Correct


def doubt(history: History, exhibits: Sequence[Exhibit], beyond: frozenset[Piece], sure: float) -> Question | None:
    """Ask about a piece that was read with less than `sure`, before an event is judged wrong by it.

    `exhibits` are the pieces by which that is judged; None where all are sure, or among those that are `beyond` doubt.
    """
    for place, one in enumerate(exhibits):
        if one.confidence is not None and one.confidence < sure and one.piece not in beyond:
            options = [Option(piece, piece) for piece in (one.piece, *_likely(one, history.state))[:MOST_ANSWERS]]
            text = Message("referee.text.what_is_it", piece=one.piece)
            return Question((DOUBT, place, one), text, tuple(options), () if one.track is None else (one.track,))
    return None


def cleared(history: History, event: Event, question: Question, truth: Piece) -> Misread | None:
    """What people say of a piece that was in doubt before an event; None where it was read rightly."""
    place, exhibit = cast("tuple[int, Exhibit]", question.key[1:])
    if truth == exhibit.piece:
        return None
    return Misread(exhibit, truth, history.then(event).correction(len(history.standing), place, truth))


class Hearing:
    """A dispute that is open: one question after the other, while the game rests.

    Parameters
    ----------
    history : History
        The match, which does not go on meanwhile.
    kept : callable
        Tells by the number of an event and its pieces how they looked, as `Evidence.kept` does.
    now_s : float
        Time of the match.
    lying : sequence of Lying
        Pieces on the table that can be disputed, too; those that were read with least certainty are asked about first.

    Attributes
    ----------
    question : Question
        What is asked now.
    since_s : float
        When somebody last answered.

    Raises
    ------
    RuleError
        No reading has decided anything in this round.
    """

    def __init__(
        self,
        history: History,
        kept: Callable[[int, Sequence[Piece]], tuple[Exhibit, ...]],
        now_s: float,
        lying: Sequence[Lying] = (),
    ) -> None:
        self._history, self._kept, self.since_s = history, kept, now_s
        self._lying = sorted(lying, key=lambda one: one.exhibit.confidence or 0.0)
        self._place: int | None = None
        self._passed_over = 0
        self.question: Question
        self._about(_decided(history))

    def answered(self, number: int, now_s: float) -> Misread | None:
        """Take the answer to the question, from 1; None where another one follows.

        Raises `RuleError`: it cannot be that piece; the question stays.
        """
        value, self.since_s = self.question.options[number - 1].value, now_s
        if value == _EARLIER:
            self._about(self._numbers[1:])
        elif value == _LYING:
            self._about(())
        elif value == _OTHERS:
            self._passed_over += MOST_ANSWERS - 1
        elif self._place is None:
            if not self._choices(cast(int, value)):
                raise RuleError(Message("referee.refused.nothing_else", piece=self._exhibits[cast(int, value)].piece))
            self._place, self._passed_over = cast(int, value), 0
        else:
            history, exhibit, truth = self._history, self._exhibits[self._place], cast(Piece, value)
            if self._numbers:
                return Misread(exhibit, truth, history.correction(self._numbers[0], self._place, truth))
            came = self._lying[self._place]
            return Misread(exhibit, truth, Correct(came.number, came.place, piece_code(truth)))
        self.question = self._asked()
        return None

    @property
    def shown(self) -> tuple[Exhibit, ...]:
        """The pieces that are asked about: all of the event, some that lie there, or the one that is said to be another."""
        if self._place is not None:
            return self._exhibits[self._place : self._place + 1]
        return self._exhibits if self._numbers else self._exhibits[self._passed_over :][: MOST_ANSWERS - 1]

    def _about(self, numbers: Sequence[int]) -> None:
        """Look at an event of the round that a reading decided, the first of `numbers`, the newest; else at what lies there."""
        if not (numbers or self._lying):
            raise RuleError(Message("referee.refused.nothing_judged"))
        self._numbers = numbers
        of_event = self._kept(numbers[0], self._history.judged(numbers[0])) if numbers else ()
        self._exhibits = of_event if numbers else tuple(one.exhibit for one in self._lying)
        self._place, self._passed_over = None, 0
        self.question = self._asked()

    def _asked(self) -> Question:
        if self._place is not None:
            return self._what_is_it(self._place)
        return self._which_of_event(self._numbers[0]) if self._numbers else self._which_that_lies()

    def _which_of_event(self, number: int) -> Question:
        event = event_words(self._history.standing[number], self._history.before[number])
        options = [Option(_described(one), place) for place, one in enumerate(self._exhibits[: MOST_ANSWERS - 1])]
        if self._numbers[1:]:
            options.append(Option(Message("referee.answer.earlier_one"), _EARLIER))
        if self._lying:
            options.append(Option(Message("referee.answer.one_that_lies"), _LYING))
        text = Message("referee.ask.which_was_misread", event=event)
        return Question(("dispute", number), text, tuple(options), self._tracks, none=_LEAVE_IT)

    def _which_that_lies(self) -> Question:
        if self._passed_over >= len(self._exhibits):
            self._passed_over = 0
        options = [Option(_described(one), place) for place, one in enumerate(self.shown, self._passed_over)]
        options += [Option(Message("referee.answer.something_else"), _OTHERS)] * (len(self._exhibits) > len(options))
        is_die = KIND_SPECS[self._exhibits[0].piece.kind].is_die
        text = Message("referee.ask.which_die_was_misread" if is_die else "referee.ask.which_card_was_misread")
        return Question(("dispute", _LYING, self._passed_over), text, tuple(options), self._tracks, none=_LEAVE_IT)

    def _what_is_it(self, place: int) -> Question:
        piece, choices = self._exhibits[place].piece, self._choices(place)
        if self._passed_over >= len(choices):  # who went by the right one meets it again
            self._passed_over = 0
        options = [Option(one, one) for one in choices[self._passed_over :][: MOST_ANSWERS - 1]]
        if len(choices) > MOST_ANSWERS - 1:
            options.append(Option(Message("referee.answer.something_else"), _OTHERS))
        of = self._numbers[0] if self._numbers else _LYING
        text = Message("referee.text.if_not", piece=piece)
        return Question(("dispute", of, place, self._passed_over), text, tuple(options), self._tracks, none=_LEAVE_IT)

    def _choices(self, place: int) -> tuple[Piece, ...]:
        """What a piece may be, the likeliest first."""
        return _likely(self._exhibits[place], self._round_state, self._said, lies=not self._numbers)

    @property
    def _round_state(self) -> Any:
        """The last state of the round of what is asked about: once that is over, the next knows nothing of its cards."""
        states = [*self._history.before, self._history.state]
        after = states[self._numbers[0] :] if self._numbers else states[-1:]
        return [state for state in after if _rounds(state) == _rounds(after[0])][-1]

    @property
    def _said(self) -> frozenset[str | int]:
        """What people have said that pieces are: the same card may have been read in another event, too."""
        return frozenset(event.piece for event in self._history.events if isinstance(event, Correct))

    @property
    def _tracks(self) -> tuple[int, ...]:
        return tuple(one.track for one in self.shown if one.track is not None)


def _likely(exhibit: Exhibit, state: Any, said: frozenset[str | int] = frozenset(), *, lies: bool = False) -> tuple[Piece, ...]:
    """What a piece may be that is not what it was read as: the runner-up, then pieces that differ in one attribute, then all others.

    Cards that are known to be elsewhere are left out, of a card that lies there the runner-up too.
    """
    piece, known, kind = exhibit.piece, set(pieces_in(state.to_json())) - said, KIND_SPECS[exhibit.piece.kind]

    def unlike(other: Piece) -> int:
        return sum(getattr(piece, name) != getattr(other, name) for name in kind.attributes)

    others = sorted((other for other in kind.faces if other != piece), key=unlike)
    first = () if exhibit.runner_up is None else (exhibit.runner_up,)
    likely = dict.fromkeys((*first, *others))
    return tuple(one for one in likely if (one in first and not lies) or kind.is_die or piece_code(one) not in known)


def _decided(history: History) -> tuple[int, ...]:
    """Events of the round that is played, or just over, that a reading decided: the newest first."""
    decided = [number for number, event in enumerate(history.standing) if history.before[number].judged(event)]
    rounds = [_rounds(history.before[number]) for number in decided]
    return tuple(number for number, over in zip(decided, rounds, strict=True) if over == rounds[-1])[::-1]


def _rounds(state: Any) -> int:
    """Rounds that are over."""
    return len(getattr(state, "finished", ()))


def _described(exhibit: Exhibit) -> Message:
    """A piece, how sure its reading was, and what it would be otherwise."""
    if exhibit.confidence is None:
        return exhibit.piece.said
    other = "" if exhibit.runner_up is None else Message("referee.answer.else", piece=exhibit.runner_up)
    return Message("referee.answer.piece", piece=exhibit.piece, share=100 * exhibit.confidence, other=other)
