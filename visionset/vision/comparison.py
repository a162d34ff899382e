"""SET cards beside each other: what all cards of a table say together of the colour of each.

Under a coloured lamp red looks purple; where paper is brighter than a picture can show, the ink on it looks paler than it is, in each
colour by another amount. No single card tells what the light does to all. A small network compares all cards of the table, each as it is
and as it would be read if more were burnt away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.colour import GRAIN, optical_density
from visionset.vision.engine import network
from visionset.vision.patches import SET_CARD_PATCH

BURNT = 253.0
"""Paper as bright as this, of 255, is burnt out: nobody knows how bright it was."""

_SUPPOSED = 1.0, 1.15, 1.35
"""By how much burnt paper is supposed to have been brighter than a picture can show: from nothing to more than cameras mostly are."""

_PARTS = (0.0, 0.1), (0.1, 0.4), (0.4, 1.0)
"""Parts of the ink of a card, from its darkest: its fullest colour, outlines, and what is half paper."""

_LOST = 0.02
"""Density below which a place with ink is paper in one colour."""

_FEWEST = 3
"""Places with ink below which a card shows none."""

_PAPER = 0.6, 0.95
"""Quantiles of brightness that tell how evenly the paper is lit."""

_SURE = 9.0, 8.0
"""Log probabilities and log odds are cut off where they are as sure as that: the network learns from what is in doubt."""


@dataclass(frozen=True, slots=True, eq=False)
class Spoken:
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

    `read` says what the reader thinks of the cards if burnt paper was brighter by that than a picture can show.
    """
    return np.asarray(network("comparison")(evidence(cards, read)[None])[0], np.float64)


def evidence(cards: Cards, read: Callable[[float], Spoken]) -> NDArray[np.float32]:
    """What the network compares, a row a card; shape (n, 91)."""
    log, odds, chroma = cards.said.columns()
    strength = np.linalg.norm(cards.said.chroma, axis=1, keepdims=True)
    ink = optical_density(np.ascontiguousarray(cards.straight.transpose(0, 2, 3, 1))).reshape(len(cards.white), 3, -1)
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
