from __future__ import annotations

from datetime import datetime

from visionset.messages import at_table, speaking
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, PipDie, PlayingCard, SetCard, SetDie
from visionset.words import counted, counted_pieces, counted_sets, day_and_time, label_lines


def test_cards_in_words() -> None:
    assert at_table(SetCard.parse("2-red-striped-oval")) == "two red striped ovals"
    assert at_table(SetCard.parse("1-green-open-diamond")) == "one green open diamond"
    assert at_table(PlayingCard.parse("QH")) == "queen of hearts"


def test_dice_in_words() -> None:
    assert at_table(SetDie.parse("2-red-oval")) == "two red ovals"
    assert at_table(SetDie.parse("1-purple-squiggle")) == "one purple squiggle"
    assert at_table(SetDie.parse("wild")) == "WILD"
    assert at_table(PipDie(4)) == "4"


def test_dice_and_playing_cards_have_labels_that_any_font_draws() -> None:
    for pieces in (PACK, SET_DIE_FACES):
        for form in (0, 1, -1):
            lines = {label_lines(piece)[form] for piece in pieces}
            assert len(lines) == len(pieces)
            assert all(text.isascii() for label in lines for text in label)
    assert label_lines(PlayingCard.parse("TS")) == (("10 spades",), ("10", "spades"), ("10 sp",))
    assert label_lines(SetDie.parse("3-green-diamond"))[-1] == ("3G di",)
    assert label_lines(PipDie(6)) == (("6",),)


def test_each_form_of_label_names_every_card_differently() -> None:
    forms = [label_lines(card) for card in SET_DECK]
    for form in range(3):
        assert len({lines[form] for lines in forms}) == 81
    assert label_lines(SetCard.parse("2-red-striped-oval")) == (("2 red striped ovals",), ("2 red", "striped ovals"), ("2R st ov",))


def test_day_and_time_are_written_as_their_readers_write_them() -> None:
    then_s = datetime(2026, 1, 5, 20, 15, 7).timestamp()
    assert str(day_and_time(then_s)) == "2026-01-05 20:15"
    with speaking("de"):
        assert str(day_and_time(then_s)) == "05.01.2026 20:15"
        assert str(day_and_time(then_s, seconds=True)) == "05.01.2026 20:15:07"
    assert day_and_time(float("nan")) == day_and_time(1e300) == "?"


def test_counting() -> None:
    assert [counted(number, "picture") for number in range(3)] == ["no picture", "1 picture", "2 pictures"]
    assert [str(counted_sets(number)) for number in range(3)] == ["no SET", "1 SET", "2 SETs"]


def test_pieces_are_counted_by_kind() -> None:
    assert str(counted_pieces([])) == "no card and no die"
    assert str(counted_pieces([Kind.SET_CARD] * 9)) == "9 cards"
    assert str(counted_pieces([Kind.SET_DIE])) == "1 SET die"
    assert str(counted_pieces([Kind.PIP_DIE, Kind.SET_DIE, Kind.SET_DIE, Kind.SET_CARD])) == "1 card, 2 SET dice and 1 die"
