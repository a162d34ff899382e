"""Drawings for the pages: pieces by our own hand put beside each other, and how a table is laid out before a camera."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

import docs_table_drawing

from visionset.games.crossword.advice import best_grid
from visionset.piece_svg import kind_code, piece_svg
from visionset.pieces import PipDie, PlayingCard, SetCard, SetDie

_GOOD, _WRONG, _SHADE = "#1b7f3b", "#b3261e", "#8a8494"
_BACK = "#e9e4f0"
_GAP = 6.0

Placed = tuple[object, float, float]
"""A piece and its middle."""


def _part(piece: object, x: float, y: float, turn_deg: float = 0.0) -> str:
    """A piece at a place, without the frame of its own drawing."""
    code = kind_code(piece)  # type: ignore[arg-type]
    inner = re.sub(r"^<svg[^>]*>|</svg>$", "", piece_svg(code, str(piece)))
    turned = f" rotate({turn_deg:g})" if turn_deg else ""
    return f'<g transform="translate({x:g} {y:g}){turned}">{_unique(inner, x, y)}</g>'


def _unique(inner: str, x: float, y: float) -> str:
    """Names within a drawing are names of the whole picture: give each piece its own."""
    tag = f"at{x:g}_{y:g}".replace(".", "p").replace("-", "m")
    inner = re.sub(r'id="([^"]+)"', rf'id="\1-{tag}"', inner)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#\1-{tag})", inner)


def _sheet(width: float, height: float, parts: Iterable[str], title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img"><title>{title}</title>'
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{_BACK}"/>{"".join(parts)}</svg>\n'
    )


def row(pieces: Iterable[object], width: float, height: float, title: str, mark: str = "") -> str:
    """Pieces beside each other, with a frame of a colour around them and a tick or a cross."""
    there = list(pieces)
    whole = len(there) * (width + _GAP) + _GAP
    parts = [_part(piece, _GAP + width / 2 + at * (width + _GAP), _GAP + height / 2) for at, piece in enumerate(there)]
    if mark:
        colour, path = (_GOOD, "M-7 0L-2 6L8 -7") if mark == "yes" else (_WRONG, "M-7 -7L7 7M7 -7L-7 7")
        drawn = f'fill="none" stroke="{colour}"'
        high = height + 2 * _GAP
        parts.append(f'<rect x="2" y="2" width="{whole - 4:g}" height="{high - 4:g}" rx="7" {drawn} stroke-width="3"/>')
        parts.append(f'<g transform="translate({whole + 16:g} {high / 2:g})"><path d="{path}" {drawn} stroke-width="4"/></g>')
        return _sheet(whole + 32, height + 2 * _GAP, parts, title)
    return _sheet(whole, height + 2 * _GAP, parts, title)


def cells(laid: Iterable[tuple[object, int, int, str]], title: str) -> str:
    """Dice in the squares of a grid, with a frame for those that matter."""
    there = list(laid)
    top, left = min(one[1] for one in there), min(one[2] for one in there)
    rows, cols = max(one[1] for one in there) - top + 1, max(one[2] for one in there) - left + 1
    side = 42.0
    plain = f'fill="none" stroke="{_SHADE}" stroke-width=".5"'
    parts = [
        f'<rect x="{8 + col * side:g}" y="{8 + line * side:g}" width="{side:g}" height="{side:g}" {plain}/>'
        for line, col in product(range(rows), range(cols))
    ]
    for piece, line, col, colour in there:
        x, y = 8 + (col - left + 0.5) * side, 8 + (line - top + 0.5) * side
        parts.append(_part(piece, x, y))
        if colour:
            parts.append(
                f'<rect x="{x - 20:g}" y="{y - 20:g}" width="40" height="40" rx="6" fill="none" stroke="{colour}" stroke-width="3"/>'
            )
    return _sheet(cols * side + 16, rows * side + 16, parts, title)


def _cards(*names: str) -> list[SetCard]:
    return [SetCard.parse(name) for name in names]


def _dice(*names: str) -> list[SetDie]:
    return [SetDie.parse(name) for name in names]


def _turn_of_12() -> str:
    """D12: what lay there, and the three dice of the turn."""
    lines = {7: ("1-red-oval", "2-red-oval", "3-red-oval"), 8: ("1-green-oval", "2-green-oval", "3-green-oval", "2-green-squiggle")}
    laid = [(die, line, 6 + at, "") for line, names in lines.items() for at, die in enumerate(_dice(*names))]
    laid += [(die, 9, 6 + 2 * at, "") for at, die in enumerate(_dice("1-purple-oval", "3-purple-oval"))]
    return cells(laid, "the grid before the turn")


def _crossword() -> str:
    dice = _dice(
        "1-red-oval", "2-red-oval", "3-red-oval", "1-green-oval", "1-purple-oval", "2-green-squiggle",
        "3-purple-diamond", "2-green-oval", "3-green-oval", "wild",
    )  # fmt: skip
    answer = best_grid(dice)
    return cells(((dice[die], at.row, at.col, "") for die, at in zip(answer.dice, answer.grid, strict=True)), "ten dice in one grid")


def _rummy() -> str:
    sideways = ["QH", "QS"]
    parts = [_part(PlayingCard.parse(code), 60 + 30 * at, 46, 90) for at, code in enumerate(sideways)]
    parts += [_part(PlayingCard.parse(code), 190 + 26 * at, 52) for at, code in enumerate(("7C", "7D", "7H", "7S"))]
    return _sheet(312, 104, parts, "an incomplete set lies sideways, a complete one upright")


def _chain() -> str:
    """P5: the rows 1, 2 and 4 after the two bonuses, circled one after the other."""
    rows = {0: [PipDie(1)], 1: [PipDie(2)] * 2, 2: [PipDie(4)] * 4}
    return cells(((die, row, at, _GOOD) for row, dice in rows.items() for at, die in enumerate(dice)), "rows 1, 2 and 4, all circled")


def drawings() -> dict[str, str]:
    """All drawings by the names of their files."""
    return {
        **{f"laptop-{language}": docs_table_drawing.laptop(language) for language in docs_table_drawing.WORDS},
        "set-yes": row(
            _cards("1-red-striped-oval", "2-green-striped-oval", "3-purple-striped-oval"), 57, 87, "three cards that are a SET", "yes"
        ),
        "set-all-different": row(
            _cards("1-red-solid-oval", "2-green-striped-squiggle", "3-purple-open-diamond"),
            57,
            87,
            "a SET in which all four attributes differ",
            "yes",
        ),
        "set-no": row(_cards("1-red-solid-oval", "2-red-solid-oval", "3-green-solid-oval"), 57, 87, "three cards that are no SET", "no"),
        "dice-yes": row(_dice("1-red-oval", "2-green-oval", "3-purple-oval"), 40, 40, "three dice that are a SET", "yes"),
        "dice-wild": row(_dice("1-red-oval", "wild", "3-red-diamond"), 40, 40, "two dice and a WILD are a SET", "yes"),
        "dice-no": row(_dice("1-red-oval", "2-red-oval", "2-red-diamond"), 40, 40, "three dice that are no SET", "no"),
        "cubed-turn": _turn_of_12(),
        "crossword-grid": _crossword(),
        "sets-dice-roll": row([PipDie(2), PipDie(4)], 40, 40, "a 2 and a 4"),
        "sets-dice-chain": _chain(),
        "english-sets-laid": _rummy(),
    }
