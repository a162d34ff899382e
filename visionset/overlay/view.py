"""How a person wants to see the table: which hints, which SET, mirrored or turned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from numbers import Integral

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.errors import OptionError, check_type
from visionset.geometry import Floats
from visionset.messages import Message
from visionset.table import Table


class Reveal(Enum):
    """How much is given away."""

    OFF = "off"
    """Nothing of the SETs, not even how many there are."""
    COUNT = "count"
    """How many SETs there are."""
    ONE = "one"
    """One piece of one SET."""
    TWO = "two"
    """Two pieces of one SET."""
    ALL = "all"
    """Whole SETs."""

    @property
    def said(self) -> Message:
        """What people call it."""
        return Message(f"hints.{self.value}")


@dataclass(frozen=True, slots=True)
class View:
    """What to show and which way round.

    Attributes
    ----------
    hint : Reveal
        How much of the SETs to show.
    step : int or None
        Show only this SET, counted from 0 and wrapping round; None for all of them, or for the first where `hint` shows one alone.
    labels : bool
        Write each card's reading beside it.
    mirrored : bool
        Left and right swapped, before turning.
    quarter_turns : int
        Clockwise turns by 90 degrees, 0 to 3.

    Raises
    ------
    OptionError
        A hint that is none, a step that is no whole number, other turns, or words for True and False: a `ValueError` too.
    """

    hint: Reveal = Reveal.ALL
    step: int | None = None
    labels: bool = True
    mirrored: bool = False
    quarter_turns: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.quarter_turns, Integral) or not 0 <= self.quarter_turns < len(_ROTATIONS):
            raise OptionError(f"expected quarter turns from 0 to 3, got {self.quarter_turns!r:.80}; take them modulo 4")
        check_type(self.step, Integral | None, "step as the number of a SET, counted from 0, or None", "None shows all of them")
        for name, value in (("labels", self.labels), ("mirrored", self.mirrored)):
            check_type(value, bool | np.bool_, f"{name} as True or False", "give one of them")
        check_type(self.hint, Reveal, "a hint as one of Reveal", "Reveal.ALL shows all SETs")

    def turn_image(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the picture as the person wants it, which is the same array when nothing is turned."""
        if self.mirrored:
            image_bgr = np.asarray(cv2.flip(image_bgr, 1), np.uint8)
        turn = _ROTATIONS[self.quarter_turns]
        return image_bgr if turn is None else np.asarray(cv2.rotate(image_bgr, turn), np.uint8)

    def turn_table(self, table: Table) -> Table:
        """Move the outlines of the cards along with the picture."""
        if not self.mirrored and not self.quarter_turns:
            return table
        width, height = table.size_px
        size_px = (height, width) if self.quarter_turns % 2 else (width, height)
        seen = tuple(replace(one, outline_px=self._turn_points(one.outline_px, width, height)) for one in table.sightings)
        return replace(table, size_px=size_px, sightings=seen)

    def _turn_points(self, points_px: Floats, width: int, height: int) -> Floats:
        x, y = points_px[:, 0], points_px[:, 1]
        if self.mirrored:
            x = width - 1 - x
        for _ in range(self.quarter_turns):
            x, y = height - 1 - y, x
            width, height = height, width
        return np.stack([x, y], axis=1)


_ROTATIONS = (None, cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE)
