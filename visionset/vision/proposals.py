"""What the finder's map says: where pieces may lie, of what kind, and how they are turned."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.engine import expit
from visionset.vision.rows import Rows

STRIDE_PX = 4
"""Pixels of the network's picture for one cell of its map."""

AXIS_UNIT_PX = 8.0
"""Unit of the half axes on the map, in pixels of the network's picture."""


class DetectorClass(IntEnum):
    """What a centre can be the centre of: the first channels of the network's map."""

    SET_CARD = 0
    PLAYING_CARD = 1
    CARD_BACK = 2
    DIE = 3
    INDEX = 4
    HIDDEN_CARD = 5
    """A playing card that is partly under another: its visible part, no axes."""


CARDS = [DetectorClass.SET_CARD, DetectorClass.PLAYING_CARD, DetectorClass.CARD_BACK]
_OFFSET, _LONG, _SHORT, _DIE = slice(6, 8), slice(8, 11), slice(11, 14), slice(14, 18)
_AROUND = np.ones((3, 3), np.uint8)
_SHAPED = (CARDS, [DetectorClass.DIE], [DetectorClass.INDEX], [DetectorClass.HIDDEN_CARD])
"""Heats that are alternatives for one thing."""


@dataclass(frozen=True, slots=True, eq=False)
class Proposals(Rows):
    """Where pieces may lie."""

    center_px: Floats
    """Shape (n, 2)."""
    long_px: Floats
    short_px: Floats
    """`long_px` and `short_px`: half axes along the long and the short side; their sign has no meaning, nor has their order on a die. Shape
    (n, 2)."""
    heat: NDArray[np.int64]
    """What it most likely is, a `DetectorClass`. Shape (n,)."""
    scores: Floats
    """Score of each `DetectorClass`, 0 to 1; only alternatives of `heat` are filled in. Shape (n, 6)."""

    @property
    def score(self) -> Floats:
        """Score of the most likely heat, 0 to 1, shape (n,)."""
        return np.asarray(self.scores.max(axis=1, initial=0.0))

    @classmethod
    def none(cls) -> Proposals:
        """No proposals."""
        return cls(np.empty((0, 2)), np.empty((0, 2)), np.empty((0, 2)), np.empty(0, np.int64), np.empty((0, len(DetectorClass))))

    @classmethod
    def of_dice(cls, quads: Floats) -> Proposals:
        """Where dice surely lie, shape (n, 4, 2)."""
        scores = np.zeros((len(quads), len(DetectorClass)))
        scores[:, DetectorClass.DIE] = 1.0
        p0, p1, p2, p3 = np.moveaxis(quads, 1, 0)
        heat = np.full(len(quads), int(DetectorClass.DIE))
        return cls(quads.mean(axis=1), (p2 + p3 - p0 - p1) / 4, (p1 + p2 - p0 - p3) / 4, heat, scores)

    def of(self, *heats: DetectorClass) -> Proposals:
        """Those that are most likely one of `heats`."""
        return self.pick(self.is_any(*heats))

    def is_any(self, *heats: DetectorClass) -> NDArray[np.bool_]:
        """Which are most likely one of `heats`, shape (n,)."""
        wanted = np.zeros(len(DetectorClass), np.bool_)
        wanted[list(heats)] = True
        return np.asarray(wanted[self.heat])

    def quads(self) -> Floats:
        """Corners, shape (n, 4, 2): parallelograms that begin at a short side, clockwise."""
        cross = self.long_px[:, 0] * self.short_px[:, 1] - self.long_px[:, 1] * self.short_px[:, 0]
        short = np.where(cross[:, None] < 0, self.short_px, -self.short_px)
        center, long = self.center_px, self.long_px
        return np.stack([center - long - short, center - long + short, center + long + short, center + long - short], axis=1)


def _axis(products: Floats) -> Floats:
    """Vector from its outer product u u^T / |u| given as (xx, xy, yy), shape (n, 3) to (n, 2); the sign is arbitrary.

    With u = r (cos a, sin a) the form is the same for u and -u, since each part is a product of two of its coordinates:

        xx = r cos^2 a,  xy = r cos a sin a,  yy = r sin^2 a
        2 xy / (xx - yy) = tan 2a                     the angle, but for half a turn
        xx + yy = r = hypot(xx - yy, 2 xy)            the length, as the mean of both
    """
    xx, xy, yy = products.T
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    length = np.maximum(0.5 * (xx + yy + np.hypot(xx - yy, 2 * xy)), 1e-3)
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)], axis=1) * length[:, None])


def _die_axes(form: Floats) -> tuple[Floats, Floats]:
    """Half axes u and v from (u^2 + v^2) / s and u^2 v^2 / s^3 with s^2 = |u v|, as complex numbers; shape (n, 4) to two (n, 2).

    The squares forget signs, the sum and the product which is which. Times s and s^3 they are what Vieta's formulas ask for:

        t^2 - (u^2 + v^2) t + u^2 v^2 = (t - u^2) (t - v^2) = 0
        t = (total +- sqrt(total^2 - 4 product)) / 2                u and v are the roots of the two t
    """
    p, q = form[:, 0] + 1j * form[:, 1], form[:, 2] + 1j * form[:, 3]
    size = np.maximum(np.abs(q), 1e-3)
    total, product = p * size, q * size**3
    root = np.sqrt(total**2 - 4 * product)
    axes = [np.sqrt((total + sign * root) / 2) for sign in (1, -1)]
    u, v = (np.stack([axis.real, axis.imag], axis=1) for axis in axes)
    return u, v


def decode(cells: NDArray[np.float32], min_score: float) -> Proposals:
    """Read the network's map, shape (18, rows, columns), in pixels of the network's picture."""
    floor = float(np.log(min_score / (1 - min_score)))
    parts = []
    for heats in _SHAPED:
        heat = cells[heats[0]] if len(heats) == 1 else cells[heats].max(axis=0)
        rows, columns = np.nonzero(heat > floor)
        highest = cv2.dilate(heat, _AROUND)[rows, columns] <= heat[rows, columns]
        rows, columns = rows[highest], columns[highest]
        value = cells[:, rows, columns].astype(np.float64)
        scores = np.zeros((len(rows), len(DetectorClass)))
        scores[:, heats] = expit(value[heats].T)
        if heats == [DetectorClass.DIE]:
            long, short = _die_axes(value[_DIE].T)
        else:
            long, short = _axis(value[_LONG].T), _axis(value[_SHORT].T)
        center = np.stack([columns, rows], axis=1).astype(np.float64)
        if heats != [DetectorClass.HIDDEN_CARD]:
            center += value[_OFFSET].T
        parts.append(Proposals(center * STRIDE_PX, long * AXIS_UNIT_PX, short * AXIS_UNIT_PX, scores.argmax(axis=1), scores))
    return reduce(Proposals.joined_to, parts)
