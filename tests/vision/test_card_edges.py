"""Outlines of cards lie on the edges of their paper."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rendering import tables
from visionset.pieces import Kind
from visionset.vision import pipeline
from visionset.vision.quads import on_edges

CARD_MM = np.array([[0.0, 0.0], [57.0, 0.0], [57.0, 87.0], [0.0, 87.0]])
SIZE_PX = (480, 360)


def seen_from(turn: float, slant: float, side_px: float) -> np.ndarray:
    """Corners of a card in the middle of a picture, turned and then seen at a slant."""
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = ((CARD_MM - CARD_MM.mean(axis=0)) / 87 * side_px @ np.array([[cos, sin], [-sin, cos]])).T
    depth = 1 - slant * y / side_px
    return np.stack([x / depth, y * (1 - slant / 2) / depth], axis=1) + np.array(SIZE_PX) / 2


def picture(corners: np.ndarray, paper: int = 235, table: int = 60) -> np.ndarray:
    image = np.full((SIZE_PX[1], SIZE_PX[0], 3), table, np.uint8)
    cv2.fillConvexPoly(image, np.round(corners * 256).astype(np.int32), (paper, paper, paper), cv2.LINE_AA, 8)
    return image


def displaced(corners: np.ndarray, seed: int, most_px: float) -> np.ndarray:
    return corners + np.random.default_rng(seed).uniform(-1, 1, (4, 2)) * most_px / np.sqrt(2)


@settings(deadline=None)
@given(st.floats(-np.pi, np.pi), st.floats(0, 0.5), st.floats(90, 240), st.integers(0, 2**31), st.integers(30, 180))
def test_outlines_come_to_lie_on_the_edges_from_wherever_the_reader_puts_them(turn, slant, side_px, seed, table):
    """By no more than the 7 mm in which edges are looked for: at a slant more of a side's length would be further off."""
    corners = seen_from(turn, slant, side_px)
    near = displaced(corners, seed, 0.04 * side_px)
    (found,) = on_edges(picture(corners, table=table), near[None])
    assert np.abs(found - corners).max() < 0.02 * side_px
    (again,) = on_edges(picture(corners, table=table), found[None])
    assert np.abs(again - corners).max() < 0.02 * side_px


@pytest.mark.parametrize("off_mm", [7.2, 7.5])
def test_an_edge_counts_where_it_is_looked_for_though_a_corner_lies_further_off(off_mm):
    """As a card looks whose outline is turned a little: in the middle of its side the edge is near."""
    corners = seen_from(0.0, 0.0, 220)
    near = corners.copy()
    near[:2, 1] += np.array([-off_mm, off_mm]) * 220 / 87
    (found,) = on_edges(picture(corners), near[None])
    assert np.abs(found - corners).max() < 2


@given(st.floats(-np.pi, np.pi), st.floats(0, 0.5), st.integers(0, 255))
def test_what_shows_no_edge_stays(turn, slant, shade):
    corners = seen_from(turn, slant, 150)
    (found,) = on_edges(picture(corners, shade, shade), corners[None])
    assert np.abs(found - corners).max() < 1e-3


@pytest.mark.parametrize("hidden", range(4))
def test_a_side_under_something_stays_and_the_others_do_not(hidden):
    """What lies on the card is as light as it, and its own edge is far away."""
    corners = seen_from(0.3, 0.2, 200)
    image, middle = picture(corners), corners.mean(axis=0)
    start, end = corners[hidden], corners[(hidden + 1) % 4]
    over = np.stack([start, end, end + 0.8 * (end - middle), start + 0.8 * (start - middle)])
    cv2.fillConvexPoly(image, np.round(over).astype(np.int32), (235, 235, 235))
    near = corners + (corners - middle) * 0.04
    (found,) = on_edges(image, near[None])
    opposite = [(hidden + 2) % 4, (hidden + 3) % 4]
    assert np.abs(found[opposite] - corners[opposite]).max() < 3
    along = (near[(hidden + 1) % 4] - near[hidden]) / np.linalg.norm(near[(hidden + 1) % 4] - near[hidden])
    away = (found[[hidden, (hidden + 1) % 4]] - near[hidden]) @ np.array([along[1], -along[0]])
    assert np.abs(away).max() < 1e-3


def test_none_gives_none():
    assert on_edges(picture(seen_from(0, 0, 100)), np.empty((0, 4, 2))).shape == (0, 4, 2)


@pytest.mark.parametrize("kind", [Kind.SET_CARD, Kind.PLAYING_CARD])
def test_most_outlines_of_a_table_lie_within_a_fiftieth_of_a_card(kind):
    away = []
    for image, pieces in tables(kind, range(840, 844)):
        corners = [np.stack([np.roll(piece.outline_px[::way], turn, axis=0) for turn in range(4) for way in (1, -1)]) for piece in pieces]
        for one in pipeline.read(image).sightings:
            side_px = np.sqrt(cv2.contourArea(one.outline_px.astype(np.float32)))
            away.append(min(np.linalg.norm(of - one.outline_px, axis=2).max(axis=1).min() for of in corners) / side_px)
    assert len(away) > 12
    assert np.median(away) < 0.02
