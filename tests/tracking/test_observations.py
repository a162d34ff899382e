"""Readings of one quiet table are joined piece by piece."""

import numpy as np
import pytest

from visionset.pieces import SET_DECK, Kind, Piece, PlayingCard, Rank, Suit
from visionset.table import Guess, Sighting, Table
from visionset.tracking.observations import Draft

SIX, SEVEN = PlayingCard(Rank.SIX, Suit.SPADES), PlayingCard(Rank.SEVEN, Suit.SPADES)


def seen(
    x: float, piece: Piece | None, wide: float = 60.0, high: float = 90.0, kind: Kind = Kind.PLAYING_CARD, y: float = 100.0
) -> Sighting:
    outline = np.array([x, y]) + np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    return Sighting(kind, outline, piece, 0.95, Guess(piece, 0.95) if piece else None)


def drafted(*readings: list[Sighting]) -> Draft:
    draft = Draft(0.0)
    for at, sightings in enumerate(readings):
        draft.ask(float(at))
        draft.add(Table((640, 360), tuple(sightings)))
    return draft


def test_a_card_in_a_fan_is_one_whether_its_index_or_all_of_it_is_seen_and_wherever_its_edges_seem_to_be() -> None:
    index = seen(75.0, SIX, 12.0, 18.0, y=70.0)
    draft = drafted([seen(100.0, SIX)], [index], [seen(130.0, SIX), seen(98.0, None)], [seen(102.0, SIX)])
    card, unread = sorted(draft.places(), key=lambda place: -place.seen)
    assert (card.seen, card.looked, card.is_steady) == (4, 4, True)
    assert card.belief.top[0] == SIX
    assert np.allclose(card.outline_px, seen(102.0, SIX).outline_px)
    assert unread.seen == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (seen(100.0, SIX), seen(300.0, SIX)),  # too far for one card
        (seen(100.0, SIX), seen(150.0, SEVEN)),
        (seen(100.0, SET_DECK[0], kind=Kind.SET_CARD), seen(150.0, SET_DECK[0], kind=Kind.SET_CARD)),  # has no index
    ],
)
def test_other_pieces_beside_it_stay_apart(first: Sighting, second: Sighting) -> None:
    assert [place.seen for place in drafted([first], [second]).places()] == [1, 1]


def test_two_packs_may_show_the_same_card_twice_side_by_side() -> None:
    both = [seen(100.0, SIX), seen(165.0, SIX)]
    places = drafted(both, both[::-1], both).places()
    assert [place.seen for place in places] == [3, 3]
    assert sorted(float(place.outline_px.mean(axis=0)[0]) for place in places) == [100.0, 165.0]
