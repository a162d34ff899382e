"""The words of the dealer: what a game makes of the table, what is shown, and its times.

Longer than most modules: these nouns say one thing to each other and are read together.
"""

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
    """Times of the dealer, in seconds of the stream.

    Attributes
    ----------
    settle_s : float
        From a hand's leaving to the settled table: it is taken off the time of a caller, who has no part in it.
    hand_s : float
        How much longer than the rules allow a caller's hand may stay over the table, or rest on a card, before the call is in error.
    ask_s : float
        Quiet time after which an unsure piece is asked about: most become sure by themselves before.
    again_s : float
        After this time a question that was put aside is asked again.
    differ_s : float
        Quiet time after which a difference is told: somebody who corrects a slip at once is not disturbed.
    remind_s : float
        After this time somebody who is waited for is reminded, and told that "next" goes on.
    settle_differ_s : float
        After it a difference is settled for the game, a doubt as is likeliest; where a point hangs on it, people are waited for.
    sure : float
        A die that is read with less confidence, 0 to 1, is asked about before it counts: one wrong face spoils a whole game, and a
        question costs one key.
    sure_roll : float
        The same for dice that are rolled once and then stay in the game.
    sure_wrong : float
        Before three pieces are judged to be no SET, each that was read with less confidence, 0 to 1, is asked about: nobody loses a
        point by a reading that is in doubt. Cards that are read well have .97 and more.
    rest_s : float
        An additional die is believed after it has lain there for `rest_s` with no hand over the table: what is seen while a hand
        is still about may be a die that it holds, or one that it has just taken away.
    """

    settle_s: float = 0.5
    hand_s: float = 5.0
    ask_s: float = 1.0
    again_s: float = 30.0
    differ_s: float = 1.0
    remind_s: float = 30.0
    settle_differ_s: float = 120.0
    sure: float = 0.9
    sure_roll: float = 0.95
    sure_wrong: float = 0.95
    rest_s: float = 0.8


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
    """One short question, answered by one key.

    Attributes
    ----------
    key : tuple
        What it is about: the answer is kept under it.
    message : Message
        Such as "What is the card at top left?".
    options : tuple of Option
        Answers, numbered from 1.
    tracks : tuple of int
        The pieces that are ringed.
    is_of_piece : bool
        The answer is what the ringed piece is, and sticks to it.
    none : Message or str
        What the answer 0 stands for, such as "nobody", where points hang on a question: it waits until people answer.
    """

    key: tuple[object, ...]
    message: Message
    options: tuple[Option, ...]
    tracks: tuple[int, ...] = ()
    is_of_piece: bool = False
    none: Words = ""

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
    """A piece by which an event was judged, as the camera saw it.

    Attributes
    ----------
    piece : Piece
        What it was read as.
    confidence : float or None
        0 to 1; None where nobody remembers.
    runner_up : Piece or None
        What it would be otherwise.
    track : int or None
        Under which its picture is found.
    """

    piece: Piece
    confidence: float | None = None
    runner_up: Piece | None = None
    track: int | None = None


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
    """Somebody has to do something before the game goes on.

    Attributes
    ----------
    message, to : Message or str
        What, and who.
    tracks : tuple of int
        Pieces that the words talk about.
    places_px : tuple of Quad
        Empty places that they talk about.
    until_s : float or None
        When the rules end the waiting; None leaves it to people, who are reminded.
    then : tuple of Event or Differ
        What happens at that time, or when somebody says "next".
    is_hands_off : bool
        The time ends only while no hand is over the table.
    """

    message: Words
    to: Words = EVERYONE
    tracks: tuple[int, ...] = ()
    places_px: tuple[Quad, ...] = ()
    until_s: float | None = None
    then: tuple[Event, ...] | Differ = ()
    is_hands_off: bool = False


@dataclass(frozen=True, slots=True)
class Unsure:
    """Nothing can be told before these pieces are read."""

    tracks: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Differ(WordedAtTable):
    """Table and game cannot both be right.

    Attributes
    ----------
    message : Message or str
        The difference.
    extra : tuple of int
        Tracks of pieces that the game does not know there.
    swapped : tuple of (int, Piece)
        Tracks whose piece is another one in the game, with that piece.
    missing : tuple of Sighting
        What the game has on the table and the camera does not see, where it lay.
    table_right : tuple of Event
        What happens when the table is right; empty where the rules have no way to follow it.
    a_call_settles : bool
        A call that was forgotten explains it: somebody may still press the key.
    game_right : tuple of Event
        What happens besides when the game is right, where somebody's call hangs on it: it waits until people settle it.
    """

    message: Words
    extra: tuple[int, ...] = ()
    swapped: tuple[tuple[int, Piece], ...] = ()
    missing: tuple[Sighting, ...] = ()
    table_right: tuple[Event, ...] = ()
    a_call_settles: bool = False
    game_right: tuple[Event, ...] = ()


Ruling: TypeAlias = Play | TakeBack | Wait | Unsure | Question | Differ | None
"""What a game makes of the table; None when all is as the game has it."""


@dataclass(frozen=True, slots=True)
class Happened:
    """An event was kept.

    Attributes
    ----------
    event : Event
        What happened.
    state : State of the game
        Where it led.
    time_s : float
        Time of the stream.
    """

    event: Event
    state: Any
    time_s: float


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
    """An outline on the picture.

    Attributes
    ----------
    outline_px : ndarray of float64, shape (4, 2)
        Corners in the picture.
    tone : Tone
        Why.
    text : Message or str
        A few letters beside it, such as ``+3``.
    """

    outline_px: Quad
    tone: Tone
    text: Words = ""

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
    """All that is drawn: words, outlines and the state of play.

    Attributes
    ----------
    told : tuple of Told
        What to do now; the first is the most pressing.
    notice : Message or str
        What just happened, with the reason.
    question : Question or None
        At most one at a time.
    differ : Message or str
        The difference between table and game, while scores are frozen.
    marks : tuple of Mark
        Outlines.
    status : tuple of Message or str
        Scores, whose turn, times: one line each, its two parts parted by a tab.
    sheet : tuple of Message or str
        Lines of a score sheet, for games that have one.
    remarks : tuple of Message or str
        About the view.
    exhibits : tuple of Exhibit
        The pieces that a dispute or a doubt is about, to be shown as the camera saw them.
    """

    told: tuple[Told, ...] = ()
    notice: Words = ""
    question: Question | None = None
    differ: Words = ""
    marks: tuple[Mark, ...] = ()
    status: tuple[Words, ...] = ()
    sheet: tuple[Words, ...] = ()
    remarks: tuple[Words, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
