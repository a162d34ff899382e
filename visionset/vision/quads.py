"""Quads in the picture: which are sound, which are the same thing twice, which lie in which."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, sides


def shared(one: Floats, other: Floats) -> float:
    """Common area over the smaller area of two convex quads.

    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> shared(square, square + (1, 0)), shared(square, square / 2)
    (0.5, 1.0)
    """
    a, b = one.astype(np.float32), other.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(a, b)
    return float(common) / max(1e-6, min(cv2.contourArea(a), cv2.contourArea(b)))


def areas(quads: Floats) -> Floats:
    """Areas of n simple quads, shape (n, 4, 2) to (n,)."""
    first, second = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(0.5 * np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]))


def distinct(quads: Floats, surest_first: NDArray[np.intp], overlap: float) -> NDArray[np.intp]:
    """Positions of the quads that share no more than `overlap` with a surer one, surest first."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    near = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(axis=2)
    kept: list[int] = []
    for at in surest_first:
        if all(shared(quads[at], quads[other]) < overlap for other in kept if near[at, other]):
            kept.append(int(at))
    return np.array(kept, dtype=np.intp)


def uppermost_first(quads: Floats) -> Floats:
    """Quads, shape (n, 4, 2), that begin with the side which is highest in the picture, in the same direction around."""
    if not len(quads):
        return quads
    first = (quads[..., 1] + np.roll(quads[..., 1], -1, axis=1)).argmin(axis=1)
    return np.asarray(np.take_along_axis(quads, ((first[:, None] + np.arange(4)) % 4)[..., None], axis=1))


def inside(points: Floats, quads: Floats) -> NDArray[np.bool_]:
    """Which points, shape (n, 2), lie in which clockwise quads, shape (m, 4, 2); shape (n, m).

    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> inside(np.array([[1.0, 1.0], [3.0, 1.0]]), square[None]).tolist()
    [[True], [False]]
    """
    side = sides(quads)
    away = points[:, None, None] - quads[None]
    cross = side[None, ..., 0] * away[..., 1] - side[None, ..., 1] * away[..., 0]
    return np.asarray((cross >= 0).all(axis=2) | (cross <= 0).all(axis=2))
