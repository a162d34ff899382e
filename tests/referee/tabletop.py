"""A table under a camera that sees what it is told: pieces are laid, taken and rolled, and the director looks on."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from visionset.games.base import Event
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, Piece, PipDie
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, Next, Said
from visionset.table import Appeared, Change, Guess, Moved, Settled, Sighting, Swapped, Table, Taken, Thrown, TurnedOver

SIZES_PX = {Kind.SET_CARD: (90.0, 60.0), Kind.PLAYING_CARD: (60.0, 90.0), Kind.SET_DIE: (30.0, 30.0), Kind.PIP_DIE: (30.0, 30.0)}
ALL: dict[Kind, Sequence[Piece]] = {
    Kind.SET_CARD: SET_DECK,
    Kind.PLAYING_CARD: PACK,
    Kind.SET_DIE: SET_DIE_FACES,
    Kind.PIP_DIE: tuple(PipDie(value) for value in range(1, 7)),
}

_FIELDS = [(vars(Sighting)[name].__get__, vars(Sighting)[name].__set__) for name in Sighting.__slots__]
"""How each field is read, and how it is written into a frozen value: by the field itself, which is quick, for pieces are told often."""


def outline(kind: Kind, at: tuple[float, float], upright: bool = True) -> np.ndarray:
    width, height = SIZES_PX[kind] if upright else SIZES_PX[kind][::-1]
    return np.array(at) + np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2


class TableTop:
    """The table, and the clock of the stream.

    Parameters
    ----------
    director : Director
        Looks on.
    rng : Random
        For noise.
    unsure : float
        Share of pieces that are laid and cannot be read at first.
    """

    def __init__(self, director: Director, rng: random.Random | None = None, unsure: float = 0.0) -> None:
        self.director = director
        self.rng = rng or random.Random(0)
        self.unsure = unsure
        self.now_s = 0.0
        self.lying: dict[int, Sighting] = {}
        self.unread: dict[int, Piece] = {}
        self.covered: set[int] = set()
        self.events: list[Event] = []
        self.asked = 0
        self._next_track = 1
        self._numbers: dict[int, int] = {}
        self._first_number = 0
        self._is_undone = False
        self._first_read: dict[int, Sighting] = {}
        self._as_read: dict[int, tuple[Sighting, Piece | None]] = {}
        self._pristine = copy.deepcopy(director.referee)
        self._shown: dict[int, Sighting] = {}
        self._rolled: set[int] = set()
        self._frame = 0

    def lay(self, piece: Piece, at: tuple[float, float], upright: bool = True, sure: bool | None = None) -> int:
        track = self._next_track
        self._next_track += 1
        self.lying[track] = self._sighting(piece, at, upright, track, sure)
        return track

    def _sighting(self, piece: Piece, at: tuple[float, float], upright: bool, track: int, sure: bool | None) -> Sighting:
        kind = piece.kind
        self._as_read.pop(track, None)
        is_sure = self.rng.random() >= self.unsure if sure is None else sure
        if is_sure:
            self.unread.pop(track, None)
            self._first_read.pop(track, None)
            return Sighting(kind, outline(kind, at, upright), piece, 0.99, Guess(piece, 0.99), track)
        self.unread[track] = piece
        other = self.rng.choice([one for one in ALL[kind] if one != piece])
        first, second = (piece, other) if self.rng.random() < 0.6 else (other, piece)
        if self.rng.random() < 0.1:
            first = second = other
        self._first_read[track] = Sighting(kind, outline(kind, at, upright), None, 0.5, Guess(first, 0.5, second, 0.4), track)
        return self._first_read[track]

    def take(self, track: int) -> None:
        del self.lying[track]
        self.unread.pop(track, None)

    def move(self, track: int, at: tuple[float, float], upright: bool = True) -> None:
        one = self.lying[track]
        self.lying[track] = replace(one, outline_px=outline(one.kind, at, upright))

    def bump(self, right_px: float, down_px: float) -> None:
        """The camera is bumped, and the tracker follows: all lies elsewhere in the picture, and nothing on the table."""
        for some in (self.lying, self._shown):
            for track, one in some.items():
                some[track] = replace(one, outline_px=one.outline_px + np.array([right_px, down_px]))

    def roll(self, track: int, piece: Piece, at: tuple[float, float]) -> None:
        self.lying[track] = self._sighting(piece, at, True, track, None)
        self._rolled.add(track)

    def track(self, piece: Piece, near: tuple[float, float] | None = None) -> int:
        """The track of a piece, the nearest of equal ones."""
        fitting = [track for track, one in self.lying.items() if self.truth(track) == piece]
        return min(fitting, key=lambda track: 0.0 if near is None else float(np.linalg.norm(self.lying[track].center_px - np.array(near))))

    def truth(self, track: int) -> Piece | None:
        return self.unread.get(track, self.lying[track].piece)

    def wait(self, seconds: float) -> list[Event]:
        """Let quiet time pass, frame by frame."""
        done: list[Event] = []
        for _ in range(max(1, round(seconds / 0.25))):
            self.now_s += 0.25
            done += self.director.see(self._settled(), self.now_s)
        self.events += done
        return done

    def hand(self, seconds: float = 0.5, rests: bool = False) -> None:
        """A hand is over the table: it is held as it was, unless the hand rests on a card."""
        for _ in range(max(1, round(seconds / 0.25))):
            self.now_s += 0.25
            shown = replace(self._settled(), table=self._told(self._shown.values()), held=not rests)
            self.events += self.director.see(replace(shown, covered=shown.covered or rests), self.now_s)

    def settle(self) -> list[Event]:
        """The hand has left: tell what changed, and answer questions about pieces."""
        return self.leave() + self.answer_doubts()

    def leave(self) -> list[Event]:
        """The hand has left, and nobody has named yet what cannot be read."""
        self.now_s += 0.5
        changes = self._changes()
        self._shown = dict(self.lying)
        self._rolled = set()
        done = list(self.director.see(replace(self._settled(), changes=changes), self.now_s))
        self._is_undone = self._is_undone and not done
        self.events += done
        return done

    def resume(self) -> None:
        """Go on with the match at another time: before a director that knows the log alone, whose clock begins anew and to
        whom the tracker, which forgot what people said, gives other numbers."""
        director = self.director
        referee = copy.deepcopy(self._pristine)
        self.director = Director(
            director.history, referee, director._game._log, director._game.eyes._correct, director.options, is_undone=self._is_undone
        )
        self.now_s = 0.0
        tracks = list(self.lying)
        self.rng.shuffle(tracks)
        self._first_number += 1000
        self._numbers = {track: self._first_number - 1 - place for place, track in enumerate(tracks)}
        for track in tracks:
            if track in self._first_read and self.lying[track].confidence == 1.0:
                self.unread[track] = cast(Piece, self.lying[track].piece)
                self.lying[track] = replace(self._first_read[track], outline_px=self.lying[track].outline_px)
        self._shown, self._rolled = {}, set()

    def own(self, number: int) -> int:
        """The track of a piece to which the tracker gave a number."""
        return next((track for track, given in self._numbers.items() if given == number), number - self._first_number)

    def answer_doubts(self) -> list[Event]:
        done: list[Event] = []
        for _ in range(400):
            question = self.director.showing.question
            if question is None or question.key[0] not in ("piece", "spell"):
                if not self.unread or self.director.state.is_over:
                    return done
                before = len(self.unread)
                done += self.wait(1.25)
                if self.director.showing.question is None and before == len(self.unread):
                    return done
                continue
            done += self.answer(question)
        raise AssertionError(f"questions without end: {self.director.showing.question}")

    def answer(self, question: Any) -> list[Event]:
        truth = self.unread[self.own(question.tracks[0])]
        self.asked += 1
        for number, option in enumerate(question.options, 1):
            value = option.value
            if value == truth or (isinstance(value, tuple) and getattr(truth, value[0]) == value[1]):
                return self.say(Answer(number))
        more = [number for number, option in enumerate(question.options, 1) if option.text == "more"]
        return self.say(Answer(more[0] if more else 0))

    def corrected(self, track: int, piece: Piece | None) -> None:
        """What the tracker does with a correction: it sticks until it is taken back."""
        track = self.own(track)
        if track not in self.lying:
            return
        one = self.lying[track]
        if piece is None:
            read, truth = self._as_read.pop(track)
            self.lying[track] = replace(one, piece=read.piece, confidence=read.confidence)
            if truth is not None:
                self.unread[track] = truth
        else:
            self._as_read.setdefault(track, (one, self.unread.pop(track, None)))
            self.lying[track] = replace(one, piece=piece, confidence=1.0)
            self.unread.pop(track, None)
        self._shown = dict(self.lying)

    def say(self, said: Said) -> list[Event]:
        before = len(self.director.history.events)
        done = list(self.director.hear(said, self.now_s))
        if done or len(self.director.history.events) < before:
            self._is_undone = not done
        self.events += done
        return done

    def next(self) -> list[Event]:
        return self.say(Next())

    def _table(self) -> Table:
        self._frame += 1
        return self._told(self.lying.values())

    def _settled(self) -> Settled:
        hidden = tuple(cast(int, self._numbered(one).track) for track, one in self.lying.items() if track in self.covered)
        return Settled(self._table(), covered=bool(hidden), hidden=hidden)

    def _told(self, lying: Iterable[Sighting]) -> Table:
        """What the director sees of pieces."""
        return Table((1280, 720), tuple(self._numbered(one) for one in lying), self._frame)

    def _numbered(self, one: Sighting) -> Sighting:
        """The piece under the tracker's number, another object in each frame; what it is made of was checked when it was laid."""
        told = object.__new__(Sighting)
        for get, set_in in _FIELDS:
            set_in(told, get(one))
        track = cast(int, one.track)
        object.__setattr__(told, "track", self._numbers.get(track, self._first_number + track))
        return told

    def _changes(self) -> tuple[Change, ...]:
        changes: list[Change] = []
        for track, one in self.lying.items():
            before = self._shown.get(track)
            if before is None:
                near = [
                    old for old in self._shown.values() if old.track not in self.lying and np.allclose(old.center_px, one.center_px, atol=5)
                ]
                now = self._numbered(one)
                changes.append(Swapped(self._numbered(near[0]), now) if near else Appeared(now))
            elif before.kind is not one.kind:
                changes.append(TurnedOver(self._numbered(before), self._numbered(one)))
            elif track in self._rolled:
                changes.append(Thrown(self._numbered(before), self._numbered(one)))
            elif before is not one and not np.allclose(before.outline_px, one.outline_px):
                changes.append(Moved(self._numbered(before), self._numbered(one)))
        changes += [Taken(self._numbered(one)) for track, one in self._shown.items() if track not in self.lying]
        return tuple(changes)


def top(make: Callable[[Callable[[int, Piece | None], None]], Director], rng: random.Random | None = None, unsure: float = 0.0) -> TableTop:
    """A table whose tracker takes corrections."""
    holder: list[TableTop] = []
    director = make(lambda track, piece: holder[0].corrected(track, piece))
    holder.append(TableTop(director, rng, unsure))
    return holder[0]


def seeds(fast: int, slow: int = 30) -> list[Any]:
    """A few seeds for every day, and more for the proof."""
    return [*range(fast), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(fast, slow))]


def bare(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Events without their times, positions ascending."""
    told = [{name: value for name, value in event.to_json().items() if name != "at_s"} for event in events]
    return [{**one, "at": sorted(one["at"])} if "at" in one else one for one in told]
