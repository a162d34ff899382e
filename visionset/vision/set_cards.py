"""Read straightened SET cards: number, colour, shading, shape, how sure, and a better quad."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.pieces import SET_DECK, Color, Shading, Shape
from visionset.vision.engine import network
from visionset.vision.ink import InkOptions, common_inks, ink_chroma
from visionset.vision.odds import expit, log_softmax
from visionset.vision.patches import corrected, straighten
from visionset.vision.rectify import SET_CARD_PATCH
from visionset.vision.rows import QuadReadings

_COLORS, _SHADINGS, _SHAPES = list(Color), list(Shading), list(Shape)
_COLUMNS = np.array(
    [[c.number - 1, 3 + _COLORS.index(c.color), 6 + _SHADINGS.index(c.shading), 9 + _SHAPES.index(c.shape)] for c in SET_DECK]
)
"""For each card of the deck the four columns of the network's output that speak for it, shape (81, 4)."""

_OF_COLOR = [np.flatnonzero(_COLUMNS[:, 1] == 3 + color) for color in range(3)]

_CARD_COLUMN, _SHIFT_COLUMN = 12, 13
_SUREST = 12.0
"""Log odds beyond this mean nothing, and would make a probability exactly 0 or 1."""


@dataclass(frozen=True, slots=True, eq=False)
class SetCardReadings(QuadReadings):
    """What the reader makes of n quads."""

    deck_log: Floats
    """Log probability of each card of `SET_DECK`, given that it is a card. Shape (n, 81)."""
    is_card: Floats
    """Probability that a SET card lies in the quad, 0 to 1. Shape (n,)."""
    quad_px: Floats
    shift: Floats
    chroma: Floats
    """Chroma of the ink, from `visionset.vision.ink.ink_chroma`. Shape (n, 2)."""


def read_set_cards(image_bgr: NDArray[np.uint8], quads: Floats) -> SetCardReadings:
    """Read n quads, shape (n, 4, 2), each beginning at a short side."""
    if not len(quads):
        return SetCardReadings(np.empty((0, 81)), np.empty(0), np.empty((0, 4, 2)), np.empty(0), np.empty((0, 2)))
    cards = straighten(image_bgr, quads, SET_CARD_PATCH)
    out = network("reader")(np.ascontiguousarray(cards.transpose(0, 3, 1, 2))).astype(np.float64)
    log = log_softmax(out[:, :_CARD_COLUMN].reshape(-1, 4, 3))
    deck_log = log.reshape(-1, 12)[:, _COLUMNS].sum(axis=2)
    shift = out[:, _SHIFT_COLUMN:].reshape(-1, 4, 2) * SET_CARD_PATCH.shift_px
    return SetCardReadings(
        deck_log,
        expit(np.clip(out[:, _CARD_COLUMN], -_SUREST, _SUREST)),
        corrected(quads, shift, SET_CARD_PATCH),
        np.abs(shift).max(axis=(1, 2)),
        ink_chroma(cards),
    )


def with_common_inks(readings: SetCardReadings, ink: InkOptions | None = None) -> SetCardReadings:
    """The same readings with each card's colour judged beside all others; `ink` says what an unusual deck looks like."""
    if not len(readings):
        return readings
    color_log = log_softmax(np.stack([np.logaddexp.reduce(readings.deck_log[:, of_color], axis=1) for of_color in _OF_COLOR], axis=1))
    change = common_inks(color_log, readings.chroma, ink) - color_log
    deck_log = readings.deck_log + change[:, _COLUMNS[:, 1] - 3]
    return SetCardReadings(log_softmax(deck_log), readings.is_card, readings.quad_px, readings.shift, readings.chroma)
