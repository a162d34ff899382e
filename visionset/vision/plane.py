"""Cards of one table share its plane: how large a card looks follows from where it lies.

Under a pinhole camera the inverse depth of a plane is linear in picture coordinates, and the area of a small patch goes
with its cube (Hartley and Zisserman, chapter 8): the cube root of a card's area is linear across the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.quads import areas


@dataclass(frozen=True, slots=True)
class PlaneOptions:
    """Numbers of the common plane; sizes are natural logarithms of the card's area in the picture."""

    sure: float = 0.8
    """Readings of at least this probability show what size is right."""
    few: int = 4
    enough: int = 7
    """`few` and `enough`: fewer sure readings are no table to compare with; with `enough` the size may change across the picture."""
    alone: float = 2.5
    """What speaks against each reading then: a doubtful card among nothing is more often something else."""
    spread: float = 0.2
    """Standard deviation of a true card about the fit: lens, curled cards, quads a little off."""
    spread_few: float = 0.5
    """The same while one size is assumed for the whole picture."""
    stranger: float = 1.5
    """Standard deviation of anything else."""
    rounds: int = 5
    """Steps of the robust fit."""


_SMALLEST_ROOT = 1.0
"""Beyond the horizon the fit is not positive; a card there would be smaller than a pixel."""


def size_evidence(quads: Floats, sure: Floats, options: PlaneOptions | None = None) -> Floats:
    """How much more likely each quad's size is for a card of this table than for anything else: log likelihood ratios, shape (n,).

    Given how probable it is that each is a rightly read card.
    """
    options = options or PlaneOptions()
    known = sure >= options.sure
    if np.count_nonzero(known) < options.few:
        return np.full(len(quads), -options.alone)
    size = np.log(np.maximum(areas(quads), 1.0))
    slope = bool(np.count_nonzero(known) >= options.enough)
    columns = terms(quads, known, slope)
    spread = options.spread if slope else options.spread_few
    weight = np.where(known, 1.0, 0.0)
    root = np.exp(size / 3)
    off = size - np.median(size[known])
    for _ in range(options.rounds):
        # dividing by the root itself makes errors relative, so that far cards weigh as much as near ones
        robust = np.sqrt(weight / np.maximum(1.0, (off / spread) ** 2)) / root
        fit = np.linalg.lstsq(columns * robust[:, None], root * robust, rcond=None)[0]
        off = size - 3 * np.log(np.maximum(columns @ fit, _SMALLEST_ROOT))
    own = -0.5 * (off / spread) ** 2 - np.log(spread)
    other = -0.5 * (off / options.stranger) ** 2 - np.log(options.stranger)
    return np.asarray(own - other)


def terms(quads: Floats, known: NDArray[np.bool_], slope: bool) -> Floats:
    """Columns of a linear fit over the picture, shape (n, 3) with a slope and (n, 1) without, centred and scaled by what is known."""
    if not slope:
        return np.ones((len(quads), 1))
    center = quads.mean(axis=1)
    span = max(float(np.ptp(center[known], axis=0).max()), 1.0)
    return np.column_stack([np.ones(len(quads)), (center - center[known].mean(axis=0)) / span])
