"""Tables of arrays, one row a thing in the picture, one array an attribute; and how readers fill them.

What was read of a quad once is not read again, and what was cut badly is: a reader says where the corners really are, and reads better when
they lie there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, are_convex


@cache
def _getter(kind: type) -> Callable[[Any], Any]:
    """Gives all fields of a dataclass at once: rows are picked hundreds of times a picture."""
    return attrgetter(*(field.name for field in fields(kind)))


class Rows:
    """Base of dataclasses whose fields are all arrays with the same first length."""

    __slots__ = ()

    def _columns(self) -> tuple[NDArray[Any], ...]:
        columns: tuple[NDArray[Any], ...] = _getter(type(self))(self)  # type: ignore[arg-type]
        return columns

    def __len__(self) -> int:
        return len(self._columns()[0])

    def pick(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Self:
        """Some of the rows."""
        return type(self)(*(column[which] for column in self._columns()))

    def replaced(self, which: NDArray[np.intp], by: Self) -> Self:
        """These rows with some exchanged."""
        columns = []
        for old, new in zip(self._columns(), by._columns(), strict=True):
            column = old.copy()
            column[which] = new
            columns.append(column)
        return type(self)(*columns)

    def joined_to(self, other: Self) -> Self:
        """These rows and then the other's."""
        return type(self)(*(np.concatenate(pair) for pair in zip(self._columns(), other._columns(), strict=True)))


class QuadReadings(Rows):
    """Base of what readers make of n quads."""

    __slots__ = ()
    quad_px: Floats
    """Corrected corners in the picture, shape (n, 4, 2)."""
    shift: Floats
    """Largest correction of a corner, in patch pixels, shape (n,)."""


RowsT = TypeVar("RowsT", bound=Rows)
ReadingsT = TypeVar("ReadingsT", bound=QuadReadings)

_LOOKS = 3
"""The finder's quad and two better ones."""


class Once(Generic[RowsT]):
    """Reads each quad once, however often it is asked about; the reader must know what to say of none."""

    def __init__(self, read: Callable[[Floats], RowsT]) -> None:
        self._read = read
        self._known: RowsT | None = None
        self._row: dict[bytes, int] = {}

    def __call__(self, quads: Floats) -> RowsT:
        """What the reader says of n quads, shape (n, 4, 2)."""
        if self._known is None:
            self._known = self._read(np.empty((0, 4, 2)))
        asked = [quad.tobytes() for quad in quads]
        new = {key: at for at, key in enumerate(asked) if key not in self._row}
        if new:
            self._row |= {key: len(self._known) + row for row, key in enumerate(new)}
            self._known = self._known.joined_to(self._read(quads[list(new.values())]))
        return self._known.pick(np.array([self._row[key] for key in asked], dtype=np.intp))


def refined(
    read: Callable[[Floats], ReadingsT], quads: Floats, hopeful: Callable[[ReadingsT], NDArray[np.bool_]], settled_px: float
) -> ReadingsT:
    """Read quads, shape (n, 4, 2), until their corners stay, at most `_LOOKS` times.

    A quad whose corners move by no more than `settled_px` (patch pixels) lies well; others are read again where the reading is hopeful.
    """
    readings = read(quads)
    if not len(quads):
        return readings
    for _ in range(_LOOKS - 1):
        again = np.flatnonzero(hopeful(readings) & (readings.shift > settled_px) & are_convex(readings.quad_px))
        if not len(again):
            break
        readings = readings.replaced(again, read(readings.quad_px[again]))
    return readings


_UPSIDE_DOWN = [2, 3, 0, 1]


def asked_twice(
    read: Callable[[Floats], ReadingsT],
    readings: ReadingsT,
    doubtful: NDArray[np.bool_],
    mean: Callable[[ReadingsT, ReadingsT], ReadingsT],
) -> ReadingsT:
    """The same readings, those in doubt, shape (n,), the mean with what is read upside down there: errors of two looks seldom agree."""
    which = np.flatnonzero(doubtful)
    if not len(which):
        return readings
    first = readings.pick(which)
    return readings.replaced(which, mean(first, read(first.quad_px[:, _UPSIDE_DOWN])))
