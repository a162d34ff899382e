"""What the finder's network sees of a picture at one size, as a whole or around some places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.engine import network
from visionset.vision.proposals import CARDS, DetectorClass, Proposals, decode
from visionset.vision.quads import CARD_ASPECT, shapes

_MULTIPLE_PX = 32
"""The network halves its picture five times."""


@dataclass(frozen=True, slots=True)
class FindOptions:
    """Numbers of the finder."""

    first_px: int = 384
    coarse_px: tuple[int, ...] = (160, 64)
    """`first_px` and `coarse_px`: long side of the picture at the first look and at coarser ones, taken as long as pieces are large; cards
    from 28 to 140 px are seen at each."""
    fine_px: tuple[int, ...] = (768, 1536)
    """Long sides at finer looks, taken as long as pieces are small."""
    die_px: tuple[int, ...] = (160, 256, 544, 768, 1100)
    """Long sides at which dice are looked for besides, each a start of its own for the reader."""
    die_range_px: tuple[float, float] = (12.0, 60.0)
    """Least and greatest side of a die in pictures of those sizes: the network has learned no others."""
    far_die_px: float = 45.0
    """Where a die is no larger than this in the largest of those pictures, all of that is looked at for others."""
    usual_die: float = 0.08
    """Side of a die as a share of the picture's long side where none is likely."""
    index_px: tuple[int, ...] = (544, 768, 1100)
    """Long sides at which corner indices are looked for besides, where cards lie partly under others."""
    index_range_px: tuple[float, float] = (60.0, 170.0)
    """Least and greatest length of a playing card in pictures of those sizes."""
    cheap_px: int = 256
    """Up to this long side all of the picture is looked at for dice, beyond it no more than is in doubt."""
    around_die: float = 2.5
    around_card: float = 0.5
    most_around: float = 0.7
    """`around_die`, `around_card` and `most_around`: a place that is looked at by itself is widened to each side by `around_die` or
    `around_card` of its longer side; where the windows cover more than `most_around` of the picture, all of it is looked at."""
    usual_card: float = 0.15
    """Long side of a playing card as a share of the picture's where none is likely."""
    most_enlarged: float = 1.3
    """A picture is not enlarged beyond this."""
    likely: float = 0.4
    """Proposals with at least this score decide which looks are needed."""
    min_score: float = 0.25
    """Cells below this centre score are no proposals; low, because the readers judge again."""
    min_hint: float = 0.15
    """Cells below this centre score do not even hint at a piece."""
    few_hints: int = 8
    most_hints: float = 0.35
    """`few_hints` and `most_hints`: one look is not enough where more than `few_hints` hints lie apart from the likely pieces, and more
    than `most_hints` for each."""
    small_card_px: float = 40.0
    small_die_px: float = 20.0
    """`small_card_px` and `small_die_px`: cards and dice seen smaller than this call for a finer look."""
    glance_card_px: float = 30.0
    rare_hints: float = 0.1
    few_small: int = 36
    """`glance_card_px`, `rare_hints` and `few_small`: cards down to `glance_card_px` are seen at one look where no more than `few_small` of
    them are likely, and no more than `rare_hints` hints for each lie apart from them."""
    flat: float = 1.8
    left_flat: float = 1.3
    most_stretched: float = 2.5
    """`flat`, `left_flat` and `most_stretched`: pieces that look this many times wider than high lie flatter before the camera than the
    network has learned; the picture is stretched until they look so many times wider, and no more than `most_stretched` times."""
    several: int = 3
    die_card: float = 2.0
    """`several` and `die_card`: where at least `several` dice are likely, and more dice than cards, a card that is shorter than `die_card`
    sides of a die is a die."""
    large_card_px: float = 105.0
    large_die_px: float = 56.0
    """`large_card_px` and `large_die_px`: cards and dice seen larger than this call for the coarse look."""
    same_piece: float = 0.45
    """Two proposals whose centres are closer than this share of a short side are one piece."""
    most: int = 162
    """Of cards, of dice and of indices no more than `most` are proposed: a tablecloth may look like hundreds, and each costs a millisecond.
    Two decks are 162 cards."""


_SET_CHANNELS = [DetectorClass.SET_CARD, 6, 7, 8, 9, 10, 11, 12, 13]
"""Where the channels of the network that knows SET cards alone belong in the map of all kinds."""

_NEVER = -20.0
"""Score, in log odds, of what a network does not know."""


def as_batch(picture_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """What the finder's network is given of a picture: brightness from 0 to 1, shape (1, 3, height, width)."""
    batch = np.empty((1, 3, *picture_bgr.shape[:2]), np.float32)
    for channel, plane in enumerate(cv2.split(picture_bgr)):
        np.divide(plane, np.float32(255), out=batch[0, channel])
    return batch


def _cells(small_bgr: NDArray[np.uint8], set_cards_only: bool) -> NDArray[np.float32]:
    """The map of all kinds, shape (18, rows, columns); the older network of SET cards alone is surer of them."""
    cells: NDArray[np.float32] = network("set_finder" if set_cards_only else "finder")(as_batch(small_bgr))[0]
    if not set_cards_only:
        return cells
    every = np.zeros((18, *cells.shape[1:]), np.float32)
    every[: len(DetectorClass)] = _NEVER
    every[_SET_CHANNELS] = cells
    return every


def propose(image_bgr: NDArray[np.uint8], long_side_px: int, min_score: float, set_cards_only: bool = False) -> Proposals:
    """Proposals from one size of the picture, in pixels of the picture itself."""
    height, width = image_bgr.shape[:2]
    scale = long_side_px / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    pad = (-size[1] % _MULTIPLE_PX, -size[0] % _MULTIPLE_PX)
    small = cv2.copyMakeBorder(_resized(image_bgr, size), 0, pad[0], 0, pad[1], cv2.BORDER_REPLICATE)
    found = decode(_cells(np.asarray(small, np.uint8), set_cards_only), min_score)
    shrink = np.array([width / size[0], height / size[1]])
    center = (found.center_px + 0.5) * shrink - 0.5
    return Proposals(center, found.long_px * shrink, found.short_px * shrink, found.heat, found.scores)


_TO_BLUR = 1.5
"""A picture that is shrunk by a multiple of this is averaged first: a blur of all its pixels takes twice as long."""


def _resized(image_bgr: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture at another size.

    To average the pixels that become one takes OpenCV three to eight times as long as to blur the picture a little and sample it. A mean
    over `shrink` pixels spreads by (shrink^2 + 1) / 12, as a variance; sampling between two pixels by 2 / 12, and the blur does the rest.
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
    """Blurred by a Gaussian; where that is narrow, by three numbers of this variance, which samples of it would not have."""
    side, sigma = (3, (-0.5 / np.log(variance / 2 / (1 - variance))) ** 0.5) if variance < 0.5 else (0, variance**0.5)
    return np.asarray(cv2.GaussianBlur(image_bgr, (side, side), sigma, borderType=cv2.BORDER_REPLICATE), dtype=np.uint8)


class Looks:
    """One picture as the finder sees it at several sizes, each computed once; the network that knows SET cards alone is surer of them."""

    def __init__(self, image_bgr: NDArray[np.uint8], options: FindOptions, set_cards_only: bool = False) -> None:
        self.options = options
        self.size_px = image_bgr.shape[1], image_bgr.shape[0]
        self.longest_px = max(self.size_px)
        self._image_bgr, self.set_cards_only = image_bgr, set_cards_only
        self._known: dict[int, Proposals] = {}
        self._parts: dict[tuple[tuple[int, ...], int], Proposals] = {}

    def at(self, long_side_px: int) -> Proposals:
        """Proposals from the picture at one size."""
        return self._strong(self.hints(long_side_px))

    def hints(self, long_side_px: int) -> Proposals:
        """The same, and what is too weak for a proposal."""
        if long_side_px not in self._known:
            self._known[long_side_px] = self._look(self._image_bgr, long_side_px)
        return self._known[long_side_px]

    def all_hints(self) -> Proposals:
        """All that may be a piece at the slightest hint where all of the picture was looked at."""
        return reduce(Proposals.joined_to, map(self.hints, sorted(self.looked_at_px)), Proposals.none())

    @property
    def looked_at_px(self) -> set[int]:
        """Sizes, as pixels of the long side, at which all of the picture was looked at."""
        return set(self._known)

    def around(self, places: Floats, margin: float, long_side_px: int) -> Proposals:
        """Proposals around some places, shape (n, 4, 2), from the picture at one size, of which no more is looked at than needed."""
        height, width = self._image_bgr.shape[:2]
        boxes = windows(places, margin, (width, height))
        if long_side_px in self._known or np.prod(boxes[:, 2:] - boxes[:, :2], axis=1).sum() > self.options.most_around * width * height:
            return self.at(long_side_px)
        found = Proposals.none()
        for box in boxes.tolist():
            found = found.joined_to(self._within(tuple(box), long_side_px))
        return found

    def _within(self, box: tuple[int, ...], long_side_px: int) -> Proposals:
        """Proposals from one window of the picture."""
        if (box, long_side_px) not in self._parts:
            left, top, right, bottom = box
            part = np.ascontiguousarray(self._image_bgr[top:bottom, left:right])
            seen = self._strong(self._look(part, max(1, round(long_side_px * max(part.shape[:2]) / self.longest_px))))
            self._parts[box, long_side_px] = replace(seen, center_px=seen.center_px + np.array([left, top]))
        return self._parts[box, long_side_px]

    def _look(self, image_bgr: NDArray[np.uint8], long_side_px: int) -> Proposals:
        return propose(image_bgr, long_side_px, self.options.min_hint, self.set_cards_only)

    def _strong(self, found: Proposals) -> Proposals:
        """What is no mere hint; of corner indices a hint is enough, which are read fast and often overlooked."""
        return found.pick((found.score >= self.options.min_score) | found.is_any(DetectorClass.INDEX))


def stretch(looks: Looks) -> tuple[float, float]:
    """By what the width and the height of the picture should grow, so that its pieces lie no flatter than the network has learned.

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
    """Boxes (left, top, right, bottom) around places, shape (n, 4, 2), wider by a share of each; those that meet are one."""
    low, high = places.min(axis=1, initial=np.inf), places.max(axis=1, initial=-np.inf)
    wider = margin * (high - low).max(axis=1, initial=0)[:, None]
    within = np.concatenate([np.maximum(np.floor(low - wider), 0), np.minimum(np.ceil(high + wider), size_px)], axis=1)
    boxes, apart = list(within.astype(np.int64)), list[NDArray[np.int64]]()
    while boxes:
        box = boxes.pop()
        met = [other for other in apart if (box[:2] < other[2:]).all() and (other[:2] < box[2:]).all()]
        if met:
            apart = [other for other in apart if not any(other is one for one in met)]
            boxes.append(np.concatenate([np.min([box, *met], axis=0)[:2], np.max([box, *met], axis=0)[2:]]))
        elif (box[2:] > box[:2]).all():
            apart.append(box)
    return np.array(apart, dtype=np.int64).reshape(-1, 4)
