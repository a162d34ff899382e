"""Which kinds are believed where several are looked for, and which card each reading is."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import NINE, deal, set_dice, sighting
from visionset.pieces import Kind, Piece, PipDie, PlayingCard, SetCard, SetDie
from visionset.table import Sighting
from visionset.vision.cards_or_dice import either, of_likely_size
from visionset.vision.judging import ANOTHER_DECK, assign_cards, beside_others, supported

ALL = frozenset(Kind)
ACE, OVAL, CARD = PlayingCard.parse("AS"), SetDie.parse("2-red-oval"), SetCard.parse("1-red-solid-oval")
CARDS = list(deal(NINE).sightings)
OVERLAP, SIZE_PX = 0.3, (1000, 700)
DICE = list(set_dice({(0, column): "2-red-oval" for column in range(4)}))


def seen(kind: Kind, piece: Piece | None, confidence: float, side_px: float = 30.0) -> Sighting:
    corners = 1 + np.array([[0.0, 0.0], [side_px, 0.0], [side_px, side_px], [0.0, side_px]])
    return Sighting(kind, corners, piece, confidence)


@pytest.mark.parametrize(("kind", "piece"), [(Kind.PIP_DIE, PipDie(3)), (Kind.SET_DIE, OVAL), (Kind.PLAYING_CARD, ACE)])
def test_one_sure_piece_speaks_for_the_doubtful_ones_of_its_kind_and_no_other(kind: Kind, piece: Piece) -> None:
    doubtful = [seen(other, None, 0.5) for other in (Kind.PIP_DIE, Kind.SET_DIE, Kind.PLAYING_CARD)]
    assert supported(doubtful, ALL, SIZE_PX) == []
    sure = seen(kind, piece, 0.97)
    assert supported([*doubtful, sure], ALL, SIZE_PX) == [*(one for one in doubtful if one.kind is kind), sure]


@pytest.mark.parametrize("piece", [PipDie(3), OVAL])
def test_a_die_near_the_camera_speaks_for_its_kind_where_a_small_one_of_that_confidence_does_not(piece: Piece) -> None:
    doubtful = seen(piece.kind, None, 0.5)
    small, near = (seen(piece.kind, piece, 0.93, side_px) for side_px in (80, 120))
    assert supported([doubtful, small], ALL, SIZE_PX) == []
    assert supported([doubtful, near], ALL, SIZE_PX) == [doubtful, near]
    assert supported([doubtful, near], ALL, (2000, 700)) == []
    assert supported([replace(near, confidence=0.8)], ALL, SIZE_PX) == []
    assert supported([replace(near, outline_px=near.outline_px + 900)], ALL, SIZE_PX) == []  # cut off


def test_words_that_look_like_wild_dice_are_none_where_no_symbol_is_seen() -> None:
    words = [seen(Kind.SET_DIE, SetDie(), 0.99) for _ in range(3)]
    assert supported([*CARDS, *words], ALL, SIZE_PX) == CARDS
    die = seen(Kind.SET_DIE, OVAL, 0.99)
    assert supported([*words, die], ALL, SIZE_PX) == [*words, die]
    gray = [words[0], *(seen(Kind.SET_DIE, None, 0.5) for _ in range(5))]
    assert supported(gray, ALL, SIZE_PX) == gray
    assert supported(words, frozenset({Kind.SET_DIE}), SIZE_PX) == words  # where people say that such dice lie there


def test_doubtful_set_cards_stay() -> None:
    card = seen(Kind.SET_CARD, None, 0.4)
    assert supported([card], ALL, SIZE_PX) == [card]


@pytest.mark.parametrize(("face", "piece"), [(Kind.SET_CARD, CARD), (Kind.PLAYING_CARD, ACE)])
def test_backs_are_believed_beside_faces_alone(face: Kind, piece: Piece) -> None:
    back, shown = seen(Kind.CARD_BACK, None, 0.99), seen(face, piece, 0.99)
    assert supported([back], ALL, SIZE_PX) == []
    assert supported([back, seen(Kind.PIP_DIE, PipDie(2), 0.99)], ALL, SIZE_PX)[1:] == []
    assert supported([back, shown], ALL, SIZE_PX) == [back, shown]
    squares_of_cloth = [seen(Kind.CARD_BACK, None, 0.99, 12.0) for _ in range(3)]
    assert supported([*squares_of_cloth, back, shown], ALL, SIZE_PX) == [back, shown]


def test_several_rather_sure_backs_of_the_size_of_a_face_speak_for_each_other() -> None:
    face = seen(Kind.PLAYING_CARD, ACE, 0.99)
    backs = [seen(Kind.CARD_BACK, None, confidence) for confidence in (0.92, 0.91, 0.93, 0.95)]
    assert supported([face, *backs], ALL, SIZE_PX) == [face, *backs]
    assert supported([face, *backs[1:]], ALL, SIZE_PX) == [face]  # gaps between cards look like a few
    assert supported([seen(Kind.PLAYING_CARD, ACE, 0.99, 10.0), *backs], ALL, SIZE_PX)[1:] == []  # beside an index their size tells nothing


@pytest.mark.parametrize(("kind", "piece"), [(Kind.PIP_DIE, PipDie(5)), (Kind.SET_DIE, SetDie.parse("2-red-oval"))])
def test_squares_much_smaller_than_the_dice_are_print_and_no_dice_to_ask_about(kind: Kind, piece: Piece) -> None:
    sure, printed, far = seen(kind, piece, 0.99, 130.0), seen(kind, None, 0.5, 28.0), seen(kind, None, 0.5, 40.0)
    small = seen(kind, piece, 0.95, 28.0)
    assert supported([sure, printed, far, small], ALL, SIZE_PX) == [sure, far, small]


def test_dice_much_smaller_than_those_of_another_kind_do_not_speak_for_theirs() -> None:
    stitches = [seen(Kind.PIP_DIE, PipDie(6), 0.97, side_px) for side_px in (20.0, 28.0, 30.0)]
    symbols = [seen(Kind.SET_DIE, OVAL, 0.97, 130.0)]
    assert supported([*stitches, *symbols], ALL, SIZE_PX) == symbols
    assert supported(stitches, ALL, SIZE_PX) == stitches
    far = seen(Kind.PIP_DIE, PipDie(6), 0.97, 40.0)
    assert supported([far, *symbols], ALL, SIZE_PX) == [far, *symbols]


def test_many_ones_of_all_sizes_are_dots() -> None:
    stars = [seen(Kind.PIP_DIE, PipDie(1), 0.99, side_px) for side_px in (12.0, 20.0, 25.0, 36.0)]
    dice = [seen(Kind.PIP_DIE, PipDie(1), 0.99, side_px) for side_px in (20.0, 24.0, 25.0, 30.0)]
    assert supported(stars, ALL, SIZE_PX) == []
    assert supported(dice, ALL, SIZE_PX) == dice
    assert supported(stars[:3], ALL, SIZE_PX) == stars[:3]
    two = [*stars, seen(Kind.PIP_DIE, PipDie(2), 0.99)]
    assert supported(two, ALL, SIZE_PX) == []
    three = [*two, seen(Kind.PIP_DIE, PipDie(3), 0.99)]
    assert supported(three, ALL, SIZE_PX) == three


@pytest.mark.parametrize("wanted", [{kind} for kind in Kind] + [{Kind.PLAYING_CARD, Kind.CARD_BACK}])
def test_of_a_kind_that_is_known_to_lie_there_all_stays(wanted: set[Kind]) -> None:
    doubtful = [seen(kind, None, 0.5) for kind in wanted]
    assert supported(doubtful, frozenset(wanted), SIZE_PX) == doubtful


def card_of(size_px):
    return sighting("1-red-solid-oval", [[0, 0], [1.5 * size_px, 0], [1.5 * size_px, size_px], [0, size_px]])


def test_a_set_card_as_small_as_the_dice_is_the_face_of_one():
    face, true = card_of(50), card_of(130)
    assert of_likely_size([face, true], DICE, OVERLAP) == ([true], DICE)
    assert of_likely_size([face], DICE[:1], OVERLAP) == ([face], [])  # nothing says which of the two is rare


@pytest.mark.parametrize("shadings", [("open",) * 5, ("open", "open", "solid", "open", "striped")])
def test_more_cards_than_dice_are_faces_of_dice_where_all_are_of_one_shading(shadings):
    """Top faces were read as dice and as cards, side faces as cards alone."""
    cards = cards_with(shadings)
    dice = [replace(seen(Kind.SET_DIE, OVAL, 0.97), outline_px=card.outline_px) for card in cards[:2]]
    are_dice = len(set(shadings)) == 1
    assert of_likely_size(cards, dice, OVERLAP) == (([], dice) if are_dice else (cards, []))
    assert of_likely_size(cards, dice[:1], OVERLAP) == (cards, [])  # a single die may be a mistake
    assert of_likely_size(cards[:3], dice, OVERLAP) == (cards[:3], [])  # three cards of one shading lie on many a table


@pytest.mark.parametrize(
    ("shadings", "are_dice"),
    [
        (["solid"] * 12, True),
        (["solid"] * 9 + ["open"] * 3, True),  # a face that glares looks open
        (["solid"] * 8 + ["open"] * 4, False),
        (["solid", "striped", "open"] * 4, False),
        (["solid", "open", "striped"], True),  # so few say nothing
    ],
)
def test_cards_of_several_shadings_are_cards_though_they_look_like_more_dice(shadings, are_dice):
    """Seen at a flat slant a card is as wide as high, and its name less sure than that of a die, which has no shading."""
    cards = cards_with(shadings)
    more = [replace(seen(Kind.SET_DIE, OVAL, 0.97), outline_px=card_of(60).outline_px + 100.0 * at) for at in range(len(cards) + 1)]
    assert of_likely_size(cards, more, OVERLAP) == (([], more) if are_dice else (cards, []))
    many = [replace(more[0], outline_px=card_of(60).outline_px + 100.0 * at) for at in range(2 * len(cards) + 1)]
    assert of_likely_size(cards, many, OVERLAP) == ([], many)  # blurred, a few faces look striped or open


def cards_with(shadings):
    """Sure cards in a row."""
    return [
        replace(
            sighting(f"{number % 3 + 1}-red-{shading}-oval", card_of(60).outline_px), outline_px=card_of(60).outline_px + 100.0 * number
        )
        for number, shading in enumerate(shadings)
    ]


def test_a_die_as_large_as_the_cards_is_a_card():
    (large,) = set_dice({(0, 0): "wild"}, side_px=90)
    (small,) = set_dice({(0, 0): "wild"}, side_px=30)
    assert of_likely_size(CARDS, [large, small], OVERLAP) == (CARDS, [small])


def test_playing_cards_of_which_an_index_is_seen_stay_beside_dice():
    index = Sighting(Kind.PLAYING_CARD, card_of(20).outline_px, PlayingCard.parse("QH"), 0.95)
    assert of_likely_size([index], DICE, OVERLAP) == ([index], DICE)


def test_backs_as_large_as_a_face_are_cards_and_what_looks_like_dice_as_large_is_none():
    face = Sighting(Kind.PLAYING_CARD, card_of(60).outline_px, PlayingCard.parse("QH"), 0.95)
    backs = [Sighting(Kind.CARD_BACK, card_of(60).outline_px + 100.0 * at, None, 0.95) for at in (1, 2, 3)]
    ornaments = [replace(seen(Kind.PIP_DIE, PipDie(1), 0.97), outline_px=back.outline_px) for back in backs[:2]]
    assert of_likely_size([face, *backs], ornaments, OVERLAP) == ([face, *backs], [])
    index = replace(face, outline_px=card_of(12).outline_px)
    assert of_likely_size([index, *backs], ornaments, OVERLAP) == ([index], ornaments)  # nothing says that cards are so large


def test_where_nothing_is_sure_nothing_is_dropped():
    unsure = [replace(one, piece=None, confidence=0.5) for one in (card_of(50), *DICE)]
    assert of_likely_size(unsure[:1], unsure[1:], OVERLAP) == (unsure[:1], unsure[1:])


def test_of_a_card_and_a_die_in_one_place_the_surer_stays():
    card, (die,) = card_of(60), set_dice({(0, 0): "wild"}, corner_px=(15, 0))
    for sure, kind in ((0.5, Kind.SET_DIE), (0.95, Kind.SET_CARD)):
        (kept,) = either([replace(card, confidence=sure)], [die], OVERLAP)
        assert kept.kind is kind
    far = replace(die, outline_px=np.array(die.outline_px) + 500)
    assert either([card], [far], OVERLAP) == [card, far]


def test_dice_as_large_as_cards_that_lie_in_their_places_are_none_beside_true_ones():
    false = [replace(die, outline_px=card.outline_px, confidence=0.99) for die, card in zip(DICE, CARDS[:4], strict=False)]
    far = np.array([2000.0, 0.0])
    true = [replace(die, outline_px=die.outline_px / 4 + far) for die in DICE[:2]]
    assert of_likely_size(CARDS, [*false, *true], OVERLAP) == (CARDS, true)


def test_one_false_die_drops_no_card_that_lies_farther_away():
    def at(one: Sighting, y: float) -> Sighting:
        return replace(one, outline_px=one.outline_px + np.array([0.0, y]))

    near, far = card_of(150), [at(card_of(95), y) for y in (400.0, 800.0)]
    as_dice = [replace(seen(Kind.SET_DIE, OVAL, 0.97), outline_px=card.outline_px) for card in far]
    false = at(seen(Kind.SET_DIE, OVAL, 0.97, 70.0), 1200.0)
    assert of_likely_size([near, *far], [*as_dice, false], OVERLAP) == ([near, *far], [false])


def test_what_is_as_large_as_other_playing_cards_is_no_die_however_sure_it_is():
    names = [PlayingCard.parse(name) for name in ("2H", "5C", "9S", "KD")]
    cards = [replace(card, kind=Kind.PLAYING_CARD, piece=name, confidence=0.95) for card, name in zip(CARDS[:4], names, strict=True)]
    die = seen(Kind.PIP_DIE, PipDie(5), 0.99)
    on_first = replace(die, outline_px=cards[0].outline_px)
    assert either(cards, [on_first], OVERLAP) == cards
    assert either(cards[:1], [on_first], OVERLAP) == [on_first]  # nothing tells how large cards are there
    doubtful = [replace(cards[0], confidence=0.8), *cards[1:]]
    assert either(doubtful, [on_first], OVERLAP) == [*cards[1:], on_first]
    small = [replace(cards[0], outline_px=cards[0].outline_px / 3), *cards[1:]]
    tiny = replace(die, outline_px=small[0].outline_px)
    assert either(small, [tiny], OVERLAP) == [*cards[1:], tiny]


def readings(*choices):
    """Log probabilities over the deck; each choice maps cards to probabilities, the rest is shared out."""
    rows = []
    for choice in choices:
        row = np.full(81, (1 - sum(choice.values())) / (81 - len(choice)))
        for card, share in choice.items():
            row[card] = share
        rows.append(np.log(row))
    return np.array(rows).reshape(-1, 81)


def test_the_surer_of_two_equal_readings_keeps_the_card_and_the_other_takes_its_runner_up():
    card, sure = assign_cards(readings({5: 0.6, 7: 0.3}, {5: 0.9}), decks=1)
    assert card.tolist() == [7, 5]
    assert np.allclose(sure, [0.3, 0.9])


def test_a_second_deck_allows_a_second_copy():
    card, _ = assign_cards(readings({5: 0.6, 7: 0.3}, {5: 0.9}, {5: 0.7}), decks=2)
    assert sorted(card.tolist()) == [5, 5, 7]


@given(st.integers(0, 81), st.integers(1, 2), st.integers(0, 2**32 - 1))
def test_no_card_is_given_more_often_than_there_are_decks(count, decks, seed):
    log = np.log(np.random.default_rng(seed).dirichlet(np.ones(81), count)).reshape(-1, 81)
    card, sure = assign_cards(log, decks)
    assert np.bincount(card, minlength=81).max(initial=0) <= decks
    assert np.allclose(sure, np.exp(log[np.arange(count), card]))


def by_counting(deck_log, decks):
    """The same by going through all that n readings of k cards may be."""
    count, cards = deck_log.shape
    all_of = np.array(list(product(range(cards), repeat=count)))
    most = (all_of[:, :, None] == np.arange(cards)).sum(axis=1).max(axis=1)
    weight = ((most <= decks) + ANOTHER_DECK) * np.exp(deck_log[np.arange(count), all_of].sum(axis=1))
    share = np.stack([np.bincount(all_of[:, reading], weight, cards) for reading in range(count)])
    return share / share.sum(axis=1, keepdims=True)


@given(st.integers(1, 3), st.integers(3, 5), st.integers(0, 2**32 - 1))
def test_one_reading_more_than_decks_are_judged_beside_each_other_as_counting_does(decks, cards, seed):
    log = np.log(np.random.default_rng(seed).dirichlet(np.full(cards, 0.3), decks + 1) * 0.99 + 0.01 / cards)
    assert np.allclose(np.exp(beside_others(log, decks)), by_counting(log, decks))


@settings(max_examples=40)
@given(st.integers(3, 5), st.integers(0, 2**32 - 1))
def test_more_readings_are_judged_nearer_to_counting_than_each_by_itself(count, seed):
    log = np.log(np.random.default_rng(seed).dirichlet(np.full(6, 0.3), count) * 0.99 + 0.01 / 6)
    counted = by_counting(log, 1)
    assert np.abs(np.exp(beside_others(log, 1)) - counted).sum() <= np.abs(np.exp(log) - counted).sum() + 1e-9


def test_what_another_surely_is_leaves_a_doubtful_card_its_runner_up():
    log = beside_others(readings({5: 0.6, 7: 0.39}, {5: 0.999}), decks=1)
    assert np.exp(log[0, 7]) > 0.9
    assert np.exp(log[1, 5]) > 0.99


def test_two_that_are_as_surely_one_card_are_both_doubtful():
    assert np.exp(beside_others(readings({5: 0.95}, {5: 0.95}), decks=1)).max() < 0.6


def test_readings_that_are_certain_of_one_card_and_none_at_all_are_judged_too():
    certain = np.log(np.eye(81)[[5, 5, 5]] + 1e-300)
    assert np.isfinite(beside_others(certain, 1).max(axis=1)).all()
    assert beside_others(np.empty((0, 81)), 1).shape == (0, 81)
