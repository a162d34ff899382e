"""Pages of vectors, exact in millimetres from the top left, written as PDF by ReportLab (the extra `print`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from io import BytesIO
from typing import Any

from visionset.errors import OutputError
from visionset.geometry import Floats

_POINTS_A_MM = 72 / 25.4
_CAP_HEIGHT = 0.72
"""Height of capitals and digits in sizes of the font."""

Rgb8 = tuple[int, int, int]
"""sRGB levels, 0 to 255."""

BLACK: Rgb8 = (0, 0, 0)
WHITE: Rgb8 = (255, 255, 255)
GREY: Rgb8 = (150, 150, 150)

NOTE: Rgb8 = (90, 90, 90)
"""Of what a page says of itself, beside what is cut out."""

NOTE_MM = 2.2
"""Size of its letters."""

NOTE_BASE_MM = 4.3
"""From the lower edge of the paper to its base line: most printers leave 4.2 mm free."""


class Paper(Enum):
    """Sheets of paper; the value is width and height in millimetres."""

    A4 = (210.0, 297.0)
    LETTER = (215.9, 279.4)


def needed(module: str) -> Any:
    """A module of ReportLab; raises `OutputError` where it is not installed."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError as error:
        raise OutputError(f"expected the package that writes PDF, got no {error.name}; run pip install 'visionset[print]'") from None


class Pages:
    """A document in the making; all lengths in millimetres, y downwards.

    Parameters
    ----------
    paper : Paper
        Of all pages.
    title : str
        Of the document.
    sideways : bool
        Whether the long side lies at the top.

    Raises
    ------
    OutputError
        The extra `print` is not installed.
    """

    def __init__(self, paper: Paper, title: str, sideways: bool = False) -> None:
        canvas = needed("reportlab.pdfgen.canvas")
        self._metrics = needed("reportlab.pdfbase.pdfmetrics")
        self.size_mm = paper.value[::-1] if sideways else paper.value
        self._out = BytesIO()
        points = tuple(side * _POINTS_A_MM for side in self.size_mm)
        self._canvas = canvas.Canvas(self._out, pagesize=points, invariant=1, pageCompression=1)
        self._canvas.setTitle(title)
        self._canvas.setAuthor("visionset")
        self._canvas.setViewerPreference("PrintScaling", "None")
        self._is_begun = False

    def begin(self) -> None:
        """Begin a page; the first one too."""
        if self._is_begun:
            self._canvas.showPage()
        self._is_begun = True
        self._canvas.translate(0, self.size_mm[1] * _POINTS_A_MM)
        self._canvas.scale(_POINTS_A_MM, -_POINTS_A_MM)

    @contextmanager
    def placed(self, x: float, y: float, turn_deg: float = 0.0, scale: float = 1.0) -> Iterator[None]:
        """Draw about another origin, turned clockwise."""
        self._canvas.saveState()
        self._canvas.translate(x, y)
        self._canvas.rotate(turn_deg)
        self._canvas.scale(scale, scale)
        yield
        self._canvas.restoreState()

    @contextmanager
    def clipped(self, left: float, top: float, width: float, height: float) -> Iterator[None]:
        """Draw within a rectangle alone."""
        self._canvas.saveState()
        path = self._canvas.beginPath()
        path.rect(left, top, width, height)
        self._canvas.clipPath(path, stroke=0, fill=0)
        yield
        self._canvas.restoreState()

    def rectangle(self, left: float, top: float, width: float, height: float, fill: Rgb8 = BLACK) -> None:
        """A filled rectangle."""
        self._fill(fill)
        self._canvas.rect(left, top, width, height, stroke=0, fill=1)

    def frame(self, left: float, top: float, width: float, height: float, corner: float = 0.0, *, line: float = 0.25) -> None:
        """The outline of a rectangle, in black."""
        self._pen(BLACK, line)
        self._canvas.roundRect(left, top, width, height, corner, stroke=1, fill=0)

    def lines(self, segments: Floats, width: float, paint: Rgb8 = BLACK, dashes: Sequence[float] = ()) -> None:
        """Straight lines, shape (n, 2, 2)."""
        self._pen(paint, width, dashes)
        self._canvas.lines(segments.reshape(-1, 4).tolist())

    def outline(
        self, points: Floats, *, fill: Rgb8 | None = None, line: float = 0.0, paint: Rgb8 = BLACK, dashes: Sequence[float] = ()
    ) -> None:
        """A closed polygon, shape (n, 2), filled, with a line around where that is wider than 0."""
        if fill is not None:
            self._fill(fill)
        if line:
            self._pen(paint, line, dashes)
        path = self._canvas.beginPath()
        (x, y), *others = points.tolist()
        path.moveTo(x, y)
        for x, y in others:
            path.lineTo(x, y)
        path.close()
        self._canvas.drawPath(path, stroke=int(line > 0), fill=int(fill is not None))

    def disc(self, x: float, y: float, radius: float, fill: Rgb8 = BLACK) -> None:
        """A filled disc."""
        self._fill(fill)
        self._canvas.circle(x, y, radius, stroke=0, fill=1)

    def text(
        self, x: float, base: float, words: str, size_mm: float = 3.0, *, bold: bool = False, anchor: str = "start", paint: Rgb8 = BLACK
    ) -> None:
        """Words in Helvetica, their base line at `base`; `anchor` says what of them stands at x: start, middle or end."""
        words = printable_words(words)
        left = x - self.width(words, size_mm, bold=bold) * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        self._canvas.saveState()
        self._fill(paint)
        self._canvas.translate(left, base)
        self._canvas.scale(1, -1)
        self._canvas.setFont(_font(bold), size_mm)
        self._canvas.drawString(0, 0, words)
        self._canvas.restoreState()

    def note(self, x: float, words: str) -> None:
        """What the page says of itself, at its lower edge."""
        self.text(x, self.size_mm[1] - NOTE_BASE_MM, words, NOTE_MM, paint=NOTE)

    def middle(self, x: float, y: float, words: str, size_mm: float, *, bold: bool = True, paint: Rgb8 = BLACK) -> None:
        """Words whose capitals have their middle at a point."""
        self.text(x, y + _CAP_HEIGHT / 2 * size_mm, words, size_mm, bold=bold, anchor="middle", paint=paint)

    def width(self, words: str, size_mm: float, *, bold: bool = False) -> float:
        """How wide words are."""
        return float(self._metrics.stringWidth(printable_words(words), _font(bold), size_mm))

    def data(self) -> bytes:
        """The file; the pages are complete with it."""
        self._canvas.showPage()
        self._canvas.save()
        return self._out.getvalue()

    def _fill(self, paint: Rgb8) -> None:
        self._canvas.setFillColorRGB(*(level / 255 for level in paint))

    def _pen(self, paint: Rgb8, width: float, dashes: Sequence[float] = ()) -> None:
        self._canvas.setStrokeColorRGB(*(level / 255 for level in paint))
        self._canvas.setLineWidth(width)
        self._canvas.setLineJoin(1)
        self._canvas.setLineCap(0 if dashes else 1)
        self._canvas.setDash(list(dashes))


def printable_words(words: str) -> str:
    """Words with the letters that the fonts of every printer have; a question mark for others."""
    return words.encode("cp1252", "replace").decode("cp1252")


def _font(bold: bool) -> str:
    return "Helvetica-Bold" if bold else "Helvetica"
