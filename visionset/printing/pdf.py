"""The few lines of PDF that pages of rectangles and words need; lengths in millimetres from the top left, exact on paper.

Written by hand: the whole of it is shorter than the settings of a library, and the bytes are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

_POINTS_A_MM = 72 / 25.4


class Paper(Enum):
    """Sheets of paper; the value is width and height in millimetres."""

    A4 = (210.0, 297.0)
    LETTER = (215.9, 279.4)


@dataclass(slots=True)
class Page:
    """One page in the making."""

    paper: Paper
    parts: list[str] = field(default_factory=list)
    """What is drawn, as PDF operators."""

    def rectangle(self, left: float, top: float, width: float, height: float) -> None:
        """A black rectangle."""
        self.parts.append(f"{_mm(left)} {_mm(self.paper.value[1] - top - height)} {_mm(width)} {_mm(height)} re f")

    def text(self, left: float, base: float, words: str, size_mm: float = 3.0) -> None:
        """Words in Helvetica, their base line at `base`."""
        shown = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        place = f"{_mm(left)} {_mm(self.paper.value[1] - base)} Td"
        self.parts.append(f"BT /F1 {_mm(size_mm)} Tf {place} ({shown}) Tj ET")


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """Write pages as a PDF file, to be printed at 100 %."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    objects.append(f"<< /Title ({title}) /Producer (visionset) >>".encode("cp1252"))
    kids = []
    for page in pages:
        width, height = page.paper.value
        # all numbers are millimetres: one matrix at the start makes points of them
        stream = "\n".join([f"{_POINTS_A_MM:.10f} 0 0 {_POINTS_A_MM:.10f} 0 0 cm", "0 g", *page.parts]).encode("cp1252")
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        box = f"[0 0 {width * _POINTS_A_MM:.4f} {height * _POINTS_A_MM:.4f}]"
        resources = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox {box} {resources} /Contents {number + 1} 0 R >>".encode())
        objects.append(f"<< /Length {len(stream)} >>\nstream\n".encode() + stream + b"\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    out = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()


def _mm(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")
