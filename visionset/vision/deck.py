"""A known pattern of nine cards: what a deck's own colours and stripes look like, and how well this table is read.

The nine are balanced: each value of each attribute is there three times, and each two values of two attributes once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from visionset.calibration import CARD_MM, Deck
from visionset.errors import CalibrationError
from visionset.geometry import Floats, outlines_of
from visionset.kinds import KIND_SPECS
from visionset.pieces import Color, Kind, SetCard, Shading, Shape
from visionset.table import Sighting, Table
from visionset.vision.inks import ink_amount, ink_chroma, optical_density
from visionset.vision.patches import SET_CARD_PATCH, Pyramid, straightened

_SHAPES = tuple(Shape)

PATTERN: tuple[SetCard, ...] = tuple(
    SetCard((row - column) % len(Color) + 1, color, shading, _SHAPES[(row + column) % len(_SHAPES)])
    for row, color in enumerate(Color)
    for column, shading in enumerate(Shading)
)
"""Three rows of three in reading order: rows red, green, purple, columns solid, striped, open."""

ATTRIBUTES = KIND_SPECS[Kind.SET_CARD].attributes

_LEAST_LIKE = 6
"""Cards of the pattern whose number and shape must be read as they lie; chance gives one."""

_APART_DEG = 25.0
"""Least angle between two inks that people can tell apart on a table."""


def laid_out(table: Table) -> tuple[Sighting, ...] | None:
    """The pattern's cards in its order, whichever side the camera is on; None where the table does not show it."""
    if len(table.sightings) != len(PATTERN):
        return None
    grid = np.arange(len(PATTERN)).reshape(3, 3)
    ways = (tuple(table.sightings[at] for at in np.rot90(grid, turns).ravel()) for turns in range(4))
    best = max(ways, key=_likeness)
    return best if _likeness(best) >= _LEAST_LIKE else None


def deck_profile(image_bgr: NDArray[np.uint8], laid: Sequence[Sighting], card_mm: tuple[float, float] = CARD_MM) -> Deck:
    """Learn what a deck looks like from the pattern, as `laid_out` gives it.

    Raises `CalibrationError`: two inks look the same, or a card has none.
    """
    density = optical_density(straightened(Pyramid(image_bgr), outlines_of(laid), SET_CARD_PATCH)[0])
    chroma = ink_chroma(density)
    pull: Floats = chroma.reshape(3, 3, 2).sum(axis=1)
    hues = np.degrees(np.arctan2(pull[:, 1], pull[:, 0]))
    off = np.abs((hues[:, None] - hues[None] + 180) % 360 - 180)[np.triu_indices(3, 1)]
    if off.min() < _APART_DEG or not np.linalg.norm(pull, axis=1).all():
        raise CalibrationError(
            f"expected three inks of different hues, got {off.min():.0f} degrees between two; use white light, no coloured lamp"
        )
    each = ink_amount(density) / np.array([card.number for card in PATTERN])
    fill = (each.reshape(3, 3) / each.reshape(3, 3)[:, :1]).mean(axis=0)
    red, green, purple = (round(float(hue), 1) for hue in hues)
    solid, striped, opened = (round(float(share), 3) for share in fill)
    return Deck(card_mm, (red, green, purple), (solid, striped, opened))


def scored(tables: Sequence[Table]) -> tuple[float, dict[str, float]]:
    """Share of the pattern's cards that were found on tables, and of all that were named with the right value, by attribute.

    A card that was not named counts as wrong, a table of other than nine cards as not found.
    """
    found, right = 0, dict.fromkeys(ATTRIBUTES, 0)
    for table in tables:
        laid = laid_out(table)
        if laid is None:
            continue
        found += len(laid)
        for card, sighting in zip(PATTERN, laid, strict=True):
            for attribute in ATTRIBUTES:
                right[attribute] += getattr(sighting.piece, attribute, None) == getattr(card, attribute)
    most = max(1, len(PATTERN) * len(tables))
    return found / most, {attribute: count / most for attribute, count in right.items()}


def _likeness(laid: Sequence[Sighting]) -> int:
    guesses = [sighting.guess.piece if sighting.guess else sighting.piece for sighting in laid]
    return sum(
        isinstance(guess, SetCard) and (guess.number, guess.shape) == (card.number, card.shape)
        for guess, card in zip(guesses, PATTERN, strict=True)
    )
