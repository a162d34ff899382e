"""Faces of playing cards: index, pips, aces; the court figures are in `court_figures`."""

from __future__ import annotations

import numpy as np

from visionset.pieces import PlayingCard, Rank, Suit
from visionset.render.court_figures import paint_court
from visionset.render.faces import Face, Outlines, Sheet, placed, round_shape
from visionset.render.playing_style import Lettering, PlayingStyle, suit_outlines, text_outlines

# centre x, centre y, width, height in millimetres about the card's centre; True if it stands on its head
IndexBox = tuple[float, float, float, float, bool]
COURTS = (Rank.JACK, Rank.QUEEN, Rank.KING)

_THIRD, _TWO_THIRDS = 1 / 3, 2 / 3
_SIDES = ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0))
_MIDDLES = ((-1.0, 0.0), (1.0, 0.0))
_FOUR_ROWS = ((-1.0, -_THIRD), (1.0, -_THIRD), (-1.0, _THIRD), (1.0, _THIRD))
# places of the pips, columns and rows from -1 to 1; those below the middle stand on their heads
PIPS: dict[Rank, tuple[tuple[float, float], ...]] = {
    Rank.ACE: ((0.0, 0.0),),
    Rank.TWO: ((0.0, -1.0), (0.0, 1.0)),
    Rank.THREE: ((0.0, -1.0), (0.0, 0.0), (0.0, 1.0)),
    Rank.FOUR: _SIDES,
    Rank.FIVE: (*_SIDES, (0.0, 0.0)),
    Rank.SIX: _SIDES + _MIDDLES,
    Rank.SEVEN: (*_SIDES, *_MIDDLES, (0.0, -0.5)),
    Rank.EIGHT: (*_SIDES, *_MIDDLES, (0.0, -0.5), (0.0, 0.5)),
    Rank.NINE: (*_SIDES, *_FOUR_ROWS, (0.0, 0.0)),
    Rank.TEN: (*_SIDES, *_FOUR_ROWS, (0.0, -_TWO_THIRDS), (0.0, _TWO_THIRDS)),
}
_ROW_MM, _COLUMN_SHARE = 27.0, 0.235
_PIP_GAP_MM = 0.6
_NAME_MM, _BRAND_LETTERS = 30, "AEIOULNRSTMCDBGHKPVW"


def _index_size(style: PlayingStyle, card: PlayingCard) -> tuple[float, float, float]:
    """Width of the rank, width and height of the small suit."""
    _, natural = text_outlines(style.letters[card.rank], style.lettering)
    height = style.index_mm * style.index_suit
    width = float(np.ptp(suit_outlines(card.suit, style.shape)[0][:, 0])) * height
    return min(natural * style.index_slim * style.index_mm, style.index_widest_mm), width, height


def index_boxes_mm(style: PlayingStyle, card: PlayingCard) -> list[IndexBox]:
    """Where the corner indices are, rank and small suit together, the upper left first.

    The boxes are tight round the ink, about the card's centre, x right, y down.
    """
    rank, suit, suit_height = _index_size(style, card)
    width, height = max(rank, suit), style.index_mm * (1 + style.index_gap) + suit_height
    # the same for all ranks, so that they stand below each other in a fan
    column = style.margin_mm[0] + max(style.index_widest_mm * 0.8, style.index_mm * style.index_suit) / 2
    x = max(column, width / 2 + 0.6) - style.width_mm / 2
    y = style.margin_mm[1] + height / 2 - style.height_mm / 2
    corners = ((x, y), (-x, -y), (-x, y), (x, -y))[: 4 if style.four_corners else 2]
    return [(at_x, at_y, width, height, at_y > 0) for at_x, at_y in corners]


def _draw_indices(sheet: Sheet, style: PlayingStyle, card: PlayingCard) -> None:
    letters, natural = text_outlines(style.letters[card.rank], style.lettering)
    rank_width, _, suit_height = _index_size(style, card)
    for x, y, _, height, turned in index_boxes_mm(style, card):
        up = -1 if turned else 1
        above, below = y - up * (height - style.index_mm) / 2, y + up * (height - suit_height) / 2
        sheet.fill(placed(letters, (x, above), (rank_width / natural, style.index_mm), turned), style.ink[card.suit])
        sheet.fill(placed(suit_outlines(card.suit, style.shape), (x, below), suit_height, turned), style.ink[card.suit])


def _index_right_mm(style: PlayingStyle, card: PlayingCard) -> float:
    """From the card's centre to the inner edge of the index."""
    x, _, width, _, _ = index_boxes_mm(style, card)[0]
    return -(x + width / 2)


def _draw_pips(sheet: Sheet, style: PlayingStyle, card: PlayingCard) -> None:
    symbol = suit_outlines(card.suit, style.shape)
    width = float(np.ptp(symbol[0][:, 0]))
    column = style.width_mm * _COLUMN_SHARE * style.spread
    row = _ROW_MM * style.spread * style.height_mm / 88
    inner = _index_right_mm(style, card) - _PIP_GAP_MM
    # Columns give way to a broad index, and pips shrink until three columns and four rows fit beside each other.
    pip = min(style.pip_mm, inner / 1.05 / width, row * _TWO_THIRDS - _PIP_GAP_MM)
    column = max(min(column, inner - pip * width / 2), pip * width / 2)
    if card.rank in (Rank.SEVEN, Rank.EIGHT, Rank.NINE, Rank.TEN, Rank.FIVE):
        pip = min(pip, (column - _PIP_GAP_MM / 2) / width * 1.12)
    for x, y in PIPS[card.rank]:
        sheet.fill(placed(symbol, (x * column, y * row), pip, y > 0), style.ink[card.suit])


def _draw_spade_ace(sheet: Sheet, style: PlayingStyle, symbol: Outlines, height_mm: float) -> None:
    """The large ace: white ornaments inside, rays and rings around, the maker's name below."""
    rng, ink, paper = np.random.default_rng(style.court_seed), style.ink[Suit.SPADES], style.paper
    if rng.random() < 0.4:
        radius = height_mm * rng.uniform(0.58, 0.66)
        for scale in (1.0, rng.uniform(0.88, 0.96)):
            sheet.line(round_shape((0, 0), (radius * scale, radius * scale), 48), ink, rng.uniform(0.2, 0.8))
        for at in np.arange(0, 2 * np.pi, 2 * np.pi / int(rng.integers(16, 60))):
            ends = radius * np.array([[1.0], [rng.uniform(1.03, 1.12)]])
            sheet.line((ends * [np.cos(at), np.sin(at)],), ink, 0.3, False)
    sheet.fill(symbol, ink)
    middle = -0.06 * height_mm
    for _ in range(int(rng.integers(1, 4))):
        scale = rng.uniform(0.3, 0.85)
        outline = placed(symbol, (0, middle * (1 - scale)), scale)
        if rng.random() < 0.35:
            sheet.fill(outline, paper if rng.random() < 0.5 else ink)
        sheet.line(outline, paper, rng.uniform(0.25, 0.9))
    for _ in range(int(rng.integers(0, 9))):
        x, y = rng.uniform(0, 0.2) * height_mm, middle + rng.uniform(-0.15, 0.2) * height_mm
        size = rng.uniform(0.02, 0.06) * height_mm
        for side in (-1, 1):
            sheet.line(round_shape((side * x, y), (size, size * rng.uniform(0.6, 1.4))), paper, 0.3)
    if rng.random() < 0.7:
        below = height_mm / 2 * rng.uniform(1.15, 1.35) + 2
        for line in range(int(rng.integers(1, 4))):
            name = "".join(_BRAND_LETTERS[at] for at in rng.integers(len(_BRAND_LETTERS), size=int(rng.integers(6, 22))))
            (outlines, natural), tall = text_outlines(name, Lettering("sans", style.lettering.weight)), rng.uniform(1.0, 2.2)
            sheet.fill(placed(outlines, (0, below + 2.6 * line), (min(_NAME_MM / natural, tall), tall)), ink)


def playing_face(card: PlayingCard, style: PlayingStyle, px_mm: float = 8) -> Face:
    """One face of the pack, painted with `px_mm` pixels a millimetre."""
    sheet = Sheet((style.width_mm, style.height_mm), px_mm, style.paper)
    if card.rank in COURTS:
        rng = np.random.default_rng([style.court_seed, COURTS.index(card.rank), list(Suit).index(card.suit)])
        half = max(_index_right_mm(style, card) - 0.4, style.width_mm * 0.27)
        paint_court(sheet, card, style, (half, style.height_mm / 2 - style.court_inset_mm), style.frame, rng)
        for x, y, width, height, _ in index_boxes_mm(style, card):
            pad = 0.5
            if abs(x) - width / 2 < half + pad:
                view = sheet.pixels(x - width / 2 - pad, y - height / 2 - pad, x + width / 2 + pad, y + height / 2 + pad)
                view[:] = style.paper[::-1]
    elif card.rank is Rank.ACE:
        scale = style.spade_ace_scale if card.suit is Suit.SPADES else style.ace_scale
        height = min(style.pip_mm * scale, 2 * (_index_right_mm(style, card) - 1), 46.0)
        symbol = placed(suit_outlines(card.suit, style.shape), (0, 0), height)
        if card.suit is Suit.SPADES and style.ornate_ace:
            _draw_spade_ace(sheet, style, symbol, height)
        else:
            sheet.fill(symbol, style.ink[card.suit])
    else:
        _draw_pips(sheet, style, card)
    _draw_indices(sheet, style, card)
    return sheet.face(style.corner_mm)
