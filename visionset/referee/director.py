"""The director: settled tables and what people say go in, events of the game and things to show come out.

It keeps the order of what matters: a difference between table and game freezes everything, then one question at a time,
then what the rules want done. `GameTracker` compares table and game, and what a game makes of its table is its `GameReferee`'s
part; `Questions` asks, and `present` puts into words how things stand. Longer than most modules: all that people may say is heard
here, whatever is waited for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from visionset.calibration import Calibration
from visionset.errors import RuleError
from visionset.games.base import Event, together
from visionset.games.game import History
from visionset.messages import Message, Words
from visionset.pieces import Piece
from visionset.referee.dispute import Hearing
from visionset.referee.game_referee import GameReferee, RefereeOptions
from visionset.referee.game_tracker import GameTracker, Log
from visionset.referee.news import News, Refused
from visionset.referee.phrasing import briefly, is_about_taker, is_early_call, waits_for_pieces
from visionset.referee.player_input import Answer, CallSet, Dispute, GameIsRight, Move, Next, Said, TableIsRight, Undo
from visionset.referee.present import present
from visionset.referee.questions import Questions
from visionset.referee.rulings import Differ, Question, Ruling, Unsure, Wait
from visionset.referee.shown import Showing
from visionset.referee.zones import Zones, ZoneUnits
from visionset.table import Settled

_OTHER_SHAPE = (Message("referee.remark.other_shape"),)


def _settles(said: Said, differ: Differ) -> bool:
    """Whether somebody makes up for what the table shows already."""
    return differ.a_call_settles if isinstance(said, CallSet) else isinstance(said, Move) and said.event in differ.table_right


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
    is_again : bool
        The match begins where another has ended, whose pieces may still lie there.

    Attributes
    ----------
    history : History
        The match so far.
    stands : bool
        The match's time stands: the camera saw nothing in the last frame.
    """

    def __init__(
        self,
        history: History,
        referee: GameReferee,
        log: Log | None = None,
        correct: Callable[[int, Piece | None], None] | None = None,
        options: RefereeOptions = RefereeOptions(),
        is_undone: bool = False,
        is_again: bool = False,
    ) -> None:
        self.options = options
        self._game = GameTracker(history, referee, log, correct, options, is_undone, is_again)
        self._held, self._covered = True, False
        self._hidden: tuple[int, ...] = ()
        self._remarks: tuple[Words, ...] = ()
        self._beyond_seen: tuple[Piece, ...] = ()
        self._beyond: tuple[Piece, ...] = ()
        self._about_beyond: tuple[Words, ...] = ()
        self._zoned_px: tuple[int, int] | None = None
        self._questions = Questions(self._game, options)
        self._shown: Showing | None = None
        self._shown_for: tuple[object, ...] = ()
        self._is_timed = False
        self._to_be_judged: list[Move] = []
        self._is_judged_now = False
        self.stands = False
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
        of_time = pending.reminded_s, pending.is_told_differ
        is_done = bool(self._to_be_judged) or any(not isinstance(said, CallSet) for said, _ in game.early)
        told_first = Message("referee.told.hands_off") if is_done else ""
        wanted = self.ruling, *of_time, self.state, game.table, game.notice, question, self._remarks, is_done
        is_same = self._shown is not None and all(one is other for one, other in zip(wanted, self._shown_for, strict=True))
        if not is_same or self._is_timed or game.dispute is not None:
            self._shown, self._shown_for = present(game, question, self._remarks, told_first), wanted
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
        self._zoned_px = None
        self._shown = None
        self._game.look_anew()

    def miss(self, time_s: float) -> None:
        """Take it that no frame came until then: what people did meanwhile nobody saw, so that the match's time stood."""
        self._game.clock.pass_time(time_s, is_blind=True)

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
        lying = self.referee.lying(self.state)
        self._look_beyond(tuple(piece for piece in settled.beyond if piece in lying))
        is_blind = settled.blind or bool(self._beyond)
        self.stands = is_blind and bool(lying)
        game.clock.pass_time(time_s, is_blind=self.stands or bool(game.owed))  # nobody's time runs before the call is kept
        game.forget_refusal()
        if settled.held is not self._held or settled.changes:
            self._shown = None
        self._held, self._covered = settled.held, settled.covered
        self._remarks = self._about_beyond or self._about_zones(settled.table.size_px) or settled.remarks
        if settled.held:
            self.referee.disturbed(game.now_s)
            if isinstance(self.ruling, Differ) and not game.pending.is_told_differ:
                game.pending.since_s = game.now_s  # what differs while a hand is there may be right when it has gone
        if settled.changes:
            self.referee.changed(settled.changes)
        if settled.hidden != self._hidden:
            self._hidden = settled.hidden
            self.referee.covered(frozenset(settled.hidden))
            game.look_anew()
        turned = None if self._beyond else game.look(settled)
        if turned:
            self._questions.forget(turned)
        done = self._then(game.play(())) if game.owed else ()
        if turned is None:
            done += self._tick()
        elif game.dispute is None:
            done += self._then(game.read())
        done += self._judge_early()
        return (*done, *self._judge()) if self._to_be_judged and self._may_judge(self._to_be_judged[0]) else done

    def _may_judge(self, said: Move) -> bool:
        """Whether the table lies as it was seen last, and nothing about the dice of others is open; one's own are one's own care."""
        if self._is_judged_now:
            return True
        if self._held or self._covered or self._beyond or self._game.dispute is not None:
            return False
        ruling, own = self.ruling, self.state.players[getattr(said.event, "player", 0)]
        is_others = isinstance(ruling, Wait) and isinstance(ruling.then, Differ) and ruling.to != own
        return not (isinstance(ruling, Unsure | Question | Differ) or is_others)

    def _judge(self) -> tuple[Event, ...]:
        """Judge the table for those who said that it is done while hands were over it, in their order; with the first it is over."""
        waiting, self._to_be_judged = self._to_be_judged, []
        for said in waiting:
            done = self.hear(said, self._game.clock.stream_s)
            if done:
                return done
        return ()

    def _judge_early(self) -> tuple[Event, ...]:
        """Hear what was said while the table was not told yet, once it is or does not come in time.

        Each by itself: a later one has its own time, and is heard another time where the log cannot keep this one.
        """
        game, done = self._game, tuple[Event, ...]()
        while game.early and game.dispute is None and not self._waits(*game.early[0]):
            said, said_s = game.early.pop(0)
            with self._refusing(said, game.clock.stream_s):
                done += self._heard(said, said_s)
        return done

    def _waits(self, said: Said, said_s: float) -> bool:
        """Whether something that was said early is not heard yet."""
        is_asked = isinstance(said, CallSet) and isinstance(self.ruling, Unsure)  # all lies there, and people name it, or move it a little
        is_under_hands = self._held and not isinstance(said, CallSet)  # what they lay there is read once they are off
        return is_asked or is_under_hands or (self._is_being_read and self._game.now_s - said_s < self.options.early_s)

    def _put_off(self, said: Said, said_s: float) -> None:
        """Hear something later, in the order in which people said it; whoever is eager says it twice."""
        if all(said != one for one, _ in self._game.early):
            self._game.early = sorted([*self._game.early, (said, said_s)], key=lambda one: one[1])

    def _ended_turn(self, said: Said) -> Event | None:
        """The event of this by which somebody's turn is over, with all that was laid in it; a key and a button mean the same one."""
        ruling = self.ruling
        then = ruling.then if isinstance(said, Next) and isinstance(ruling, Wait) and not isinstance(ruling.then, Differ) else ()
        events = (said.event,) if isinstance(said, Move) else then
        return next((event for event in events if self._game.dispute is None and self.referee.ends_turn(event)), None)

    @property
    def _is_being_read(self) -> bool:
        """Whether the table may be another than is told: a hand draws back, or pieces are read, perhaps wrongly for a moment."""
        ruling = self.ruling
        return self._held or isinstance(ruling, Unsure) or (isinstance(ruling, Differ) and not self._game.pending.is_told_differ)

    def _look_beyond(self, beyond: tuple[Piece, ...]) -> None:
        """Take it that these pieces of the game are out of the picture: nothing follows from that unless people say that they are gone."""
        if beyond != self._beyond_seen:
            self._beyond_seen = self._beyond = beyond
            self._about_beyond = (Message("referee.remark.beyond", count=len(beyond)),) if beyond else ()

    def _about_zones(self, size_px: tuple[int, int]) -> tuple[Words, ...]:
        """What is said while the picture has another shape than when the zones were drawn: they lie over other parts of the table."""
        zones = self.referee.zones
        if zones is None or not zones.zones or zones.ground is not ZoneUnits.PICTURE:
            return ()
        width, height = self._zoned_px = self._zoned_px or size_px
        return () if width * size_px[1] == height * size_px[0] else _OTHER_SHAPE

    def hear(self, said: Said, time_s: float) -> tuple[Event, ...]:
        """Listen to what somebody says; what makes no sense now is answered by `Showing.notice` and changes nothing."""
        self._game.clock.pass_time(time_s)
        self._shown = None
        with self._refusing(said, time_s):
            return self._heard(said)
        return ()

    @contextmanager
    def _refusing(self, said: Said, time_s: float) -> Iterator[None]:
        """Tell why something cannot be done."""
        try:
            yield
        except RuleError as error:
            back = Message("referee.notice.something_taken_back") if self.is_resting else ""
            self._game.refuse(together(briefly(error), back))
            self._game.news.append(Refused(said, self._game.notice, time_s))
            self._questions.choose(self._held)  # what was asked may be answered by that

    def _heard(self, said: Said, early_s: float | None = None) -> tuple[Event, ...]:
        """Do what somebody says; what has waited since `early_s` waits no longer."""
        game, ruling = self._game, self.ruling
        if isinstance(said, TableIsRight | GameIsRight) and said.asked not in (None, game.differ_id):
            return ()  # somebody has settled that one already
        if not isinstance(said, Answer | Undo):
            self._questions.others_spoke()
        over = self._ended_turn(said)
        if early_s is None and self._held and over is not None:
            waiting = [one for one in game.early if self._ended_turn(one[0]) == over]
            if not waiting:
                self._put_off(said, game.now_s)
            if not waiting or game.now_s - waiting[0][1] < self.options.early_s:
                return ()
            game.early = [one for one in game.early if one not in waiting]  # who says it again, by a key or a button, knows of the hands
        match said:
            case Answer():
                return self._then(self._questions.answered(said))
            case TableIsRight() | GameIsRight():
                if not isinstance(ruling, Differ):
                    raise RuleError(Message("referee.refused.no_difference"))
                return self._then(game.settle(ruling, isinstance(said, TableIsRight)))
            case Next():
                return self._next()
            case Undo() if game.owed:
                game.disown()
                return ()
            case Undo() if game.early or self._to_be_judged:
                said = game.early.pop()[0] if game.early else self._to_be_judged.pop()
                game.notice = Message("referee.notice.call_taken_back" if isinstance(said, CallSet) else "referee.notice.not_done")
                return ()
            case Undo() if game.dispute is None and self._questions.unsay():
                game.notice = Message("referee.notice.asked_again")
                self._questions.choose(self._held)
                return ()
            case Undo():
                return self._then(game.undo() if game.dispute is None else self._questions.close_dispute())
            case Dispute():
                if self.referee.is_midway(self.state):
                    raise RuleError(Message("referee.refused.call_is_open"))
                game.dispute = Hearing(self.history, game.evidence.kept, game.now_s, game.disputable())
                self._questions.choose(self._held)
                return ()
        if game.dispute is not None:
            raise RuleError(Message("referee.refused.dispute_is_open"))
        if isinstance(said, Move) and self.referee.judges_table(said.event):
            if not self._may_judge(said):
                self._to_be_judged += [said] if said not in self._to_be_judged else []
                return ()
            if isinstance(ruling, Wait) and isinstance(ruling.then, Differ):
                raise RuleError(Message("referee.refused.first", what=ruling.message))
        if isinstance(ruling, Differ) and not _settles(said, ruling):
            raise RuleError(Message("referee.refused.difference_first"))
        if isinstance(ruling, Unsure | Question) and over is not None:
            self._is_warned()
            return ()
        if isinstance(said, CallSet):
            return self._called(said, early_s)
        return self._then(game.play(self.referee.hear(self.state, said, game.table, game.now_s)))

    def _called(self, said: CallSet, early_s: float | None) -> tuple[Event, ...]:
        """Hear a call; one that comes too early may wait for the table to be told, since people see a piece lie while it is read."""
        said_s = self._game.clock.match_s(said.said_s, float(self.state.clock_s)) if early_s is None else early_s
        try:
            return self._then(self._game.play(self.referee.hear(self.state, said, self._game.table, said_s)))
        except RuleError as error:
            if early_s is None and self._is_being_read and waits_for_pieces(error):
                self._put_off(CallSet(said.player), said_s)
                self._game.notice = Message("referee.notice.call_waits", name=self.state.players[said.player])
                return ()
            if self.is_resting and is_about_taker(error):  # the wrong one had said it, and nobody was asked since Undo
                if done := self._then(self._game.go_on()):
                    return done
                self._game.pending.ask_now()
            if is_early_call(error):
                raise RuleError(Message("game.notice.early_call", name=self.state.players[said.player])) from error
            raise

    def _then(self, done: tuple[Event, ...]) -> tuple[Event, ...]:
        """After the table was read again: choose what is asked now, and let time end what it ends."""
        if done:
            self._questions.went_on()
        self._questions.choose(self._held)
        return (*done, *self._tick())

    def _tick(self) -> tuple[Event, ...]:
        """Let time pass: limits of the rules, questions that are due, a difference that nobody settles."""
        game, ruling = self._game, self.ruling
        if game.dispute is not None:
            is_left = game.now_s - game.dispute.since_s >= self.options.settle_differ_s
            return self._then(self._questions.close_dispute()) if is_left else ()
        is_long = game.pending.is_forgotten and not self.is_resting
        if isinstance(ruling, Wait) and ruling.until_s is not None:
            patience_s = self.options.hand_s if self._held or self._covered else 0.0
            if ruling.is_hands_off and self._held:
                patience_s = math.inf
            if ruling.then and game.now_s >= ruling.until_s + patience_s:
                return self._gone_on(ruling)
            if not ruling.then and game.now_s >= ruling.until_s + patience_s:  # it is over, and nothing comes of it
                return game.read()
        elif isinstance(ruling, Wait) and isinstance(ruling.then, Differ) and is_long:
            game.pending.begin_again()
            return self._then(game.settle(ruling.then, False))
        elif isinstance(ruling, Differ) and is_long and not ruling.game_right:
            game.pending.begin_again()
            return self._then(game.settle(ruling, False))
        elif (
            isinstance(ruling, Question | Unsure)
            and is_long
            and not (game.is_asked_after_undo or (isinstance(ruling, Question) and ruling.none))
        ):
            game.pending.begin_again()
            return self._unanswered(ruling)
        if not self._held:
            self._questions.choose(self._held)
        return ()

    def _next(self) -> tuple[Event, ...]:
        """Go on: what the waiting ends with, the game's side of a difference, the likeliest answer, or the question put aside.

        What changes the game is told first, and done when it is said once more.
        """
        game, ruling = self._game, self.ruling
        if game.dispute is not None:
            return self._then(self._questions.close_dispute())
        if self._beyond:
            self._beyond, self._about_beyond = (), ()
            return ()
        if self._to_be_judged:  # a hand that rests there is none of those that lay dice
            self._is_judged_now = True
            try:
                return self._judge()
            finally:
                self._is_judged_now = False
        if self.is_resting:
            return self._then(game.go_on())
        if game.pending.is_just_told:
            return ()
        if isinstance(ruling, Question | Unsure):
            return self._unanswered(ruling) if self._is_warned() else ()
        if self._questions.question is not None:
            return self._then(self._questions.answered(Answer(0)))
        if isinstance(ruling, Differ):
            if not game.pending.is_told_differ:
                return self._differ(ruling)
            if ruling.warning and not game.pending.is_warned():
                game.notice = ruling.warning
                return ()
            return self._then(game.settle(ruling, False))
        if not isinstance(ruling, Wait):
            raise RuleError(Message("referee.refused.nothing_awaited"))
        return self._gone_on(ruling)

    def _gone_on(self, wait: Wait) -> tuple[Event, ...]:
        if isinstance(wait.then, Differ):
            return self._differ(wait.then)
        if not wait.then or (wait.is_own_time and wait.until_s is not None and self._game.now_s < wait.until_s):
            raise RuleError(Message("referee.refused.first", what=wait.message))
        pending = self._game.pending
        if wait.warning and (wait.is_always_warned or pending.has_just_begun) and not pending.is_warned():
            self._game.notice = wait.warning
            return ()
        play = self._game.play_as_word if len(wait.then) > 1 else self._game.play
        return self._then(play(wait.then))

    def _differ(self, differ: Differ) -> tuple[Event, ...]:
        self._game.pending.differ_now(differ)
        if not differ.warning:
            self._game.pending.is_warned()
        return ()

    def _is_warned(self) -> bool:
        """Tell what happens without an answer; True where that was told already."""
        pending = self._game.pending
        if pending.is_warned():
            return True
        pending.ask_now()
        self._questions.choose(self._held)
        question = self._questions.question
        likely = "" if question is None else Message("referee.notice.likely", answer=question.none or question.options[0].said)
        self._game.notice = Message("referee.notice.question_first", likely=likely)
        return False

    def _unanswered(self, ruling: Question | Unsure) -> tuple[Event, ...]:
        """Nobody answers: take the first answer, the likeliest reading, or look past what cannot be read at all."""
        self._game.pending.warned = ()
        if isinstance(ruling, Unsure):
            return self._then(self._game.take_likeliest(ruling.tracks))
        notice = Message("referee.notice.nobody_answered", answer=ruling.none or ruling.options[0].said)
        done = self._then(self._questions.decide(ruling, 0 if ruling.none else 1))
        self._game.notice = notice
        return done
