from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tests.vision.sheets import LENS, SHIFTS, SIZE_PX, SLANTS, photo, pose
from visionset.calibration import Calibration
from visionset.errors import CalibrationError
from visionset.geometry import Floats, apply
from visionset.render.camera import Viewpoint
from visionset.vision.camera_calibration import is_new_view, lens_from_cards, lens_from_sheets, measured_card_mm
from visionset.vision.charuco import SIZE_MM, CharucoView, find_sheet


@cache
def views() -> tuple[CharucoView, ...]:
    found = tuple(find_sheet(photo(at)) for at in range(len(SLANTS)))
    assert all(view is not None for view in found)
    return found  # type: ignore[return-value]


def test_corners_are_found_within_a_third_of_a_pixel() -> None:
    for at, view in enumerate(views()):
        truth = LENS.distorted(apply(LENS.matrix @ pose(at), view.corners_mm))
        assert np.sqrt(((view.corners_px - truth) ** 2).sum(axis=1).mean()) < 0.35
        assert len(view.ids) > 30


def test_no_sheet_is_none() -> None:
    assert find_sheet(np.full((120, 160, 3), 90, np.uint8)) is None


def test_the_lens_is_recovered() -> None:
    """Stated tolerance: focal length within 1.5 %, centre within 6 px, reprojection below 0.4 px."""
    fit = lens_from_sheets(views(), SIZE_PX)
    assert fit.error_px < 0.4
    assert fit.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.015)
    assert np.abs(np.array(fit.lens.center_px) - LENS.center_px).max() < 6
    corners = np.array([[20.0, 20], [620, 20], [620, 460], [20, 460]])
    assert np.abs(fit.lens.undistorted(corners) - LENS.undistorted(corners)).max() < 6


def test_the_table_is_measured_where_the_sheet_lay_last() -> None:
    """Stated tolerance: lengths on the table within 1 %."""
    fit = lens_from_sheets(views(), SIZE_PX)
    profile = Calibration("a", "camera 0", SIZE_PX, lens=fit.lens, image_from_table=tuple(fit.image_from_table.ravel()))
    last = len(SLANTS) - 1
    square_mm = np.array([[25.0, 25], [150, 25], [150, 225], [25, 225]])
    seen = LENS.distorted(apply(LENS.matrix @ pose(last), square_mm))
    assert np.abs(profile.table_mm(seen) - square_mm).max() < 2.0


def test_too_few_views_and_another_sheet_are_said() -> None:
    with pytest.raises(CalibrationError, match="expected 4 views"):
        lens_from_sheets(views()[:3], SIZE_PX)
    bent = [CharucoView(v.ids, v.corners_px + 9 * np.sin(v.corners_mm / 30), v.corners_mm) for v in views()]
    with pytest.raises(CalibrationError, match="glue it"):
        lens_from_sheets(bent, SIZE_PX)


def flat_on(turn_deg: float, size: float, shift_px: tuple[float, float]) -> CharucoView:
    """The sheet, not slanted at all, with the noise of corners."""
    here = views()[0]
    turn = size * np.exp(1j * np.radians(turn_deg)) * (here.corners_mm @ [1, 1j])
    noise = np.random.default_rng(int(turn_deg)).normal(0, 0.2, (len(turn), 2))
    return CharucoView(here.ids, np.stack([turn.real, turn.imag], axis=1) + shift_px + noise, here.corners_mm)


def test_views_of_one_slant_tell_no_focal_length() -> None:
    """The law of it: of planes that are parallel any focal length explains as much; moved, turned and nearer they are still parallel."""
    alike = [flat_on(40 * at, 1 + 0.1 * at, (60.0 * at, 9.0 * at)) for at in range(8)]
    assert all(is_new_view(view, alike[:at], SIZE_PX[0]) for at, view in enumerate(alike))
    with pytest.raises(CalibrationError, match="at 4 slants or more, got 1 in 8 views; tilt it"):
        lens_from_sheets(alike, SIZE_PX)
    assert max(view.slanted_from(other) for view in alike for other in alike) < 0.01
    with pytest.raises(CalibrationError, match="got 3 in 10 views"):
        lens_from_sheets([*alike, *views()[:2]], SIZE_PX)


def test_a_sheet_that_is_tilted_in_its_place_is_enough() -> None:
    held = []
    for at, view in enumerate(views()[:4]):
        in_place = pose(at) + np.outer(np.array([0.0, 0.0, 450.0]) - SHIFTS[at], [0, 0, 1])
        noise = np.random.default_rng(at).normal(0, 0.1, (len(view.ids), 2))
        held.append(CharucoView(view.ids, LENS.distorted(apply(LENS.matrix @ in_place, view.corners_mm)) + noise, view.corners_mm))
    assert not is_new_view(held[1], held[:1], SIZE_PX[0])
    assert lens_from_sheets(held, SIZE_PX).lens.focal_px == pytest.approx(LENS.focal_px, rel=0.02)


def test_a_view_is_new_when_the_sheet_moved() -> None:
    here = views()[0]
    nudged = CharucoView(here.ids, here.corners_px + 5, here.corners_mm)
    assert not is_new_view(nudged, [here], SIZE_PX[0])
    assert is_new_view(views()[1], [here], SIZE_PX[0])
    strange = CharucoView(here.ids + 1000, here.corners_px, here.corners_mm)
    assert is_new_view(strange, [here], SIZE_PX[0])


def cards(card_mm: tuple[float, float], tilt_deg: float = 40.0, noise_px: float = 0.8, count: int = 12) -> tuple[Floats, Viewpoint]:
    """Cards on a table and the pinhole that sees them: 1280x720, focal length 1000 px."""
    distance_mm = 600.0
    view = Viewpoint((1280, 720), 1000 / distance_mm, tilt_deg, 8.0, distance_mm, (639.5, 359.5))
    rng = np.random.default_rng(5)
    quads = []
    for at in range(count):
        turn = rng.uniform(0, 2 * np.pi)
        matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        card = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(card_mm) / 2
        middle = np.array([(at % 4 - 1.5) * 130, (at // 4 - 1) * 130])
        quads.append(apply(view.image_from_table, card @ matrix.T + middle) + rng.normal(0, noise_px, (4, 2)))
    return np.array(quads), view


def test_the_lens_is_told_from_cards() -> None:
    """Stated tolerance: focal length within 6 %, lengths on the table within 3 %, with corners off by 0.8 px."""
    quads, _ = cards((57.0, 87.0))
    fit = lens_from_cards(quads, (1280, 720))
    assert fit.lens.focal_px[0] == pytest.approx(1000, rel=0.06)
    assert fit.error_px < 2.0
    on_table = apply(np.linalg.inv(fit.image_from_table), quads.reshape(-1, 2)).reshape(-1, 4, 2)
    assert measured_card_mm(on_table) == pytest.approx((57.0, 87.0), rel=0.03)
    apart = np.linalg.norm(on_table[3].mean(axis=0) - on_table[0].mean(axis=0))
    assert apart == pytest.approx(390.0, rel=0.03)


def test_another_shape_of_card_is_learned() -> None:
    fit = lens_from_cards(cards((64.0, 89.0))[0], (1280, 720), card_mm=None)
    assert fit.card_mm[0] / fit.card_mm[1] == pytest.approx(64 / 89, rel=0.03)


@pytest.mark.parametrize(
    ("quads", "says"),
    [
        (cards((57.0, 87.0), count=5)[0], "6 cards or more, got 5"),
        (cards((57.0, 87.0), tilt_deg=0.0, noise_px=0.0)[0], "tilt the camera"),
        (cards((57.0, 87.0), noise_px=12.0)[0], "of a card off"),
    ],
)
def test_cards_that_say_too_little_are_refused(quads: Floats, says: str) -> None:
    with pytest.raises(CalibrationError, match=says):
        lens_from_cards(quads, (1280, 720))


def test_the_sheet_fits_on_both_papers() -> None:
    assert SIZE_MM == (175.0, 250.0)
