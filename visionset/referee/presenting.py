"""What people are asked and shown: the one question and what its answer does, who is to do what, differences, outlines, scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

from visionset.errors import RuleError
from visionset.games.base import EVERYONE, Event
from visionset.messages import Message, Words
from visionset.pieces import Piece
from visionset.referee.dispute import DOUBT
from visionset.referee.doubt import Doubt
from visionset.referee.game_referee import by_track, outlined, track_of
from visionset.referee.game_tracker import GameTracker
from visionset.referee.terms import Differ, Mark, Option, Question, RefereeOptions, Showing, Told, Tone, Unsure, Wait
from visionset.table import Sighting, Table


class Asking:
    """Keeps what was answered about each piece until it is known."""

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
        """Ask about the first of the wanted tracks, the most pressing first, that is not put aside; None where there is none.

        No piece can be what is excluded; `candidates` gives the likeliest pieces for a sighting.
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


class Questions:
    """Asks about one match; `question` is what is asked now."""

    def __init__(self, game: GameTracker, options: RefereeOptions) -> None:
        self._game = game
        self._asking = Asking(options)
        self._unsure: tuple[object, object, tuple[int, ...]] = None, None, ()
        self.question: Question | None = None

    def forget(self, tracks: frozenset[int]) -> None:
        """Drop the answers about pieces that show another side now."""
        self._asking.forget(tracks)

    def choose(self, is_held: bool) -> None:
        """Choose what is asked now; nothing while hands are over the table, or while a difference is told."""
        game = self._game
        ruling = game.pending.ruling
        if game.disputes.is_open:
            self.question = game.disputes.question
            return
        self.question = None
        if game.pending.is_told_differ(game.now_s) or is_held or game.is_resting:
            return
        if isinstance(ruling, Question):
            self.question = ruling
            return
        if isinstance(ruling, Differ) or not game.pending.is_due(game.now_s):
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

    def answered(self, number: int) -> tuple[Event, ...]:
        """Take an answer from 1, or 0 for none of them; what happens by it. Raises `RuleError`: it answers nothing that is asked."""
        game, question = self._game, self.question
        if question is None:
            raise RuleError(Message("referee.refused.no_question"))
        if not 0 <= number <= len(question.options):
            raise RuleError(Message("referee.refused.answers", count=len(question.options)))
        if game.disputes.is_open:
            return self._dispute_answered(number)
        if question is game.pending.ruling:
            if number == 0 and question.is_of_piece:
                return self._spelled(question)
            if number == 0 and not question.none:
                raise RuleError(Message("referee.refused.an_answer", question=question.said))
            return self.decide(question, number)
        settled = self._asking.answer(question, number, game.now_s)
        return () if settled is None else game.name(*settled)

    def decide(self, question: Question, number: int) -> tuple[Event, ...]:
        """Take the answer to a question of the referee, or to one about a piece that is judged; what happens by it."""
        game = self._game
        if question.key[0] == DOUBT:
            misread = game.disputes.doubt_answered(game.history, question, number)
            return game.read() if misread is None else game.mend(misread)
        option = question.options[number - 1] if number else Option(question.none, None)
        if question.is_of_piece:
            return game.name(question.tracks[0], cast(Piece, option.value))
        game.referee.answered(question, option)
        return game.read()

    def close_dispute(self) -> tuple[Event, ...]:
        """Leave everything as it was judged; what happens as the game goes on."""
        self._game.disputes.close()
        self._game.notice = Message("referee.notice.dispute_closed")
        return self._game.read()

    def _dispute_answered(self, number: int) -> tuple[Event, ...]:
        game = self._game
        if number == 0:
            return self.close_dispute()
        misread = game.disputes.answered(game.history, number, game.now_s)
        return () if misread is None else game.mend(misread)

    def _spelled(self, question: Question) -> tuple[Event, ...]:
        """A piece is none of what the referee asked about: it is unread, and asked about trait by trait."""
        game = self._game
        for one in (one for one in game.table.sightings if one.track in question.tracks):
            self._asking.spell(one, game.referee.excluded(game.state))
        game.pending.become(Unsure(question.tracks), game.now_s)
        game.pending.ask_now(game.now_s)
        return ()


def present(game: GameTracker, question: Question | None, remarks: tuple[Words, ...]) -> Showing:
    """Tell what is drawn now."""
    ruling = game.pending.ruling
    told = list(game.referee.told(game.state, game.now_s))
    differ: Words = ""
    if game.is_resumed:
        told = [Told(EVERYONE, Message("referee.told.goes_on"))]
    if isinstance(ruling, Wait):
        waited_s = game.pending.reminded_s(game.now_s)
        reminder = ruling.message if waited_s is None else Message("referee.told.reminded", what=ruling.message, seconds=waited_s)
        told = [Told(ruling.to, reminder), *_beside(game, ruling, told)]
    elif isinstance(ruling, Unsure):
        told = [Told(EVERYONE, Message("referee.told.unread")), *told]
    elif isinstance(ruling, Differ) and game.pending.is_told_differ(game.now_s):
        differ = ruling.message
    down = game.eyes.face_down
    if down:
        told.insert(0, Told(EVERYONE, Message("referee.told.face_down", pieces=tuple(one.piece for one in down), count=len(down))))
    return Showing(
        tuple(told),
        game.notice,
        question,
        differ,
        tuple(_marks(game, question)),
        game.referee.status(game.state, game.now_s),
        game.referee.sheet(game.state),
        remarks,
        game.disputes.exhibits(question),
    )


def _beside(game: GameTracker, wait: Wait, told: list[Told]) -> list[Told]:
    """What is told beside what is waited for: of the rules' own prompts none to the same people, nor to all that one holds up."""
    prompted = {prompt.message for prompt in game.state.prompts}
    others = {one.to for one in told} - {wait.to, EVERYONE} if wait.to != EVERYONE else set()
    return [one for one in told if one.message != wait.message and (one.message not in prompted or one.to in others)]


def _marks(game: GameTracker, question: Question | None) -> Iterator[Mark]:
    ruling = game.pending.ruling
    yield from game.referee.marks(game.state, game.table)
    if isinstance(ruling, Wait):
        yield from outlined(game.table, ruling.tracks, Tone.TODO)
        yield from (Mark(place, Tone.TODO) for place in ruling.places_px)
    if isinstance(ruling, Differ) and game.pending.is_told_differ(game.now_s):
        yield from outlined(game.table, (*ruling.extra, *(track for track, _ in ruling.swapped)), Tone.WRONG)
        yield from (Mark(one.outline_px, Tone.WRONG) for one in ruling.missing)
    if question is not None:
        yield from outlined(game.table, question.tracks, Tone.ASKED, "?")
