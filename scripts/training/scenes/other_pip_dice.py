"""Pip dice as other makers cast them: pips in any colour, marbled, speckled and clear bodies, round edges; and dice lit from all sides.

`visionset.render.die_faces` knows dark pips on light bodies and bright ones on dark bodies, and a lamp above.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.pieces import PipDie
from visionset.render.dice import Die
from visionset.render.die_faces import FACE_PX, NO_BALL, DieStyle, PipStyle, pip_values, with_pips
from visionset.render.pixels import Picture, fractal, linear

_LUMA = np.array([0.3, 0.59, 0.11])
_APART = 0.25  # least difference of luma, of 1, between pips and body: anybody sees them
_MIXED = 0.2  # most difference of the two colours of a marbled body: pips are still seen on it
_MARBLED, _SPECKLED = 0.35, 0.5  # shares of the bodies, the second up to here
_SIDES = (1.1, 1.9)  # light on the sides of dice that are lit from all around, times as much as a lamp above gives them: half of the top's


def _luma(rgb: NDArray[np.float64]) -> float:
    return float(_LUMA @ rgb) / 255


def _any_colour(rng: np.random.Generator, colourful: tuple[float, float], bright: tuple[float, float]) -> NDArray[np.float64]:
    """Levels of red, green and blue of any hue."""
    value = float(rng.uniform(*bright)) * 255
    hue = rng.uniform(0, 1, 3)
    hue = (hue - hue.min()) / max(float(np.ptp(hue)), 1e-3)
    return np.asarray(value * (1 - float(rng.uniform(*colourful)) * (1 - hue)))


def _body(rng: np.random.Generator) -> NDArray[np.float64]:
    pick = rng.random()
    if pick < 0.3:  # from white over ivory to wood
        return np.asarray(255 * rng.uniform(0.5, 1) * np.array([1, 1 - abs(rng.normal(0, 0.1)), 1 - rng.uniform(0, 0.5)]))
    if pick < 0.4:
        return np.asarray(np.full(3, rng.uniform(10, 60)))
    return _any_colour(rng, (0.5, 1.0), (0.2, 1.0)) if pick < 0.85 else _any_colour(rng, (0.1, 0.4), (0.6, 1.0))


def _apart_from(rng: np.random.Generator, body: NDArray[np.float64]) -> NDArray[np.float64]:
    """A colour for pips that is seen on that body: mostly black or white, else any."""
    plain = np.full(3, rng.uniform(5, 50) if _luma(body) > 0.45 else rng.uniform(200, 255))
    for _ in range(20 if rng.random() < 0.45 else 0):
        ink = _any_colour(rng, (0.2, 1.0), (0.1, 1.0))
        if abs(_luma(ink) - _luma(body)) > _APART:
            return ink
    return plain


def _cast(rng: np.random.Generator, body: NDArray[np.float64], kind: float) -> Picture:
    """A face without pips, shape (96, 96, 3), linear BGR."""
    picture = np.empty((FACE_PX, FACE_PX, 3), np.float32)
    picture[:] = linear(body)
    if kind < _MARBLED:
        other = np.clip(body + rng.uniform(-1, 1, 3) * _MIXED * 255, 0, 255)
        swirl = fractal(rng, FACE_PX, FACE_PX, float(rng.uniform(15, 80)), 4)
        share = 1 / (1 + np.exp(-float(rng.uniform(2, 12)) * swirl))[..., None]
        picture += np.float32(share) * (linear(other) - picture)
    elif kind < _SPECKLED:
        for x, y in rng.uniform(0, FACE_PX, (int(rng.integers(20, 150)), 2)):
            speck = linear(np.clip(body * rng.uniform(0.6, 1.5), 0, 255)).tolist()
            cv2.circle(picture, (int(x), int(y)), int(rng.integers(1, 3)), speck, -1, cv2.LINE_AA)
    return picture


def other_pip_dice(rng: np.random.Generator, size_mm: tuple[float, float] = (9.0, 24.0)) -> Iterator[Die]:
    """Pip dice of one make, with sides within a range, without end."""
    body, size, kind = _body(rng), float(rng.uniform(*size_mm)), float(rng.random())
    ink = _apart_from(rng, body)
    one = _apart_from(rng, body) if rng.random() < 0.15 else ink
    radius = float(rng.uniform(0.05, 0.14))
    spread = max(float(rng.uniform(0.19, 0.3)), 2.1 * radius)
    pips = PipStyle(
        linear(ink),
        linear(one),
        radius,
        radius * (float(rng.uniform(1.2, 2.2)) if rng.random() < 0.25 else 1.0),
        spread,
        float(rng.uniform(0, 1)) * (rng.random() < 0.7),
        float(rng.uniform(0.5, 1.1)),
    )
    ball = float(rng.uniform(1.2, 1.6)) if rng.random() < 0.5 else NO_BALL
    glow = float(rng.uniform(0.2, 0.8)) if rng.random() < 0.25 else 0.0
    gloss, sharp = float(rng.uniform(0, 1)), float(np.exp(rng.uniform(2.0, 5.5)))
    style = DieStyle(size, float(rng.uniform(0.02, 0.28)) * size, ball, linear(body), gloss, sharp, glow)
    while True:
        top = int(rng.integers(1, 7))
        faces = [np.rot90(with_pips(rng, _cast(rng, body, kind), value, pips), int(rng.integers(2))) for value in pip_values(rng, top)]
        yield Die(PipDie(top), style, np.stack(faces))


def lit_from_all_sides(rng: np.random.Generator, dice: Iterator[Die]) -> Iterator[Die]:
    """The same dice, their sides as bright as a bright table or a program without lamps makes them."""
    more = float(rng.uniform(*_SIDES))
    factor = np.array([1, 1, more, more, more, more], np.float32)[:, None, None, None]
    return (replace(die, atlas=die.atlas * factor) for die in dice)
