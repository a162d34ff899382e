"""A lamp that is mirrored in a glossy piece: what it hides has no name, and is told of; everything else stays as it is."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

import visionset
from visionset.kinds import DICE
from visionset.pieces import SET_DECK, SET_DIE_FACES, Kind, Piece, PipDie
from visionset.sample_files import samples_folder
from visionset.sources.picture import read_picture
from visionset.table import Sighting, Unread
from visionset.vision.finder import Proposals
from visionset.vision.options import ReadOptions
from visionset.vision.unread import in_glare

Image = np.ndarray

SAMPLES = {
    Kind.SET_CARD: "webcam-dim.jpg",
    Kind.SET_DIE: "set_dice/scattered-42.jpg",
    Kind.PIP_DIE: "pip_dice/colours.jpg",
}


def lamp_on(image: Image, one: Sighting, size: float, at: tuple[float, float] = (0.5, 0.5)) -> Image:
    """A soft spot of light, so many short sides of the piece wide, on the piece alone: cloth mirrors nothing."""
    first, second, third, fourth = one.outline_px
    right, down = at
    x, y = (first * (1 - right) + second * right) * (1 - down) + (fourth * (1 - right) + third * right) * down
    short = min(np.linalg.norm(second - first), np.linalg.norm(third - second))
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    light = 600 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (size * short) ** 2)
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, one.outline_px.round().astype(np.int32), 1)
    return np.clip(image + (light * inside)[..., None], 0, 255).astype(np.uint8)


def at_place(sightings: tuple[Sighting, ...], one: Sighting) -> list[Sighting]:
    return [other for other in sightings if other.apart_px(one) < one.long_side_px / 3]


def read_only(image: Image, kind: Kind) -> tuple[Sighting, ...]:
    return visionset.read(image, ReadOptions(kinds=frozenset({kind}))).sightings


@pytest.mark.parametrize("kind", [Kind.SET_CARD, *(pytest.param(kind, marks=pytest.mark.slow) for kind in Kind if kind in DICE)])
def test_what_a_lamp_hides_is_not_named_and_mostly_told_of(kind: Kind) -> None:
    image = read_picture(samples_folder() / SAMPLES[kind])
    named = [one for one in read_only(image, kind) if one.piece is not None]
    told = []
    for hidden in named[:10]:
        after = read_only(lamp_on(image, hidden, 0.7), kind)
        there = at_place(after, hidden)
        assert [one.piece for one in there] in ([], [None])
        told += [one for one in there if one.reason is Unread.GLARE]
        assert all(one.guess is None for one in told)  # what is left of a piece is no hint at what it is
        others = [one for one in named if one is not hidden]
        assert [[one.piece for one in at_place(after, other)] for other in others] == [[other.piece] for other in others]
    assert len(told) > 5


def test_a_card_of_three_of_which_one_is_hidden_is_no_card_of_two() -> None:
    image = read_picture(samples_folder() / SAMPLES[Kind.SET_CARD])
    cards = [one for one in read_only(image, Kind.SET_CARD) if one.piece is not None and one.piece.number == 3]
    assert cards
    for one in cards:
        after = at_place(read_only(lamp_on(image, one, 0.35, (0.5, 0.75)), Kind.SET_CARD), one)
        assert all(there.piece in (one.piece, None) for there in after)


def test_where_all_of_the_table_is_burnt_out_no_lamp_is_blamed() -> None:
    """An exposure that is too long leaves ink as it is: names stay."""
    image = read_picture(samples_folder() / "table-12.jpg")
    before = visionset.read(image).sightings
    longer = np.clip(image.astype(np.float32) * 1.15, 0, 255).astype(np.uint8)
    after = visionset.read(longer).sightings
    assert [one.reason for one in after] == [None] * len(before)


def row_of(pieces: Sequence[Piece], height: int, brightness: Sequence[int]) -> tuple[Image, list[Sighting]]:
    """Pieces side by side on a dull table, 100 px wide and blank, each as bright as is asked for."""
    image, row = np.full((height + 100, 20 + 140 * len(pieces), 3), 90, np.uint8), []
    for at, (piece, level) in enumerate(zip(pieces, brightness, strict=True)):
        left = 20 + 140 * at
        cv2.rectangle(image, (left, 50), (left + 100, 50 + height), (level,) * 3, -1)
        outline = np.array([[left, 50.0], [left + 100, 50], [left + 100, 50 + height], [left, 50 + height]])
        row.append(Sighting(piece.kind, outline, piece, 0.99))
    return image, row


def test_ink_that_is_seen_amid_burnt_paper_is_hidden_by_no_lamp() -> None:
    """A card in the sun: its paper is burnt out, and its symbols are as dark as ever."""
    image, cards = row_of(SET_DECK[:4], 150, [255, 180, 180, 180])
    told = in_glare(image, cards, Proposals.none(), 0.5)
    assert [(one.piece, one.reason) for one in told] == [(None, Unread.GLARE), *((one.piece, None) for one in cards[1:])]
    assert in_glare(image, cards[:3], Proposals.none(), 0.5) == cards[:3]  # two others do not tell how bright paper is
    unread = [replace(one, piece=None) for one in cards]
    assert in_glare(image, unread, Proposals.none(), 0.5) == unread
    assert in_glare(np.maximum(image, 250), cards, Proposals.none(), 0.5) == cards  # all cards are as bright
    cv2.circle(image, (70, 125), 25, (60, 40, 200), -1)
    assert in_glare(image, cards, Proposals.none(), 0.5) == cards


def test_pips_lie_apart_so_that_a_small_spot_leaves_a_die_its_name() -> None:
    image, dice = row_of([PipDie(value) for value in (1, 2, 3, 4)], 100, [190] * 4)
    cv2.rectangle(image, (40, 60), (60, 140), (255,) * 3, -1)
    assert in_glare(image, dice, Proposals.none(), 0.5) == dice
    as_set = [replace(one, kind=Kind.SET_DIE, piece=SET_DIE_FACES[0]) for one in dice]
    assert [one.piece is None for one in in_glare(image, as_set, Proposals.none(), 0.5)] == [True, False, False, False]
    cv2.rectangle(image, (25, 55), (115, 145), (255,) * 3, -1)
    assert [one.piece is None for one in in_glare(image, dice, Proposals.none(), 0.5)] == [True, False, False, False]
