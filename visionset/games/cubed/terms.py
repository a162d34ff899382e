"""The words of SET Cubed: its options, phases and events (rules D5 to D12)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

from visionset.games.base import Event
from visionset.games.cubed import SPEC
from visionset.games.cubed.board import Board, default_board
from visionset.games.grid import Placing, Window
from visionset.games.house import check_ranges
from visionset.games.sets import DICE_COUNT
from visionset.pieces import SetDie


@dataclass(frozen=True, slots=True)
class CubedOptions:
    """House rules of SET Cubed."""

    hand: int = 5
    """Dice that a player draws up to (D5, D10)."""
    per_turn: int = 3
    """Dice that may be laid in a turn (D6)."""
    extra_roll: bool = True
    """True: before each round everyone may roll any dice once more (D10)."""
    extra_roll_s: float = 30.0
    """Seconds for the extra roll, as the source proposes (D10)."""
    board: Board = field(default_factory=default_board)
    """Size, logo and bonus squares (D8)."""

    def __post_init__(self) -> None:
        check_ranges(SPEC, self, hand=(3, DICE_COUNT), per_turn=(1, DICE_COUNT), extra_roll_s=(0.0, 3600.0))


class Phase(Enum):
    """What the table waits for."""

    OPENING_ROLL = "opening_roll"
    OPENING = "opening"
    TURN = "turn"
    WILD_ROLL = "wild_roll"
    DRAW = "draw"
    EXTRA = "extra"
    ROLL_ALL = "roll_all"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class MadeSet:
    """A new SET on the board and what it brought."""

    cells: Window
    points: int
    """One for each die that is no WILD laid in this turn (D7)."""


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """All players roll all the dice in their hands: one hand for each."""

    readings: ClassVar[tuple[str, ...]] = ("hands",)
    hands: tuple[tuple[SetDie, ...], ...]


@dataclass(frozen=True, slots=True)
class Open(Event):
    """The first player to say SET lays it on the logo."""

    player: int
    dice: tuple[int, int, int]
    """Positions in the hand, in the order of the logo squares."""
    stated: tuple[SetDie | None, SetDie | None, SetDie | None] = (None, None, None)
    """For each die that is a WILD what it stands for, else None."""


@dataclass(frozen=True, slots=True)
class Place(Event):
    """The player whose turn it is lays one to three dice at once."""

    player: int
    dice: tuple[Placing, ...]


@dataclass(frozen=True, slots=True)
class Replace(Event):
    """A die of the hand goes where a WILD lies on the board."""

    player: int
    die: int
    row: int
    col: int


@dataclass(frozen=True, slots=True)
class RollWild(Event):
    """The WILD taken off the board is rolled."""

    readings: ClassVar[tuple[str, ...]] = ("face",)
    player: int
    face: SetDie


@dataclass(frozen=True, slots=True)
class EndTurn(Event):
    """The turn is over, or skipped."""

    player: int


@dataclass(frozen=True, slots=True)
class NobodyCan(Event):
    """Everybody says that nobody can make a SET (D11): needed where the hands are not seen and hold WILDs, which always can."""


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """All players draw and roll their new dice: the new faces for each."""

    readings: ClassVar[tuple[str, ...]] = ("faces",)
    faces: tuple[tuple[SetDie, ...], ...]


@dataclass(frozen=True, slots=True)
class ExtraRoll(Event):
    """A player rolls some dice of the hand once more, or keeps all when no dice are named."""

    readings: ClassVar[tuple[str, ...]] = ("faces",)
    player: int
    dice: tuple[int, ...] = ()
    faces: tuple[SetDie, ...] = ()
