"""Dice of one table lie on its plane: their top faces are seen from one side, their side faces are not.

The half axes u, v of a square on the table are images of two perpendicular vectors of one length, so u u^T + v v^T is the
same for every top face however it is turned: the shape of the view, times the square of the size. A side face stands
on the table, and its product differs. Across the picture the shape changes slowly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.plane import terms


@dataclass(frozen=True, slots=True)
class TopOptions:
    """Numbers of the common view."""

    sure: float = 0.7
    """Readings of at least this probability show what the view is."""
    few: int = 3
    enough: int = 8
    """`few` and `enough`: fewer sure readings show no common view; with `enough` it may change across the picture."""
    spread: float = 0.25
    """Standard deviation of a top face's shape about the common one (logarithm of a ratio of axes)."""
    stranger: float = 1.0
    """The same of anything else."""
    touch: float = 0.3
    """Two faces whose common corners are nearer than this share of a side may be two faces of one die, ..."""
    differ: float = 0.3
    """... if their shapes differ by more than this."""
    upper: float = 2.0
    """How much more likely, as log odds, the upper one in the picture is the top one."""
    surely: float = 3.0
    """A face with greater log odds is no side of its neighbour: near a camera dice that touch are seen differently."""


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
    """Quads of dice as they would be seen at other places, shape (n, 2), given a top face of the same table at least.

    At each place one like the nearest, as that stands and turned by an eighth on the table: shape (2 n, 4, 2).
    """
    apart = np.linalg.norm(centers[:, None] - known.mean(axis=1)[None], axis=2)
    nearest = known[apart.argmin(axis=1)]
    center = centers[:, None]
    u, v = ((nearest[:, [2]] + nearest[:, [at]] - nearest[:, [0]] - nearest[:, [4 - at]]) / 4 for at in (3, 1))
    turned = np.sqrt(0.5) * (u + v), np.sqrt(0.5) * (v - u)
    return np.concatenate(
        [np.concatenate([center - a - b, center - a + b, center + a + b, center + a - b], axis=1) for a, b in ((u, v), turned)]
    )


def top_evidence(quads: Floats, sure: Floats, options: TopOptions | None = None) -> Floats:
    """How much more likely each quad's shape is for a top face on this table than for anything else: log likelihood ratios.

    Given how probable it is that each is a rightly read die.
    """
    options = options or TopOptions()
    known = sure >= options.sure
    if np.count_nonzero(known) < options.few:
        return np.zeros(len(quads))
    shape = shapes(quads)
    off = np.linalg.norm(shape - _common(shape, quads, np.where(known, sure, 0.0), options), axis=1)
    own = -0.5 * (off / options.spread) ** 2 - 2 * np.log(options.spread)
    other = -0.5 * (off / options.stranger) ** 2 - 2 * np.log(options.stranger)
    return np.asarray(own - other)


def _common(shape: Floats, quads: Floats, weight: Floats, options: TopOptions) -> Floats:
    """What shape top faces would have at each quad's place, shape (n, 2): a robust fit that begins where most agree."""
    alike = np.exp(-0.5 * (np.linalg.norm(shape[:, None] - shape[None], axis=2) / options.spread) ** 2)
    common = np.broadcast_to(shape[int((alike @ weight * (weight > 0)).argmax())], shape.shape)
    known = weight > 0
    columns = terms(quads, known, bool(np.count_nonzero(known) >= options.enough))
    for _ in range(_ROUNDS):
        off = np.linalg.norm(shape - common, axis=1) / options.spread
        robust = np.sqrt(weight / (1 + off**4))[:, None]
        common = columns @ np.linalg.lstsq(columns * robust, shape * robust, rcond=None)[0]
    return np.asarray(common)


def tops(quads: Floats, odds: Floats, options: TopOptions | None = None) -> NDArray[np.bool_]:
    """Of two clockwise quads that are two faces of one die keep the likelier top one by log odds, and the other if it is surely one too."""
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
    apart = np.linalg.norm(one[:, None] - other[None], axis=2)
    return bool((np.roll(apart, -1, axis=1) + np.roll(apart, -1, axis=0) < 2 * reach_px).any())
