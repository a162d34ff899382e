"""A kind of piece is described in one place, and whoever asks about kinds asks there."""

import pytest

from visionset.kinds import CARD_FACES, CHOICES, DICE, KIND_SPECS, PIECE_TYPES, kinds_of
from visionset.messages import at_table
from visionset.pieces import Kind
from visionset.words import counted_pieces, label_lines


@pytest.mark.parametrize("kind", Kind)
def test_a_kind_is_described_in_whole(kind: Kind) -> None:
    spec = KIND_SPECS[kind]
    assert kind in kinds_of([spec.choice])
    assert str(counted_pieces([kind])).startswith("1 ")
    assert (spec.piece is None) is not bool(spec.faces)
    assert len(set(spec.faces)) == len(spec.faces)
    for piece in spec.faces:
        assert piece.kind is kind
        assert spec.piece is not None
        assert spec.piece.parse(str(piece)) == piece
        assert at_table(piece)
        assert label_lines(piece)


@pytest.mark.parametrize("kind", PIECE_TYPES)
def test_the_attributes_of_a_piece_tell_it_from_all_others(kind: Kind) -> None:
    spec = KIND_SPECS[kind]
    assert len({tuple(getattr(piece, name) for name in spec.attributes) for piece in spec.faces}) == len(spec.faces)


def test_kinds_are_cards_or_dice_or_show_nothing() -> None:
    assert frozenset({Kind.SET_DIE, Kind.PIP_DIE}) == DICE
    assert frozenset({Kind.SET_CARD, Kind.PLAYING_CARD}) == CARD_FACES
    assert kinds_of(CHOICES) == frozenset(Kind)
