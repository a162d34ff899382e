from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.printing.photographs import flat, from_above, page_picture, pages_of, paths_mm, photograph, size_mm, words_of
from visionset.messages import speaking
from visionset.printing.pdf import Paper
from visionset.printing.sheet import RULER_MM, black_rectangles, sheet_pdf
from visionset.render.layouts import Spot
from visionset.vision.charuco import COLUMNS, ROWS, SIZE_MM, find_sheet

ROOT = Path(__file__).parents[2]
PX_A_MM = 4


@pytest.mark.parametrize("paper", list(Paper))
def test_the_printed_sheet_is_found_and_exact(paper: Paper) -> None:
    data = sheet_pdf(paper)
    assert size_mm(data) == pytest.approx(paper.value, abs=0.01)
    view = find_sheet(page_picture(data, 0, PX_A_MM))
    assert view is not None
    assert len(view.ids) == (COLUMNS - 1) * (ROWS - 1)
    on_page = (view.corners_px + 0.5) / PX_A_MM
    assert np.ptp(on_page[:, 0]) == pytest.approx(5 * 25.0, abs=1.1 / PX_A_MM)
    assert np.ptp(on_page[:, 1]) == pytest.approx(8 * 25.0, abs=1.1 / PX_A_MM)
    assert on_page.mean(axis=0) == pytest.approx(np.array(paper.value) / 2, abs=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("paper", list(Paper))
def test_the_printed_sheet_is_found_on_a_table(paper: Paper) -> None:
    sheet = flat(page_picture(sheet_pdf(paper), 0))
    view = find_sheet(photograph([(sheet, Spot(0.0, 0.0, 0.2))], from_above((1280, 720), 2.1, 25.0)))
    assert view is not None
    assert len(view.ids) == (COLUMNS - 1) * (ROWS - 1)


@pytest.mark.parametrize("paper", list(Paper))
def test_lengths_of_the_sheet_in_the_file(paper: Paper) -> None:
    paths = paths_mm(sheet_pdf(paper))
    points = np.concatenate(paths[:-3])
    assert np.ptp(points, axis=0) == pytest.approx(SIZE_MM, abs=0.01)
    assert np.ptp(paths[-3][:, 0]) == pytest.approx(RULER_MM, abs=0.01)


def test_the_sheet_speaks_the_language_that_is_spoken() -> None:
    with speaking("de"):
        assert "der Balken ist 100 mm lang" in words_of(sheet_pdf(Paper.A4))


@pytest.mark.parametrize("paper", list(Paper))
def test_the_committed_sheets_are_those_of_the_program(paper: Paper) -> None:
    """As they are drawn: other versions of the library may write the same drawing in other bytes."""
    path = ROOT / "calibration" / f"charuco-{paper.name.lower()}.pdf"
    if not path.parent.is_dir():
        pytest.skip("no calibration folder beside the tests")
    committed, made = path.read_bytes(), sheet_pdf(paper)
    assert pages_of(committed) == 1
    assert cv2.absdiff(page_picture(committed, 0, PX_A_MM), page_picture(made, 0, PX_A_MM)).max() <= 1


def test_rectangles_cover_each_black_cell_once() -> None:
    black = np.random.default_rng(1).random((20, 30)) < 0.6
    count = np.zeros(black.shape, int)
    for x, y, across, down in black_rectangles(black):
        count[y : y + down, x : x + across] += 1
    assert (count == black).all()
