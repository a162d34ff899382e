"""The game tracker: keeps the state of one game in step with its table, event by event, and each event in the log first.

Table and state are compared as a whole after each change, until both agree or somebody has to do, say or decide something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from visionset.errors import RuleError, VisionsetError
from visionset.games.base import Event
from visionset.games.correction import Correct, piece_code, pieces_in
from visionset.games.game import History
from visionset.messages import Message, Words
from visionset.pieces import Piece
from visionset.referee.dispute import Disputes, Misread
from visionset.referee.game_referee import GameReferee, by_track, track_of
from visionset.referee.phrasing import briefly
from visionset.referee.standing import Eyes, Log, Pending
from visionset.referee.terms import Differ, Happened, News, Play, Question, RefereeOptions, TakeBack, TakenBack, Wait
from visionset.table import Settled, Table, Thrown, TurnedOver

_MOST_STEPS = 200
"""Events that one look at the table can make at most: more is a fault, and is told instead of hanging."""


class GameTracker:
    """Tracks one match; the parameters are those of `Director`.

    Attributes
    ----------
    history : History
        The match so far.
    referee : GameReferee
        Of its game.
    table : Table
        As people and game know it.
    eyes : Eyes
        What people said of pieces.
    disputes : Disputes
        How pieces looked, and what is disputed.
    pending : Pending
        What is waited for.
    now_s : float
        Time of the match.
    notice : Message or str
        What just happened, in words.
    news : list of News
        What happened and was not taken away yet.
    is_resumed : bool
        The match goes on: nothing has happened since, nor was the table seen as it was.
    """

    def __init__(
        self,
        history: History,
        referee: GameReferee,
        log: Log | None,
        correct: Callable[[int, Piece], None] | None,
        options: RefereeOptions,
        is_undone: bool,
    ) -> None:
        self.history = history
        self.referee = referee
        self._log = Log() if log is None else log
        self.eyes = Eyes(referee.kinds, correct or (lambda track, piece: None), referee.is_face_up)
        self.table = Table((1, 1))
        self.disputes = Disputes(options)
        self.now_s = float(history.state.clock_s)
        self._ahead_s: float | None = None
        self.pending = Pending(options, self.now_s)
        self.notice: Words = ""
        self.news: list[News] = []
        self._stream_s = 0.0
        self._seen: object = None
        self._resting: object = None
        self.is_resumed = bool(history.events)
        self._is_undone = is_undone
        self._is_to_recall = self.is_resumed or is_undone
        referee.recall(history)

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self.history.state

    @property
    def is_resting(self) -> bool:
        """Whether nothing is derived from this table before it changes or somebody says "next"."""
        return self._resting is not None

    def pass_time(self, time_s: float) -> None:
        """Let the match's time go on with the stream's: each stream begins anew, and a match goes on from its last event."""
        self._stream_s = time_s
        if self._ahead_s is None:
            self._ahead_s = self.now_s - time_s
        self.now_s = max(self.now_s, time_s + self._ahead_s)

    def match_s(self, stream_s: float | None) -> float:
        """The match's time at a time of the stream, which is now where none is given, and never later."""
        if stream_s is None or self._ahead_s is None:
            return self.now_s
        return min(self.now_s, stream_s + self._ahead_s)

    def look(self, settled: Settled) -> frozenset[int] | None:
        """Take a settled table; None where it is the one of before, else the tracks of pieces that show another side now."""
        seen = tuple((one.track, one.piece) for one in settled.table.sightings)
        if settled.held or not (settled.changes or seen != self._seen):
            return None
        self._seen = seen
        turned = frozenset(track_of(one.after) for one in settled.changes if isinstance(one, Thrown | TurnedOver))
        self.eyes.look(settled.table, turned)
        if self._is_to_recall:
            self._recall()
        return turned

    def look_anew(self) -> None:
        """Take the next settled table for another one, whatever it shows."""
        self._seen = None

    def _recall(self) -> None:
        """See the table of a match that goes on for the first time: it is the table as it was, unless it cannot be."""
        self._is_to_recall = False
        self._take_table()
        for track, piece in self.referee.resumed(self.history, self.table).items() if self.history.events else ():
            self.eyes.settle(track, piece)
        self._take_table()
        if self._is_undone and not isinstance(self.referee.read(self.state, self.table, self.now_s), Wait | None):
            self._rest()

    def _take_table(self) -> None:
        """Take the table as people and game know it."""
        self.table = self.eyes.table(self.referee.excluded(self.state))
        self.disputes.look(self.table)

    def read(self) -> tuple[Event, ...]:
        """Compare table and game until there is nothing more to tell."""
        done: list[Event] = []
        if self._resting is not None:
            if self._resting == self._seen:
                return ()
            self._resting, self.notice = None, ""  # what was said of the table as it lay is no longer so
        for _ in range(_MOST_STEPS):
            self._take_table()
            if self.state.is_over:
                self.pending.become(None, self.now_s)
                break
            ruling = self.referee.read(self.state, self.table, self.now_s)
            if isinstance(ruling, Differ) and self.eyes.forget_ghosts(ruling.extra):
                continue
            if isinstance(ruling, Play) and (asked := self._in_doubt(ruling.event)) is not None:
                ruling = asked
            if isinstance(ruling, Play):
                try:
                    done.append(self._apply(ruling.event))
                    continue
                except RuleError as error:
                    ruling = Differ(briefly(error))
            if isinstance(ruling, TakeBack):
                try:
                    self._without(ruling.count, ruling.instead)
                    self._take_back(ruling.count)
                    done += [self._keep(event) for event in ruling.instead]
                    continue
                except RuleError as error:
                    ruling = Differ(briefly(error))
            self.pending.become(ruling, self.now_s)
            self.is_resumed = self.is_resumed and not (isinstance(ruling, Wait | None) and self._is_as_it_was())
            break
        return tuple(done)

    def _is_as_it_was(self) -> bool:
        """Whether all lies there that the game has on the table."""
        lying = self.referee.lying(self.state)
        return bool(lying) and Counter(lying) <= Counter(one.piece for one in self.table.sightings)

    def _in_doubt(self, event: Event) -> Question | None:
        """Ask about a piece by which something would be judged wrong, where its reading is not beyond doubt."""
        return self.disputes.doubt(self.history, event) if self.referee.refuses(self.state, event) else None

    def play(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Apply events, the ones before stay where a later one is refused; then look at the table again."""
        self.notice = ""
        done = [self._apply(event) for event in events]
        return (*done, *self.read())

    def _apply(self, event: Event) -> Event:
        """Keep an event that happens now, with its time: from the last one a match goes on when it is resumed."""
        return self._keep(event if event.at_s is not None else replace(event, at_s=max(self.now_s, self.state.clock_s)))

    def _keep(self, event: Event) -> Event:
        before = self.state
        after = self.history.then(event)  # refused before it is logged
        try:
            self._log.append(event)
        except VisionsetError:
            self._seen = None  # nothing happened: the next look at the table finds the same event again
            raise
        self.history = after
        self.news.append(Happened(event, after.state, self._stream_s))
        self.disputes.went_on(after)
        self.notice = after.state.notice
        self.is_resumed = False
        if isinstance(event, Correct):
            self.referee.corrected(after.state, self.table)
        else:
            self.referee.went_on(before, event, after.state, self.table)
        return event

    def _without(self, count: int, instead: tuple[Event, ...]) -> None:
        """Try other events in place of the last ones, before anything is taken back; raises RuleError where one is refused."""
        history = self.history
        for _ in range(count):
            history = history.undone()
        for event in instead:
            history = history.then(event)

    def _take_back(self, count: int) -> None:
        for _ in range(count):
            earlier = self.history.undone()
            self._log.undo()
            self.history = earlier
            self.news.append(TakenBack(earlier.state, self._stream_s))
        self.referee.forget()
        self.referee.recall(self.history)

    def undo(self) -> tuple[Event, ...]:
        """Take the last event back; nothing is derived from this table again before it changes or somebody says "next"."""
        if self.referee.unsay():
            self.notice = Message("referee.notice.asked_again")
            return self.read()
        if not self.history.events:
            raise RuleError(Message("referee.refused.nothing_done"))
        self._take_back(1)
        while self.referee.is_midway(self.state):
            self._take_back(1)
        self.notice = Message("referee.notice.taken_back")
        self._rest()
        return ()

    def _rest(self) -> None:
        """Let an event that was taken back rest, though the table shows it."""
        self._resting = self._seen
        self.pending.become(Wait(Message("referee.wait.taken_back")), self.now_s)

    def go_on(self) -> tuple[Event, ...]:
        """Read a table again on which something rests."""
        self._resting = None
        return self.read()

    def name(self, track: int, piece: Piece) -> tuple[Event, ...]:
        """Take what people say that a piece is."""
        self.eyes.settle(track, piece)
        return self.read()

    def take_likeliest(self, tracks: tuple[int, ...]) -> tuple[Event, ...]:
        """Take pieces for what they most likely are, and look past those of which nothing is known."""
        named_now = []
        for one in (one for one in self.table.sightings if one.track in tracks):
            likely = self.referee.candidates(self.state, self.table, one)
            if likely:
                self.eyes.settle(track_of(one), likely[0])
                named_now.append(likely[0])
            else:
                self.eyes.pass_over((track_of(one),))
        self.notice = Message("referee.notice.taken_as", pieces=tuple(named_now)) if named_now else Message("referee.notice.passed_over")
        return self.read()

    def mend(self, misread: Misread) -> tuple[Event, ...]:
        """Take what people say that a piece was: what it was read as is mended where it counted, and the camera is told."""
        exhibit, after = misread.exhibit, self.history.then(misread.correct)
        had, has = (pieces_in(history.state.to_json()).count(piece_code(exhibit.piece)) for history in (self.history, after))
        if has < had:
            self.eyes.misread(exhibit.piece, misread.truth)
            if exhibit.track is not None and exhibit.track in by_track(self.table):
                self.eyes.settle(exhibit.track, misread.truth)
            self._take_table()
        return self.play((misread.correct,))

    def settle(self, differ: Differ, table_is_right: bool) -> tuple[Event, ...]:
        """Settle a difference for the table, or for the game."""
        if table_is_right:
            if not differ.table_right:
                raise RuleError(Message("referee.refused.no_such_table"))
            return self.play(differ.table_right)
        self.eyes.overrule(differ)
        if differ.game_right:
            return self.play(differ.game_right)
        self.notice = Message("referee.notice.game_right")
        if not (differ.extra or differ.swapped or differ.missing):  # nothing to look past: the table counts again when it changes
            self._resting = self._seen
            self.pending.become(None, self.now_s)
            return ()
        return self.read()
