"""Cards in words: for the terminal, for labels and for people at the table."""

from __future__ import annotations

from visionset.pieces import Piece, SetCard

_COUNT = {1: "one", 2: "two", 3: "three"}


def in_words(piece: Piece) -> str:
    """``two red striped ovals`` for a SET card; other pieces by their code."""
    if not isinstance(piece, SetCard):
        return str(piece)
    return f"{_COUNT[piece.number]} {piece.color.value} {piece.shading.value} {_shape(piece)}"


def label_lines(piece: Piece) -> tuple[tuple[str, ...], ...]:
    """Labels for a piece as lines of text, the fullest first and the shortest last.

    The short form of a SET card keeps the first two letters of shading and shape: ``2R st ov``.
    """
    if not isinstance(piece, SetCard):
        return ((str(piece),),)
    color, shading, shape = piece.color.value, piece.shading.value, piece.shape.value
    return (
        (f"{piece.number} {color} {shading} {_shape(piece)}",),
        (f"{piece.number} {color}", f"{shading} {_shape(piece)}"),
        (f"{piece.number}{color[0].upper()} {shading[:2]} {shape[:2]}",),
    )


def _shape(card: SetCard) -> str:
    return card.shape.value + ("s" if card.number > 1 else "")


def counted(number: int, noun: str) -> str:
    """``1 card``, ``3 cards``, ``no SET``."""
    if number == 0:
        return f"no {noun}"
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
