"""Pieces in words: for the terminal, for labels and for people at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from visionset.messages import Message, Words, in_words
from visionset.pieces import Color, Kind, Piece, PipDie, PlayingCard, SetCard


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
    full, short = _labels(piece)
    lines = tuple(in_words(full).split("\n"))
    return tuple(dict.fromkeys(((" ".join(lines),), lines, (in_words(short),))))


def _labels(piece: Piece) -> tuple[Message, Message]:
    """The label of a piece, in which a new line may begin, and its short form."""
    if isinstance(piece, PlayingCard):
        rank = Message(f"index.{piece.rank.value}")
        return (
            Message("label.playing_card", rank=rank, suit=piece.suit),
            Message("short.playing_card", rank=rank, suit=Message(f"short.{piece.suit.value}")),
        )
    if isinstance(piece, PipDie):
        return piece.said, piece.said
    if piece.color is None or piece.shape is None or piece.number is None:
        return Message("label.wild"), Message("short.wild")
    looks = {"color": piece.color} | ({"shading": piece.shading} if isinstance(piece, SetCard) else {})
    short = {name: Message(f"short.{value.value}") for name, value in {**looks, "shape": piece.shape}.items()}
    return (
        Message(f"label.{piece.kind.value}.{piece.shape.value}", count=piece.number, **looks),
        Message(f"short.{piece.kind.value}", count=piece.number, **short),
    )


def color_letter(color: Color) -> str:
    """The first letter of a colour, for people who do not tell the colours apart."""
    return in_words(color.said)[:1].upper()


def counted(number: int, noun: str, many: str = "") -> str:
    """``1 frame``, ``3 frames``, ``no picture``, for the lines of commands; `many` where no s makes the plural.

    >>> counted(0, "picture"), counted(1, "frame"), counted(3, "frame")
    ('no picture', '1 frame', '3 frames')
    """
    if number == 0:
        return f"no {noun}"
    return f"{number} {noun}" if number == 1 else f"{number} {many or noun + 's'}"


def counted_sets(number: int) -> Message:
    """``1 SET``, ``3 SETs``, ``no SET``."""
    return Message("count.sets", count=number) if number else Message("count.no_sets")


def may_hold_sets(kinds: Iterable[Kind]) -> bool:
    """Whether SETs are made of such pieces: of pips and playing cards nobody wants to hear that there is none."""
    return any(kind in (Kind.SET_CARD, Kind.SET_DIE) for kind in kinds)


def counted_pieces(kinds: Iterable[Kind]) -> Message:
    """``9 cards``, ``3 cards and 17 SET dice``; ``no card and no die`` for an empty table.

    >>> print(counted_pieces([Kind.SET_CARD] * 3 + [Kind.SET_DIE] * 17))
    3 cards and 17 SET dice
    """
    there = Counter(kinds)
    named = tuple(Message(f"count.{kind.value}", count=there[kind]) for kind in Kind if there[kind])
    if not named:
        return Message("count.nothing")
    return Message("count.together", first=named[:-1], last=named[-1]) if len(named) > 1 else named[0]


def what_lies(kinds: Iterable[Kind], unsure: int) -> Message:
    """What lies on a table, and how much of it could not be read for sure."""
    pieces = counted_pieces(kinds)
    return Message("caption.unsure", pieces=pieces, count=unsure) if unsure else pieces


def day_and_time(time_s: float, *, seconds: bool = False) -> Words:
    """Seconds since 1970 as day and time here; ``?`` for a time that no calendar has."""
    try:
        then = datetime.fromtimestamp(time_s)
    except (ValueError, OverflowError, OSError):
        return "?"
    day = Message("day", year=then.year, month=then.month, day=then.day)
    unit = "second" if seconds else "minute"
    return Message(f"time.to_the_{unit}", day=day, hour=then.hour, minute=then.minute, second=then.second)
