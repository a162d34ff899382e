"""The set-finding core: SETs among cards and among dice (rules S1, S2, D2, D3).

Pieces go in, positions come out. A piece that is there and could not be read stays in the sequence as None,
so that every position keeps its meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, TypeVar

from visionset.errors import PieceError, repr_in_a_line
from visionset.kinds import KIND_SPECS
from visionset.messages import Message
from visionset.pieces import SET_CARD_INDEX, SET_DECK, SET_DIE_FACES, Kind, Piece, PipDie, PlayingCard, SetCard, SetDie

P = TypeVar("P", SetCard, SetDie)

DICE_COUNT = 42
"""How many SET dice there are (rule D13)."""

Triple = tuple[int, int, int]
"""Three positions, ascending."""

_CARD_ATTRIBUTES, _DIE_ATTRIBUTES = KIND_SPECS[Kind.SET_CARD].attributes, KIND_SPECS[Kind.SET_DIE].attributes


def _thirds(digits: int) -> tuple[tuple[int, ...], ...]:
    # SET_DECK and SET_DIE_FACES run through their attributes like the digits of a base-3 number. The third value of
    # an attribute is the one that brings the sum of the three digits to a multiple of 3.
    codes = list(product(range(3), repeat=digits))
    weights = [3**place for place in reversed(range(digits))]
    return tuple(tuple(sum((-x - y) % 3 * w for x, y, w in zip(a, b, weights, strict=True)) for b in codes) for a in codes)


CARD_THIRD: tuple[tuple[int, ...], ...] = _thirds(len(_CARD_ATTRIBUTES))
"""``CARD_THIRD[i][j]`` is the index in `SET_DECK` of the card that completes cards i and j."""

DIE_THIRD: tuple[tuple[int, ...], ...] = _thirds(len(_DIE_ATTRIBUTES))
"""``DIE_THIRD[i][j]`` is the index in `SET_DIE_FACES` of the face that completes faces i and j; WILD is not among them."""

DIE_FACE_INDEX: dict[SetDie, int] = {face: index for index, face in enumerate(SET_DIE_FACES)}
"""Place of each face in `SET_DIE_FACES`; WILD is last."""

WILD = SetDie()
"""The face that stands for any other."""

WILD_INDEX = DIE_FACE_INDEX[WILD]
"""Place of WILD in `SET_DIE_FACES`."""


def third(first: P, second: P) -> P:
    """Return the one piece that completes two to a SET (rule S2, D2).

    Two different cards are completed by a third card, two equal dice by the same face again.

    Raises
    ------
    ValueError
        For a WILD: any face completes it; and for one card given twice: no card of the deck completes it.
    PieceError
        They are no SET cards and no SET dice, or one of each: a `ValueError` too.

    Examples
    --------
    >>> str(third(SetCard.parse("1-red-open-oval"), SetCard.parse("2-red-striped-oval")))
    '3-red-solid-oval'
    >>> str(third(SetDie.parse("1-red-oval"), SetDie.parse("1-red-oval")))
    '1-red-oval'
    """
    if isinstance(first, SetCard) and isinstance(second, SetCard):
        if first == second:
            raise ValueError(f"expected two different cards, got {first} twice; the deck holds each card once")
        return SET_DECK[CARD_THIRD[SET_CARD_INDEX[first]][SET_CARD_INDEX[second]]]
    if WILD in (first, second):
        raise ValueError("expected two faces with symbols, got a WILD; any face completes it, so state what it stands for first")
    try:
        return SET_DIE_FACES[DIE_THIRD[DIE_FACE_INDEX[first]][DIE_FACE_INDEX[second]]]
    except (KeyError, TypeError):
        _codes((first, second))
        raise PieceError("expected two pieces, got None among them; what was not read is completed by nothing that is known") from None


def _codes(pieces: Sequence[object]) -> tuple[bool, list[int | None]]:
    """Tell whether these are dice, and the index of each piece in its deck. Raises `PieceError`: one is neither, or they are mixed."""
    index: dict[Any, int] = DIE_FACE_INDEX if any(isinstance(piece, SetDie) for piece in pieces) else SET_CARD_INDEX
    try:
        return index is DIE_FACE_INDEX, [None if piece is None else index[piece] for piece in pieces]
    except (KeyError, TypeError):
        other = next(piece for piece in pieces if piece is not None and not (isinstance(piece, (SetCard, SetDie)) and piece in index))
        if isinstance(other, (SetCard, SetDie, PipDie, PlayingCard)):
            todo = "choose those of one kind, as by [one.piece for one in table.sightings if one.kind is Kind.SET_CARD]"
            raise PieceError(f"expected SET cards alone or SET dice alone, got {other} among them; {todo}") from None
        todo = "make a piece of a name by SetCard.parse or SetDie.parse, and give those of a table as table.pieces"
        raise PieceError(f"expected SET cards alone or SET dice alone, got {repr_in_a_line(other)}; {todo}") from None


def _three(pieces: tuple[object, object, object]) -> tuple[bool, int, int, int]:
    """As `_codes`, of three pieces; raises `PieceError` for one that was not read, too."""
    are_dice, (a, b, c) = _codes(pieces)
    if a is None or b is None or c is None:
        raise PieceError("expected three pieces, got None among them; nobody knows whether a piece that was not read makes a SET")
    return are_dice, a, b, c


def is_set(first: P, second: P, last: P) -> bool:
    """Tell whether three pieces are a SET: each attribute all the same or all different (rule S2, D2).

    A WILD stands for the face that is needed (rule D3). One card read twice is never part of a SET. Raises `PieceError`: one of them is no
    SET card and no SET die, or they are mixed.

    >>> one, two, three = (SetCard.parse(f"{number}-red-open-oval") for number in (1, 2, 3))
    >>> is_set(one, two, three), is_set(one, two, two)
    (True, False)
    >>> is_set(SetDie.parse("1-red-oval"), SetDie.parse("2-green-oval"), WILD)
    True
    """
    are_dice, a, b, c = _three((first, second, last))
    if are_dice:
        return WILD_INDEX in (a, b, c) or DIE_THIRD[a][b] == c
    return a != b and CARD_THIRD[a][b] == c


def why_not(first: P, second: P, last: P) -> tuple[Message, ...]:
    """Say why three pieces are no SET; empty for a SET.

    Returns
    -------
    tuple of Message
        One entry for each attribute on which two are and one is not, such as two striped and one solid.
        One card given twice is named instead.

    Raises
    ------
    PieceError
        One of them is no SET card and no SET die, or they are mixed: a `ValueError` too.

    Examples
    --------
    >>> cards = [SetCard.parse(name) for name in ("1-red-open-oval", "2-red-open-oval", "3-green-open-oval")]
    >>> print(*why_not(*cards))
    two are red, one is green: color is neither all the same nor all different
    >>> print(*why_not(cards[0], cards[0], cards[1]))
    1-red-open-oval is there twice, the deck holds it once
    """
    pieces = (first, second, last)
    are_dice, *_ = _three(pieces)
    if not are_dice:
        twice = [card for card in dict.fromkeys(pieces) if pieces.count(card) > 1]
        if twice:
            return tuple(Message("game.why_not.thrice" if pieces.count(card) > 2 else "game.why_not.twice", card=card) for card in twice)
    elif WILD in pieces:
        return ()
    reasons = []
    for name in _DIE_ATTRIBUTES if are_dice else _CARD_ATTRIBUTES:
        values = [getattr(piece, name) for piece in pieces]
        if len(set(values)) == 2:
            two, one = sorted(set(values), key=values.count, reverse=True)
            reasons.append(two_and_one(name, two, one))
    return tuple(reasons)


def two_and_one(attribute: str, two: object, one: object) -> Message:
    """Say in which attribute two pieces are alike and the third is not."""
    if attribute == "number":  # two cards are red, but they are not 1: they have 1 symbol
        return Message("game.why_not.two_and_one_number", two=two, one=one)
    return Message("game.why_not.two_and_one", attribute=Message(f"attribute.{attribute}"), two=two, one=one)


def find_sets(pieces: Iterable[Piece | None]) -> tuple[Triple, ...]:
    """Find every SET among what lies on the table.

    Parameters
    ----------
    pieces : iterable of SetCard or None, or of SetDie or None
        None stands for a piece that is there and could not be read.

    Returns
    -------
    tuple of (int, int, int)
        Positions into `pieces`, ascending, in lexicographic order. A card that is there twice takes no part in a
        SET (see `duplicates`); equal dice do, and a WILD completes any two dice (rule D3).

    Raises
    ------
    PieceError
        Something is neither card nor die, or both are there, or what is given holds no pieces: a `ValueError` too.

    Examples
    --------
    >>> names = ("1-red-open-oval", "2-red-open-oval", "2-green-solid-diamond", "3-red-open-oval")
    >>> cards = [SetCard.parse(name) for name in names]
    >>> find_sets(cards), find_sets([None, *cards])
    (((0, 1, 3),), ((1, 2, 4),))
    >>> len(find_sets(SET_DECK))
    1080
    """
    return tuple(_sets(pieces))


def _sets(pieces: Iterable[Piece | None]) -> Iterator[Triple]:
    if not isinstance(pieces, Iterable):
        raise PieceError(f"expected pieces, got {type(pieces).__name__}; give those of a table as table.pieces")
    are_dice, codes = _codes(tuple(pieces))
    return _dice_sets(codes) if are_dice else _card_sets(codes)


def _card_sets(codes: list[int | None]) -> Iterator[Triple]:
    place = [-1] * len(SET_DECK)
    twice = set()
    for position, code in enumerate(codes):
        if code is not None:
            if place[code] >= 0:
                twice.add(code)
            place[code] = position
    for code in twice:
        place[code] = -1
    there = [(position, code) for position, code in enumerate(codes) if code is not None and code not in twice]
    for rank, (i, a) in enumerate(there, 1):
        row = CARD_THIRD[a]
        yield from [(i, j, k) for j, b in there[rank:] if (k := place[row[b]]) > j]


def _dice_sets(codes: list[int | None]) -> Iterator[Triple]:
    there = [(position, code) for position, code in enumerate(codes) if code is not None]
    completing: list[list[int]] = [[] for _ in range(WILD_INDEX)]
    for position, code in there:
        for face in range(WILD_INDEX) if code == WILD_INDEX else (code,):
            completing[face].append(position)
    every = [position for position, _ in there]
    for rank, (i, a) in enumerate(there, 1):
        for j, b in there[rank:]:
            any_fits = WILD_INDEX in (a, b)
            yield from [(i, j, k) for k in (every if any_fits else completing[DIE_THIRD[a][b]]) if k > j]


def has_set(pieces: Sequence[P | None]) -> bool:
    """Tell whether there is a SET among what lies on the table; see `find_sets`."""
    return next(_sets(pieces), None) is not None


def duplicates(cards: Sequence[SetCard | None]) -> tuple[tuple[int, ...], ...]:
    """Report each card that was read more than once: one deck holds each card once (rule S1).

    Returns
    -------
    tuple of tuples of int
        The positions of each such card, in the order of their first positions; empty for a table that can be.

    Examples
    --------
    >>> card = SET_DECK[0]
    >>> duplicates([card, None, SET_DECK[1], card])
    ((0, 3),)
    """
    places: dict[SetCard, list[int]] = {}
    for position, card in enumerate(cards):
        if card is not None:
            places.setdefault(card, []).append(position)
    return tuple(tuple(positions) for positions in places.values() if len(positions) > 1)
