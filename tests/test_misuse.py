"""What is given wrongly to the public functions is said where it is given, in the errors that their docstrings name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import visionset
from tests.builders import NINE, deal
from visionset.errors import ArrayError, OptionError, PieceError, RecordError
from visionset.games.registry import GAMES
from visionset.games.sets import is_set, third
from visionset.pieces import PipDie, PlayingCard, SetCard, SetDie
from visionset.table import Guess, Table

CARD, OTHER, DIE = SetCard.parse("1-red-open-oval"), SetCard.parse("2-red-open-oval"), SetDie.parse("1-red-oval")


@pytest.mark.parametrize(
    "make",
    [
        lambda: PlayingCard("Q", "H"),  # type: ignore[arg-type]
        lambda: PipDie(2.5),  # type: ignore[arg-type]
        lambda: PipDie(True),
        lambda: PipDie("3"),  # type: ignore[arg-type]
        lambda: SetCard(2.0, CARD.color, CARD.shading, CARD.shape),  # type: ignore[arg-type]
        lambda: third(CARD, DIE),  # type: ignore[type-var]
        lambda: third(DIE, CARD),  # type: ignore[type-var]
        lambda: third(CARD, None),  # type: ignore[type-var]
        lambda: is_set(CARD, OTHER, None),  # type: ignore[type-var]
    ],
)
def test_what_is_no_piece_is_refused(make: Any) -> None:
    with pytest.raises(PieceError):
        make()


def test_whole_numbers_of_numpy_make_pieces() -> None:
    assert str(PipDie(np.int64(3))) == "3"  # type: ignore[arg-type]
    assert SetCard(np.int64(1), CARD.color, CARD.shading, CARD.shape) == CARD  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"name": "foo"}, {"guess": ["a", 0.2]}, {"guess": ["1-red-open-oval", 7.5]}, {"confidence": 2}])
def test_a_damaged_table_is_a_record_error(wrong: dict[str, Any]) -> None:
    lines = deal(NINE, (640, 360), card_px=90, gap_px=20).to_json()
    lines["pieces"][0] |= wrong
    with pytest.raises(RecordError):
        Table.from_json(lines)


def test_options_and_pictures_of_another_kind_are_refused() -> None:
    photo = np.full((360, 640, 3), 200, np.uint8)
    with pytest.raises(OptionError, match="expected ReadOptions"):
        visionset.read(photo, visionset.Kind.SET_CARD)  # type: ignore[arg-type]
    table = deal(NINE, (640, 360), card_px=90, gap_px=20)
    assert visionset.draw(photo, table).shape == photo.shape
    with pytest.raises(ArrayError, match="of 640x360 pixels, got 640x100"):
        visionset.draw(photo[:100], table)


def test_one_name_is_one_player() -> None:
    assert GAMES["solitaire"].start(players="Ann").players == ("Ann",)


def test_a_table_that_is_turned_keeps_what_is_known_of_it() -> None:
    table = deal(NINE, (640, 360), card_px=90, gap_px=20)
    doubtful = replace(table.sightings[0], piece=None, guess=Guess(NINE[0], 0.5), reason=visionset.Unread.DOUBTFUL)
    table = replace(table, sightings=(doubtful, *table.sightings[1:]), lacks_colour=True)
    for view in (visionset.View(mirrored=True), visionset.View(quarter_turns=1, hint=visionset.Reveal.COUNT)):
        turned = view.turn_table(table)
        assert (turned.lacks_colour, turned.sightings[0].reason) == (True, visionset.Unread.DOUBTFUL)
        assert turned.pieces == table.pieces
