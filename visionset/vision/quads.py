"""Quads in the picture: which are sound, which are the same thing twice, which lie in which."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, sides

_LEAST = 1e-9
"""Keeps divisions sound where a quad has no area."""


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


def picture_from_rectangle(quads: Floats, rectangle: Floats) -> Floats:
    """Homographies that take an upright rectangle, shape (4, 2) from its top left, clockwise, to n quads, shape (n, 4, 2); shape (n, 3, 3).

    With p = p0 - p1 + p2 - p3, u = p1 - p2, v = p3 - p2 and a x b the cross product, the unit square goes there by (Heckbert 1989):

        g = (p x v) / (u x v),  h = (u x p) / (u x v)        what slants
        p1 - p0 + g p1,  p3 - p0 + h p3,  p0                 columns of the rest

    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> picture_from_rectangle(3 * square[None], square)[0].tolist()
    [[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]]
    """
    p0, p1, p2, p3 = quads[:, 0], quads[:, 1], quads[:, 2], quads[:, 3]
    bend, u, v = p0 - p1 + p2 - p3, p1 - p2, p3 - p2
    across = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    across = np.where(across == 0, _LEAST, across)
    g = (bend[:, 0] * v[:, 1] - bend[:, 1] * v[:, 0]) / across
    h = (u[:, 0] * bend[:, 1] - u[:, 1] * bend[:, 0]) / across
    from_square = np.ones((len(quads), 3, 3))
    from_square[:, :2, 0], from_square[:, :2, 1], from_square[:, :2, 2] = p1 - p0 + g[:, None] * p1, p3 - p0 + h[:, None] * p3, p0
    from_square[:, 2, 0], from_square[:, 2, 1] = g, h
    width, height = rectangle[2] - rectangle[0]
    (left, top) = rectangle[0]
    return np.asarray(from_square @ np.array([[1 / width, 0, -left / width], [0, 1 / height, -top / height], [0, 0, 1]]))


def projected(to_from: Floats, points: Floats) -> Floats:
    """Points by n homographies, shape (n, 3, 3): of shape (n, m, 2), or (1, m, 2) where all take the same, to (n, m, 2)."""
    x, y, w = np.moveaxis(points @ to_from[:, :, :2].transpose(0, 2, 1) + to_from[:, None, :, 2], 2, 0)
    there = np.empty((len(to_from), points.shape[1], 2))
    np.divide(x, w, out=there[..., 0])
    np.divide(y, w, out=there[..., 1])
    return there


def distinct(quads: Floats, surest_first: NDArray[np.intp], overlap: float) -> NDArray[np.intp]:
    """Positions of the quads that share no more than `overlap` with a surer one, surest first."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    near = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(axis=2)
    kept: list[int] = []
    for at in surest_first:
        if all(shared(quads[at], quads[other]) < overlap for other in kept if near[at, other]):
            kept.append(int(at))
    return np.array(kept, dtype=np.intp)


def first_of_each(same: NDArray[np.bool_], order: NDArray[np.intp] | None = None) -> NDArray[np.intp]:
    """Positions of things of which none is the same as one that came before and was kept, given which are, shape (n, n).

    They come in the `order` given, or as they are.

    >>> first_of_each(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool)).tolist()
    [0, 2]
    """
    order = np.arange(len(same)) if order is None else order
    before = np.tril(same[order][:, order], -1)
    kept = np.asarray(~before.any(axis=1))
    for at in np.flatnonzero(~kept):  # each is judged when those before it have been
        kept[at] = not (before[at] & kept).any()
    return np.asarray(order[kept], np.intp)


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
