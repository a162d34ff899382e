"""What is asked, one question at a time: the referee's own, those about unread pieces, and those of a dispute; and the answers."""

from __future__ import annotations

from typing import cast

from visionset.errors import RuleError
from visionset.games.base import Event
from visionset.messages import Message
from visionset.pieces import Piece
from visionset.referee.dispute import DOUBT, Hearing
from visionset.referee.game_referee import RefereeOptions
from visionset.referee.game_tracker import GameTracker
from visionset.referee.naming import Asking
from visionset.referee.player_input import Answer
from visionset.referee.rulings import Differ, Option, Question, Unsure


class Questions:
    """Asks about one match; `question` is what is asked now."""

    def __init__(self, game: GameTracker, options: RefereeOptions) -> None:
        self._game = game
        self._asking = Asking(options)
        self._unsure: tuple[object, object, tuple[int, ...]] = None, None, ()
        self._half: int | None = None  # the track of a piece of which the last answer did not tell what it is
        self.question: Question | None = None

    def forget(self, tracks: frozenset[int]) -> None:
        """Drop the answers about pieces that show another side now."""
        self._asking.forget(tracks)

    def choose(self, is_held: bool) -> None:
        """Choose what is asked now; nothing while hands are over the table, or while a difference is told."""
        game = self._game
        ruling = game.pending.ruling
        if game.dispute is not None:
            self.question = game.dispute.question
            return
        self.question = None
        if game.pending.is_told_differ or is_held or game.is_resting:
            return
        if isinstance(ruling, Question):
            self.question = ruling
            return
        if isinstance(ruling, Differ) or not game.pending.is_due:
            return
        referee, state, table = game.referee, game.state, game.table
        if self._unsure[0] is not state or self._unsure[1] is not table:
            self._unsure = state, table, referee.unsure(state, table)
        wanted = ruling.tracks if isinstance(ruling, Unsure) else self._unsure[2]
        if not wanted:
            return
        self.question = self._asking.question(
            wanted, table, game.now_s, referee.excluded(state), lambda one: referee.candidates(state, table, one)
        )

    def unsay(self) -> bool:
        """Forget the answers about the piece that is being spelled out; False where somebody said something else since."""
        half, self._half = self._half, None
        if half is not None:
            self._asking.forget([half])
        return half is not None

    def went_on(self) -> None:
        """Something has happened: Undo takes that back, and no trait that was told before."""
        self._half = None

    def others_spoke(self) -> None:
        """What was answered so far is not what was said last, which Undo would take back."""
        self._half = None
        self._game.forget_word()

    def answered(self, said: Answer) -> tuple[Event, ...]:
        """Take an answer; what happens by it: nothing where somebody has answered that question already.

        Raises `RuleError`: it answers nothing that is asked.
        """
        game, question, number = self._game, self.question, said.number
        if said.asked is not None and (question is None or question.id != said.asked):
            return ()
        if question is None:
            raise RuleError(Message("referee.refused.no_question"))
        if not 0 <= number <= len(question.options):
            raise RuleError(Message("referee.refused.answers", count=len(question.options)))
        if game.dispute is not None:
            return self._dispute_answered(game.dispute, number)
        if question is game.pending.ruling:
            if number == 0 and question.is_of_piece:
                return self._spelled(question)
            if number == 0 and not question.none:
                raise RuleError(Message("referee.refused.an_answer", question=question.said))
            return self.decide(question, number)
        settled = self._asking.answer(question, number, game.now_s)
        self._half = question.tracks[0] if settled is None else None
        return () if settled is None else game.name(*settled)

    def decide(self, question: Question, number: int) -> tuple[Event, ...]:
        """Take the answer to a question of the referee, or to one about a piece that is judged; what happens by it."""
        game = self._game
        if question.key[0] == DOUBT:
            return game.settle_doubt(question, number)
        option = question.options[number - 1] if number else Option(question.none, None)
        if question.is_of_piece:
            return game.name(question.tracks[0], cast(Piece, option.value))
        return game.answer(question, option)

    def close_dispute(self) -> tuple[Event, ...]:
        """Leave everything as it was judged; what happens as the game goes on."""
        self._game.dispute = None
        self._game.notice = Message("referee.notice.dispute_closed")
        return self._game.read()

    def _dispute_answered(self, dispute: Hearing, number: int) -> tuple[Event, ...]:
        game = self._game
        if number == 0:
            return self.close_dispute()
        misread = dispute.answered(number, game.now_s)
        if misread is None:
            return ()
        game.dispute = self.question = None  # also where the log cannot keep it now
        return game.mend(misread)

    def _spelled(self, question: Question) -> tuple[Event, ...]:
        """A piece is none of what the referee asked about: it is unread, and asked about trait by trait."""
        game = self._game
        for one in (one for one in game.table.sightings if one.track in question.tracks):
            self._asking.spell(one, game.referee.excluded(game.state))
        game.pending.become(Unsure(question.tracks))
        game.pending.ask_now()
        self._half = question.tracks[0]
        return ()
