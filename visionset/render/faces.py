"""Faces of flat things: SET cards of many prints, and a sheet of card stock to print anything else on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.art import DeckStyle, Symbol, rounded_rectangle, set_card_symbols
from visionset.geometry import Floats
from visionset.pieces import Color, SetCard
from visionset.render.layouts import Point
from visionset.render.pixels import GAMMA, SUBPIXEL_BITS, Picture, Rgb, filled, fixed, linear, to_rgb

Outlines: TypeAlias = tuple[Floats, ...]  # closed polygons, each of shape (n, 2); where two overlap there is a hole
_LINEAR = np.asarray((np.arange(256) / 255) ** GAMMA, dtype=np.float32)


RESOLUTION_PX_MM = 8  # faces are painted at this many pixels a millimetre and averaged down: stripes then blur as a lens would blur them
_FINE_PX_MM = 1.5  # faces delivered below this resolution are drawn at `DRAFT_PX_MM`: their stripes are a tint either way
DRAFT_PX_MM = 4


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """A painted flat thing."""

    picture: Picture  # linear BGR reflectance; float32, shape (height, width, 3)
    cover: NDArray[np.float32]  # 1 where the thing is, 0 beside its rounded corners; float32, shape (height, width)
    size_mm: tuple[float, float]  # width and height


def _canvas(size_mm: tuple[float, float], px_mm: float) -> tuple[int, int]:
    """Width and height in pixels."""
    return max(2, round(size_mm[0] * px_mm)), max(2, round(size_mm[1] * px_mm))


def _on_canvas(points_mm: Floats, size_mm: tuple[float, float], px_mm: float) -> Floats:
    """Millimetres about the centre as pixels."""
    return (points_mm + np.array(size_mm) / 2) * px_mm - 0.5


def cover(size_mm: tuple[float, float], corner_mm: float, px_mm: float = RESOLUTION_PX_MM) -> NDArray[np.float32]:
    """Coverage of a rounded sheet."""
    return filled(_canvas(size_mm, px_mm), [_on_canvas(rounded_rectangle(*size_mm, corner_mm), size_mm, px_mm)])


def _stroke(picture: NDArray[np.uint8], paths_px: Sequence[Floats], closed: bool, paint: int | Rgb, thick: int) -> None:
    cv2.polylines(picture, [fixed(path) for path in paths_px], closed, paint, thick, cv2.LINE_AA, SUBPIXEL_BITS)


def ink(symbols: tuple[Symbol, ...], style: DeckStyle, px_mm: float = RESOLUTION_PX_MM) -> NDArray[np.uint8]:
    """Share of ink, 0 to 255, shape (height, width)."""
    size_mm = (style.width_mm, style.height_mm)
    mask = np.zeros(_canvas(size_mm, px_mm)[::-1], np.uint8)
    thick, thin = max(1, round(style.stroke_mm * px_mm)), max(1, round(style.stripe_mm * px_mm))
    for symbol in symbols:
        outline = _on_canvas(symbol.outline_mm, size_mm, px_mm)
        if symbol.filled:
            cv2.fillPoly(mask, [fixed(outline)], 255, cv2.LINE_AA, SUBPIXEL_BITS)
        if len(symbol.stripes_mm):
            _stroke(mask, list(_on_canvas(symbol.stripes_mm, size_mm, px_mm)), False, 255, thin)
        _stroke(mask, [outline], True, 255, thick)
    return mask


def print_card(symbols: tuple[Symbol, ...], style: DeckStyle, ink_bgr: Picture, edge: float = 0.0, px_mm: float = RESOLUTION_PX_MM) -> Face:
    """Print symbols on a card, its rim darkened by `edge` (0 to 1): drawn finely, averaged down to `px_mm`, then coloured."""
    size_mm = (style.width_mm, style.height_mm)
    fine = RESOLUTION_PX_MM if px_mm > _FINE_PX_MM else DRAFT_PX_MM
    px_mm = min(px_mm, fine)
    share = cv2.resize(ink(symbols, style, fine), _canvas(size_mm, px_mm), interpolation=cv2.INTER_AREA)
    paper = linear(style.paper_rgb)
    picture = paper + share[..., None].astype(np.float32) * ((ink_bgr - paper) / 255)
    if edge > 0:
        rim = np.zeros(share.shape, np.uint8)
        _stroke(rim, [_on_canvas(rounded_rectangle(*size_mm, style.corner_mm), size_mm, px_mm)], True, 255, max(1, round(px_mm / 2)))
        picture *= 1 - rim[..., None].astype(np.float32) * (edge / 255)
    return Face(np.asarray(picture, np.float32), cover(size_mm, style.corner_mm, px_mm), size_mm)


def set_card(card: SetCard, style: DeckStyle, edge: float = 0.0, px_mm: float = RESOLUTION_PX_MM) -> Face:
    """One face of the deck."""
    return print_card(set_card_symbols(card, style), style, linear(style.ink_rgb[card.color]), edge, px_mm)


# least and greatest levels of each ink
_INK = {
    Color.RED: ((170, 15, 20), (245, 90, 75)),
    Color.GREEN: ((0, 95, 35), (60, 175, 105)),
    Color.PURPLE: ((45, 15, 85), (130, 75, 165)),
}


def random_style(rng: np.random.Generator) -> DeckStyle:
    """Another print of the deck: sizes, stroke, stripes, paper and inks vary as decks, printers and years do."""
    scale = rng.uniform(0.93, 1.08)
    pale = abs(rng.normal(0, 0.12))
    inks = {name: rng.uniform(*between) for name, between in _INK.items()}
    if rng.random() < 0.15:
        inks[Color.PURPLE] = rng.uniform((25, 15, 60), (60, 50, 120))
    paper = np.array([1, 1, 1 - abs(rng.normal(0, 0.05))]) * rng.uniform(228, 254)
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
        paper_rgb=to_rgb(paper),
        ink_rgb={name: to_rgb(mix + (paper - mix) * min(pale, 0.4)) for name, mix in inks.items()},
    )


def placed(outlines: Outlines, center_mm: Point | Floats, scale: float | Point, turned: bool = False) -> Outlines:
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
    """Paper of one colour being printed, `px_mm` pixels a millimetre; coordinates are millimetres about the centre, x right, y down."""

    def __init__(self, size_mm: tuple[float, float], px_mm: float, paper: Rgb) -> None:
        self.size_mm, self.px_mm = size_mm, px_mm
        self.picture: NDArray[np.uint8] = np.empty((*_canvas(size_mm, px_mm)[::-1], 3), np.uint8)
        self.picture[:] = paper[::-1]

    def _px(self, outlines: Outlines) -> list[Floats]:
        return [_on_canvas(outline, self.size_mm, self.px_mm) for outline in outlines]

    def fill(self, outlines: Outlines, color: Rgb) -> None:
        """Fill; overlaps of the outlines stay empty."""
        cv2.fillPoly(self.picture, [fixed(outline) for outline in self._px(outlines)], color[::-1], cv2.LINE_AA, SUBPIXEL_BITS)

    def line(self, outlines: Outlines, color: Rgb, width_mm: float, closed: bool = True) -> None:
        """Stroke."""
        _stroke(self.picture, self._px(outlines), closed, color[::-1], max(1, round(width_mm * self.px_mm)))

    def pixels(self, left: float, top: float, right: float, bottom: float) -> NDArray[np.uint8]:
        """View of the pixels of a box, clipped to the sheet."""
        corners = (np.array([[left, top], [right, bottom]]) + np.array(self.size_mm) / 2) * self.px_mm
        low, high = np.clip(np.round(corners), 0, self.picture.shape[1::-1]).astype(int)
        return self.picture[low[1] : high[1], low[0] : high[0]]

    def face(self, corner_mm: float) -> Face:
        """Cut the corners round and deliver."""
        picture = np.asarray(cv2.LUT(self.picture, _LINEAR), np.float32)
        return Face(picture, cover(self.size_mm, corner_mm, self.px_mm), self.size_mm)
