"""The nine cards of the known pattern on a rendered table."""

from __future__ import annotations

import numpy as np

from visionset.art import DeckStyle
from visionset.render.faces import set_card
from visionset.render.layouts import Place
from visionset.render.scene import Canvas, look
from visionset.render.spoil import Spoil, spoil
from visionset.vision.deck import PATTERN

COMMON = DeckStyle()
MILD = Spoil(light=0.3, shadow=0.0, cast=0.3, blur=0.2, noise=0.4, coding=0.3)


def pattern_photo(style: DeckStyle = COMMON, turned: int = 0, seed: int = 1) -> np.ndarray:
    """A plain table seen at a slant, the camera on one of four sides."""
    rng = np.random.default_rng(seed)
    canvas = Canvas(np.full((720, 960, 3), (0.05, 0.12, 0.2), np.float32), look(0.35, 0.03, 1.5, (480, 360), 900))
    side = turned * np.pi / 2
    for at, card in enumerate(PATTERN):
        row, column = divmod(at, 3)
        x, y = (column - 1) * 112, (row - 1) * 112
        place = Place(x * np.cos(side) - y * np.sin(side), x * np.sin(side) + y * np.cos(side), side + 0.03 * (-1) ** at)
        canvas.lay(set_card(card, style), place, at, shadow=0.3)
    return spoil(rng, canvas.picture, MILD)
