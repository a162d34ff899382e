"""Frames, and what lies in them: points, convex clockwise quads, homographies, and the order in which people name what lies on a table.

Picture coordinates have x to the right and y downwards, in pixels, the centre of the first pixel at (0, 0).
A mapping is named ``to_from``: ``image_from_card @ card_point`` is a picture point.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from numbers import Integral, Real
from os import PathLike
from typing import Any, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from visionset.errors import ArrayError, OptionError

Floats: TypeAlias = NDArray[np.float64]
Quad: TypeAlias = NDArray[np.float64]
"""Four corners, shape (4, 2), clockwise as seen in the picture."""


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view that nobody can write through (the caller's own array stays writable)."""
    view = array.view()
    view.flags.writeable = False
    return view


class MadeAnew:
    """A value with arrays: each copy, and one that comes from another process, is made as the first was, and as read-only."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, one.name) for one in fields(cast(Any, self)))


@dataclass(frozen=True, slots=True, eq=False)
class Frame(MadeAnew):
    """One picture of a stream.

    Attributes
    ----------
    image_bgr : ndarray of uint8, shape (height, width, 3)
        Read-only; drawing works on a copy.
    index : int
        0 for the first frame of the source; frames that were dropped leave gaps.
    time_s : float
        Seconds since the source started.
    name : str
        File name of a photograph, else empty.

    Raises
    ------
    ArrayError
        What is no picture.
    OptionError
        A time that is none, or an index that is no whole number.
    """

    image_bgr: NDArray[np.uint8]
    index: int = 0
    time_s: float = 0.0
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "image_bgr", read_only(checked(self.image_bgr)))
        if not isinstance(self.index, Integral):
            raise OptionError(f"expected index as the number of the frame, got {self.index!r:.40}; its time in seconds comes after it")
        if not (isinstance(self.time_s, Real) and math.isfinite(self.time_s)):
            raise OptionError(
                f"expected time_s in seconds since the source started, got {self.time_s!r:.40}; of pictures without a time, number / 25.0"
            )

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self.image_bgr.shape[1], self.image_bgr.shape[0]


def checked(image_bgr: object) -> NDArray[np.uint8]:
    """Give a picture back if it is one. Raises `ArrayError`: it is no array of uint8 with the shape (height, width, 3)."""
    expected = "expected a picture as uint8 (height, width, 3) in the order blue, green, red"
    if image_bgr is None:
        raise ArrayError(f"{expected}, got None; cv2.imread gives that for a file that it cannot read: check its name")
    if not isinstance(image_bgr, np.ndarray):
        way = "make an array of it"
        if isinstance(image_bgr, str | PathLike):
            way = "read the file by visionset.sources.read_picture"
        elif hasattr(image_bgr, "convert"):  # of Pillow, whose arrays begin with red
            way = "give np.asarray(image.convert('RGB'))[:, :, ::-1]"
        raise ArrayError(f"{expected}, got {type(image_bgr).__name__}; {way}")
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.dtype != np.uint8 or image_bgr.size == 0:
        raise ArrayError(f"{expected}, got {image_bgr.dtype} {image_bgr.shape}; {_way_to_picture(image_bgr)}")
    return image_bgr


def _way_to_picture(image: NDArray[Any]) -> str:
    """How to make a picture of an array that is none."""
    if image.size == 0:
        return "it holds no pixel: check where it was cut out"
    if image.dtype != np.uint8:
        return "scale it to 0 to 255 and convert it, as by .astype(np.uint8)"
    if image.ndim == 2 or (image.ndim == 3 and image.shape[2] == 1):
        return "convert it, as by cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)"
    if image.ndim == 3 and image.shape[2] == 4:
        return "convert it, as by cv2.cvtColor(image, cv2.COLOR_BGRA2BGR)"
    return "give one picture, as cv2.imread does"


def as_quad(points: object) -> Quad:
    """Return four points as a clockwise, read-only quad that starts at the corner given first.

    Raises
    ------
    ArrayError
        Not four finite points: a `ValueError` too.

    Examples
    --------
    >>> as_quad([[0, 0], [0, 2], [1, 2], [1, 0]]).tolist()  # given anticlockwise
    [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [0.0, 2.0]]
    """
    try:
        quad = np.array(points, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArrayError(f"expected four points of two coordinates, got {points!r:.80}; pass a (4, 2) array") from None
    if quad.shape != (4, 2):
        raise ArrayError(f"expected four points of two coordinates, got shape {quad.shape}; pass a (4, 2) array")
    if not np.isfinite(quad).all():
        raise ArrayError(f"expected four finite points, got {quad.tolist()}; leave out what was not found")
    if signed_area(quad) < 0:
        quad = quad[[0, 3, 2, 1]]
    return read_only(quad)


def signed_area(polygon: Floats) -> float:
    """Area of a polygon, shape (n, 2), positive when it runs clockwise in a picture (y downwards).

    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> signed_area(square), signed_area(square[::-1])
    (4.0, -4.0)
    """
    x, y = polygon[:, 0], polygon[:, 1]
    return float(0.5 * (x[:-1] @ y[1:] - y[:-1] @ x[1:] + x[-1] * y[0] - y[-1] * x[0]))


_NEXT = np.array([1, 2, 3, 0])
"""The corner after each."""


def sides(quads: Floats) -> Floats:
    """Vectors from each corner of quads, shape (..., 4, 2), to the next."""
    return np.asarray(quads[..., _NEXT, :] - quads)


class Outlined(Protocol):
    """A thing in a picture, such as a sighting or a track."""

    @property
    def outline_px(self) -> Quad:
        """Where it lies."""


def outlines_of(things: Iterable[Outlined]) -> Floats:
    """Outlines of n things, also of none, as one array of shape (n, 4, 2)."""
    return np.array([one.outline_px for one in things]).reshape(-1, 4, 2)


def short_sides_px(outlines_px: Floats) -> Floats:
    """Length of the shorter pair of sides, averaged, of each outline of shape (..., 4, 2)."""
    sides = outlines_px - outlines_px[..., [3, 0, 1, 2], :]
    long = np.hypot(sides[..., 0], sides[..., 1])
    return np.asarray(np.minimum(long[..., 0] + long[..., 2], long[..., 1] + long[..., 3]) / 2)


def short_side_px(outline_px: Quad) -> float:
    """The same of one outline."""
    return float(short_sides_px(outline_px))


def are_convex(quads: Floats) -> NDArray[np.bool_]:
    """True for clockwise quads, shape (..., 4, 2), whose corners all turn right."""
    side = sides(quads)
    after = side[..., _NEXT, :]
    return np.asarray((side[..., 0] * after[..., 1] - side[..., 1] * after[..., 0] > 0).all(axis=-1))


def is_convex(quad: Quad) -> bool:
    """True for a clockwise quad whose corners all turn right.

    >>> square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> is_convex(square), is_convex(square[[0, 2, 1, 3]])
    (True, False)
    """
    return bool(are_convex(quad))


def homography(to: Quad, from_: Quad) -> Floats:
    """The 3 x 3 mapping that takes the four points `from_` to the four points `to`.

    Raises `numpy.linalg.LinAlgError`: three of the points lie on one line.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> picture_from_unit = homography(to=unit * (30, 20) + (5, 0), from_=unit)
    >>> apply(picture_from_unit, np.array([[0.5, 0.5]])).round(6).tolist()
    [[20.0, 10.0]]
    """
    rows = np.zeros((8, 8))
    rows[0::2, 0:2] = from_
    rows[0::2, 2] = 1
    rows[1::2, 3:5] = from_
    rows[1::2, 5] = 1
    rows[0::2, 6:8] = -from_ * to[:, :1]
    rows[1::2, 6:8] = -from_ * to[:, 1:]
    return np.append(np.linalg.solve(rows, to.reshape(8)), 1.0).reshape(3, 3)


def apply(to_from: Floats, points: Floats) -> Floats:
    """Map points, shape (n, 2), through a 3 x 3 homography."""
    mapped = points @ to_from[:, :2].T + to_from[:, 2]
    return np.asarray(mapped[:, :2] / mapped[:, 2:])


_ROW_SHARE = 0.5
"""A piece belongs to a row while it is off the row's course by less than this share of its own height."""


def table_angle_rad(outlines_px: Floats) -> float:
    """Common direction of the sides of many quads, shape (n, 4, 2), between -45 and 45 degrees; 0 when there is none.

    >>> square = np.array([[0.0, 0.0], [2.0, 0.2], [1.8, 2.2], [-0.2, 2.0]])
    >>> round(float(np.degrees(table_angle_rad(square[None]))), 1)
    5.7
    """
    sides = outlines_px[:, [1, 2, 3, 0]] - outlines_px
    # the fourth power makes the four directions of a rectangle one; length weighs, agreement decides
    turned = ((sides[..., 0] + 1j * sides[..., 1]) / np.maximum(np.hypot(sides[..., 0], sides[..., 1]), 1e-9)) ** 4
    mean = turned.mean() if turned.size else 0.0
    return float(np.angle(mean) / 4) if abs(mean) > 0.3 else 0.0


def reading_order(outlines_px: Floats) -> NDArray[np.intp]:
    """Positions of quads, shape (n, 4, 2), by rows from the top, in each row from the left, the table's slant taken out.

    Examples
    --------
    >>> card = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 3.0], [0.0, 3.0]])
    >>> reading_order(np.stack([card + (6, 0), card + (0, 5), card])).tolist()
    [2, 0, 1]
    """
    if not len(outlines_px):
        return np.empty(0, np.intp)
    angle = table_angle_rad(outlines_px)
    cos, sin = np.cos(angle), np.sin(angle)
    upright = outlines_px @ np.array([[cos, -sin], [sin, cos]])
    x, y = upright.mean(axis=1).T.tolist()
    height = np.ptp(upright[..., 1], axis=1).tolist()
    rows: list[list[int]] = []
    for at in sorted(range(len(y)), key=y.__getitem__):
        if rows:
            last = min(rows[-1], key=lambda other: abs(x[other] - x[at]))
            reach = _ROW_SHARE * min(height[at], height[last])
            if y[at] - y[last] < reach and y[at] - y[rows[-1][0]] < 1.5 * height[at]:
                rows[-1].append(at)
                continue
        rows.append([at])
    return np.array([at for row in rows for at in sorted(row, key=x.__getitem__)], np.intp)


def square(side_px: int) -> NDArray[np.uint8]:
    """What a pixel is compared with or spread over by OpenCV's morphology: all in a square around it."""
    return np.ones((side_px, side_px), np.uint8)


def rectangle(left: float, top: float, right: float, bottom: float) -> Quad:
    """Its corners, from the top left, clockwise."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)


AROUND = square(3)
"""A pixel and its neighbours."""
