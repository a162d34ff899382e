"""Readings are pooled as probabilities, and those of one quiet table are joined piece by piece."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import sighting
from visionset.pieces import SET_DECK, Kind, Piece, PlayingCard, Rank, SetCard, Suit
from visionset.table import Guess, Sighting, Table
from visionset.tracking.belief import FACES, SURE_AT_MOST, Belief
from visionset.tracking.options import NameOptions
from visionset.tracking.tracks import Draft, Track, name_all

BOX = [[0, 0], [60, 0], [60, 40], [0, 40]]


def reading(card: SetCard, confidence: float, runner_up: SetCard | None = None, second: float = 0.0) -> Belief:
    return Belief.of(Sighting(Kind.SET_CARD, BOX, card, confidence, Guess(card, confidence, runner_up, second)))


shares = st.floats(0.05, 1.0)
cards = st.sampled_from(SET_DECK)


@given(cards, shares, cards, shares)
def test_probabilities_add_up(card: SetCard, confidence: float, other: SetCard, second: float) -> None:
    belief = reading(card, confidence, other if other != card else None, min(second, confidence, 1 - confidence))
    assert sum(belief.probability(one) for one in SET_DECK) == pytest.approx(1.0)
    assert belief.top[1] <= SURE_AT_MOST + 0.01


@given(st.lists(st.tuples(cards, shares), min_size=1, max_size=6), st.randoms())
def test_the_order_of_readings_does_not_matter(readings: list[tuple[SetCard, float]], random: object) -> None:
    beliefs = [reading(*one) for one in readings]
    shuffled = beliefs.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = Belief.pooled(beliefs, inf), Belief.pooled(shuffled, inf)
    for card in {card for card, _ in readings}:
        assert one.probability(card) == pytest.approx(other.probability(card))


@given(cards, st.floats(0.3, 0.95), st.integers(2, 6))
def test_readings_that_agree_are_as_sure_as_one_of_them(card: SetCard, confidence: float, count: int) -> None:
    """A hundred frames of one camera under one lamp err together."""
    assert Belief.pooled([reading(card, confidence)] * count, inf).top[1] == pytest.approx(reading(card, confidence).top[1])


@given(cards, cards, st.floats(0.6, 0.95), st.integers(2, 6))
def test_one_that_errs_alone_is_outvoted(card: SetCard, wrong: SetCard, confidence: float, count: int) -> None:
    assert Belief.pooled([*[reading(card, confidence)] * count, reading(wrong, confidence)], inf).top[0] == card


def test_old_readings_fade_so_that_strong_evidence_wins() -> None:
    belief = Belief.pooled([reading(SET_DECK[0], 0.98)] * 100, 6)
    assert belief.weight == pytest.approx(6)
    for _ in range(12):
        belief = Belief.pooled([belief, reading(SET_DECK[1], 0.98)], 6)
    assert belief.top[0] == SET_DECK[1]


def test_a_reading_without_a_guess_says_only_that_it_is_there() -> None:
    belief = Belief.of(Sighting(Kind.SET_CARD, BOX, None, 0.3))
    assert belief.top == (None, 0.0)
    assert belief.guess() is None
    assert Belief.pooled([belief, reading(SET_DECK[3], 0.9)], inf).top[0] == SET_DECK[3]


@given(st.lists(st.tuples(cards, shares), min_size=1, max_size=5), st.integers(1, 6), st.floats(1.0, 6.0))
def test_readings_without_a_guess_take_nothing_from_those_with_one(readings: list[tuple[SetCard, float]], hidden: int, most: float) -> None:
    """A card that lay under a mirrored lamp for a minute is named as soon as it is seen."""
    beliefs = [reading(*one) for one in readings]
    nothing = Belief.pooled([Belief.of(Sighting(Kind.SET_CARD, BOX, None, 0.0))] * hidden, 1.0)
    seen, after = Belief.pooled(beliefs, most), Belief.pooled([nothing, *beliefs], most)
    assert after.weight == pytest.approx(seen.weight)
    for card in SET_DECK:
        assert after.probability(card) == pytest.approx(seen.probability(card))


def test_a_back_has_one_face() -> None:
    belief = Belief.of(Sighting(Kind.CARD_BACK, BOX, None, 0.9))
    assert belief.top == (Kind.CARD_BACK, 1.0)
    assert FACES[Kind.CARD_BACK] == 1
    assert belief.guess() is None


def test_a_piece_that_cannot_be_there_loses_to_the_next() -> None:
    belief = reading(SET_DECK[0], 0.55, SET_DECK[1], 0.4)
    assert belief.after({SET_DECK[0]: -3.0}).top[0] == SET_DECK[1]
    assert belief.after({SET_DECK[5]: -3.0}).top[0] == SET_DECK[0]


def test_what_no_reading_has_named_is_guessed_by_none_for_lying_elsewhere() -> None:
    """Neither what lies there already nor what is out of the deck is asked about."""
    beliefs = reading(SET_DECK[0], 0.97), Belief(Kind.SET_CARD)
    tracks = [
        Track(at, one, Sighting(Kind.SET_CARD, BOX, None, 0.0, None, at), 0.0, np.zeros((4, 4), np.float32), None)  # type: ignore[arg-type]
        for at, one in enumerate(beliefs)
    ]
    first, second = name_all(tracks, frozenset({SET_DECK[7]}), NameOptions())
    assert first.face == SET_DECK[0]
    assert (second.face, second.sighting.guess) == (None, None)


def test_named_sightings_without_a_guess_count_too() -> None:
    assert Belief.of(sighting("1-red-solid-oval", BOX)).top[0] == SetCard.parse("1-red-solid-oval")


def test_a_name_that_became_surer_is_shown_as_sure_as_it_is() -> None:
    """Whoever doubts a reading asks how sure it is now, not how sure it was when it was first named."""
    card = SET_DECK[5]
    first, later = reading(card, 0.62), reading(card, 0.97)
    shown = Sighting(Kind.SET_CARD, BOX, card, first.top[1], first.guess(), 1)
    track = Track(1, later, shown, 0.0, np.zeros((4, 4), np.float32), None)  # type: ignore[arg-type]
    (named,) = name_all([track], frozenset(), NameOptions())
    assert named.sighting.piece == card
    assert named.sighting.confidence == pytest.approx(later.top[1])
    assert name_all([named], frozenset(), NameOptions())[0] is named


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
    card, unread = sorted(draft.observations(), key=lambda observation: -observation.seen)
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
    assert [observation.seen for observation in drafted([first], [second]).observations()] == [1, 1]


def test_two_packs_may_show_the_same_card_twice_side_by_side() -> None:
    both = [seen(100.0, SIX), seen(165.0, SIX)]
    observations = drafted(both, both[::-1], both).observations()
    assert [observation.seen for observation in observations] == [3, 3]
    assert sorted(float(observation.outline_px.mean(axis=0)[0]) for observation in observations) == [100.0, 165.0]
