"""The state of a table as types: the interface is described by them, and tests hold every state that a page is told against them.

Each type says what `showing`, `camera_showing` and the tables write; a key is added there and here together. Longer than most modules: one
type after the other, it is read like a form.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType


class _Shown(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the state; all of its keys are always there."""


class ShownPiece(_Shown, frozen=True):
    """A piece: `kind` and `code` name its drawing, `text` and `said` are it in words."""

    kind: str
    code: str
    text: str
    said: str


class ShownEntry(_Shown, frozen=True):
    """A cell of a grid."""

    text: str
    piece: ShownPiece | None
    stress: Literal["none", "faint", "good", "due"]


class ShownSpread(_Shown, frozen=True, tag_field="part", tag="spread"):
    """Pieces on the table, so many in a row; null where a place is empty.

    Where the table closes up, `places` says for each piece where it is drawn, among `room` places: there it stays while others are taken.
    """

    title: str
    columns: int
    pieces: list[ShownPiece | None]
    places: list[int]
    room: int


class ShownGrid(_Shown, frozen=True, tag_field="part", tag="grid"):
    """A board or a sheet of scores."""

    title: str
    head: list[str]
    rows: list[list[ShownEntry]]


class ShownHand(_Shown, frozen=True, tag_field="part", tag="hand"):
    """What a player holds and has laid; `number` is the player's, null for somebody else's hand, such as the dealer's.

    `lent` are the places of pieces that lie on boards of others.
    """

    player: str
    number: int | None
    pieces: list[ShownPiece]
    is_numbered: bool
    after: str
    laid: list[list[ShownPiece]]
    lent: list[int]


ShownPart: TypeAlias = ShownSpread | ShownGrid | ShownHand


class ShownGame(_Shown, frozen=True):
    """A game by its name."""

    name: str
    title: str


class ShownPlayer(_Shown, frozen=True):
    """A player, or before a match somebody whose phone is there."""

    name: str
    score: int
    key: str
    is_bot: bool
    is_connected: bool
    sits_out: bool
    is_due: bool
    has_called: bool


class ShownPrompt(_Shown, frozen=True):
    """What somebody should do now; `players` are those who are meant by name, `at` places of the first spread."""

    to: str
    players: list[int]
    text: str
    at: list[int]


class ShownOption(_Shown, frozen=True):
    """An answer to a question, by its number."""

    number: int
    text: str
    piece: ShownPiece | None


class ShownQuestion(_Shown, frozen=True):
    """What the referee asks; 0 answers that it is none of the options. An answer says by its `id` which question it means.

    `picture` is a name for `/exhibit`, of the one piece that it is about, where that is none of the `exhibits`.
    """

    id: str
    text: str
    options: list[ShownOption]
    none: str
    picture: str | None


class ShownNeed(_Shown, frozen=True):
    """What a choice wants to be filled in with."""

    field: str
    text: str
    values: list[int | str]
    count: int | None
    form: Literal["value", "list", "placings", "wilds"]


class ShownChoice(_Shown, frozen=True):
    """What may be done now; before a camera what is not said is done on the table."""

    id: str
    event: str
    label: str
    player: int | None
    needs: list[ShownNeed]
    fixed: dict[str, Any]
    is_said: bool


class ShownClock(_Shown, frozen=True):
    """The time of a caller, as it was when the state was told; it stands while nobody could see what is done."""

    player: int
    left_s: float
    of_s: float
    stands: bool


class ShownRound(_Shown, frozen=True):
    """The clock of the round, as it was when the state was told; it counts down where it has a limit, and is up beyond that."""

    elapsed_s: float
    limit_s: float | None
    is_running: bool
    is_up: bool


class ShownAttribute(_Shown, frozen=True):
    """One attribute of three pieces: all the same, all different, or two and one."""

    attribute: str
    values: list[str]
    is_right: bool
    words: str


class ShownLine(_Shown, frozen=True):
    """A line of the log; `pictures` are names for `/exhibit`."""

    n: int
    text: str
    notice: str
    at_s: float | None
    player: int | None
    pieces: list[ShownPiece]
    explain: list[ShownAttribute] | None
    pictures: list[str]


class ShownExhibit(_Shown, frozen=True):
    """A piece in doubt or in dispute; `picture` is a name for `/exhibit`."""

    piece: ShownPiece
    confidence: float | None
    runner_up: ShownPiece | None
    picture: str | None


class ShownRank(_Shown, frozen=True):
    """A place among all games kept."""

    place: int
    name: str
    points: int
    is_mine: bool


class ShownEnd(_Shown, frozen=True):
    """The end of a match; `rank` where the game keeps scores."""

    winners: list[int]
    text: str
    rank: list[ShownRank] | None


class ShownStanding(_Shown, frozen=True):
    """Somebody's rounds of this evening added up."""

    name: str
    won: int
    points: int
    rounds: int


class ShownMark(_Shown, frozen=True):
    """An outline that the referee draws, in pixels of the picture."""

    outline: list[tuple[int, int]]
    tone: str
    text: str


class ShownSighting(_Shown, frozen=True):
    """A piece that the camera sees, in pixels of the picture."""

    track: int
    outline: list[tuple[int, int]]
    kind: str
    piece: ShownPiece | None
    text: str


class ShownCamera(_Shown, frozen=True):
    """What the camera sees, and what could be better; `offer` and `source` before a match alone."""

    size: tuple[int, int]
    marks: list[ShownMark]
    pieces: list[ShownSighting]
    remarks: list[str]
    trouble: str
    is_held: bool
    advice: list[str]
    offer: ShownGame | None
    source: str | None


class ShownPhone(_Shown, frozen=True):
    """A phone that wants to be the camera; `name` is of its player, or empty."""

    number: int
    name: str
    address: str


class ShownZone(_Shown, frozen=True):
    """A part of the table: left, top, right and bottom in shares of the picture; null for an optional one that is not put down."""

    name: str
    text: str
    box: tuple[float, float, float, float] | None
    is_optional: bool


class ShownHints(_Shown, frozen=True):
    """The hint that this page asked for."""

    level: int
    text: str
    at: list[int]


class TableState(_Shown, frozen=True):
    """The state of the table."""

    page: Literal["start", "table", "over"]
    game: ShownGame | None
    match: int | None
    is_camera: bool
    is_filmed: bool
    heard: list[Literal["set", "no_set"]]
    players: list[ShownPlayer]
    prompts: list[ShownPrompt]
    notice: str
    question: ShownQuestion | None
    is_round_over: bool
    is_hurried: bool
    """People wait for nothing but what comes by itself: "next" lets it come now."""
    differ: str
    differ_id: str | None
    choices: list[ShownChoice]
    view: list[ShownPart]
    clock: ShownClock | None
    round_clock: ShownRound | None
    log: list[ShownLine]
    exhibits: list[ShownExhibit]
    over: ShownEnd | None
    standings: list[ShownStanding]
    camera: ShownCamera | None
    asking_phone: ShownPhone | None
    lacks_phone: bool
    """A phone is the camera, and sends nothing; the host's page is told alone."""
    zones: list[ShownZone] | None
    sheet: list[tuple[str, str]]
    status: list[tuple[str, str]]
    hints: ShownHints | None


class VersionedState(TableState, frozen=True):
    """The state of the table with its version, which only grows."""

    version: int


StateChange = msgspec.defstruct(
    "StateChange",
    [(one.name, one.type | UnsetType, UNSET) for one in msgspec.structs.fields(TableState)],
    namespace={"__doc__": "The keys of the state that changed."},
    frozen=True,
    forbid_unknown_fields=True,
)
