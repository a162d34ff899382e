import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes.clutter import numbered_die, solid

from visionset.render.camera import Viewpoint
from visionset.render.dice import draw_die
from visionset.render.layouts import Spot
from visionset.render.pixels import filled
from visionset.render.stage import Light

SIDES = (4, 6, 8, 10, 12, 20)
CORNERS = {4: 3, 6: 4, 8: 3, 10: 4, 12: 5, 20: 3}


@pytest.mark.parametrize("sides", SIDES)
def test_a_solid_is_closed_and_touches_its_sphere_with_every_face(sides):
    body = solid(sides, sides - 1)
    reach = body.corners @ body.faces[:, 2].T
    assert np.all(reach < 1 + 1e-6)
    assert np.count_nonzero(reach > 1 - 1e-6, axis=0).tolist() == [CORNERS[sides]] * sides
    assert len(body.corners) - sides * CORNERS[sides] // 2 + sides == 2  # Euler
    assert body.corners[:, 2].min() == pytest.approx(-1)
    assert np.count_nonzero(body.corners[:, 2] < -1 + 1e-6) == CORNERS[sides], "it lies on a face"


@pytest.mark.parametrize("sides", SIDES)
def test_prints_are_not_mirrored(sides):
    for right, down, out in solid(sides).faces:
        np.testing.assert_allclose(np.cross(right, down), out, atol=1e-12)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.floats(0, 60))
def test_what_is_drawn_stays_within_the_outline(seed, tilt):
    picture = np.full((90, 120, 3), 0.3, np.float32)
    before = picture.copy()
    view = Viewpoint((120, 90), 1.5, tilt, 30.0, 400.0, (60.0, 45.0))
    rng = np.random.default_rng(seed)
    die = numbered_die(rng).at(Spot(float(rng.uniform(-60, 60)), 5.0, 1.0))
    draw_die(picture, view, die, Light((0.0, 600.0, 800.0), (0.6, 0.6, 0.6), (0.4, 0.4, 0.4)))
    assert np.isfinite(picture).all()
    assert picture.min() >= 0
    outline = filled((120, 90), [cv2.convexHull(view.see(die.corners_mm())[0].astype(np.float32))[:, 0]])
    changed = np.abs(picture - before).max(axis=2) > 0
    assert not changed[cv2.dilate(outline, np.ones((5, 5))) == 0].any()
    assert changed.any() or outline.sum() < 4
