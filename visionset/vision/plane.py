"""Cards of one table share its plane: how large a card looks follows from where it lies.

Under a pinhole camera the inverse depth of a plane is linear in picture coordinates, and the area of a small patch goes
with its cube (Hartley and Zisserman, chapter 8): the cube root of a card's area is linear across the picture.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.quads import areas

_SURE = 0.8
"""Readings of at least this probability show what size is right."""

_FEW, _ENOUGH = 4, 8
"""Fewer sure readings are no table to compare with; with `_ENOUGH` the size may change across the picture."""

_ALONE = 2.5
"""What speaks against each reading then, in log odds: a doubtful card among nothing is more often something else."""

_SPREAD = 0.4
"""Standard deviation of the logarithm of a true card's area about the fit: lens, curled cards, quads a little off. It is 1 for anything
else."""

_ROUNDS = 2
"""Steps of the robust fit."""


def size_evidence(quads: Floats, sure: Floats) -> Floats:
    """How much more likely each quad's size is for a card of this table than for anything else: log likelihood ratios, shape (n,).

    Given how probable it is that each is a rightly read card.
    """
    known = sure >= _SURE
    if np.count_nonzero(known) < _FEW:
        return np.full(len(quads), -_ALONE)
    size = np.log(np.maximum(areas(quads), 1.0))
    columns = terms(quads, known, bool(np.count_nonzero(known) >= _ENOUGH))
    root = np.exp(size / 3)
    off = size - np.median(size[known])
    for _ in range(_ROUNDS):
        # dividing by the root itself makes errors relative, so that far cards weigh as much as near ones
        robust = np.sqrt(known / np.maximum(1.0, (off / _SPREAD) ** 2)) / root
        fit = np.linalg.lstsq(columns * robust[:, None], root * robust, rcond=None)[0]
        # beyond the horizon the fit is not positive; a card there would be smaller than a pixel
        off = size - 3 * np.log(np.maximum(columns @ fit, 1.0))
    return np.asarray(0.5 * (off**2 - (off / _SPREAD) ** 2) - np.log(_SPREAD))


def terms(quads: Floats, known: NDArray[np.bool_], slope: bool) -> Floats:
    """Columns of a linear fit over the picture, shape (n, 3) with a slope and (n, 1) without, centred and scaled by what is known."""
    if not slope:
        return np.ones((len(quads), 1))
    center = quads.mean(axis=1)
    span = max(float(np.ptp(center[known], axis=0).max()), 1.0)
    return np.column_stack([np.ones(len(quads)), (center - center[known].mean(axis=0)) / span])
