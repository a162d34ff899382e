"""Court figures drawn by chance: a bust with crown, hair, robe and something in the hand, repeated upside down.

No two packs agree on more than that, so neither do these; who is shown is told by the index alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from visionset.geometry import Floats
from visionset.pieces import PlayingCard, Rank, Suit
from visionset.render.pip_shapes import suit_outlines
from visionset.render.playing_style import PlayingStyle
from visionset.render.sheet import Outlines, Rgb, Sheet, box, placed, round_shape

_YELLOWS: tuple[Rgb, ...] = ((250, 205, 30), (245, 180, 40), (230, 190, 90), (255, 225, 80))
_BLUES: tuple[Rgb, ...] = ((30, 70, 160), (40, 110, 190), (20, 45, 110), (110, 160, 215), (25, 25, 30), (60, 130, 80))
_SKINS: tuple[Rgb, ...] = ((252, 250, 245), (250, 225, 200), (240, 205, 170), (250, 235, 215))
_ROBE_BANDS = 7
_LINE_MM = 0.35


@dataclass(frozen=True, slots=True)
class CourtFrame:
    """Where the figure stands: half width and half height, and lines drawn round it."""

    half_width_mm: float
    half_height_mm: float
    lines: int


@dataclass(frozen=True, slots=True)
class _Palette:
    red: Rgb
    yellow: Rgb
    blue: Rgb
    black: Rgb
    skin: Rgb
    paper: Rgb

    def any(self, rng: np.random.Generator) -> Rgb:
        """One of the robe's colours."""
        return (self.red, self.yellow, self.blue, self.black, self.paper)[int(rng.choice(5, p=[0.28, 0.26, 0.18, 0.14, 0.14]))]


def _palette(style: PlayingStyle, rng: np.random.Generator) -> _Palette:
    blue = _BLUES[int(rng.integers(len(_BLUES)))]
    black = style.ink[Suit.SPADES]
    yellow = _YELLOWS[int(rng.integers(len(_YELLOWS)))]
    few = rng.random()
    if few < 0.1:
        yellow, blue = style.paper, black
    return _Palette(style.ink[Suit.HEARTS], yellow, blue, black, _SKINS[int(rng.integers(len(_SKINS)))], style.paper)


def _outlined(sheet: Sheet, outlines: Outlines, fill: Rgb, line: Rgb, width_mm: float = _LINE_MM) -> None:
    sheet.fill(outlines, fill)
    sheet.line(outlines, line, width_mm)


def _wave(start: tuple[float, float], end: tuple[float, float], waves: float, size: float) -> Floats:
    """Wavy line, shape (n, 2)."""
    t = np.linspace(0, 1, 24)[:, None]
    along = np.array(end) - np.array(start)
    across = np.array([-along[1], along[0]]) / max(1e-6, float(np.hypot(*along)))
    return np.asarray(np.array(start) + along * t + across * size * np.sin(2 * np.pi * waves * t))


def _motifs(sheet: Sheet, rng: np.random.Generator, start: tuple[float, float], end: tuple[float, float], colors: _Palette) -> None:
    """A row of small ornaments along a band of the robe."""
    kind, count = int(rng.integers(6)), int(rng.integers(3, 10))
    size, ink, line = rng.uniform(0.4, 1.6), colors.any(rng), colors.black
    if kind == 0:
        sheet.line((_wave(start, end, count / 2, size),), ink, 0.5, False)
        return
    for share in (np.arange(count) + 0.5) / count:
        x, y = (float(v) for v in np.array(start) * (1 - share) + np.array(end) * share)
        if kind == 1:
            _outlined(sheet, round_shape((x, y), (size, size), 12), ink, line, 0.25)
        elif kind == 2:
            _outlined(sheet, round_shape((x, y), (size, size * 1.3), 4), ink, line, 0.25)
        elif kind == 3:
            sheet.line((np.array([[x - size, y], [x + size, y]]), np.array([[x, y - size], [x, y + size]])), ink, 0.4, False)
        elif kind == 4:
            sheet.line(round_shape((x, y), (size, size), 10), ink, 0.4)
        else:
            sheet.fill(round_shape((x, y), (size * 0.6, size * 1.4), 10), ink)


def _robe(sheet: Sheet, rng: np.random.Generator, half: float, tall: float, colors: _Palette) -> None:
    """Shoulders and breast in coloured bands with ornaments."""
    shoulder, below, neck = -tall * rng.uniform(0.38, 0.5), tall * 0.6, half * rng.uniform(0.12, 0.3)
    spread, slope = half * rng.uniform(0.85, 1.05), tall * rng.uniform(0.05, 0.25)
    cuts = np.sort(np.concatenate([[-1, 1], rng.uniform(-0.9, 0.9, int(rng.integers(1, _ROBE_BANDS)))]))
    if rng.random() < 0.5:
        cuts = np.sort(np.concatenate([np.abs(cuts), -np.abs(cuts)]))
    lean = half * rng.uniform(-0.6, 0.6)
    for left, right in pairwise(cuts):
        top_left, top_right = (neck * c if abs(c) < 0.3 else spread * c for c in (left, right))
        tops = [shoulder + slope * abs(c) ** 1.5 for c in (left, right)]
        band = np.array([[top_left, tops[0]], [top_right, tops[1]], [spread * right + lean, below], [spread * left + lean, below]])
        _outlined(sheet, (band,), colors.any(rng), colors.black)
        start, end = (band[0] + band[1]) / 2, (band[2] + band[3]) / 2
        _motifs(sheet, rng, (float(start[0]), float(start[1])), (float(end[0]), float(end[1])), colors)
    for _ in range(int(rng.integers(1, 5))):
        side = rng.choice([-1.0, 1.0])
        start, end = (
            (side * half * rng.uniform(0.5, 1), shoulder + rng.uniform(0, tall * 0.4)),
            (
                half * rng.uniform(-0.8, 0.8),
                rng.uniform(-0.2, 0.3) * tall,
            ),
        )
        path = _wave(start, end, rng.uniform(0.2, 1), rng.uniform(0, 0.15) * half)
        width = rng.uniform(1.5, 5)
        sheet.line((path,), colors.black, width + 2 * _LINE_MM, False)
        sheet.line((path,), colors.any(rng), width, False)
        if rng.random() < 0.7:
            _motifs(sheet, rng, start, end, colors)


def _head(sheet: Sheet, rng: np.random.Generator, rank: Rank, at: tuple[float, float], size: float, colors: _Palette) -> None:
    """Hair, face, beard and what is worn above."""
    x, y = at
    hair = (colors.yellow, colors.paper, colors.black, colors.red)[int(rng.integers(4))]
    look = rng.uniform(-0.3, 0.3) * size
    long = size * (rng.uniform(0.9, 1.5) if rank is not Rank.KING or rng.random() < 0.5 else rng.uniform(0.6, 1.0))
    for side in (-1, 1):
        lock = round_shape((x + side * size * rng.uniform(0.5, 0.75), y + long * 0.35), (size * rng.uniform(0.3, 0.5), long * 0.8), 14)
        _outlined(sheet, lock, hair, colors.black)
        for _ in range(int(rng.integers(0, 4))):
            curl = _wave((x + side * size * rng.uniform(0.4, 0.9), y - 0.2 * long), (x + side * size * 0.8, y + long), 1, 0.1 * size)
            sheet.line((curl,), colors.black, 0.25, False)
    _outlined(sheet, round_shape((x, y), (size * rng.uniform(0.5, 0.68), size * rng.uniform(0.75, 0.95)), 20), colors.skin, colors.black)
    for side in (-1, 1):
        eye = (x + look + side * 0.24 * size, y - 0.15 * size)
        sheet.fill(round_shape(eye, (0.1 * size, 0.06 * size), 8), colors.black)
        brow = np.array([[eye[0] - 0.16 * size, eye[1] - 0.13 * size], [eye[0] + 0.16 * size, eye[1] - 0.16 * size]])
        sheet.line((brow,), colors.black, 0.3, False)
    nose = np.array([[x + look, y - 0.15 * size], [x + look * 1.4 + 0.08 * size, y + 0.2 * size], [x + look, y + 0.24 * size]])
    sheet.line((nose,), colors.black, 0.25, False)
    if (rank is Rank.KING and rng.random() < 0.8) or rng.random() < 0.15:
        beard = np.array([[x - 0.55 * size, y + 0.2 * size], [x, y + 0.45 * size], [x + 0.55 * size, y + 0.2 * size]])
        chin = np.array([[x + 0.4 * size, y + 0.9 * size], [x, y + rng.uniform(1.0, 1.5) * size], [x - 0.4 * size, y + 0.9 * size]])
        _outlined(sheet, (np.concatenate([beard, chin]),), hair, colors.black)
    sheet.line((np.array([[x + look - 0.14 * size, y + 0.48 * size], [x + look + 0.14 * size, y + 0.48 * size]]),), colors.red, 0.5, False)
    _crown(sheet, rng, rank, (x, y - 0.68 * size), size, colors)


def _crown(sheet: Sheet, rng: np.random.Generator, rank: Rank, at: tuple[float, float], size: float, colors: _Palette) -> None:
    x, y = at
    half, tall = size * rng.uniform(0.6, 0.95), size * rng.uniform(0.35, 0.8)
    if rank is Rank.JACK or rng.random() < 0.15:
        cap = np.array(
            [[-half, 0], [-half * 1.1, -tall * 0.6], [half * rng.uniform(-0.5, 0.5), -tall], [half * 1.2, -tall * 0.5], [half, 0]]
        )
        _outlined(sheet, (cap + np.array(at),), colors.any(rng), colors.black)
    else:
        points = int(rng.integers(3, 7))
        across = np.linspace(-1, 1, 2 * points - 1)
        zigzag = np.stack([across * half * 1.15, np.where(np.arange(2 * points - 1) % 2, -0.35, -1.0) * tall], axis=1)
        crown = np.concatenate([[[-half, 0]], zigzag, [[half, 0]]]) + np.array(at)
        _outlined(sheet, (crown,), colors.yellow if rng.random() < 0.7 else colors.any(rng), colors.black)
        for tip in crown[1:-1:2]:
            ball = (float(tip[0]), float(tip[1]))
            _outlined(sheet, round_shape(ball, (0.1 * size, 0.1 * size), 10), colors.any(rng), colors.black, 0.25)
    _outlined(sheet, box(x - half, y - 0.16 * size, x + half, y + 0.08 * size), colors.any(rng), colors.black)
    _motifs(sheet, rng, (x - half, y), (x + half, y), colors)


def _attribute(sheet: Sheet, rng: np.random.Generator, half: float, tall: float, colors: _Palette) -> None:
    """A sword, staff, axe or flower with the hand that holds it."""
    side = rng.choice([-1.0, 1.0])
    foot = np.array([side * half * rng.uniform(0.3, 0.9), tall * rng.uniform(-0.1, 0.3)])
    head = np.array([side * half * rng.uniform(0.55, 0.95), -tall * rng.uniform(0.6, 0.97)])
    kind = int(rng.integers(4))
    width = rng.uniform(0.8, 2.4) if kind != 3 else 0.6
    shaft = (np.stack([foot, head]),)
    sheet.line(shaft, colors.black, width + 2 * _LINE_MM, False)
    sheet.line(shaft, colors.any(rng), width, False)
    top = (float(head[0]), float(head[1]) + 1.5)
    if kind == 1:
        blade = np.array([[0, -3], [4.5, -4.5], [5.5, 0], [4.5, 4.5], [0, 3]]) * [-side, 1] * rng.uniform(0.6, 1.2)
        _outlined(sheet, (blade + top,), colors.any(rng), colors.black)
    elif kind == 2:
        _outlined(sheet, round_shape(top, (1.6, 2.6), 4), colors.any(rng), colors.black)
    elif kind == 3:
        petals, radius = int(rng.integers(4, 8)), rng.uniform(1.2, 2.4)
        ink = colors.any(rng)
        for angle in np.arange(petals) * (2 * np.pi / petals):
            petal = (top[0] + radius * float(np.cos(angle)), top[1] + radius * float(np.sin(angle)))
            _outlined(sheet, round_shape(petal, (radius * 0.6, radius * 0.6), 10), ink, colors.black, 0.25)
        sheet.fill(round_shape(top, (radius * 0.5, radius * 0.5), 10), colors.yellow)
    hand = foot * 0.7 + head * 0.3
    _outlined(sheet, round_shape((float(hand[0]), float(hand[1])), (2.2, 1.7), 14), colors.skin, colors.black)
    for finger in (-0.6, 0.2, 0.9):
        sheet.line((np.array([[hand[0] - 1.8, hand[1] + finger], [hand[0] + 0.4, hand[1] + finger]]),), colors.black, 0.2, False)


def paint_court(sheet: Sheet, card: PlayingCard, style: PlayingStyle, frame: CourtFrame, rng: np.random.Generator) -> None:
    """Paint frame, figure and the large pips beside its heads; the picture is the same upside down."""
    rows, columns = sheet.picture.shape[:2]
    # As many pixels left over above as below, so that the card stays the same upside down.
    wide, high = (
        2 * round(length * sheet.px_mm) + whole % 2 for length, whole in ((frame.half_width_mm, columns), (frame.half_height_mm, rows))
    )
    half, tall = wide / sheet.px_mm / 2, high / sheet.px_mm / 2
    colors = _palette(style, rng)
    stage = Sheet((2 * half, 2 * tall), sheet.px_mm, style.paper if rng.random() < 0.85 else colors.yellow)
    _robe(stage, rng, half, tall, colors)
    for _ in range(int(rng.integers(1, 3))):
        _attribute(stage, rng, half, tall, colors)
    size = half * rng.uniform(0.26, 0.42)
    head = (half * rng.uniform(-0.15, 0.25), -tall * rng.uniform(0.56, 0.66))
    _head(stage, rng, card.rank, head, min(size, tall * 0.2), colors)
    symbol = suit_outlines(card.suit, style.shape)
    pip = min(style.pip_mm * rng.uniform(0.75, 1.0), half * 0.75)
    where = (-half + pip * 0.5 + 0.8, -tall + pip / 2 + 1.0)
    if rng.random() < 0.75:
        stage.fill(round_shape(where, (pip * 0.6, pip * 0.6)), style.paper)
    stage.fill(placed(symbol, where, pip), style.ink[card.suit])
    upper = stage.picture
    height, width = upper.shape[:2]
    lean = rng.uniform(-0.6, 0.6) if rng.random() < 0.6 else 0.0
    across, down = np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2
    above = down[:, None] <= across[None, :] * lean
    upper = np.where(above[..., None], upper, upper[::-1, ::-1])
    top, left = (rows - height) // 2, (columns - width) // 2
    sheet.picture[top : top + height, left : left + width] = upper
    if rng.random() < 0.5:
        end = half * min(1.0, tall / max(half * abs(lean), 1e-6))
        sheet.line((np.array([[-end, -end * lean], [end, end * lean]]),), colors.black, rng.uniform(0.3, 1.2), False)
    line = colors.blue if rng.random() < 0.3 else colors.black
    for step in range(frame.lines):
        inset = 0.9 * step
        sheet.line(box(-half + inset, -tall + inset, half - inset, tall - inset), line, 0.35)
