"""Quads in the picture: which are sound, which are the same thing twice, which lie in which, on which edges of paper they lie."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, rectangle, sides

OVERLAP = 0.5
"""Two readings that share more than this part of the smaller quad are one piece."""

EPSILON = 1e-9
"""Least divisor, where a quad has no area."""


def shared(one: Floats, other: Floats) -> float:
    """Overlap coefficient of two convex quads: common area over the smaller area, 0 to 1.

    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> shared(square, square + (1, 0)), shared(square, square / 2)
    (0.5, 1.0)
    """
    a, b = one.astype(np.float32), other.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(a, b)
    return float(common) / max(1e-6, min(cv2.contourArea(a), cv2.contourArea(b)))


def distances(points: Floats, others: Floats) -> Floats:
    """How far points, shape (n, k), are from others, shape (m, k); shape (n, m)."""
    # one coordinate after the other: a numpy sum over an axis of length 2 takes many times as long
    return np.asarray(np.sqrt(sum(np.square(one[:, None] - other) for one, other in zip(points.T, others.T, strict=True))))


def areas(quads: Floats) -> Floats:
    """Areas of n simple quads, shape (n, 4, 2) to (n,)."""
    first, second = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return 0.5 * np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])


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
    across = np.where(across == 0, EPSILON, across)
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
    x, y, w = (points @ to_from[:, :, :2].transpose(0, 2, 1) + to_from[:, None, :, 2]).transpose(2, 0, 1)
    there = np.empty((len(to_from), points.shape[1], 2))
    np.divide(x, w, out=there[..., 0])
    np.divide(y, w, out=there[..., 1])
    return there


def distinct(quads: Floats, surest_first: NDArray[np.intp], overlap: float) -> NDArray[np.intp]:
    """Non-maximum suppression: positions of the quads that share less than `overlap` with each surer one that is kept, surest first."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    near = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(axis=2)
    kept: list[int] = []
    for at in surest_first:
        if all(shared(quads[at], quads[other]) < overlap for other in kept if near[at, other]):
            kept.append(int(at))
    return np.array(kept, dtype=np.intp)


def first_of_each(same: NDArray[np.bool_], order: NDArray[np.intp]) -> NDArray[np.intp]:
    """Positions, in `order`, of things that are the same as none kept before them; `same`, shape (n, n), tells which two are the same.

    >>> first_of_each(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool), np.array([0, 1, 2])).tolist()
    [0, 2]
    """
    before = np.tril(same[order][:, order], -1)
    kept = np.asarray(~before.any(axis=1))
    for at in np.flatnonzero(~kept):  # what is the same only as things that were dropped is kept after all
        kept[at] = not (before[at] & kept).any()
    return np.asarray(order[kept], np.intp)


def uppermost_first(quads: Floats) -> Floats:
    """The same quads, shape (n, 4, 2), each beginning with the side that is uppermost in the picture, in the same direction around."""
    first = (quads[..., 1] + quads[:, [1, 2, 3, 0], 1]).argmin(axis=1)
    return np.asarray(quads[np.arange(len(quads))[:, None], (first[:, None] + np.arange(4)) % 4])


def inside(points: Floats, quads: Floats) -> NDArray[np.bool_]:
    """Which points, shape (n, 2), lie in which clockwise quads, shape (m, 4, 2); shape (n, m).

    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> inside(np.array([[1.0, 1.0], [3.0, 1.0]]), square[None]).tolist()
    [[True], [False]]
    """
    # shape (4, 1, m) each: a point is inside where it lies on the same side of all four sides
    (along_x, along_y), (x, y) = (one.transpose(2, 1, 0)[:, :, None] for one in (sides(quads), quads))
    cross = along_x * (points[:, 1, None] - y) - along_y * (points[:, 0, None] - x)
    return np.asarray((cross >= 0).all(axis=0) | (cross <= 0).all(axis=0))


def shapes(quads: Floats) -> Floats:
    """How squeezed quads look and in which direction, (n, 4, 2) to (n, 2): a square of the table has the same shape however it is turned.

    The ellipse inscribed in a quad with half axes u, v is that of u u^T + v v^T. Its half axes a >= b and their slope t stay as they are
    when a square is turned on the table. The shape is log(a / b) (cos 2t, sin 2t): xx and xy of the logarithm of that matrix at determinant
    1, where yy = -xx. It is (0, 0) for a square as seen from above; the first number is above 0 for what looks wider than high.
    """
    u, v = half_axes(quads)
    xx, yy = u[:, 0] ** 2 + v[:, 0] ** 2, u[:, 1] ** 2 + v[:, 1] ** 2
    xy = u[:, 0] * u[:, 1] + v[:, 0] * v[:, 1]
    half = np.hypot((xx - yy) / 2, xy)
    longer, shorter = (xx + yy) / 2 + half, np.maximum((xx + yy) / 2 - half, 1e-6)
    turn = 0.5 * np.arctan2(2 * xy, xx - yy)
    size = 0.5 * np.log(longer / shorter)
    return np.stack([size * np.cos(2 * turn), size * np.sin(2 * turn)], axis=1)


def bilinear_weights(x: Floats, y: Floats) -> Floats:
    """Weights of a quad's four corners at points in it, given as shares of its width and height, shape (n,) each; shape (n, 4)."""
    return np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y], axis=1)


def half_axes(quads: Floats) -> tuple[Floats, Floats]:
    """Half axes of quads, shape (n, 4, 2), along their second and their first side, of a card the long and the short one; (n, 2) each."""
    p0, p1, p2, p3 = quads.transpose(1, 0, 2)
    return (p2 + p3 - p0 - p1) / 4, (p1 + p2 - p0 - p3) / 4


def parallelograms(center: Floats, u: Floats, v: Floats) -> Floats:
    """Quads with these middles and half axes, shape (n, 2) each, from the corner center - u - v, first along v; shape (n, 4, 2)."""
    before, behind = center - u, center + u
    return np.stack([before - v, before + v, behind + v, behind - v], axis=1)


def long_sides(quads: Floats) -> Floats:
    """Lengths of the longest sides of quads, shape (n, 4, 2) to (n,)."""
    return np.asarray(np.linalg.norm(sides(quads), axis=2).max(axis=1))


def widened(quads: Floats, factor: float) -> Floats:
    """The same quads, shape (n, 4, 2), with sides multiplied by `factor` about their middles."""
    middle = quads.mean(axis=1, keepdims=True)
    return np.asarray(middle + factor * (quads - middle))


def quarter_turned(points: Floats, quarters: int) -> Floats:
    """Points, shape (..., 2), turned by so many quarters anticlockwise about the origin of the picture."""
    for _ in range(quarters):
        points = np.stack([points[..., 1], -points[..., 0]], axis=-1)
    return points


_CARD_WH_MM = 60.0, 88.0
"""Width and height of a card: between those of a SET card and of a playing card."""

_CARD_MM = rectangle(0, 0, *_CARD_WH_MM)
CARD_ASPECT = _CARD_WH_MM[0] / _CARD_WH_MM[1]
"""Width of a card by its height."""

_REACH_MM = 7.0
"""An edge is looked for up to this far inside and outside of where the reader puts it: most of its errors are smaller, and no symbol is
nearer to the edge."""

_END = 0.38
_PLACES = np.linspace(-_END, _END, 12)
"""Where each side is looked at, as a share of its length from its middle: the corners of cards are round."""

_FAINTEST = 0.06
"""Least drop of brightness over an edge, as a share of the paper's: white cards on a white cloth have a shadow at least."""

_SEEN = 0.5
"""Share of the places of a side that must agree on a line: else something lies on it, or the table is as light as the paper."""

_BESIDE_MM = (3.0, 1.0, 0.5)
"""For each iteration of the line fit the distance from the line at which a place keeps a quarter of its weight, so that places which are no
part of the edge count less and less. Places within the last one agree on the line."""

_STEPS_MM = np.arange(-_REACH_MM - 1, _REACH_MM + 2)
"""Where brightness is sampled across a side, from inside outwards. The drop at an edge is taken from 1 mm before it to 1 mm behind it."""

_OFFSETS_MM = _STEPS_MM[1:-1]
"""Where an edge may be found."""
_NEARER = 1 - 0.7 * np.square(_OFFSETS_MM / _REACH_MM)
"""Weight of an edge by its distance: of two edges rather the nearer one."""

_WITHIN = 2
"""Index of a sample that surely lies on the paper, 6 mm inside."""

_ALONG_MM = sides(_CARD_MM)
_OUTWARDS = np.stack([_ALONG_MM[:, 1], -_ALONG_MM[:, 0]], axis=1) / np.abs(_ALONG_MM).sum(axis=1, keepdims=True)
_PLACES_MM = _CARD_MM[:, None] + _ALONG_MM[:, None] * (_PLACES[:, None] + 0.5)
_SAMPLES_MM = _PLACES_MM[:, :, None] + _OUTWARDS[:, None, None] * _STEPS_MM[:, None]
"""Points of the card where brightness is sampled: across each side, at each of its places. Shape (4, places, steps, 2)."""

_POWERS = np.stack([np.ones_like(_PLACES), _PLACES, np.square(_PLACES)], axis=1)
"""Powers 0, 1, 2 of the places, for the normal equations of a line."""


def on_edges(image_bgr: NDArray[np.uint8], quads: Floats) -> Floats:
    """Outlines of n cards, shape (n, 4, 2), each beginning at a short side, with sides moved onto the edges of the paper in the picture.

    `image_bgr` has the shape (height, width, 3 or 4). Sides that show no edge stay where they are.
    """
    if not len(quads):
        return quads
    image_from_card = picture_from_rectangle(quads, _CARD_MM)
    heights_mm, steps = _edges(image_bgr, image_from_card)
    middle_mm, slope_mm = _lines(heights_mm, steps)
    away_mm = np.abs(heights_mm - middle_mm[..., None] - slope_mm[..., None] * _PLACES)
    furthest_mm = np.abs(middle_mm) + np.abs(slope_mm) * _PLACES[-1]
    is_edge = (((away_mm < _BESIDE_MM[-1]) & (steps > 0)).mean(axis=2) >= _SEEN) & (furthest_mm <= _REACH_MM)
    corners_mm = _corners(np.where(is_edge, middle_mm, 0.0), np.where(is_edge, slope_mm, 0.0))
    return projected(image_from_card, corners_mm)


def _edges(image_bgr: NDArray[np.uint8], image_from_card: Floats) -> tuple[Floats, Floats]:
    """How far outside of each place of each side the strongest edge lies, in mm, and its strength; both of shape (n, 4, places).

    The strength is the drop of brightness as a share of the paper's, 0 where that is too faint, 0.3 at most.
    """
    count = len(image_from_card)
    across = projected(image_from_card, _SAMPLES_MM.reshape(1, -1, 2)).astype(np.float32).reshape(-1, len(_STEPS_MM), 2)
    seen = cv2.remap(image_bgr, across, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    light = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY).astype(np.float32).reshape(count, *_SAMPLES_MM.shape[:3])
    paper = np.maximum(np.median(light[..., _WITHIN], axis=(1, 2)), 1)
    steps = (light[..., :-2] - light[..., 2:]) / paper[:, None, None, None]
    at = (steps * _NEARER).argmax(axis=3)
    first = np.arange(at.size).reshape(at.shape) * len(_OFFSETS_MM)  # position of each place's first step in all of them
    before, here, behind = (steps.ravel()[first + np.clip(at + by, 0, len(_OFFSETS_MM) - 1)] for by in (-1, 0, 1))
    bend = np.maximum(2 * here - before - behind, EPSILON)
    between = np.clip((behind - before) / (2 * bend), -0.5, 0.5)  # the top of the parabola through three steps
    return _OFFSETS_MM[at] + between, np.where(here > _FAINTEST, np.minimum(here, 5 * _FAINTEST), 0.0)


def _lines(heights_mm: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Lines fitted to the edges of each side, `heights_mm` and `weights` of shape (n, 4, places): iteratively reweighted least squares.

    The height outside of the side, in mm, in its middle, and by how much it grows from its one end to the other: shape (n, 4) each. The fit
    starts at the weighted median of the heights.
    """
    order = heights_mm.argsort(axis=2)
    share = np.take_along_axis(weights, order, axis=2).cumsum(axis=2)
    half = (share >= share[..., -1:] / 2).argmax(axis=2)[..., None]
    middle = np.take_along_axis(heights_mm, np.take_along_axis(order, half, axis=2), axis=2)[..., 0]
    slope = np.zeros_like(middle)
    for beside_mm in _BESIDE_MM:
        away = (heights_mm - middle[..., None] - slope[..., None] * _PLACES) / beside_mm
        say = weights / (1 + away**2) ** 2
        (total, tilt, spread), (height, product, _) = ((one @ _POWERS).transpose(2, 0, 1) for one in (say, say * heights_mm))
        determinant = np.maximum(total * spread - tilt**2, EPSILON)
        middle = (spread * height - tilt * product) / determinant
        slope = (total * product - tilt * height) / determinant
    return middle, slope


def _corners(middle_mm: Floats, slope_mm: Floats) -> Floats:
    """Where the lines of neighbouring sides cross, in mm of the card: its new corners, shape (n, 4, 2).

    The side before, from p along u, meets this one, from q along v, at p + s u with s = (q - p) x v / (u x v), x the cross product.
    """
    first = _CARD_MM + _OUTWARDS * (middle_mm - slope_mm / 2)[..., None]
    along = _ALONG_MM + _OUTWARDS * slope_mm[..., None]
    back, corner = along[:, [3, 0, 1, 2]], first[:, [3, 0, 1, 2]]
    gap = first - corner
    share = (gap[..., 0] * along[..., 1] - gap[..., 1] * along[..., 0]) / (back[..., 0] * along[..., 1] - back[..., 1] * along[..., 0])
    return np.asarray(corner + back * share[..., None])
