"""Faces of playing cards (index, pips, aces; the court figures are in `court_figures`) and backs.

Backs have lattices, scrolls, plain colours, names and pictures, with and without a white border.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.pieces import PlayingCard, Rank, Suit
from visionset.render.court_figures import paint_court
from visionset.render.faces import Face, Outlines, Sheet, box, placed, round_shape
from visionset.render.pixels import Rgb, fractal, to_rgb
from visionset.render.playing_style import Lettering, PlayingStyle, random_suit_shape, suit_outlines, text_outlines

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
    """Where the corner indices are, tight round the ink of rank and small suit together, the upper left first."""
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


_T = TypeVar("_T")

# colours of print, and how frequent they are
_INKS: dict[Rgb, float] = {
    **{(195, 30, 40): 0.26, (35, 60, 150): 0.26, (95, 190, 40): 0.08, (85, 40, 130): 0.1},
    **{(25, 25, 28): 0.12, (130, 130, 135): 0.08, (20, 110, 80): 0.05, (200, 120, 30): 0.05},
}
_WORDS = ("CARD", "CARDS", "SET", "FUN", "POKER", "CLUB", "PLAY", "ROYAL", "GAME", "DECK")
_WHITE: Rgb = (248, 248, 245)


def _drawn(rng: np.random.Generator, shares: dict[_T, float]) -> _T:
    weights = np.array(list(shares.values()))
    return list(shares)[int(rng.choice(len(shares), p=weights / weights.sum()))]


def _ink(rng: np.random.Generator) -> Rgb:
    return to_rgb([level * rng.uniform(0.75, 1.2) + rng.normal(0, 10) for level in _drawn(rng, _INKS)])


def _lattice(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """Crossing lines with a dot, ring or lozenge in every mesh: the fine print most backs have."""
    pitch, slope = rng.uniform(1.6, 7), rng.uniform(0.5, 1.6) if rng.random() < 0.8 else 0.0
    width, lean = pitch * rng.uniform(0.05, 0.3), half[1] / slope if slope else 0.0
    reach = half[0] + half[1] / max(slope, 0.3)
    for at in np.arange(-np.ceil(reach / pitch) * pitch, reach, pitch):
        second = [[at + lean, -half[1]], [at - lean, half[1]]] if slope else [[-half[0], at], [half[0], at]]
        sheet.line((np.array([[at - lean, -half[1]], [at + lean, half[1]]]), np.array(second)), ink, width, False)
    if rng.random() < 0.6:
        tall = pitch * (slope or 1)
        size, sides = pitch * rng.uniform(0.12, 0.3), int(rng.choice([4, 10]))
        for row in np.arange(-np.ceil(half[1] / tall), half[1] / tall + 1):
            for x in np.arange(-np.ceil(half[0] / pitch), half[0] / pitch + 1) * pitch:
                sheet.fill(round_shape((x + pitch / 2, row * tall), (size, size), sides), ink)


def _scrolls(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """Spirals, leaves and rings in one quarter, mirrored into the others, about a medallion."""
    t = np.linspace(0, 1, 40)[:, None]
    for _ in range(int(rng.integers(10, 34))):
        center = np.array([rng.uniform(0, half[0]), rng.uniform(0, half[1])])
        radius, turns, phase = rng.uniform(2, 10), rng.uniform(0.4, 2.2), rng.uniform(0, 2 * np.pi)
        angle = phase + 2 * np.pi * turns * t
        spiral = center + radius * t ** rng.uniform(0.5, 1.3) * np.hstack([np.cos(angle), np.sin(angle)])
        width, paint = rng.uniform(0.25, 1.4), ink if rng.random() < 0.75 else ground
        for flip in ([1, 1], [-1, 1], [1, -1], [-1, -1]):
            sheet.line((spiral * flip,), paint, width, False)
            if width > 0.9:
                sheet.fill(placed(round_shape((0.0, 0.0), (width, width * 1.6), 12), spiral[-1] * flip, 1.0), paint)
    for middle in ((0.0, 0.0), (0.0, -half[1] * 0.55), (0.0, half[1] * 0.55))[: 1 if rng.random() < 0.5 else 3]:
        radius = rng.uniform(4, 11)
        sheet.fill(round_shape(middle, (radius, radius), 40), ground)
        for scale in radius * rng.uniform(0.4, 1, 3):
            sheet.line(round_shape(middle, (scale, scale), 40), ink, rng.uniform(0.3, 1))
        for petal in round_shape((0.0, 0.0), (0.5 * radius, 0.5 * radius), int(rng.integers(4, 13)))[0]:
            sheet.fill(placed(round_shape(middle, (radius * 0.16, radius * 0.16), 10), petal, 1.0), ink)


def _plain(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """One colour, or a fan of stripes, or nested rectangles."""
    kind = int(rng.integers(3))
    if kind == 1:
        pitch, lean = rng.uniform(1.5, 9), rng.uniform(-1, 1) * half[1]
        for at in np.arange(-2 * half[1], 2 * half[1], 2 * pitch):
            sheet.fill((np.array([[-half[0], at], [half[0], at + lean], [half[0], at + lean + pitch], [-half[0], at + pitch]]),), ink)
    elif kind == 2:
        for inset in np.arange(1, half[0], rng.uniform(1.2, 5)):
            sheet.line(box(inset - half[0], inset - half[1], half[0] - inset, half[1] - inset), ink, rng.uniform(0.3, 1.2))


def _name(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """A word, large along or across the card, or small and repeated, on dots."""
    if rng.random() < 0.6:
        pitch = rng.uniform(1.2, 5)
        dot = pitch * rng.uniform(0.15, 0.4)
        shade = to_rgb([0.8 * level for level in ground])
        for row, y in enumerate(np.arange(-half[1], half[1], pitch)):
            for x in np.arange(-half[0] + (row % 2) * pitch / 2, half[0], pitch):
                sheet.fill(round_shape((x, y), (dot, dot), 6), shade)
    word = _WORDS[int(rng.integers(len(_WORDS)))]
    lettering = Lettering("sans" if rng.random() < 0.7 else "italic", int(rng.integers(400, 900)))
    outlines, natural = text_outlines(word, lettering)
    count = int(rng.choice([1, 2, 3, 5]))
    upright = rng.random() < 0.5 and count < 3
    length = 2 * (half[1] if upright else half[0]) * rng.uniform(0.6, 0.92)
    room = 2 * (half[0] if upright else half[1]) / count
    height = min(length / natural * rng.uniform(1.0, 1.7), room * 0.7)
    plate = rng.random() < 0.4
    for place in (np.arange(count) - (count - 1) / 2) * room:
        turned = count % 2 == 0 and place > 0
        drawn = placed(outlines, (0, 0), (length / natural, height), turned)
        upended = tuple(np.stack([place + part[:, 1], -part[:, 0]], axis=1) for part in drawn)
        drawn = upended if upright else placed(drawn, (0, place), 1.0)
        if plate:
            every = np.concatenate(drawn)
            low, high = every.min(axis=0) - 1.2, every.max(axis=0) + 1.2
            sheet.fill(box(low[0], low[1], high[0], high[1]), _WHITE)
        sheet.fill(drawn, ink)


def _picture(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """Something like a photograph."""
    view = sheet.pixels(-half[0], -half[1], half[0], half[1])
    height, width = view.shape[:2]
    cell = rng.uniform(0.1, 0.7) * width
    share = np.clip(0.5 + rng.uniform(0.2, 0.5) * fractal(rng, height, width, cell, octaves=5, fade=0.65), 0, 1)[..., None]
    tint = rng.uniform(-25, 25, 3) * fractal(rng, height, width, cell)[..., None]
    mixed = np.asarray(ground[::-1]) * (1 - share) + np.asarray(ink[::-1]) * share + tint
    view[:] = np.clip(mixed, 0, 255).astype(np.uint8)


def _suits(sheet: Sheet, rng: np.random.Generator, half: tuple[float, float], ground: Rgb, ink: Rgb) -> None:
    """Small suit symbols in rows, or one large ornament of them."""
    shape = random_suit_shape(rng)
    pitch = rng.uniform(4, 14)
    size = pitch * rng.uniform(0.4, 0.8)
    suits = list(Suit)
    for row, y in enumerate(np.arange(pitch / 2 - np.ceil(half[1] / pitch) * pitch, half[1] + pitch, pitch)):
        for column, x in enumerate(np.arange(-np.ceil(half[0] / pitch) * pitch + (row % 2) * pitch / 2, half[0] + pitch, pitch)):
            sheet.fill(placed(suit_outlines(suits[(row + column) % 4], shape), (x, y), size, y > 0), ink)


Painter = Callable[[Sheet, np.random.Generator, tuple[float, float], Rgb, Rgb], None]

_PAINTERS: dict[Painter, float] = {_lattice: 0.28, _scrolls: 0.26, _plain: 0.13, _name: 0.17, _picture: 0.1, _suits: 0.06}


def random_back(rng: np.random.Generator, px_mm: float = 8, size_mm: tuple[float, float] | None = None, corner_mm: float = 3.2) -> Face:
    """Back of another pack, painted with `px_mm` pixels a millimetre; by default as large as cards are."""
    width, height = size_mm or (rng.uniform(56, 64), rng.uniform(86, 90))
    ground, ink = (_ink(rng), _WHITE) if rng.random() < 0.6 else (_WHITE, _ink(rng))
    if rng.random() < 0.2:
        ground, ink = _ink(rng), _ink(rng)
    border = 0.0 if rng.random() < 0.25 else rng.uniform(2, 6.5)
    inner = (width / 2 - border, height / 2 - border)
    print_sheet = Sheet((2 * inner[0], 2 * inner[1]), px_mm, ground)
    for _ in range(1 if rng.random() < 0.7 else 2):
        _drawn(rng, _PAINTERS)(print_sheet, rng, inner, ground, ink)
    for inset in np.cumsum(rng.uniform(0.6, 2.5, int(rng.integers(0, 3)))):
        print_sheet.line(box(inset - inner[0], inset - inner[1], inner[0] - inset, inner[1] - inset), ink, rng.uniform(0.3, 1))
    sheet = Sheet((width, height), px_mm, _WHITE if rng.random() < 0.85 else ink)
    view: NDArray[np.uint8] = sheet.pixels(-inner[0], -inner[1], inner[0], inner[1])
    if view.size:  # of a card that is two pixels wide the border is all
        view[:] = cv2.resize(print_sheet.picture, view.shape[1::-1]) if view.shape != print_sheet.picture.shape else print_sheet.picture
    return sheet.face(corner_mm)
