"""A veil or an exposure that lifts the shadows changes no name; a good picture is read as it is."""

import cv2
import numpy as np
import pytest

from tests.rendering import tables
from visionset.pieces import Kind
from visionset.vision.colour import without_veil
from visionset.vision.pipeline import read

UNIT = np.arange(256) / 255
SHADOWS_LIFTED = (255 * np.sqrt(UNIT)).astype(np.uint8)
VEILS = {
    "gray": lambda image: np.clip(0.6 * image + 90, 0, 255).astype(np.uint8),
    "bluish": lambda image: np.clip(0.7 * image + np.array([80, 70, 60]), 0, 255).astype(np.uint8),
    "lifted": lambda image: cv2.LUT(image, SHADOWS_LIFTED),
}


@pytest.fixture(scope="module")
def cards():
    return [image for image, _ in tables(Kind.SET_CARD, (2, 3, 5), (560, 420))]


@pytest.fixture(scope="module")
def names(cards):
    return [names_in(image) for image in cards]


def names_in(image):
    return sorted(str(piece) for piece in read(image).pieces if piece)


@pytest.mark.parametrize("veil", VEILS)
def test_a_veil_changes_no_name(cards, names, veil):
    assert [names_in(VEILS[veil](image)) for image in cards] == names
    assert sum(map(len, names)) >= 12


def test_good_pictures_are_not_touched(cards):
    for image in [*cards, cards[0] // 3, 255 - np.zeros_like(cards[0]), np.zeros((1, 1, 3), np.uint8)]:
        assert without_veil(image) is image


def test_what_is_taken_off_is_the_veil_alone(cards):
    for image in cards:
        veiled = VEILS["gray"](image)
        before = veiled.copy()
        clear = without_veil(veiled)
        assert np.array_equal(veiled, before)
        off = np.abs(clear.astype(float) - image)
        assert off.mean() < 0.6 * np.abs(veiled.astype(float) - image).mean()
        assert abs(np.percentile(clear.max(axis=2), 99) - np.percentile(veiled.max(axis=2), 99)) <= 2


def test_where_nothing_is_dark_nothing_is_known_of_a_veil():
    light = np.random.default_rng(1).integers(190, 250, (90, 120, 3)).astype(np.uint8)
    assert without_veil(light) is light
