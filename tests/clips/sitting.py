"""A film before the referee, as ``visionset watch --game`` follows a camera, and how what it derived compares with the truth.

Longer than most modules: what people answer hangs on what the film, the tracker and the referee know at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.clips.film import Film, Misread, taken_for
from tests.clips.keys import SeatKeys, press_seat_key
from tests.clips.moments import Item, Moment
from visionset.games.base import Event
from visionset.games.game import History
from visionset.games.set_cards.rules import Take
from visionset.geometry import Frame
from visionset.messages import at_table
from visionset.pieces import Piece
from visionset.referee.director import Director
from visionset.referee.news import News
from visionset.referee.rulings import Differ, Option, Question, Unsure
from visionset.session import Session, SessionOptions, Snapshot
from visionset.session.refereed import for_game, referee_of
from visionset.table import Settled, Table
from visionset.tracking import TableTracker, dithered
from visionset.tracking.tracks import name_all
from visionset.vision import pipeline

Meaning = tuple[Any, ...]
Meant = Callable[[Any, Event], Meaning | None]
"""What an event of a state means, apart from times and places; None for what no camera sees."""


UNCLEAR = ("cannot be read", "lay more, or take it back", "hands off", "where the camera sees it")
"""Words of the referee after which people wait before they go on."""


@dataclass(slots=True)
class Outcome:
    """How a sitting went."""

    derived: list[Meaning] = field(default_factory=list)
    truth: list[Meaning] = field(default_factory=list)
    scores: tuple[int, ...] = ()
    true_scores: tuple[int, ...] = ()
    wrong_points: int = 0
    right: int = 0
    frames: int = 0
    asked: int = 0
    trouble: list[str] = field(default_factory=list)
    pictures: list[tuple[float, NDArray[np.uint8]]] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Share of events that are right; each that is missing or too many counts against it."""
        return self.right / max(1, len(self.derived), len(self.truth))

    def __str__(self) -> str:
        told = f"{self.right} of {len(self.truth)} events right, {len(self.derived)} derived, scores {self.scores}"
        return f"{told} (truth {self.true_scores}), {self.wrong_points} wrong points, {self.asked} questions, {self.frames} frames"


class People:
    """The people at the table: they press the keys of the film, and tell a referee who asks or stops the game what lies there."""

    def __init__(self, film: Film, outcome: Outcome) -> None:
        self.film, self.outcome = film, outcome
        self.question: Question | None = None
        self.differ: Differ | None = None
        self.is_misunderstood = False
        self.where: Callable[[int], NDArray[np.float64] | None] = lambda track: None
        self.takers: dict[object, int] = {}
        self.answers: dict[object, int] = {}
        self.heard: list[tuple[object, ...]] = []
        self._pressed = -1
        self._asked: set[tuple[object, ...]] = set()

    def key(self) -> int:
        """The key that somebody presses now; negative for none."""
        moment = self.film.now
        if self._pressed == self.film.frames:
            return -1
        self._pressed = self.film.frames
        if moment.key:
            return ord(moment.key)
        if moment.hand is not None:
            return -1
        if self.differ is not None and not moment.is_midway:
            return self._settle(self.differ)
        return -1 if self.question is None else self._answer(self.question)

    def _answer(self, question: Question) -> int:
        if question.key not in self._asked:
            self._asked.add(question.key)
            self.outcome.asked += 1
            self.heard.append(subject(question))
        if question.key[0] in {"dispute", "doubt"} and self.film.misread:
            return self._number([self._was_misread(option) for option in question.options])
        if question.key[0] in self.answers:
            return ord(str(self.answers[question.key[0]]))
        if question.none:
            taker = self.takers.get(question.key[1])
            return self._number([option.value == taker for option in question.options])
        item = self._asked_about(question)
        truth = None if item is None else item.says or item.piece
        for number, option in enumerate(question.options, 1):
            if truth is not None and fits(option.value, truth):
                return ord(str(number))
        more = next((number for number, option in enumerate(question.options, 1) if option.text == "more"), 0)
        return ord(str(more))

    def _number(self, right: Sequence[bool]) -> int:
        """The key of the first answer that is right; 0 where none is."""
        return ord(str(next((number for number, one in enumerate(right, 1) if one), 0)))

    def _was_misread(self, option: Option) -> bool:
        """Whether an answer is a card that the camera took for another one, or says what it took one for."""
        return any(option.value == card or option.text.startswith(f"{at_table(read)} (") for card, (read, _) in self.film.misread.items())

    def _settle(self, differ: Differ) -> int:
        """The table is right where the camera sees what lies there, and where nothing lies that the camera misses."""
        first = ("differ", differ.text) not in self._asked
        if first:
            self._asked.add(("differ", differ.text))
            self.outcome.asked += 1
            self.heard.append(("differ", differ.text))
        spots = [(self.where(track), True) for track in differ.extra] + [(one.center_px, False) for one in differ.missing]
        right = all(spot is not None and (self._lies_at(spot) is not None) is lies for spot, lies in spots)
        for track, piece in differ.swapped:
            spot = self.where(track)
            item = None if spot is None else self._lies_at(spot)
            right = right and item is not None and item.piece != piece
        return ord("t" if right and first and differ.table_right else "g")

    def _lies_at(self, spot_px: NDArray[np.float64]) -> Item | None:
        """The piece whose outline holds a spot."""
        return next((one for one in self.film.now.lying if holds(self.film.stage.outline_px(one), spot_px)), None)

    def _asked_about(self, question: Question) -> Item | None:
        spot = self.where(question.tracks[0]) if question.tracks else None
        if spot is None or not self.film.now.lying:
            return None
        on_top = [one for one in self.film.now.lying if holds(self.film.stage.outline_px(one), spot)]
        if on_top:
            return on_top[-1]
        return min(self.film.now.lying, key=lambda one: distance(self.film, one, spot))


def fits(value: object, truth: Piece) -> bool:
    """Whether an answer is a piece, or one of its traits."""
    if isinstance(value, tuple) and len(value) == 2:
        return bool(value[1] == (truth if value[0] is None else getattr(truth, value[0], None)))
    return value == truth


def holds(outline_px: NDArray[np.float64], spot_px: NDArray[np.float64]) -> bool:
    """Whether a spot lies within an outline."""
    x, y = spot_px
    return cv2.pointPolygonTest(np.asarray(outline_px, np.float32), (float(x), float(y)), False) >= 0


def distance(film: Film, item: Item, spot_px: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(film.stage.outline_px(item).mean(axis=0) - spot_px))


@dataclass(frozen=True, slots=True)
class Note:
    """How a sitting stood after a frame.

    Attributes
    ----------
    moment : Moment
        What the frame shows.
    settled : Settled
        What the tracker made of it, without what people said of pieces.
    history : History
        The match.
    is_clear : bool
        Nobody is asked, nothing differs, and nothing is understood in part only.
    asks : tuple or None
        What people are asked about, or the difference that they are told.
    is_undone : bool
        The last thing that happened was taken back.
    """

    moment: Moment
    settled: Settled
    history: History
    is_clear: bool
    asks: tuple[object, ...] | None
    is_undone: bool

    def is_settled(self, later: Sequence[Note]) -> bool:
        """Whether the log and the table tell all, and no camera sees later, while nobody does anything, what it overlooked."""
        quiet = takewhile(lambda note: note.moment == self.moment, later)
        is_told = all(note.history is self.history for note in quiet)
        return self.is_clear and self.moment.is_quiet and not self.settled.held and is_told


class Noted(TableTracker):
    """A tracker that remembers what it told."""

    last = Settled(Table((1, 1)), held=True)

    def see(self, frame: Frame) -> Settled:
        self.last = super().see(frame)
        return self.last

    @property
    def as_read(self) -> Settled:
        """What it told last, without what people said of pieces."""
        if not any(track.corrected for track in self.tracks):
            return self.last
        bare = (
            replace(track, corrected=None, sighting=replace(track.sighting, piece=None)) if track.corrected else track
            for track in self.tracks
        )
        read = {track.number: track.sighting for track in name_all(bare, frozenset(), self.options.settle.names)}
        table = self.last.table
        return replace(self.last, table=replace(table, sightings=tuple(read.get(one.track or 0, one) for one in table.sightings)))


def watching(game: str, misread: Misread | None = None) -> Noted:
    """A tracker as ``visionset watch`` wants it for a game."""
    options = for_game(SessionOptions(), game)
    reading = options.reading
    return Noted(dithered(lambda frame: taken_for(pipeline.read(frame.image_bgr, reading), misread or {})), options.tracking)


def sit(film: Film, truth: History, meant: Meant, keep_pictures: int = 0, notes: list[Note] | None = None) -> Outcome:
    """Play a film to the referee of the game of `truth` and compare."""
    outcome = Outcome(true_scores=truth.state.scores, truth=meanings(truth, meant)[0])
    game = truth.game.name
    tracker, game_referee = watching(game, film.misread), referee_of(game)
    director = Director(History.begin(truth.game, truth.options, truth.players), game_referee, correct=tracker.correct)
    people = People(film, outcome)

    def where(track: int) -> NDArray[np.float64] | None:
        found = [one.outline_px for one in tracker.tracks if one.number == track]
        return np.asarray(found[0].mean(axis=0)) if found else None

    def shown(snapshot: Snapshot, news: tuple[News, ...]) -> None:
        showing, time_s = snapshot.showing, snapshot.frame.time_s
        if showing is None or not snapshot.is_fresh:
            return
        people.question = showing.question
        ruling = director.ruling
        people.differ = ruling if showing.differ and isinstance(ruling, Differ) else None
        is_unclear = any(words in one.text for one in showing.told[:1] for words in UNCLEAR)
        people.is_misunderstood = is_unclear or bool(showing.question or showing.differ)
        if notes is not None:
            is_clear = not (people.is_misunderstood or isinstance(ruling, Differ | Question | Unsure))
            asks = ("differ", showing.differ) if showing.differ else None if showing.question is None else subject(showing.question)
            notes.append(Note(film.now, tracker.as_read, director.history, is_clear, asks, director.is_resting))
        trouble = showing.differ or (f"? {showing.question}" if showing.question else "")
        if trouble and (not outcome.trouble or outcome.trouble[-1].split(" s: ", 1)[1] != trouble):
            outcome.trouble.append(f"{time_s:.1f} s: {trouble}")
            if len(outcome.pictures) < keep_pictures:
                outcome.pictures.append((time_s, film.stage.picture(film.now)))

    people.where = where
    people.takers = takers(truth)
    film.is_awaited = lambda: people.is_misunderstood or tracker.last.held
    with Session(film, tracker, director) as session:
        session.listen(shown)
        seats = SeatKeys()
        while not session.is_over:
            if session.step() is not None:
                seats, said = press_seat_key(seats, people.key(), truth.game, director.state)
                if said is not None:
                    session.say(said)
    assert not session.gave_up, session.gave_up
    outcome.frames = session.frames
    outcome.scores = director.state.scores
    outcome.derived, steps = meanings(director.history, meant)
    matcher = SequenceMatcher(None, outcome.truth, outcome.derived, autojunk=False)
    matched = {at for block in matcher.get_matching_blocks() for at in range(block.b, block.b + block.size)}
    outcome.right = len(matched)
    outcome.wrong_points = sum(step for at, step in enumerate(steps) if at not in matched)
    return outcome


def subject(question: Question) -> tuple[object, ...]:
    """What a question is about: a piece that is spelled out trait by trait is one."""
    return ("piece", question.key[1]) if question.key[0] in {"piece", "spell"} else question.key


def takers(history: History) -> dict[object, int]:
    """Who took which cards of SET."""
    steps = zip(history.standing, history.before, strict=True)
    return {frozenset(state.table[place] for place in event.at): event.player for event, state in steps if isinstance(event, Take)}


def meanings(history: History, meant: Meant) -> tuple[list[Meaning], list[int]]:
    """What each event means, with its points, and how many points it moved."""
    told: list[Meaning] = []
    steps: list[int] = []
    for event, state, after in zip(history.standing, history.before, (*history.before[1:], history.state), strict=True):
        points = tuple(now - before for now, before in zip(after.scores, state.scores, strict=True))
        meaning = meant(state, event)
        if meaning is not None or any(points):
            if meaning is not None and meaning[0] == "lay" and told and told[-1][:2] == meaning[:2]:
                del told[-1], steps[-1]  # a grid as it lies now replaces what lay before
            told.append((*(meaning or (event.name,)), points))
            steps.append(sum(map(abs, points)))
    return told, steps


def cards_at(state: Any, places: Sequence[int]) -> tuple[str, ...]:
    return tuple(sorted(str(state.table[place]) for place in places))
