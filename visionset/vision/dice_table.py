"""The dice of one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.pieces import SET_DIE_FACES, Kind, Piece, PipDie
from visionset.table import Sighting
from visionset.vision import dice
from visionset.vision.dice import NOTHING, DieReadings
from visionset.vision.frames import areas, distinct, inside, sound
from visionset.vision.naming import named
from visionset.vision.options import ReadOptions
from visionset.vision.refine import refined
from visionset.vision.top_faces import top_evidence, tops

_LOOKS = 3
"""The finder's frame and two better ones."""

_NEVER = 0.99
"""A frame that holds nothing with this probability is not cut again."""

_PRINT = 0.35
"""What is larger than this share of a card that it lies on is no part of its print: one of the two readings is wrong."""

_PART = 0.45
"""What is smaller than this share of a die that it lies on is a part of its print, ..."""

_LARGER = 0.5
"""... where that die was read with this probability."""

_SURELY = 1e-4
"""Nothing is a top face with more certainty than this before its view is compared."""

_LEAST = 1e-9
"""Keeps a division sound where all that is left is impossible."""

_PIP_FACES = tuple(PipDie(value) for value in range(1, 7))


def sight(image_bgr: NDArray[np.uint8], quads: Floats, cards: Floats, options: ReadOptions) -> list[Sighting]:
    """Read n top faces, shape (n, 4, 2); what is small and lies on named cards, shape (m, 4, 2), is their print."""
    readings = refined(partial(dice.read, image_bgr), quads, _hopeful, options.settled_die_px, _LOOKS)
    readings = _asked(_asked_twice(image_bgr, readings), options)
    readings = readings.pick((readings.kind[:, NOTHING] <= 1 - options.maybe_die) & sound(readings.quad_px))
    readings = readings.pick(areas(readings.quad_px) >= options.min_die_px**2)
    on_card = inside(readings.quad_px.mean(axis=1), cards) & (areas(readings.quad_px)[:, None] < _PRINT * areas(cards)[None])
    readings = readings.pick(np.flatnonzero(on_card.sum(axis=1) == 0))
    if not len(readings):
        return []
    readings = _lying(_whole(_of_one_kind(readings)), options)
    sure = _best(readings)
    readings = readings.pick(distinct(readings.quad_px, np.argsort(-sure), options.overlap))
    sightings = []
    for at, quad in enumerate(readings.quad_px):
        _, pips, symbols = readings.kind[at]
        faces: Sequence[Piece] = _PIP_FACES if pips >= symbols else SET_DIE_FACES
        log = readings.value_log[at] if pips >= symbols else readings.face_log[at]
        top = int(log.argmax())
        sightings.append(named(quad, faces, log, top, float(max(pips, symbols) * np.exp(log[top])), options.min_confidence))
    return sightings


def _hopeful(readings: DieReadings) -> NDArray[np.bool_]:
    return np.asarray(readings.kind[:, NOTHING] < _NEVER)


def _asked_twice(image_bgr: NDArray[np.uint8], readings: DieReadings) -> DieReadings:
    """Ask for a second opinion of every frame that may hold a die, a quarter turn further: doubt and errors shrink."""
    maybe = np.flatnonzero(_hopeful(readings) & sound(readings.quad_px))
    if not len(maybe):
        return readings
    settled = readings.pick(maybe)
    turned = dice.read(image_bgr, np.roll(settled.quad_px, -1, axis=1))
    return readings.replaced(maybe, dice.pooled(settled, turned))


def _asked(readings: DieReadings, options: ReadOptions) -> DieReadings:
    """Where one kind of dice is looked for, none of the other can be there."""
    kind = readings.kind * np.array([1.0, Kind.PIP_DIE in options.kinds, Kind.SET_DIE in options.kinds])
    return replace(readings, kind=kind / np.maximum(kind.sum(axis=1, keepdims=True), _LEAST))


def _of_one_kind(readings: DieReadings) -> DieReadings:
    """Let the dice of a table speak for each other's kind: tables with pips and symbols are rare."""
    pips, symbols = readings.kind[:, 1].sum() + 0.5, readings.kind[:, 2].sum() + 0.5
    kind = readings.kind * np.array([1.0, 2 * pips / (pips + symbols), 2 * symbols / (pips + symbols)])
    return replace(readings, kind=kind / kind.sum(axis=1, keepdims=True))


def _whole(readings: DieReadings) -> DieReadings:
    """Drop what is a part of a larger die: a single pip on its own looks like the one of a small die."""
    area = areas(readings.quad_px)
    within = inside(readings.quad_px.mean(axis=1), readings.quad_px) & (area[:, None] < _PART * area[None])
    within &= (_best(readings) >= _LARGER)[None]
    return readings.pick(np.flatnonzero(within.sum(axis=1) == 0))


def _lying(readings: DieReadings, options: ReadOptions) -> DieReadings:
    """Let the view of the table speak for top faces and against all others; drop what is none after that."""
    surely = np.clip(1 - readings.kind[:, NOTHING], _LEAST, 1 - _SURELY)
    odds = np.log(surely / (1 - surely)) + top_evidence(readings.quad_px, _best(readings))
    top = 1 / (1 + np.exp(-odds))
    die = readings.kind[:, 1:] / np.maximum(readings.kind[:, 1:].sum(axis=1, keepdims=True), _LEAST)
    readings = replace(readings, kind=np.concatenate([1 - top[:, None], top[:, None] * die], axis=1))
    return readings.pick((top >= options.min_piece) & tops(readings.quad_px, odds))


def _best(readings: DieReadings) -> Floats:
    """Probability of the likeliest face of either kind."""
    pips = readings.kind[:, 1] * np.exp(readings.value_log.max(axis=1))
    return np.asarray(np.maximum(pips, readings.kind[:, 2] * np.exp(readings.face_log.max(axis=1))))
