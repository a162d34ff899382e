"""Text in a picture, by OpenCV in one of its own TrueType fonts or in one from a file.

OpenCV (5.0) chooses between the variants of a function by trying them. Where one does not fit it asks Python for the words of that
error, Python hears Ctrl-C there, and OpenCV does not look whether it did: the process crashes. The variants with a font are never
the first ones, so they are called from this module alone, in which `visionset.commands.process` raises nothing.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

_font = lru_cache(maxsize=256)(cv2.FontFace)


def width_px(text: str, size_px: int, weight: int, font: str = "sans") -> int:
    """Width of one line of text.

    Parameters
    ----------
    size_px : int
        Height of the font.
    weight : int
        From 100 (thin) to 900 (black), where the font has weights.
    font : str
        One of OpenCV's own (``sans``, ``italic``) or the path of a font file. Raises `cv2.error` where that cannot be read.
    """
    _, _, width, _ = cv2.getTextSize((1, 1), text, (0, 0), _font(font), size_px, weight)
    return int(width)


def put_text(
    picture: NDArray[np.uint8], text: str, at_px: tuple[int, int], ink: tuple[int, ...] | int, size_px: int, weight: int, font: str = "sans"
) -> None:
    """Draw one line of text into a picture, its baseline beginning at a place (x, y); the rest as for `width_px`."""
    cv2.putText(picture, text, at_px, ink, _font(font), size_px, weight)
