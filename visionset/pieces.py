"""What lies on a table: SET cards, SET dice, pip dice, playing cards.

Each piece is a frozen value; ``parse`` and ``str`` are inverse, and only they know the letters. Longer than most modules: the kinds are
written alike, and read beside each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import product
from numbers import Integral
from typing import ClassVar, Self, TypeVar

from visionset.errors import PieceError
from visionset.messages import Message


class _Attribute(Enum):
    """What a piece has. Members are single objects and hashed as such: by their names, as usual, to compare tables takes longer."""

    __hash__ = object.__hash__


class Color(_Attribute):
    """Ink of a SET symbol."""

    RED = "red"
    GREEN = "green"
    PURPLE = "purple"

    @property
    def said(self) -> Message:
        """What people call it."""
        return Message(f"color.{self.value}")


class Shape(_Attribute):
    """Outline of a SET symbol."""

    OVAL = "oval"
    SQUIGGLE = "squiggle"
    DIAMOND = "diamond"

    @property
    def said(self) -> Message:
        """What people call it."""
        return Message(f"shape.{self.value}")


class Shading(_Attribute):
    """Filling of a SET symbol."""

    SOLID = "solid"
    STRIPED = "striped"
    OPEN = "open"

    @property
    def said(self) -> Message:
        """What people call it."""
        return Message(f"shading.{self.value}")


class Kind(_Attribute):
    """Sort of piece, as named in the JSON of ``visionset read --json``."""

    SET_CARD = "set_card"
    SET_DIE = "set_die"
    PIP_DIE = "pip_die"
    PLAYING_CARD = "playing_card"
    CARD_BACK = "card_back"


E = TypeVar("E", bound=Enum)


def _member(enum: type[E], text: str, whole: str) -> E:
    try:
        return enum(text)
    except ValueError:
        allowed = ", ".join(str(member.value) for member in enum)
        raise PieceError(f"expected one of {allowed}, got {text!r} in {whole!r}; write it as one of these") from None


def _name(text: object) -> str:
    """Raises `PieceError`: it is no text."""
    if not isinstance(text, str):
        raise PieceError(f"expected the name of a piece as text, got {text!r:.80}; a piece that was not read has none: pass it over")
    return text


def _number(text: str, whole: str) -> int:
    if text not in {"1", "2", "3"}:
        raise PieceError(f"expected a number from 1 to 3, got {text!r} in {whole!r}; name the number first")
    return int(text)


def _is_whole(number: object) -> bool:
    """Whether it is a whole number, of NumPy too: 2.0 is none, for a name is made of it."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def _checked(number: object, *attributes: tuple[object, type[Enum]]) -> None:
    """Raises `PieceError`: no SET symbols have that number, or one of the attributes is no such attribute."""
    if not _is_whole(number) or number not in (1, 2, 3):
        raise PieceError(f"expected a number of symbols from 1 to 3, got {number!r:.80}; or read a name by parse")
    _are(*attributes)


def _are(*attributes: tuple[object, type[Enum]]) -> None:
    """Raises `PieceError`: one of the attributes is no such attribute."""
    for given, kind in attributes:
        if not isinstance(given, kind):
            raise PieceError(f"expected a {kind.__name__}, got {given!r:.80}; give one such as {next(iter(kind))}, or read a name by parse")


@dataclass(frozen=True, slots=True)
class SetCard:
    """One of the 81 cards of SET (rule S1).

    Attributes
    ----------
    number : int
        1, 2 or 3 symbols.
    color, shading, shape : Color, Shading, Shape
        The three other attributes.

    Examples
    --------
    >>> card = SetCard.parse("2-red-striped-oval")
    >>> card.shading, str(card), card.index
    (<Shading.STRIPED: 'striped'>, '2-red-striped-oval', 30)
    >>> SetCard.parse("2-red-oval")
    Traceback (most recent call last):
        ...
    visionset.errors.PieceError: expected number-color-shading-shape, got '2-red-oval'; write it as 2-red-striped-oval
    """

    kind: ClassVar[Kind] = Kind.SET_CARD
    number: int
    color: Color
    shading: Shading
    shape: Shape

    def __post_init__(self) -> None:
        """Raises `PieceError`: there is no such card."""
        _checked(self.number, (self.color, Color), (self.shading, Shading), (self.shape, Shape))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``2-red-striped-oval``; raises `PieceError` for anything else."""
        parts = _name(text).split("-")
        if len(parts) != 4:
            raise PieceError(f"expected number-color-shading-shape, got {text!r}; write it as 2-red-striped-oval")
        number, color, shading, shape = parts
        return cls(_number(number, text), _member(Color, color, text), _member(Shading, shading, text), _member(Shape, shape, text))

    @property
    def index(self) -> int:
        """Place in `SET_DECK`, 0 to 80."""
        return SET_CARD_INDEX[self]

    @property
    def said(self) -> Message:
        """What people call it."""
        looks = {"color": self.color, "shading": self.shading}
        return Message(f"set_card.{self.shape.value}", code=str(self), count=self.number, number=Message(f"number.{self.number}"), **looks)

    def __str__(self) -> str:
        return f"{self.number}-{self.color.value}-{self.shading.value}-{self.shape.value}"


@dataclass(frozen=True, slots=True)
class SetDie:
    """A face of a SET die: symbols without shading (rule D1), or WILD when all three are None.

    >>> SetDie.parse("1-green-diamond").color, SetDie.parse("wild").is_wild, len(SET_DIE_FACES)
    (<Color.GREEN: 'green'>, True, 28)
    """

    kind: ClassVar[Kind] = Kind.SET_DIE
    number: int | None = None
    color: Color | None = None
    shape: Shape | None = None

    def __post_init__(self) -> None:
        if len({self.number is None, self.color is None, self.shape is None}) != 1:
            raise PieceError("expected number, color and shape together, or none of them for WILD; give all three")
        if self.number is not None:
            _checked(self.number, (self.color, Color), (self.shape, Shape))

    @property
    def is_wild(self) -> bool:
        """True for the face that stands for any other (rule D3)."""
        return self.number is None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``2-red-oval`` or ``wild``; raises `PieceError` for anything else."""
        if text == "wild":
            return cls()
        parts = _name(text).split("-")
        if len(parts) != 3:
            raise PieceError(f"expected number-color-shape or wild, got {text!r}; write it as 2-red-oval")
        number, color, shape = parts
        return cls(_number(number, text), _member(Color, color, text), _member(Shape, shape, text))

    @property
    def said(self) -> Message:
        """What people call it."""
        if self.number is None or self.color is None or self.shape is None:
            return Message("piece.wild")
        number = Message(f"number.{self.number}")
        return Message(f"set_die.{self.shape.value}", code=str(self), count=self.number, number=number, color=self.color)

    def __str__(self) -> str:
        if self.color is None or self.shape is None:
            return "wild"
        return f"{self.number}-{self.color.value}-{self.shape.value}"


@dataclass(frozen=True, slots=True)
class PipDie:
    """The top face of an ordinary six-sided die.

    >>> PipDie.parse("5").value, str(PipDie(6))
    (5, '6')
    """

    kind: ClassVar[Kind] = Kind.PIP_DIE
    value: int

    def __post_init__(self) -> None:
        if not _is_whole(self.value) or not 1 <= self.value <= 6:
            raise PieceError(f"expected a die value from 1 to 6, got {self.value!r:.80}; count the pips of the top face")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``1`` to ``6``; raises `PieceError` for anything else."""
        if len(_name(text)) != 1 or text not in "123456":
            raise PieceError(f"expected a die value from 1 to 6, got {text!r}; count the pips of the top face")
        return cls(int(text))

    @property
    def said(self) -> Message:
        """What people call it."""
        return Message("piece.pip_die", value=self.value)

    def __str__(self) -> str:
        return str(self.value)


class Rank(_Attribute):
    """Rank of a playing card; the value is its letter."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    @property
    def said(self) -> Message:
        """What people call it."""
        return Message(f"rank.{self.value}")


class Suit(_Attribute):
    """Suit of a playing card; the value is its letter."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def said(self) -> Message:
        """What people call it."""
        return Message(f"suit.{self.value}")


@dataclass(frozen=True, slots=True)
class PlayingCard:
    """One of 52 cards.

    >>> PlayingCard.parse("QH")
    PlayingCard(rank=<Rank.QUEEN: 'Q'>, suit=<Suit.HEARTS: 'H'>)
    >>> str(PlayingCard(Rank.TEN, Suit.SPADES))
    'TS'
    """

    kind: ClassVar[Kind] = Kind.PLAYING_CARD
    rank: Rank
    suit: Suit

    def __post_init__(self) -> None:
        """Raises `PieceError`: there is no such card."""
        _are((self.rank, Rank), (self.suit, Suit))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``QH`` or ``TS``; raises `PieceError` for anything else."""
        if len(_name(text)) != 2:
            raise PieceError(f"expected rank and suit, got {text!r}; write the queen of hearts as QH, the ten of spades as TS")
        return cls(_member(Rank, text[0], text), _member(Suit, text[1], text))

    @property
    def said(self) -> Message:
        """What people call it."""
        return Message("piece.playing_card", code=str(self), rank=self.rank, suit=self.suit)

    def __str__(self) -> str:
        return f"{self.rank.value}{self.suit.value}"


Piece = SetCard | SetDie | PipDie | PlayingCard

SET_DECK: tuple[SetCard, ...] = tuple(SetCard(*parts) for parts in product((1, 2, 3), Color, Shading, Shape))
"""The 81 SET cards, number slowest, shape fastest."""

SET_CARD_INDEX: dict[SetCard, int] = {card: index for index, card in enumerate(SET_DECK)}
"""Place of each card in `SET_DECK`."""

SET_DIE_FACES: tuple[SetDie, ...] = (*(SetDie(*parts) for parts in product((1, 2, 3), Color, Shape)), SetDie())
"""The 28 different faces: 27 with symbols and WILD."""

PACK: tuple[PlayingCard, ...] = tuple(PlayingCard(rank, suit) for suit in Suit for rank in Rank)
"""The 52 playing cards, rank fastest."""
