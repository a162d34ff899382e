"""Drawing as data: lines and tags over a picture, to be painted by OpenCV or written as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from visionset.geometry import Floats, read_only

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
    """A closed line: bright, over a darker and wider one, so that it shows on any ground.

    Attributes
    ----------
    points_px : ndarray of float64, shape (n, 2)
        Corners.
    color_bgr : tuple of int
        The bright line.
    width_px : float
        Its width; the dark line adds half of that on either side.
    dash_px : float
        Length of a dash and of the gap after it; 0 for a solid line.
    """

    points_px: Floats
    color_bgr: Bgr
    width_px: float
    dash_px: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "points_px", read_only(self.points_px))


@dataclass(frozen=True, slots=True)
class Tag:
    """Text on a plate.

    Attributes
    ----------
    box : Box
        The plate.
    lines : tuple of str
        Lines of text, centred.
    size_px : float
        Height of the letters' font.
    ink_bgr, plate_bgr : tuple of int
        Colours of letters and plate.
    opacity : float
        Of the plate, 0 to 1.
    is_round : bool
        A disc instead of a rectangle.
    bold : bool
        Heavy letters.
    centered : bool
        False: lines start at the left edge.
    """

    box: Box
    lines: tuple[str, ...]
    size_px: float
    ink_bgr: Bgr = WHITE
    plate_bgr: Bgr = DARK
    opacity: float = 0.75
    is_round: bool = False
    bold: bool = False
    centered: bool = True


@dataclass(frozen=True, slots=True)
class Drawing:
    """Marks over a picture of a given size, later ones on top."""

    size_px: tuple[int, int]
    marks: tuple[Line | Tag, ...] = ()

    def __add__(self, other: Drawing) -> Drawing:
        return Drawing(self.size_px, self.marks + other.marks)
