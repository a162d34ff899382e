"""Text by OpenCV in its TrueType font."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.overlay.marks import Bgr

_REGULAR, _BOLD = 500, 700
"""Weights of the variable font; 400 is too thin over video."""

LINE_HEIGHT = 1.25
"""Distance of baselines over font size."""

_CAP_HEIGHT = 0.70
"""Height of capitals over font size."""


@lru_cache(maxsize=1)
def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")


@lru_cache(maxsize=4096)
def text_width(text: str, size_px: float, bold: bool = False) -> float:
    """Width of one line of text in pixels."""
    _, _, width, _ = cv2.getTextSize((1, 1), text, (0, 0), _font(), round(size_px), _BOLD if bold else _REGULAR)
    return float(width)


def text_size(lines: tuple[str, ...], size_px: float, bold: bool = False) -> tuple[float, float]:
    """Width and height of lines of text without margin."""
    return max(text_width(line, size_px, bold) for line in lines), ((len(lines) - 1) * LINE_HEIGHT + _CAP_HEIGHT) * size_px


def put_line(
    image_bgr: NDArray[np.uint8], text: str, left_px: float, cap_top_px: float, size_px: float, ink_bgr: Bgr, bold: bool = False
) -> None:
    """Write one line into the picture, its capitals' top at `cap_top_px`."""
    origin = round(left_px), round(cap_top_px + _CAP_HEIGHT * size_px)
    cv2.putText(image_bgr, text, origin, ink_bgr, _font(), round(size_px), _BOLD if bold else _REGULAR)
