"""The game tracker: keeps the state of one game in step with its table, event by event, and each event in the log first.

Table and state are compared as a whole after each change, until both agree or somebody has to do, say or decide
something. Longer than most modules: whatever happens, state and table are to agree after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias, cast

from visionset.errors import OutputError, RuleError, VisionsetError
from visionset.games.base import Event
from visionset.games.correction import Correct, piece_code, read_off
from visionset.games.game import History, undone_words
from visionset.games.telling import reason_or_event
from visionset.kinds import KIND_SPECS
from visionset.messages import Message, Words
from visionset.pieces import Piece
from visionset.referee.dispute import Hearing, Misread, cleared, doubt
from visionset.referee.evidence import Evidence
from visionset.referee.eyes import Eyes, SaidOfPieces, is_fewer
from visionset.referee.game_referee import GameReferee, RefereeOptions
from visionset.referee.match_clock import MatchClock
from visionset.referee.naming import which_face
from visionset.referee.news import Happened, News, TakenBack
from visionset.referee.pending import Pending
from visionset.referee.phrasing import briefly
from visionset.referee.player_input import Said
from visionset.referee.rulings import Differ, Lying, Option, Play, Question, Ruling, TakeBack, Unsure, Wait, id_of
from visionset.referee.sightings import are_pushed, has_moved, track_of, view_moved
from visionset.table import Moved, Settled, Table, Thrown, TurnedOver

_MOST_STEPS = 200
"""Events that one look at the table can make at most: more is a fault, and is told instead of hanging."""


_WORDS_APART_S = 0.001
"""What people say at one moment is kept so far apart: in a match that goes on its time alone tells which events one word made."""

_Seen: TypeAlias = tuple[tuple[int | None, Piece | None], ...]
"""Tracks of a settled table with what they are read as."""


def _is_as_before(before: _Seen, now: _Seen) -> bool:
    """Whether the same pieces lie there: one that loses its name for a moment, or gets one, is no other piece."""
    was, is_ = dict(before), dict(now)
    return was.keys() == is_.keys() and all(None in (was[track], is_[track]) or was[track] == is_[track] for track in was)


def _is_calm(ruling: Ruling) -> bool:
    """Whether nothing happens by this ruling unless people do something."""
    return ruling is None or (isinstance(ruling, Wait) and (ruling.until_s is None or not ruling.then or isinstance(ruling.then, Differ)))


class Log:
    """Where events are kept before anybody is told of them; this one keeps nothing."""

    def append(self, event: Event) -> None:
        """Keep an event."""

    def undo(self) -> None:
        """Keep that the last event was taken back."""


class _Word(NamedTuple):
    """What people said last of pieces or of a difference: Undo takes it back with all that came of it at once."""

    begun: int = 0
    ended: int = 0
    """How many events there were before and after."""
    before: SaidOfPieces | None = None
    """What had been said of pieces before; None where this word tells nothing of them."""


def _of_one_moment(history: History) -> _Word:
    """What happened at the time of the last event, which in a match that goes on stands for one word: nobody knows more of it."""
    events = history.events
    at_s, begun = events[-1].at_s if events else None, len(events)
    while at_s is not None and begun and events[begun - 1].at_s == at_s and not events[begun - 1].stays:
        begun -= 1
    return _Word(begun, len(events))


class GameTracker:
    """Tracks one match; the parameters are those of `Director`, and so is `news`, which nobody has taken away yet.

    `owed` are events that people have told and the log could not keep, such as of a file that another program holds. `early` are words
    with their times that wait for what was laid before them to be told. `is_asked_after_undo` holds while the table lies as it lay when
    people took something back that is asked once more: nothing comes of that without them.
    """

    def __init__(
        self,
        history: History,
        referee: GameReferee,
        log: Log | None,
        correct: Callable[[int, Piece | None], None] | None,
        options: RefereeOptions,
        is_undone: bool,
        is_again: bool = False,
    ) -> None:
        self.history = history
        self.referee = referee
        self._log = Log() if log is None else log
        self.eyes = Eyes(referee.kinds, correct or (lambda track, piece: None), referee.is_face_up)
        self.table = Table((1, 1))
        self.evidence = Evidence()
        self.dispute: Hearing | None = None
        self._doubted = Event()
        self._sure_wrong, self._sure_roll = options.sure_wrong, options.sure_roll
        self.clock = MatchClock(float(history.state.clock_s), referee.options.frame_s)
        self.pending = Pending(options, self.clock)
        self.notice: Words = ""
        self.eyes.remember(history)
        self._word = _of_one_moment(history)
        self._refused: tuple[Words, tuple[object, ...], float] = "", (), 0.0
        self.news: list[News] = []
        self.owed: tuple[Event, ...] = ()
        self.early: list[tuple[Said, float]] = []
        self._seen: _Seen | None = None
        self._looked_at = self._last = Table((1, 1))
        self._looks_anew = False
        self.is_asked_after_undo = False
        self._resting: _Seen | None = None
        self._settled = 0
        self.is_resumed = bool(history.events)
        self._is_undone = is_undone
        self._is_again = is_again
        self._is_to_recall = self.is_resumed or is_undone or is_again
        referee.recall(history)

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self.history.state

    @property
    def now_s(self) -> float:
        """Time of the match."""
        return self.clock.now_s

    @property
    def is_resting(self) -> bool:
        """Whether nothing is derived from this table before it changes or somebody says "next"."""
        return self._resting is not None

    def look(self, settled: Settled) -> frozenset[int] | None:
        """Take a settled table; None where it is the one of before, else the tracks of pieces that show another side now.

        A piece that was pushed by a little is no change of the tracker's, but may be in line with others now.
        """
        if settled.passing:  # without tracks
            return None
        self._looks_anew |= are_pushed(self._last, settled.table)
        self._last = settled.table
        seen = tuple((one.track, one.piece) for one in settled.table.sightings)
        if settled.held or not (settled.changes or seen != self._seen or self._looks_anew):
            return None
        self._seen, self._looks_anew = seen, False
        self.is_asked_after_undo &= not settled.changes
        view = view_moved(self._looked_at, settled.table, settled.changes)
        self._looked_at = settled.table
        if view is not None:
            self.eyes.follow_view(view)
            self.referee.follow_view(view)
        if self._resting is not None and any(
            isinstance(one, Thrown) or (isinstance(one, Moved) and has_moved(one.before.outline_px, one.after)) for one in settled.changes
        ):
            self._resting = ()  # somebody goes on
        turned = frozenset(track_of(one.after) for one in settled.changes if isinstance(one, Thrown | TurnedOver))
        self.evidence.thrown(frozenset(track_of(one.after) for one in settled.changes if isinstance(one, Thrown)))
        self.eyes.look(settled.table, turned)
        for one in settled.changes:
            if isinstance(one, Moved) and self.referee.counts_elsewhere(one, settled.table):
                self.eyes.count_moved(track_of(one.after))
        if self._is_to_recall:
            self._recall()
        return turned

    def refuse(self, notice: Words) -> None:
        """Say why something cannot be done, as long as what is waited for stays the same."""
        self.notice, self._refused = notice, (notice, self.pending.key, self.now_s)

    def forget_refusal(self) -> None:
        """Say no longer why something cannot be done, once it was read and what stood in the way is gone."""
        notice, key, since_s = self._refused
        if notice and self.notice is notice and key != self.pending.key and self.now_s - since_s >= self.referee.options.read_s:
            self.notice = ""

    def look_anew(self) -> None:
        """Take the next settled table for another one, whatever it shows."""
        self._looks_anew = True

    def _recall(self) -> None:
        """See the table of a match that goes on for the first time: it is the table as it was, unless it cannot be."""
        self._is_to_recall = False
        self._take_table(is_as_before=True)
        if self._is_again:
            self.referee.lies_from_before(self.table)
        is_disputed = bool(self.history.events) and isinstance(self.history.events[-1], Correct)
        won = self.referee.excluded(self.state) if is_disputed else ()
        self.eyes.recognize(self.referee.lying(self.state), won, self._sure_roll)
        self._take_table()
        for track, piece in self.referee.resumed(self.history, self.table).items() if self.history.events else ():
            self.eyes.settle(track, piece)
        self._take_table()
        if self._is_undone:  # what is gone need not have gone by the last event that stands
            self.referee.ask_again()
            self.referee.recall(self.history)
        if self._is_undone and not _is_calm(self.referee.read(self.state, self.table, self.now_s)):
            self._rest()

    def _take_table(self, *, is_as_before: bool = False) -> None:
        """Take the table as people and game know it; where it `is_as_before` a card that was misread may not have left yet."""
        away = self.referee.out_of_reach(self.state)
        if is_as_before:
            lying = self.referee.lying(self.state)
            away -= {truth for read, truth in self.eyes.misreadings.items() if read not in lying}
        self.table = self.referee.in_play(self.eyes.table(away | self.referee.excluded(self.state)))
        self.evidence.look(self.eyes.as_looked(self.table))

    def read(self) -> tuple[Event, ...]:
        """Compare table and game until there is nothing more to tell."""
        done: list[Event] = []
        if self._resting is not None:
            if self._seen is not None and _is_as_before(self._resting, self._seen):
                return ()
            self._resting, self.notice = None, ""  # what was said of the table as it lay is no longer so
        for _ in range(_MOST_STEPS):
            unclear = self.eyes.unclear(self.referee.lying(self.state))
            self._take_table()
            if self.state.is_over:
                self.pending.become(None)
                break
            if unclear is not None:
                self.pending.become(which_face(self.table, *unclear))
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
                    count, again = self._without(ruling.count, ruling.instead)
                    self._take_back(count, is_mended=False)
                    done += [self._keep(event) for event in again]
                    self.eyes.mended_before(len(self.history.events))
                    continue
                except RuleError as error:
                    ruling = Differ(briefly(error))
            self.pending.become(ruling)
            self.is_resumed = self.is_resumed and not (isinstance(ruling, Wait | None) and self._is_as_it_was())
            break
        return tuple(done)

    def _is_as_it_was(self) -> bool:
        """Whether all lies there that the game has on the table."""
        lying = self.referee.lying(self.state)
        return bool(lying) and Counter(lying) <= Counter(one.piece for one in self.table.sightings)

    def _in_doubt(self, event: Event) -> Question | None:
        """Ask about a piece by which something would be judged wrong, where its reading is not beyond doubt."""
        if not self.referee.refuses(self.state, event):
            return None
        self._doubted = event
        exhibits = self.evidence.of(self.state.judged(event), have_left=self.referee.judges_what_left)
        return doubt(self.history, exhibits, self.evidence.beyond_doubt, self._sure_wrong)

    def disputable(self) -> list[Lying]:
        """Pieces that can be disputed beside those by which was judged, also such as are gone and nobody has been given, as they looked."""
        found = self.referee.disputable(self.history, self.table)
        looked = [self.evidence.of([one.exhibit.piece])[0] if one.exhibit.track is None else one.exhibit for one in found]
        return [replace(one, exhibit=exhibit) for one, exhibit in zip(found, looked, strict=True)]

    def settle_doubt(self, question: Question, number: int) -> tuple[Event, ...]:
        """Take what people say of a piece that is in doubt."""
        truth = cast(Piece, question.options[number - 1].value)
        misread = cleared(self.history, self._doubted, question, truth)
        self.evidence.beyond_doubt |= {truth}
        return self.read() if misread is None else self.mend(misread)

    def play(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Apply events, the ones before stay where a later one is refused; then look at the table again.

        What cannot be kept now is `owed`, and comes before what is applied next; who is refused then is told so, and the rest counts.
        """
        self.notice = ""
        is_midway = self.referee.is_midway(self.state)  # nobody takes back half of that, and a millisecond may make a caller late
        last_s = max([self.state.clock_s, *(one.at_s or 0.0 for one in self.owed)])
        if events and (self.history.events or self.owed) and not is_midway and (events[0].at_s or self.now_s) <= last_s:
            events = (replace(events[0], at_s=last_s + _WORDS_APART_S), *events[1:])
        done, owed, (waiting, self.owed) = list[Event](), len(self.owed), ((*self.owed, *events), ())
        for number, event in enumerate(waiting):
            try:
                done.append(self._apply(event))
            except OutputError:
                said_s = event.at_s if event.at_s is not None else max(self.now_s, self.state.clock_s)
                self.owed = (replace(event, at_s=said_s), *waiting[number + 1 :])
                raise
            except RuleError as error:
                if number >= owed:
                    raise
                self.refuse(briefly(error))
        return (*done, *self.read())

    def _apply(self, event: Event) -> Event:
        """Keep an event that happens now, with its time: from the last one a match goes on when it is resumed."""
        happened_s = min([self.now_s, *(said_s for _, said_s in self.early)])  # a call that waits came after what is told now
        return self._keep(event if event.at_s is not None else replace(event, at_s=max(happened_s, self.state.clock_s)))

    def _keep(self, event: Event) -> Event:
        before, lay = self.state, self.referee.lying(self.state)
        after = self.history.then(event)  # refused before it is logged
        try:
            self._log.append(event)
        except VisionsetError:
            self._seen = None  # nothing happened: the next look at the table finds the same event again
            raise
        if self._tells_of(event):
            self._word = self._word._replace(ended=len(after.events))
        self.history = after
        self.news.append(Happened(event, after.state, self.clock.stream_s))
        self.notice = after.state.notice
        self.is_resumed = self.is_asked_after_undo = False
        self.eyes.keep_misread(after)
        if isinstance(event, Correct):
            self.referee.corrected(after.state, self.table)
        else:
            mine = self.referee.tracks_judged(before, event, self.table)
            judged, have_left = before.judged(after.standing[-1]), self.referee.judges_what_left
            self.evidence.keep(len(after.standing) - 1, judged, mine, have_left=have_left)
            self.referee.went_on(before, event, after.state, self.table)
        self.eyes.take_away(set(lay) - set(self.referee.lying(after.state)))
        if self.referee.counts_again(event):
            self.eyes.count_again()
        return event

    def _without(self, count: int, instead: tuple[Event, ...]) -> tuple[int, tuple[Event, ...]]:
        """Try other events in place of the last ones; raises RuleError where one is refused.

        What people have corrected meanwhile stays corrected, but for what is taken back: what comes in its place is told as people see it.
        Given back are how many events to take back, and what is told again.
        """
        history, corrections, before = self.history, tuple[Correct, ...](), len(self.history.events)
        while count:
            last = history.events[-1]
            history = history.undone()
            corrections = (last, *corrections) if isinstance(last, Correct) else corrections
            count -= not isinstance(last, Correct)
        kept = (correct for correct in corrections if correct.number < len(history.standing))
        taken, again = before - len(history.events), (*instead, *kept)
        for event in again:
            history = history.then(event)
        return taken, again

    def _take_back(self, count: int, *, is_mended: bool = True) -> None:
        """Take events back, and with them what was said of misread pieces, unless people have mended that and it is told again."""
        are_told = all(isinstance(event, Correct) for event in self.history.events[-count:])
        for _ in range(count):
            earlier = self.history.undone()
            self._log.undo()
            self.history = earlier
            self.eyes.bring_back(self.referee.lying(earlier.state))
            self.news.append(TakenBack(earlier.state, self.clock.stream_s))
        if is_mended:
            self.eyes.unmend(len(self.history.events), self.table, self.referee.lying(self.state))
        if len(self.history.events) < self._word.ended:  # others may come in place of those that came of it
            self._word = _Word()
        if not are_told:  # else nobody has moved a piece
            self.referee.forget()
        self.referee.recall(self.history)

    def disown(self) -> None:
        """Forget what people told last of what the log could not keep."""
        *owed, last = self.owed
        self.owed, self.notice = tuple(owed), Message("game.notice.undone", what=(reason_or_event(last, self.state),))
        if isinstance(last, Correct):
            self.notice = Message("referee.notice.dispute_closed")
            self.eyes.unmend_last(self.table, self.referee.lying(self.state))
            self.look_anew()
        self.referee.recall(self.history)

    def undo(self) -> tuple[Event, ...]:
        """Take the last step back; nothing is derived from this table again before it changes or somebody says "next"."""
        word = self._word
        if word.before is not None and word.begun >= word.ended == len(self.history.events):
            is_taken_back = self.is_resting and isinstance(self.pending.ruling, Wait)
            self._word, self._resting = _Word(), None
            self.eyes.unsay(word.before)
            self.notice = Message("referee.notice.asked_again")
            self._take_table()
            if is_taken_back and not isinstance(self.referee.read(self.state, self.table, self.now_s), Unsure | Question | Differ):
                self._rest()  # what was taken back before rests still
                return ()
            self.look_anew()  # the camera may read what people said
            return self.read()
        if unsaid := self.referee.unsay():
            self.notice = unsaid
            return self.read()
        if self.history.events and self.history.events[-1].stays and self.referee.put_away():
            self.notice = Message("referee.notice.put_away")
            return self.read()
        if all(event.stays for event in self.history.events):
            raise RuleError(Message("referee.refused.nothing_done"))
        staying = list[Event]()
        while self.history.events[-1].stays:
            staying.insert(0, self.history.events[-1])
            self._take_back(1)
        before, is_word = self.history, word.ended == len(self.history.events)
        self._take_back(max(1, word.ended - word.begun) if is_word else 1)
        self.referee.ask_again()
        if is_word and word.before is not None:
            self.eyes.unsay(word.before)
        while self.referee.is_midway(self.state):
            self._take_back(1)
        undone = undone_words(before, self.history)
        for event in staying:
            with suppress(RuleError):  # where it is not even possible any more, it is taken back too
                self._keep(event)
        self._resting = None
        self._take_table()
        are_told = all(isinstance(event, Correct) for event in before.events[len(self.history.events) :])
        if are_told:
            self.referee.corrected(self.state, self.table)
        ruling = self.referee.read(self.state, self.table, self.now_s)
        is_asked = (are_told or (is_word and word.before is not None)) and isinstance(ruling, Unsure | Question | Differ)
        if _is_calm(ruling) or is_asked:  # a click was taken back, the table lies as it was already, or people are asked once more
            self.notice = undone
            self.pending.become(ruling)
            self.is_asked_after_undo = is_asked
            if is_asked:
                self.look_anew()
            if is_asked and not are_told:
                self.referee.rests(self.table)
        else:
            self.notice = Message("referee.notice.taken_back", undone=undone)
            self._rest()
        return ()

    def _rest(self) -> None:
        """Let an event that was taken back rest, though the table shows it."""
        self._resting = self._seen
        self.referee.rests(self.table)
        self.pending.become(Wait(Message("referee.wait.taken_back")))

    def go_on(self) -> tuple[Event, ...]:
        """Read a table again on which something rests."""
        self._resting, self.notice = None, ""
        return self.read()

    def name(self, track: int, piece: Piece) -> tuple[Event, ...]:
        """Take what people say that a piece is."""
        begun, said = len(self.history.events), self.eyes.said
        self.eyes.settle(track, piece)
        return self._as_word(begun, said, self.read())

    def answer(self, question: Question, option: Option) -> tuple[Event, ...]:
        """Let the referee learn an answer; where something comes of it, Undo takes that back and it is asked again."""
        begun = len(self.history.events)
        self.referee.answered(question, option)
        done = self.read()
        if len(self.history.events) > begun:
            return self._as_word(begun, self.eyes.said, done)
        self.forget_word()
        return done

    def _as_word(self, begun: int, before: SaidOfPieces | None, done: tuple[Event, ...]) -> tuple[Event, ...]:
        """What came of one word, kept for Undo."""
        self._word = _Word(begun, len(self.history.events), before)
        return done

    def play_as_word(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Play events that one word brings about: one Undo takes them back."""
        return self._as_word(len(self.history.events), None, self.play(events))

    def _tells_of(self, event: Event) -> bool:
        """Whether an event that comes later reads what the last word has named, and nothing has come of that so far."""
        begun, ended, before = self._word
        if before is None or not begun == ended == len(self.history.events):
            return False
        named = {piece_code(piece) for track, piece in self.eyes.said.corrected.items() if before.corrected.get(track) != piece}
        return not named.isdisjoint(read_off(event))

    def forget_word(self) -> None:
        """Somebody says something else: what nothing has come of is not what Undo takes back."""
        if self._word.begun == self._word.ended:
            self._word = _Word()

    def take_likeliest(self, tracks: tuple[int, ...]) -> tuple[Event, ...]:
        """Take pieces for what they most likely are, and look past those of which nothing is known."""
        begun, said, named_now = len(self.history.events), self.eyes.said, list[Piece]()
        for one in (one for one in self.table.sightings if one.track in tracks):
            likely = self.referee.candidates(self.state, self.table, one)[:1]
            self.eyes.guess(one, next(iter(likely), None))
            named_now += likely
        self.notice = Message("referee.notice.taken_as", pieces=tuple(named_now)) if named_now else Message("referee.notice.passed_over")
        return self._as_word(begun, said, self.read())

    def mend(self, misread: Misread) -> tuple[Event, ...]:
        """Take what people say that a piece was: what it was read as is mended where it counted, and the camera is told."""
        exhibit, after = misread.exhibit, self.history.then(misread.correct)
        is_none = exhibit.piece not in self.referee.lying(after.state)
        alike = [one for one in self.table.sightings if one.piece == exhibit.piece]
        there = next((one for one in self.table.sightings if one.track == exhibit.track), None)
        if exhibit.track is None and is_none and len(alike) == 1:  # nobody looked on, but it can be no other
            there = alike[0]
        self.eyes.mend(len(self.history.events), exhibit.piece, misread.truth, exhibit.track)
        if self._is_fewer(exhibit.piece, after) or (is_none and there is not None and there.piece == exhibit.piece):
            self.eyes.misread(exhibit.piece, misread.truth)
            if there is not None:
                self.eyes.settle(track_of(there), misread.truth)
            self._take_table()
        return self.play_as_word((misread.correct,))

    def _is_fewer(self, piece: Piece, later: History) -> bool:
        """Whether the match as it is told otherwise has fewer of a piece: cards wherever they are, dice where they lie."""
        if not KIND_SPECS[piece.kind].is_die:
            return is_fewer(piece, self.history, later)
        before, after = (self.referee.lying(history.state).count(piece) for history in (self.history, later))
        return after < before

    @property
    def differ_id(self) -> str | None:
        """Tells the difference that stands from those settled before, which may have had the same words; None where there is none."""
        ruling = self.pending.ruling
        return id_of(self._settled, ruling.message) if isinstance(ruling, Differ) else None

    def settle(self, differ: Differ, table_is_right: bool) -> tuple[Event, ...]:
        """Settle a difference for the table, or for the game."""
        done = self._settle(differ, table_is_right)
        self._settled += 1
        return done

    def _settle(self, differ: Differ, table_is_right: bool) -> tuple[Event, ...]:
        if table_is_right:
            if not differ.table_right:
                raise RuleError(Message("referee.refused.no_such_table"))
            return self.play_as_word(differ.table_right)
        begun, said = len(self.history.events), self.eyes.said
        self.eyes.overrule(differ)
        if differ.game_right:
            return self._as_word(begun, said, self.play(differ.game_right))
        self.notice = Message("referee.notice.game_right")
        if not (differ.extra or differ.swapped or differ.missing):  # nothing to look past: the table counts again when it changes
            self._resting = self._seen
            self.pending.become(None)
            return self._as_word(begun, said, ())
        return self._as_word(begun, said, self.read())
