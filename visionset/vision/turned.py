"""Tell from which side of the picture a camera looked at dice: their reader knows them from below, as people take pictures.

Above a top face that is cut upright lies the table, above a side face the top one. Cut from a wrong side, a top face looks less like one,
and a side face more. So each place where a die may lie is cut from all sides of the picture that its slant leaves possible, and speaks
for one of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.dice import NOTHING, read_dice
from visionset.vision.patches import Halvings
from visionset.vision.quads import shapes

_SLANT = 0.06
"""Logarithm of width by height, of the middle one of the dice, that shows a slant: squares on a table that is seen at a slant look wider
than high, unless the picture was turned by a quarter. Upright rendered tables seldom reach -0.04."""

_SAYS = 0.5
"""A place that holds nothing with this probability from every side says nothing."""


def side_of_camera(picture: NDArray[np.uint8] | Halvings, quads: Floats) -> int:
    """By how many quarters, against the clock, the picture should be turned for the reader of dice; 0 where it stands well.

    Given where dice are likely, one quad at least, shape (n, 4, 2); from a wrong side some of them are side faces.
    """
    wider = float(np.median(shapes(quads)[:, 0]))
    sides = (0, 2) if wider > _SLANT else (1, 3) if wider < -_SLANT else (0, 1, 2, 3)
    nothing = np.stack([read_dice(picture, quads, side=side).kind[:, NOTHING] for side in sides])
    voices = np.bincount(nothing.argmin(axis=0)[nothing.min(axis=0) < _SAYS], minlength=len(sides))
    return sides[int(voices.argmax())]
