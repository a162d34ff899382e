import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes.solids import draw_polyhedron, solid

from visionset.render.stage import Light
from visionset.render.viewpoint import Viewpoint

SIDES = (4, 6, 8, 10, 12, 20)
CORNERS = {4: 3, 6: 4, 8: 3, 10: 4, 12: 5, 20: 3}


@pytest.mark.parametrize("sides", SIDES)
def test_a_solid_is_closed_and_touches_its_sphere_with_every_face(sides):
    body = solid(sides)
    assert [len(face) for face in body.faces] == [CORNERS[sides]] * sides
    for normal, face in zip(body.normals, body.faces, strict=True):
        assert np.allclose(face @ normal, 1)
    corners = np.unique(np.concatenate(body.faces).round(6), axis=0)
    edges = sides * CORNERS[sides] // 2
    assert len(corners) - edges + sides == 2  # Euler
    assert np.all(corners @ body.normals.T < 1 + 1e-6)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.floats(0, 60))
def test_what_is_drawn_is_owned_and_stays_in_the_picture(seed, tilt):
    picture, owner = np.full((90, 120, 3), 0.3, np.float32), np.full((90, 120), -1, np.int32)
    before = picture.copy()
    view = Viewpoint((120, 90), 1.5, tilt, 30.0, 400.0, (60.0, 45.0))
    rng = np.random.default_rng(seed)
    draw_polyhedron(
        rng, picture, owner, view, Light((0.0, 600.0, 800.0), (0.6, 0.6, 0.6), (0.4, 0.4, 0.4)), (float(rng.uniform(-60, 60)), 5.0)
    )
    assert set(np.unique(owner)) <= {-2, -1}
    assert np.isfinite(picture).all()
    assert picture.min() >= 0
    if (owner == -2).any():
        assert np.abs(picture - before)[owner == -2].max() > 0
