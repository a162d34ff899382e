"""What each piece looks like, as vector paths in millimetres: one source for print, page and rendered samples.

The drawings are our own. A card lies portrait, its centre at the origin, x to the right, y downwards; symbols lie
across it, one above the other. Colours are sRGB triples from 0 to 255.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from visionset.geometry import Floats
from visionset.pieces import Color, SetCard, SetDie, Shading, Shape

CARD_WIDTH_MM = 57.0
CARD_HEIGHT_MM = 87.0

SYMBOL_OF_DIE = 0.65
"""Length of a symbol on a SET die, in sides of the die."""

PLAIN_RGB = {Color.RED: (190, 72, 0), Color.GREEN: (0, 114, 178), Color.PURPLE: (30, 30, 30)}
"""Vermilion, blue and black: people who see two of the three kinds of light tell them apart, and each letter and dash says which it is."""

PLAIN_DASHES_MM: dict[Color, tuple[float, ...]] = {Color.RED: (), Color.GREEN: (4.0, 1.6), Color.PURPLE: (1.0, 1.4)}
"""Dashes and gaps of outlines, for people who do not tell the colours apart, on a card of full size."""

PLAIN_PITCHES_MM = {Color.RED: 0.9, Color.GREEN: 2.2, Color.PURPLE: 5.0}
"""Stripes of dice drawn plain, on a face of 40 mm: their symbols have no shading, so the pattern is free to say the colour."""


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """How one print of the deck differs from another; the defaults resemble a common print.

    All lengths in millimetres, colours sRGB 0 to 255.
    """

    width_mm: float = CARD_WIDTH_MM
    height_mm: float = CARD_HEIGHT_MM
    corner_mm: float = 4.0
    symbol_length_mm: float = 38.0
    symbol_width_mm: float = 18.0
    symbol_pitch_mm: float = 24.0
    stroke_mm: float = 0.9
    stripe_mm: float = 0.28
    stripe_pitch_mm: float = 1.05
    stripes_across: bool = True
    """Stripes run across the symbol's long axis, else along it."""
    squiggle_bend: float = 1.3
    """How far the squiggle waves; 0 is straight in the middle, real decks lie between 1 and 1.6."""
    paper_rgb: tuple[int, int, int] = (250, 249, 245)
    ink_rgb: dict[Color, tuple[int, int, int]] = field(
        default_factory=lambda: {Color.RED: (226, 32, 38), Color.GREEN: (0, 142, 64), Color.PURPLE: (86, 36, 130)}
    )


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """One symbol on a face."""

    outline_mm: Floats
    """Closed polygon. Shape (n, 2)."""
    stripes_mm: Floats
    """Line segments inside the outline; empty unless striped. Shape (m, 2, 2)."""
    filled: bool
    """True for solid."""


# Half of the squiggle's edge, mirrored, in half lengths and half widths.
# The other half is this one turned by 180 degrees. Closed cubic B-spline control points.
_SQUIGGLE = np.array(
    [[-1.04, 0.62], [-0.96, -0.36], [-0.68, -1.16], [-0.26, -0.92], [0.16, -0.42], [0.52, -0.56], [0.86, -1.10]],
)
_CURVE_STEPS = 10


def _closed_spline(control: Floats) -> Floats:
    """Uniform cubic B-spline through a closed ring of control points, shape (steps * n, 2)."""
    t = np.arange(_CURVE_STEPS) / _CURVE_STEPS
    basis = np.stack([(1 - t) ** 3, 3 * t**3 - 6 * t**2 + 4, -3 * t**3 + 3 * t**2 + 3 * t + 1, t**3], axis=1) / 6
    ring = np.stack([np.roll(control, shift, axis=0) for shift in (1, 0, -1, -2)], axis=1)
    return np.asarray(np.einsum("sk,nkd->nsd", basis, ring).reshape(-1, 2))


def symbol_outline(shape: Shape, length_mm: float, width_mm: float, bend: float = 1.0) -> Floats:
    """Closed outline of one symbol about the origin, long axis along x, shape (n, 2) in millimetres."""
    half = np.array([length_mm / 2, width_mm / 2])
    if shape is Shape.DIAMOND:
        return np.asarray(np.array([[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]]) * half)
    if shape is Shape.OVAL:
        angle = np.linspace(-np.pi / 2, np.pi / 2, 4 * _CURVE_STEPS)
        cap = np.stack([np.cos(angle), np.sin(angle)], axis=1) * half[1] + [half[0] - half[1], 0]
        return np.concatenate([cap, -cap])
    edge = _SQUIGGLE.copy()
    edge[4:6, 1] = -0.75 + (edge[4:6, 1] + 0.75) * 0.75 * bend
    curve = _closed_spline(np.concatenate([edge, -edge]))
    return np.asarray(curve / np.abs(curve).max(axis=0) * half * [-1, 1])


def hatch(outline_mm: Floats, pitch_mm: float, across: bool = True) -> Floats:
    """Parallel line segments inside a polygon, shape (n, 2), whose long axis lies along x; shape (m, 2, 2), in millimetres.

    They lie `pitch_mm` apart, parallel to y where they run `across`, else to x, the first half of that from the polygon's end.
    """
    run, cut = (1, 0) if across else (0, 1)
    ends = np.roll(outline_mm, -1, axis=0)
    low, high = outline_mm[:, cut].min(), outline_mm[:, cut].max()
    segments = []
    for level in np.arange(low + 0.5 * pitch_mm, high, pitch_mm):
        a, b = outline_mm[:, cut] - level, ends[:, cut] - level
        crossing = np.flatnonzero((a < 0) != (b < 0))
        share = a[crossing] / (a[crossing] - b[crossing])
        along = np.sort(outline_mm[crossing, run] + share * (ends[crossing, run] - outline_mm[crossing, run]))
        for start, stop in zip(along[0::2], along[1::2], strict=True):
            segments.append([[level, start], [level, stop]] if across else [[start, level], [stop, level]])
    return np.array(segments).reshape(-1, 2, 2)


def set_card_symbols(card: SetCard, style: DeckStyle | None = None) -> tuple[Symbol, ...]:
    """Draw the symbols of one card face, top to bottom, about the card's centre."""
    style = style or DeckStyle()
    outline = symbol_outline(card.shape, style.symbol_length_mm, style.symbol_width_mm, style.squiggle_bend)
    stripes = np.empty((0, 2, 2))
    if card.shading is Shading.STRIPED:
        stripes = hatch(outline, style.stripe_pitch_mm, style.stripes_across)
    symbols = []
    for place in range(card.number):
        shift = np.array([0.0, (place - (card.number - 1) / 2) * style.symbol_pitch_mm])
        symbols.append(Symbol(outline + shift, stripes + shift, card.shading is Shading.SOLID))
    return tuple(symbols)


def set_die_symbols(die: SetDie, side_mm: float, length: float = SYMBOL_OF_DIE) -> tuple[Floats, ...]:
    """Draw the symbols of one face of a SET die, top to bottom, about its centre: closed outlines, each of shape (n, 2), in millimetres.

    `length` is that of a symbol in sides of the die; WILD has no symbols.
    """
    if die.shape is None or die.number is None:
        return ()
    outline = symbol_outline(die.shape, length * side_mm, 0.2375 * side_mm, DeckStyle().squiggle_bend)
    return tuple(outline + np.array([0.0, (at - (die.number - 1) / 2) * 0.2875 * side_mm]) for at in range(die.number))


_PIPS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "035268"}
"""Of the nine places of a square, counted by rows from the top left, those with a pip."""


def pip_places(value: int) -> tuple[tuple[int, int], ...]:
    """Where the pips of a die lie about the middle of its face: x and y of each, -1, 0 or 1.

    >>> pip_places(3)
    ((-1, -1), (0, 0), (1, 1))
    """
    return tuple((int(at) % 3 - 1, int(at) // 3 - 1) for at in _PIPS[value])


def rounded_rectangle(width_mm: float, height_mm: float, corner_mm: float) -> Floats:
    """Closed outline of a card or sheet about the origin, shape (n, 2) in millimetres."""
    if corner_mm <= 0:
        return np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * [width_mm / 2, height_mm / 2]
    angle = np.linspace(0, np.pi / 2, 8)
    arc = np.stack([np.cos(angle), np.sin(angle)], axis=1) * corner_mm
    inner = np.array([width_mm / 2 - corner_mm, height_mm / 2 - corner_mm])
    right, down = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    quarter = [arc + inner]
    for x_sign, y_sign in ((-1, 1), (-1, -1), (1, -1)):
        part = arc * (x_sign * right + y_sign * down) + inner * (x_sign * right + y_sign * down)
        quarter.append(part[::-1] if x_sign * y_sign < 0 else part)
    return np.concatenate(quarter)
