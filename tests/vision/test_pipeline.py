"""The reader as a whole: on tables rendered for the test, on noise, in a stream."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rendering import card_photo, spoiled
from visionset.art import DeckStyle
from visionset.errors import OptionError
from visionset.geometry import outlines_of
from visionset.pieces import SET_DECK, Kind
from visionset.render.camera import Viewpoint
from visionset.render.faces import set_card
from visionset.render.layouts import Spot
from visionset.table import Unread
from visionset.vision import dice_table, finder, pipeline, playing_cards
from visionset.vision.finder import Looks, Proposals, stretch
from visionset.vision.judging import Sightings
from visionset.vision.options import FindOptions, ReadOptions
from visionset.vision.patches import stretched
from visionset.vision.pipeline import read, read_whole_card

SAMPLES = Path(__file__).parents[2] / "samples"


def table(cards, columns=3, card_px=120.0, size_px=(960, 720), seed=1, tilt_deg=23.0, paint_bgr=(0.05, 0.12, 0.2)):
    """A plain table seen at a slant; cards in rows, 25 mm apart, card by card as given (None leaves a gap)."""
    view = Viewpoint(size_px, card_px / 87, tilt_deg, 2.9, 900.0, (size_px[0] / 2, size_px[1] / 2))
    rows = -(-len(cards) // columns)
    laid = []
    for at, card in enumerate(cards):
        if card is not None:
            row, column = divmod(at, columns)
            x, y = (column - (columns - 1) / 2) * 112.0, (row - (rows - 1) / 2) * 82.0
            laid.append((card, Spot(x, y, np.pi / 2 + 0.04 * (-1) ** at)))
    return card_photo(laid, view, paint_bgr=paint_bgr, seed=seed)


@pytest.mark.parametrize("first", [pytest.param(first, marks=pytest.mark.slow if first % 4 else ()) for first in range(0, 81, 9)])
def test_every_card_of_the_deck_is_read_in_reading_order(first):
    cards = list(SET_DECK[first : first + 9])
    seen = read(table(cards, seed=first))
    assert [str(piece) for piece in seen.pieces] == [str(card) for card in cards]
    assert all(0.6 <= sighting.confidence <= 1 for sighting in seen.sightings)


def assert_on_the_cards(image, outlines):
    """Just inside each outline the picture is far lighter than just beside it."""
    for corners in outlines:
        inside = corners.mean(axis=0) + 0.9 * (corners - corners.mean(axis=0))
        beside = corners.mean(axis=0) + 1.12 * (corners - corners.mean(axis=0))
        for paper, wood in zip(np.round(inside).astype(int), np.round(beside).astype(int), strict=True):
            assert image[paper[1], paper[0]].astype(int).sum() > 1.5 * image[wood[1], wood[0]].astype(int).sum()


def test_outlines_lie_on_the_cards():
    image = table([SET_DECK[at] for at in (0, 30, 77)])
    assert_on_the_cards(image, outlines_of(read(image).sightings))


@pytest.mark.parametrize(
    ("tilt_deg", "turned"),
    [(23.0, True), (66.0, False), *(pytest.param(*one, marks=pytest.mark.slow) for one in ((23.0, False), (66.0, True)))],
)
def test_a_table_at_a_flat_slant_is_read_in_a_stretched_picture(tilt_deg, turned):
    cards = SET_DECK[20:29]
    upright = table(list(cards), size_px=(1280, 720), tilt_deg=tilt_deg)
    image = np.ascontiguousarray(np.rot90(upright)) if turned else upright
    factors = stretch(Looks(image, FindOptions()))
    assert factors[not turned] > 1 if tilt_deg > 60 else factors == (1, 1)
    assert factors[turned] == 1
    seen = read(image)
    assert set(seen.pieces) == set(cards)
    assert_on_the_cards(image, outlines_of(seen.sightings))


def test_a_large_picture_does_not_grow_by_being_stretched():
    small, large = (np.zeros((height, width, 3), np.uint8) for height, width in ((400, 600), (1500, 2000)))
    assert stretched(small, (1.0, 2.0)).shape == (800, 600, 3)
    height, width = stretched(large, (1.0, 2.0)).shape[:2]
    assert height / width == pytest.approx(2 * 1500 / 2000, rel=0.01)
    assert height * width == pytest.approx(1500 * 2000, rel=0.01)


def test_where_set_cards_alone_are_proposed_nobody_else_is_asked(monkeypatch):
    def asked(*args):
        raise AssertionError("no other piece is proposed there")

    for module, name in ((playing_cards, "read_pack"), (playing_cards, "sight_pack"), (dice_table, "sight_dice")):
        monkeypatch.setattr(module, name, asked)
    cards = list(SET_DECK[:9])
    assert list(read(table(cards)).pieces) == cards


def test_one_look_is_enough_where_it_leaves_no_doubt(monkeypatch):
    looked = []
    look = finder.propose
    monkeypatch.setattr(finder, "propose", lambda image, px, *more: looked.append(px) or look(image, px, *more))
    cards = list(SET_DECK[:9])
    clear = table(cards)
    stages = []
    once = read(clear, stages=lambda name, image: stages.append(name))
    assert looked == [ReadOptions().find.first_px]
    assert stages[0] == "proposals"
    assert stages[-1] == "table"
    monkeypatch.setattr(pipeline, "first_look", lambda looks: (Proposals.none(), np.empty((0, 2))))
    assert read(clear).pieces == once.pieces
    assert ReadOptions().find.fine_px[0] in looked[1:]  # however large the cards are


def test_a_card_held_near_the_camera_needs_the_coarse_look_alone(monkeypatch):
    looked = []
    look = finder.propose
    monkeypatch.setattr(finder, "propose", lambda image, px, *more: looked.append(px) or look(image, px, *more))
    near = table([SET_DECK[40]], columns=1, card_px=560.0)
    assert read(near).pieces == (SET_DECK[40],)
    assert looked == [ReadOptions().find.first_px, ReadOptions().find.coarse_px[0]]


@pytest.mark.parametrize(
    ("sample", "kind"), [("pip_dice/colours.jpg", Kind.PIP_DIE), pytest.param("set_dice/board.jpg", Kind.SET_DIE, marks=pytest.mark.slow)]
)
def test_a_die_that_fills_the_picture_is_read(sample, kind):
    image, options = cv2.imread(str(SAMPLES / sample)), ReadOptions(kinds=frozenset({kind}))
    dice = [one for one in read(image, options).sightings if one.confidence > 0.95]
    found = 0
    for one in dice:
        low, high = one.outline_px.min(axis=0), one.outline_px.max(axis=0)
        (left, top), (right, bottom) = np.maximum(low - 0.2 * (high - low), 0).astype(int), (high + 0.2 * (high - low)).astype(int)
        seen = read(cv2.resize(image[top:bottom, left:right], (600, 600)), options).pieces
        assert set(seen) <= {one.piece, None}
        found += one.piece in seen
    assert len(dice) >= 4
    assert found >= 0.8 * len(dice)


@pytest.mark.parametrize("spoiled", ["unsure", "unread hint"])
def test_where_one_look_leaves_a_doubt_more_are_taken(monkeypatch, spoiled):
    clear = table(list(SET_DECK[:3]))
    full = read(clear)
    looked = []

    def seen(*given, real=pipeline._read_proposals):
        looked.append(given)
        sightings, maybe_px = real(*given)
        if len(looked) > 1:
            return Sightings(sightings, maybe_px)
        if spoiled == "unsure":
            return Sightings([*sightings[1:], replace(sightings[0], confidence=0.65)], maybe_px)
        return Sightings(sightings, np.concatenate([maybe_px, [[5.0, 5.0]]]))

    monkeypatch.setattr(pipeline, "_read_proposals", seen)
    assert read(clear).pieces == full.pieces
    assert len(looked) == 2


@pytest.mark.parametrize(
    ("doubts", "reasons", "whole"),
    [(1, 1, False), (1, 5, False), (4, 1, True)],
    ids=["one of twelve", "for five reasons", "four of twelve"],
)
def test_the_next_look_is_taken_around_a_few_doubts_alone_and_of_all_where_there_are_many(monkeypatch, doubts, reasons, whole):
    picture = table(list(SET_DECK[:12]))
    full = read(picture)
    sizes, begun = [], []

    def look(self, image_bgr, long_side_px, real=Looks._look):
        if begun:
            sizes.append(image_bgr.shape)
        return real(self, image_bgr, long_side_px)

    def seen(*given, real=pipeline._read_proposals):
        sightings, maybe_px = real(*given)
        if not begun:
            sightings = [replace(one, confidence=0.65 if at < doubts else one.confidence) for at, one in enumerate(sightings)]
            maybe_px = np.concatenate([maybe_px, *reasons * [outlines_of(sightings[:doubts]).mean(axis=1)]])
        begun.append(given)
        return Sightings(sightings, maybe_px)

    monkeypatch.setattr(Looks, "_look", look)
    monkeypatch.setattr(pipeline, "_read_proposals", seen)
    assert read(picture, ReadOptions(kinds=frozenset({Kind.SET_CARD}))).pieces == full.pieces
    assert (picture.shape in sizes) == whole
    assert sizes


def test_two_equal_cards_are_one_misread_unless_there_are_two_decks():
    cards = [SET_DECK[40], SET_DECK[10], SET_DECK[40]]
    once = [piece for piece in read(table(cards)).pieces if piece == SET_DECK[40]]
    assert len(once) == 1
    assert list(read(table(cards), ReadOptions(decks=2)).pieces) == cards


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(1, 400), st.integers(1, 400), st.sampled_from(["white", "smooth", "steps", "flat"]))
def test_noise_is_never_a_piece_and_never_a_crash(seed, width, height, kind):
    rng = np.random.default_rng(seed)
    image = rng.integers(0, 256, (height, width, 3), dtype=np.uint8)
    if kind == "smooth":
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 1 + seed % 13), np.uint8)
    elif kind == "steps":
        image = np.repeat(np.repeat(image[::17, ::23], 17, axis=0), 23, axis=1)[:height, :width].copy()
    elif kind == "flat":
        image[:] = image[0, 0]
    assert read(image).pieces == ()


@given(st.integers(1, 6), st.integers(1, 6))
@settings(max_examples=10)
def test_a_picture_of_a_few_pixels_is_an_empty_table(width, height):
    image = np.full((height, width, 3), 200, np.uint8)
    assert read(image).sightings == ()
    assert len(read_whole_card(image).sightings) <= 1


@cache
def usual_reading(sample):
    return read(cv2.imread(str(SAMPLES / sample)))


@pytest.mark.parametrize("confidence", [0.95, 1.0, *(pytest.param(one, marks=pytest.mark.slow) for one in (0.7, 0.99))])
@pytest.mark.parametrize("sample", ["table-12.jpg", "pip_dice/colours.jpg", "playing_cards/fan.jpg"])
def test_who_wants_surer_names_gets_fewer_and_no_others(sample, confidence):
    usual, strict = usual_reading(sample), read(cv2.imread(str(SAMPLES / sample)), ReadOptions.wanted(min_confidence=confidence))
    assert len(usual.pieces) > 5
    for before, after in zip(usual.sightings, strict.sightings, strict=True):
        assert after.piece == (before.piece if before.confidence >= confidence else None)
        assert (after.kind, after.guess, after.confidence) == (before.kind, before.guess, before.confidence)
        assert (after.outline_px == before.outline_px).all()


@pytest.mark.parametrize(
    "choice",
    [
        {"decks": 0},
        {"decks": 1.5},
        {"kinds": frozenset()},
        {"kinds": {"set_card"}},
        {"min_confidence": 2},
        {"min_confidence": "all"},
        {"min_die_confidence": float("nan")},
        {"overlap": -0.1},
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_line(choice):
    with pytest.raises(OptionError, match=f"^expected .*{next(iter(choice))}.*, got .*$"):
        ReadOptions(**choice)


def test_the_picture_is_not_touched():
    image = table(SET_DECK[:3])
    before = image.copy()
    image.flags.writeable = False
    read(image)
    assert np.array_equal(image, before)


def test_every_stage_hands_out_a_picture():
    names = []

    def stages(name, picture):
        names.append(name)
        assert picture.dtype == np.uint8
        assert picture.ndim == 3

    read(table(SET_DECK[:3]), stages=stages)
    assert names == ["proposals", "straightened", "table"]


@pytest.mark.parametrize("turns", range(4))
def test_a_card_that_fills_the_picture_is_read_at_any_quarter_turn(turns):
    for card in SET_DECK[::10]:
        face = set_card(card, DeckStyle(), px_mm=3)
        picture = np.ascontiguousarray(np.rot90(spoiled(face.picture, card.index), turns))
        (sighting,) = read_whole_card(picture).sightings
        assert sighting.piece == card


def test_a_card_that_fills_the_picture_is_not_cut_off_by_its_edge():
    picture = spoiled(set_card(SET_DECK[40], DeckStyle(), px_mm=3).picture, 40)
    (sighting,) = read_whole_card(picture, ReadOptions(min_confidence=1.0)).sightings
    assert sighting.reason is Unread.DOUBTFUL
