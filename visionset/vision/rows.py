"""Tables of arrays: one row a thing in the picture, one array an attribute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats


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
