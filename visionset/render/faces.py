"""Faces of flat things: SET cards of many prints, and a sheet of card stock to print anything else on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.art import DeckStyle, Symbol, rounded_rectangle, set_card_symbols
from visionset.geometry import Floats
from visionset.pieces import Color, SetCard
from visionset.render.pixels import Picture, linear

Rgb: TypeAlias = tuple[int, int, int]
"""SRGB from 0 to 255."""

Outlines: TypeAlias = tuple[Floats, ...]
"""Closed polygons, each of shape (n, 2); where two overlap there is a hole."""

_LINEAR = np.asarray((np.arange(256) / 255) ** 2.2, dtype=np.float32)

RESOLUTION_PX_MM = 8
"""Faces are painted at this many pixels a millimetre and averaged down: stripes then blur as a lens would blur them."""

FINE_PX_MM = 1.5
"""Faces delivered below this resolution are drawn at `DRAFT_PX_MM`: their stripes are a tint either way."""

DRAFT_PX_MM = 4

_SUBPIXEL_BITS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A painted flat thing."""

    picture: Picture
    """Linear BGR reflectance; float32, shape (height, width, 3)."""
    cover: NDArray[np.float32]
    """1 where the thing is, 0 beside its rounded corners; float32, shape (height, width)."""
    size_mm: tuple[float, float]
    """Width and height."""


def _canvas(size_mm: tuple[float, float], px_mm: float = RESOLUTION_PX_MM) -> tuple[int, int]:
    return max(2, round(size_mm[1] * px_mm)), max(2, round(size_mm[0] * px_mm))


def _fixed(points_mm: Floats, size_mm: tuple[float, float], px_mm: float = RESOLUTION_PX_MM) -> NDArray[np.int32]:
    """Millimetres about the centre as OpenCV's fixed-point pixels."""
    shifted = (points_mm + np.array(size_mm) / 2) * px_mm - 0.5
    return np.round(shifted * (1 << _SUBPIXEL_BITS)).astype(np.int32)


def cover(size_mm: tuple[float, float], corner_mm: float, px_mm: float = RESOLUTION_PX_MM) -> NDArray[np.float32]:
    """Coverage of a rounded sheet."""
    mask = np.zeros(_canvas(size_mm, px_mm), np.uint8)
    cv2.fillPoly(mask, [_fixed(rounded_rectangle(*size_mm, corner_mm), size_mm, px_mm)], 255, cv2.LINE_AA, _SUBPIXEL_BITS)
    return mask.astype(np.float32) / np.float32(255)


def ink(
    symbols: tuple[Symbol, ...], size_mm: tuple[float, float], stroke_mm: float, stripe_mm: float, px_mm: float = RESOLUTION_PX_MM
) -> NDArray[np.uint8]:
    """Share of ink, 0 to 255, shape (height, width)."""
    mask = np.zeros(_canvas(size_mm, px_mm), np.uint8)
    thick, thin = max(1, round(stroke_mm * px_mm)), max(1, round(stripe_mm * px_mm))
    for symbol in symbols:
        outline = _fixed(symbol.outline_mm, size_mm, px_mm)
        if symbol.filled:
            cv2.fillPoly(mask, [outline], 255, cv2.LINE_AA, _SUBPIXEL_BITS)
        if len(symbol.stripes_mm):
            stripes = _fixed(symbol.stripes_mm.reshape(-1, 2), size_mm, px_mm).reshape(-1, 2, 2)
            cv2.polylines(mask, list(stripes), False, 255, thin, cv2.LINE_AA, _SUBPIXEL_BITS)
        cv2.polylines(mask, [outline], True, 255, thick, cv2.LINE_AA, _SUBPIXEL_BITS)
    return mask


def print_card(symbols: tuple[Symbol, ...], style: DeckStyle, ink_bgr: Picture, edge: float = 0.0, px_mm: float = RESOLUTION_PX_MM) -> Face:
    """Print symbols on a card of the style's size, the rim darkened by `edge` (0 to 1).

    The print is drawn finely and averaged down to `px_mm` before it is coloured, which is quick.
    """
    size_mm = (style.width_mm, style.height_mm)
    fine = RESOLUTION_PX_MM if px_mm > FINE_PX_MM else DRAFT_PX_MM
    px_mm = min(px_mm, fine)
    share = ink(symbols, size_mm, style.stroke_mm, style.stripe_mm, fine)
    small = _canvas(size_mm, px_mm)
    share = np.asarray(cv2.resize(share, small[::-1], interpolation=cv2.INTER_AREA), np.uint8)
    outline = _fixed(rounded_rectangle(*size_mm, style.corner_mm), size_mm, px_mm)
    paper = linear(style.paper_rgb)
    picture = paper + share[..., None].astype(np.float32) * ((ink_bgr - paper) / 255)
    if edge > 0:
        rim = np.zeros(small, np.uint8)
        cv2.polylines(rim, [outline], True, 255, max(1, round(px_mm / 2)), cv2.LINE_AA, _SUBPIXEL_BITS)
        picture *= 1 - rim[..., None].astype(np.float32) * (edge / 255)
    return Face(np.asarray(picture, np.float32), cover(size_mm, style.corner_mm, px_mm), size_mm)


def set_card(card: SetCard, style: DeckStyle, edge: float = 0.0, px_mm: float = RESOLUTION_PX_MM) -> Face:
    """One face of the deck."""
    return print_card(set_card_symbols(card, style), style, linear(style.ink_rgb[card.color]), edge, px_mm)


def random_style(rng: np.random.Generator) -> DeckStyle:
    """Another print of the deck: sizes, stroke, stripes, paper and inks vary as decks, printers and years do."""
    scale = rng.uniform(0.93, 1.08)
    pale = abs(rng.normal(0, 0.12))
    inks = {
        Color.RED: np.array([rng.uniform(170, 245), rng.uniform(15, 90), rng.uniform(20, 75)]),
        Color.GREEN: np.array([rng.uniform(0, 60), rng.uniform(95, 175), rng.uniform(35, 105)]),
        Color.PURPLE: np.array([rng.uniform(45, 130), rng.uniform(15, 75), rng.uniform(85, 165)]),
    }
    if rng.random() < 0.15:
        inks[Color.PURPLE] = np.array([rng.uniform(25, 60), rng.uniform(15, 50), rng.uniform(60, 120)])
    paper = np.array([1, 1, 1 - abs(rng.normal(0, 0.05))]) * rng.uniform(228, 254)
    rgb = {name: tuple(int(v) for v in mix + (paper - mix) * min(pale, 0.4)) for name, mix in inks.items()}
    stroke = rng.uniform(0.45, 1.5)
    return DeckStyle(
        width_mm=57 * rng.uniform(0.97, 1.12),
        height_mm=87 * rng.uniform(0.97, 1.05),
        corner_mm=rng.uniform(1, 6) if rng.random() < 0.9 else 0.0,
        symbol_length_mm=38 * scale * rng.uniform(0.93, 1.07),
        symbol_width_mm=18 * scale * rng.uniform(0.92, 1.08),
        symbol_pitch_mm=24 * scale * rng.uniform(0.96, 1.08),
        stroke_mm=stroke,
        stripe_mm=rng.uniform(0.2, 0.4),
        stripe_pitch_mm=rng.uniform(0.8, 1.7),
        stripes_across=bool(rng.random() < 0.8),
        squiggle_bend=rng.uniform(0.6, 1.6),
        paper_rgb=(int(paper[0]), int(paper[1]), int(paper[2])),
        ink_rgb=rgb,  # type: ignore[arg-type]
    )


def placed(outlines: Outlines, center_mm: tuple[float, float], scale: float | tuple[float, float], turned: bool = False) -> Outlines:
    """Outlines stretched, turned by 180 degrees if asked, and moved."""
    stretch = np.asarray(scale) * (-1 if turned else 1)
    return tuple(outline * stretch + np.asarray(center_mm) for outline in outlines)


def box(left: float, top: float, right: float, bottom: float) -> Outlines:
    """Rectangle."""
    return (np.array([[left, top], [right, top], [right, bottom], [left, bottom]], dtype=np.float64),)


def round_shape(center_mm: tuple[float, float], radii_mm: tuple[float, float], points: int = 20) -> Outlines:
    """Ellipse; with few points a regular polygon."""
    angle = np.arange(points) * (2 * np.pi / points) - np.pi / 2
    return (np.stack([np.cos(angle) * radii_mm[0] + center_mm[0], np.sin(angle) * radii_mm[1] + center_mm[1]], axis=1),)


class Sheet:
    """Paper being printed; coordinates are millimetres about the centre, x right, y down.

    Parameters
    ----------
    size_mm : tuple of float
        Width and height.
    px_mm : float
        Pixels a millimetre.
    paper : Rgb
        Colour of the empty sheet.
    """

    def __init__(self, size_mm: tuple[float, float], px_mm: float, paper: Rgb) -> None:
        self.size_mm, self.px_mm = size_mm, px_mm
        self.picture: NDArray[np.uint8] = np.empty((*_canvas(size_mm, px_mm), 3), np.uint8)
        self.picture[:] = paper[::-1]

    def _fixed(self, points_mm: Floats) -> NDArray[np.int32]:
        return _fixed(points_mm, self.size_mm, self.px_mm)

    def fill(self, outlines: Outlines, color: Rgb) -> None:
        """Fill; overlaps of the outlines stay empty."""
        cv2.fillPoly(self.picture, [self._fixed(outline) for outline in outlines], color[::-1], cv2.LINE_AA, _SUBPIXEL_BITS)

    def line(self, outlines: Outlines, color: Rgb, width_mm: float, closed: bool = True) -> None:
        """Stroke."""
        thick = max(1, round(width_mm * self.px_mm))
        paths = [self._fixed(outline) for outline in outlines]
        cv2.polylines(self.picture, paths, closed, color[::-1], thick, cv2.LINE_AA, _SUBPIXEL_BITS)

    def pixels(self, left: float, top: float, right: float, bottom: float) -> NDArray[np.uint8]:
        """View of the pixels of a box that is symmetric about the centre or not; clipped to the sheet."""
        height, width = self.picture.shape[:2]
        across = np.clip(np.round((np.array([left, right]) + self.size_mm[0] / 2) * self.px_mm), 0, width).astype(int)
        down = np.clip(np.round((np.array([top, bottom]) + self.size_mm[1] / 2) * self.px_mm), 0, height).astype(int)
        return self.picture[down[0] : down[1], across[0] : across[1]]

    def face(self, corner_mm: float) -> Face:
        """Cut the corners round and deliver."""
        picture = np.asarray(cv2.LUT(self.picture, _LINEAR), np.float32)
        return Face(picture, cover(self.size_mm, corner_mm, self.px_mm), self.size_mm)
