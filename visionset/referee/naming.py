"""Questions about a piece that was not read: the likeliest first, then one attribute after the other, each answered by one key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from visionset.kinds import KIND_SPECS
from visionset.messages import Message
from visionset.pieces import Kind, Piece, SetDie
from visionset.referee.game_referee import RefereeOptions
from visionset.referee.rulings import MOST_ANSWERS, Option, Question
from visionset.referee.sightings import at, by_track, track_of
from visionset.table import Sighting, Table


def which_face(table: Table, one: Sighting, first: Piece, second: Piece) -> Question:
    """Ask which of two faces a die shows; the first is taken where nobody answers, and should change no points."""
    options, key = (Option(first, first), Option(second, second)), ("face", one.track, str(first), str(second))
    return Question(key, Message("referee.ask.what_die", where=at(table, one)), options, (track_of(one),), True)


@dataclass(frozen=True, slots=True)
class _More:
    """The rest of the answers, where there are too many for one question."""

    values: tuple[Any, ...]


@dataclass(slots=True)
class Naming:
    """What is known of one unread piece from the answers so far."""

    left: tuple[Piece, ...]
    """What it may be."""
    spelled: bool = False
    """The likeliest were refused: it is spelled out."""
    shown: tuple[Any, ...] = ()
    """Values of the attribute that are asked about now, where there are too many for one question; empty: all."""

    @classmethod
    def about(cls, kind: Kind, excluded: frozenset[Piece] = frozenset()) -> Naming:
        """Begin: it may be anything of its kind that is not excluded."""
        return cls(tuple(piece for piece in KIND_SPECS[kind].faces if piece not in excluded))

    def question(self, table: Table, sighting: Sighting, likely: Sequence[Piece]) -> Question:
        """Ask the next question: about the likeliest pieces, or about the next attribute that is open."""
        kind, track = sighting.kind, sighting.track
        what = Message("game.piece_where", piece=Message(f"noun.{KIND_SPECS[kind].noun}"), where=at(table, sighting))
        tracks = () if track is None else (track,)
        first = [piece for piece in likely if piece in self.left][: MOST_ANSWERS - 1]
        if len(self.left) <= MOST_ANSWERS and kind is not Kind.PIP_DIE:
            first = list(self.left)
        if first and not self.spelled:
            options = tuple(Option(piece, piece) for piece in first)
            return Question(("piece", track), Message("referee.ask.what", what=what), options, tracks)
        return self._spelling(track, what, tracks)

    def _spelling(self, track: int | None, what: Message, tracks: tuple[int, ...]) -> Question:
        attribute = open_attribute(self.left)
        values = self.shown or tuple(dict.fromkeys(getattr(piece, attribute) for piece in self.left))
        options = [Option(_named(value), (attribute, value)) for value in values]
        if len(options) > MOST_ANSWERS:
            options = [*options[: MOST_ANSWERS - 1], Option(Message("referee.answer.more"), _More(values[MOST_ANSWERS - 1 :]))]
        return Question(
            ("spell", track, attribute, values),
            Message("referee.ask.has", attribute=Message(f"attribute.{attribute}"), what=what),
            tuple(options),
            tracks,
        )

    def answer(self, option: Option) -> Piece | None:
        """Take an answer; the piece once it is known."""
        value = option.value
        if isinstance(value, _More):
            self.shown = value.values
            return None
        if isinstance(value, tuple):
            attribute, wanted = value
            self.left = tuple(piece for piece in self.left if getattr(piece, attribute) == wanted)
            self.shown = ()
            return self.left[0] if len(self.left) == 1 else None
        found: Piece | None = next((piece for piece in self.left if piece == value), None)
        return found

    def refuse(self) -> bool:
        """Take "none of these": spell it out; False where it was spelled already, and somebody wants to be left alone."""
        was_spelled, self.spelled = self.spelled, True
        return not was_spelled


def open_attribute(pieces: Sequence[Piece]) -> str:
    """The first attribute in which pieces of one kind differ."""
    names = KIND_SPECS[pieces[0].kind].attributes
    return next((name for name in names if len({getattr(piece, name) for piece in pieces}) > 1), names[-1])


def _named(value: Any) -> object:
    return SetDie() if value is None else value


class Asking:
    """Keeps what was answered about each piece until it is known."""

    def __init__(self, options: RefereeOptions) -> None:
        self._again_s = options.again_s
        self._namings: dict[int, Naming] = {}
        self._later_s: dict[int, float] = {}

    def forget(self, tracks: Iterable[int]) -> None:
        """Drop the answers about pieces that show another side now."""
        for track in tracks:
            self._namings.pop(track, None)
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
                naming = self._namings.setdefault(track, Naming.about(sighting.kind, excluded))
                return naming.question(table, sighting, candidates(sighting))
        return None

    def spell(self, sighting: Sighting, excluded: frozenset[Piece]) -> None:
        """Ask for the traits of a piece one by one: people say that it is nothing of what it was taken for."""
        naming = Naming.about(sighting.kind, excluded)
        naming.refuse()
        self._namings[track_of(sighting)] = naming

    def answer(self, question: Question, number: int, now_s: float) -> tuple[int, Piece] | None:
        """Take an answer, 0 for none of them; the track and its piece once that is known."""
        track = question.tracks[0]
        naming = self._namings.get(track)
        if naming is None:  # answered already
            return None
        if number == 0:
            if not naming.refuse():
                del self._namings[track]
                self._later_s[track] = now_s + self._again_s
            return None
        piece = naming.answer(question.options[number - 1])
        if piece is None:
            return None
        del self._namings[track]
        return track, piece
