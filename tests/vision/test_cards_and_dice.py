"""Cards and dice judged together."""

from dataclasses import replace

import numpy as np

from tests.builders import NINE, deal, set_dice, sighting
from visionset.pieces import Kind, PlayingCard
from visionset.table import Sighting
from visionset.vision.cards_and_dice import either, of_likely_size

CARDS = list(deal(NINE).sightings)
DICE = list(set_dice({(0, column): "2-red-oval" for column in range(4)}))


def card_of(size_px):
    return sighting("1-red-solid-oval", [[0, 0], [1.5 * size_px, 0], [1.5 * size_px, size_px], [0, size_px]])


def test_a_set_card_as_small_as_the_dice_is_the_face_of_one():
    face, true = card_of(50), card_of(130)
    assert of_likely_size([face, true], DICE) == ([true], DICE)
    assert of_likely_size([face], DICE[:1]) == ([face], [])  # nothing says which of the two is rare


def test_a_die_as_large_as_the_cards_is_a_card():
    (large,) = set_dice({(0, 0): "wild"}, side_px=90)
    (small,) = set_dice({(0, 0): "wild"}, side_px=30)
    assert of_likely_size(CARDS, [large, small]) == (CARDS, [small])


def test_playing_cards_of_which_an_index_is_seen_stay_beside_dice():
    index = Sighting(Kind.PLAYING_CARD, card_of(20).outline_px, PlayingCard.parse("QH"), 0.95)
    assert of_likely_size([index], DICE) == ([index], DICE)


def test_where_nothing_is_sure_nothing_is_dropped():
    unsure = [replace(one, piece=None, confidence=0.5) for one in (card_of(50), *DICE)]
    assert of_likely_size(unsure[:1], unsure[1:]) == (unsure[:1], unsure[1:])


def test_of_a_card_and_a_die_in_one_place_the_surer_stays():
    card, (die,) = card_of(60), set_dice({(0, 0): "wild"}, corner_px=(15, 0))
    for sure, kind in ((0.5, Kind.SET_DIE), (0.95, Kind.SET_CARD)):
        (kept,) = either([replace(card, confidence=sure)], [die], 0.3)
        assert kept.kind is kind
    far = replace(die, outline_px=np.array(die.outline_px) + 500)
    assert either([card], [far], 0.3) == [card, far]
