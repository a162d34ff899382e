"""The pinhole camera: one geometry for flat things and for things above the table."""

import numpy as np
import pytest

from visionset.geometry import apply
from visionset.render.camera import Viewpoint

VIEW = Viewpoint((640, 480), 1.3, 35.0, 12.0, 800.0, (310.0, 250.0))
POINTS_MM = np.array([[0.0, 0.0, 0.0], [120.0, -80.0, 0.0], [-60.0, 140.0, 35.0], [40.0, 20.0, 90.0]])


def test_seeing_points_agrees_with_the_projection_matrix():
    seen, _, scale = VIEW.see(POINTS_MM)
    projected = np.column_stack([POINTS_MM, np.ones(4)]) @ VIEW.image_from_space.T
    np.testing.assert_allclose(seen, projected[:, :2] / projected[:, 2:], atol=1e-9)
    assert scale[0] == pytest.approx(1.3)


def test_a_finer_view_has_its_pixel_centres_in_between():
    fine = VIEW.finer(2)
    np.testing.assert_allclose(fine.see(POINTS_MM)[0], 2 * VIEW.see(POINTS_MM)[0] + 0.5, atol=1e-9)


def test_the_eye_projects_to_no_finite_point_and_lies_at_its_distance():
    assert np.linalg.norm(VIEW.eye_mm) == pytest.approx(800.0)
    assert (np.append(VIEW.eye_mm, 1) @ VIEW.image_from_space.T)[2] == pytest.approx(0.0, abs=1e-9)


def test_picture_corners_come_back_from_the_table():
    corners = apply(VIEW.image_from_table, VIEW.table_mm())
    np.testing.assert_allclose(corners, [[0, 0], [640, 0], [640, 480], [0, 480]], atol=1e-6)


def test_a_horizon_in_the_picture_is_refused():
    with pytest.raises(ValueError, match="horizon"):
        Viewpoint((640, 480), 1.3, 80.0, 0.0, 300.0, (320.0, 240.0)).table_mm()
