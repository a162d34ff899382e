"""Messages between the server and a page, as types: what comes in is checked against them, and the interface is described by them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

MOST_BYTES = 16_384
"""Of one message from a page; the longest that a game needs, a grid of 42 dice, takes 3,000."""

MOST_PLAYERS = 20
"""More than any game takes."""

SCHEMAS = "#/components/schemas/"
"""Where the description of the interface has its types."""

_LARGEST = 2**53
"""Whole numbers beyond this are rounded by browsers."""

_LONGEST_S = 86_400
"""Of a round that a clock counts down: a day."""

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=24, pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+$")]
"""Of a player: without control characters and without what turns the direction of writing."""

Token: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
"""Secret of a seat, code of a match, and name of a source."""

Word: TypeAlias = Annotated[str, Meta(max_length=64)]
"""Name of a game, of a house rule, of a field or of a piece."""

Number: TypeAlias = Annotated[int, Meta(ge=-_LARGEST, le=_LARGEST)]
Milliseconds: TypeAlias = Annotated[float, Meta(ge=0, le=1e12)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Position: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]


class PageMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """What a page says."""


class WirePlacing(Struct, frozen=True, forbid_unknown_fields=True):
    """A die of a hand in a cell, and what it stands for where it is WILD."""

    die: Position
    row: Position
    col: Position
    stated: Word | None = None


Value: TypeAlias = Number | Word | Annotated[list[Number | Word | WirePlacing | None], Meta(max_length=64)] | None
"""Of a field of an event."""


class PlayerWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who is to play."""

    name: Name
    is_bot: bool = False
    strength: Literal[1, 2, 3] = 2


class Hello(PageMessage, frozen=True, tag="hello"):
    """The first message: who is there."""

    seat: Token | None = None
    name: Name | None = None
    code: Token | None = None


class Pong(PageMessage, frozen=True, tag="pong"):
    """The answer to a ping, with the page's own clock."""

    n: Number
    t_ms: Milliseconds


class ClockWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock of the round: it counts up, or down from a limit."""

    limit_s: Annotated[float, Meta(ge=1, le=_LONGEST_S)] | None = None


class BeginMatch(PageMessage, frozen=True, tag="begin"):
    """A match begins; from the host. With `film` what the camera sees is kept."""

    game: Word
    players: Annotated[list[PlayerWanted], Meta(min_length=1, max_length=MOST_PLAYERS)]
    preset: Word | None = None
    house: Annotated[dict[Word, bool | Annotated[float, Meta(ge=-1e9, le=1e9)] | Word | None], Meta(max_length=32)] = {}
    camera: Annotated[str, Meta(max_length=300)] | None = None
    film: bool = False
    round_clock: ClockWanted | None = None
    seed: Number | None = None


class ResumeMatch(PageMessage, frozen=True, tag="resume"):
    """A match goes on; from the host."""

    match: Annotated[int, Meta(ge=1, le=_LARGEST)]


class PlayAgain(PageMessage, frozen=True, tag="again"):
    """The same people begin the game of the last match once more, by the same house rules; from the host.

    Who says after which `match` does not begin twice what another page of the host has begun already.
    """

    match: Annotated[int, Meta(ge=1, le=_LARGEST)] | None = None


class LeaveMatch(PageMessage, frozen=True, tag="leave"):
    """Back to the start; the match stays in the store. From the host."""


class LookThrough(PageMessage, frozen=True, tag="look"):
    """A camera is tried on the start page, or given back; from the host."""

    camera: Annotated[str, Meta(max_length=300)] | None = None


class AnswerPhone(PageMessage, frozen=True, tag="phone"):
    """Whether the phone that asks may be the camera; from the host."""

    number: Annotated[int, Meta(ge=0, le=_LARGEST)]
    is_allowed: bool


class MakeMove(PageMessage, frozen=True, tag="move"):
    """One of the choices that were shown with a version, filled in."""

    version: Number
    choice: Annotated[str, Meta(max_length=100)]
    values: Annotated[dict[Word, Value], Meta(max_length=8)] = {}


class SayWord(PageMessage, frozen=True, tag="say"):
    """What people say at a table; `t_ms` is when, by the page's own clock.

    `number` answers the question whose id is `asked`, "table" and "game" settle the difference whose id that is: nothing where another
    one is told by then. Without `asked` they answer whatever is.
    """

    what: Literal["set", "no_set", "answer", "table", "game", "next", "undo", "dispute", "hint", "pause", "go_on"]
    player: SeatNumber | None = None
    number: Annotated[int, Meta(ge=0, le=1000)] | None = None
    asked: Annotated[str, Meta(max_length=20)] | None = None
    t_ms: Milliseconds | None = None


class WireZone(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the table: left, top, right and bottom in shares of the picture; null takes an optional one away."""

    name: Word
    box: tuple[Share, Share, Share, Share] | None


class MoveZones(PageMessage, frozen=True, tag="zones"):
    """The parts of the table are here from now on; from the host."""

    zones: Annotated[list[WireZone], Meta(max_length=32)]


class SeenPicture(PageMessage, frozen=True, tag="seen"):
    """A picture was drawn: the next may come."""

    n: Number


class WantPictures(PageMessage, frozen=True, tag="stream"):
    """Pictures of the camera are wanted, at most so wide."""

    on: bool
    width: Annotated[int, Meta(ge=16, le=8192)] = 1280


FromPage: TypeAlias = (
    Hello
    | Pong
    | BeginMatch
    | ResumeMatch
    | PlayAgain
    | LeaveMatch
    | LookThrough
    | AnswerPhone
    | MakeMove
    | SayWord
    | MoveZones
    | SeenPicture
    | WantPictures
)
"""Everything that a page may say."""

_decoder = msgspec.json.Decoder(FromPage)


def read_message(text: str | bytes) -> FromPage:
    """Read a message of a page; raises `msgspec.DecodeError` for what is none."""
    message: FromPage = _decoder.decode(text)
    return message


class ServerMessage(Struct, frozen=True, tag_field="type"):
    """What the server says."""


class Welcome(ServerMessage, frozen=True, tag="welcome"):
    """The answer to hello: whose seat this is."""

    seat: str
    is_host: bool
    player: int | None
    language: str


class Ping(ServerMessage, frozen=True, tag="ping"):
    """Asks for the page's clock."""

    n: int


class WholeState(ServerMessage, frozen=True, tag="state"):
    """The whole state; the first message after welcome."""

    version: int
    whole: Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": f"{SCHEMAS}TableState"})]


class ChangedState(ServerMessage, frozen=True, tag="change"):
    """The keys of the state that differ from an earlier version."""

    version: int
    since: int
    set: Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": f"{SCHEMAS}StateChange"})]
    gone: list[str]


class RefusedMessage(ServerMessage, frozen=True, tag="refused"):
    """Something was not done, to the one who asked; `why` is a word for programs."""

    text: str
    why: str


class FailedMessage(ServerMessage, frozen=True, tag="error"):
    """The socket is closed after this; `why` is a word for programs."""

    text: str
    why: str


ToPage: TypeAlias = Welcome | Ping | WholeState | ChangedState | RefusedMessage | FailedMessage
"""Everything that the server says."""


def written(message: ToPage) -> str:
    """Write a message to a page."""
    return msgspec.json.encode(message).decode()
