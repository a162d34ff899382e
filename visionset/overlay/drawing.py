"""A drawing as data, lines and tags over a picture, and painted on a copy of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, read_only
from visionset.lettering import put_text, width_px

Bgr: TypeAlias = tuple[int, int, int]

YELLOW: Bgr = (66, 228, 240)
SKY: Bgr = (233, 180, 86)
VERMILLION: Bgr = (0, 94, 213)
BLUE: Bgr = (178, 114, 0)
WHITE: Bgr = (255, 255, 255)
SILVER: Bgr = (205, 205, 205)
DARK: Bgr = (24, 24, 24)

OKABE_ITO: tuple[Bgr, ...] = (YELLOW, SKY, VERMILLION, BLUE)
"""Four hues of the Okabe-Ito palette that stay at least 20 dE2000 apart under every common colour blindness."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in picture pixels."""

    left: float
    top: float
    width: float
    height: float

    @classmethod
    def around(cls, center_px: tuple[float, float], width: float, height: float) -> Box:
        """The box of this size about a point."""
        return cls(center_px[0] - width / 2, center_px[1] - height / 2, width, height)

    def within(self, size_px: tuple[int, int]) -> Box:
        """The box, moved into a picture of this size."""
        left = min(max(self.left, 0.0), size_px[0] - self.width)
        return Box(left, min(max(self.top, 0.0), size_px[1] - self.height), self.width, self.height)

    @property
    def center(self) -> tuple[float, float]:
        """Middle of the box."""
        return self.left + self.width / 2, self.top + self.height / 2


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A closed line: bright, over a darker and wider one, so that it shows on any ground."""

    points_px: Floats
    """Corners. Shape (n, 2)."""
    color_bgr: Bgr
    """The bright line."""
    width_px: float
    """Its width; the dark line adds half of that on either side."""
    dash_px: float = 0.0
    """Length of a dash and of the gap after it; 0 for a solid line."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "points_px", read_only(self.points_px))


@dataclass(frozen=True, slots=True)
class Tag:
    """Text on a plate."""

    box: Box
    """The plate."""
    lines: tuple[str, ...]
    """Lines of text, centred."""
    size_px: float
    """Height of the letters' font."""
    ink_bgr: Bgr = WHITE
    plate_bgr: Bgr = DARK
    """`ink_bgr` and `plate_bgr`: colours of letters and plate."""
    opacity: float = 0.75
    """Of the plate, 0 to 1."""
    is_round: bool = False
    """A disc instead of a rectangle."""
    bold: bool = False
    """Heavy letters."""
    centered: bool = True
    """False: lines start at the left edge."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Marks over a picture of a given size, later ones on top."""

    size_px: tuple[int, int]
    marks: tuple[Line | Tag, ...] = ()

    def __add__(self, other: Drawing) -> Drawing:
        return Drawing(self.size_px, self.marks + other.marks)


_REGULAR, _BOLD = 500, 700
"""Weights of the variable font; 400 is too thin over video."""

LINE_HEIGHT = 1.25
"""Distance of baselines over font size."""

_CAP_HEIGHT = 0.70
"""Height of capitals over font size."""


@lru_cache(maxsize=4096)
def text_width(text: str, size_px: float, bold: bool = False) -> float:
    """Width of one line of text in pixels."""
    return float(width_px(text, round(size_px), _BOLD if bold else _REGULAR))


def text_size(lines: tuple[str, ...], size_px: float, bold: bool = False) -> tuple[float, float]:
    """Width and height of lines of text without margin."""
    return max(text_width(line, size_px, bold) for line in lines), ((len(lines) - 1) * LINE_HEIGHT + _CAP_HEIGHT) * size_px


_SHIFT = 4
"""Fractional bits that OpenCV takes for anti-aliased lines: a sixteenth of a pixel."""

_UNDER = 2.0
"""Width of the dark line over that of the bright one."""


def paint(drawing: Drawing, image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a copy of a picture of the drawing's size, shape (height, width, 3), with the drawing on it."""
    canvas = image_bgr.copy()
    for mark in drawing.marks:
        if isinstance(mark, Line):
            _line(canvas, mark)
        else:
            _tag(canvas, mark)
    return canvas


def _line(canvas: NDArray[np.uint8], line: Line) -> None:
    corners = _fixed(line.points_px)
    cv2.polylines(canvas, [corners], True, DARK, max(2, round(_UNDER * line.width_px)), cv2.LINE_AA, _SHIFT)
    over = _dashes(line.points_px, line.dash_px) if line.dash_px else [corners]
    cv2.polylines(canvas, over, not line.dash_px, line.color_bgr, max(1, round(line.width_px)), cv2.LINE_AA, _SHIFT)


def _fixed(points_px: object) -> NDArray[np.int32]:
    return np.round(np.asarray(points_px) * (1 << _SHIFT)).astype(np.int32)


_MOST_DASHES = 4000
"""Of a side, more than any picture has room for: a side that leads a million pixels out of it is not counted through."""


def _dashes(points_px: Floats, dash_px: float) -> list[NDArray[np.int32]]:
    """Cut each side into an odd number of equal parts and keep every other one, so that corners are always drawn."""
    corners = [(float(x), float(y)) for x, y in points_px]
    dashes = []
    for (x, y), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        parts = max(1, round(min(hypot(x2 - x, y2 - y) / dash_px, _MOST_DASHES)) // 2 * 2 + 1)
        step_x, step_y = (x2 - x) / parts, (y2 - y) / parts
        dashes += [((x + i * step_x, y + i * step_y), (x + (i + 1) * step_x, y + (i + 1) * step_y)) for i in range(0, parts, 2)]
    return list(_fixed(dashes))


def _tag(canvas: NDArray[np.uint8], tag: Tag) -> None:
    box = tag.box
    left, top, right, bottom = round(box.left), round(box.top), round(box.left + box.width), round(box.top + box.height)
    if tag.is_round:
        center = tuple(round(v * (1 << _SHIFT)) for v in box.center)
        radius = round(box.width / 2 * (1 << _SHIFT))
        cv2.circle(canvas, center, radius, DARK, -1, cv2.LINE_AA, _SHIFT)
        cv2.circle(canvas, center, round(0.86 * radius), tag.plate_bgr, -1, cv2.LINE_AA, _SHIFT)
    elif tag.opacity:
        plate = canvas[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
        if plate.size:
            cv2.addWeighted(plate, 1 - tag.opacity, np.full_like(plate, tag.plate_bgr), tag.opacity, 0, dst=plate)
    width, height = text_size(tag.lines, tag.size_px, tag.bold)
    middle_x, middle_y = box.center
    for number, text in enumerate(tag.lines):
        line_width = text_width(text, tag.size_px, tag.bold) if tag.centered else width
        cap_top = middle_y - height / 2 + number * LINE_HEIGHT * tag.size_px
        origin = round(middle_x - line_width / 2), round(cap_top + _CAP_HEIGHT * tag.size_px)
        put_text(canvas, text, origin, tag.ink_bgr, round(tag.size_px), _BOLD if tag.bold else _REGULAR)
