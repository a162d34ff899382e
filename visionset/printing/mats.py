"""Mats to lay cards on: the zones of English Sets, and the places of a layout of SET."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from visionset.art import CARD_HEIGHT_MM, CARD_WIDTH_MM
from visionset.messages import Message, in_words
from visionset.printing.deck import CardSize, card_grid
from visionset.printing.pdf import GREY, Pages, Paper
from visionset.printing.tiles import tiled_pdf, tiling
from visionset.referee.zones import ENGLISH_ZONES, zone_named

_ENGLISH_MM = (580.0, 480.0)
"""Zones are high enough for playing cards."""

_PICTURE_MM = 480.0 * 16 / 9
"""Width of the table in a picture of 16:9 that the mat fills from top to bottom."""

_SET_COLUMNS, _SET_MORE, _SET_ROWS = 4, 3, 3
"""Twelve places, and nine more: among 21 cards there always is a SET (S8)."""

_GAP_MM = 6.0
_CORNER = 0.12
"""Length of the strokes at a place's corners, in widths of a card."""


@dataclass(frozen=True, slots=True)
class MatZone:
    """A zone on the mat of English Sets, in millimetres from its top left."""

    name: str
    left: float
    top: float
    right: float
    bottom: float


def english_zones_mm() -> tuple[MatZone, ...]:
    """The zones as a picture of 16:9 has them that the mat fills from its upper to its lower edge, in the middle of its width."""
    (width, height), rim = _ENGLISH_MM, (_PICTURE_MM - _ENGLISH_MM[0]) / 2

    def across(share: float) -> float:
        return float(np.clip(share * _PICTURE_MM - rim, 0.0, width))

    return tuple(
        MatZone(zone.name, across(zone.left), zone.top * height, across(zone.right), zone.bottom * height) for zone in ENGLISH_ZONES.zones
    )


def english_mat_pdf(paper: Paper) -> bytes:
    """The mat of English Sets, with its zones by name."""
    tiles = tiling(paper, (round(_ENGLISH_MM[0]), round(_ENGLISH_MM[1])), (1.0, 1.0))
    return tiled_pdf(tiles, Message("print.mat.english"), _draw_english)


def _draw_english(pages: Pages) -> None:
    for zone in english_zones_mm():
        pages.frame(zone.left, zone.top, zone.right - zone.left, zone.bottom - zone.top, line=0.4)
        called = in_words(zone_named(zone.name, ("1", "2")))
        if zone.name.endswith("2"):  # sits above and reads from there
            with pages.placed(zone.right - 4, zone.bottom - 6 if zone.bottom < 0.3 * _ENGLISH_MM[1] else zone.top + 6, 180.0):
                pages.text(0.0, 0.0, called, 4.0, paint=GREY)
        else:
            pages.text(zone.left + 4, zone.top + 6, called, 4.0, paint=GREY)


def set_places_mm(paper: Paper, size: CardSize) -> tuple[tuple[float, float], ...]:
    """The middles of the 21 places from the mat's top left, in columns: the twelve of the layout come first."""
    width, height = _pitch_mm(paper, size)
    columns = _SET_COLUMNS + _SET_MORE
    return tuple((width * (column + 0.5), height * (row + 0.5)) for column in range(columns) for row in range(_SET_ROWS))


def _pitch_mm(paper: Paper, size: CardSize) -> tuple[float, float]:
    scale = card_grid(paper, size).scale
    return CARD_WIDTH_MM * scale + _GAP_MM, CARD_HEIGHT_MM * scale + _GAP_MM


def set_mat_pdf(paper: Paper, size: CardSize) -> bytes:
    """The mat for a layout of SET, for cards of that size; places for more than twelve cards are grey."""
    width, height = (side - _GAP_MM for side in _pitch_mm(paper, size))
    tiles = tiling(paper, (_SET_COLUMNS + _SET_MORE, _SET_ROWS), _pitch_mm(paper, size))

    def draw(pages: Pages) -> None:
        for at, (x, y) in enumerate(set_places_mm(paper, size)):
            is_more = at >= _SET_COLUMNS * _SET_ROWS
            corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
            strokes = []
            for corner in range(4):
                for other in (corner - 1, (corner + 1) % 4):
                    way = corners[other] - corners[corner]
                    strokes.append([corners[corner], corners[corner] + _CORNER * width * way / np.linalg.norm(way)])
            with pages.placed(x, y):
                pages.lines(np.array(strokes), 0.3, GREY, (1.0, 1.0) if is_more else ())
            if is_more:
                pages.middle(x, y, f"+{3 * (1 + (at - _SET_COLUMNS * _SET_ROWS) // _SET_ROWS)}", 4.0, bold=False, paint=GREY)

    return tiled_pdf(tiles, Message("print.mat.set"), draw)
