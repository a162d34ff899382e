"""Why a piece has no name: each cause on the picture that shows it, and no cause where there is a name."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

import visionset
from visionset.pieces import PACK, Kind
from visionset.sample_files import samples_folder
from visionset.sources.picture import read_picture
from visionset.table import Sighting, Unread
from visionset.vision.unread import why_unread, without_name_where_cut_off

Image = np.ndarray


@pytest.fixture(scope="module")
def image() -> Image:
    return read_picture(samples_folder() / "table-12.jpg")


@pytest.fixture(scope="module")
def cards(image: Image) -> tuple[Sighting, ...]:
    return visionset.read(image).sightings


def test_what_has_a_name_has_no_reason(cards: tuple[Sighting, ...]) -> None:
    assert len(cards) == 12
    assert {one.reason for one in cards if one.piece is not None} == {None}


def test_a_card_that_is_well_seen_is_doubtful(image: Image, cards: tuple[Sighting, ...]) -> None:
    assert {why_unread(image, replace(one, piece=None)) for one in cards} == {Unread.DOUBTFUL}


@pytest.mark.parametrize(("factor", "reason"), [(0.15, Unread.TOO_SMALL), (0.5, Unread.DOUBTFUL)])
def test_a_card_that_is_small_is_told_to_be_small(image: Image, cards: tuple[Sighting, ...], factor: float, reason: Unread) -> None:
    smaller = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    assert {why_unread(smaller, replace(one, piece=None, outline_px=one.outline_px * factor)) for one in cards} == {reason}


@pytest.mark.parametrize("side", range(4))
def test_a_card_at_any_edge_of_the_picture_is_cut_off(image: Image, cards: tuple[Sighting, ...], side: int) -> None:
    outline_px = cards[5].outline_px
    left, top, right, bottom = (*outline_px.min(axis=0).astype(int), *outline_px.max(axis=0).astype(int))
    box = [left - 40, top - 40, right + 40, bottom + 40]
    box[side] += 60 if side < 2 else -60
    cropped = image[box[1] : box[3], box[0] : box[2]]
    moved = replace(cards[5], piece=None, outline_px=outline_px - np.array(box[:2]))
    assert why_unread(cropped, moved) is Unread.CUT_OFF


@pytest.mark.parametrize(("left_out", "is_named"), [(0.1, True), (0.2, True), (0.3, False), (0.5, False)])
@pytest.mark.parametrize("side", range(4))
def test_what_is_mostly_in_the_picture_has_its_name_alone(cards: tuple[Sighting, ...], left_out: float, is_named: bool, side: int) -> None:
    square = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]]) - 0.5
    beyond = [(-1, 0), (0, -1), (1, 0), (0, 1)][side]
    outline_px = square + 100 * left_out * np.array(beyond)
    one = replace(cards[0], outline_px=outline_px, confidence=0.99)
    told = without_name_where_cut_off(one, (100, 100))
    assert (told is one) == is_named
    if not is_named:
        assert (told.piece, told.reason) == (None, Unread.CUT_OFF)
        assert told.guess is not None
        assert told.guess.piece == one.piece
        assert max(told.confidence, told.guess.confidence, told.guess.runner_up_confidence) <= 0.5
    ace = replace(one, kind=Kind.PLAYING_CARD, piece=PACK[0], guess=None)
    assert without_name_where_cut_off(ace, (100, 100)) is ace  # its index is in the picture, or else it would not have been read


def test_a_card_of_which_the_end_is_not_seen_has_no_name(image: Image, cards: tuple[Sighting, ...]) -> None:
    """Without its last symbol, a card of three looks like one of two."""
    one = max(cards, key=lambda card: card.outline_px[:, 0].mean())
    left, right = one.outline_px[:, 0].min(), one.outline_px[:, 0].max()
    for share in (0.5, 0.65):
        seen = visionset.read(image[:, : round(left + share * (right - left))]).sightings
        cut = [card for card in seen if abs(card.center_px[1] - one.center_px[1]) < 40 and card.center_px[0] > left]
        assert [(card.piece, card.reason) for card in cut] == [(None, Unread.CUT_OFF)]


def test_a_lamp_on_a_card_is_glare(image: Image, cards: tuple[Sighting, ...]) -> None:
    burnt, one = image.copy(), replace(cards[5], piece=None)
    radius = int(one.long_side_px / 3)
    cv2.circle(burnt, tuple(one.center_px.astype(int).tolist()), radius, (255, 255, 255), -1)
    assert why_unread(burnt, one) is Unread.GLARE


def test_without_colour_every_card_says_so(image: Image) -> None:
    gray = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    sightings = visionset.read(gray).sightings
    assert len(sightings) >= 10
    assert {one.reason for one in sightings} == {Unread.NO_COLOUR}
