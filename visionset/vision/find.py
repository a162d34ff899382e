"""Find the cards: a small fully convolutional network looks at the picture at a few sizes.

It marks the centre of every card and the card's two half axes there. What it brings are proposals: the reader, which
sees each of them straightened and larger, has the last word.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats

STRIDE_PX = 4
"""Pixels of the network's picture for one cell of its map."""

AXIS_UNIT_PX = 8.0
"""Unit of the half axes on the map, in pixels of the network's picture."""

_MULTIPLE_PX = 32
"""The network halves its picture five times."""


@dataclass(frozen=True, slots=True)
class FindOptions:
    """Numbers of the finder.

    Attributes
    ----------
    first_px, coarse_px : int
        Long side of the picture at the first look and at a coarser one; cards from 28 to 140 px are seen at each.
    fine_px : tuple of int
        Long sides at finer looks, taken as long as cards are small.
    most_enlarged : float
        A picture is not enlarged beyond this.
    likely : float
        Proposals with at least this score decide which looks are needed.
    min_score : float
        Cells below this centre score are no proposals; low, because the reader judges again.
    small_card_px, large_card_px : float
        Cards seen smaller than this call for a finer look, larger ones for the coarse one.
    same_card : float
        Two proposals whose centres are closer than this share of a short side are one card.
    """

    first_px: int = 384
    coarse_px: int = 160
    fine_px: tuple[int, ...] = (768, 1536)
    most_enlarged: float = 1.3
    likely: float = 0.4
    min_score: float = 0.25
    small_card_px: float = 40.0
    large_card_px: float = 105.0
    same_card: float = 0.45


@dataclass(frozen=True, slots=True, eq=False)
class Proposals:
    """Where cards may lie.

    Attributes
    ----------
    center_px : ndarray of float64, shape (n, 2)
    long_px, short_px : ndarray of float64, shape (n, 2)
        Half axes along the long and the short side; their sign has no meaning.
    score : ndarray of float64, shape (n,)
        0 to 1.
    """

    center_px: Floats
    long_px: Floats
    short_px: Floats
    score: Floats

    def __len__(self) -> int:
        return len(self.score)

    def pick(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Proposals:
        """Some of them."""
        return Proposals(self.center_px[which], self.long_px[which], self.short_px[which], self.score[which])

    def quads(self) -> Floats:
        """Corners, shape (n, 4, 2): parallelograms that begin at a short side, clockwise."""
        cross = self.long_px[:, 0] * self.short_px[:, 1] - self.long_px[:, 1] * self.short_px[:, 0]
        short = np.where(cross[:, None] < 0, self.short_px, -self.short_px)
        center, long = self.center_px, self.long_px
        return np.stack([center - long - short, center - long + short, center + long + short, center + long - short], axis=1)


def _join(parts: list[Proposals]) -> Proposals:
    return Proposals(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("center_px", "long_px", "short_px", "score")))


@cache
def _network() -> cv2.dnn.Net:
    data = resources.files("visionset.vision").joinpath("weights/finder.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


def _axis(products: Floats) -> Floats:
    """Vector from its outer product u u^T / |u| given as (xx, xy, yy), shape (n, 3) to (n, 2); the sign is arbitrary."""
    xx, xy, yy = products.T
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    length = np.maximum(0.5 * (xx + yy + np.hypot(xx - yy, 2 * xy)), 1e-3)
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)], axis=1) * length[:, None])


def decode(cells: NDArray[np.float32], min_score: float) -> Proposals:
    """Read the network's map, shape (9, rows, columns), in pixels of the network's picture."""
    heat = np.ascontiguousarray(cells[0])
    floor = float(np.log(min_score / (1 - min_score)))
    peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > floor)
    rows, columns = np.nonzero(peak)
    value = cells[:, rows, columns].astype(np.float64)
    center = (np.stack([columns, rows], axis=1) + value[1:3].T) * STRIDE_PX
    return Proposals(center, _axis(value[3:6].T) * AXIS_UNIT_PX, _axis(value[6:9].T) * AXIS_UNIT_PX, 1 / (1 + np.exp(-value[0])))


def look(image_bgr: NDArray[np.uint8], long_side_px: int, min_score: float) -> Proposals:
    """Proposals from one size of the picture, in pixels of the picture itself."""
    height, width = image_bgr.shape[:2]
    scale = long_side_px / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    pad = (-size[1] % _MULTIPLE_PX, -size[0] % _MULTIPLE_PX)
    small = cv2.copyMakeBorder(small, 0, pad[0], 0, pad[1], cv2.BORDER_REPLICATE)
    net = _network()
    net.setInput(cv2.dnn.blobFromImage(small, 1 / 255))
    found = decode(net.forward()[0], min_score)
    shrink = np.array([width / size[0], height / size[1]])
    center = (found.center_px + 0.5) * shrink - 0.5
    return Proposals(center, found.long_px * shrink, found.short_px * shrink, found.score)


def merge(found: Proposals, same_card: float) -> Proposals:
    """Keep the best of those that mean the same card."""
    short_side = 2 * np.linalg.norm(found.short_px, axis=1)
    apart = np.linalg.norm(found.center_px[:, None] - found.center_px[None], axis=2)
    same = apart <= same_card * np.minimum(short_side[:, None], short_side[None])
    kept: list[int] = []
    for at in np.argsort(-found.score):
        if not same[at, kept].any():
            kept.append(int(at))
    return found.pick(np.array(kept, dtype=np.intp))


def find(image_bgr: NDArray[np.uint8], options: FindOptions | None = None) -> Proposals:
    """Propose where cards lie, best first.

    The picture is looked at in a middle size first; cards that are small there call for the larger sizes, large ones
    or none at all for the small one too.
    """
    options = options or FindOptions()
    longest = max(image_bgr.shape[:2])
    found, previous_px = look(image_bgr, options.first_px, options.min_score), options.first_px
    parts = [found]
    size_px = _sizes(found, options, previous_px / longest)
    if not size_px.size or size_px.max() > options.large_card_px:
        parts.append(look(image_bgr, options.coarse_px, options.min_score))
    for long_side_px in options.fine_px:
        if (size_px.size and size_px.min() > options.small_card_px) or previous_px >= options.most_enlarged * longest:
            break
        found, previous_px = look(image_bgr, long_side_px, options.min_score), long_side_px
        size_px = _sizes(found, options, previous_px / longest)
        parts.append(found)
    return merge(_join(parts), options.same_card)


def _sizes(found: Proposals, options: FindOptions, scale: float) -> Floats:
    """Long sides of the likely proposals, in pixels of the network's picture."""
    return np.asarray(2 * scale * np.linalg.norm(found.long_px[found.score >= options.likely], axis=1))
