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
"""Density up to which a place shows the grain of paper and no ink. Also the least brightness, over the paper's, that is measured."""

_SYMBOL = square(11)
"""Kernel, in pixels of the patch at half its size, that no symbol fills both ways: a closing with it puts paper in the place of symbols and
keeps light and shadow."""

_MISCOUNTED = 4.0
"""The counter takes no more than this from the log probability of a number: a card may be cut badly, or lie under a hand."""

_FULLEST = 0.98
"""Quantile of a card's density that is taken as that of its fullest ink: the lines of one open symbol cover the rest."""


def ink_chroma(density: NDArray[np.float32]) -> Floats:
    """Chroma of the ink on n cards, shape (n, 2), given its `optical_density`, shape (n, 3, 34, 22).

    The mean density of the ink in blue, green and red, as two differences over the mean of the three: red less blue, and green less red and
    blue. The angle is the hue, the length how colourful the ink is; zero where there is no ink.
    """
    weight = np.clip(density.mean(axis=1) - GRAIN, 0, None)
    total = np.einsum("nchw,nhw->nc", density, weight).astype(np.float64)
    blue, green, red = total.T
    chroma = np.stack([(red - blue) / np.sqrt(2), (2 * green - blue - red) / np.sqrt(6)], axis=1)
    amount = total.mean(axis=1, keepdims=True)
    return np.asarray(np.divide(chroma, amount, out=np.zeros_like(chroma), where=amount > 0))


def ink_map(density: NDArray[np.float32]) -> NDArray[np.float32]:
    """Density of n cards, mean of its colours, over that of the card's fullest ink; shape (n, 3, 34, 22) to (n, 1, 34, 22)."""
    gray = density.mean(axis=1, keepdims=True)
    at = int(_FULLEST * gray[0].size) if len(gray) else 0
    fullest = np.partition(gray.reshape(len(gray), -1), at, axis=1)[:, at, None, None, None]
    return np.asarray(gray / np.maximum(fullest, np.float32(GRAIN)), np.float32)


def symbol_count(density: NDArray[np.float32]) -> Floats:
    """Log probabilities that n cards, at least one, bear one, two or three symbols, by where their ink is alone; shape (n, 3)."""
    return np.maximum(log_softmax(network("counter")(ink_map(density)).astype(np.float64)), -_MISCOUNTED)


def ink_amount(density: NDArray[np.float32]) -> Floats:
    """Mean `optical_density` of n cards, shape (n, 3, 34, 22), with 0 where there is no ink; shape (n,)."""
    gray = density.mean(axis=1)
    return np.asarray(np.where(gray > GRAIN, gray, 0.0).mean(axis=(1, 2)), np.float64)


def optical_density(planes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Optical density, -log of brightness over that of the paper around, of straightened cards without rim, at half size.

    From shape (n, 3, 96, 64) to (n, 3, 34, 22). The paper is found by a grayscale closing. All planes are one tall picture, so that OpenCV
    is called once: the gaps between them are black while it dilates and infinitely bright while it erodes, and change nothing.
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
    """Log probabilities of red, green and purple for each card, shape (n, 3), given all cards of the table.

    A single thin red outline under a warm lamp may look purple; beside other cards of the same table, which share one light and three
    inks, it does not. Three hues are fitted to the `ink_chroma` of all cards, shape (n, 2), by expectation maximisation, starting from the
    usual hues and from what the reader believes of each card alone, `color_log`, shape (n, 3).
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
        log = log_softmax(color_log + np.where(strength > 0, np.log(near), 0.0))
        share = np.exp(log) * (strength > 0)
        pull = share.T @ unit + usual_xy  # the usual hue weighs as much as one card
        center = pull / np.linalg.norm(pull, axis=1, keepdims=True)
    return log


BURNT = 253.0
"""Paper as bright as this, of 255, is burnt out: nobody knows how bright it was."""

_LEARNED = learned("comparison")

_SUPPOSED: tuple[float, ...] = tuple(_LEARNED["supposed"])
"""Factors by which burnt paper may have been brighter than a picture can show. Cards are read once for each, and the network compares."""

_PARTS: tuple[tuple[float, float], ...] = tuple(pairwise(_LEARNED["parts"]))
"""Ranges, as shares of a card's places with ink, darkest first: its fullest colour, outlines, and what is half paper."""

_LOST: float = _LEARNED["lost"]
"""Density in one colour below which a place with ink looks like paper in that colour."""

_FEWEST: int = _LEARNED["fewest"]
"""Least number of places with ink from which a card's ink is measured."""

_PAPER: tuple[float, float] = tuple(_LEARNED["paper"])
"""Quantiles of brightness that tell how evenly the paper is lit."""

_SURE: tuple[float, float] = tuple(_LEARNED["sure"])
"""Limits of log probabilities (least, as a positive number) and of log odds (either way) that the network sees: doubts are what matters."""


@dataclass(frozen=True, slots=True, eq=False)
class ReaderOutput(Rows):
    """Output of the network that reads SET cards, for n cards."""

    log: Floats
    """Log probabilities of number, colour, shading and shape, three each. Shape (n, 12)."""
    odds: Floats
    """Log odds that it is a card. Shape (n,)."""
    chroma: Floats
    """`ink_chroma` of the cards. Shape (n, 2)."""

    def columns(self) -> tuple[Floats, Floats, Floats]:
        """The same as columns of `evidence`: within the limits `_SURE`, shape (n, 12), (n, 1) and (n, 2)."""
        return np.maximum(self.log, -_SURE[0]), np.clip(self.odds[:, None], -_SURE[1], _SURE[1]), self.chroma


@dataclass(frozen=True, slots=True, eq=False)
class Cards:
    """All SET cards of one table, n of them, as they are read before they are compared."""

    straight: NDArray[np.float32]
    """The cards with their paper at 1. Shape (n, 3, 96, 64)."""
    white: NDArray[np.float32]
    """How bright their paper is, of 255. Shape (n, 3)."""
    exponent: float
    """By how much their densities were multiplied before they were read, see `SetCardReader.measure_contrast`."""
    said: ReaderOutput
    """As each card was read by itself."""
    color_log: Floats
    """Log probabilities of the colours after `common_inks`. Shape (n, 3)."""


def changes(cards: Cards, read: Callable[[float], ReaderOutput]) -> Floats:
    """What the network adds to the log probabilities of the three colours of each card, shape (n, 3), having compared all cards.

    `read` gives the reader's output on the supposition that burnt paper was so many times as bright as a picture can show.
    """
    return np.asarray(network("comparison")(evidence(cards, read)[None])[0], np.float64)


def evidence(cards: Cards, read: Callable[[float], ReaderOutput]) -> NDArray[np.float32]:
    """Input of the network `comparison`, a row for each card; shape (n, 91)."""
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
    """Columns about the ink of n cards, whose densities have the shape (n, 3, places).

    Share of places with ink, shape (n, 1); for each of `_PARTS` the mean density in each colour, (n, 3); share of the ink lost (`_LOST`) in
    each colour, (n, 3).
    """
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
