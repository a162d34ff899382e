"""Pieces in words: for the terminal, for labels and for people at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from visionset.kinds import KIND_SPECS
from visionset.messages import Message
from visionset.pieces import Kind, Piece, PlayingCard, Rank, SetCard, SetDie, Suit

_SUIT = {Suit.CLUBS: "clubs", Suit.DIAMONDS: "diamonds", Suit.HEARTS: "hearts", Suit.SPADES: "spades"}


def whereabouts(center_px: Iterable[float], size_px: tuple[int, int]) -> Message:
    """Where in a picture a point lies, by ninths.

    >>> print(whereabouts((100, 50), (1280, 720)), whereabouts((640, 360), (1280, 720)), sep=", ")
    at top left, in the middle
    """
    across, down = (min(2, max(0, int(3 * float(at) / size))) for at, size in zip(center_px, size_px, strict=True))
    words = [word for word in (_ROWS[down], _COLUMNS[across]) if word]
    return Message(f"where.{'_'.join(words) or 'middle'}")


_ROWS, _COLUMNS = ("top", "", "bottom"), ("left", "", "right")


def label_lines(piece: Piece) -> tuple[tuple[str, ...], ...]:
    """Labels for a piece as lines of text, the fullest first and the shortest last.

    Short forms: ``2R st ov`` for a SET card, ``2R ov`` for a SET die, ``Q he`` for a playing card (no font has every suit's sign).

    >>> from visionset.pieces import SetCard
    >>> label_lines(SetCard.parse("2-red-striped-oval"))
    (('2 red striped ovals',), ('2 red', 'striped ovals'), ('2R st ov',))
    """
    if isinstance(piece, PlayingCard):
        rank = "10" if piece.rank is Rank.TEN else piece.rank.value
        suit = _SUIT[piece.suit]
        return ((f"{rank} {suit}",), (rank, suit), (f"{rank} {suit[:2]}",))
    if isinstance(piece, SetDie):
        if piece.color is None or piece.shape is None:
            return (("WILD",), ("W",))
        color = piece.color.value
        return (
            (f"{piece.number} {color} {_shape(piece)}",),
            (f"{piece.number} {color}", _shape(piece)),
            (f"{piece.number}{color[0].upper()} {piece.shape.value[:2]}",),
        )
    if not isinstance(piece, SetCard):
        return ((str(piece),),)
    color, shading, shape = piece.color.value, piece.shading.value, piece.shape.value
    return (
        (f"{piece.number} {color} {shading} {_shape(piece)}",),
        (f"{piece.number} {color}", f"{shading} {_shape(piece)}"),
        (f"{piece.number}{color[0].upper()} {shading[:2]} {shape[:2]}",),
    )


def _shape(piece: SetCard | SetDie) -> str:
    if piece.shape is None or piece.number is None:
        return "WILD"
    return piece.shape.value + ("s" if piece.number > 1 else "")


def counted(number: int, noun: str) -> str:
    """``1 card``, ``3 cards``, ``no SET``.

    >>> counted(0, "SET"), counted(1, "card"), counted(3, "card")
    ('no SET', '1 card', '3 cards')
    """
    if number == 0:
        return f"no {noun}"
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def counted_pieces(kinds: Iterable[Kind]) -> str:
    """``9 cards``, ``3 cards and 17 SET dice``; ``no card`` for an empty table.

    >>> counted_pieces([Kind.SET_CARD] * 3 + [Kind.SET_DIE] * 17)
    '3 cards and 17 SET dice'
    """
    there = Counter(kinds)
    named = [f"{there[kind]} {KIND_SPECS[kind].nouns[there[kind] > 1]}" for kind in Kind if there[kind]]
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named) or "no card"
