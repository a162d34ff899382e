"""Find the pieces: a small fully convolutional network looks at the picture at a few sizes.

It marks the centre of every card, of every die's top face and of every corner index, and the two half axes there. What
it brings are proposals: the readers, which see each of them straightened and larger, have the last word.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.frames import areas, inside
from visionset.vision.patches import network
from visionset.vision.rows import Rows

STRIDE_PX = 4
"""Pixels of the network's picture for one cell of its map."""

AXIS_UNIT_PX = 8.0
"""Unit of the half axes on the map, in pixels of the network's picture."""

_MULTIPLE_PX = 32
"""The network halves its picture five times."""


class Heat(IntEnum):
    """What a centre can be the centre of: the first channels of the network's map."""

    SET_CARD = 0
    PLAYING_CARD = 1
    CARD_BACK = 2
    DIE = 3
    INDEX = 4
    HIDDEN_CARD = 5
    """A playing card that is partly under another: its visible part, no axes."""


CARDS = [Heat.SET_CARD, Heat.PLAYING_CARD, Heat.CARD_BACK]
EVERYTHING = frozenset(Heat)
_OFFSET, _LONG, _SHORT, _DIE = slice(6, 8), slice(8, 11), slice(11, 14), slice(14, 18)
_SHAPED = (CARDS, [Heat.DIE], [Heat.INDEX], [Heat.HIDDEN_CARD])
"""Heats that are alternatives for one thing."""


@dataclass(frozen=True, slots=True)
class FindOptions:
    """Numbers of the finder.

    Attributes
    ----------
    first_px, coarse_px : int
        Long side of the picture at the first look and at a coarser one; cards from 28 to 140 px are seen at each.
    fine_px : tuple of int
        Long sides at finer looks, taken as long as pieces are small.
    most_enlarged : float
        A picture is not enlarged beyond this.
    likely : float
        Proposals with at least this score decide which looks are needed.
    min_score : float
        Cells below this centre score are no proposals; low, because the readers judge again.
    small_card_px, small_die_px : float
        Cards and dice seen smaller than this call for a finer look.
    small_share : float
        More than this share of the dice has to be small to call for it.
    index_card_px : float
        The same for playing cards where some lie partly under others: their indices are wanted.
    large_card_px, large_die_px : float
        Cards and dice seen larger than this call for the coarse look.
    same_piece : float
        Two proposals whose centres are closer than this share of a short side are one piece.
    most : int
        Of cards, of dice and of indices no more than this are proposed: a tablecloth may look like hundreds, and each
        costs a millisecond. Two decks are 162 cards.
    """

    first_px: int = 384
    coarse_px: int = 160
    fine_px: tuple[int, ...] = (768, 1536)
    most_enlarged: float = 1.3
    likely: float = 0.4
    min_score: float = 0.25
    small_card_px: float = 40.0
    small_die_px: float = 20.0
    small_share: float = 0.0
    index_card_px: float = 110.0
    large_card_px: float = 105.0
    large_die_px: float = 56.0
    same_piece: float = 0.45
    most: int = 162


@dataclass(frozen=True, slots=True, eq=False)
class Proposals(Rows):
    """Where pieces may lie.

    Attributes
    ----------
    center_px : ndarray of float64, shape (n, 2)
    long_px, short_px : ndarray of float64, shape (n, 2)
        Half axes along the long and the short side; their sign has no meaning, nor has their order on a die.
    heat : ndarray of int64, shape (n,)
        What it most likely is, a `Heat`.
    scores : ndarray of float64, shape (n, 6)
        Score of each `Heat`, 0 to 1; only alternatives of `heat` are filled in.
    """

    center_px: Floats
    long_px: Floats
    short_px: Floats
    heat: NDArray[np.int64]
    scores: Floats

    @property
    def score(self) -> Floats:
        """Score of the most likely heat, 0 to 1, shape (n,)."""
        return np.asarray(self.scores.max(axis=1, initial=0.0))

    def of(self, *heats: Heat) -> Proposals:
        """Those that are most likely one of `heats`."""
        return self.pick(np.isin(self.heat, heats))

    def quads(self) -> Floats:
        """Corners, shape (n, 4, 2): parallelograms that begin at a short side, clockwise."""
        cross = self.long_px[:, 0] * self.short_px[:, 1] - self.long_px[:, 1] * self.short_px[:, 0]
        short = np.where(cross[:, None] < 0, self.short_px, -self.short_px)
        center, long = self.center_px, self.long_px
        return np.stack([center - long - short, center - long + short, center + long + short, center + long - short], axis=1)


def _axis(products: Floats) -> Floats:
    """Vector from its outer product u u^T / |u| given as (xx, xy, yy), shape (n, 3) to (n, 2); the sign is arbitrary."""
    xx, xy, yy = products.T
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    length = np.maximum(0.5 * (xx + yy + np.hypot(xx - yy, 2 * xy)), 1e-3)
    return np.asarray(np.stack([np.cos(angle), np.sin(angle)], axis=1) * length[:, None])


def _die_axes(form: Floats) -> tuple[Floats, Floats]:
    """Half axes u and v from (u^2 + v^2) / s and u^2 v^2 / s^3 with s^2 = |u v|, as complex numbers; shape (n, 4) to two (n, 2)."""
    p, q = form[:, 0] + 1j * form[:, 1], form[:, 2] + 1j * form[:, 3]
    size = np.maximum(np.abs(q), 1e-3)
    total, product = p * size, q * size**3
    root = np.sqrt(total**2 - 4 * product)
    axes = [np.sqrt((total + sign * root) / 2) for sign in (1, -1)]
    u, v = (np.stack([axis.real, axis.imag], axis=1) for axis in axes)
    return u, v


def decode(cells: NDArray[np.float32], min_score: float) -> Proposals:
    """Read the network's map, shape (18, rows, columns), in pixels of the network's picture."""
    floor = float(np.log(min_score / (1 - min_score)))
    parts = []
    for heats in _SHAPED:
        heat = np.ascontiguousarray(cells[heats].max(axis=0))
        rows, columns = np.nonzero((heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > floor))
        value = cells[:, rows, columns].astype(np.float64)
        scores = np.zeros((len(rows), len(Heat)))
        scores[:, heats] = 1 / (1 + np.exp(-value[heats].T))
        if heats == [Heat.DIE]:
            long, short = _die_axes(value[_DIE].T)
        else:
            long, short = _axis(value[_LONG].T), _axis(value[_SHORT].T)
        center = np.stack([columns, rows], axis=1).astype(np.float64)
        if heats != [Heat.HIDDEN_CARD]:
            center += value[_OFFSET].T
        parts.append(Proposals(center * STRIDE_PX, long * AXIS_UNIT_PX, short * AXIS_UNIT_PX, scores.argmax(axis=1), scores))
    return reduce(Proposals.joined_to, parts)


_SET_CHANNELS = [Heat.SET_CARD, 6, 7, 8, 9, 10, 11, 12, 13]
"""Where the channels of the network that knows SET cards alone belong in the map of all kinds."""

_NEVER = -20.0
"""Score, in log odds, of what a network does not know."""


def _cells(small_bgr: NDArray[np.uint8], set_cards_only: bool) -> NDArray[np.float32]:
    """The map of all kinds, shape (18, rows, columns); the older network of SET cards alone is surer of them."""
    net = network("set_finder" if set_cards_only else "finder")
    net.setInput(cv2.dnn.blobFromImage(small_bgr, 1 / 255))
    cells = np.asarray(net.forward()[0], np.float32)
    if not set_cards_only:
        return cells
    every = np.zeros((18, *cells.shape[1:]), np.float32)
    every[: len(Heat)] = _NEVER
    every[_SET_CHANNELS] = cells
    return every


def look(image_bgr: NDArray[np.uint8], long_side_px: int, min_score: float, set_cards_only: bool = False) -> Proposals:
    """Proposals from one size of the picture, in pixels of the picture itself."""
    height, width = image_bgr.shape[:2]
    scale = long_side_px / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    pad = (-size[1] % _MULTIPLE_PX, -size[0] % _MULTIPLE_PX)
    small = cv2.copyMakeBorder(small, 0, pad[0], 0, pad[1], cv2.BORDER_REPLICATE)
    found = decode(_cells(np.asarray(small, np.uint8), set_cards_only), min_score)
    shrink = np.array([width / size[0], height / size[1]])
    center = (found.center_px + 0.5) * shrink - 0.5
    return Proposals(center, found.long_px * shrink, found.short_px * shrink, found.heat, found.scores)


def merge(found: Proposals, same_piece: float) -> Proposals:
    """Keep the best of those that mean the same piece, best first."""
    short_side = 2 * np.minimum(np.linalg.norm(found.short_px, axis=1), np.linalg.norm(found.long_px, axis=1))
    apart = np.linalg.norm(found.center_px[:, None] - found.center_px[None], axis=2)
    group = _group(found.heat)
    same = (apart <= same_piece * np.minimum(short_side[:, None], short_side[None])) & (group[:, None] == group[None])
    kept: list[int] = []
    for at in np.argsort(-found.score):
        if not same[at, kept].any():
            kept.append(int(at))
    return found.pick(np.array(kept, dtype=np.intp))


def find(
    image_bgr: NDArray[np.uint8], options: FindOptions | None = None, set_cards_only: bool = False, wanted: frozenset[Heat] = EVERYTHING
) -> Proposals:
    """Propose where pieces lie, best first.

    The picture is looked at in a middle size first; pieces that are small there call for the larger sizes, large ones
    or none at all for the small one too. Only what is `wanted` decides that; the rest is brought too.
    """
    options = options or FindOptions()
    longest = max(image_bgr.shape[:2])
    found, previous_px = look(image_bgr, options.first_px, options.min_score, set_cards_only), options.first_px
    parts = [found]
    if _too_large(_some(found, wanted), options, previous_px / longest):
        parts.append(look(image_bgr, options.coarse_px, options.min_score, set_cards_only))
    for long_side_px in options.fine_px:
        if previous_px >= options.most_enlarged * longest or not _too_small(_some(found, wanted), options, previous_px / longest):
            break
        found, previous_px = look(image_bgr, long_side_px, options.min_score, set_cards_only), long_side_px
        parts.append(found)
    return _best(merge(reduce(Proposals.joined_to, parts), options.same_piece), options.most)


def without_outdone(found: Proposals, smallest: float) -> Proposals:
    """Drop cards where a likelier die of about the same size (its area at least this share of the card's, or the other way) lies."""
    cards, dice = np.flatnonzero(np.isin(found.heat, CARDS)), found.of(Heat.DIE)
    if not len(cards) or not len(dice):
        return found
    quads = found.quads()[cards]
    same = inside(found.center_px[cards], dice.quads()) & inside(dice.center_px, quads).T
    ratio = areas(quads)[:, None] / np.maximum(areas(dice.quads()), 1e-6)[None]
    alike = (ratio > smallest) & (ratio < 1 / smallest) & (dice.score[None] > found.score[cards][:, None])
    kept = np.ones(len(found), dtype=bool)
    kept[cards[(same & alike).any(axis=1)]] = False
    return found.pick(kept)


def _some(found: Proposals, wanted: frozenset[Heat]) -> Proposals:
    return found if wanted == EVERYTHING else found.of(*wanted)


def _best(found: Proposals, most: int) -> Proposals:
    """The best of each group, best first, given best first."""
    group = _group(found.heat)
    kept = np.concatenate([np.flatnonzero(group == heat)[:most] for heat in Heat]) if len(found) else np.empty(0)
    return found.pick(np.sort(kept).astype(np.intp))


def _group(heat: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cards of all kinds are one group."""
    return np.asarray(np.where(heat <= Heat.CARD_BACK, Heat.SET_CARD, heat))


def _too_large(found: Proposals, options: FindOptions, scale: float) -> bool:
    """Nothing is there, or something so large that more of its kind may have been missed."""
    cards, dice = _sizes(found, CARDS, options, scale), _sizes(found, [Heat.DIE], options, scale)
    if not len(cards) and not len(dice):
        return True
    return bool(np.any(cards > options.large_card_px) or np.any(dice > options.large_die_px))


def _too_small(found: Proposals, options: FindOptions, scale: float) -> bool:
    """Nothing is there, or something so small that more of its kind may have been missed."""
    found = found.pick(~_printed(found, options))
    cards, dice = _sizes(found, CARDS, options, scale), _sizes(found, [Heat.DIE], options, scale)
    if not len(cards) and not len(dice):
        return True
    if np.any(cards < options.small_card_px) or np.count_nonzero(dice < options.small_die_px) > options.small_share * len(dice):
        return True
    hidden = found.of(Heat.HIDDEN_CARD)
    playing = _sizes(found, [Heat.PLAYING_CARD], options, scale)
    return bool(np.any(hidden.score >= options.likely) and (not len(playing) or np.median(playing) < options.index_card_px))


def _printed(found: Proposals, options: FindOptions) -> NDArray[np.bool_]:
    """Dice that lie on a likely card are most likely its pips; what is printed there decides nothing."""
    cards = found.of(*CARDS)
    cards = cards.pick(cards.score >= options.likely)
    on_card = inside(found.center_px, cards.quads()).any(axis=1) if len(cards) else np.zeros(len(found), dtype=bool)
    return np.asarray(on_card & (found.heat == Heat.DIE))


def _sizes(found: Proposals, heats: list[Heat], options: FindOptions, scale: float) -> Floats:
    """Long sides of the likely proposals, in pixels of the network's picture."""
    likely = found.of(*heats)
    likely = likely.pick(likely.score >= options.likely)
    return np.asarray(2 * scale * np.maximum(np.linalg.norm(likely.long_px, axis=1), np.linalg.norm(likely.short_px, axis=1)))
