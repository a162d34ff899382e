"""The 42 SET dice of the bag on paper: cubes to fold, or stickers for dice that have no print."""

from __future__ import annotations

from enum import Enum
from math import floor

import numpy as np

from visionset.games.sets import DICE_COUNT
from visionset.messages import Message, in_words
from visionset.pieces import SET_DIE_FACES, SetDie
from visionset.printing.deck import MARGIN_MM
from visionset.printing.faces import draw_set_die
from visionset.printing.pdf import GREY, Pages, Paper

_STRIDES = (5, 11, 13)
"""Every so manieth face comes next; none has a factor in common with 28, so that a die has six different faces."""

STICKER = 0.88
"""Side of a sticker in sides of its die: the edges of dice are round."""

_GAP_MM = 1.0
_TAB = 0.28
"""Width of a tab to glue, in sides of the die."""

NET: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (1, 3))
"""Column and row of each face of a cube that is laid out flat."""

_TABS = (((0, 1), 0), ((0, 1), 3), ((0, 1), 2), ((2, 1), 0), ((2, 1), 1), ((2, 1), 2), ((1, 3), 2))
"""Face and side (0 at the top, then clockwise) of each tab."""

_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


class DiceForm(Enum):
    """What the dice are made of."""

    CUBES = "cubes"
    STICKERS = "stickers"


def bag_of_dice() -> tuple[tuple[SetDie, ...], ...]:
    """The faces of each die: 252, nine of each of the 28, as chance deals them on the virtual table; no die has a face twice."""
    third = DICE_COUNT // len(_STRIDES)
    dice = []
    for stride in _STRIDES:
        for die in range(third):
            dice.append(tuple(SET_DIE_FACES[stride * (6 * die + face) % len(SET_DIE_FACES)] for face in range(6)))
    return tuple(dice)


def dice_pdf(paper: Paper, form: DiceForm = DiceForm.CUBES, die_mm: float = 16.0, plain: bool = False) -> bytes:
    """All dice of the bag, of so many millimetres a side."""
    return (_cubes if form is DiceForm.CUBES else _stickers)(paper, die_mm, plain)


def cube_places(paper: Paper, die_mm: float) -> list[tuple[float, float]]:
    """Where on a page each cube's net has its top left corner, tabs and all."""
    across, down = die_mm * (3 + 2 * _TAB) + 2 * _GAP_MM, die_mm * (4 + _TAB) + 2 * _GAP_MM
    width, height = (side - 2 * MARGIN_MM for side in paper.value)
    columns, rows = floor(width / across), floor((height - 2) / down)
    return [(MARGIN_MM + column * across + _GAP_MM, MARGIN_MM + row * down + _GAP_MM) for row in range(rows) for column in range(columns)]


def face_centers_mm(paper: Paper, form: DiceForm, die_mm: float, number: int) -> list[tuple[float, float]]:
    """The middle of each face of a die, counted from 0, on its page."""
    if form is DiceForm.CUBES:
        places = cube_places(paper, die_mm)
        left, top = places[number % len(places)]
        return [(left + die_mm * (_TAB + column + 0.5), top + die_mm * (row + 0.5)) for column, row in NET]
    places, side = sticker_places(paper, die_mm), STICKER * die_mm
    left, top = places[number % len(places)]
    return [(left + at * (side + _GAP_MM) + side / 2, top + side / 2) for at in range(6)]


def _cubes(paper: Paper, die_mm: float, plain: bool) -> bytes:
    pages, places = Pages(paper, in_words(Message("print.dice.title"))), cube_places(paper, die_mm)
    for number, faces in enumerate(bag_of_dice()):
        if number % len(places) == 0:
            _begin(pages, Message("print.dice.cubes", mm=_written_mm(die_mm)))
        left, top = places[number % len(places)]
        _net(pages, left + _TAB * die_mm, top, die_mm)
        pages.text(left, top + 0.9 * die_mm, str(number + 1), 2.2, paint=GREY)
        for center, face in zip(face_centers_mm(paper, DiceForm.CUBES, die_mm, number), faces, strict=True):
            with pages.placed(*center):
                draw_set_die(pages, face, die_mm, plain)
    return pages.data()


def _net(pages: Pages, left: float, top: float, side: float) -> None:
    """Where to cut, all around, and short strokes at the corners where to fold: a line along a die's edge would be seen as print."""
    cuts, folds = [], []
    for cell in NET:
        for edge in range(4):
            a, b = (np.array(cell) + _CORNERS[(edge + end) % 4] for end in (0, 1))
            out = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)][edge])
            along = b - a
            if (cell, edge) in _TABS:
                c, d = a + _TAB * (out + along), b + _TAB * (out - along)
                cuts += [[a, c], [c, d], [d, b]]
            is_fold = (cell, edge) in _TABS or tuple(np.array(cell) + out) in NET
            if is_fold:
                folds += [[a, a + 0.07 * along], [b, b - 0.07 * along]]
            else:
                cuts += [[a, b]]
    for segments, paint in ((folds, GREY), (cuts, GREY)):
        pages.lines(np.array(segments) * side + [left, top], 0.12, paint)


def sticker_places(paper: Paper, die_mm: float) -> list[tuple[float, float]]:
    """The top left corner of the row of six stickers of each die on a page."""
    side = STICKER * die_mm + _GAP_MM
    width, height = (length - 2 * MARGIN_MM for length in paper.value)
    columns, rows = max(1, floor(width / (6 * side + 6))), floor((height - 2) / side)
    return [(MARGIN_MM + 5 + column * (6 * side + 6), MARGIN_MM + row * side) for row in range(rows) for column in range(columns)]


def _stickers(paper: Paper, die_mm: float, plain: bool) -> bytes:
    pages, places, side = Pages(paper, in_words(Message("print.dice.title"))), sticker_places(paper, die_mm), STICKER * die_mm
    for number, faces in enumerate(bag_of_dice()):
        if number % len(places) == 0:
            _begin(pages, Message("print.dice.stickers", mm=_written_mm(die_mm)))
        left, top = places[number % len(places)]
        pages.text(left - 1.5, top + side / 2 + 0.8, str(number + 1), 2.2, anchor="end", paint=GREY)
        for center, face in zip(face_centers_mm(paper, DiceForm.STICKERS, die_mm, number), faces, strict=True):
            with pages.placed(*center):
                pages.outline((_CORNERS - 0.5) * side, line=0.12, paint=GREY)
                draw_set_die(pages, face, side, plain)
    return pages.data()


def _begin(pages: Pages, label: Message) -> None:
    pages.begin()
    pages.note(MARGIN_MM, in_words(label))


def _written_mm(length: float) -> float:
    return int(length) if length.is_integer() else length
