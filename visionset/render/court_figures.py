"""Court figures drawn by chance: a bust with crown, hair, robe and something in the hand, repeated upside down.

No two packs agree on more than that, so neither do these; who is shown is told by the index alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from visionset.geometry import Floats
from visionset.pieces import PlayingCard, Rank, Suit
from visionset.render.faces import Outlines, Sheet, box, placed, round_shape
from visionset.render.layouts import Point
from visionset.render.pixels import Rgb
from visionset.render.playing_style import PlayingStyle, suit_outlines

_YELLOWS: tuple[Rgb, ...] = ((250, 205, 30), (245, 180, 40), (230, 190, 90), (255, 225, 80))
_BLUES: tuple[Rgb, ...] = ((30, 70, 160), (40, 110, 190), (20, 45, 110), (110, 160, 215), (25, 25, 30), (60, 130, 80))
_SKINS: tuple[Rgb, ...] = ((252, 250, 245), (250, 225, 200), (240, 205, 170), (250, 235, 215))
_ROBE_BANDS = 7
_LINE_MM = 0.35


@dataclass(frozen=True, slots=True, eq=False)
class _Figure:
    """A figure being drawn, `half` wide and `tall` high on each side of its middle, in red, yellow, blue, black and the paper's colour."""

    sheet: Sheet
    rng: np.random.Generator
    half: float
    tall: float
    inks: tuple[Rgb, Rgb, Rgb, Rgb, Rgb]
    skin: Rgb

    def any_color(self) -> Rgb:
        """One of the robe's colours."""
        return self.inks[int(self.rng.choice(5, p=[0.28, 0.26, 0.18, 0.14, 0.14]))]

    def shape(self, outlines: Outlines, fill: Rgb, width_mm: float = _LINE_MM) -> None:
        """A filled shape with a black edge."""
        self.sheet.fill(outlines, fill)
        self.sheet.line(outlines, self.inks[3], width_mm)

    def disc(self, at: ArrayLike, radii: Point, fill: Rgb, points: int = 14, width_mm: float = _LINE_MM) -> None:
        """An ellipse with a black edge."""
        x, y = np.asarray(at, np.float64)
        self.shape(round_shape((float(x), float(y)), radii, points), fill, width_mm)

    def stroke(self, path: ArrayLike, width_mm: float, color: Rgb | None = None) -> None:
        """An open line, black by default."""
        self.sheet.line((np.asarray(path, np.float64),), color or self.inks[3], width_mm, False)

    def band(self, path: Floats, width_mm: float) -> None:
        """A broad line with black edges."""
        self.stroke(path, width_mm + 2 * _LINE_MM)
        self.stroke(path, width_mm, self.any_color())

    def motifs(self, start: Floats, end: Floats) -> None:
        """A row of small ornaments along a band of the robe, or a wave."""
        rng, count, ink = self.rng, int(self.rng.integers(3, 10)), self.any_color()
        size, slim, points, kind = rng.uniform(0.4, 1.6), rng.uniform(0.6, 1.6), int(rng.choice([4, 10, 12])), int(rng.integers(4))
        if kind == 0:
            self.stroke(_wave(start, end, count / 2, size), 0.5, ink)
            return
        for share in (np.arange(count) + 0.5) / count:
            x, y = (float(v) for v in start * (1 - share) + end * share)
            ornament = round_shape((x, y), (size, size * slim), points)
            if kind != 2:
                self.sheet.fill(ornament, ink)
            if kind != 3:
                self.sheet.line(ornament, ink if kind == 2 else self.inks[3], 0.4 if kind == 2 else 0.25)


def _wave(start: Floats, end: Floats, waves: float, size: float) -> Floats:
    """Wavy line, shape (n, 2)."""
    t, along = np.linspace(0, 1, 24)[:, None], end - start
    across = np.array([-along[1], along[0]]) / max(1e-6, float(np.hypot(*along)))
    return np.asarray(start + along * t + across * size * np.sin(2 * np.pi * waves * t))


def _robe(figure: _Figure) -> None:
    """Shoulders and breast in coloured bands with ornaments, and straps across."""
    rng, half, tall = figure.rng, figure.half, figure.tall
    shoulder, below, neck = -tall * rng.uniform(0.38, 0.5), tall * 0.6, half * rng.uniform(0.12, 0.3)
    spread, slope, lean = half * rng.uniform(0.85, 1.05), tall * rng.uniform(0.05, 0.25), half * rng.uniform(-0.6, 0.6)
    cuts = np.sort(np.concatenate([[-1, 1], rng.uniform(-0.9, 0.9, int(rng.integers(1, _ROBE_BANDS)))]))
    if rng.random() < 0.5:
        cuts = np.sort(np.concatenate([np.abs(cuts), -np.abs(cuts)]))
    for left, right in pairwise(cuts):
        tops = [[neck * c if abs(c) < 0.3 else spread * c, shoulder + slope * abs(c) ** 1.5] for c in (left, right)]
        band = np.array([*tops, [spread * right + lean, below], [spread * left + lean, below]])
        figure.shape((band,), figure.any_color())
        figure.motifs((band[0] + band[1]) / 2, (band[2] + band[3]) / 2)
    for _ in range(int(rng.integers(1, 5))):
        start = np.array([rng.choice([-1.0, 1.0]) * half * rng.uniform(0.5, 1), shoulder + rng.uniform(0, tall * 0.4)])
        end = np.array([half * rng.uniform(-0.8, 0.8), rng.uniform(-0.2, 0.3) * tall])
        figure.band(_wave(start, end, rng.uniform(0.2, 1), rng.uniform(0, 0.15) * half), rng.uniform(1.5, 5))
        figure.motifs(start, end)


def _head(figure: _Figure, rank: Rank, at: Floats, size: float) -> None:
    """Hair, face, beard and what is worn above."""
    rng, (red, yellow, _, black, paper) = figure.rng, figure.inks
    hair = (yellow, paper, black, red)[int(rng.integers(4))]
    face, long = at + np.array([rng.uniform(-0.3, 0.3) * size, 0.0]), size * rng.uniform(0.6, 1.5)
    for side in (-1, 1):
        figure.disc(at + np.array([side * size * rng.uniform(0.5, 0.75), long * 0.35]), (size * rng.uniform(0.3, 0.5), long * 0.8), hair)
    figure.disc(at, (size * rng.uniform(0.5, 0.68), size * rng.uniform(0.75, 0.95)), figure.skin, 20)
    for side in (-1, 1):
        eye = face + np.array([side * 0.24, -0.15]) * size
        figure.disc(eye, (0.1 * size, 0.06 * size), black, 8, 0.1)
        figure.stroke(eye + np.array([[-0.16, -0.13], [0.16, -0.16]]) * size, 0.3)
    figure.stroke(face + np.array([[0, -0.15], [0.08, 0.2], [0, 0.24]]) * size, 0.25)
    if (rank is Rank.KING and rng.random() < 0.8) or rng.random() < 0.15:
        beard = np.array([[-0.55, 0.2], [0, 0.45], [0.55, 0.2], [0.4, 0.9], [0, rng.uniform(1.0, 1.5)], [-0.4, 0.9]])
        figure.shape((beard * size + at,), hair)
    figure.stroke(face + np.array([[-0.14, 0.48], [0.14, 0.48]]) * size, 0.5, red)
    at = at - [0, 0.68 * size]
    half, tall = size * rng.uniform(0.6, 0.95), size * rng.uniform(0.35, 0.8)
    if rank is Rank.JACK or rng.random() < 0.15:
        cap = np.array([[-1, 0], [-1.1, -0.6], [rng.uniform(-0.5, 0.5), -1], [1.2, -0.5], [1, 0]]) * [half, tall]
        figure.shape((cap + at,), figure.any_color())
    else:
        points = 2 * int(rng.integers(3, 7)) - 1
        zigzag = np.stack([np.linspace(-1.15, 1.15, points), np.where(np.arange(points) % 2, -0.35, -1.0)], axis=1)
        crown = np.concatenate([[[-1, 0]], zigzag, [[1, 0]]]) * [half, tall] + at
        figure.shape((crown,), yellow if rng.random() < 0.7 else figure.any_color())
        for point in crown[1:-1:2]:
            figure.disc(point, (0.1 * size, 0.1 * size), figure.any_color(), 10, 0.25)
    figure.shape(placed(box(-half, -0.16 * size, half, 0.08 * size), (float(at[0]), float(at[1])), 1.0), figure.any_color())
    figure.motifs(at - np.array([half, 0]), at + np.array([half, 0]))


def _attribute(figure: _Figure) -> None:
    """A sword, staff, axe or flower with the hand that holds it."""
    rng, half, tall = figure.rng, figure.half, figure.tall
    side = rng.choice([-1.0, 1.0])
    foot = np.array([side * half * rng.uniform(0.3, 0.9), tall * rng.uniform(-0.1, 0.3)])
    head = np.array([side * half * rng.uniform(0.55, 0.95), -tall * rng.uniform(0.6, 0.97)])
    figure.band(np.stack([foot, head]), rng.uniform(0.6, 2.4))
    top, kind = head + np.array([0, 1.5]), int(rng.integers(4))
    if kind == 1:
        blade = np.array([[0, -3], [4.5, -4.5], [5.5, 0], [4.5, 4.5], [0, 3]]) * [-side, 1] * rng.uniform(0.6, 1.2)
        figure.shape((blade + top,), figure.any_color())
    elif kind == 2:
        figure.disc(top, (1.6, 2.6), figure.any_color(), 4)
    elif kind == 3:
        radius, ink = rng.uniform(1.2, 2.4), figure.any_color()
        for petal in radius * round_shape((0.0, 0.0), (1.0, 1.0), int(rng.integers(4, 8)))[0]:
            figure.disc(top + petal, (radius * 0.6, radius * 0.6), ink, 10, 0.25)
        figure.disc(top, (radius * 0.5, radius * 0.5), figure.inks[1], 10, 0.1)
    grip = foot * 0.7 + head * 0.3
    figure.disc(grip, (2.2, 1.7), figure.skin)
    for finger in (-0.6, 0.2, 0.9):
        figure.stroke(grip + np.array([[-1.8, finger], [0.4, finger]]), 0.2)


def paint_court(sheet: Sheet, card: PlayingCard, style: PlayingStyle, half_mm: Point, lines: int, rng: np.random.Generator) -> None:
    """Paint frame, figure and the large pips beside its heads, `half_mm` wide and high; the picture is the same upside down."""
    rows, columns = sheet.picture.shape[:2]
    # As many pixels left over above as below, so that the card stays the same upside down.
    wide, high = (2 * round(length * sheet.px_mm) + whole % 2 for length, whole in zip(half_mm, (columns, rows), strict=True))
    half, tall = wide / sheet.px_mm / 2, high / sheet.px_mm / 2
    blue, yellow, skin = (colors[int(rng.integers(len(colors)))] for colors in (_BLUES, _YELLOWS, _SKINS))
    red, black = style.ink[Suit.HEARTS], style.ink[Suit.SPADES]
    if rng.random() < 0.1:
        yellow, blue = style.paper, black
    stage = Sheet((2 * half, 2 * tall), sheet.px_mm, yellow if rng.random() < 0.15 else style.paper)
    figure = _Figure(stage, rng, half, tall, (red, yellow, blue, black, style.paper), skin)
    _robe(figure)
    for _ in range(int(rng.integers(1, 3))):
        _attribute(figure)
    head = np.array([half * rng.uniform(-0.15, 0.25), -tall * rng.uniform(0.56, 0.66)])
    _head(figure, card.rank, head, min(half * rng.uniform(0.26, 0.42), tall * 0.2))
    pip = min(style.pip_mm * rng.uniform(0.75, 1.0), half * 0.75)
    where = (-half + pip * 0.5 + 0.8, -tall + pip / 2 + 1.0)
    if rng.random() < 0.75:
        stage.fill(round_shape(where, (pip * 0.6, pip * 0.6)), style.paper)
    stage.fill(placed(suit_outlines(card.suit, style.shape), where, pip), style.ink[card.suit])
    upper, (height, width) = stage.picture, stage.picture.shape[:2]
    lean = rng.uniform(-0.6, 0.6) if rng.random() < 0.6 else 0.0
    across, down = np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2
    above = down[:, None] <= across[None, :] * lean
    top, left = (rows - height) // 2, (columns - width) // 2
    sheet.picture[top : top + height, left : left + width] = np.where(above[..., None], upper, upper[::-1, ::-1])
    if rng.random() < 0.5:
        end = half * min(1.0, tall / max(half * abs(lean), 1e-6))
        sheet.line((np.array([[-end, -end * lean], [end, end * lean]]),), black, rng.uniform(0.3, 1.2), False)
    line = blue if rng.random() < 0.3 else black
    for inset in 0.9 * np.arange(lines):
        sheet.line(box(-half + inset, -tall + inset, half - inset, tall - inset), line, 0.35)
