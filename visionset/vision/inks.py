"""Inks of SET cards: how dark and of which colour each is, and what all cards of a table say together of the colour of each.

Under a coloured lamp red looks purple; where paper is brighter than a picture can show, the ink on it looks paler than it is, in each
colour by another amount. No single card tells what the light does to all. Three hues are fitted to all cards; and where that leaves a
doubt, a small network compares all cards of the table, each as it is and as it would be read if more were burnt away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, square
from visionset.vision.engine import learned, log_softmax, network
from visionset.vision.judging import ROUNDS
from visionset.vision.patches import SET_CARD_PATCH, Rows


@dataclass(frozen=True, slots=True)
class InkOptions:
    """Numbers of the common inks, in the order red, green, purple."""

    usual_deg: tuple[float, float, float] = (150.0, -57.0, 76.0)
    """Where the inks of a common print lie on the hue circle under neutral light."""
    spread_deg: float = 16.0
    """Standard deviation of a card's hue about its ink, within one table."""
    faint: float = 0.5
    """Chroma of the ink at which a hue is twice as uncertain."""
    outlier: float = 0.1
    """Share of hues that say nothing (glare, a shadow's edge, a stain)."""


GRAIN = 0.05
"""Share of paper white: what takes less away is the grain of paper, and no ink is measured to let less through."""

_SYMBOL = square(11)
"""A closing with this leaves paper where a symbol was: no symbol is wider both ways. Light and shadow stay.
In pixels of the patch at half its size, which is enough for a hue."""

_MISCOUNTED = 4.0
"""Log odds against a number of symbols are no larger: a card may be cut badly, or lie under a hand."""

_FULLEST = 0.98
"""Share of the places of a card that are no darker than its fullest ink: one open symbol covers so much."""


def ink_chroma(density: NDArray[np.float32]) -> Floats:
    """Chroma of the ink on n cards, given its `optical_density`, shape (n, 3, 34, 22); shape (n, 2).

    Red against blue and green against both, of the mean optical density, relative to its gray part; the angle is the hue, the length how
    colourful the ink is. Zero where there is no ink.
    """
    weight = np.clip(density.mean(axis=1) - GRAIN, 0, None)
    total = np.einsum("nchw,nhw->nc", density, weight).astype(np.float64)
    blue, green, red = total.T
    chroma = np.stack([(red - blue) / np.sqrt(2), (2 * green - blue - red) / np.sqrt(6)], axis=1)
    amount = total.mean(axis=1, keepdims=True)
    return np.asarray(np.divide(chroma, amount, out=np.zeros_like(chroma), where=amount > 0))


def ink_map(density: NDArray[np.float32]) -> NDArray[np.float32]:
    """How dark each place of n cards is, of all colours together and relative to its fullest ink; (n, 3, 34, 22) to (n, 1, 34, 22)."""
    gray = density.mean(axis=1, keepdims=True)
    at = int(_FULLEST * gray[0].size) if len(gray) else 0
    fullest = np.partition(gray.reshape(len(gray), -1), at, axis=1)[:, at, None, None, None]
    return np.asarray(gray / np.maximum(fullest, np.float32(GRAIN)), np.float32)


def symbol_count(density: NDArray[np.float32]) -> Floats:
    """How likely n cards, at least one, bear one, two or three symbols, by where their ink is alone: log probabilities, shape (n, 3)."""
    return np.maximum(log_softmax(network("counter")(ink_map(density)).astype(np.float64)), -_MISCOUNTED)


def ink_amount(density: NDArray[np.float32]) -> Floats:
    """How much ink is on n cards, given its `optical_density`, shape (n, 3, 34, 22): its mean, shape (n,)."""
    gray = density.mean(axis=1)
    return np.asarray(np.where(gray > GRAIN, gray, 0.0).mean(axis=(1, 2)), np.float64)


def optical_density(planes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Optical density of n inner cards against the paper around each place, at half size; (n, 3, 96, 64) to (n, 3, 34, 22).

    All are computed as one tall picture, with gaps between them that are darker than all where what is bright grows, and brighter where it
    shrinks again.
    """
    rows = cv2.resize(planes.reshape(-1, planes.shape[3]), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    small = rows.reshape(-1, planes.shape[2] // 2, rows.shape[1])
    paper = np.zeros((len(small), small.shape[1] + _SYMBOL.shape[0] // 2, small.shape[2]), np.float32)
    card = slice(small.shape[1])
    paper[:, card] = small
    for change, in_gaps in ((cv2.dilate, np.inf), (cv2.erode, 0)):
        paper = np.reshape(change(paper.reshape(-1, paper.shape[2]), _SYMBOL), paper.shape)
        paper[:, card.stop :] = in_gaps
    inner = (small / np.maximum(paper[:, card], GRAIN))[:, *SET_CARD_PATCH.inner_of_half]
    return np.asarray(-np.log(np.clip(inner, GRAIN, 1.0)), np.float32).reshape(len(planes), 3, *inner.shape[1:])


def common_inks(color_log: Floats, chroma: Floats, options: InkOptions) -> Floats:
    """What each card's colour is, given all cards of the table: log probabilities of red, green and purple, shape (n, 3).

    A single thin red outline under a warm lamp may look purple; beside other cards of the same table, which share one light and three
    inks, it does not. Three hues are fitted to the `ink_chroma` of all cards at once, starting from what the reader believes of each alone.
    """
    usual = np.deg2rad(np.array(options.usual_deg))
    usual_xy = np.stack([np.cos(usual), np.sin(usual)], axis=1)
    strength = np.linalg.norm(chroma, axis=1, keepdims=True)
    unit = np.divide(chroma, strength, out=np.zeros_like(chroma), where=strength > 0)
    spread = np.deg2rad(options.spread_deg) * np.hypot(1, options.faint / np.maximum(strength, 1e-6))
    center = usual_xy
    log = color_log
    for _ in range(ROUNDS):
        off = np.arccos(np.clip(unit @ center.T, -1, 1))
        near = np.exp(-0.5 * (off / spread) ** 2) / spread
        near = (1 - options.outlier) * near + options.outlier / (2 * np.pi)
        log = color_log + np.where(strength > 0, np.log(near), 0.0)
        log = log - np.logaddexp.reduce(log, axis=1, keepdims=True)
        share = np.exp(log) * (strength > 0)
        pull = share.T @ unit + usual_xy  # the usual hue weighs as much as one card
        center = pull / np.linalg.norm(pull, axis=1, keepdims=True)
    return np.asarray(log)


BURNT = 253.0
"""Paper as bright as this, of 255, is burnt out: nobody knows how bright it was."""

_LEARNED = learned("comparison")

_SUPPOSED: tuple[float, ...] = tuple(_LEARNED["supposed"])
"""By how much burnt paper is supposed to have been brighter than a picture can show: from nothing to more than cameras mostly are."""

_PARTS: tuple[tuple[float, float], ...] = tuple(pairwise(_LEARNED["parts"]))
"""Parts of the ink of a card, from its darkest: its fullest colour, outlines, and what is half paper."""

_LOST: float = _LEARNED["lost"]
"""Density below which a place with ink is paper in one colour."""

_FEWEST: int = _LEARNED["fewest"]
"""Places with ink below which a card shows none."""

_PAPER: tuple[float, float] = tuple(_LEARNED["paper"])
"""Quantiles of brightness that tell how evenly the paper is lit."""

_SURE: tuple[float, float] = tuple(_LEARNED["sure"])
"""Log probabilities and log odds are cut off where they are as sure as that: the network learns from what is in doubt."""


@dataclass(frozen=True, slots=True, eq=False)
class Spoken(Rows):
    """What the reader says of n cards."""

    log: Floats
    """Log probabilities of number, colour, shading and shape, three each. Shape (n, 12)."""
    odds: Floats
    """Log odds that it is a card. Shape (n,)."""
    chroma: Floats
    """Of their ink. Shape (n, 2)."""

    def columns(self) -> tuple[Floats, Floats, Floats]:
        """The same as evidence."""
        return np.maximum(self.log, -_SURE[0]), np.clip(self.odds[:, None], -_SURE[1], _SURE[1]), self.chroma


@dataclass(frozen=True, slots=True, eq=False)
class Cards:
    """All SET cards of one table, n of them, as they are read before they are compared."""

    straight: NDArray[np.float32]
    """The cards with their paper at 1. Shape (n, 3, 96, 64)."""
    white: NDArray[np.float32]
    """How bright their paper is, of 255. Shape (n, 3)."""
    exponent: float
    """Contrast that was given back to them."""
    said: Spoken
    color_log: Floats
    """Log probabilities of the colours beside common inks. Shape (n, 3)."""


def changes(cards: Cards, read: Callable[[float], Spoken]) -> Floats:
    """What is to be added to the log probabilities of the three colours of each card, shape (n, 3).

    `read` says what the reader thinks of the cards if burnt paper was so many times as bright as a picture can show.
    """
    return np.asarray(network("comparison")(evidence(cards, read)[None])[0], np.float64)


def evidence(cards: Cards, read: Callable[[float], Spoken]) -> NDArray[np.float32]:
    """What the network compares, a row a card; shape (n, 91)."""
    log, odds, chroma = cards.said.columns()
    strength = np.linalg.norm(cards.said.chroma, axis=1, keepdims=True)
    ink = optical_density(cards.straight).reshape(len(cards.white), 3, -1)
    bright = cards.straight[:, :, *SET_CARD_PATCH.inner][:, :, ::2, ::2].reshape(len(ink), 3, -1) * cards.white[:, :, None]
    paper = [level / 255 for level in (cards.white, *np.quantile(bright, _PAPER, axis=2))]
    own = [
        *(log, np.maximum(cards.color_log, -_SURE[0]), odds, chroma, cards.said.chroma / np.maximum(strength, 1e-6)),
        *_inks(ink),
        *(paper[0], (bright >= BURNT).mean(axis=2), paper[1], paper[2]),
        np.full((len(ink), 1), cards.exponent),
    ]
    supposed = [column for by in _SUPPOSED for column in read(by).columns()]
    return np.concatenate([*own, *supposed], axis=1).astype(np.float32)


def _inks(ink: NDArray[np.float32]) -> list[Floats]:
    """How much of each card is ink, the density of its parts in each colour, and how much of it is lost there; of (n, 3, places)."""
    gray = ink.mean(axis=1)
    count = (gray > GRAIN).sum(axis=1)[:, None, None]
    darkest_first = np.take_along_axis(ink, np.argsort(-gray, axis=1)[:, None], axis=2)
    sums = np.concatenate([np.zeros((*ink.shape[:2], 1)), np.cumsum(darkest_first, axis=2, dtype=np.float64)], axis=2)
    parts = []
    for start, stop in _PARTS:
        first = (start * count).astype(np.intp)
        last = np.maximum((stop * count).astype(np.intp), first + 1)
        mean = (np.take_along_axis(sums, last, axis=2) - np.take_along_axis(sums, first, axis=2)) / (last - first)
        parts.append(np.where(count >= _FEWEST, mean, 0)[..., 0])
    place = np.arange(ink.shape[2])
    lost = ((darkest_first < _LOST) & (place < count)).sum(axis=2) / np.maximum(count[..., 0], 1)
    return [count[..., 0] / ink.shape[2], *parts, np.where(count[..., 0] >= _FEWEST, lost, 0)]
