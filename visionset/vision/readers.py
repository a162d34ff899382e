"""The readers of one picture: what they have read of a quad once is not read again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision import dice, playing_cards, set_cards
from visionset.vision.colour import has_colour
from visionset.vision.dice import DieReadings
from visionset.vision.patches import Halvings, padded
from visionset.vision.playing_cards import CardReadings
from visionset.vision.rows import Once
from visionset.vision.set_cards import SetCardReadings


@dataclass(frozen=True, slots=True, eq=False)
class Readers:
    """A picture, shape (height, width, 3), what its pieces are cut from, and a reader of each kind; `mirrored` reads dice in a mirror."""

    image_bgr: NDArray[np.uint8]
    is_gray: Callable[[], bool]
    """Whether the picture as a whole shows no colour."""
    cut_from: Halvings
    expose: Callable[[Floats], None]
    """Lets quads, shape (n, 4, 2), that most likely hold a SET card tell how much contrast is missing."""
    set_cards: Once[SetCardReadings]
    compare: Callable[[SetCardReadings, SetCardReadings], SetCardReadings]
    """Judges SET cards beside each other."""
    cards: Once[CardReadings]
    indices: Once[CardReadings]
    dice: Once[DieReadings]
    mirrored: Once[DieReadings]

    @classmethod
    def of(cls, image_bgr: NDArray[np.uint8]) -> Readers:
        """The readers of one picture."""
        cut_from = Halvings(padded(image_bgr))

        @cache
        def is_gray() -> bool:
            return not has_colour(image_bgr, np.empty((0, 4, 2)))

        def cards(read: Callable[..., CardReadings], quads: Floats) -> CardReadings:
            return read(cut_from, quads, is_gray=len(quads) > 0 and is_gray())

        reader = set_cards.SetCardReader(cut_from)
        return cls(
            image_bgr,
            is_gray,
            cut_from,
            reader.expose,
            Once(reader),
            reader.compare,
            Once(partial(cards, playing_cards.read_playing_cards)),
            Once(partial(cards, playing_cards.read_indices)),
            Once(partial(dice.read_dice, cut_from)),
            Once(partial(dice.read_dice, cut_from, mirrored=True)),
        )
