"""What all readers share: cut pieces out of a picture, straighten them, put their paper at white, ask a network, correct the quads.

What was read of a quad once is not read again, and what was cut badly is: a reader says where the corners really are, and reads better when
they lie there. What is known of many pieces is a table of arrays, one row a piece, one array an attribute.

Longer than most modules: each reader is short for that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property, partial
from math import ceil, floor
from operator import attrgetter
from typing import Any, Generic, Self, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, rectangle, square
from visionset.vision.engine import at_once, learned, log_softmax, network
from visionset.vision.quads import bilinear_weights, picture_from_rectangle, projected


@dataclass(frozen=True, eq=False)
class Patch:
    """How a reader wants its pieces straightened."""

    width_px: int
    height_px: int
    """`width_px` and `height_px`: size, with a margin of the piece's surroundings."""
    quad: Floats
    """Where the piece's corners come to lie, from its top left, clockwise. Shape (4, 2)."""
    shift_px: float
    """Unit of the reader's corner corrections, in patch pixels."""

    @cached_property
    def inner(self) -> tuple[slice, slice]:
        """Rows and columns of the piece without a rim: 1.5 px at its top and left, 3.5 px at its bottom and right, as networks learned."""
        (left, top), (right, bottom) = self.quad[0].astype(int) + 2, self.quad[2].astype(int) - 2
        return slice(top, bottom), slice(left, right)

    @cached_property
    def inner_of_half(self) -> tuple[slice, slice]:
        """The same of a patch at half its size."""
        (left, top), (right, bottom) = (self.quad[[0, 2]] + 0.5) / 2 - 0.5
        return slice(ceil(top) + 2, floor(bottom) - 1), slice(ceil(left) + 2, floor(right) - 1)


def _patch(name: str) -> Patch:
    known = learned(name)
    (width_px, height_px), (left_px, top_px) = known["size_px"], known["margin_px"]
    right_px, bottom_px = width_px - 1 - left_px, height_px - 1 - top_px
    return Patch(width_px, height_px, rectangle(left_px, top_px, right_px, bottom_px), known["shift_px"])


SET_CARD_PATCH = _patch("reader")
CARD_PATCH = _patch("card")
"""Playing cards are cut larger: their indices are small."""

DIE_PATCH = _patch("die")
"""The top face with a wide margin: what hangs on its rim tells which face is the top one."""

INDEX_PATCH = _patch("index")
"""Wide margins too: where the finder puts an index is half a guess."""

PAPER_QUANTILE = 0.85
"""Quantile of a card's brightness that is taken as that of its paper: three solid symbols leave 59 % of paper."""

DARKEST_WHITE = 8.0
"""Least brightness of paper (of 255), by which patches are divided: a black patch stays black."""

_OVERSAMPLING = 2
"""Pieces are cut at this many times the size of the patch and averaged down: stripes become a tint, noise shrinks."""

_ENOUGH_PX = 2_000_000
"""A stretched picture may always have as many pixels as this."""


def padded(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture with a fourth channel that says nothing, shape (height, width, 4): it is warped twice as fast, to the same bytes."""
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2BGRA), dtype=np.uint8)


def stretched(image_bgr: NDArray[np.uint8], factors: tuple[float, float]) -> NDArray[np.uint8]:
    """The picture with width and height stretched by factors, and shrunk so that it has no more pixels than before or `_ENOUGH_PX`."""
    pixels = image_bgr[..., 0].size
    smaller = min(1.0, max(pixels, _ENOUGH_PX) / (pixels * factors[0] * factors[1])) ** 0.5
    width, height = (max(1, round(side * factor * smaller)) for side, factor in zip(image_bgr.shape[1::-1], factors, strict=True))
    return np.asarray(cv2.resize(image_bgr, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


class Pyramid:
    """Image pyramid: a picture, shape (height, width, 3 or 4), and the same halved again and again, each level made when first asked for.

    Pieces much larger than a patch are cut from a halved picture, so that no pixel is skipped.
    """

    def __init__(self, picture: NDArray[np.uint8]) -> None:
        self._halved = [picture]

    def __getitem__(self, times: int) -> NDArray[np.uint8]:
        """The picture halved so many times, with as many channels."""
        while len(self._halved) <= times:
            height, width = (side // 2 for side in self._halved[-1].shape[:2])
            if not height or not width:
                return self._halved[-1]
            whole = self._halved[-1][: 2 * height, : 2 * width]
            self._halved.append(np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8))
        return self._halved[times]


def cut_all(picture: Pyramid, quads: Floats, patch: Patch) -> list[NDArray[np.uint8]]:
    """Straighten n pieces, one at least, from quads of shape (n, 4, 2): blue, green and red, each of shape (n, height, width).

    Their corners in the picture are clockwise, a card's beginning at a short side. Beyond the picture's edge the patch shows copies of the
    nearest pixel.
    """
    quads = np.asarray(quads, np.float64)
    pieces = np.empty((len(quads), patch.height_px, patch.width_px, picture[0].shape[2]), np.uint8)
    side_px = np.linalg.norm(quads[:, :2] - quads[:, :1:-1], axis=2).max(axis=1)  # the longer of the sides that become upright
    fine_side_px = (patch.quad[3, 1] - patch.quad[0, 1]) * _OVERSAMPLING
    times = np.log2(np.maximum(side_px / fine_side_px, 1)).astype(int)  # halvings; then the warp takes steps of less than two pixels
    smaller = [picture[at] for at in range(int(times.max()) + 1)]
    scale = 0.5 ** times[:, None, None]
    small_from_fine = picture_from_rectangle((quads + 0.5) * scale - 0.5, (patch.quad + 0.5) * _OVERSAMPLING - 0.5)
    size = (patch.width_px * _OVERSAMPLING, patch.height_px * _OVERSAMPLING)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP

    def each(which: slice) -> None:
        for piece, at, homography in zip(pieces[which], times[which], small_from_fine[which], strict=True):
            large = cv2.warpPerspective(smaller[at], homography, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
            cv2.resize(large, (patch.width_px, patch.height_px), dst=piece, interpolation=cv2.INTER_AREA)

    half = len(quads) // 2
    if half:
        at_once(partial(each, slice(half)), partial(each, slice(half, None)))
    else:
        each(slice(None))
    planes = cv2.split(pieces.reshape(-1, *pieces.shape[2:]))[:3]
    return [np.asarray(plane, np.uint8).reshape(pieces.shape[:3]) for plane in planes]


_COLUMNS, _ROWS, _RIM = 16, 24, 0.15
"""Pixels that `sampled` takes of a piece, across and down, within a rim that says nothing, as a share of each side."""


def _sample_weights() -> Floats:
    """Weights of a quad's corners at the pixels that `sampled` takes, row by row, shape (384, 4)."""
    places = (_RIM + (1 - 2 * _RIM) * (np.arange(count) + 0.5) / count for count in (_COLUMNS, _ROWS))
    return bilinear_weights(*map(np.ravel, np.meshgrid(*places)))


_CORNERS = _sample_weights()

WIDEST = square(9)
"""Kernel, in sampled pixels, that no symbol fills both ways: a closing with it puts the paper around it in its place."""


def sampled(image_bgr: NDArray[np.uint8], quads: Floats) -> NDArray[np.uint8]:
    """A grid of pixels of n pieces, shape (n, 4, 2), copied from the picture and not averaged: shape (n, 24, 16, channels)."""
    height, width, channels = image_bgr.shape
    x, y = np.rint(_CORNERS @ quads).transpose(2, 0, 1)
    at = (y.clip(0, height - 1) * width + x.clip(0, width - 1)).astype(np.intp)
    # to take whole pixels by their place takes a quarter of the time of indexing by rows and columns
    return np.asarray(image_bgr.reshape(-1, channels).take(at, axis=0).reshape(-1, _ROWS, _COLUMNS, channels), np.uint8)


def paper_white(planes: Sequence[NDArray[np.uint8]] | NDArray[np.uint8 | np.float32], patch: Patch = SET_CARD_PATCH) -> NDArray[np.float32]:
    """Brightness of the paper or body of n pieces, shape (n, 3), in the unit of `planes`, the colours as `cut_all` gives them."""
    white = np.empty((len(planes[0]), len(planes)), np.float32)
    for channel, plane in enumerate(planes):
        inner = plane[:, *patch.inner][:, ::2, ::2].reshape(len(plane), -1)
        at = int(PAPER_QUANTILE * inner.shape[1])
        white[:, channel] = np.partition(inner, at, axis=1)[:, at]
    return np.maximum(white, np.float32(DARKEST_WHITE), out=white)


CEILING = 1.3
"""Brightness is cut here, in units of paper white: glare says nothing."""


def straightened(picture: Pyramid, quads: Floats, patch: Patch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Patches as networks take them, with paper or body at 1, shape (n, 3, height, width); and its brightness in the picture, (n, 3)."""
    planes = cut_all(picture, quads, patch)
    white = paper_white(planes, patch)
    pieces = np.empty((len(quads), len(planes), patch.height_px, patch.width_px), np.float32)
    for channel, plane in enumerate(planes):
        np.divide(plane, white[:, channel, None, None], out=pieces[:, channel])
    return np.minimum(pieces, np.float32(CEILING), out=pieces), white


def corrected(quads: Floats, shift_px: Floats, patch: Patch) -> Floats:
    """Quads with each corner moved by `shift_px`, shape (n, 4, 2), which is measured in the straightened patch."""
    return projected(picture_from_rectangle(quads, patch.quad), patch.quad + shift_px)


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What a network says of n pieces."""

    log: tuple[Floats, ...]
    """Log probabilities of each group of answers."""
    quad_px: Floats
    """Corrected corners in the picture. Shape (n, 4, 2)."""
    shift: Floats
    """Largest correction of a corner, in patch pixels. Shape (n,)."""
    white: Floats
    """Brightness of the paper or body in the picture, mean of its channels, 0 to 255. Shape (n,)."""


def ask(picture: Pyramid, quads: Floats, name: str, patch: Patch, groups: tuple[int, ...]) -> Answers:
    """Read n quads, shape (n, 4, 2), with the network `name`, whose answers come in `groups` and 8 corrections."""
    if not len(quads):
        return Answers(tuple(np.empty((0, size)) for size in groups), np.empty((0, 4, 2)), np.empty(0), np.empty(0))
    pieces, white = straightened(picture, quads, patch)
    out = network(name)(pieces).astype(np.float64)
    ends = np.cumsum(groups)
    log = tuple(log_softmax(out[:, end - size : end]) for end, size in zip(ends, groups, strict=True))
    shift = out[:, ends[-1] :].reshape(-1, 4, 2) * patch.shift_px
    return Answers(log, corrected(quads, shift, patch), np.abs(shift).max(axis=(1, 2)), white.mean(axis=1, dtype=np.float64))


@cache
def _getter(kind: type) -> Callable[[Any], tuple[NDArray[Any], ...]]:
    """Gives all fields of a dataclass at once: rows are picked hundreds of times a picture."""
    return attrgetter(*(field.name for field in fields(kind)))


class Rows:
    """Base of dataclasses that are tables of n rows (structures of arrays): each field is an array whose first length is n."""

    __slots__ = ()

    def _columns(self) -> tuple[NDArray[Any], ...]:
        return _getter(type(self))(self)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self._columns()[0])

    def pick(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Self:
        """Some of the rows."""
        rows = np.flatnonzero(which) if which.dtype == np.bool_ else which
        return type(self)(*(column.take(rows, axis=0) for column in self._columns()))

    def replaced(self, which: NDArray[np.intp], by: Self) -> Self:
        """These rows with some exchanged."""
        columns = [column.copy() for column in self._columns()]
        for column, new in zip(columns, by._columns(), strict=True):
            column[which] = new
        return type(self)(*columns)

    def joined_to(self, *others: Self) -> Self:
        """These rows and then those of the others."""
        return type(self)(*map(np.concatenate, zip(self._columns(), *(other._columns() for other in others), strict=True)))


@dataclass(frozen=True, slots=True, eq=False)
class QuadReadings(Rows):
    """Base of what readers make of n quads."""

    quad_px: Floats
    """Corrected corners in the picture, shape (n, 4, 2)."""
    shift: Floats
    """Largest correction of a corner, in patch pixels, shape (n,)."""

    def mean(self, other: Self) -> Self:
        """The mean with other readings of the same quads, number by number."""
        return type(self)(*((mine + theirs) / 2 for mine, theirs in zip(self._columns(), other._columns(), strict=True)))


RowsT = TypeVar("RowsT", bound=Rows)
ReadingsT = TypeVar("ReadingsT", bound=QuadReadings)

_LOOKS = 3
"""Times that a quad is cut and read at most: as the finder has it, and twice with corrected corners."""


class CachedReader(Generic[RowsT]):
    """A reader that keeps what it read: the same quad is never read twice. The reader that it asks must take zero quads, too."""

    def __init__(self, read: Callable[[Floats], RowsT]) -> None:
        self._read = read
        self._known: RowsT | None = None
        self._row: dict[bytes, int] = {}

    def __call__(self, quads: Floats) -> RowsT:
        """What the reader says of n quads, shape (n, 4, 2)."""
        asked = [quad.tobytes() for quad in quads]
        new = {key: at for at, key in enumerate(asked) if key not in self._row}
        if new or self._known is None:
            readings = self._read(quads[list(new.values())])
            self._row |= {key: len(self._row) + row for row, key in enumerate(new)}
            self._known = readings if self._known is None else self._known.joined_to(readings)
        return self._known.pick(np.array([self._row[key] for key in asked], dtype=np.intp))


def refined(
    read: Callable[[Floats], ReadingsT], quads: Floats, hopeful: Callable[[ReadingsT], NDArray[np.bool_]], settled_px: float
) -> ReadingsT:
    """Read quads, shape (n, 4, 2), and read them again with corrected corners until these stay, at most `_LOOKS` times in all.

    Again are read those with a corner that moved by more than `settled_px` (patch pixels), if `hopeful` says that the reading is worth it.
    """
    readings = read(quads)
    for _ in range(_LOOKS - 1):
        again = np.flatnonzero(hopeful(readings) & (readings.shift > settled_px))
        if not len(again):
            break
        readings = readings.replaced(again, read(readings.quad_px[again]))
    return readings


def asked_twice(
    read: Callable[[Floats], ReadingsT],
    readings: ReadingsT,
    doubtful: NDArray[np.bool_],
    mean: Callable[[ReadingsT, ReadingsT], ReadingsT],
) -> ReadingsT:
    """The readings, those in doubt averaged with a reading upside down (test-time augmentation): errors of two readings seldom agree.

    `doubtful` tells which are in doubt, shape (n,), `mean` how two readings of the same quads are averaged.
    """
    which = np.flatnonzero(doubtful)
    if not len(which):
        return readings
    first = readings.pick(which)
    return readings.replaced(which, mean(first, read(first.quad_px[:, [2, 3, 0, 1]])))
