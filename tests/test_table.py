"""A table as JSON: what is written is read again, and what is no table is refused."""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.errors import RecordError
from visionset.geometry import Frame, as_quad
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, Piece, PipDie
from visionset.table import Guess, Sighting, Table, Unread

PIECES = st.sampled_from([*SET_DECK, *SET_DIE_FACES, *PACK, *map(PipDie, range(1, 7))])
SHARES = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)


@st.composite
def sightings(draw: st.DrawFn) -> Sighting:
    """A piece, named or not, guessed at or not, or a back."""
    x, y = draw(st.integers(-100, 4000)), draw(st.integers(-100, 4000))
    outline = np.array([[x, y], [x + 57.3, y], [x + 57.3, y + 87.1], [x, y + 87.1]])
    track = draw(st.none() | st.integers(1, 10_000))
    if draw(st.booleans()):
        return Sighting(Kind.CARD_BACK, outline, None, draw(SHARES), None, track)
    piece, sure = draw(PIECES), draw(SHARES)
    second = draw(st.none() | PIECES.filter(lambda other: other.kind is piece.kind))
    guess = draw(st.sampled_from([None, Guess(piece, sure), Guess(piece, sure, second, sure / 2 if second else 0.0)]))
    if draw(st.booleans()):
        return Sighting(piece.kind, outline, piece, sure, guess, track)
    return Sighting(piece.kind, outline, None, sure, guess, track, draw(st.sampled_from([None, *Unread])))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_are_as_read_only_as_what_they_are_copies_of(copied: Callable[[Any], Any]) -> None:
    corners = [[0, 0], [40, 0], [40, 60], [0, 60]]
    card = Sighting(Kind.SET_CARD, as_quad(corners), SET_DECK[4], 0.9, Guess(SET_DECK[4], 0.9), 7)
    table, frame = copied(Table((640, 480), (card,), 3)), copied(Frame(np.zeros((2, 3, 3), np.uint8), 5, 0.5, "a.png"))
    again = table.sightings[0]
    assert (table.size_px, table.frame_index, again.piece, again.guess, again.track) == ((640, 480), 3, SET_DECK[4], card.guess, 7)
    assert again.outline_px.tolist() == corners
    assert (frame.size_px, frame.index, frame.time_s, frame.name) == ((3, 2), 5, 0.5, "a.png")
    for array in (again.outline_px, frame.image_bgr):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 1


@given(st.lists(sightings(), max_size=4), st.tuples(st.integers(1, 5000), st.integers(1, 5000)))
def test_a_table_and_its_json_are_inverse(seen: list[Sighting], size_px: tuple[int, int]) -> None:
    table = Table(size_px, tuple(seen), 7)
    again = Table.from_json(json.loads(json.dumps(table.to_json())), 7)
    assert (again.size_px, again.frame_index) == (size_px, 7)
    for one, other in zip(again.sightings, seen, strict=True):
        assert (one.kind, one.piece, one.confidence) == (other.kind, other.piece, other.confidence)
        assert (one.track, one.reason) == (other.track, other.reason)
        assert np.abs(one.outline_px - other.outline_px).max() <= 0.05
        assert (one.guess is None) == (other.guess is None)
        if one.guess is not None and other.guess is not None:
            assert (one.guess.piece, one.guess.runner_up) == (other.guess.piece, other.guess.runner_up)
            assert one.guess.runner_up_confidence == pytest.approx(other.guess.runner_up_confidence, abs=0.0006)


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("piece", [SET_DECK[4], SET_DIE_FACES[-1], PipDie(3), PACK[-1]], ids=str)
def test_what_people_call_a_piece_is_kept_though_its_kind_was_misread_or_it_lies_face_down(kind: Kind, piece: Piece) -> None:
    """A recording in which a card was disputed while it lay face down could not be read any more."""
    card = Sighting(kind, as_quad([[0, 0], [40, 0], [40, 60], [0, 60]]), piece, 1.0, Guess(piece, 1.0))
    (again,) = Table.from_json(json.loads(json.dumps(Table((640, 480), (card,)).to_json()))).sightings
    assert (again.kind, again.piece, again.guess) == (kind, piece, card.guess)


def test_whole_numbers_of_numpy_are_written_as_others_are() -> None:
    card = Sighting(Kind.SET_CARD, as_quad([[0, 0], [40, 0], [40, 60], [0, 60]]), SET_DECK[4], 0.9, track=np.int64(7))  # type: ignore[arg-type]
    table = Table(tuple(np.array([640, 480])), (card,))  # type: ignore[arg-type]
    again = Table.from_json(json.loads(json.dumps(table.to_json())))
    assert (again.size_px, again.sightings[0].track) == ((640, 480), 7)


@pytest.mark.parametrize(
    "pieces",
    [None, [1], [{"kind": "set_card"}], [{"kind": "set_card", "name": "x", "corners": [], "confidence": 1}], 3 * [{"kind": "pip_die"}]],
)
def test_other_json_is_refused(pieces: object) -> None:
    with pytest.raises(RecordError, match="expected"):
        Table.from_json({"width": 64, "height": 48, "pieces": pieces})


@pytest.mark.parametrize("size", [(-1, 5), (5, -1), (10**9, 5)])
def test_a_table_has_the_size_of_a_picture(size: tuple[int, int]) -> None:
    with pytest.raises(RecordError, match="the size of a picture"):
        Table.from_json({"width": size[0], "height": size[1], "pieces": []})
