"""Read dice: what kind of die stands there, and its top face."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.pieces import SET_DIE_FACES, Color, Shape
from visionset.vision.odds import log_softmax
from visionset.vision.patches import ask
from visionset.vision.quads import uppermost_first
from visionset.vision.rectify import DIE_PATCH, Halvings
from visionset.vision.rows import QuadReadings

_GROUPS = (4, 6, 3, 3, 3)
NOTHING, PIPS, SYMBOLS, WILD = range(4)
"""First group of the reader's answers."""

_COLORS, _SHAPES = list(Color), list(Shape)
_PLAIN = [face for face in SET_DIE_FACES if not face.is_wild]
_NUMBER_OF = np.array([(face.number or 1) - 1 for face in _PLAIN])
_COLOR_OF = np.array([_COLORS.index(face.color) for face in _PLAIN if face.color])
_SHAPE_OF = np.array([_SHAPES.index(face.shape) for face in _PLAIN if face.shape])


@dataclass(frozen=True, slots=True, eq=False)
class DieReadings(QuadReadings):
    """What the reader makes of n quads."""

    kind: Floats
    """Probabilities of nothing, a pip die, a SET die. Shape (n, 3)."""
    value_log: Floats
    """Log probability of each value, given that it is a pip die. Shape (n, 6)."""
    face_log: Floats
    """Log probability of each of `SET_DIE_FACES`, given that it is a SET die. Shape (n, 28)."""
    quad_px: Floats
    shift: Floats
    white: Floats
    """Brightness of the body, 0 to 255. Shape (n,)."""


_MIRRORED = [1, 0, 3, 2]
"""Corners of a quad in a mirror."""


def read_dice(picture: NDArray[np.uint8] | Halvings, quads: Floats, *, mirrored: bool = False, side: int = 0) -> DieReadings:
    """Read n top faces, shape (n, 4, 2), beginning at any corner.

    Quads are cut upright: above a top face is the table, above a side face the top one. Faces that look alike in a mirror
    are still faces; `mirrored` asks the network about another picture of the same thing. `side` cuts them as if the picture
    were turned by so many quarters against the clock; corrected quads begin at the same corner whatever it is.
    """
    quads = np.roll(uppermost_first(quads), -side, axis=1)
    answers = ask(picture, quads[:, _MIRRORED] if mirrored else quads, "die", DIE_PATCH, _GROUPS)
    what, value, number, color, shape = answers.log
    symbols = np.logaddexp(what[:, SYMBOLS], what[:, WILD])
    plain = number[:, _NUMBER_OF] + color[:, _COLOR_OF] + shape[:, _SHAPE_OF] + (what[:, SYMBOLS] - symbols)[:, None]
    face = np.concatenate([plain, (what[:, WILD] - symbols)[:, None]], axis=1)
    kind = np.exp(np.stack([what[:, NOTHING], what[:, PIPS], symbols], axis=1))
    quad_px = np.roll(answers.quad_px[:, _MIRRORED] if mirrored else answers.quad_px, side, axis=1)
    return DieReadings(kind, value, face, quad_px, answers.shift, answers.white)


def mean_readings(one: DieReadings, other: DieReadings) -> DieReadings:
    """Two opinions of the same quads."""
    return DieReadings(
        (one.kind + other.kind) / 2,
        _mean_log(one.value_log, other.value_log),
        _mean_log(one.face_log, other.face_log),
        (one.quad_px + other.quad_px) / 2,
        (one.shift + other.shift) / 2,
        (one.white + other.white) / 2,
    )


def _mean_log(one: Floats, other: Floats) -> Floats:
    return log_softmax((one + other) / 2)
