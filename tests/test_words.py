from __future__ import annotations

from visionset.pieces import SET_DECK, PlayingCard, SetCard
from visionset.words import counted, in_words, label_lines


def test_cards_in_words() -> None:
    assert in_words(SetCard.parse("2-red-striped-oval")) == "two red striped ovals"
    assert in_words(SetCard.parse("1-green-open-diamond")) == "one green open diamond"
    assert in_words(PlayingCard.parse("QH")) == "QH"


def test_each_form_of_label_names_every_card_differently() -> None:
    forms = [label_lines(card) for card in SET_DECK]
    for form in range(3):
        assert len({lines[form] for lines in forms}) == 81
    assert label_lines(SetCard.parse("2-red-striped-oval")) == (("2 red striped ovals",), ("2 red", "striped ovals"), ("2R st ov",))


def test_counting() -> None:
    assert [counted(number, "SET") for number in range(3)] == ["no SET", "1 SET", "2 SETs"]
