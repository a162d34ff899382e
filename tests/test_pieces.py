from itertools import product

import pytest

from visionset.errors import PieceError
from visionset.pieces import PACK, SET_CARD_INDEX, SET_DECK, SET_DIE_FACES, PipDie, PlayingCard, SetCard, SetDie

EVERY_PIECE = [*SET_DECK, *SET_DIE_FACES, *PACK, *(PipDie(value) for value in range(1, 7))]


@pytest.mark.parametrize("piece", EVERY_PIECE, ids=lambda piece: f"{piece.kind.value}-{piece}")
def test_parse_and_str_are_inverse(piece):
    assert type(piece).parse(str(piece)) == piece


def test_the_published_numbers_of_pieces():
    assert len(set(SET_DECK)) == 81  # rule S1
    assert len(set(SET_DIE_FACES)) == 28  # rule D1: 27 faces and WILD
    assert len(set(PACK)) == 52
    assert [SET_CARD_INDEX[card] for card in SET_DECK] == list(range(81)) == [card.index for card in SET_DECK]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *product(
            [SetCard], ["", "2-red-striped", "4-red-open-oval", "2-rot-open-oval", "2-RED-open-oval", "2-red-oval-open", "02-red-open-oval"]
        ),
        *product([SetDie], ["", "WILD", "2-red", "0-red-oval", "2-red-open-oval"]),
        *product([PipDie], ["", "0", "7", "12", "six", "²"]),
        *product([PlayingCard], ["", "Q", "10H", "1H", "qh", "QX"]),
    ],
)
def test_anything_else_is_refused_with_the_way_to_write_it(kind, text):
    with pytest.raises(PieceError, match=r"expected .*got .*; "):
        kind.parse(text)


def test_a_half_wild_die_does_not_exist():
    with pytest.raises(PieceError, match="together"):
        SetDie(number=2)
