"""Top faces share a view; side faces of the same dice do not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.geometry import signed_area
from visionset.vision.judging import DOUBT
from visionset.vision.top_faces import (
    as_seen_at,
    contrast_evidence,
    light_evidence,
    shapes,
    side_evidence,
    top_evidence,
    tops,
)

SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def camera(elevation_deg):
    """Orthographic view of (x, y, up) in millimetres from `elevation_deg` above the table, in pixels, y down."""
    tilt = np.radians(elevation_deg)
    return np.array([[1.0, 0.0, 0.0], [0.0, np.sin(tilt), -np.cos(tilt)]])


def faces(rng, elevation_deg, dice, side=30.0):
    """Top face and the nearer side face of dice turned at random, each shape (dice, 4, 2)."""
    top, near = [], []
    for _ in range(dice):
        angle = rng.uniform(-0.6, 0.6)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        place = rng.uniform(0, 500, 2)
        flat = SQUARE @ turn.T * side / 2 + place
        low = np.column_stack([flat, np.zeros(4)])
        high = np.column_stack([flat, np.full(4, side)])
        view = camera(elevation_deg)
        top.append(high @ view.T)
        near.append(np.array([high[3], high[2], low[2], low[3]]) @ view.T)
    return np.array(top), np.array(near)


@given(angle=st.floats(0, np.pi), a=st.floats(0.3, 3), b=st.floats(-1, 1), c=st.floats(0.3, 3), size=st.floats(5, 200))
def test_the_shape_of_a_square_does_not_know_how_it_is_turned(angle, a, b, c, size):
    view = np.array([[a, b], [0.0, c]])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    plain, turned = size * SQUARE @ view.T, size * SQUARE @ turn.T @ view.T
    np.testing.assert_allclose(*shapes(np.array([plain, turned])), atol=1e-6)


@pytest.mark.parametrize("elevation_deg", [30, 40, 50, 60, 75])
def test_side_faces_are_told_from_top_faces(elevation_deg):
    top, near = faces(np.random.default_rng(3), elevation_deg, 8)
    quads = np.concatenate([top, near[:4]])
    evidence = top_evidence(quads, np.full(len(quads), 0.95))
    assert evidence[:8].min() > 0.5
    assert evidence[:8].min() > evidence[8:].max()
    kept = tops(quads, evidence)
    assert kept[:8].all()
    if abs(elevation_deg - 45) > 10:  # from half way up a side face that looks at the camera is as square as the top face
        assert not kept[8:].any()


@pytest.mark.parametrize("elevation_deg", [25, 35, 45, 55, 65])
def test_what_lies_where_a_likelier_die_has_a_side_face_is_less_likely_a_top_face(elevation_deg):
    """From half way up, too, where side faces and top faces look alike."""
    top, near = faces(np.random.default_rng(3), elevation_deg, 8)
    quads, odds = np.concatenate([top, near]), np.repeat([4.0, 1.0], 8)
    said = side_evidence(quads, odds, np.repeat([0.95, 0.6], 8), 0.5)
    assert not said[:8].any()
    assert (said[8:] == -DOUBT).all()


def test_no_die_speaks_against_another_that_lies_elsewhere_or_where_no_view_is_known():
    top, near = faces(np.random.default_rng(3), 45, 8)
    sure, odds = np.full(8, 0.95), np.linspace(1, 4, 8)
    assert not side_evidence(top, odds, sure, 0.5).any()
    assert not side_evidence(top[:0], odds[:0], sure[:0], 0.5).any()
    beside = np.stack([top[0], near[0] + [45.0, 0.0]])
    assert not side_evidence(beside, np.array([4.0, 1.0]), sure[:2], 0.5).any()
    assert not side_evidence(np.stack([top[0], near[0]]), np.array([4.0, 1.0]), np.full(2, 0.5), 0.5).any()


@given(lamp=st.tuples(st.floats(-0.4, 0.4), st.floats(-0.4, 0.4)), exposure=st.floats(20, 240), side=st.sampled_from([-0.6, 0.3, 0.8]))
def test_under_one_lamp_a_face_of_another_brightness_is_hardly_a_top_face(lamp, exposure, side):
    """The lamp stands aside: light changes by up to half across the table."""
    top, near = faces(np.random.default_rng(5), 50, 12)
    quads = np.concatenate([top, near[:2]])
    x, y = quads.mean(axis=1).T / 500
    light = lamp[0] * x + lamp[1] * y
    light[12:] += side
    evidence = light_evidence(quads, exposure * np.exp(light), np.full(14, 0.95))
    assert (evidence[:12] > -0.2).all()
    assert (evidence[12:] == -DOUBT).all()


def test_of_few_dice_brightness_says_nothing():
    top, _ = faces(np.random.default_rng(6), 50, 7)
    assert not light_evidence(top, np.linspace(50, 200, 7), np.full(7, 0.95)).any()


def test_a_single_die_keeps_its_upper_face():
    top, near = faces(np.random.default_rng(4), 40, 1)
    quads = np.concatenate([near, top])
    assert np.all(top_evidence(quads, np.full(2, 0.95)) == 0)
    assert tops(quads, np.zeros(2)).tolist() == [False, True]


def test_touching_top_faces_stay():
    one = SQUARE * 15 + 100
    quads = np.array([one, one + np.array([30, 0]), one + np.array([0, 30]), one + 30])
    assert tops(quads, np.zeros(4)).all()


def test_dice_of_two_sizes_are_both_dice():
    top, _ = faces(np.random.default_rng(5), 50, 6)
    large, _ = faces(np.random.default_rng(6), 50, 3, side=42.0)
    evidence = top_evidence(np.concatenate([top, large]), np.full(9, 0.95))
    assert evidence.min() > -1


def test_nothing_is_no_trouble():
    assert top_evidence(np.empty((0, 4, 2)), np.empty(0)).shape == (0,)
    assert tops(np.empty((0, 4, 2)), np.empty(0)).shape == (0,)


@given(st.integers(0, 2**32 - 1))
def test_dice_are_seen_elsewhere_as_the_nearest_one_is(seed):
    rng = np.random.default_rng(seed)
    tilted = np.array([[1.0, 0.0], [0.0, rng.uniform(0.4, 1.0)]])
    square = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * 10
    turns = rng.uniform(0, 2 * np.pi, 5)
    spin = np.stack([[np.cos(turns), -np.sin(turns)], [np.sin(turns), np.cos(turns)]]).transpose(2, 0, 1)
    known = square @ (tilted @ spin).transpose(0, 2, 1) + rng.uniform(0, 400, (5, 1, 2))
    centers = rng.uniform(0, 400, (3, 2))
    standing, turned = as_seen_at(centers, known)
    frames = np.concatenate([standing, turned])
    assert np.allclose(frames.mean(axis=1), np.concatenate([centers, centers]))
    assert np.allclose(shapes(frames), shapes(known)[0], atol=1e-6)  # every square of the table has one shape
    assert all(signed_area(frame) > 0 for frame in frames)


def test_a_face_that_is_lit_otherwise_than_a_top_face_above_it_is_less_likely_one():
    beside = np.stack([SQUARE * 15 + place for place in ((100, 100), (130, 100), (100, 130), (300, 130))])
    sure = np.full(4, 0.95)
    for exposure in (0.3, 1.0):
        evidence = contrast_evidence(beside, exposure * np.array([200.0, 206.0, 250.0, 250.0]), sure)
        assert evidence[[0, 1, 3]].tolist() == [0, 0, 0]  # above it, and what lies alone
        assert -DOUBT <= evidence[2] < 0
        assert not contrast_evidence(beside, exposure * np.array([200.0, 206.0, 203.0, 250.0]), sure).any()
    assert not contrast_evidence(beside, np.array([200.0, 206.0, 250.0, 250.0]), np.where(np.arange(4) == 0, 0.5, 0.95)).any()


def test_of_two_faces_above_it_one_that_is_lit_alike_is_enough():
    turned = SQUARE @ (np.sqrt(0.5) * np.array([[1.0, 1.0], [-1.0, 1.0]])) * 15
    step = 30 * np.sqrt(0.5)
    crossing = np.stack([turned + place for place in ((0, 0), (-step, -step), (step, -step))]) + 200
    for left, right, is_like_one in ((250.0, 200.0, True), (200.0, 250.0, True), (200.0, 200.0, False)):
        evidence = contrast_evidence(crossing, np.array([250.0, left, right]), np.full(3, 0.95))
        assert (evidence[0] == 0) == is_like_one
        assert evidence[1:].tolist() == [0, 0]
