"""What pieces that are hardly read were when a match stopped."""

from __future__ import annotations

import numpy as np

from visionset.pieces import Kind, Piece, PlayingCard
from visionset.referee.recall import as_before
from visionset.table import Guess, Sighting

SURE = 0.9
TWO, EIGHT, NINE = map(PlayingCard.parse, ("2H", "8C", "9C"))


def unread(track: int, *thought: PlayingCard) -> Sighting:
    guess = Guess(thought[0], 0.5, *((thought[1], 0.4) if thought[1:] else ())) if thought else None
    return Sighting(Kind.PLAYING_CARD, np.zeros((4, 2)), None, 0.5, guess, track)


def test_a_card_that_the_game_has_there_comes_before_one_that_may_lie_there() -> None:
    assert as_before([unread(1, EIGHT, TWO)], [TWO], SURE, perhaps=[EIGHT]) == {1: TWO}
    assert as_before([unread(1, EIGHT, TWO), unread(2, EIGHT)], [TWO], SURE, perhaps=[EIGHT]) == {1: TWO, 2: EIGHT}


def test_a_card_that_may_be_one_of_two_is_asked_about() -> None:
    assert as_before([unread(1, EIGHT, TWO)], [TWO, EIGHT], SURE) == {}
    assert as_before([unread(1, EIGHT, NINE)], [TWO], SURE, perhaps=[EIGHT, NINE]) == {}
    assert as_before([unread(1, TWO, EIGHT), unread(2, TWO, NINE)], [TWO], SURE, perhaps=[EIGHT]) == {}


def test_an_unread_card_is_the_only_one_that_is_not_seen_unless_another_may_lie_there() -> None:
    assert as_before([unread(1)], [TWO], SURE) == {1: TWO}
    assert as_before([unread(1)], [TWO], SURE, perhaps=[EIGHT]) == {}


def test_nothing_is_taken_for_a_card_that_does_not_lie_there() -> None:
    first, second = unread(1, EIGHT, TWO), unread(2)

    def may_be(one: Sighting, piece: Piece) -> bool:
        return one is second or piece is not EIGHT

    assert as_before([first], [TWO, EIGHT], SURE, may_be=may_be) == {1: TWO}
    assert as_before([first, second], [EIGHT], SURE, may_be=may_be) == {2: EIGHT}
