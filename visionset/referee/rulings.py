"""What a game makes of its table: an event to play, somebody to wait for, a question, a difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias
from zlib import crc32

from visionset.games.base import EVERYONE, Event
from visionset.geometry import Quad
from visionset.messages import Message, WordedAtTable, Words, at_table
from visionset.pieces import Piece
from visionset.table import Sighting

MOST_ANSWERS = 9
"""Digits from 1: as many answers as one key can tell apart."""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a question: what is said, a piece among it, and what it stands for."""

    said: object
    value: object

    @property
    def text(self) -> str:
        """The answer in words."""
        return at_table(self.said)


def id_of(*about: object) -> str:
    """Tells what people are asked about from all else that they are asked in the match."""
    return format(crc32(repr(about).encode()), "08x")


@dataclass(frozen=True, slots=True)
class Question(WordedAtTable):
    """One short question, answered by one key."""

    key: tuple[object, ...]
    """What it is about: the answer is kept under it."""
    message: Message
    """Such as "What is the card at top left?"."""
    options: tuple[Option, ...]
    """Answers, numbered from 1."""
    tracks: tuple[int, ...] = ()
    """The pieces that are ringed."""
    is_of_piece: bool = False
    """The answer is what the ringed piece is, and sticks to it."""
    none: Words = ""
    """What the answer 0 stands for, such as "nobody", where points hang on a question: it waits until people answer."""

    @property
    def id(self) -> str:
        """Tells it from other questions of the match, so that who answers late answers none that nobody has read.

        How surely a piece is read, and where it is said to lie, may change while people read the question: it is the same one.
        """
        about = [
            sorted(map(repr, part)) if isinstance(part, frozenset) else part.piece if isinstance(part, Exhibit) else part
            for part in self.key
        ]
        return id_of(about, [option.value for option in self.options])

    @property
    def said(self) -> Message:
        """The question with its answers."""
        answers = [Message("referee.ask.answer", number=number, answer=option.said) for number, option in enumerate(self.options, 1)]
        if self.none:
            answers.append(Message("referee.ask.answer", number=0, answer=self.none))
        return Message("referee.ask.with_answers", question=self.message, answers=tuple(answers))

    def __str__(self) -> str:
        return at_table(self.said)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A piece by which an event was judged, as the camera saw it."""

    piece: Piece
    """What it was read as."""
    confidence: float | None = None
    """0 to 1; None where nobody remembers."""
    runner_up: Piece | None = None
    """What it would be otherwise."""
    track: int | None = None
    """Under which its picture is found."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece on the table that can be disputed before anybody takes it: how it looks, and by which reading of which event it came."""

    exhibit: Exhibit
    number: int
    """Of the event, among those that stand."""
    place: int
    """Of the reading, as `Correct` counts them."""


@dataclass(frozen=True, slots=True)
class Play:
    """The table shows that this happened."""

    event: Event


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The table shows that the last `count` events did not stand: they are taken back, and those of `instead` happened."""

    count: int
    instead: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Wait(WordedAtTable):
    """Somebody has to do something before the game goes on."""

    message: Words
    to: Words = EVERYONE
    """`message` and `to`: what, and who."""
    tracks: tuple[int, ...] = ()
    """Pieces that the words talk about."""
    places_px: tuple[Quad, ...] = ()
    """Empty places that they talk about."""
    until_s: float | None = None
    """When the rules end the waiting; None leaves it to people, who are reminded."""
    then: tuple[Event, ...] | Differ = ()
    """What happens at that time, or when somebody says "next"."""
    is_hands_off: bool = False
    """The time ends only while no hand is over the table."""
    is_own_time: bool = False
    """The time is somebody's own: "next", which anybody may say, does not end it sooner."""
    warning: Words = ""
    """What is told when somebody says "next" as it has just begun, who may mean what was before; said once more it counts."""
    is_always_warned: bool = False
    """The warning is told however long it has been waited: what "next" does is hardly ever meant."""


@dataclass(frozen=True, slots=True)
class Unsure:
    """Nothing can be told before these pieces are read."""

    tracks: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Differ(WordedAtTable):
    """Table and game cannot both be right."""

    message: Words
    """The difference."""
    extra: tuple[int, ...] = ()
    """Tracks of pieces that the game does not know there."""
    swapped: tuple[tuple[int, Piece], ...] = ()
    """Tracks whose piece is another one in the game, with that piece."""
    missing: tuple[Sighting, ...] = ()
    """What the game has on the table and the camera does not see, where it lay."""
    table_right: tuple[Event, ...] = ()
    """What happens when the table is right; empty where the rules have no way to follow it."""
    a_call_settles: bool = False
    """A call that was forgotten explains it: somebody may still press the key."""
    game_right: tuple[Event, ...] = ()
    """What happens besides when the game is right, where somebody's call hangs on it: it waits until people settle it."""
    warning: Words = ""
    """What is told when somebody says "next", who may not have read it and loses by that; said once more the game is right."""


Ruling: TypeAlias = Play | TakeBack | Wait | Unsure | Question | Differ | None
"""What a game makes of the table; None when all is as the game has it."""
