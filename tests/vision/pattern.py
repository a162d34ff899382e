"""The nine cards of the known pattern on a rendered table."""

from __future__ import annotations

import numpy as np

from tests.rendering import card_photo
from visionset.art import DeckStyle
from visionset.render.camera import Viewpoint
from visionset.render.layouts import Spot
from visionset.vision.deck import PATTERN

VIEW = Viewpoint((960, 720), 1.5, 20.0, 1.7, 900.0, (480.0, 360.0))


def pattern_photo(style: DeckStyle | None = None, turned: int = 0, seed: int = 1) -> np.ndarray:
    """A plain table seen at a slant, the camera on one of four sides."""
    whole = Spot(0.0, 0.0, turned * np.pi / 2)
    places = [whole.beside((at % 3 - 1) * 112.0, (at // 3 - 1) * 112.0, 0.03 * (-1) ** at) for at in range(len(PATTERN))]
    return card_photo(zip(PATTERN, places, strict=True), VIEW, style, seed=seed)
