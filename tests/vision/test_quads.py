import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.geometry import are_convex
from visionset.pieces import PACK, PlayingCard, Rank, Suit
from visionset.vision.judging import named_sighting
from visionset.vision.playing_cards import CardReadings, join_indices, without_fans
from visionset.vision.quads import distinct, first_of_each, inside, picture_from_rectangle, projected, shared, uppermost_first

SQUARE = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])


@given(st.floats(0, 12), st.floats(0, 12))
def test_the_shared_part_of_two_squares(x, y):
    want = max(0, 10 - x) * max(0, 10 - y) / 100
    assert shared(SQUARE, SQUARE + np.array([x, y])) == pytest.approx(want, abs=2e-3)


def test_the_surer_of_two_frames_on_one_thing_stays():
    quads = np.stack([SQUARE, SQUARE + 1, SQUARE + 20])
    assert distinct(quads, np.array([1, 2, 0]), 0.5).tolist() == [1, 2]
    assert distinct(quads, np.array([1, 2, 0]), 0.9).tolist() == [1, 2, 0]


@given(st.floats(-5, 15), st.floats(-5, 15))
def test_inside_is_the_same_for_either_course_of_the_corners(x, y):
    answer = inside(np.array([[x, y]]), np.stack([SQUARE, SQUARE[::-1]]))
    assert answer[0].tolist() == [0 <= x <= 10 and 0 <= y <= 10] * 2


@given(st.floats(-180, 180), st.integers(0, 3), st.booleans())
def test_a_frame_begins_at_its_uppermost_side_whatever_its_first_corner(turn, first, mirrored):
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    quad = np.roll((SQUARE - 5) @ np.array([[cos, sin], [-sin, cos]]), first, axis=0)
    quad = quad[[1, 0, 3, 2]] if mirrored else quad
    (upright,) = uppermost_first(quad[None])
    middles = (upright + np.roll(upright, -1, axis=0)) / 2
    assert middles[0, 1] == middles[:, 1].min()
    assert any(np.array_equal(upright, np.roll(quad, at, axis=0)) for at in range(4))


def test_a_frame_that_crosses_itself_is_not_convex():
    assert are_convex(np.stack([SQUARE, SQUARE[[0, 2, 1, 3]]])).tolist() == [True, False]


corner = st.floats(-2.5, 2.5)


@given(st.lists(corner, min_size=8, max_size=8), st.floats(1, 300), st.floats(1, 300))
def test_a_rectangle_goes_to_a_quad_as_opencv_says(off, width, height):
    quad = SQUARE + np.reshape(off, (4, 2))
    rectangle = np.array([[3.0, -7.0], [3 + width, -7.0], [3 + width, height - 7], [3.0, height - 7]])
    (homography,) = picture_from_rectangle(quad[None], rectangle)
    assert projected(homography[None], rectangle[None])[0] == pytest.approx(quad, abs=1e-6)
    want = cv2.getPerspectiveTransform(rectangle.astype(np.float32), quad.astype(np.float32))
    between = rectangle[None].mean(axis=1, keepdims=True)
    assert projected(homography[None], between) == pytest.approx(projected(want[None], between), abs=1e-2)


def readings(cards, quads, doubt):
    log = np.full((len(cards), 52), np.log(doubt / 51))
    for at, card in enumerate(cards):
        log[at, PACK.index(card)] = np.log(1 - doubt)
    kind = np.tile([0.0, 0.0, 1.0, 0.0], (len(cards), 1))
    return CardReadings(np.array(quads).reshape(-1, 4, 2), np.zeros(len(cards)), kind, log)


KING, QUEEN = PlayingCard(Rank.KING, Suit.HEARTS), PlayingCard(Rank.QUEEN, Suit.HEARTS)


def test_an_index_speaks_for_the_one_card_it_lies_in():
    whole = readings([KING, KING], [SQUARE, SQUARE + 50], 0.6)
    corners = readings([QUEEN, QUEEN, KING], [SQUARE / 5 + 1, SQUARE / 5 + 30, SQUARE / 5 + 55], 0.01)
    better, loose = join_indices(whole, corners)
    assert [PACK[at] for at in better.pack_log.argmax(axis=1)] == [QUEEN, KING]
    assert np.allclose(np.exp(better.pack_log).sum(axis=1), 1)
    assert len(loose) == 1


@pytest.mark.parametrize("under", [KING, PlayingCard(Rank.TWO, Suit.CLUBS)])
def test_an_index_in_two_doubtful_cards_speaks_for_neither(under):
    """A fan: the outline of a king reaches under a card whose index it seems to have too."""
    whole = readings([KING, under], [2 * SQUARE, SQUARE + 5], 0.3)
    better, loose = join_indices(whole, readings([QUEEN], [SQUARE / 5 + 6], 0.01))
    assert np.allclose(better.pack_log, whole.pack_log)
    assert len(loose) == 1


@pytest.mark.parametrize("sure_first", [True, False])
def test_an_index_in_two_cards_speaks_for_the_one_that_looks_so_or_that_is_in_doubt(sure_first):
    two = PlayingCard(Rank.TWO, Suit.CLUBS)
    for other, doubt in ((QUEEN, 0.3), (KING, 0.6)):
        both = [readings([two], [2 * SQUARE], 0.01), readings([other], [SQUARE + 5], doubt)]
        first, second = both if sure_first else both[::-1]
        better, loose = join_indices(first.joined_to(second), readings([QUEEN], [SQUARE / 5 + 6], 0.01))
        said = [PACK[at] for at in better.pack_log.argmax(axis=1)]
        assert said == ([two, QUEEN] if sure_first else [QUEEN, two])
        assert len(loose) == 0
    _, loose = join_indices(first.joined_to(second), readings([QUEEN], [SQUARE / 5 + 6], 0.2))
    assert len(loose) == 1  # to leave nobody else takes a sure word


@pytest.mark.parametrize(("confidence", "said"), [(0.7, True), (0.5, False)])
def test_a_name_needs_confidence_and_a_guess_does_not(confidence, said):
    log = np.log(np.array([0.1, 0.6, 0.3]))
    sighting = named_sighting(SQUARE, PACK[:3], log, 1, confidence, 0.6)
    assert sighting.piece == (PACK[1] if said else None)
    assert (sighting.guess.piece, sighting.guess.runner_up) == (PACK[1], PACK[2])
    assert sighting.guess.runner_up_confidence == pytest.approx(min(0.3, confidence))


@given(st.integers(0, 9), st.integers(0, 2**32 - 1))
def test_of_what_is_the_same_the_first_one_stays(count, seed):
    rng = np.random.default_rng(seed)
    same, order = rng.random((count, count)) < 0.3, rng.permutation(count)
    same = same | same.T | np.eye(count, dtype=bool)
    kept: list[int] = []
    for at in order:
        if not same[at, kept].any():
            kept.append(int(at))
    assert first_of_each(same, order).tolist() == kept


def test_what_looks_like_a_card_is_a_fan_where_three_likely_indices_differ():
    """As three fives under a fourth: none is surely read, but they cannot all be misread. One card has an index twice."""
    four, *fives = (PlayingCard(Rank.FOUR, Suit.SPADES), *(PlayingCard(Rank.FIVE, suit) for suit in (Suit.SPADES, Suit.HEARTS, Suit.CLUBS)))
    places = [SQUARE / 5 + 1, SQUARE / 5 + 4, SQUARE / 5 + 7]
    fan = readings([four], [SQUARE], 0.3)
    assert len(without_fans(fan, readings(fives, places, 0.15))) == 0
    assert len(without_fans(fan, readings(fives, places, 0.3))) == 1
    assert len(without_fans(fan, readings(fives, [place + 20 for place in places], 0.15))) == 1
    assert len(without_fans(readings([fives[0]], [SQUARE], 0.3), readings([fives[0]] * 2, places[:2], 0.15))) == 1
