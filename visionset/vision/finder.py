"""What the finder's network shows of one picture, as a whole or around some places: where pieces may lie, of what kind, how turned.

Longer than most modules: what the map of the network says and which picture it was given are told by each other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum, auto
from itertools import accumulate, pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import AROUND, Floats
from visionset.vision.engine import expit, learned, network
from visionset.vision.options import FindOptions
from visionset.vision.patches import Rows
from visionset.vision.quads import CARD_ASPECT, half_axes, parallelograms, shapes

STRIDE_PX: int = learned("finder")["stride_px"]
"""Pixels of the network's picture for one cell of its map."""

AXIS_UNIT_PX: float = learned("finder")["axis_unit_px"]
"""Unit of the half axes on the map, in pixels of the network's picture."""


class DetectorClass(IntEnum):
    """What a centre can be the centre of: the first channels of the network's map."""

    SET_CARD = 0
    PLAYING_CARD = auto()
    CARD_BACK = auto()
    DIE = auto()
    INDEX = auto()
    HIDDEN_CARD = auto()
    """A playing card that is partly under another: its visible part, no axes."""


CARDS = [DetectorClass.SET_CARD, DetectorClass.PLAYING_CARD, DetectorClass.CARD_BACK]
_OFFSET, _LONG, _SHORT, _DIE = (slice(*ends) for ends in pairwise(accumulate(learned("finder")["channels"], initial=len(DetectorClass))))
"""`_OFFSET` and so on: channels of the map after those of the classes, see `decode`."""
_GROUPS = (CARDS, [DetectorClass.DIE], [DetectorClass.INDEX], [DetectorClass.HIDDEN_CARD])
"""Classes of one group are alternatives for one thing; things of different groups may lie in one place, as an index on its card does."""
_IN_GROUP = np.array([[label in classes for label in DetectorClass] for classes in _GROUPS])
"""Shape (4, 6)."""


@dataclass(frozen=True, slots=True, eq=False)
class Proposals(Rows):
    """Where pieces may lie."""

    center_px: Floats
    """Shape (n, 2)."""
    long_px: Floats
    short_px: Floats
    """`long_px` and `short_px`: half axes along the long and the short side; their sign has no meaning, nor has their order on a die. Shape
    (n, 2)."""
    label: NDArray[np.int64]
    """What it most likely is, a `DetectorClass`. Shape (n,)."""
    scores: Floats
    """Score of each `DetectorClass`, 0 to 1; 0 for those that are no alternative to `label`. Shape (n, 6)."""

    @property
    def score(self) -> Floats:
        """Score of the most likely class, 0 to 1, shape (n,)."""
        return np.asarray(self.scores.max(axis=1, initial=0.0))

    @classmethod
    def none(cls) -> Proposals:
        """No proposals."""
        return cls(np.empty((0, 2)), np.empty((0, 2)), np.empty((0, 2)), np.empty(0, np.int64), np.empty((0, len(DetectorClass))))

    @classmethod
    def of_dice(cls, quads: Floats) -> Proposals:
        """Where dice surely lie, shape (n, 4, 2)."""
        scores = np.zeros((len(quads), len(DetectorClass)))
        scores[:, DetectorClass.DIE] = 1.0
        label = np.full(len(quads), int(DetectorClass.DIE))
        return cls(quads.mean(axis=1), *half_axes(quads), label, scores)

    def of(self, *classes: DetectorClass) -> Proposals:
        """Those that are most likely one of `classes`."""
        return self.pick(self.is_any(*classes))

    def is_any(self, *classes: DetectorClass) -> NDArray[np.bool_]:
        """Which are most likely one of `classes`, shape (n,)."""
        wanted = np.zeros(len(DetectorClass), np.bool_)
        wanted[list(classes)] = True
        return wanted[self.label]

    def quads(self) -> Floats:
        """Corners, shape (n, 4, 2): parallelograms that begin at a short side, clockwise."""
        cross = self.long_px[:, 0] * self.short_px[:, 1] - self.long_px[:, 1] * self.short_px[:, 0]
        short = np.where(cross[:, None] < 0, self.short_px, -self.short_px)
        return parallelograms(self.center_px, self.long_px, short)


def _axis(products: Floats) -> Floats:
    """Vector from its outer product u u^T / |u| given as (xx, xy, yy), shape (n, 3) to (n, 2); the sign is arbitrary.

    With u = r (cos a, sin a) the form is the same for u and -u, since each part is a product of two of its coordinates:

        xx = r cos^2 a,  xy = r cos a sin a,  yy = r sin^2 a
        2 xy / (xx - yy) = tan 2a                     the angle, but for half a turn
        xx + yy = r = hypot(xx - yy, 2 xy)            the length, as the mean of both
    """
    xx, xy, yy = products.T
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    length = np.maximum(0.5 * (xx + yy + np.hypot(xx - yy, 2 * xy)), 1e-3)
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)], axis=1) * length[:, None])


def _die_axes(form: Floats) -> tuple[Floats, Floats]:
    """Half axes u and v from (u^2 + v^2) / s and u^2 v^2 / s^3 with s^2 = |u v|, as complex numbers; shape (n, 4) to two (n, 2).

    The squares forget signs, the sum and the product which is which. Times s and s^3 they are what Vieta's formulas ask for:

        t^2 - (u^2 + v^2) t + u^2 v^2 = (t - u^2) (t - v^2) = 0
        t = (total +- sqrt(total^2 - 4 product)) / 2                u and v are the roots of the two t
    """
    p, q = form[:, 0] + 1j * form[:, 1], form[:, 2] + 1j * form[:, 3]
    size = np.maximum(np.abs(q), 1e-3)
    total, product = p * size, q * size**3
    root = np.sqrt(total**2 - 4 * product)
    axes = [np.sqrt((total + sign * root) / 2) for sign in (1, -1)]
    u, v = (np.stack([axis.real, axis.imag], axis=1) for axis in axes)
    return u, v


def decode(cells: NDArray[np.float32], min_score: float) -> Proposals:
    """Proposals, in pixels of the network's picture, from the network's map, shape (18, rows, columns).

    Channels: log odds that a centre of each class lies in the cell (6), offset of the centre in cells (2), `_axis` of the long and of the
    short half axis (3 each), form of `_die_axes` (4). A proposal is a cell above `min_score` and no lower than its eight neighbours.
    """
    least_log_odds = float(np.log(min_score / (1 - min_score)))
    places = []
    for classes in _GROUPS:
        heat = cells[classes[0]] if len(classes) == 1 else cells[classes].max(axis=0)
        at = np.flatnonzero(heat > least_log_odds)
        places.append(at[cv2.dilate(heat, AROUND).ravel()[at] <= heat.ravel()[at]])
    at, in_group = np.concatenate(places), np.repeat(_IN_GROUP, list(map(len, places)), axis=0)
    value = cells.reshape(len(cells), -1)[:, at].astype(np.float64)
    scores = np.where(in_group, expit(value[: len(DetectorClass)].T), 0.0)
    center = np.stack([at % cells.shape[2], at // cells.shape[2]], axis=1).astype(np.float64)
    center += np.where(in_group[:, DetectorClass.HIDDEN_CARD], 0.0, value[_OFFSET]).T
    long, short = _axis(value[_LONG].T), _axis(value[_SHORT].T)
    is_die = in_group[:, DetectorClass.DIE]
    long[is_die], short[is_die] = _die_axes(value[_DIE, is_die].T)
    return Proposals(center * STRIDE_PX, long * AXIS_UNIT_PX, short * AXIS_UNIT_PX, scores.argmax(axis=1), scores)


_MULTIPLE_PX: int = learned("finder")["multiple_px"]
"""Width and height of the network's picture are multiples of this: the network halves it five times."""

_SET_CHANNELS = [DetectorClass.SET_CARD, *range(_OFFSET.start, _DIE.start)]
"""Where the channels of the network that knows SET cards alone belong in the map of all kinds."""


def as_batch(picture_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The input of the finder's network: blue, green and red from 0 to 1, shape (1, 3, height, width)."""
    batch = np.empty((1, 3, *picture_bgr.shape[:2]), np.float32)
    levels = np.arange(256, dtype=np.float32) / np.float32(255)
    for channel, plane in enumerate(cv2.split(picture_bgr)):
        cv2.LUT(plane, levels, dst=batch[0, channel])  # to divide each pixel takes four times as long
    return batch


def _cells(small_bgr: NDArray[np.uint8], set_cards_only: bool) -> NDArray[np.float32]:
    """The network's map, shape (18, rows, columns); of `set_finder` too, which knows SET cards alone and is surer of them."""
    cells: NDArray[np.float32] = network("set_finder" if set_cards_only else "finder")(as_batch(small_bgr))[0]
    if not set_cards_only:
        return cells
    every = np.zeros((_DIE.stop, *cells.shape[1:]), np.float32)
    every[: len(DetectorClass)] = -np.inf  # log odds of what that network does not know
    every[_SET_CHANNELS] = cells
    return every


def propose(image_bgr: NDArray[np.uint8], long_side_px: int, min_score: float, set_cards_only: bool = False) -> Proposals:
    """Proposals, in pixels of the picture itself, from the picture resized to this long side; weaker ones than `min_score` are left out."""
    height, width = image_bgr.shape[:2]
    scale = long_side_px / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    pad = (-size[1] % _MULTIPLE_PX, -size[0] % _MULTIPLE_PX)
    small = cv2.copyMakeBorder(_resized(image_bgr, size), 0, pad[0], 0, pad[1], cv2.BORDER_REPLICATE)
    found = decode(_cells(np.asarray(small, np.uint8), set_cards_only), min_score)
    shrink = np.array([width / size[0], height / size[1]])
    center = (found.center_px + 0.5) * shrink - 0.5
    return Proposals(center, found.long_px * shrink, found.short_px * shrink, found.label, found.scores)


_TO_BLUR = 1.5
"""By at least this factor a picture is shrunk by blur and sampling; what it is shrunk more is done before, by the mean of whole blocks of
pixels: a blur of all its pixels takes twice as long."""


def _resized(image_bgr: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture at another size (width, height), about as `cv2.INTER_AREA` gives it, which takes three to eight times as long.

    It is blurred a little and sampled. A mean over `shrink` pixels spreads with the variance (shrink^2 + 1) / 12, bilinear sampling with
    2 / 12, so that (shrink^2 - 1) / 12 is left for the blur.
    """
    blocks = min(int(image_bgr.shape[1] / size[0] / _TO_BLUR), *image_bgr.shape[:2])
    shrink = np.array(image_bgr.shape[1::-1]) / size
    if blocks > 1:  # whole blocks are averaged fast; what is left of one at an edge is a copy of the next
        height, width = (side // blocks for side in image_bgr.shape[:2])
        averaged = cv2.resize(image_bgr[: height * blocks, : width * blocks], (width, height), interpolation=cv2.INTER_AREA)
        image_bgr, shrink = np.asarray(averaged, np.uint8), shrink / blocks
    if shrink[0] > 1:
        image_bgr = _blurred(image_bgr, (shrink[0] ** 2 - 1) / 12)
    if blocks > 1:
        from_small = np.array([[shrink[0], 0, shrink[0] / 2 - 0.5], [0, shrink[1], shrink[1] / 2 - 0.5]])
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(image_bgr, from_small, size, flags=how, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _blurred(image_bgr: NDArray[np.uint8], variance: float) -> NDArray[np.uint8]:
    """Blurred by a Gaussian of this variance in square pixels. A narrow one has a kernel of 3 by 3, whose variance would be smaller than
    that of its sigma: the sigma is chosen so that the kernel has the variance."""
    side, sigma = (3, (-0.5 / np.log(variance / 2 / (1 - variance))) ** 0.5) if variance < 0.5 else (0, variance**0.5)
    return np.asarray(cv2.GaussianBlur(image_bgr, (side, side), sigma, borderType=cv2.BORDER_REPLICATE), dtype=np.uint8)


class Looks:
    """Looks at one picture, each computed once: a look is one pass of the finder's network over the picture, or a window, at one size.

    Sizes are pixels of the long side of the whole picture. Where `set_cards_only`, the network is `set_finder`.
    """

    def __init__(self, image_bgr: NDArray[np.uint8], options: FindOptions, set_cards_only: bool = False) -> None:
        self.options = options
        self.size_px = image_bgr.shape[1], image_bgr.shape[0]
        self.longest_px = max(self.size_px)
        self._image_bgr, self.set_cards_only = image_bgr, set_cards_only
        self._known: dict[int, Proposals] = {}
        self._parts: dict[tuple[tuple[int, ...], int], Proposals] = {}

    def at(self, long_side_px: int) -> Proposals:
        """Proposals of the look at the whole picture at one size."""
        return self._strong(self.hints(long_side_px))

    def hints(self, long_side_px: int) -> Proposals:
        """Proposals of that look and hints, which are too weak for a proposal (`FindOptions.min_hint`)."""
        if long_side_px not in self._known:
            self._known[long_side_px] = self._look(self._image_bgr, long_side_px)
        return self._known[long_side_px]

    def all_hints(self) -> Proposals:
        """Proposals and hints of all looks at the whole picture so far."""
        return Proposals.none().joined_to(*map(self.hints, sorted(self.looked_at_px)))

    @property
    def looked_at_px(self) -> set[int]:
        """Sizes at which the whole picture was looked at so far."""
        return set(self._known)

    def around(self, places: Floats, margin: float, long_side_px: int) -> Proposals:
        """Proposals around some places, shape (n, 4, 2), at one size: of windows, or of the whole picture where they cover most of it."""
        height, width = self._image_bgr.shape[:2]
        boxes = windows(places, margin, (width, height))
        if long_side_px in self._known or np.prod(boxes[:, 2:] - boxes[:, :2], axis=1).sum() > self.options.most_around * width * height:
            return self.at(long_side_px)
        return Proposals.none().joined_to(*(self._within(tuple(box), long_side_px) for box in boxes.tolist()))

    def _within(self, box: tuple[int, ...], long_side_px: int) -> Proposals:
        """Proposals from one window (left, top, right, bottom), without what its edges cut off: the piece is not seen as a whole there."""
        if (box, long_side_px) not in self._parts:
            left, top, right, bottom = box
            part = np.ascontiguousarray(self._image_bgr[top:bottom, left:right])
            seen = self._strong(self._look(part, max(1, round(long_side_px * max(part.shape[:2]) / self.longest_px))))
            seen = replace(seen, center_px=seen.center_px + np.array([left, top]))
            self._parts[box, long_side_px] = seen.pick(self._is_whole(seen.quads(), box))
        return self._parts[box, long_side_px]

    def _is_whole(self, quads: Floats, box: tuple[int, ...]) -> NDArray[np.bool_]:
        """Which quads, shape (n, 4, 2), do not reach over an edge of a window that is no edge of the picture."""
        first, end = np.array(box).reshape(2, 2)
        least, most = np.where(first > 0, first, -np.inf), np.where(end < self.size_px, end, np.inf)
        return np.asarray(((quads >= least) & (quads <= most)).all(axis=(1, 2)))

    def _look(self, image_bgr: NDArray[np.uint8], long_side_px: int) -> Proposals:
        return propose(image_bgr, long_side_px, self.options.min_hint, self.set_cards_only)

    def _strong(self, found: Proposals) -> Proposals:
        """Proposals without hints; of corner indices hints stay, since they are read fast and often overlooked."""
        return found.pick((found.score >= self.options.min_score) | found.is_any(DetectorClass.INDEX))


def stretch(looks: Looks) -> tuple[float, float]:
    """Factors by which to multiply width and height of the picture, so that its pieces look no flatter than the network has learned.

    A camera in the lid of a laptop sees a table at a slant of 60 degrees and more, and cards on it twice as wide as high.
    """
    options, found = looks.options, looks.hints(looks.options.first_px)
    likely = found.pick((found.score >= options.likely) & found.is_any(*CARDS, DetectorClass.DIE))
    if not len(likely):
        return 1.0, 1.0
    long_px = np.where(likely.is_any(DetectorClass.DIE), 1.0, CARD_ASPECT)[:, None] * likely.long_px
    wider = float(np.median(shapes(replace(likely, long_px=long_px).quads())[:, 0]))  # a logarithm; less than 0 where they look higher
    flat = float(np.exp(abs(wider)))
    if flat < options.flat:
        return 1.0, 1.0
    factor = min(flat / options.left_flat, options.most_stretched)
    return (1.0, factor) if wider > 0 else (factor, 1.0)


def windows(places: Floats, margin: float, size_px: tuple[int, int]) -> NDArray[np.int64]:
    """Boxes (left, top, right, bottom) around places, shape (n, 4, 2), widened by this share of their longer side; boxes that overlap are
    joined. In a picture of this width and height; shape (m, 4)."""
    low, high = places.min(axis=1, initial=np.inf), places.max(axis=1, initial=-np.inf)
    wider = margin * (high - low).max(axis=1, initial=0)[:, None]
    within = np.concatenate([np.maximum(np.floor(low - wider), 0), np.minimum(np.ceil(high + wider), size_px)], axis=1)
    boxes, apart = within.astype(np.int64).tolist(), list[list[int]]()
    while boxes:
        left, top, right, bottom = box = boxes.pop()
        met = [other for other in apart if left < other[2] and top < other[3] and other[0] < right and other[1] < bottom]
        if met:
            apart = [other for other in apart if other not in met]
            boxes.append([most(ends) for most, ends in zip((min, min, max, max), zip(box, *met, strict=True), strict=True)])
        elif left < right and top < bottom:
            apart.append(box)
    return np.array(apart, dtype=np.int64).reshape(-1, 4)
