"""Dice of one table lie on its plane: their top faces are seen from one side, their side faces are not.

The half axes u, v of a square on the table are images of two perpendicular vectors of one length, so u u^T + v v^T is the
same for every top face however it is turned: the shape of the view, times the square of the size. A side face stands
on the table, and its product differs. Across the picture the shape changes slowly, and the size as in `plane`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.plane import PlaneOptions, size_evidence


@dataclass(frozen=True, slots=True)
class TopOptions:
    """Numbers of the common view.

    Attributes
    ----------
    sure : float
        Readings of at least this probability show what the view is.
    few, enough : int
        Fewer sure readings show no common view; with `enough` it may change across the picture.
    spread : float
        Standard deviation of a top face's shape about the common one (logarithm of a ratio of axes).
    stranger : float
        The same of anything else.
    touch : float
        Two faces whose common corners are nearer than this share of a side may be two faces of one die, ...
    differ : float
        ... if their shapes differ by more than this.
    upper : float
        How much more likely, as log odds, the upper one in the picture is the top one.
    surely : float
        A face with greater log odds is no side of its neighbour: near a camera dice that touch are seen differently.
    """

    sure: float = 0.7
    few: int = 3
    enough: int = 8
    spread: float = 0.25
    stranger: float = 1.0
    touch: float = 0.3
    differ: float = 0.3
    upper: float = 1.0
    surely: float = 3.0


_SIZES = PlaneOptions(sure=0.7, few=3, enough=16, alone=0.0, spread=0.5, spread_few=0.7, stranger=2.5)
"""Dice of one table may be of several sizes, though not of any."""

_ROUNDS = 5
"""Steps of the robust fit."""


def shapes(quads: Floats) -> Floats:
    """Logarithm of u u^T + v v^T at determinant 1: (xx, xy) of a symmetric matrix without trace; (n, 4, 2) to (n, 2)."""
    u = (quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 4
    v = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]) / 4
    xx, yy = u[:, 0] ** 2 + v[:, 0] ** 2, u[:, 1] ** 2 + v[:, 1] ** 2
    xy = u[:, 0] * u[:, 1] + v[:, 0] * v[:, 1]
    half = np.hypot((xx - yy) / 2, xy)
    longer, shorter = (xx + yy) / 2 + half, np.maximum((xx + yy) / 2 - half, 1e-6)
    turn = 0.5 * np.arctan2(2 * xy, xx - yy)
    size = 0.5 * np.log(longer / shorter)
    return np.asarray(np.stack([size * np.cos(2 * turn), size * np.sin(2 * turn)], axis=1))


def as_seen_at(centers: Floats, known: Floats) -> Floats:
    """Frames of dice as they would be seen at other places.

    Parameters
    ----------
    centers : ndarray of float64, shape (n, 2)
        The places.
    known : ndarray of float64, shape (m, 4, 2)
        Top faces of the same table, two at least.

    Returns
    -------
    ndarray of float64, shape (4 n, 4, 2)
        At each place one like each of the two nearest, as these stand and turned by an eighth on the table.
    """
    apart = np.linalg.norm(centers[:, None] - known.mean(axis=1)[None], axis=2)
    nearest = known[np.argsort(apart, axis=1)[:, :2]].reshape(-1, 4, 2)
    center = np.repeat(centers, 2, axis=0)[:, None]
    u, v = ((nearest[:, [2]] + nearest[:, [at]] - nearest[:, [0]] - nearest[:, [4 - at]]) / 4 for at in (3, 1))
    turned = np.sqrt(0.5) * (u + v), np.sqrt(0.5) * (v - u)
    return np.concatenate(
        [np.concatenate([center - a - b, center - a + b, center + a + b, center + a - b], axis=1) for a, b in ((u, v), turned)]
    )


def top_evidence(quads: Floats, sure: Floats, options: TopOptions | None = None) -> Floats:
    """How much more likely each frame's size and shape are for a top face on this table than for anything else.

    Parameters
    ----------
    quads : ndarray of float64, shape (n, 4, 2)
        Frames in the picture.
    sure : ndarray of float64, shape (n,)
        Probability of each being a rightly read die.

    Returns
    -------
    ndarray of float64, shape (n,)
        Log likelihood ratios.
    """
    options = options or TopOptions()
    known = sure >= options.sure
    if np.count_nonzero(known) < options.few:
        return np.zeros(len(quads))
    off = np.linalg.norm(shapes(quads) - _view(quads, np.where(known, sure, 0.0), options), axis=1)
    own = -0.5 * (off / options.spread) ** 2 - 2 * np.log(options.spread)
    other = -0.5 * (off / options.stranger) ** 2 - 2 * np.log(options.stranger)
    return np.asarray(own - other + size_evidence(quads, sure, _SIZES))


def _view(quads: Floats, weight: Floats, options: TopOptions) -> Floats:
    """The shape of a top face at each frame's place, shape (n, 2): a robust fit that begins where most agree."""
    shape, center = shapes(quads), quads.mean(axis=1)
    alike = np.exp(-0.5 * (np.linalg.norm(shape[:, None] - shape[None], axis=2) / options.spread) ** 2)
    view = np.broadcast_to(shape[int((alike @ weight * (weight > 0)).argmax())], shape.shape)
    known = weight > 0
    span = max(float(np.ptp(center[known], axis=0).max()), 1.0)
    place = (center - center[known].mean(axis=0)) / span
    slope = np.count_nonzero(known) >= options.enough
    columns = np.column_stack([np.ones(len(quads)), place]) if slope else np.ones((len(quads), 1))
    for _ in range(_ROUNDS):
        off = np.linalg.norm(shape - view, axis=1) / options.spread
        robust = np.sqrt(weight / (1 + off**4))[:, None]
        view = columns @ np.linalg.lstsq(columns * robust, shape * robust, rcond=None)[0]
    return np.asarray(view)


def tops(quads: Floats, odds: Floats, options: TopOptions | None = None) -> NDArray[np.bool_]:
    """Of two frames that are two faces of one die keep the likelier top face, and the other if it is surely one too.

    Parameters
    ----------
    quads : ndarray of float64, shape (n, 4, 2)
        Clockwise frames.
    odds : ndarray of float64, shape (n,)
        Log odds that each is a top face.

    Returns
    -------
    ndarray of bool, shape (n,)
    """
    options = options or TopOptions()
    kept = np.ones(len(quads), dtype=bool)
    if len(quads) < 2:
        return kept
    shape, center = shapes(quads), quads.mean(axis=1)
    side = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).max(axis=1)
    differ = np.linalg.norm(shape[:, None] - shape[None], axis=2) > options.differ
    near = np.linalg.norm(center[:, None] - center[None], axis=2) < 1.2 * np.maximum(side[:, None], side[None])
    for one, other in np.argwhere(np.triu(differ & near, 1)):
        if not _touch(quads[one], quads[other], options.touch * float(min(side[one], side[other]))):
            continue
        lead = odds[one] - odds[other] + options.upper * np.sign(center[other, 1] - center[one, 1])
        out = other if lead >= 0 else one
        kept[out] &= odds[out] > options.surely
    return kept


def _touch(one: Floats, other: Floats, reach_px: float) -> bool:
    """Whether two clockwise quads have a side in common."""
    for k in range(4):
        for m in range(4):
            a, b = np.linalg.norm(one[k] - other[(m + 1) % 4]), np.linalg.norm(one[(k + 1) % 4] - other[m])
            if a + b < 2 * reach_px:
                return True
    return False
