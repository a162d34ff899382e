"""Dice: what kind of die stands somewhere and its top face, and what the dice of one table say of each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.kinds import DICE, KIND_SPECS
from visionset.pieces import SET_DIE_FACES, Color, Kind, Shape
from visionset.vision.engine import expit, log_softmax, logit
from visionset.vision.judging import SURE
from visionset.vision.options import ReadOptions
from visionset.vision.patches import DIE_PATCH, Pyramid, QuadReadings, ask
from visionset.vision.quads import EPSILON, OVERLAP, areas, distances, distinct, inside, uppermost_first
from visionset.vision.top_faces import contrast_evidence, light_evidence, side_evidence, top_evidence, tops

PIP_FACES = KIND_SPECS[Kind.PIP_DIE].faces
_WHAT = NOTHING, PIPS, SYMBOLS, WILD = range(4)
"""First group of the network's outputs: no top face, one with pips, one with SET symbols, or the face WILD."""

_COLORS, _SHAPES = list(Color), list(Shape)
_PLAIN = [face for face in SET_DIE_FACES if not face.is_wild]
_NUMBER_OF = np.array([(face.number or 1) - 1 for face in _PLAIN])
_COLOR_OF = np.array([_COLORS.index(face.color) for face in _PLAIN if face.color])
_SHAPE_OF = np.array([_SHAPES.index(face.shape) for face in _PLAIN if face.shape])
_GROUPS = (len(_WHAT), len(PIP_FACES), len(set(_NUMBER_OF)), len(_COLORS), len(_SHAPES))


@dataclass(frozen=True, slots=True, eq=False)
class DieReadings(QuadReadings):
    """What the reader makes of n quads."""

    kind: Floats
    """Probabilities of nothing, a pip die, a SET die. Shape (n, 3)."""
    value_log: Floats
    """Log probability of each value, given that it is a pip die. Shape (n, 6)."""
    face_log: Floats
    """Log probability of each of `SET_DIE_FACES`, given that it is a SET die. Shape (n, 28)."""
    white: Floats
    """Brightness of the body, 0 to 255. Shape (n,)."""


class DieReaders(NamedTuple):
    """Functions that read the top faces in n quads, shape (n, 4, 2), of one picture, with patches as they are or mirrored."""

    upright: Callable[[Floats], DieReadings]
    mirrored: Callable[[Floats], DieReadings]


def read_dice(picture: Pyramid, quads: Floats, *, mirrored: bool = False, quarters: int = 0) -> DieReadings:
    """Read n top faces, shape (n, 4, 2), beginning at any corner.

    Quads are cut with their uppermost side on top: there, above a top face lies the table, above a side face its top face, which tells the
    two apart. `mirrored` reads mirror images, for a second opinion: errors of both seldom agree. `quarters` cuts patches as if the picture
    were turned by so many anticlockwise; corrected quads begin at the same corner whatever it is.
    """
    quads = np.roll(uppermost_first(quads), -quarters, axis=1)
    answers = ask(picture, _mirrored(quads) if mirrored else quads, "die", DIE_PATCH, _GROUPS)
    what, value, number, color, shape = answers.log
    symbols = np.logaddexp(what[:, SYMBOLS], what[:, WILD])
    plain = number[:, _NUMBER_OF] + color[:, _COLOR_OF] + shape[:, _SHAPE_OF] + (what[:, SYMBOLS] - symbols)[:, None]
    face = np.concatenate([plain, (what[:, WILD] - symbols)[:, None]], axis=1)
    kind = np.exp(np.stack([what[:, NOTHING], what[:, PIPS], symbols], axis=1))
    quad_px = np.roll(_mirrored(answers.quad_px) if mirrored else answers.quad_px, quarters, axis=1)
    return DieReadings(quad_px, answers.shift, kind, value, face, answers.white)


def _mirrored(quads: Floats) -> Floats:
    """Quads as a mirror shows them, each beginning with the same side."""
    return quads[:, [1, 0, 3, 2]]


def mean_readings(one: DieReadings, other: DieReadings) -> DieReadings:
    """The mean of two readings of the same quads."""
    mean = one.mean(other)
    return replace(mean, value_log=log_softmax(mean.value_log), face_log=log_softmax(mean.face_log))


MIDDLE = 0.6
"""Two quads are of one die where their middles are nearer than this share of its side."""

PRINT = 0.4
"""Share of a die's or a card's area below which what looks like a die on it is taken for its print, as a single pip; what is larger is no
print, so that one of the two readings is wrong."""

_SIX, _WILD = len(PIP_FACES) - 1, [face.is_wild for face in SET_DIE_FACES].index(True)
_SIX_OR_WILD = 0.05
"""Small and blurred, the word WILD and the two rows of a six look alike. Of what may be either, the kind of die that is rarer on the table
has its probability multiplied by this factor."""


def judged(readings: DieReadings, options: ReadOptions) -> DieReadings:
    """The readings to tell by which dice are sure so far: where both kinds of dice are looked for, judged by each other (`of_one_kind`)."""
    return of_one_kind(readings) if options.kinds >= DICE else readings


def of_one_kind(readings: DieReadings) -> DieReadings:
    """Make the kind of die that most are on the table likelier for all of them: tables with both kinds are rare."""
    pips, symbols = readings.kind[:, 1].sum() + 0.5, readings.kind[:, 2].sum() + 0.5
    kind = readings.kind * np.array([1.0, 2 * pips / (pips + symbols), 2 * symbols / (pips + symbols)])
    alike = (readings.value_log.argmax(axis=1) == _SIX) & (readings.face_log.argmax(axis=1) == _WILD)
    kind[alike, 1 if symbols > pips else 2] *= _SIX_OR_WILD
    return replace(readings, kind=kind / kind.sum(axis=1, keepdims=True))


def best(readings: DieReadings) -> Floats:
    """Probability of the likeliest face, of pips or of symbols; shape (n,)."""
    pips = readings.kind[:, 1] * np.exp(readings.value_log.max(axis=1))
    return np.asarray(np.maximum(pips, readings.kind[:, 2] * np.exp(readings.face_log.max(axis=1))))


def sure(readings: DieReadings) -> DieReadings:
    """The dice that are surely read, each once."""
    sure = readings.pick(best(readings) >= SURE)
    return sure.pick(distinct(sure.quad_px, np.argsort(-best(sure)), OVERLAP))


def maybe(readings: DieReadings) -> DieReadings:
    """Readings that do not surely hold nothing."""
    return readings.pick(readings.kind[:, NOTHING] < SURE)


def within_sure_dice(readings: DieReadings, quads: Floats) -> NDArray[np.bool_]:
    """Which quads, shape (n, 4, 2), are of a die that is surely read, by `MIDDLE`; shape (n,)."""
    sure = readings.quad_px[best(readings) >= SURE]
    apart = distances(quads.mean(axis=1), sure.mean(axis=1))
    return np.asarray((apart < MIDDLE * np.sqrt(areas(sure))[None]).any(axis=1))


def whole_dice(readings: DieReadings) -> DieReadings:
    """Drop quads that are a part of a larger die: a single pip by itself looks like a small die that shows a one.

    The other way round, dice that lie as pips do look like one large die. That one is dropped where it is in doubt and a die on it surely
    shows several pips, as no pip does.
    """
    area, sureness = areas(readings.quad_px), best(readings)
    within = inside(readings.quad_px.mean(axis=1), readings.quad_px) & (area[:, None] < PRINT * area[None])
    within &= (2 * sureness >= 1)[None]
    shows_several = (readings.kind[:, 1] > readings.kind[:, 2]) & (readings.value_log.argmax(axis=1) > 0) & (sureness >= SURE)
    is_none = (within & shows_several[:, None]).any(axis=0) & (sureness < SURE)
    within &= ~is_none[None]
    return readings.pick(~within.any(axis=1) & ~is_none)


def lying(readings: DieReadings, options: ReadOptions) -> DieReadings:
    """Take from each quad's log odds what view and light say against a top face beside the others, and drop what is none then.

    The view speaks only against a quad, never for it: the squares of a board are seen as top faces are.
    """
    surely, likeliest = np.clip(1 - readings.kind[:, NOTHING], EPSILON, 1 - EPSILON), best(readings)
    odds = logit(surely) + np.minimum(top_evidence(readings.quad_px, likeliest), 0)
    symbols = np.flatnonzero(readings.kind[:, 2] > readings.kind[:, 1])  # pip dice are of many colours
    for evidence in (light_evidence, contrast_evidence):
        odds[symbols] += evidence(readings.quad_px[symbols], readings.white[symbols], likeliest[symbols])
    pips = np.flatnonzero(readings.kind[:, 2] <= readings.kind[:, 1])  # where a side face would be, SET dice have the next die
    odds[pips] += side_evidence(readings.quad_px[pips], odds[pips], likeliest[pips], options.overlap)
    top = expit(odds)
    die = readings.kind[:, 1:] / np.maximum(readings.kind[:, 1:].sum(axis=1, keepdims=True), EPSILON)
    readings = replace(readings, kind=np.concatenate([1 - top[:, None], top[:, None] * die], axis=1))
    return readings.pick((top >= options.min_die) & tops(readings.quad_px, odds))
