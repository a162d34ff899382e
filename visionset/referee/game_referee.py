"""GameReferee: what one game makes of the table and of what people say, in the terms that director and surfaces know.

A new game is one subclass, which its ``make_referee`` makes. Longer than most modules: the terms are records of a few lines each, and stand
before the questions that they answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Self, TypeAlias
from zlib import crc32

import numpy as np

from visionset.calibration import Calibration
from visionset.errors import RuleError
from visionset.games.base import EVERYONE, Choice, Event, addressed
from visionset.games.game import History
from visionset.games.high_scores import HighScores
from visionset.geometry import Quad, reading_order
from visionset.messages import Message, WordedAtTable, Words, at_table
from visionset.pieces import Kind, Piece, SetDie
from visionset.referee.lattice_fit import CellsOf
from visionset.referee.player_input import Move, Said
from visionset.referee.recall import as_before, steps
from visionset.referee.zones import Zones, zone_named
from visionset.table import Change, Sighting, Table
from visionset.words import whereabouts


@dataclass(frozen=True, slots=True)
class RefereeOptions:
    """Times of the referee, in seconds of the stream."""

    settle_s: float = 0.5
    """From a hand's leaving to the settled table: it is taken off the time of a caller, who has no part in it."""
    frame_s: float = 0.5
    """How much later than the newest frame something may have been said: a slow camera gives two frames a second."""
    hand_s: float = 5.0
    """How much longer than the rules allow a caller's hand may stay over the table, or rest on a card, before the call is in error."""
    just_begun_s: float = 2.0
    """So soon after something new is waited for, "next" may be said of what was before."""
    early_s: float = 2.0
    """So long a call, or the end of a turn, waits for what is being laid or thrown to be read: people see it lie at once, and go on."""
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
    warned_s: float = 1.0
    """"Next" that follows so soon on another one was said by somebody who has not read what it would do."""
    read_s: float = 5.0
    """So long a refusal stays to be read, though what stood in the way may be gone."""
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
    differ_id: str | None = None
    """Tells it from other differences of the match, also of the same words, so that who is late settles none that nobody has read."""
    marks: tuple[Mark, ...] = ()
    status: tuple[Words, ...] = ()
    """Scores, whose turn, times: one line each, its two parts parted by a tab."""
    sheet: tuple[Words, ...] = ()
    """Lines of a score sheet, for games that have one."""
    remarks: tuple[Words, ...] = ()
    """About the view."""
    exhibits: tuple[Exhibit, ...] = ()
    """The pieces that a dispute or a doubt is about, to be shown as the camera saw them."""


_MOVED_SHARE = 0.5
"""A piece that lies further off than this share of its side was touched; a bumped camera moves all pieces by less."""


class GameReferee(ABC):
    """Compares the table with the state of one game, again and again; without `hints` it gives nothing away.

    The whole table is compared each time, not the changes alone: what was overlooked once is found the next time. What a referee remembers
    can be forgotten at any time, and follows from the log and the table where a match is resumed.
    """

    kinds: ClassVar[frozenset[Kind]]
    """What of the table it is shown: pieces of other kinds are passed over."""
    is_face_up: ClassVar[bool] = False
    """Cards lie face up in this game."""
    heard: ClassVar[frozenset[str]] = frozenset()
    """Which of the words "set" and "no_set" players say in this game."""
    zones: Zones | None = None
    """Places that people may drag; None for games without."""
    needed_zones: ClassVar[tuple[str, ...]] = ()
    """Names of zones without which the game cannot be followed."""
    optional_zones: ClassVar[tuple[str, ...]] = ()
    """Names of zones that people put down where they want them, and take away."""
    zones_file: ClassVar[str] = "zones.toml"
    """Where the zones are kept among the settings."""
    profile: Calibration | None = None
    """Of the camera, for zones in millimetres of the table."""
    hint_costs: bool = False
    """Each hint costs the asker a point, in games that have it so."""
    earlier: HighScores = HighScores()
    """The scores of all games before this one, where the game keeps them."""

    def __init__(self, options: RefereeOptions = RefereeOptions(), hints: bool = False) -> None:
        self.options = options
        self.hints = hints

    @classmethod
    def made(cls, cells_of: CellsOf, options: RefereeOptions, hints: bool) -> Self:
        """Make one that asks for no lattice of dice, as ``make_referee`` of a game is called."""
        return cls(options, hints)

    @abstractmethod
    def read(self, state: Any, table: Table, now_s: float) -> Ruling:
        """Tell what the table makes of the game now, in the time of the match; None when both agree and nothing is waited for.

        The table is settled, with the corrections of people, in reading order, and has pieces of this game only.
        """

    def hear(self, state: Any, said: Said, table: Table, now_s: float) -> tuple[Event, ...]:
        """Turn what somebody says into events; remember what the table must show first.

        Raises `RuleError`: it makes no sense now; the message says why.
        """
        if isinstance(said, Move):
            return (said.event,)
        now = (addressed(prompt.to, prompt.message) for prompt in state.prompts[:1])
        raise RuleError(Message("referee.refused.no_use", now=next(now, Message("referee.refused.play_on"))))

    def went_on(self, before: Any, event: Event, after: Any, table: Table) -> None:  # noqa: B027 - most games need nothing
        """Learn that an event was applied."""

    def corrected(self, after: Any, table: Table) -> None:
        """Learn that an earlier event is told otherwise; as the table is compared as a whole, most games have nothing to keep."""
        self.forget()

    def recall(self, history: History) -> None:  # noqa: B027 - most games need the state alone
        """Learn what has happened so far, where no event told it: the match is resumed, or events were taken back."""

    def resumed(self, history: History, table: Table) -> Mapping[int, Piece]:
        """Learn that a match goes on, and that the table as it lies is the table as it was, unless it cannot be.

        The table is as `read` gets it. Given back are tracks of pieces that are hardly read, with what the game has there.
        """
        for before, event, after in steps(history):
            self.went_on(before, event, after, table)
        return as_before(table.sightings, self.lying(history.state), self.options.sure_roll)

    def in_play(self, table: Table) -> Table:
        """The table without what lies in places that are none of the game's."""
        return table

    def lying(self, state: Any) -> tuple[Piece, ...]:
        """What the game has on the table."""
        return ()

    def lies_from_before(self, table: Table) -> None:  # noqa: B027 - most games look at the table alone
        """Learn that this table is that of a game that has ended."""

    def changed(self, changes: Sequence[Change]) -> None:  # noqa: B027 - most games look at the table alone
        """Learn what changed since the last settled table."""

    def covered(self, tracks: frozenset[int]) -> None:  # noqa: B027 - most games take it that what is covered lies there
        """Learn which pieces of the table are covered now by what is no piece, so that nobody sees whether they lie there."""

    def disputable(self, history: History, table: Table) -> Sequence[Lying]:
        """Pieces on the table on which something hangs before they are taken, in any order; none where those can be laid anew."""
        return ()

    def disturbed(self, now_s: float) -> None:  # noqa: B027 - most games look at the table alone
        """Learn that hands or pieces move over the table now."""

    def forget(self) -> None:  # noqa: B027 - most games remember nothing
        """Drop what is remembered: the state was set otherwise."""

    def rests(self, table: Table) -> None:  # noqa: B027 - most games look at the table alone
        """Learn that what this table shows was taken back, and counts no more unless people say so."""

    def answered(self, question: Question, option: Option) -> None:  # noqa: B027 - most games ask nothing
        """Learn the answer to a question of this referee."""

    def unsay(self) -> Words:
        """Forget the last answer or call, where no event has come of it, and say so; nothing where there was none."""
        return ""

    def ask_again(self) -> None:  # noqa: B027 - most games ask nothing that stays answered
        """Learn that people took back what happened last: what they answered for it may have been a slip."""

    def put_away(self) -> bool:
        """Show no longer what somebody has paid to see; False where nothing such is shown."""
        return False

    def tracks_judged(self, state: Any, event: Event, table: Table) -> tuple[int, ...]:
        """Tracks among which the pieces lie by which an event is judged; none where they may have left."""
        return ()

    def judges_table(self, event: Event) -> bool:
        """Whether somebody says with this that the table is done as it lies, so that all hands have to be off it first."""
        return False

    def ends_turn(self, event: Event) -> bool:
        """Whether somebody's turn is over by this, so that what was just laid in it has to be read first."""
        return False

    def refuses(self, state: Any, event: Event) -> bool:
        """Whether the rules judge what somebody took to be wrong, so that the readings should be beyond doubt first."""
        return False

    def counts_again(self, event: Event) -> bool:
        """Whether pieces that were passed over as too early may count after this."""
        return False

    def is_midway(self, state: Any) -> bool:
        """Whether the state lies within what people do in one go: nobody takes back half of it."""
        return False

    def calls(self, state: Any) -> tuple[Choice, ...]:
        """What players call out before the camera sees it, where the rules have no event for that: each is a ``call``."""
        return ()

    def told(self, state: Any, now_s: float) -> tuple[Told, ...]:
        """What the rules want done now."""
        return tuple(Told(prompt.to, prompt.message) for prompt in state.prompts)

    def marks(self, state: Any, table: Table) -> tuple[Mark, ...]:
        """Outlines that belong to the game as it stands."""
        return ()

    def status(self, state: Any, now_s: float) -> tuple[Words, ...]:
        """Scores and whatever else belongs beside them, one line each."""
        return scores(state)

    def is_timed(self, state: Any) -> bool:
        """Whether what is told or shown changes by the time alone, such as the seconds that a caller has left."""
        return False

    def sheet(self, state: Any) -> tuple[Words, ...]:
        """Lines of the score sheet; empty for games without one."""
        return ()

    def excluded(self, state: Any) -> frozenset[Piece]:
        """Pieces that cannot lie on the table, which helps the reading."""
        return frozenset()

    def candidates(self, state: Any, table: Table, sighting: Sighting) -> tuple[Piece, ...]:
        """What an unread piece may be, the likeliest first."""
        guess = sighting.guess
        likely = [] if guess is None else [guess.piece, *([guess.runner_up] if guess.runner_up is not None else [])]
        out = self.excluded(state)
        return tuple(piece for piece in dict.fromkeys(likely) if piece not in out)

    def unsure(self, state: Any, table: Table) -> tuple[int, ...]:
        """Tracks of pieces that are worth a question."""
        return unread(table)


def showing(sightings: Iterable[Sighting], pieces: Iterable[Piece]) -> tuple[Sighting, ...]:
    """The sightings that show these pieces, one for each piece: the first that does."""
    left, found = Counter(pieces), []
    for one in sightings:
        if one.piece is not None and left[one.piece] > 0:
            left[one.piece] -= 1
            found.append(one)
    return tuple(found)


def dice_of(table: Table) -> tuple[SetDie, ...]:
    """The faces of the SET dice that were read."""
    return tuple(one.piece for one in table.sightings if isinstance(one.piece, SetDie))


def scores(state: Any) -> tuple[Words, ...]:
    """``Ann 3`` for each player."""
    return tuple(Message("referee.status.score", name=name, score=score) for name, score in zip(state.players, state.scores, strict=True))


def unread(table: Table) -> tuple[int, ...]:
    """Tracks of the pieces that were not read."""
    return tuple(track_of(one) for one in table.sightings if one.piece is None)


def track_of(sighting: Sighting) -> int:
    """The track of a sighting of a followed table; raises ValueError where it has none."""
    if sighting.track is None:
        raise ValueError("expected a table that is followed, got a sighting without a track; pass tables of `Settled`")
    return sighting.track


def tracks_of(sightings: Iterable[Sighting]) -> tuple[int, ...]:
    """The tracks of several sightings."""
    return tuple(track_of(one) for one in sightings)


def in_reading_order(sightings: Sequence[Sighting]) -> tuple[Sighting, ...]:
    """Sort by rows from the top, in each row from the left."""
    if not sightings:
        return ()
    return tuple(sightings[at] for at in reading_order(np.stack([one.outline_px for one in sightings])))


def by_track(table: Table) -> dict[int, Sighting]:
    """Map each track to its sighting."""
    return {track_of(one): one for one in table.sightings}


def outlined(table: Table, tracks: Iterable[int], tone: Tone, text: Words = "") -> tuple[Mark, ...]:
    """Outline pieces by their tracks; those that have left are passed over."""
    there = by_track(table)
    return tuple(Mark(there[track].outline_px, tone, text) for track in tracks if track in there)


def zone_marks(zones: Zones, table: Table, profile: Calibration | None, players: Sequence[str]) -> tuple[Mark, ...]:
    """Outline zones, thin, with their names."""
    size_px = table.size_px
    return tuple(Mark(zones.outline_px(one.name, size_px, profile), Tone.ZONE, zone_named(one.name, players)) for one in zones.zones)


def at(table: Table, sighting: Sighting) -> Message:
    """Where a sighting lies."""
    return whereabouts(sighting.center_px, table.size_px)


def reaches_out(one: Sighting, size_px: tuple[int, int]) -> bool:
    """Whether a part of a piece is beyond the edge of the picture."""
    return bool(((one.outline_px < 0) | (one.outline_px > size_px)).any())


def has_moved(before_px: Quad, one: Sighting) -> bool:
    """Whether a piece lies elsewhere than it did."""
    return distance_px(before_px, one.outline_px) > _MOVED_SHARE * one.long_side_px


def distance_px(one: Quad, other: Quad) -> float:
    """From the middle of one outline to the middle of another."""
    return float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)))
