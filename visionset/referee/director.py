"""The director: settled tables and what people say go in, events of the game and things to show come out.

It keeps the order of what matters: a difference between table and game freezes everything, then one question at a time,
then what the rules want done. `GameTracker` compares table and game, and what a game makes of its table is its `GameReferee`'s
part; `Questions` asks, and `present` puts into words how things stand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

from visionset.calibration import Calibration
from visionset.errors import RuleError
from visionset.games.base import Event, together
from visionset.games.game import History
from visionset.messages import Message, Words
from visionset.pieces import Piece
from visionset.referee.game_referee import GameReferee
from visionset.referee.game_tracker import GameTracker
from visionset.referee.phrasing import briefly
from visionset.referee.player_input import Answer, CallSet, Dispute, GameIsRight, Next, Said, TableIsRight, Undo
from visionset.referee.presenting import Questions, present
from visionset.referee.standing import Log
from visionset.referee.terms import Differ, News, Question, RefereeOptions, Refused, Ruling, Showing, Unsure, Wait
from visionset.referee.zones import Zones
from visionset.table import Settled


class Director:
    """Directs one match.

    Parameters
    ----------
    history : History
        The match as it stands: just begun, or resumed.
    referee : GameReferee
        Of its game.
    log : Log, optional
        Takes each event before anybody is told of it.
    correct : callable, optional
        Told the track and the piece when people settle what a piece is, so that the tracker keeps it.
    options : RefereeOptions
        Times.
    is_undone : bool
        The last thing that happened in a match that is resumed was taken back: the table may show it still.

    Attributes
    ----------
    history : History
        The match so far.
    """

    def __init__(
        self,
        history: History,
        referee: GameReferee,
        log: Log | None = None,
        correct: Callable[[int, Piece], None] | None = None,
        options: RefereeOptions = RefereeOptions(),
        is_undone: bool = False,
    ) -> None:
        self.options = options
        self._game = GameTracker(history, referee, log, correct, options, is_undone)
        self._held, self._covered = True, False
        self._remarks: tuple[Words, ...] = ()
        self._questions = Questions(self._game, options)
        self._shown: Showing | None = None
        self._shown_for: tuple[object, ...] = ()
        self._is_timed = False
        self._excluded: tuple[object, frozenset[Piece]] = None, frozenset()

    @property
    def history(self) -> History:
        """The match so far."""
        return self._game.history

    @property
    def now_s(self) -> float:
        """Time of the match."""
        return self._game.now_s

    @property
    def referee(self) -> GameReferee:
        """Of the game."""
        return self._game.referee

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self._game.state

    @property
    def ruling(self) -> Ruling:
        """What the game makes of its table now."""
        return self._game.pending.ruling

    @property
    def is_resting(self) -> bool:
        """Whether something was settled or taken back, so that nothing is derived from this table before it changes."""
        return self._game.is_resting

    @property
    def excluded(self) -> frozenset[Piece]:
        """Pieces that cannot lie on the table: the reader may leave them out."""
        if self._excluded[0] is not self.state:
            self._excluded = self.state, self.referee.excluded(self.state)
        return self._excluded[1]

    @property
    def showing(self) -> Showing:
        """What is drawn now; the same object as before where nothing can have changed, as in most frames."""
        game, question = self._game, self._questions.question
        pending = game.pending
        of_time = pending.reminded_s(game.now_s), pending.is_told_differ(game.now_s)
        wanted = self.ruling, *of_time, self.state, game.table, game.notice, question, self._remarks
        is_same = self._shown is not None and all(one is other for one, other in zip(wanted, self._shown_for, strict=True))
        if not is_same or self._is_timed or game.disputes.is_open:
            self._shown, self._shown_for = present(game, question, self._remarks), wanted
            self._is_timed = self.referee.is_timed(self.state)
        return cast(Showing, self._shown)

    def calibrate(self, profile: Calibration | None) -> None:
        """Take the camera's profile, for zones in millimetres.

        Raises `RecordError`: the zones are in millimetres, and the profile does not know the table.
        """
        self.referee.profile = profile
        if self.referee.zones is not None:
            self.referee.zones.check(profile)

    def take_news(self) -> tuple[News, ...]:
        """Take away what happened since this was last asked, in the order of the log; each is in the log already."""
        news, self._game.news = tuple(self._game.news), []
        return news

    def rearrange(self, zones: Zones) -> None:
        """Take zones that somebody dragged; the next look at the table goes by them."""
        self.referee.zones = zones
        self._shown = None
        self._game.look_anew()

    def see(self, settled: Settled, time_s: float) -> tuple[Event, ...]:
        """Look at the table after one more frame.

        Parameters
        ----------
        settled : Settled
            What the tracker tells.
        time_s : float
            Time of the frame in the stream; a clock that went back stands still.

        Returns
        -------
        tuple of Event
            What happened, in order; each is in the log already.
        """
        game = self._game
        game.pass_time(time_s)
        if settled.held is not self._held or settled.changes:
            self._shown = None
        self._held, self._covered, self._remarks = settled.held, settled.covered, settled.remarks
        if settled.held:
            self.referee.disturbed()
            if isinstance(self.ruling, Differ) and not self._is_told_differ():
                game.pending.start_again(game.now_s)  # what differs while a hand is there may be right when it has gone
        if settled.changes:
            self.referee.changed(settled.changes)
        turned = game.look(settled)
        if turned is None:
            return self._tick()
        self._questions.forget(turned)
        return () if game.disputes.is_open else self._then(game.read())

    def hear(self, said: Said, time_s: float) -> tuple[Event, ...]:
        """Listen to what somebody says; what makes no sense now is answered by `Showing.notice` and changes nothing."""
        self._game.pass_time(time_s)
        self._shown = None
        try:
            return self._heard(said)
        except RuleError as error:
            back = Message("referee.notice.something_taken_back") if self.is_resting else ""
            self._game.notice = together(briefly(error), back)
            self._game.news.append(Refused(said, self._game.notice, time_s))
            return ()

    def _heard(self, said: Said) -> tuple[Event, ...]:
        game, ruling = self._game, self.ruling
        match said:
            case Answer():
                return self._then(self._questions.answered(said.number))
            case TableIsRight() | GameIsRight():
                if not isinstance(ruling, Differ):
                    raise RuleError(Message("referee.refused.no_difference"))
                return self._then(game.settle(ruling, isinstance(said, TableIsRight)))
            case Next():
                return self._next()
            case Undo():
                return self._then(self._questions.close_dispute() if game.disputes.is_open else game.undo())
            case Dispute():
                if self.referee.is_midway(self.state):
                    raise RuleError(Message("referee.refused.call_is_open"))
                game.disputes.open(self.history, game.now_s)
                self._questions.choose(self._held)
                return ()
        if game.disputes.is_open:
            raise RuleError(Message("referee.refused.dispute_is_open"))
        if isinstance(ruling, Differ) and not (isinstance(said, CallSet) and ruling.a_call_settles):
            raise RuleError(Message("referee.refused.difference_first"))
        said_s = game.match_s(said.said_s) if isinstance(said, CallSet) else game.now_s
        return self._then(game.play(self.referee.hear(self.state, said, game.table, said_s)))

    def _then(self, done: tuple[Event, ...]) -> tuple[Event, ...]:
        """After the table was read again: choose what is asked now, and let time end what it ends."""
        self._questions.choose(self._held)
        return (*done, *self._tick())

    def _tick(self) -> tuple[Event, ...]:
        """Let time pass: limits of the rules, questions that are due, a difference that nobody settles."""
        game, ruling = self._game, self.ruling
        if game.disputes.is_open:
            return self._then(self._questions.close_dispute()) if game.disputes.is_forgotten(game.now_s) else ()
        is_long = game.pending.is_forgotten(game.now_s) and not self.is_resting
        if isinstance(ruling, Wait) and ruling.until_s is not None:
            patience_s = self.options.hand_s if self._held or self._covered else 0.0
            if ruling.is_hands_off and self._held:
                patience_s = math.inf
            if ruling.then and game.now_s >= ruling.until_s + patience_s:
                return self._gone_on(ruling)
        elif isinstance(ruling, Wait) and isinstance(ruling.then, Differ) and is_long:
            return self._then(game.settle(ruling.then, False))
        elif isinstance(ruling, Differ) and is_long and not ruling.game_right:
            return self._then(game.settle(ruling, False))
        elif isinstance(ruling, Question | Unsure) and is_long and not (isinstance(ruling, Question) and ruling.none):
            return self._unanswered(ruling)
        if not self._held:
            self._questions.choose(self._held)
        return ()

    def _next(self) -> tuple[Event, ...]:
        """Go on: what the waiting ends with, the game's side of a difference, the likeliest answer, or the question put aside.

        What changes the game is told first, and done when it is said once more.
        """
        game, ruling = self._game, self.ruling
        if game.disputes.is_open:
            return self._then(self._questions.close_dispute())
        if self.is_resting:
            return self._then(game.go_on())
        if isinstance(ruling, Question | Unsure):
            return self._unanswered(ruling) if self._is_warned() else ()
        if self._questions.question is not None:
            return self._then(self._questions.answered(0))
        if isinstance(ruling, Differ):
            return self._then(game.settle(ruling, False)) if self._is_told_differ() else self._differ(ruling)
        if not isinstance(ruling, Wait):
            raise RuleError(Message("referee.refused.nothing_awaited"))
        return self._gone_on(ruling)

    def _gone_on(self, wait: Wait) -> tuple[Event, ...]:
        if isinstance(wait.then, Differ):
            return self._differ(wait.then)
        if not wait.then:
            raise RuleError(Message("referee.refused.first", what=wait.message))
        return self._then(self._game.play(wait.then))

    def _differ(self, differ: Differ) -> tuple[Event, ...]:
        self._game.pending.differ_now(differ, self._game.now_s)
        return ()

    def _is_warned(self) -> bool:
        """Tell what happens without an answer; True where that was told already."""
        pending = self._game.pending
        if pending.is_warned():
            return True
        pending.ask_now(self._game.now_s)
        self._questions.choose(self._held)
        question = self._questions.question
        likely = "" if question is None else Message("referee.notice.likely", answer=question.none or question.options[0].said)
        self._game.notice = Message("referee.notice.question_first", likely=likely)
        return False

    def _unanswered(self, ruling: Question | Unsure) -> tuple[Event, ...]:
        """Nobody answers: take the first answer, the likeliest reading, or look past what cannot be read at all."""
        self._game.pending.forget_warning()
        if isinstance(ruling, Unsure):
            return self._then(self._game.take_likeliest(ruling.tracks))
        notice = Message("referee.notice.nobody_answered", answer=ruling.none or ruling.options[0].said)
        done = self._then(self._questions.decide(ruling, 0 if ruling.none else 1))
        self._game.notice = notice
        return done

    def _is_told_differ(self) -> bool:
        return self._game.pending.is_told_differ(self._game.now_s)
