"""Laws of the painted packs: every card differs, indices are where they are said to be, seeds repeat."""

import numpy as np
import pytest

from visionset.pieces import PlayingCard, Rank, Suit
from visionset.render.playing_cards import index_boxes_mm, playing_face, random_back
from visionset.render.playing_style import PlayingStyle, random_playing_style

DECK = [PlayingCard(rank, suit) for suit in Suit for rank in Rank]
PX_MM = 3
SEEDS = range(5)


def random_style(seed):
    return random_playing_style(np.random.default_rng(seed))


def test_all_52_faces_differ():
    style = PlayingStyle()
    assert len({playing_face(card, style, PX_MM).picture.tobytes() for card in DECK}) == 52


@pytest.mark.parametrize("seed", SEEDS)
def test_every_index_lies_on_the_card_and_holds_ink(seed):
    style = random_style(seed)
    for card in DECK:
        face = playing_face(card, style, PX_MM)
        size = np.array(face.size_mm)
        boxes = index_boxes_mm(style, card)
        assert len(boxes) == (4 if style.four_corners else 2)
        paper = np.median(face.picture.reshape(-1, 3), axis=0) if card.rank is Rank.TWO else None
        for x, y, width, height, turned in boxes:
            assert turned == (y > 0)
            low = ([x, y] - np.array([width, height]) / 2 + size / 2) * PX_MM
            high = ([x, y] + np.array([width, height]) / 2 + size / 2) * PX_MM
            assert (low >= 0).all()
            assert (high <= size * PX_MM).all()
            (left, top), (right, bottom) = np.round(low).astype(int), np.round(high).astype(int)
            patch = face.picture[top:bottom, left:right].min(axis=2)
            assert np.ptp(patch) > 0.3
            if paper is not None:
                # tight: nothing is printed two pixels above a two's index
                ring = face.picture[max(0, int(low[1]) - 2), left:right]
                assert np.abs(ring - paper).max() < 0.02


@pytest.mark.parametrize("suit", Suit)
@pytest.mark.parametrize("rank", [Rank.TWO, Rank.FOUR, Rank.TEN])
def test_even_cards_look_the_same_upside_down(rank, suit):
    picture = playing_face(PlayingCard(rank, suit), PlayingStyle(), PX_MM).picture
    assert np.abs(picture - picture[::-1, ::-1]).mean() < 0.004


@pytest.mark.parametrize("rank", [Rank.JACK, Rank.QUEEN, Rank.KING])
def test_courts_look_the_same_upside_down(rank):
    picture = playing_face(PlayingCard(rank, Suit.HEARTS), PlayingStyle(), PX_MM).picture
    assert np.abs(picture - picture[::-1, ::-1]).mean() < 0.02


def test_hearts_of_an_odd_card_do_not():
    picture = playing_face(PlayingCard(Rank.SEVEN, Suit.HEARTS), PlayingStyle(), PX_MM).picture
    assert np.abs(picture - picture[::-1, ::-1]).mean() > 0.01


def test_seeds_repeat_and_differ():
    card = PlayingCard(Rank.QUEEN, Suit.SPADES)
    faces = [playing_face(card, random_style(seed), PX_MM).picture.tobytes() for seed in (1, 1, 2)]
    assert faces[0] == faces[1] != faces[2]
    backs = [random_back(np.random.default_rng(seed), PX_MM).picture.tobytes() for seed in (1, 1, 2)]
    assert backs[0] == backs[1] != backs[2]


@pytest.mark.parametrize("seed", range(12))
def test_backs_have_cards_size_and_a_print(seed):
    face = random_back(np.random.default_rng(seed), PX_MM)
    assert 55 < face.size_mm[0] < 65
    assert 85 < face.size_mm[1] < 91
    assert face.picture.shape[:2] == face.cover.shape
    assert np.ptp(face.picture) > 0.1


def test_backs_are_painted_however_far_away_their_card_lies() -> None:
    faces = [random_back(np.random.default_rng(seed), px_mm) for seed in range(40) for px_mm in (0.002, 0.03, 0.3)]
    assert all(min(face.cover.shape) >= 2 and np.isfinite(face.picture).all() for face in faces)
