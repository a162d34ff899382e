"""The readers of one picture: what they have read of a quad once is not read again, and what was cut badly is.

A reader says where the corners really are, and reads better when they lie there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, are_convex
from visionset.vision import dice, playing_cards, set_cards
from visionset.vision.colour import has_colour
from visionset.vision.dice import DieReadings
from visionset.vision.playing_cards import CardReadings
from visionset.vision.rectify import Halvings, padded
from visionset.vision.rows import QuadReadings, Rows
from visionset.vision.set_cards import SetCardReadings

RowsT = TypeVar("RowsT", bound=Rows)
ReadingsT = TypeVar("ReadingsT", bound=QuadReadings)

_LOOKS = 3
"""The finder's quad and two better ones."""


class Once(Generic[RowsT]):
    """Reads each quad once, however often it is asked about; the reader must know what to say of none."""

    def __init__(self, read: Callable[[Floats], RowsT]) -> None:
        self._read = read
        self._known = read(np.empty((0, 4, 2)))
        self._row: dict[bytes, int] = {}

    def __call__(self, quads: Floats) -> RowsT:
        """What the reader says of n quads, shape (n, 4, 2)."""
        asked = [quad.tobytes() for quad in quads]
        new = {key: at for at, key in enumerate(asked) if key not in self._row}
        if new:
            self._row |= {key: len(self._known) + row for row, key in enumerate(new)}
            self._known = self._known.joined_to(self._read(quads[list(new.values())]))
        return self._known.pick(np.array([self._row[key] for key in asked], dtype=np.intp))


@dataclass(frozen=True, slots=True, eq=False)
class Readers:
    """A picture, shape (height, width, 3), what its pieces are cut from, and a reader of each kind; `mirrored` reads dice in a mirror.

    Dice are read as a camera sees them that stood `side` quarters of a turn, with the clock, beside where most stand, which is below.
    """

    image_bgr: NDArray[np.uint8]
    is_gray: Callable[[], bool]
    """Whether the picture as a whole shows no colour."""
    cut_from: Halvings
    expose: Callable[[Floats], None]
    """Lets quads, shape (n, 4, 2), that most likely hold a SET card tell how much contrast is missing."""
    set_cards: Once[SetCardReadings]
    cards: Once[CardReadings]
    indices: Once[CardReadings]
    dice: Once[DieReadings]
    mirrored: Once[DieReadings]
    side: int = 0

    @classmethod
    def of(cls, image_bgr: NDArray[np.uint8]) -> Readers:
        """The readers of one picture."""
        cut_from = Halvings(padded(image_bgr))

        @cache
        def is_gray() -> bool:
            return not has_colour(image_bgr, np.empty((0, 4, 2)))

        def cards(read: Callable[..., CardReadings], quads: Floats) -> CardReadings:
            return read(cut_from, quads, is_gray=len(quads) > 0 and is_gray())

        reader = set_cards.SetCardReader(cut_from)
        return cls(
            image_bgr,
            is_gray,
            cut_from,
            reader.expose,
            Once(reader),
            Once(partial(cards, playing_cards.read_playing_cards)),
            Once(partial(cards, playing_cards.read_indices)),
            *_readers_of_dice(cut_from),
        )

    def seen_from(self, side: int) -> Readers:
        """The same, with dice seen from another side of the picture."""
        dice, mirrored = _readers_of_dice(self.cut_from, side)
        return replace(self, dice=dice, mirrored=mirrored, side=side)


def _readers_of_dice(cut_from: Halvings, side: int = 0) -> tuple[Once[DieReadings], Once[DieReadings]]:
    """Readers of dice and of dice in a mirror."""
    as_they_are, mirrored = (Once(partial(dice.read_dice, cut_from, side=side, mirrored=mirrored)) for mirrored in (False, True))
    return as_they_are, mirrored


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
