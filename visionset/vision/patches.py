"""What all readers share: straighten the proposals, ask a network, correct the quads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.engine import network
from visionset.vision.odds import log_softmax
from visionset.vision.quads import picture_from_rectangle, projected
from visionset.vision.rectify import Halvings, Patch, cut_all, paper_white

CEILING = 1.3
"""Brightness is cut here, in units of paper white: glare says nothing."""


def straighten(picture: NDArray[np.uint8] | Halvings, quads: Floats, patch: Patch) -> NDArray[np.float32]:
    """Pieces with their paper or body at 1, shape (n, height, width, 3)."""
    return straightened(picture, quads, patch)[0].transpose(0, 2, 3, 1)


def straightened(picture: NDArray[np.uint8] | Halvings, quads: Floats, patch: Patch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The same as networks take them, shape (n, 3, height, width), and how bright their paper or body is, shape (n, 3)."""
    planes = cut_all(picture, quads, patch)
    white = paper_white(planes, patch)
    pieces = np.empty((len(quads), len(planes), patch.height_px, patch.width_px), np.float32)
    for channel, plane in enumerate(planes):
        np.divide(plane, white[:, channel, None, None], out=pieces[:, channel])
    return np.minimum(pieces, np.float32(CEILING), out=pieces), white


def corrected(quads: Floats, shift_px: Floats, patch: Patch) -> Floats:
    """Corners in the picture that lie `shift_px`, shape (n, 4, 2), beside where the patch has them."""
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


def ask(picture: NDArray[np.uint8] | Halvings, quads: Floats, name: str, patch: Patch, groups: tuple[int, ...]) -> Answers:
    """Read n quads, shape (n, 4, 2), with the network `name`, whose answers come in `groups` and 8 corrections."""
    if not len(quads):
        return Answers(tuple(np.empty((0, size)) for size in groups), np.empty((0, 4, 2)), np.empty(0), np.empty(0))
    pieces, white = straightened(picture, quads, patch)
    out = network(name)(pieces).astype(np.float64)
    ends = np.cumsum(groups)
    log = tuple(log_softmax(out[:, end - size : end]) for end, size in zip(ends, groups, strict=True))
    shift = out[:, ends[-1] :].reshape(-1, 4, 2) * patch.shift_px
    return Answers(log, corrected(quads, shift, patch), np.abs(shift).max(axis=(1, 2)), white.mean(axis=1, dtype=np.float64))
