"""A sitting that is cut and resumed: before the table as it lay, and once more to the end of the film."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from tests.clips.film import FPS, Film
from tests.clips.keys import SEAT_KEYS, SeatKeys, press_seat_key
from tests.clips.moments import Moment
from tests.clips.sitting import Note, Outcome, People, takers, watching
from visionset.games.base import Event
from visionset.games.cubed.rules import Open
from visionset.games.game import History
from visionset.games.scramble.rules import Take
from visionset.pieces import Piece
from visionset.referee.director import Director
from visionset.referee.rulings import Differ, Wait
from visionset.referee.shown import Showing
from visionset.session.refereed import referee_of
from visionset.table import Appeared, Change, Settled, Sighting, Table, Thrown, TurnedOver

STILL_S = 4.0
"""So long the table lies there after the cut: longer than a table needs to settle, and a question to be asked."""

RENUMBERED = 10_000
"""The tracker of a match that goes on gives other numbers."""


@dataclass(frozen=True, slots=True)
class Still:
    """What a resumed referee made of the table as it lay: what happened, what was asked, and its time at the end."""

    events: tuple[Event, ...]
    history: History
    asked: tuple[str, ...]
    clock_s: float


def still(film: Film, note: Note) -> Still:
    """Resume a match with a new tracker and a new director, from pixels, while nothing on the table changes.

    Parameters
    ----------
    film : Film
        Paints.
    note : Note
        Where the match was cut: what lay there lies there, and the hand is gone.
    """
    game = note.history.game.name
    tracker, game_referee = watching(game), referee_of(game)
    quiet = [Moment(note.moment.lying)] * round(STILL_S * FPS)
    director = Director(note.history, game_referee, correct=tracker.correct, is_undone=note.is_undone)
    events: list[Event] = []
    asked: dict[str, None] = {}
    for frame in Film(film.stage, quiet, seed=len(note.history.events)):
        tracker.exclude(director.excluded)
        events += director.see(tracker.see(frame), frame.time_s)
        showing = director.showing
        asked |= dict.fromkeys([*([str(showing.question)] if showing.question else []), *([showing.differ] if showing.differ else [])])
    return Still(tuple(events), director.history, tuple(asked), director._game.now_s)


class Told:
    """A tracker that tells again what another one told, by new numbers and without what people said before.

    It reads the table anew: what the other one overlooked for a while after a hand had left, it sees at once.
    """

    def __init__(self, notes: Sequence[Note], first: int) -> None:
        self._notes = notes
        seen = next((at for at in range(first, len(notes)) if not notes[at].settled.held), first)
        quiet = takewhile(lambda at: notes[at].moment == notes[seen].moment, range(seen, len(notes)))
        self._reads_at = max((at for at in quiet if notes[at].moment.is_quiet and notes[at].settled.changes), default=seen)
        self._corrected: dict[int, Piece] = {}
        self._has_settled = False
        self.table = Table((1, 1))

    def see(self, index: int) -> Settled:
        settled = self._notes[index].settled
        if index < self._reads_at or (not self._has_settled and settled.held):
            return Settled(Table(settled.table.size_px), held=True)
        changes = tuple(self._renumbered(change) for change in settled.changes)
        turned = {change.after.track for change in changes if isinstance(change, Thrown | TurnedOver)}
        there = {RENUMBERED + (one.track or 0) for one in settled.table.sightings} - turned
        self._corrected = {track: piece for track, piece in self._corrected.items() if track in there}
        self.table = replace(settled.table, sightings=tuple(map(self._known, settled.table.sightings)))
        if not self._has_settled:
            changes = tuple(Appeared(one) for one in self.table.sightings)
            self._has_settled = True
        return replace(settled, table=self.table, changes=changes)

    def correct(self, track: int, piece: Piece) -> None:
        self._corrected[track] = piece

    def _known(self, one: Sighting) -> Sighting:
        track = RENUMBERED + (one.track or 0)
        piece = self._corrected.get(track)
        return replace(one, track=track) if piece is None else replace(one, track=track, piece=piece, confidence=1.0)

    def _renumbered(self, change: Change) -> Change:
        sides = {name: self._known(getattr(change, name)) for name in ("before", "after") if hasattr(change, name)}
        return replace(change, **sides)


class Projector:
    """The film as `People` know it: what the frame shows, and where pieces lie."""

    def __init__(self, film: Film) -> None:
        self.stage, self.frames, self.now = film.stage, 0, film.moments[0]


def played_on(film: Film, truth: History, notes: Sequence[Note], first: int) -> tuple[History, set[tuple[object, ...]]]:
    """Resume a match at a frame and play it to the end of the film; the match, and what people were asked about."""
    note = notes[first]
    told = Told(notes, first)
    director = Director(note.history, referee_of(note.history.game.name), correct=told.correct, is_undone=note.is_undone)
    projector = Projector(film)
    people = People(projector, Outcome())  # type: ignore[arg-type]
    people.where = lambda track: next((one.center_px for one in told.table.sightings if one.track == track), None)
    people.answers = {"thrown": 2}
    people.takers = takers(truth)
    seats, typed = SeatKeys(), _begun_to_type(notes, first - 1)
    for key in typed:
        seats, _ = press_seat_key(seats, ord(key), note.history.game, note.history.state)
    waited = 0
    for index in range(first, len(notes)):
        projector.frames, projector.now, time_s = index, notes[index].moment, (index - first + waited) / FPS
        director.see(told.see(index), time_s)
        while _runs(director) and len(notes[index].history.events) > len(director.history.events):  # the pause was nobody's time
            waited, time_s = waited + 1, time_s + 1 / FPS
            director.see(Settled(told.table), time_s)
        for _ in range(round(STILL_S * FPS)):  # what the resumed referee wants to know of them people read before they go on
            if not _is_asked_who_laid(director) or projector.now.is_midway or projector.now.hand is not None:
                break
            waited, time_s = waited + 1, time_s + 1 / FPS
            director.see(Settled(told.table), time_s)
            ruling = director.ruling
            people.differ = ruling if director.showing.differ and isinstance(ruling, Differ) else None
            projector.frames = -waited  # a frame of its own in the film: people press one key a frame
            seats, said = press_seat_key(seats, people.key() if people.differ else -1, director.history.game, director.state)
            if said is not None:
                director.hear(said, time_s)
        projector.frames = index
        showing, ruling = director.showing, director.ruling
        people.question = question = showing.question
        if question is not None and question.key[0] == "whose":  # the call was lost by the cut: who took them says so
            people.takers.setdefault(question.key[1], _who_goes_on(director.history, notes))
        people.differ = ruling if showing.differ and isinstance(ruling, Differ) else None
        key = people.key()
        if key < 0 and projector.now.is_quiet:
            key = _wanted_key(showing, director.history, notes, index)
        seats, said = press_seat_key(seats, key, director.history.game, director.state)
        if said is not None:
            director.hear(said, time_s)
    return director.history, set(people.heard)


def _is_asked_who_laid(director: Director) -> bool:
    """Whether people are to say that what lay there when the match went on was laid."""
    ruling = director.ruling
    return isinstance(ruling, Differ) and bool(ruling.table_right) and not director._held


def _runs(director: Director) -> bool:
    """Whether somebody's time runs, which people let run out."""
    ruling = director.ruling
    return isinstance(ruling, Wait) and ruling.until_s is not None and bool(ruling.then) and not director._held


def _begun_to_type(notes: Sequence[Note], first: int) -> str:
    """Keys of a menu that was open at the cut: people press them again."""
    typed = ""
    if notes[first + 1].moment.key:
        while first >= 0 and notes[first].moment.key:
            typed, first = notes[first].moment.key + typed, first - 1
    return typed if typed.startswith("m") else ""


def _who_goes_on(history: History, notes: Sequence[Note]) -> int:
    """Who takes, or opens, next by the whole film."""
    following = notes[-1].history.events[len(history.events) :]
    return next(event.player for event in following if isinstance(event, Open | Take))


def _wanted_key(showing: Showing, history: History, notes: Sequence[Note], index: int) -> int:
    """What people say once more where the referee asks for it: whose a SET is, and that they threw the same dice again."""
    told = showing.told[0].text if showing.told else ""
    if "who laid it says SET" in told:
        return ord(SEAT_KEYS[_who_goes_on(history, notes)])
    is_behind = len(notes[index].history.events) > len(history.events)
    return ord("n") if is_behind and "roll the two dice" in told else -1
