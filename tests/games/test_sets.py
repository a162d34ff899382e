"""The laws of the set-finding core over the whole deck and over all die faces (rules S1, S2, D2, D3)."""

from itertools import combinations, permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.errors import PieceError
from visionset.games.sets import duplicates, find_sets, has_set, is_set, third, why_not
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Color, PipDie, SetCard, SetDie, Shading, Shape

WILD = SetDie()
SYMBOLS = SET_DIE_FACES[:-1]


def cards(*names: str) -> list[SetCard]:
    return [SetCard.parse(name) for name in names]


def dice(*names: str) -> list[SetDie]:
    return [SetDie.parse(name) for name in names]


def plain_is_set(pieces: tuple[SetCard, SetCard, SetCard]) -> bool:
    """Rule S2 as it is printed: for no attribute are two alike and one not."""
    values = [[(c.number, c.color, c.shading, c.shape)[attribute] for c in pieces] for attribute in range(4)]
    return all(len(set(three)) != 2 for three in values)


# Twenty cards without a SET, found by a random search among layouts that are symmetric about the middle card.
SETLESS_20 = [SET_DECK[i] for i in (0, 1, 8, 10, 11, 15, 22, 24, 26, 37, 43, 54, 56, 58, 65, 69, 70, 72, 79, 80)]


def test_the_deck_holds_1080_sets_of_81_cards() -> None:
    assert len(SET_DECK) == 81
    assert len(find_sets(SET_DECK)) == 1080


def test_find_sets_agrees_with_the_printed_rule_on_the_whole_deck() -> None:
    index = dict(enumerate(SET_DECK))
    expected = tuple(t for t in combinations(range(81), 3) if plain_is_set((index[t[0]], index[t[1]], index[t[2]])))
    assert find_sets(SET_DECK) == expected


def test_forty_sets_go_through_each_card() -> None:
    through = [0] * 81
    for triple in find_sets(SET_DECK):
        for position in triple:
            through[position] += 1
    assert through == [40] * 81


def test_one_third_card_for_each_pair() -> None:
    for first, second in combinations(SET_DECK, 2):
        completing = [card for card in SET_DECK if is_set(first, second, card)]
        assert completing == [third(first, second)]


def test_setless_layout_of_20_that_no_card_extends() -> None:
    assert len(set(SETLESS_20)) == 20
    assert find_sets(SETLESS_20) == ()
    others = [card for card in SET_DECK if card not in SETLESS_20]
    assert len(others) == 61
    assert all(has_set([*SETLESS_20, card]) for card in others)


@given(st.permutations(range(3)), st.permutations(range(3)), st.permutations(range(3)), st.permutations(range(3)), st.data())
def test_renaming_values_keeps_every_set(
    numbers: list[int], colors: list[int], shadings: list[int], shapes: list[int], data: st.DataObject
) -> None:
    def renamed(card: SetCard) -> SetCard:
        return SetCard(
            numbers[card.number - 1] + 1,
            list(Color)[colors[list(Color).index(card.color)]],
            list(Shading)[shadings[list(Shading).index(card.shading)]],
            list(Shape)[shapes[list(Shape).index(card.shape)]],
        )

    table = data.draw(st.lists(st.sampled_from(SET_DECK), unique=True, min_size=12, max_size=30))
    assert find_sets([renamed(card) for card in table]) == find_sets(table)


@given(st.lists(st.sampled_from(SET_DECK), unique=True, max_size=21).flatmap(lambda t: st.tuples(st.just(t), st.permutations(t))))
def test_order_on_the_table_does_not_matter(pair: tuple[list[SetCard], list[SetCard]]) -> None:
    table, shuffled = pair
    assert {frozenset(table[i] for i in t) for t in find_sets(table)} == {frozenset(shuffled[i] for i in t) for t in find_sets(shuffled)}


@given(st.lists(st.sampled_from(SET_DECK), unique=True, min_size=21, max_size=21))
def test_21_cards_always_hold_a_set(table: list[SetCard]) -> None:
    assert has_set(table)


@given(st.lists(st.one_of(st.none(), st.sampled_from(SET_DECK)), max_size=20))
def test_unread_and_doubled_cards_keep_positions_and_take_no_part(table: list[SetCard | None]) -> None:
    doubled = {position for group in duplicates(table) for position in group}
    for triple in find_sets(table):
        chosen = [table[position] for position in triple]
        assert None not in chosen
        assert not doubled & set(triple)
        assert plain_is_set(tuple(chosen))  # type: ignore[arg-type]
    kept = [(position, card) for position, card in enumerate(table) if card is not None and position not in doubled]
    expected = {tuple(p for p, _ in three) for three in combinations(kept, 3) if plain_is_set(tuple(c for _, c in three))}  # type: ignore[arg-type]
    assert set(find_sets(table)) == expected


def test_why_not_names_the_attribute_and_the_two_and_one_values() -> None:
    """S2: if two are and one is not, it is not a SET."""
    assert tuple(map(str, why_not(*cards("1-red-striped-oval", "1-red-solid-oval", "1-red-striped-diamond")))) == (
        "two are striped, one is solid: shading is neither all the same nor all different",
        "two are oval, one is diamond: shape is neither all the same nor all different",
    )
    assert tuple(map(str, why_not(*cards("1-red-striped-oval", "2-red-striped-oval", "2-green-striped-oval")))) == (
        "two have 2 symbols, one has 1: number is neither all the same nor all different",
        "two are red, one is green: color is neither all the same nor all different",
    )


@given(st.tuples(*[st.sampled_from(SET_DECK)] * 3))
def test_why_not_is_empty_exactly_for_a_set(three: tuple[SetCard, SetCard, SetCard]) -> None:
    assert (why_not(*three) == ()) == is_set(*three)


@given(st.tuples(*[st.sampled_from(SET_DIE_FACES)] * 3))
def test_why_not_is_empty_exactly_for_a_set_of_dice(three: tuple[SetDie, SetDie, SetDie]) -> None:
    assert (why_not(*three) == ()) == is_set(*three)


def test_one_card_read_twice_is_a_problem_and_never_part_of_a_set() -> None:
    red, green, purple = cards("1-red-solid-oval", "1-green-solid-oval", "1-purple-solid-oval")
    assert not is_set(red, red, red)
    assert tuple(map(str, why_not(red, red, green))) == ("1-red-solid-oval is there twice, the deck holds it once",)
    assert duplicates([red, None, green, red]) == ((0, 3),)
    assert find_sets([red, green, purple]) == ((0, 1, 2),)
    assert find_sets([red, green, red, purple]) == ()
    with pytest.raises(ValueError, match="holds each card once"):
        third(red, red)


def test_nothing_on_the_table_is_no_set() -> None:
    assert find_sets([]) == find_sets([None, None, None]) == ()


def test_one_third_face_for_any_two_dice() -> None:
    """D2; two equal dice are completed by the same face."""
    for first, second in product(SYMBOLS, SYMBOLS):
        assert [face for face in SYMBOLS if is_set(first, second, face)] == [third(first, second)]
    assert third(SYMBOLS[4], SYMBOLS[4]) == SYMBOLS[4]


def test_a_die_set_is_a_card_set_of_equal_shading() -> None:
    def card(face: SetDie) -> SetCard:
        return SetCard(face.number, face.color, Shading.SOLID, face.shape)  # type: ignore[arg-type]

    for three in combinations(SYMBOLS, 3):
        assert is_set(*three) == is_set(*(card(face) for face in three))


def test_a_wild_completes_any_two_dice() -> None:
    """D3: a WILD stands for any face."""
    red, green, odd = dice("1-red-oval", "1-green-oval", "3-green-diamond")
    assert is_set(red, WILD, odd)
    assert is_set(WILD, WILD, odd)
    assert why_not(red, green, WILD) == ()
    assert find_sets([red, None, green, odd, WILD]) == ((0, 2, 4), (0, 3, 4), (2, 3, 4))
    with pytest.raises(ValueError, match="state what it stands for"):
        third(red, WILD)


@given(st.lists(st.one_of(st.none(), st.sampled_from(SET_DIE_FACES), st.just(WILD)), max_size=14))
def test_sets_of_dice_are_those_without_a_reason_against_them(rolled: list[SetDie | None]) -> None:
    expected = []
    for places in combinations(range(len(rolled)), 3):
        three = [die for place in places if (die := rolled[place]) is not None]
        if len(three) == 3 and why_not(*three) == ():
            expected.append(places)
    assert find_sets(rolled) == tuple(expected)


def test_equal_dice_are_a_set_and_symmetric() -> None:
    same = dice("2-red-oval", "2-red-oval", "2-red-oval")
    assert find_sets(same) == ((0, 1, 2),)
    three = dice("1-red-oval", "2-green-oval", "3-purple-diamond")
    assert len({why_not(*order) for order in permutations(three)}) == 1
    assert tuple(map(str, why_not(*three))) == ("two are oval, one is diamond: shape is neither all the same nor all different",)


@pytest.mark.parametrize(
    ("pieces", "todo"),
    [
        (["1-red-open-oval"] * 3, "make a piece of a name by SetCard.parse"),
        ([SET_DECK[0], SetDie.parse("1-red-oval")], "choose those of one kind"),
        ([PipDie(3), None], "choose those of one kind"),
        ([SET_DECK[0], PACK[3]], f"{PACK[3]} among them; choose those of one kind"),
        ([None, SET_DECK[1], ["1-red-open-oval"]], "make a piece of a name by SetCard.parse"),
    ],
)
def test_what_is_neither_a_card_nor_a_die_is_named(pieces: list[Any], todo: str) -> None:
    with pytest.raises(PieceError, match=f"^expected SET cards alone or SET dice alone, got .*{todo}"):
        find_sets(pieces)
