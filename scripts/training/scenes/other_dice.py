"""SET dice as others would draw them: strokes bent like an S, stadiums or ellipses, large and crisp, WILD in any font.

`visionset.render.die_faces` knows one squiggle, one oval and OpenCV's letters; a reader that has seen no others takes two bent outlines
for three.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.pieces import SET_DIE_FACES, Color, SetDie, Shape
from visionset.render.dice import Die
from visionset.render.die_faces import FACE_PX, NO_BALL, DieStyle
from visionset.render.pixels import SUBPIXEL_BITS, Picture, filled, fixed, fractal, linear
from visionset.render.playing_style import Lettering, text_outlines

_FILLED = 0.6  # share of prints without outlines
_WILD_SHARE = 0.1
# least and greatest levels of ink, red, green, blue: from what printers mix to what programs call by these names
INKS = {
    Color.RED: ((170, 0, 0), (255, 70, 70)),
    Color.GREEN: ((0, 80, 0), (60, 190, 100)),
    Color.PURPLE: ((50, 0, 80), (150, 70, 190)),
}
_POINTS = 40  # corners of half an outline


@dataclass(frozen=True, slots=True)
class Print:
    """How the symbols of a set of dice are drawn; lengths in sides of the die."""

    length: float
    width: float
    pitch: float
    stroke: float  # of an outline; 0 where symbols are filled
    bend: float  # how far the squiggle's middle line swings, in widths
    swings: float  # half waves of it
    squared: float  # exponent of the oval: 2 an ellipse, more a rounded rectangle, 0 a stadium
    lettering: Lettering
    letters: float  # width of WILD
    bars: float  # height of the bar of three inks below it, 0 for none
    black: bool  # whether its letters are


def random_print(rng: np.random.Generator, fonts: Sequence[Path]) -> Print:
    """Any of them."""
    width = float(rng.uniform(0.12, 0.26))
    return Print(
        length=float(rng.uniform(0.45, 0.82)),
        width=width,
        pitch=float(min(width * rng.uniform(1.08, 1.7), 0.31)),
        stroke=0.0 if rng.random() < _FILLED else float(rng.uniform(0.015, 0.05)),
        bend=float(rng.uniform(0.15, 0.6)),
        swings=float(rng.uniform(1.6, 2.4)),
        squared=0.0 if rng.random() < 0.5 else float(rng.uniform(2.0, 6.0)),
        lettering=Lettering(str(fonts[int(rng.integers(len(fonts)))]) if fonts else "sans", int(rng.integers(300, 850))),
        letters=float(rng.uniform(0.45, 0.85)),
        bars=0.0 if rng.random() < 0.4 else float(rng.uniform(0.06, 0.2)),
        black=bool(rng.random() < 0.8),
    )


def outline(shape: Shape, how: Print) -> Floats:
    """One symbol about its middle, lying along x; shape (n, 2)."""
    half = how.length / 2, how.width / 2
    if shape is Shape.DIAMOND:
        return np.array([[-half[0], 0.0], [0.0, -half[1]], [half[0], 0.0], [0.0, half[1]]])
    if shape is Shape.OVAL and how.squared:
        angle = np.linspace(0, 2 * np.pi, 2 * _POINTS, endpoint=False)
        power = 2 / how.squared
        across, along = np.sin(angle), np.cos(angle)
        return np.stack([half[0] * np.sign(along) * np.abs(along) ** power, half[1] * np.sign(across) * np.abs(across) ** power], axis=1)
    swing = how.bend * how.width if shape is Shape.SQUIGGLE else 0.0
    thick = half[1] if shape is Shape.OVAL else half[1] * (1 - 0.5 * how.bend)
    x = np.linspace(-1, 1, _POINTS)
    reach = half[0] - thick
    line = np.stack([reach * x, swing * np.sin(0.5 * np.pi * how.swings * x)], axis=1)
    way = np.gradient(line, axis=0)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    normal = np.stack([-way[:, 1], way[:, 0]], axis=1)
    turn = np.linspace(0, np.pi, 12)[1:-1, None]
    caps = [end + thick * (np.cos(turn) * out + np.sin(turn) * ahead) for end, out, ahead in _ends(line, normal, way)]
    return np.concatenate([line + thick * normal, caps[0], (line - thick * normal)[::-1], caps[1]])


def _ends(line: Floats, normal: Floats, way: Floats) -> tuple[tuple[Floats, Floats, Floats], ...]:
    return (line[-1], normal[-1], way[-1]), (line[0], -normal[0], -way[0])


def _face(face: SetDie, paper: Picture, inks: dict[Color, Picture], how: Print) -> Picture:
    """One face, shape (96, 96, 3), linear BGR."""
    picture = np.array(paper)
    if face.number is None or face.color is None or face.shape is None:
        letters, wide = text_outlines("WILD", how.lettering)
        middle = np.array([0.5, 0.5 - how.bars / 2]) * FACE_PX - 0.5
        scale = how.letters / wide * FACE_PX
        mask = filled((FACE_PX, FACE_PX), [part * scale + middle for part in letters])
        ink = linear(np.full(3, 20.0)) if how.black else inks[Color.PURPLE]
        picture += mask[..., None] * (ink - picture)
        top, left = middle[1] + (0.5 / wide * how.letters + 0.08) * FACE_PX, (0.5 - how.letters / 2) * FACE_PX
        for at, ink in enumerate(inks.values() if how.bars else ()):
            x = left + how.letters / 3 * FACE_PX * np.array([at, at + 1])
            cv2.rectangle(picture, (round(x[0]), round(top)), (round(x[1]), round(top + how.bars * FACE_PX)), ink.tolist(), -1)
        return picture
    mask = np.zeros((FACE_PX, FACE_PX), np.uint8)
    for at in range(face.number):
        moved = outline(face.shape, how) + np.array([0, (at - (face.number - 1) / 2) * how.pitch])
        points = fixed((moved + 0.5) * FACE_PX - 0.5)
        if how.stroke:
            cv2.polylines(mask, [points], True, 255, max(1, round(how.stroke * FACE_PX)), cv2.LINE_AA, SUBPIXEL_BITS)
        else:
            cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, SUBPIXEL_BITS)
    return np.asarray(picture + mask.astype(np.float32)[..., None] / 255 * (inks[face.color] - picture), np.float32)


def other_set_dice(rng: np.random.Generator, size_mm: tuple[float, float], fonts: Sequence[Path] = ()) -> Iterator[Die]:
    """SET dice of one print, with sides within a range, without end."""
    body = linear(np.array([1, 1, 1 - abs(rng.normal(0, 0.05))]) * rng.uniform(200, 255))
    size = float(rng.uniform(*size_mm))
    gloss, sharp = (0.0, 1.0) if rng.random() < 0.4 else (float(rng.uniform(0, 0.6)), float(np.exp(rng.uniform(2.3, 5.3))))
    style = DieStyle(size, float(rng.uniform(0.01, 0.2)) * size, NO_BALL, body, gloss, sharp)
    inks = {name: linear(rng.uniform(*between)) for name, between in INKS.items()}
    how = random_print(rng, fonts)
    uneven = float(rng.uniform(0.02, 0.12)) if rng.random() < 0.3 else 0.0

    def painted(face: SetDie) -> NDArray[np.float32]:
        paper = np.empty((FACE_PX, FACE_PX, 3), np.float32)
        paper[:] = body
        if uneven:
            paper *= np.exp(uneven * fractal(rng, FACE_PX, FACE_PX, rng.uniform(5, 60), 3))[..., None]
        return np.asarray(np.rot90(_face(face, paper, inks, how), int(rng.integers(4))))

    while True:
        top = SetDie() if rng.random() < _WILD_SHARE else SET_DIE_FACES[int(rng.integers(len(SET_DIE_FACES) - 1))]
        faces = (top, *(SET_DIE_FACES[int(at)] for at in rng.integers(0, len(SET_DIE_FACES), 5)))
        yield Die(top, style, np.stack([painted(face) for face in faces]))
