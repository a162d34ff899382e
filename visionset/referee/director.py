"""The director: settled tables and what people say go in, events of the game and things to show come out.

It keeps the order of what matters: a difference between table and game freezes everything, then one question at a time,
then what the rules want done. What a game makes of its table is its `GameReferee`'s part. Longer than
most modules: what is seen, heard and shown hangs on the same few fields and is read together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Protocol, cast

from visionset.errors import RuleError, VisionsetError
from visionset.games.base import EVERYONE, Event
from visionset.games.correction import Correct, piece_code, pieces_in
from visionset.games.game import History
from visionset.pieces import Piece
from visionset.referee.asking import Asking
from visionset.referee.corrections import Eyes
from visionset.referee.dispute import DOUBT, Disputes, Misread
from visionset.referee.game_referee import GameReferee, by_track, outlined, track_of
from visionset.referee.naming import all_named
from visionset.referee.phrasing import in_plain_words, plain
from visionset.referee.player_input import Answer, CallSet, Dispute, GameIsRight, Next, Said, TableIsRight, Undo
from visionset.referee.terms import (
    Differ,
    Mark,
    Option,
    Play,
    Question,
    Reading,
    RefereeOptions,
    Showing,
    TakeBack,
    Told,
    Tone,
    Unsure,
    Wait,
)
from visionset.referee.zones import Zones
from visionset.table import Settled, Table, Thrown, TurnedOver

_MOST_STEPS = 200
"""Events that one look at the table can make at most: more is a fault, and is told instead of hanging."""


class Log(Protocol):
    """Where events are kept before anybody is told of them."""

    def append(self, event: Event) -> None:
        """Keep an event."""

    def undo(self) -> None:
        """Keep that the last event was taken back."""


class Unkept:
    """A log that keeps nothing."""

    def append(self, event: Event) -> None:
        """Keep nothing."""

    def undo(self) -> None:
        """Keep nothing."""


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
    refused : str
        Why the last thing that was said changed nothing; empty where it was taken.
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
        self.history = history
        self.referee = referee
        self.options = options
        self._log: Log = Unkept() if log is None else log
        self._eyes = Eyes(referee.kinds, correct or (lambda track, piece: None), referee.is_face_up)
        self._table = Table((1, 1))
        self.refused = ""
        self._held, self._covered = True, False
        self._remarks: tuple[str, ...] = ()
        self._now_s = self._since_s = float(history.state.clock_s)
        self._ahead_s: float | None = None
        self._reading: Reading = None
        self._key: tuple[object, ...] = ()
        self._seen: object = None
        self._resting: object = None
        self._asking = Asking(options)
        self._question: Question | None = None
        self._disputes = Disputes(options)
        self._warned: tuple[object, ...] = ()
        self._notice = ""
        self._resumed = bool(history.events)
        self._is_undone = is_undone
        self._is_to_recall = self._resumed or is_undone
        referee.recall(history)

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self.history.state

    @property
    def excluded(self) -> frozenset[Piece]:
        """Pieces that cannot lie on the table: the reader may leave them out."""
        return self.referee.excluded(self.state)

    def rearrange(self, zones: Zones) -> None:
        """Take zones that somebody dragged; the next look at the table goes by them."""
        self.referee.zones = zones
        self._seen = None

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
        self._pass(time_s)
        self._held, self._covered, self._remarks = settled.held, settled.covered, settled.remarks
        if settled.held:
            self.referee.disturbed()
            if isinstance(self._reading, Differ) and not self._is_told_differ():
                self._since_s = self._now_s  # what differs while a hand is there may be right when it has gone
        if settled.changes:
            self.referee.changed(settled.changes)
        seen = tuple((one.track, one.piece) for one in settled.table.sightings)
        if not settled.held and (settled.changes or seen != self._seen):
            self._seen = seen
            turned = frozenset(track_of(one.after) for one in settled.changes if isinstance(one, Thrown | TurnedOver))
            self._eyes.look(settled.table, turned)
            self._asking.forget(turned)
            if self._is_to_recall:
                self._recall()
            return () if self._disputes.is_open else self._read()
        return self._tick()

    def _recall(self) -> None:
        """See the table of a match that goes on for the first time: it is the table as it was, unless it cannot be."""
        self._is_to_recall = False
        self._look()
        for track, piece in self.referee.resumed(self.history, self._table).items() if self.history.events else ():
            self._eyes.settle(track, piece)
        self._look()
        if self._is_undone and not isinstance(self.referee.read(self.state, self._table, self._now_s), Wait | None):
            self._rest()

    def _pass(self, time_s: float) -> None:
        """Let the match's time go on with the stream's: each stream begins anew, and a match goes on from its last event."""
        if self._ahead_s is None:
            self._ahead_s = self._now_s - time_s
        self._now_s = max(self._now_s, time_s + self._ahead_s)

    def hear(self, said: Said, time_s: float) -> tuple[Event, ...]:
        """Listen to what somebody says; what makes no sense now is answered by `Showing.notice` and changes nothing."""
        self._pass(time_s)
        self.refused = ""
        try:
            return self._heard(said)
        except RuleError as error:
            back = "; something was taken back: lay the table as it was, or say next to go on with it as it lies"
            self._notice = self.refused = plain(error) + (back if self._resting is not None else "")
            return ()

    def _heard(self, said: Said) -> tuple[Event, ...]:
        match said:
            case Answer():
                return self._answered(said.number)
            case TableIsRight() | GameIsRight():
                if not isinstance(self._reading, Differ):
                    raise RuleError("there is no difference to settle: table and game agree, play on")
                return self._settled(self._reading, isinstance(said, TableIsRight))
            case Next():
                return self._next()
            case Undo():
                return self._dispute_answered(0) if self._disputes.is_open else self._undone()
            case Dispute():
                if self.referee.is_midway(self.state):
                    raise RuleError("a call is open: take the cards first, then dispute what was judged")
                self._disputes.open(self.history, self._now_s)
                self._ask()
                return ()
        if self._disputes.is_open:
            raise RuleError("a dispute is open: answer it, or close it with 0")
        reading = self._reading
        if isinstance(reading, Differ) and not (isinstance(said, CallSet) and reading.a_call_settles):
            raise RuleError("settle the difference first: say which is right, the table or the game")
        return self._all(self.referee.hear(self.state, said, self._table, self._now_s))

    def _all(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Apply events, the ones before stay where a later one is refused; then look at the table again."""
        self._notice = ""
        done = [self._apply(event) for event in events]
        return (*done, *self._read())

    def _apply(self, event: Event) -> Event:
        """Keep an event that happens now, with its time: from the last one a match goes on when it is resumed."""
        return self._keep(event if event.at_s is not None else replace(event, at_s=max(self._now_s, self.state.clock_s)))

    def _keep(self, event: Event) -> Event:
        before = self.state
        after = self.history.then(event)  # refused before it is logged
        try:
            self._log.append(event)
        except VisionsetError:
            self._seen = None  # nothing happened: the next look at the table finds the same event again
            raise
        self.history = after
        self._disputes.went_on(after)
        self._notice = in_plain_words(after.state.notice)
        self._resumed = False
        if isinstance(event, Correct):
            self.referee.corrected(after.state, self._table)
        else:
            self.referee.went_on(before, event, after.state, self._table)
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
        self.referee.forget()
        self.referee.recall(self.history)

    def _undone(self) -> tuple[Event, ...]:
        """Take the last event back; nothing is derived from this table again before it changes or somebody says "next"."""
        if self.referee.unsay():
            self._notice = "taken back: the question is asked again"
            return self._read()
        if not self.history.events:
            raise RuleError("there is nothing to take back yet: play on")
        self._take_back(1)
        while self.referee.is_midway(self.state):
            self._take_back(1)
        self._notice = "taken back: lay the table as it was, or say next"
        self._rest()
        return ()

    def _rest(self) -> None:
        """Let an event that was taken back rest, though the table shows it."""
        self._resting, self._question = self._seen, None
        self._set(Wait("the last event is taken back: lay the table as it was, or say next"))

    def _read(self) -> tuple[Event, ...]:
        """Compare table and game until there is nothing more to tell."""
        done: list[Event] = []
        if self._resting is not None and self._resting == self._seen:
            return ()
        self._resting = None
        for _ in range(_MOST_STEPS):
            self._look()
            if self.state.is_over:
                self._set(None)
                break
            reading = self.referee.read(self.state, self._table, self._now_s)
            if isinstance(reading, Differ) and self._eyes.forget_ghosts(reading.extra):
                continue
            if isinstance(reading, Play) and (asked := self._in_doubt(reading.event)) is not None:
                reading = asked
            if isinstance(reading, Play):
                try:
                    done.append(self._apply(reading.event))
                    continue
                except RuleError as error:
                    reading = Differ(plain(error))
            if isinstance(reading, TakeBack):
                try:
                    self._without(reading.count, reading.instead)
                    self._take_back(reading.count)
                    done += [self._keep(event) for event in reading.instead]
                    continue
                except RuleError as error:
                    reading = Differ(plain(error))
            self._set(reading)
            break
        self._ask()
        return (*done, *self._tick())

    def _look(self) -> None:
        """Take the table as people and game know it."""
        self._table = self._eyes.table(self.excluded)
        self._disputes.look(self._table)

    def _in_doubt(self, event: Event) -> Question | None:
        """Ask about a piece by which something would be judged wrong, where its reading is not beyond doubt."""
        return self._disputes.doubt(self.history, event) if self.referee.refuses(self.state, event) else None

    def _dispute_answered(self, number: int) -> tuple[Event, ...]:
        """Take the answer to a dispute's question; 0 closes it."""
        if number == 0:
            self._disputes.close()
            self._question, self._notice = None, "the dispute is closed: nothing changed"
            return self._read()
        misread = self._disputes.answered(self.history, number, self._now_s)
        if misread is not None:
            return self._corrected(misread)
        self._ask()
        return ()

    def _corrected(self, misread: Misread) -> tuple[Event, ...]:
        """People say what a piece was: what it was read as is mended where it counted, and the camera is told."""
        exhibit, after = misread.exhibit, self.history.then(misread.correct)
        had, has = (pieces_in(history.state.to_json()).count(piece_code(exhibit.piece)) for history in (self.history, after))
        if has < had:
            self._eyes.misread(exhibit.piece, misread.truth)
            if exhibit.track is not None and exhibit.track in by_track(self._table):
                self._eyes.settle(exhibit.track, misread.truth)
            self._look()
        return self._all((misread.correct,))

    def _set(self, reading: Reading) -> None:
        key = _key(reading)
        fewer = isinstance(reading, Unsure) and isinstance(self._reading, Unsure) and set(reading.tracks) < set(self._reading.tracks)
        if fewer:
            self._key, self._warned = key, ()
        elif key != self._key:
            self._key, self._since_s, self._warned = key, self._now_s, ()
        self._reading = reading

    def _tick(self) -> tuple[Event, ...]:
        """Let time pass: limits of the rules, questions that are due, a difference that nobody settles."""
        if self._disputes.is_open:
            return self._dispute_answered(0) if self._disputes.is_forgotten(self._now_s) else ()
        reading = self._reading
        is_long = self._now_s - self._since_s >= self.options.settle_differ_s and self._resting is None
        if isinstance(reading, Wait) and reading.until_s is not None:
            patience_s = self.options.hand_s if self._held or self._covered else 0.0
            if reading.is_hands_off and self._held:
                patience_s = math.inf
            if reading.then and self._now_s >= reading.until_s + patience_s:
                return self._gone_on(reading)
        elif isinstance(reading, Wait) and isinstance(reading.then, Differ) and is_long:
            return self._settled(reading.then, False)
        elif isinstance(reading, Differ) and is_long and not reading.game_right:
            return self._settled(reading, False)
        elif isinstance(reading, Question | Unsure) and is_long and not (isinstance(reading, Question) and reading.none):
            return self._unanswered(reading)
        if not self._held:
            self._ask()
        return ()

    def _next(self) -> tuple[Event, ...]:
        """Go on: what the waiting ends with, the game's side of a difference, the likeliest answer, or the question put aside.

        What changes the game is told first, and done when it is said once more.
        """
        reading = self._reading
        if self._disputes.is_open:
            return self._dispute_answered(0)
        if self._resting is not None:
            self._resting = None
            return self._read()
        if isinstance(reading, Question | Unsure):
            return self._unanswered(reading) if self._is_warned(reading) else ()
        if self._question is not None:
            return self._answered(0)
        if isinstance(reading, Differ):
            return self._settled(reading, False) if self._is_told_differ() else self._differ(reading)
        if not isinstance(reading, Wait):
            raise RuleError("nothing is waited for now: play on")
        return self._gone_on(reading)

    def _gone_on(self, wait: Wait) -> tuple[Event, ...]:
        if isinstance(wait.then, Differ):
            return self._differ(wait.then)
        if not wait.then:
            raise RuleError(f"first: {wait.text}")
        return self._all(wait.then)

    def _is_warned(self, reading: Question | Unsure) -> bool:
        """Tell what happens without an answer; True where that was told already."""
        key, before = _key(reading), self._warned
        self._warned = key
        if key == before:
            return True
        self._since_s = min(self._since_s, self._now_s - self.options.ask_s)
        self._ask()
        question = self._question
        likely = "" if question is None else f" ({question.none or question.options[0].text})"
        self._notice = f"the question comes first: answer it, or say next once more to take what is likeliest{likely}"
        return False

    def _unanswered(self, reading: Question | Unsure) -> tuple[Event, ...]:
        """Nobody answers: take the first answer, the likeliest reading, or look past what cannot be read at all."""
        self._warned = ()
        if isinstance(reading, Question):
            notice = f"nobody answered: {reading.none or reading.options[0].text}; take it back with undo if that is wrong"
            done = self._decide(reading, 0 if reading.none else 1)
            self._notice = notice
            return done
        named_now = []
        for one in (one for one in self._table.sightings if one.track in reading.tracks):
            likely = self.referee.candidates(self.state, self._table, one)
            if likely:
                self._eyes.settle(track_of(one), likely[0])
                named_now.append(likely[0])
            else:
                self._eyes.pass_over((track_of(one),))
        self._notice = f"nobody answered: taken as {all_named(named_now)}" if named_now else "nobody answered: a piece is passed over"
        return self._read()

    def _decide(self, question: Question, number: int) -> tuple[Event, ...]:
        """Take the answer to a question of the referee, or to one about a piece that is judged."""
        if question.key[0] == DOUBT:
            misread = self._disputes.doubt_answered(self.history, question, number)
            return self._read() if misread is None else self._corrected(misread)
        option = question.options[number - 1] if number else Option(question.none, None)
        if question.is_of_piece:
            self._eyes.settle(question.tracks[0], cast(Piece, option.value))
        else:
            self.referee.answered(question, option)
        return self._read()

    def _differ(self, differ: Differ) -> tuple[Event, ...]:
        self._set(differ)
        self._since_s = self._now_s - self.options.differ_s
        return ()

    def _settled(self, differ: Differ, table_is_right: bool) -> tuple[Event, ...]:
        if table_is_right:
            if not differ.table_right:
                raise RuleError("the rules know no such table: put it right, or say that the game is right")
            return self._all(differ.table_right)
        self._eyes.overrule(differ)
        if differ.game_right:
            return self._all(differ.game_right)
        self._notice = "the game is right"
        if not (differ.extra or differ.swapped or differ.missing):  # nothing to look past: the table counts again when it changes
            self._resting, self._question = self._seen, None
            self._set(None)
            return ()
        return self._read()

    def _ask(self) -> None:
        """Choose the one question that is asked now."""
        if self._disputes.is_open:
            self._question = self._disputes.question
            return
        reading = self._reading
        self._question = None
        if self._is_told_differ() or self._held or self._resting is not None:
            return
        if isinstance(reading, Question):
            self._question = reading
            return
        wanted = reading.tracks if isinstance(reading, Unsure) else self.referee.unsure(self.state, self._table)
        if isinstance(reading, Differ) or self._now_s - self._since_s < self.options.ask_s:
            return
        self._question = self._asking.question(
            wanted, self._table, self._now_s, self.excluded, lambda one: self.referee.candidates(self.state, self._table, one)
        )

    def _answered(self, number: int) -> tuple[Event, ...]:
        question = self._question
        if question is None:
            raise RuleError("no question is asked now: play on")
        if not 0 <= number <= len(question.options):
            raise RuleError(f"answer with 1 to {len(question.options)}, or with 0 for none of them")
        if self._disputes.is_open:
            return self._dispute_answered(number)
        if question is self._reading:
            if number == 0 and question.is_of_piece:
                return self._spelled(question)
            if number == 0 and not question.none:
                raise RuleError(f"one of the answers, please: {question}")
            return self._decide(question, number)
        settled = self._asking.answer(question, number, self._now_s)
        if settled is None:
            self._ask()
            return ()
        self._eyes.settle(*settled)
        return self._read()

    def _spelled(self, question: Question) -> tuple[Event, ...]:
        """A piece is none of what the referee asked about: it is unread, and asked about trait by trait."""
        for one in (one for one in self._table.sightings if one.track in question.tracks):
            self._asking.spell(one, self.excluded)
        self._set(Unsure(question.tracks))
        self._since_s -= self.options.ask_s
        self._ask()
        return ()

    def _is_told_differ(self) -> bool:
        return isinstance(self._reading, Differ) and self._now_s - self._since_s >= self.options.differ_s

    @property
    def showing(self) -> Showing:
        """What is drawn now."""
        state, reading = self.state, self._reading
        told, differ = list(self.referee.told(state, self._now_s)), ""
        waited_s = self._now_s - self._since_s
        if self._resumed:
            told = [Told(EVERYONE, "the match goes on: lay the table as it was, or say what changed when it is asked")]
        if isinstance(reading, Wait):
            patience = f" (or say next: {waited_s:.0f} s)" if waited_s >= self.options.remind_s and reading.until_s is None else ""
            told = [Told(reading.to, reading.text + patience), *self._beside(reading, told)]
        elif isinstance(reading, Unsure):
            told = [Told(EVERYONE, "a piece cannot be read: move it a little, or wait for the question"), *told]
        elif isinstance(reading, Differ) and self._is_told_differ():
            differ = reading.text
        down = self._eyes.face_down
        if down:
            be, them = ("lies", "it") if len(down) == 1 else ("lie", "them")
            told.insert(0, Told(EVERYONE, f"{all_named(one.piece for one in down)} {be} face down: turn {them} up"))
        return Showing(
            tuple(told),
            self._notice,
            self._question,
            differ,
            tuple(self._marks()),
            self.referee.status(state, self._now_s),
            self.referee.sheet(state),
            self._remarks,
            self._disputes.exhibits(self._question),
        )

    def _beside(self, wait: Wait, told: list[Told]) -> list[Told]:
        """What is told beside what is waited for: of the rules' own prompts none to the same people, nor to all that one holds up."""
        prompted = {in_plain_words(prompt.text) for prompt in self.state.prompts}
        others = {one.to for one in told} - {wait.to, EVERYONE} if wait.to != EVERYONE else set()
        return [one for one in told if one.text != wait.text and (one.text not in prompted or one.to in others)]

    def _marks(self) -> Iterator[Mark]:
        reading = self._reading
        yield from self.referee.marks(self.state, self._table)
        if isinstance(reading, Wait):
            yield from outlined(self._table, reading.tracks, Tone.TODO)
            yield from (Mark(place, Tone.TODO) for place in reading.places_px)
        if isinstance(reading, Differ) and self._is_told_differ():
            yield from outlined(self._table, (*reading.extra, *(track for track, _ in reading.swapped)), Tone.WRONG)
            yield from (Mark(one.outline_px, Tone.WRONG) for one in reading.missing)
        if self._question is not None:
            yield from outlined(self._table, self._question.tracks, Tone.ASKED, "?")


def _key(reading: Reading) -> tuple[object, ...]:
    """What makes a reading the same as the one before, for how long it has lasted."""
    match reading:
        case Wait():
            return "wait", reading.to, reading.text, reading.until_s
        case Unsure():
            return ("unsure", *reading.tracks)
        case Question():
            return ("question", *reading.key)
        case Differ():
            return ("differ", reading.text)
    return ("none",)
