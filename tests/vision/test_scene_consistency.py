"""Which kinds are believed where several are looked for."""

from __future__ import annotations

import numpy as np
import pytest

from visionset.pieces import Kind, Piece, PipDie, PlayingCard, SetCard, SetDie
from visionset.table import Sighting
from visionset.vision.scene_consistency import supported

ALL = frozenset(Kind)
ACE, OVAL, CARD = PlayingCard.parse("AS"), SetDie.parse("2-red-oval"), SetCard.parse("1-red-solid-oval")


def seen(kind: Kind, piece: Piece | None, confidence: float, side_px: float = 30.0) -> Sighting:
    corners = np.array([[0.0, 0.0], [side_px, 0.0], [side_px, side_px], [0.0, side_px]])
    return Sighting(kind, corners, piece, confidence)


@pytest.mark.parametrize(("kind", "piece"), [(Kind.PIP_DIE, PipDie(3)), (Kind.SET_DIE, OVAL), (Kind.PLAYING_CARD, ACE)])
def test_one_sure_piece_speaks_for_the_doubtful_ones_of_its_kind_and_no_other(kind: Kind, piece: Piece) -> None:
    doubtful = [seen(other, None, 0.5) for other in (Kind.PIP_DIE, Kind.SET_DIE, Kind.PLAYING_CARD)]
    assert supported(doubtful, ALL) == []
    sure = seen(kind, piece, 0.97)
    assert supported([*doubtful, sure], ALL) == [*(one for one in doubtful if one.kind is kind), sure]


def test_doubtful_set_cards_stay() -> None:
    card = seen(Kind.SET_CARD, None, 0.4)
    assert supported([card], ALL) == [card]


@pytest.mark.parametrize(("face", "piece"), [(Kind.SET_CARD, CARD), (Kind.PLAYING_CARD, ACE)])
def test_backs_are_believed_beside_faces_alone(face: Kind, piece: Piece) -> None:
    back, shown = seen(Kind.CARD_BACK, None, 0.99), seen(face, piece, 0.99)
    assert supported([back], ALL) == []
    assert supported([back, seen(Kind.PIP_DIE, PipDie(2), 0.99)], ALL)[1:] == []
    assert supported([back, shown], ALL) == [back, shown]
    squares_of_cloth = [seen(Kind.CARD_BACK, None, 0.99, 12.0) for _ in range(3)]
    assert supported([*squares_of_cloth, back, shown], ALL) == [back, shown]


@pytest.mark.parametrize(("kind", "piece"), [(Kind.PIP_DIE, PipDie(5)), (Kind.SET_DIE, SetDie.parse("2-red-oval"))])
def test_squares_much_smaller_than_the_dice_are_print_and_no_dice_to_ask_about(kind: Kind, piece: Piece) -> None:
    sure, printed, far = seen(kind, piece, 0.99, 130.0), seen(kind, None, 0.5, 28.0), seen(kind, None, 0.5, 40.0)
    small = seen(kind, piece, 0.95, 28.0)
    assert supported([sure, printed, far, small], ALL) == [sure, far, small]


def test_many_ones_of_all_sizes_are_dots() -> None:
    stars = [seen(Kind.PIP_DIE, PipDie(1), 0.99, side_px) for side_px in (12.0, 20.0, 25.0, 36.0)]
    dice = [seen(Kind.PIP_DIE, PipDie(1), 0.99, side_px) for side_px in (20.0, 24.0, 25.0, 30.0)]
    assert supported(stars, ALL) == []
    assert supported(dice, ALL) == dice
    assert supported(stars[:3], ALL) == stars[:3]
    two = [*stars, seen(Kind.PIP_DIE, PipDie(2), 0.99)]
    assert supported(two, ALL) == []
    three = [*two, seen(Kind.PIP_DIE, PipDie(3), 0.99)]
    assert supported(three, ALL) == three


@pytest.mark.parametrize("wanted", [{kind} for kind in Kind] + [{Kind.PLAYING_CARD, Kind.CARD_BACK}])
def test_of_a_kind_that_is_known_to_lie_there_all_stays(wanted: set[Kind]) -> None:
    doubtful = [seen(kind, None, 0.5) for kind in wanted]
    assert supported(doubtful, frozenset(wanted)) == doubtful
