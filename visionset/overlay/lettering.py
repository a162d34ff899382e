"""Text by OpenCV: its TrueType font where there is one (5.x), its line font where not (4.x)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.overlay.marks import Bgr

_REGULAR, _BOLD = 500, 700
"""Weights of the variable font; 400 is too thin over video."""

_HERSHEY_HEIGHT = 30.0
"""Font size in pixels that the line font has at scale 1, judged by the height of its capitals."""

LINE_HEIGHT = 1.25
"""Distance of baselines over font size."""

_CAP_HEIGHT = 0.70
"""Height of capitals over font size, of both fonts."""


@lru_cache(maxsize=1)
def _font() -> Any:
    return cv2.FontFace("sans") if hasattr(cv2, "FontFace") else None


@lru_cache(maxsize=4096)
def text_width(text: str, size_px: float, bold: bool = False) -> float:
    """Width of one line of text in pixels."""
    font = _font()
    if font is None:
        (width, _), _ = cv2.getTextSize(_plain(text), cv2.FONT_HERSHEY_DUPLEX, size_px / _HERSHEY_HEIGHT, 1)
        return float(width)
    _, _, width, _ = cv2.getTextSize((1, 1), text, (0, 0), font, round(size_px), _BOLD if bold else _REGULAR)
    return float(width)


def text_size(lines: tuple[str, ...], size_px: float, bold: bool = False) -> tuple[float, float]:
    """Width and height of lines of text without margin."""
    return max(text_width(line, size_px, bold) for line in lines), ((len(lines) - 1) * LINE_HEIGHT + _CAP_HEIGHT) * size_px


def put_line(
    image_bgr: NDArray[np.uint8], text: str, left_px: float, cap_top_px: float, size_px: float, ink_bgr: Bgr, bold: bool = False
) -> None:
    """Write one line into the picture, its capitals' top at `cap_top_px`."""
    origin = round(left_px), round(cap_top_px + _CAP_HEIGHT * size_px)
    font = _font()
    if font is None:
        thickness = 2 if bold and size_px > 14 else 1
        cv2.putText(image_bgr, _plain(text), origin, cv2.FONT_HERSHEY_DUPLEX, size_px / _HERSHEY_HEIGHT, ink_bgr, thickness, cv2.LINE_AA)
    else:
        cv2.putText(image_bgr, text, origin, ink_bgr, font, round(size_px), _BOLD if bold else _REGULAR)


def _plain(text: str) -> str:
    """ASCII for the line font, which knows nothing else."""
    return text.translate(str.maketrans("·×–", "-x-")).encode("ascii", "replace").decode()
