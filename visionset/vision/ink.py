"""Colour as a property of the table: all cards share one light and three inks.

A single thin red outline under a warm lamp may look purple; beside other cards of the same table it does not. The
hue of each card's ink is measured as optical density against the paper around it, and three inks are fitted to all
cards at once, starting from what the reader believes of each card.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats


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


_ROUNDS = 3
"""Steps of the fit: names did not change with more."""

_GRAIN = 0.05
"""Share of paper white: what takes less away is the grain of paper, and no ink is measured to let less through."""

_SYMBOL = np.ones((11, 11), np.uint8)
"""A closing with this leaves paper where a symbol was: no symbol is wider both ways. Light and shadow stay.
In pixels of the patch at half its size, which is enough for a hue."""

_INNER = (slice(7, 41), slice(5, 27))
"""The card without its rim, in the patch at half its size."""


def ink_chroma(patches: NDArray[np.float32]) -> Floats:
    """Chroma of the ink on straightened cards, shape (n, 96, 64, 3), whose paper is at 1; shape (n, 2).

    Red against blue and green against both, of the mean optical density, relative to its gray part; the angle is the hue, the length how
    colourful the ink is. Zero where there is no ink.
    """
    if not len(patches):
        return np.empty((0, 2))
    density = _density(patches)
    weight = np.clip(density.mean(axis=1) - _GRAIN, 0, None)
    total = np.einsum("nchw,nhw->nc", density, weight).astype(np.float64)
    blue, green, red = total.T
    chroma = np.stack([(red - blue) / np.sqrt(2), (2 * green - blue - red) / np.sqrt(6)], axis=1)
    amount = total.mean(axis=1, keepdims=True)
    return np.asarray(np.divide(chroma, amount, out=np.zeros_like(chroma), where=amount > 0))


def ink_amount(patches: NDArray[np.float32]) -> Floats:
    """How much ink is on straightened cards, shape (n, 96, 64, 3): mean optical density, shape (n,)."""
    if not len(patches):
        return np.empty(0)
    gray = _density(patches).mean(axis=1)
    return np.asarray(np.where(gray > _GRAIN, gray, 0.0).mean(axis=(1, 2)), np.float64)


def _density(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """Optical density of the inner card against the paper around each place, at half size; shape (n, 3, height, width).

    All are computed as one tall picture, with gaps between them that are darker than all where what is bright grows, and brighter where it
    shrinks again.
    """
    planes = np.ascontiguousarray(patches.transpose(0, 3, 1, 2))
    rows = cv2.resize(planes.reshape(-1, planes.shape[3]), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    small = rows.reshape(-1, planes.shape[2] // 2, rows.shape[1])
    paper = np.zeros((len(small), small.shape[1] + _SYMBOL.shape[0] // 2, small.shape[2]), np.float32)
    card = slice(small.shape[1])
    paper[:, card] = small
    for change, in_gaps in ((cv2.dilate, np.inf), (cv2.erode, 0)):
        paper = np.reshape(change(paper.reshape(-1, paper.shape[2]), _SYMBOL), paper.shape)
        paper[:, card.stop :] = in_gaps
    inner = (small / np.maximum(paper[:, card], _GRAIN))[:, *_INNER]
    return np.asarray(-np.log(np.clip(inner, _GRAIN, 1.0)), np.float32).reshape(len(patches), 3, *inner.shape[1:])


def common_inks(color_log: Floats, chroma: Floats, options: InkOptions | None = None) -> Floats:
    """What each card's colour is, given all cards of the table: log probabilities of red, green and purple, shape (n, 3).

    They begin with those from each card alone, and the `ink_chroma` of each decides.
    """
    options = options or InkOptions()
    usual = np.deg2rad(np.array(options.usual_deg))
    usual_xy = np.stack([np.cos(usual), np.sin(usual)], axis=1)
    strength = np.linalg.norm(chroma, axis=1, keepdims=True)
    unit = np.divide(chroma, strength, out=np.zeros_like(chroma), where=strength > 0)
    spread = np.deg2rad(options.spread_deg) * np.hypot(1, options.faint / np.maximum(strength, 1e-6))
    center = usual_xy
    log = color_log
    for _ in range(_ROUNDS):
        off = np.arccos(np.clip(unit @ center.T, -1, 1))
        near = np.exp(-0.5 * (off / spread) ** 2) / spread
        near = (1 - options.outlier) * near + options.outlier / (2 * np.pi)
        log = color_log + np.where(strength > 0, np.log(near), 0.0)
        log = log - np.logaddexp.reduce(log, axis=1, keepdims=True)
        share = np.exp(log) * (strength > 0)
        pull = share.T @ unit + usual_xy  # the usual hue weighs as much as one card
        center = pull / np.linalg.norm(pull, axis=1, keepdims=True)
    return np.asarray(log)
