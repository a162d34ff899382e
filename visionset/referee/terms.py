"""The words of the referee: what a game makes of the table, what is shown, and its times."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from visionset.games.base import EVERYONE, Event, addressed
from visionset.geometry import Quad
from visionset.messages import Message, WordedAtTable, Words, at_table
from visionset.pieces import Piece
from visionset.referee.player_input import Said
from visionset.table import Sighting


@dataclass(frozen=True, slots=True)
class RefereeOptions:
    """Times of the referee, in seconds of the stream."""

    settle_s: float = 0.5
    """From a hand's leaving to the settled table: it is taken off the time of a caller, who has no part in it."""
    hand_s: float = 5.0
    """How much longer than the rules allow a caller's hand may stay over the table, or rest on a card, before the call is in error."""
    ask_s: float = 1.0
    """Quiet time after which an unsure piece is asked about: most become sure by themselves before."""
    again_s: float = 30.0
    """After this time a question that was put aside is asked again."""
    differ_s: float = 1.0
    """Quiet time after which a difference is told: somebody who corrects a slip at once is not disturbed."""
    remind_s: float = 30.0
    """After this time somebody who is waited for is reminded, and told that "next" goes on."""
    settle_differ_s: float = 120.0
    """After it a difference is settled for the game, a doubt as is likeliest; where a point hangs on it, people are waited for."""
    sure: float = 0.9
    """A die that is read with less confidence, 0 to 1, is asked about before it counts: one wrong face spoils a whole game, and a question
    costs one key."""
    sure_roll: float = 0.95
    """The same for dice that are rolled once and then stay in the game."""
    sure_wrong: float = 0.95
    """Before three pieces are judged to be no SET, each that was read with less confidence, 0 to 1, is asked about: nobody loses a point by
    a reading that is in doubt. Cards that are read well have .97 and more."""
    rest_s: float = 0.8
    """An additional die is believed after it has lain there for `rest_s` with no hand over the table: what is seen while a hand is still
    about may be a die that it holds, or one that it has just taken away."""


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


Ruling: TypeAlias = Play | TakeBack | Wait | Unsure | Question | Differ | None
"""What a game makes of the table; None when all is as the game has it."""


@dataclass(frozen=True, slots=True)
class Happened:
    """An event was kept."""

    event: Event
    state: Any
    """State of the game that it led to."""
    time_s: float
    """Time of the stream."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last event that stood was taken back: the state before it, and the time of the stream."""

    state: Any
    time_s: float


@dataclass(frozen=True, slots=True)
class Refused:
    """Somebody said what makes no sense now: what, why not, and the time of the stream."""

    said: Said
    why: Words
    time_s: float


News: TypeAlias = Happened | TakenBack | Refused
"""What happened in a game, for those who follow it."""


class Tone(Enum):
    """Why something is outlined."""

    TODO = "todo"
    GOOD = "good"
    WRONG = "wrong"
    ASKED = "asked"
    HINT = "hint"
    ZONE = "zone"


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """An outline on the picture."""

    outline_px: Quad
    tone: Tone
    """Why."""
    text: Words = ""
    """A few letters beside it, such as ``+3``."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mark) or (self.tone, self.text) != (other.tone, other.text):
            return False
        return self.outline_px is other.outline_px or bool((self.outline_px == other.outline_px).all())


@dataclass(frozen=True, slots=True)
class Told(WordedAtTable):
    """A line for somebody at the table."""

    to: Words
    message: Words

    @property
    def said(self) -> Message:
        """What is told, and to whom."""
        return addressed(self.to, self.message)

    def __str__(self) -> str:
        return at_table(self.said)


@dataclass(frozen=True, slots=True)
class Showing:
    """All that is drawn: words, outlines and the state of play."""

    told: tuple[Told, ...] = ()
    """What to do now; the first is the most pressing."""
    notice: Words = ""
    """What just happened, with the reason."""
    question: Question | None = None
    """At most one at a time."""
    differ: Words = ""
    """The difference between table and game, while scores are frozen."""
    marks: tuple[Mark, ...] = ()
    status: tuple[Words, ...] = ()
    """Scores, whose turn, times: one line each, its two parts parted by a tab."""
    sheet: tuple[Words, ...] = ()
    """Lines of a score sheet, for games that have one."""
    remarks: tuple[Words, ...] = ()
    """About the view."""
    exhibits: tuple[Exhibit, ...] = ()
    """The pieces that a dispute or a doubt is about, to be shown as the camera saw them."""
