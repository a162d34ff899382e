"""Pieces and places as people at the table call them."""

from __future__ import annotations

from collections.abc import Iterable

from visionset.pieces import Piece, PlayingCard, Rank, SetDie
from visionset.table import Sighting, Table
from visionset.words import in_words, whereabouts

_COUNT = {1: "one", 2: "two", 3: "three"}
_RANK = {Rank.ACE: "ace", Rank.TEN: "10", Rank.JACK: "jack", Rank.QUEEN: "queen", Rank.KING: "king"}


def named(piece: Piece) -> str:
    """``two red striped ovals``, ``one red oval``, ``WILD``, ``queen of hearts``."""
    if isinstance(piece, PlayingCard):
        return f"{_RANK.get(piece.rank, piece.rank.value)} of {piece.suit.name.lower()}"
    if isinstance(piece, SetDie):
        if piece.number is None or piece.color is None or piece.shape is None:
            return "WILD"
        return f"{_COUNT[piece.number]} {piece.color.value} {piece.shape.value}{'s' if piece.number > 1 else ''}"
    return in_words(piece)


def all_named(pieces: Iterable[Piece | None]) -> str:
    """Name several pieces, parted by commas; one that is not read is "a piece that is not read"."""
    return ", ".join("a piece that is not read" if piece is None else named(piece) for piece in pieces)


def at(table: Table, sighting: Sighting) -> str:
    """Where in the picture a sighting lies: ``at top left``, ``in the middle``."""
    words = whereabouts(sighting.center_px, table.size_px)
    return f"in {words}" if words == "the middle" else f"at {words}"
