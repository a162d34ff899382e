"""Painters of dice: the six faces of pip dice and of SET dice in many prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.art import symbol_outline
from visionset.geometry import Floats
from visionset.pieces import SET_DIE_FACES, Color, SetDie, Shape
from visionset.render.faces import random_style
from visionset.render.pixels import SUBPIXEL_BITS, Picture, blurred, color, fixed, fractal, linear, write

FACE_PX = 96  # side of one painted face
# pips of each value on a grid of three by three
PIP_PLACES: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_OPPOSITE = 7  # opposite faces of a pip die add up to this
NO_BALL = 9.0  # no die's corner is so far out, in half sides, that it is cut by a ball of this radius


@dataclass(frozen=True, slots=True, eq=False)
class DieStyle:
    """How one kind of die is made."""

    size_mm: float  # side of the cube
    round_mm: float  # radius of its edges
    ball: float  # radius of the ball that cuts the corners, in half sides
    body_bgr: Picture  # linear reflectance; float32, shape (3,)
    gloss: float  # strength of the highlight
    sharp: float  # exponent of the highlight
    glow: float = 0.0  # share of light that goes through a transparent body, 0 to 1

    def sized(self, size_mm: float) -> DieStyle:
        """The same make at another size."""
        return replace(self, size_mm=size_mm, round_mm=self.round_mm * size_mm / self.size_mm)


@dataclass(frozen=True, slots=True, eq=False)
class PipStyle:
    """How pips are made."""

    ink_bgr: Picture  # linear reflectance; float32, shape (3,)
    one_bgr: Picture  # that of the single pip of the one
    radius: float  # of a pip, in sides of the die
    one_radius: float  # of the single pip of the one
    spread: float  # from the middle of a face to the outer pips, in sides of the die
    hollow: float  # how strongly a drilled pip is shaded, 0 for a printed one
    six: float = 1.0  # how far apart the two columns of the six stand, as a share of the other faces' columns: many makers set them closer


@dataclass(frozen=True, slots=True, eq=False)
class SymbolStyle:
    """How the symbols of SET dice are printed; lengths in sides of the die."""

    ink_bgr: dict[Color, Picture]  # linear reflectance; float32, shape (3,)
    length: float
    width: float
    pitch: float  # from the middle of one symbol to that of the next
    stroke: float  # width of the outline where they are not `filled`
    filled: bool
    bend: float  # how far the squiggle waves, as in `visionset.art.DeckStyle`
    font: int  # of the word WILD, one of OpenCV's Hershey fonts
    bars: int  # below that word: 1 thin bars in the three inks, 2 thick ones, 0 none; 3 none, and the word in the last ink


# least and greatest levels of a die's colour, up to a share of all: red, black (none), yellow and blue ones; white before, any after
_BODIES = {0.58: ((140, 10, 15), (225, 60, 60)), 0.72: None, 0.8: ((210, 150, 10), (250, 215, 80)), 0.88: ((10, 40, 110), (70, 130, 220))}


def random_die(rng: np.random.Generator) -> tuple[DieStyle, PipStyle]:
    """Pip dice of any colour and make."""
    pick = rng.random()
    if pick < 0.42:  # white, ivory, bone
        body = linear(np.array([255, 255 - abs(rng.normal(0, 8)), 255 - abs(rng.normal(0, 40))]) * rng.uniform(0.82, 1))
    elif pick < 0.88:
        levels = next(levels for share, levels in _BODIES.items() if pick < share)
        body = linear(rng.uniform(*levels) if levels else np.full(3, rng.uniform(15, 45)))
    else:
        body = color(rng, 0.03, 0.8, 0.7)
    luminance = float(body @ np.array([0.07, 0.72, 0.21], np.float32))
    dark = linear(np.full(3, rng.uniform(5, 50)))
    bright = linear(np.array([1, 1, 1 - abs(rng.normal(0, 0.05))]) * rng.uniform(215, 255))
    ink = dark if luminance > 0.32 or (luminance > 0.12 and rng.random() < 0.4) else bright
    if rng.random() < 0.1:
        ink = color(rng, 0.02, 0.05, 0.8) if luminance > 0.3 else color(rng, 0.6, 0.8, 0.4)
    one = linear((200, 25, 35)) if luminance > 0.4 and rng.random() < 0.12 else ink
    radius, kind, size = rng.uniform(0.065, 0.125), rng.random(), rng.uniform(10, 20)
    rounding = rng.uniform(0.02, 0.08) if kind < 0.25 else rng.uniform(0.06, 0.2)
    ball = rng.uniform(1.3, 1.55) if rng.random() < 0.45 else NO_BALL
    glow = rng.uniform(0.2, 0.7) if 0.02 < luminance < 0.4 and rng.random() < 0.3 else 0.0
    (own,) = rng.spawn(1)  # draws of its own, so that what follows stays as it was
    die = DieStyle(size, rounding * size, ball, body, rng.uniform(0, 0.7), float(np.exp(rng.uniform(2.3, 5.3))), glow)
    one_radius = radius * (rng.uniform(1.3, 2.2) if rng.random() < 0.2 else 1)
    spread = rng.uniform(0.21, 0.28) if radius < 0.1 else rng.uniform(0.24, 0.29)
    spread = max(spread * own.uniform(0.75, 1.03), 2.15 * radius)  # closer pips, though those of a six stay apart
    hollow = rng.uniform(0, 1) * (rng.random() < 0.7)
    return die, PipStyle(ink, one, radius, one_radius, spread, hollow, 1.0 if own.random() < 0.4 else own.uniform(0.55, 1.0))


def random_set_die(rng: np.random.Generator) -> tuple[DieStyle, SymbolStyle]:
    """SET dice of any print; all dice of a table share it."""
    paper = linear(np.array([1, 1, 1 - abs(rng.normal(0, 0.05))]) * rng.uniform(205, 254))
    inks = {name: linear(rgb) for name, rgb in random_style(rng).ink_rgb.items()}
    width, size = rng.uniform(0.13, 0.23), rng.uniform(14, 28)
    rounding, ball = rng.uniform(0.04, 0.16) * size, rng.uniform(1.4, 1.6) if rng.random() < 0.2 else NO_BALL
    die = DieStyle(size, rounding, ball, paper, rng.uniform(0, 0.5), float(np.exp(rng.uniform(2.3, 5.3))))
    length, pitch, stroke = rng.uniform(0.42, 0.72), min(width * rng.uniform(1.02, 1.5), 0.29), rng.uniform(0.018, 0.05)
    filled, bend = bool(rng.random() < 0.68), rng.uniform(0.6, 1.7)
    return die, SymbolStyle(inks, length, width, pitch, stroke, filled, bend, int(rng.integers(0, 8)), int(rng.integers(0, 4)))


def _blank(rng: np.random.Generator, style: DieStyle) -> Picture:
    """Body without a print; wood and pearl are not even."""
    picture = np.empty((FACE_PX, FACE_PX, 3), np.float32)
    picture[:] = style.body_bgr
    if rng.random() < 0.3:
        picture *= np.exp(rng.uniform(0.02, 0.2) * fractal(rng, FACE_PX, FACE_PX, rng.uniform(5, 60), 3))[..., None]
    return picture


def _on_face(points: Floats) -> Floats:
    """Sides of the die about the face's middle as pixels."""
    return (points + 0.5) * FACE_PX - 0.5


def pip_face(rng: np.random.Generator, value: int, style: DieStyle, pips: PipStyle) -> Picture:
    """One face, shape (96, 96, 3), linear BGR."""
    return with_pips(rng, _blank(rng, style), value, pips)


def with_pips(rng: np.random.Generator, picture: Picture, value: int, pips: PipStyle) -> Picture:
    """A face, shape (96, 96, 3), linear BGR, with the pips of a value; drawn in place."""
    ink, radius = (pips.one_bgr, pips.one_radius) if value == 1 else (pips.ink_bgr, pips.radius)
    shade = radius * FACE_PX * 0.35 * rng.uniform(-1, 1, 2)
    columns = max(pips.six * pips.spread, 1.1 * radius) if value == 6 else pips.spread
    masks = np.zeros((2, FACE_PX, FACE_PX), np.uint8)
    for place in PIP_PLACES[value]:
        center = _on_face(np.array(place, np.float64) * [columns, pips.spread])
        for mask, at, reach in zip(masks, (center, center + shade), (1.0, 0.85), strict=True):
            x, y, size = (int(v) for v in fixed(np.append(at, radius * reach * FACE_PX)))
            cv2.circle(mask, (x, y), size, 255, -1, cv2.LINE_AA, SUBPIXEL_BITS)
    share, hollow = masks[0, ..., None].astype(np.float32) / 255, blurred(masks[1], 0.25 * radius * FACE_PX)[..., None] / 255
    shaded = ink * (1 + pips.hollow * (1.2 * hollow - 0.8)) + 0.08 * pips.hollow * (1 - hollow)
    picture += share * (np.clip(shaded, 0.004, 1) - picture)
    return picture


def symbol_face(rng: np.random.Generator, face: SetDie, style: DieStyle, symbols: SymbolStyle) -> Picture:
    """One face of a SET die, shape (96, 96, 3), linear BGR."""
    picture, mask = _blank(rng, style), np.zeros((FACE_PX, FACE_PX), np.uint8)
    if face.number is None or face.color is None or face.shape is None:
        inks, bars = [tuple(map(float, ink)) for ink in symbols.ink_bgr.values()], symbols.bars
        (width, _), _ = cv2.getTextSize("WILD", symbols.font, 0.82, 2)
        left, y, wide = round(FACE_PX * 0.1), round(FACE_PX * (0.5 if bars in (1, 2) else 0.6)), round(FACE_PX * 0.2)
        paint = (0.02, 0.02, 0.02) if bars != 3 else inks[2]
        write(picture, "WILD", (left, y), symbols.font, 0.82 * FACE_PX * 0.8 / width, paint, 2)
        for at, ink in enumerate(inks if bars in (1, 2) else ()):
            left = round(FACE_PX * (0.2 + 0.2 * at))
            cv2.rectangle(picture, (left, y + 12), (left + wide, y + (18 if bars == 1 else 28)), ink, -1)
        return picture
    narrow, thick = 0.9 if face.shape is Shape.OVAL else 1.0, 1 if symbols.filled else max(1, round(symbols.stroke * FACE_PX))
    outline = symbol_outline(face.shape, symbols.length, symbols.width * narrow, symbols.bend)
    for at in range(face.number):
        points = fixed(_on_face(outline + np.array([0, (at - (face.number - 1) / 2) * symbols.pitch])))
        if symbols.filled:
            cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, SUBPIXEL_BITS)
        cv2.polylines(mask, [points], True, 255, thick, cv2.LINE_AA, SUBPIXEL_BITS)
    return np.asarray(picture + mask.astype(np.float32)[..., None] / 255 * (symbols.ink_bgr[face.color] - picture), np.float32)


def pip_atlas(rng: np.random.Generator, top: int, style: DieStyle, pips: PipStyle) -> NDArray[np.float32]:
    """Six faces as `visionset.render.dice` wants them, shape (6, 96, 96, 3): top, bottom, left, right, far, near."""
    return np.stack([np.rot90(pip_face(rng, value, style, pips), int(rng.integers(2))) for value in pip_values(rng, top)])


def pip_values(rng: np.random.Generator, top: int) -> tuple[int, ...]:
    """What the six faces of a die show, in the order of an atlas."""
    others = [value for value in (1, 2, 3) if value not in (top, _OPPOSITE - top)]
    if rng.random() < 0.5:
        others.reverse()
    sides = [value if rng.random() < 0.5 else _OPPOSITE - value for value in others]
    return top, _OPPOSITE - top, sides[0], _OPPOSITE - sides[0], sides[1], _OPPOSITE - sides[1]


def symbol_atlas(rng: np.random.Generator, top: SetDie, style: DieStyle, symbols: SymbolStyle) -> NDArray[np.float32]:
    """Six faces of a SET die, shape (6, 96, 96, 3), the others at random."""
    faces: Sequence[SetDie] = (top, *(SET_DIE_FACES[int(at)] for at in rng.integers(0, len(SET_DIE_FACES), 5)))
    return np.stack([np.rot90(symbol_face(rng, face, style, symbols), int(rng.integers(4))) for face in faces])
