"""A piece as a drawing for pages, in our own hand: ordinary, and plain for people who do not tell the colours apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from visionset.art import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    PLAIN_DASHES_MM,
    PLAIN_PITCHES_MM,
    PLAIN_RGB,
    SYMBOL_OF_DIE,
    DeckStyle,
    hatch,
    pip_places,
    set_card_symbols,
    set_die_symbols,
)
from visionset.errors import PieceError
from visionset.geometry import Floats
from visionset.kinds import KIND_SPECS, PIECE_TYPES
from visionset.messages import Message, at_table, spoken
from visionset.pieces import Kind, Piece, PipDie, PlayingCard, SetCard, SetDie, Shading, Suit
from visionset.words import color_letter

_STYLE = DeckStyle()


@dataclass(frozen=True, slots=True)
class Plain:
    """How colours are told to people who do not see them apart, besides inks that stay apart under every colour blindness."""

    letters: bool = True
    """By their first letters."""
    patterns: bool = True
    """By dashes of the outlines, and on dice by stripes."""

    @classmethod
    def wanted(cls, words: str) -> Plain | None:
        """What an address wants: `letters`, `patterns`, `letters-patterns`, neither by `inks`, both by `1`; None by `0` or nothing."""
        if words in ("", "0"):
            return None
        named = ("letters", "patterns") if words == "1" else tuple(words.split("-"))
        return cls("letters" in named, "patterns" in named)


_PLAIN_DASHES = {color: " ".join(f"{dash:g}" for dash in dashes) for color, dashes in PLAIN_DASHES_MM.items()}
_PAPER, _EDGE = "#fdfcf8", "#b9b5aa"
_DIE_MM = 40.0
_SUIT_INK = {Suit.HEARTS: "#c8102e", Suit.DIAMONDS: "#c8102e", Suit.CLUBS: "#1a1a1a", Suit.SPADES: "#1a1a1a"}
_PLAIN_SUIT_INK = {Suit.HEARTS: "#be4800", Suit.DIAMONDS: "#0072b2", Suit.CLUBS: "#1e1e1e", Suit.SPADES: "#1e1e1e"}
_SUIT_PATHS = {
    Suit.HEARTS: "M0 9C-14 -1 -9 -11 -4 -10C-1.500 -9.500 -.5 -8 0 -6C.5 -8 1.500 -9.500 4 -10C9 -11 14 -1 0 9Z",
    Suit.DIAMONDS: "M0 -11L8 0L0 11L-8 0Z",
    Suit.CLUBS: "M-2.500 10Q-.5 6 -.7 2A4.600 4.600 0 1 1 -3.500 -3A4.600 4.600 0 1 1 3.500 -3A4.600 4.600 0 1 1 .7 2Q.5 6 2.500 10Z",
    Suit.SPADES: "M0 -11C5 -5 10 -2 9 3C8 7 3 7 .8 3.500Q1 7 3 10H-3Q-1 7 -.8 3.500C-3 7 -8 7 -9 3C-10 -2 -5 -5 0 -11Z",
}


def kind_code(piece: Piece) -> str:
    """Name of a piece's kind in addresses: ``set-card``."""
    return piece.kind.value.replace("_", "-")


def piece_svg(kind: str, code: str, plain: Plain | None = None) -> str:
    """Draw a piece; its letters and its title are of the language that is spoken.

    Parameters
    ----------
    kind : str
        Such as ``set-card``.
    code : str
        As the piece is written, such as ``2-red-solid-oval``; of a card that lies face down, anything.
    plain : Plain, optional
        With letters and patterns for what is told by colours; without it, as printed.

    Raises
    ------
    PieceError
        There is no such piece.
    """
    return _drawn(kind, code, plain, spoken())


@lru_cache(maxsize=1024)
def _drawn(kind: str, code: str, plain: Plain | None, language: str) -> str:
    try:
        which = Kind(kind.replace("-", "_"))
    except ValueError:
        raise PieceError(f"expected a kind among {', '.join(one.value for one in KIND_SPECS)}, got {kind!r:.40}; name one") from None
    piece = PIECE_TYPES[which].parse(code) if which in PIECE_TYPES else None
    match piece:
        case SetCard():
            return _set_card(piece, plain)
        case SetDie():
            return _set_die(piece, plain)
        case PipDie():
            return _pip_die(piece)
        case PlayingCard():
            return _playing_card(piece, plain)
    return _card_back()


def _rgb(color: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in color)


def _path(outline_mm: Floats) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in outline_mm) + "Z"


def _lines(stripes_mm: Floats) -> str:
    return "".join(f"M{a[0]:.2f} {a[1]:.2f}L{b[0]:.2f} {b[1]:.2f}" for a, b in stripes_mm)


def _sheet(width: float, height: float, corner: float, title: object, inside: str) -> str:
    box = f"{-width / 2:g} {-height / 2:g} {width:g} {height:g}"
    paper = (
        f'<rect x="{-width / 2 + 0.4:g}" y="{-height / 2 + 0.4:g}" width="{width - 0.8:g}" height="{height - 0.8:g}" rx="{corner:g}" '
        f'fill="{_PAPER}" stroke="{_EDGE}" stroke-width=".8"/>'
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img"><title>{at_table(title)}</title>'
    return f"{head}{paper}{inside}</svg>"


def _text(x: float, y: float, size: float, ink: str, text: str, anchor: str = "middle") -> str:
    font = f'font-family="Arial, Helvetica, sans-serif" font-weight="700" font-size="{size:g}"'
    return f'<text x="{x:g}" y="{y:g}" {font} fill="{ink}" text-anchor="{anchor}">{text}</text>'


def _set_card(card: SetCard, plain: Plain | None) -> str:
    ink = _rgb((PLAIN_RGB if plain else _STYLE.ink_rgb)[card.color])
    dashes = f' stroke-dasharray="{_PLAIN_DASHES[card.color]}"' if plain and plain.patterns and _PLAIN_DASHES[card.color] else ""
    drawn = ""
    for symbol in set_card_symbols(card, _STYLE):
        path = _path(symbol.outline_mm)
        fill = ink if symbol.filled else "none"
        drawn += f'<path d="{path}" fill="{fill}" stroke="{ink}" stroke-width="{1.6 if plain and plain.patterns else 1.1}"{dashes}/>'
        if len(symbol.stripes_mm):
            drawn += f'<path d="{_lines(symbol.stripes_mm)}" stroke="{ink}" stroke-width=".4" fill="none"/>'
    if plain and plain.letters:
        corner = color_letter(card.color) + {Shading.SOLID: "■", Shading.STRIPED: "▥", Shading.OPEN: "□"}[card.shading]
        x, y = CARD_WIDTH_MM / 2 - 3, CARD_HEIGHT_MM / 2 - 3
        drawn += _text(-x, -y + 4.5, 7.5, ink, corner, "start")
        drawn += f'<g transform="rotate(180)">{_text(-x, -y + 4.5, 7.5, ink, corner, "start")}</g>'
    return _sheet(CARD_WIDTH_MM, CARD_HEIGHT_MM, _STYLE.corner_mm, card, drawn)


def _set_die(die: SetDie, plain: Plain | None) -> str:
    if die.color is None or die.shape is None or die.number is None:
        return _sheet(_DIE_MM, _DIE_MM, 6, die, _text(0, 4, 11, "#1a1a1a", at_table(Message("piece.wild"))))
    ink = _rgb((PLAIN_RGB if plain else _STYLE.ink_rgb)[die.color])
    is_lettered, is_hatched = plain is not None and plain.letters, plain is not None and plain.patterns
    dashes = f' stroke-dasharray="{_PLAIN_DASHES[die.color]}"' if is_hatched and _PLAIN_DASHES[die.color] else ""
    drawn = ""
    for symbol in set_die_symbols(die, _DIE_MM, 0.55 if is_lettered else SYMBOL_OF_DIE):
        outline = symbol + np.array([3.0 if is_lettered else 0.0, 0.0])
        path = _path(outline)
        drawn += f'<path d="{path}" fill="{"none" if is_hatched else ink}" stroke="{ink}" stroke-width="1.2"{dashes}/>'
        if is_hatched:
            stripes = _lines(hatch(outline, PLAIN_PITCHES_MM[die.color]))
            drawn += f'<path d="{stripes}" stroke="{ink}" stroke-width=".5" fill="none"/>'
    if is_lettered:
        drawn += _text(-_DIE_MM / 2 + 2, -_DIE_MM / 2 + 7, 6.5, ink, color_letter(die.color), "start")
    return _sheet(_DIE_MM, _DIE_MM, 6, die, drawn)


def _pip_die(die: PipDie) -> str:
    pips = "".join(f'<circle cx="{10 * x}" cy="{10 * y}" r="3.6" fill="#1a1a1a"/>' for x, y in pip_places(die.value))
    return _sheet(_DIE_MM, _DIE_MM, 6, die, pips)


def _playing_card(card: PlayingCard, plain: Plain | None) -> str:
    ink = (_PLAIN_SUIT_INK if plain else _SUIT_INK)[card.suit]
    rank = "10" if card.rank.value == "T" else card.rank.value
    sign = _SUIT_PATHS[card.suit]
    index = (
        _text(-21, -29, 13 if len(rank) == 1 else 10, ink, rank)
        + f'<path transform="translate(-21 -20) scale(.55)" d="{sign}" fill="{ink}"/>'
    )
    middle = f'<path transform="scale(2)" d="{sign}" fill="{ink}"/>'
    return _sheet(CARD_WIDTH_MM, CARD_HEIGHT_MM, 4, card, f'{index}<g transform="rotate(180)">{index}</g>{middle}')


def _card_back() -> str:
    diamonds = "".join(
        f'<path d="M{x} {y - 6}L{x + 6} {y}L{x} {y + 6}L{x - 6} {y}Z" fill="none" stroke="#fdfcf8" stroke-width="1"/>'
        for x in range(-18, 19, 12)
        for y in range(-36, 37, 12)
    )
    inside = f'<rect x="-25" y="-40" width="50" height="80" rx="2.500" fill="#3b5b7a"/>{diamonds}'
    return _sheet(CARD_WIDTH_MM, CARD_HEIGHT_MM, 4, Message("web.piece.back"), inside)
