"""Colours that a picture has lost: how much is told by its inks, and what they look like with it."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import visionset
from visionset.geometry import outlines_of
from visionset.kinds import BY_INK
from visionset.pieces import Kind
from visionset.vision import colour
from visionset.vision.options import ReadOptions

SAMPLES = Path(__file__).parents[2] / "samples"
BY_KIND = {
    "table-12.jpg": {Kind.SET_CARD},
    "set_dice/crossword.jpg": {Kind.SET_DIE},
    "playing_cards/columns.jpg": {Kind.PLAYING_CARD, Kind.CARD_BACK},
}


def sample(name):
    return cv2.imread(str(SAMPLES / name))


def faded(image_bgr, share):
    """The picture with so much of its colour left, each pixel as bright as before."""
    gray = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)[..., None].astype(np.float64)
    return np.clip(np.round(gray + share * (image_bgr - gray)), 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def twelve():
    return visionset.read(sample("table-12.jpg")).sightings


@pytest.mark.parametrize("share", [pytest.param(0.5, marks=pytest.mark.slow), 0.3])
@pytest.mark.parametrize("name", BY_KIND)
def test_a_pale_table_is_read_as_a_colourful_one(name, share):
    options = ReadOptions(kinds=frozenset(BY_KIND[name]))
    full, thin = (visionset.read(image, options) for image in (sample(name), faded(sample(name), share)))
    named = {str(piece) for piece in full.pieces if piece is not None}
    seen = {str(piece) for piece in thin.pieces if piece is not None}
    assert len(named) >= 8
    truth = json.loads((SAMPLES / name).with_name("truth.json").read_text())
    assert not seen - set(truth["photos"][Path(name).name]["pieces"])
    assert len(seen) >= 0.9 * len(named)


@pytest.mark.parametrize("share", [0.75, 0.5, 0.25])
def test_inks_are_as_much_less_colourful_as_the_picture_has_faded(twelve, share):
    quads = outlines_of(twelve)
    before, _ = colour._colourfulness(sample("table-12.jpg"), quads)
    after, _ = colour._colourfulness(faded(sample("table-12.jpg"), share), quads)
    assert after == pytest.approx(share * before, abs=0.03)


def test_a_faded_picture_has_its_colours_back(twelve):
    image = faded(sample("table-12.jpg"), 0.5)
    (again,) = (colour.with_full_colours(image, twelve),)
    assert colour._colourfulness(again, outlines_of(twelve))[0].max() == pytest.approx(colour._USUAL, abs=0.05)
    gray = [cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(int) for picture in (image, again)]
    assert np.abs(gray[0] - gray[1]).mean() < 1  # as bright as before


def test_a_colourful_picture_stays_as_it_is(twelve):
    assert colour.with_full_colours(sample("table-12.jpg"), twelve) is None


def test_a_few_pieces_do_not_tell(twelve):
    image = faded(sample("table-12.jpg"), 0.3)
    assert colour.with_full_colours(image, twelve[: colour._FEWEST]) is not None
    assert colour.with_full_colours(image, twelve[: colour._FEWEST - 1]) is None
    assert colour.with_full_colours(image, ()) is None


def test_a_gray_picture_stays_gray(twelve):
    assert colour.with_full_colours(faded(sample("table-12.jpg"), 0), twelve) is None
    assert not [piece for piece in visionset.read(faded(sample("table-12.jpg"), 0)).pieces if piece is not None and piece.kind in BY_INK]


def test_the_colour_of_the_light_is_no_colour_of_inks(twelve):
    image = (sample("table-12.jpg") * np.array([0.5, 0.8, 1.0])).astype(np.uint8)
    quads = outlines_of(twelve)
    assert colour._colourfulness(image, quads)[0] == pytest.approx(colour._colourfulness(sample("table-12.jpg"), quads)[0], abs=0.06)
    again = colour.with_full_colours((faded(sample("table-12.jpg"), 0.3) * np.array([0.5, 0.8, 1.0])).astype(np.uint8), twelve)
    paper = np.median(colour._colourfulness(again, quads)[1].reshape(-1, 3), axis=0)
    assert paper / paper.max() == pytest.approx([0.5, 0.8, 1.0], abs=0.03)


def test_black_suits_are_not_made_colourful():
    image = faded(sample("playing_cards/columns.jpg"), 0.05)
    doubtful = [replace(one, confidence=0.7) for one in visionset.read(sample("playing_cards/columns.jpg")).sightings]
    assert len(doubtful) > 8
    assert colour.with_full_colours(image, doubtful) is None
    assert colour.with_full_colours(faded(image, 0), doubtful) is None
