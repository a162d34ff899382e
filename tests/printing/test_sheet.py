from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from visionset.printing.pdf import Paper
from visionset.printing.sheet import black_rectangles, sheet_pdf
from visionset.vision.charuco import SHEET, find_sheet

ROOT = Path(__file__).parents[2]
PX_A_MM = 4


def printed(data: bytes, paper: Paper) -> np.ndarray:
    """The rectangles of a page as a printer of four dots a millimetre would put them."""
    width, height = paper.value
    page = np.full((round(height * PX_A_MM), round(width * PX_A_MM)), 255, np.uint8)
    for match in re.findall(rb"^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f$", data, re.MULTILINE):
        left, low, across, down = (float(number) for number in match)
        top = height - low - down
        x0, x1, y0, y1 = (round(v * PX_A_MM) for v in (left, left + across, top, top + down))
        page[y0:y1, x0:x1] = 0
    return page


@pytest.mark.parametrize("paper", list(Paper))
def test_the_printed_sheet_is_found_and_exact(paper: Paper) -> None:
    page = printed(sheet_pdf(paper), paper)
    view = find_sheet(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR))
    assert view is not None
    assert len(view.ids) == (SHEET.columns - 1) * (SHEET.rows - 1)
    on_page = (view.corners_px + 0.5) / PX_A_MM
    assert np.ptp(on_page[:, 0]) == pytest.approx(5 * 25.0, abs=0.1)
    assert np.ptp(on_page[:, 1]) == pytest.approx(8 * 25.0, abs=0.1)
    assert on_page.mean(axis=0) == pytest.approx(np.array(paper.value) / 2, abs=0.2)


@pytest.mark.parametrize("paper", list(Paper))
def test_the_committed_sheets_are_those_of_the_program(paper: Paper) -> None:
    path = ROOT / "calibration" / f"charuco-{paper.name.lower()}.pdf"
    if not path.parent.is_dir():
        pytest.skip("no calibration folder beside the tests")
    assert path.read_bytes() == sheet_pdf(paper)


def test_the_file_is_sound_pdf() -> None:
    data = sheet_pdf(Paper.A4)
    assert data.startswith(b"%PDF-1.4")
    start = int(re.search(rb"startxref\n(\d+)", data)[1])  # type: ignore[index]
    assert data[start:].startswith(b"xref")
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", data), 1):
        assert data[int(place) :].startswith(f"{number} 0 obj".encode())
    assert re.search(rb"/MediaBox \[0 0 595\.2756 841\.8898\]", data)


def test_rectangles_cover_each_black_cell_once() -> None:
    black = np.random.default_rng(1).random((20, 30)) < 0.6
    count = np.zeros(black.shape, int)
    for x, y, across, down in black_rectangles(black):
        count[y : y + down, x : x + across] += 1
    assert (count == black).all()
