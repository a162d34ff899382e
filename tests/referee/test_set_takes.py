"""What left the table of SET between two settled looks: forgotten keys, early and late refills, ties, too many cards (S4 to S8)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from tests.referee.tabletop import TableTop, bare
from tests.referee.test_director import no_set, twelve
from tests.referee.test_set_cards import begun, spot
from tests.referee.test_solitaire import begun as alone
from visionset.games.base import Amend
from visionset.games.card_table.places import Discard
from visionset.games.set_cards.referee import SetCardsReferee
from visionset.games.set_cards.rules import Call as Called
from visionset.games.set_cards.rules import Deal, GiveUp, Phase, Take
from visionset.games.sets import find_sets, has_set
from visionset.games.solitaire.rules import Deal as DealAlone
from visionset.games.solitaire.rules import Take as TakeAlone
from visionset.messages import at_table
from visionset.pieces import SET_DECK, SetCard
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, CallSet, GameIsRight, NoSet, TableIsRight, Undo
from visionset.table import Guess

Trio = tuple[int, ...]


def a_set(table: TableTop) -> Trio:
    return find_sets(table.director.state.table)[0]


def two_sets(shared: int) -> tuple[TableTop, Trio, Trio]:
    """A layout with two SETs that share so many cards."""
    for seed in range(500):
        sets = find_sets(random.Random(seed).sample(SET_DECK, 12))
        pair = next(((one, two) for one in sets for two in sets if one < two and len(set(one) & set(two)) == shared), None)
        if pair is not None and len(sets) == 2:
            table = begun()
            twelve(table, seed)
            return table, *pair
    raise AssertionError("no such layout among 500")


def lift(table: TableTop, places: Sequence[int]) -> list[SetCard]:
    """Cards leave the table."""
    cards = [card for place in places if (card := table.director.state.table[place]) is not None]
    for card in cards:
        table.take(table.track(card))
    return cards


def fresh(table: TableTop, count: int, seed: int = 1) -> list[SetCard]:
    """Cards of the pack."""
    out = {*table.director.state.seen, *(table.truth(track) for track in table.lying)}
    return random.Random(seed).sample([card for card in SET_DECK if card not in out], count)


def refill(table: TableTop, places: Sequence[int], seed: int = 1) -> list[SetCard]:
    """The dealer lays cards of the pack in these places."""
    cards = fresh(table, len(places), seed)
    for place, card in zip(places, cards, strict=True):
        table.lay(card, spot(place), sure=True)
    return cards


def put_back(table: TableTop, places: Sequence[int], cards: Sequence[SetCard]) -> None:
    for place, card in zip(places, cards, strict=True):
        table.lay(card, spot(place), sure=True)
    settle(table)


def settle(table: TableTop) -> None:
    table.hand()
    table.settle()


def asked(table: TableTop) -> str:
    return str(table.director.showing.question or "")


def pack(table: TableTop) -> int:
    """What the real pack holds: all cards that never lay on the table."""
    return int(table.director.state.pack_left)


def told_first(table: TableTop) -> str:
    return table.director.showing.told[0].text


REFILLS = ("before", "after", "between")


@pytest.mark.parametrize("when", REFILLS)
@pytest.mark.parametrize("is_set", [True, False])
def test_a_forgotten_key_is_made_up_for_by_naming_the_taker(when: str, is_set: bool) -> None:
    """S4, S5: the question stands before and after the refill, and who is named is judged as if the call had come."""
    table = begun()
    twelve(table)
    places = a_set(table) if is_set else no_set(table)
    gone = lift(table, places)
    new: list[SetCard] = []
    if when == "after":
        new = refill(table, places)
    settle(table)
    table.wait(1.5)
    assert asked(table).startswith("Who took ")
    assert asked(table).endswith("? 1 Bo / 2 Cy / 0 nobody")
    assert table.director.showing.differ == ""
    if when == "between":
        new = refill(table, places)
        settle(table)
        assert asked(table).endswith("0 nobody")
    assert table.director.state.scores == (0, 0, 0)
    table.say(Answer(2))
    state = table.director.state
    assert state.scores == (0, 0, 1 if is_set else -1)
    assert asked(table) == ""
    if is_set:
        if when == "before":
            assert "deal 3 cards" in told_first(table)
            new = refill(table, places)
            settle(table)
        assert bare(table.events[1:]) == bare([Called(2), Take(2, places), Deal(tuple(new))])
        assert table.director.state.heap == ()
    elif when == "before":
        assert "put back" in told_first(table)
        put_back(table, places, gone)
        assert bare(table.events[1:]) == bare([Called(2), Take(2, places)])
    else:
        assert bare(table.events[1:]) == bare([Called(2), Take(2, places), Discard(places), Deal(tuple(new))])
        assert set(table.director.state.heap) == set(gone)
    assert pack(table) == 69 - len(new)
    assert table.director.state.phase is Phase.OPEN
    assert table.director.state.findings == ()
    table.wait(2)
    assert table.director.showing.differ == ""


@pytest.mark.parametrize("when", REFILLS)
def test_cards_that_nobody_took_go_back_or_to_the_heap(when: str) -> None:
    table = begun()
    twelve(table)
    places = a_set(table)
    gone = lift(table, places)
    if when == "after":
        refill(table, places)
    settle(table)
    table.say(Answer(0))
    if when == "before":
        assert "put back" in told_first(table)
        assert table.say(CallSet(1)) == []
        put_back(table, places, gone)
        assert len(table.events) == 1
        assert pack(table) == 69
    else:
        if when == "between":
            refill(table, places)
            settle(table)
        assert [event.name for event in table.events] == ["deal", "discard", "deal"]
        assert set(table.director.state.heap) == set(gone)
        assert pack(table) == 66
    table.wait(2)
    assert table.director.state.scores == (0, 0, 0)
    assert table.director.state.phase is Phase.OPEN
    assert table.director.showing.differ == ""


def test_a_card_that_is_laid_while_cards_should_go_back_does_not_end_the_waiting() -> None:
    table = begun()
    twelve(table)
    places = a_set(table)
    gone = lift(table, places)
    settle(table)
    table.say(Answer(0))
    refill(table, places[:1])
    settle(table)
    assert "put back" in told_first(table)
    table.take(table.track(next(table.truth(track) for track in table.lying if table.truth(track) not in table.director.state.table)))  # type: ignore[arg-type]
    put_back(table, places, gone)
    assert len(table.events) == 1
    assert pack(table) == 69


def test_who_took_it_waits_for_an_answer_and_next_says_nobody() -> None:
    table = begun()
    twelve(table)
    places = a_set(table)
    lift(table, places)
    refill(table, places)
    settle(table)
    table.wait(130)
    assert asked(table)
    table.next()
    assert "(nobody)" in str(table.director.showing.notice)
    table.next()  # somebody else, at the same moment
    assert asked(table)
    table.wait(1)
    table.next()
    assert table.director.state.scores == (0, 0, 0)
    assert len(table.director.state.heap) == 3


def test_an_answer_is_taken_back_and_asked_again() -> None:
    table = begun()
    twelve(table)
    places = a_set(table)
    lift(table, places)
    settle(table)
    table.say(Answer(0))
    table.say(Undo())
    assert len(table.director.history.events) == 1
    table.say(Answer(1))
    assert table.director.state.scores == (0, 1, 0)


def test_undo_of_what_a_refilled_take_came_to() -> None:
    table = begun()
    twelve(table)
    places = a_set(table)
    lift(table, places)
    refill(table, places)
    settle(table)
    table.say(Answer(1))
    count = len(table.director.history.events)
    while len(table.director.history.events) > 1:
        table.say(Undo())
    assert count > 2
    assert pack(table) == 69
    assert table.director.state.scores == (0, 0, 0)
    table.next()
    assert asked(table).startswith("Who took")
    table.say(Answer(2))
    assert table.director.state.scores == (0, 0, 1)
    assert pack(table) == 66


def test_the_key_still_answers_and_a_card_in_hand_does_not_refuse_it() -> None:
    table = begun()
    twelve(table)
    places = a_set(table)
    lift(table, places[:1])
    settle(table)
    table.wait(2)
    assert table.director.showing.differ
    table.say(CallSet(1))
    assert table.director.state.phase is Phase.CALLED
    lift(table, places[1:])
    settle(table)
    assert table.director.state.scores == (0, 1, 0)


@pytest.mark.parametrize(("hand_s", "rests"), [(2.0, False), (4.5, False), (4.5, True)])
def test_while_a_hand_is_over_the_table_the_limit_waits_and_then_the_cards_decide(hand_s: float, rests: bool) -> None:
    """S4."""
    for taken, points in ((1, 1), (0, -1)):
        table = begun()
        twelve(table)
        places = a_set(table)
        table.say(CallSet(1))
        table.wait(1)
        lift(table, places[:2])
        settle(table)
        table.wait(2)
        assert table.director.state.phase is Phase.CALLED
        table.hand(1.0 + hand_s, rests)
        assert table.director.state.phase is Phase.CALLED
        if taken:
            lift(table, places[2:])
        table.settle()
        table.wait(0.5)
        assert table.director.state.scores == (0, points, 0)


@pytest.mark.parametrize("apart_s", [0.0, 0.2])
@pytest.mark.parametrize("answer", [1, 2, 0])
def test_of_six_cards_that_leave_at_once_after_a_tie_people_say_whose_are_which(answer: int, apart_s: float) -> None:
    """S6: both have a SET, but if one of its cards turns out to be misread, it matters whose it was.

    The time of who called first is not over because the other one's cards are told first.
    """
    table, one, two = two_sets(0)
    cards = {one: cards_of(table, one), two: cards_of(table, two)}
    table.say(CallSet(1))
    table.now_s += apart_s
    table.say(CallSet(2))
    table.wait(1)
    lift(table, (*one, *two))
    settle(table)
    table.wait(120)
    assert asked(table).endswith("1 Bo / 2 Cy / 0 neither")
    asked_of = next(trio for trio in cards if all(at_table(card) in asked(table) for card in cards[trio]))
    table.say(Answer(answer))
    if not answer:
        other = next(trio for trio in cards if trio != asked_of)
        assert all(at_table(card) in asked(table) for card in cards[other])
        table.say(Undo())
        table.say(Answer(2))
    state = table.director.state
    assert state.scores == (0, 1, 1)
    assert set(state.kept[answer or 2]) == set(cards[asked_of])
    assert asked(table) == ""
    table.say(Undo())
    assert table.director.state.scores == (0, 0, 0)


@pytest.mark.parametrize("apart_s", [0.0, 0.2])
@pytest.mark.parametrize("taker", [1, 2])
def test_who_holds_the_same_set_in_a_tie_is_not_late_because_it_was_asked_who_took_it(taker: int, apart_s: float) -> None:
    """S6: neither scores, whoever called first."""
    table, one, _ = two_sets(0)
    table.wait(1)
    table.say(CallSet(1))
    table.now_s += apart_s
    table.say(CallSet(2))
    table.wait(1)
    lift(table, one)
    settle(table)
    table.wait(30)
    table.say(Answer(taker))
    table.say(CallSet(3 - taker))
    state = table.director.state
    assert (state.scores, len(state.heap)) == ((0, 0, 0), 3)


def test_six_cards_that_neither_took_are_not_asked_about_once_more() -> None:
    table, one, two = two_sets(0)
    table.say(CallSet(1))
    table.say(CallSet(2))
    table.wait(1)
    cards = lift(table, (*one, *two))
    settle(table)
    for _ in range(2):
        table.say(Answer(0))
    for _ in range(12):
        assert asked(table) == ""
        table.wait(1)
    assert table.director.state.scores == (0, -1, -1)
    put_back(table, (*one, *two), cards)
    table.wait(2)
    assert (table.director.state.phase, table.director.showing.differ) == (Phase.OPEN, "")


def cards_of(table: TableTop, places: Sequence[int]) -> list[SetCard]:
    return [card for place in places if (card := table.director.state.table[place]) is not None]


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_a_set_that_is_called_and_refilled_before_the_table_settles(steps: int) -> None:
    """S5, S7: so many of the three new cards are laid later."""
    table = begun()
    twelve(table)
    places = a_set(table)
    table.say(CallSet(1))
    lift(table, places)
    new = refill(table, places)
    late = new[3 - steps :]
    for card in late:
        table.take(table.track(card))
    settle(table)
    for place, card in zip(places[3 - steps :], late, strict=True):
        table.lay(card, spot(place), sure=True)
    settle(table)
    assert bare(table.events[1:]) == bare([Called(1), Take(1, places), Deal(tuple(new))])
    assert table.director.state.scores == (0, 1, 0)
    assert pack(table) == 66
    table.say(Undo())
    assert table.director.state.phase is Phase.DEAL
    assert table.director.state.scores == (0, 1, 0)
    table.next()
    assert bare(table.events[-1:]) == bare([Deal(tuple(new))])


@pytest.mark.parametrize("is_set", [True, False])
def test_solitaire_that_is_refilled_before_the_table_settles(is_set: bool) -> None:
    table = alone()
    twelve(table)
    places = a_set(table) if is_set else no_set(table)
    lift(table, places)
    new = refill(table, places)
    settle(table)
    more = [] if is_set else [Discard(places)]
    assert bare(table.events[1:]) == bare([TakeAlone(places), *more, DealAlone(tuple(new))])
    assert table.director.state.scores == (int(is_set),)
    assert pack(table) == 66
    assert table.director.state.findings == ()
    table.wait(2)
    assert table.director.showing.differ == ""


def test_one_new_card_in_the_place_of_one_of_three_may_be_misread_and_costs_nothing() -> None:
    """S5: two cards of a call are gone, and a third that nobody touched is read as another."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    other = next(place for place in range(12) if place not in trio)
    table.say(CallSet(1))
    lift(table, (*trio[:2], other))
    wrong = refill(table, (other,))
    settle(table)
    table.wait(130)
    assert "the game has" in at_table(table.director.showing.differ)
    assert table.director.state.scores == (0, 0, 0)
    table.say(GameIsRight())
    assert table.director.state.scores == (0, 0, 0)
    assert table.director.state.phase is Phase.OPEN
    assert wrong[0] not in table.director.state.table


def test_one_misread_card_of_four_that_go_back_throws_none_of_them_away() -> None:
    """S5, S8: of fourteen cards that are left of fifteen the dealer would lay one for three, and this one may be any of them."""
    table, one, two = two_sets(shared=1)
    more = fresh(table, 3)
    for place, card in enumerate(more, 12):
        table.lay(card, spot(place), sure=True)
    table.settle()
    table.say(TableIsRight())
    cards = table.director.state.table
    table.say(CallSet(1))
    table.say(CallSet(2))
    lift(table, one)
    settle(table)
    table.say(Answer(1))
    lift(table, [place for place in two if place not in one])
    settle(table)
    others = [place for place in (*one, *two) if cards[place] not in table.director.state.heap]
    assert len(others) == 4
    table.lay(cards[others[0]], spot(others[0]), sure=True)
    misread = table.lay(fresh(table, 1)[0], spot(others[1]), sure=True)
    settle(table)
    table.take(misread)
    put_back(table, others[1:], [cards[place] for place in others[1:]])
    table.wait(3)
    assert (len(table.director.state.table), table.director.state.phase, table.director.showing.differ) == (14, Phase.OPEN, "")


def test_a_tie_with_a_shared_card_where_five_cards_leave_in_one_look() -> None:
    """S6: the shared card goes to the heap, nobody scores, the others go back."""
    table, one, two = two_sets(shared=1)
    cards = table.director.state.table
    shared = cards[(set(one) & set(two)).pop()]
    table.say(CallSet(1))
    table.say(CallSet(2))
    gone = sorted({*one, *two})
    lift(table, gone)
    settle(table)
    assert bare(table.events[-2:]) == bare([Take(1, one), Take(2, two)])
    assert table.director.state.scores == (0, 0, 0)
    assert table.director.state.heap == (shared,)
    assert "put back" in told_first(table)
    assert "without a call" not in at_table(table.director.showing.differ)
    others = [place for place in gone if cards[place] != shared]
    put_back(table, others, [cards[place] for place in others])  # type: ignore[misc]
    assert "deal 1 card" in told_first(table)
    refill(table, [cards.index(shared)])
    settle(table)
    assert table.director.state.phase is Phase.OPEN
    assert pack(table) == 68
    assert table.director.showing.differ == ""


@pytest.mark.parametrize("count", [1, 5])
def test_a_lost_tie_is_refilled_before_its_cards_are_back(count: int) -> None:
    """S6, S7: one card is wanted; where five are laid, the four that did not come back are on the heap too."""
    table, one, two = two_sets(shared=1)
    gone = sorted({*one, *two})
    cards = [table.director.state.table[place] for place in gone]
    table.say(CallSet(1))
    table.say(CallSet(2))
    lift(table, gone)
    middle = (set(one) & set(two)).pop()
    places = [middle] if count == 1 else gone
    refill(table, places)
    settle(table)
    if count == 1:
        put_back(
            table, [place for place in gone if place != middle], [card for card, place in zip(cards, gone, strict=True) if place != middle]
        )  # type: ignore[misc]
    table.wait(2)
    assert table.director.state.phase is Phase.OPEN
    assert table.director.state.scores == (0, 0, 0)
    assert len(table.director.state.heap) == count
    assert pack(table) == 69 - count
    assert table.director.showing.differ == ""


def test_four_cards_of_a_tie_with_one_set_are_asked_about() -> None:
    """S6: whoever took the SET is right, and the other one has no three cards in time."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    table.say(CallSet(1))
    table.say(CallSet(2))
    lift(table, (*trio, next(place for place in range(12) if place not in trio and len(_sets_with(table, (*trio, place))) == 1)))
    settle(table)
    assert asked(table).endswith("1 Bo / 2 Cy / 0 neither")
    table.say(Answer(2))
    table.wait(7)
    assert table.director.state.scores == (0, -1, 1)


def _sets_with(table: TableTop, places: Sequence[int]) -> list[Trio]:
    return [trio for trio in find_sets(table.director.state.table) if set(trio) <= set(places)]


def test_six_cards_after_one_call_change_no_points_until_somebody_answers() -> None:
    """S4, S5."""
    table, one, two = two_sets(shared=0)
    table.say(CallSet(1))
    lift(table, (*one, *two))
    settle(table)
    table.wait(150)
    assert table.director.state.scores == (0, 0, 0)
    assert asked(table).startswith("Which three did Bo take?")
    table.say(Answer(1))
    assert table.director.state.scores == (0, 1, 0)


def test_six_cards_that_hold_no_set_change_no_points_until_they_are_put_back() -> None:
    table = begun()
    twelve(table)
    trio = a_set(table)
    other = [place for place in range(12) if place not in trio]
    many = next(
        (*trio[:2], a, b, c, d)
        for a in other
        for b in other
        for c in other
        for d in other
        if a < b < c < d and not _sets_with(table, (*trio[:2], a, b, c, d))
    )
    cards = table.director.state.table
    table.say(CallSet(1))
    lift(table, many)
    settle(table)
    table.wait(150)
    assert "6 cards have left" in at_table(table.director.showing.differ)
    assert table.director.state.scores == (0, 0, 0)
    put_back(table, many[2:], [cards[place] for place in many[2:]])  # type: ignore[misc]
    table.wait(2)
    assert table.director.state.scores == (0, 0, 0)
    lift(table, trio[2:])
    settle(table)
    assert table.director.state.scores == (0, 1, 0)


@pytest.mark.parametrize(("said", "points"), [(GameIsRight(), 0), (TableIsRight(), -1)])
def test_four_cards_after_one_call_are_settled_by_people_alone(said: GameIsRight | TableIsRight, points: int) -> None:
    table = begun()
    twelve(table)
    table.say(CallSet(1))
    lift(table, (0, 1, 2, 3))
    settle(table)
    table.wait(130)
    assert table.director.state.phase is Phase.CALLED
    table.say(said)
    table.wait(10)
    assert table.director.state.scores == (0, points, 0)
    assert table.director.state.phase is Phase.OPEN
    assert isinstance(table.events[-1], GiveUp if points else Amend)


@pytest.mark.parametrize("is_alone", [False, True])
def test_a_won_card_among_three_refill_cards_is_named_alone_and_exchanged(is_alone: bool) -> None:
    """S1, S7."""
    table = alone() if is_alone else begun()
    twelve(table)
    places = a_set(table)
    if not is_alone:
        table.say(CallSet(1))
    won = lift(table, places)
    settle(table)
    good = refill(table, places[:2])
    table.lay(won[2], spot(places[2]), sure=True)
    settle(table)
    table.wait(1.5)
    differ = at_table(table.director.showing.differ)
    assert "was already won: exchange it" in differ
    assert "belong" not in differ
    assert len([mark for mark in table.director.showing.marks if mark.tone.value == "wrong"]) == 1
    table.take(table.track(won[2]))
    last = refill(table, places[2:], seed=2)
    settle(table)
    assert isinstance(table.events[-1], Deal | DealAlone)
    assert set(table.events[-1].cards) == {*good, *last}
    assert table.director.state.scores[-1 if is_alone else 1] == 1
    assert table.director.showing.differ == ""


def test_a_won_card_that_is_passed_over_leaves_one_to_deal() -> None:
    table = begun()
    twelve(table)
    places = a_set(table)
    table.say(CallSet(1))
    won = lift(table, places)
    settle(table)
    refill(table, places[:2])
    table.lay(won[2], spot(places[2]), sure=True)
    settle(table)
    table.wait(1.5)
    table.say(GameIsRight())
    assert "1 more to deal" in told_first(table)
    table.take(table.track(won[2]))
    refill(table, places[2:])
    settle(table)
    assert table.director.state.phase is Phase.OPEN
    assert table.director.state.scores == (0, 1, 0)


@pytest.mark.parametrize("new", [0, 3, 6])
def test_two_sets_that_leave_one_after_the_other_before_the_table_settles(new: int) -> None:
    """S4, S7: the first call came, the second was forgotten."""
    table, one, two = two_sets(shared=0)
    table.say(CallSet(1))
    first = lift(table, one)
    lift(table, two)
    refill(table, (*one, *two)[:new])
    settle(table)
    question = table.director.showing.question
    assert question is not None
    number = next(number for number, option in enumerate(question.options, 1) if option.value == (1, frozenset(first)))
    table.say(Answer(number))
    assert table.director.state.scores == (0, 1, 0)
    if not new:
        assert told_first(table).startswith("first deal 3 cards, then ")
        table.wait(2)
        assert table.director.showing.differ == ""
        refill(table, one)
        settle(table)
    assert asked(table).startswith("Who took")
    table.say(Answer(2))
    if new < 6:
        refill(table, two, seed=2)
        settle(table)
    assert table.director.state.scores == (0, 1, 1)
    assert pack(table) == 63
    assert table.director.state.phase is Phase.OPEN
    assert table.director.showing.differ == ""


def test_two_forgotten_keys_are_two_questions() -> None:
    table, one, two = two_sets(shared=0)
    lift(table, (*one, *two))
    refill(table, (*one, *two))
    settle(table)
    table.say(Answer(1))
    table.say(Answer(1))
    assert table.director.state.scores == (0, 2, 0)
    assert pack(table) == 63


def test_solitaire_takes_two_sets_before_the_table_settles() -> None:
    _, one, two = (given := two_sets(shared=0))
    table = alone()
    for place, card in enumerate(given[0].director.state.table):
        table.lay(card, spot(place), sure=True)
    table.settle()
    lift(table, (*one, *two))
    refill(table, (*one, *two))
    settle(table)
    assert table.director.state.scores == (2,)
    assert pack(table) == 63


def test_fifteen_cards_are_not_refilled_and_the_key_was_forgotten() -> None:
    """S8."""
    table = begun()
    cards = next(cards for seed in range(500) if not has_set((cards := random.Random(seed).sample(SET_DECK, 15))[:12]) and has_set(cards))
    for place, card in enumerate(cards[:12]):
        table.lay(card, spot(place), sure=True)
    table.settle()
    table.director._game.history = table.director.history.then(Amend.of("no SET", table=(*cards[:12], None, None, None), phase=Phase.DEAL))
    for place, card in enumerate(cards[12:], 12):
        table.lay(card, spot(place), sure=True)
    table.settle()
    assert len(table.director.state.table) == 15
    places = a_set(table)
    lift(table, places)
    settle(table)
    table.say(Answer(1))
    assert table.director.state.scores == (0, 1, 0)
    assert len(table.director.state.table) == 12
    assert table.director.state.phase is Phase.OPEN
    table.wait(2)
    assert table.director.showing.differ == ""
    assert pack(table) == 66


def test_the_last_cards_of_a_round_without_a_call() -> None:
    """S9: nothing is refilled when the pack is out."""
    for answer, rounds in ((1, 1), (0, 0)):
        table = begun()
        twelve(table)
        state = table.director.state
        trio = a_set(table)
        lying = {state.table[place] for place in (*trio, *no_set(table))}
        cards = tuple(card for card in state.table if card in lying)
        rest = tuple(card for card in SET_DECK if card not in cards)
        table.director._game.history = table.director.history.then(Amend.of("late in the round", table=cards, heap=rest))
        for track in [track for track in table.lying if table.truth(track) not in lying]:
            table.take(track)
        table.settle()
        places = a_set(table)
        gone = lift(table, places)
        settle(table)
        table.say(Answer(answer))
        if not answer:
            put_back(table, [0, 1, 2], gone)
        assert len(table.director.state.finished) == rounds * int(not has_set([card for card in cards if card not in gone]))
        assert table.director.state.scores == (0, answer, 0)
        assert table.director.showing.differ == ""


def late_in_the_round(table: TableTop, shared: int | None = None, in_pack: int = 0) -> tuple[list[SetCard], tuple[Trio, ...]]:
    """Some cards lie there and so many are in the pack: with one SET, or two that share so many cards, and without them none."""
    wanted = 1 if shared is None else 2
    for seed in range(500):
        cards = random.Random(seed).sample(SET_DECK, 12)
        sets = find_sets(cards)
        if len(sets) == wanted and len(set().union(*sets)) == 3 * wanted - (shared or 0):
            break
    rest = [card for card in SET_DECK if card not in cards]
    phase = {"phase": Phase.OPEN} if table.director.state.game == "set" else {}
    late = Amend.of("late in the round", table=tuple(cards), heap=tuple(rest[in_pack:]), **phase)
    table.director._game.history = table.director.history.then(late)
    for place, card in enumerate(cards):
        table.lay(card, spot(place), sure=True)
    table.settle()
    return cards, sets


@pytest.mark.parametrize("is_alone", [False, True])
def test_a_deck_that_lacks_a_card_can_be_played_to_its_end(is_alone: bool) -> None:
    """S9, S11: where the last of the pack are awaited, "next" says that there are none."""
    table = alone() if is_alone else begun(names=("Ann", "Bo"))
    _, (places,) = late_in_the_round(table, in_pack=1)
    if not is_alone:
        table.say(CallSet(1))
    lift(table, places)
    settle(table)
    assert "deal 1 card" in told_first(table)
    table.next()
    assert table.director.state.is_over if is_alone else table.director.state.finished == ((0, 1),)
    assert table.director.state.scores[-1] == 1


@pytest.mark.parametrize("come_back", [False, True])
def test_a_tie_that_is_taken_back_after_the_last_cards_of_a_round_can_be_settled_all_the_same(come_back: bool) -> None:
    """S6, S9: whatever left the table once the pack is out, the round ends when people say that the table is right."""
    table = begun(names=("Ann", "Bo", "Cy"))
    cards, (one, two) = late_in_the_round(table, shared=1)
    table.say(CallSet(1))
    table.say(CallSet(2))
    lift(table, one)
    settle(table)
    table.say(Answer(1))
    lift(table, [place for place in two if place not in one])
    settle(table)
    assert table.director.state.finished == ((0, 0, 0),)
    if come_back:
        put_back(table, (both := sorted(set(one) ^ set(two))), [cards[place] for place in both])
    table.say(Undo())
    table.next()
    table.wait(2)
    table.say(TableIsRight())
    assert table.director.state.finished == ((0, 0, 0),)
    assert table.director.state.phase is Phase.DEAL


def test_after_a_vote_cards_that_are_gone_in_a_match_that_goes_on_are_not_those_of_a_late_caller() -> None:
    table = begun()
    twelve(table)
    table.say(CallSet(1))
    table.wait(12)
    table.say(NoSet(2))
    lift(table, a_set(table))
    settle(table)
    assert "Who took" in asked(table)
    table.resume()
    table.wait(0.5)
    table.leave()
    assert "Who took" in asked(table)
    table.say(Answer(1))
    assert table.director.state.scores == (0, 0, 0)


def test_cards_that_left_with_one_of_a_wrong_take_are_asked_about_in_a_match_that_goes_on_too() -> None:
    table = begun()
    twelve(table)
    places = a_set(table)
    wrong = (places[0], *(place for place in range(12) if place not in places))[:3]
    table.say(CallSet(1))
    gone = lift(table, wrong)
    settle(table)
    put_back(table, wrong, gone)
    lift(table, places)
    settle(table)
    assert "Who took" in asked(table)
    table.resume()
    table.wait(0.5)
    table.leave()
    assert "Who took" in asked(table)


@pytest.mark.parametrize("left", [3, 4, 12])
def test_solitaire_counts_no_wrong_take_while_the_cards_are_laid_out_anew(left: int) -> None:
    """Three are still in the hand that lays them, or are not read yet."""
    table = alone()
    twelve(table)
    places = no_set(table)
    order = (*(place for place in range(12) if place not in places), *places)[-left:]
    gone = lift(table, order)
    settle(table)
    assert table.director.state.wrong == int(left == 3)
    put_back(table, order[:-3], gone[:-3])
    assert "put back" in told_first(table)
    put_back(table, order[-3:], gone[-3:])
    assert table.director.state.wrong == int(left == 3)
    lift(table, a_set(table))
    settle(table)
    assert table.director.state.scores == (1,)


def test_solitaire_counts_a_set_with_a_card_that_was_to_go_back() -> None:
    """Who has put back two of three may keep the third for a SET that is seen meanwhile."""
    table = alone()
    twelve(table)
    places = a_set(table)
    wrong = (places[0], *(place for place in range(12) if place not in places))[:3]
    gone = lift(table, wrong)
    settle(table)
    put_back(table, wrong[1:], gone[1:])
    assert "put back" in told_first(table)
    lift(table, places[1:])
    settle(table)
    assert table.director.state.scores == (1,)
    assert table.director.state.wrong == 1


@pytest.mark.parametrize("is_alone", [False, True])
def test_cards_that_are_dealt_are_no_part_of_a_difference_while_one_is_still_to_come(is_alone: bool) -> None:
    """The third card left in a hand before anybody saw it lie, and others with it: when these lie there, it is the only one to deal."""
    table = alone() if is_alone else begun()
    twelve(table)
    places = a_set(table)
    if not is_alone:
        table.say(CallSet(1))
    lift(table, places)
    settle(table)
    new = refill(table, places[:2])
    others = [place for place in range(12) if place not in places][:2]
    gone = lift(table, others)
    settle(table)
    table.wait(1.5)
    differ = at_table(table.director.showing.differ)
    assert "left the table" in differ
    assert not any(str(card) in differ for card in new)
    table.say(GameIsRight())
    assert "1 more to deal" in told_first(table)
    put_back(table, others, gone)
    last = refill(table, places[2:], seed=2)
    settle(table)
    assert isinstance(table.events[-1], Deal | DealAlone)
    assert set(table.events[-1].cards) == {*new, *last}
    assert table.director.showing.differ == ""


def test_cards_that_come_back_lie_in_other_places() -> None:
    table = begun()
    twelve(table)
    places = no_set(table)
    table.say(CallSet(1))
    gone = lift(table, places)
    settle(table)
    put_back(table, [15, 16, 17], gone)
    table.wait(2)
    assert table.director.showing.differ == ""
    assert table.director.state.phase is Phase.OPEN
    assert table.director.state.scores == (0, -1, 0)


@pytest.mark.parametrize("is_called", [True, False])
def test_a_set_that_was_refilled_and_a_card_that_was_exchanged(is_called: bool) -> None:
    """Two faults at once: the SET counts, and only the exchanged card is a difference."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    other = next(place for place in range(12) if place not in trio and len(_sets_with(table, (*trio, place))) == 1)
    if is_called:
        table.say(CallSet(1))
    lift(table, (*trio, other))
    new = refill(table, (*trio, other))
    settle(table)
    if not is_called:
        table.say(Answer(1))
    assert bare(table.events[-1:]) == bare([Deal(tuple(new[:3]))])
    table.wait(1.5)
    assert "the game has" in at_table(table.director.showing.differ)
    assert table.director.state.scores == (0, 1, 0)
    table.say(TableIsRight())
    assert pack(table) == 66
    assert set(new) <= set(table.director.state.table)


def test_a_doubtful_refill_card_is_asked_about_before_anybody_is_judged() -> None:
    table = begun()
    twelve(table)
    trio = a_set(table)
    table.say(CallSet(1))
    lift(table, trio)
    for number, card in enumerate(fresh(table, 3)):
        table.lay(card, spot(trio[number]), sure=number != 1)
    settle(table)
    assert table.director.state.scores == (0, 1, 0)
    assert table.asked >= 1
    assert pack(table) == 66


@pytest.mark.parametrize("is_alone", [False, True])
def test_nobody_votes_on_cards_that_are_in_a_hand(is_alone: bool) -> None:
    """S8, S11."""
    table = alone() if is_alone else begun()
    twelve(table)
    places = no_set(table)
    cards = lift(table, places[:2] if is_alone else places)
    settle(table)
    for player in (0,) if is_alone else (1, 2):
        assert table.say(NoSet(player)) == []
        assert "first put back" in str(table.director.showing.notice)
    put_back(table, places[: len(cards)], cards)
    assert table.say(NoSet(0 if is_alone else 1))


def test_a_vote_counts_while_a_card_that_lies_there_is_not_read() -> None:
    """S8: nobody can put back what lies there."""
    table = begun()
    twelve(table)
    track = table.track(table.director.state.table[0])
    table.lying[track] = replace(table.lying[track], piece=None, confidence=0.3, guess=None)
    table.settle()
    assert [event.name for event in table.say(NoSet(1))] == ["agree"]


@pytest.mark.parametrize("is_refilled", [False, True])
def test_nobody_is_judged_twice_for_cards_in_a_hand_after_undo_or_a_resume(is_refilled: bool) -> None:
    """S5: the cards of a wrong take go back, or to the heap, whoever asks again."""
    table = begun()
    twelve(table)
    places = no_set(table)
    table.say(CallSet(1))
    cards = lift(table, places)
    if is_refilled:
        refill(table, places)
    settle(table)
    while table.director.history.events[-1].name in ("deal", "discard"):
        table.say(Undo())
    again = begun()
    again.director = Director(table.director.history, SetCardsReferee())
    again.lying, again._next_track = dict(table.lying), 900
    again.settle()
    if is_refilled:
        table.next()
    for one in (table, again):
        one.wait(2)
        assert asked(one) == ""
        assert one.director.state.scores == (0, -1, 0)
        if is_refilled:
            assert set(one.director.state.heap) == set(cards)
        else:
            assert "put back" in one.director.showing.told[0].text
            put_back(one, places, cards)
        assert pack(one) == 69 - 3 * is_refilled
        assert one.say(CallSet(2))


def test_a_call_is_no_answer_once_the_cards_are_replaced() -> None:
    """S4: the key is that of somebody who sees another SET."""
    table = begun()
    twelve(table)
    places = a_set(table)
    lift(table, places)
    refill(table, places)
    settle(table)
    assert table.say(CallSet(2)) == []
    assert "first say who took" in str(table.director.showing.notice)
    table.say(Answer(1))
    assert table.director.state.scores == (0, 1, 0)
    assert table.say(CallSet(2))


@pytest.mark.parametrize("comes_back", [True, False])
def test_a_card_that_somebody_looked_at_before_the_call_is_not_the_callers(comes_back: bool) -> None:
    """S4, S5: two cards of the caller and one that left before are judged when the time is over."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    other = next(place for place in range(12) if place not in trio)
    card = lift(table, (other,))
    settle(table)
    table.say(CallSet(1))
    lift(table, trio[:2])
    settle(table)
    assert table.director.state.scores == (0, 0, 0)
    assert "put back" in told_first(table)
    if comes_back:
        put_back(table, (other,), card)
        lift(table, trio[2:])
        settle(table)
    table.wait(6)
    assert table.director.state.scores == (0, 1 if comes_back else -1, 0)


def test_cards_that_a_late_hand_takes_all_the_same_go_back() -> None:
    """S4, S5: the call was in error already, and nobody is asked."""
    table = begun()
    twelve(table)
    places = a_set(table)
    table.say(CallSet(1))
    table.hand(11.0)
    assert table.director.state.scores == (0, -1, 0)
    cards = lift(table, places)
    settle(table)
    assert asked(table) == ""
    assert "put back" in told_first(table)
    put_back(table, places, cards)
    table.wait(6)
    lift(table, places)
    settle(table)
    assert asked(table).startswith("Who took")


@pytest.mark.parametrize("count", [1, 2])
def test_in_a_tie_six_that_are_gone_are_not_judged_while_one_of_them_may_lie_there_misread(count: int) -> None:
    """S6: Bo's third card is still on the table; another one is read as a card of the pack for a moment."""
    table, one, two = two_sets(0)
    others = [place for place in range(12) if place not in (*one, *two)]
    table.say(CallSet(1))
    table.say(CallSet(2))
    table.wait(0.5)
    lift(table, (*one[:2], *others[: 4 - count]))
    read = {}
    for place, card in zip(others[-count:], fresh(table, count), strict=True):
        track = table.track(table.director.state.table[place])
        read[track] = table.lying[track]
        table.lying[track] = replace(table.lying[track], piece=card, guess=Guess(card, 0.99))
    settle(table)
    assert table.director.state.phase is Phase.CALLED
    table.lying |= read
    lift(table, (one[2], *others[4 - count : 3]))
    settle(table)
    table.wait(1)
    table.say(Answer(1))
    table.wait(1)
    assert table.director.state.scores == (0, 1, -1)


def held_at_once(gone: int, callers: int) -> tuple[int, tuple[Trio, ...]]:
    """A layout, by its seed, with one SET for each of so many callers, and so many cards in all of them."""
    for seed in range(2000):
        sets = find_sets(random.Random(seed).sample(SET_DECK, 12))
        for some in combinations(sets, callers):
            if len({place for one in some for place in one}) == gone:
                return seed, some
    raise AssertionError("no such layout among 2000")


@pytest.mark.parametrize(("gone", "callers", "wrong"), [(5, 2, 0), (6, 3, 0), (7, 3, 0), (8, 3, 0), (9, 3, 0), (5, 2, 3), (6, 2, 3)])
def test_of_three_who_call_at_once_each_gets_what_is_due(gone: int, callers: int, wrong: int) -> None:
    """S6: whatever cards they share, and whoever of them took none, or three that are no SET."""
    seed, sets = held_at_once(gone, callers)
    table = begun(names=("Ann", "Bo", "Cy", "Di"))
    twelve(table, seed)
    for player in (1, 2, 3):
        table.say(CallSet(player))
    table.wait(0.5)
    held = dict(zip((3, 2, 1), sets, strict=False))
    places = {place for trio in sets for place in trio}
    places |= set([place for place in range(12) if place not in places][:wrong])
    count = Counter(place for trio in sets for place in trio)
    due = [0] + [1 - max(count[place] > 1 for place in held[player]) if player in held else -1 for player in (1, 2, 3)]
    cards = {player: frozenset(cards_of(table, trio)) for player, trio in held.items()}
    lift(table, sorted(places))
    settle(table)
    for _ in range(40):
        question = table.director.showing.question
        if question is None:
            table.wait(1)
            continue
        who = {option.value: number for number, option in enumerate(question.options, 1)}
        table.say(Answer(next((who[player] for player in who if cards.get(player) == question.key[1]), 0)))
    assert table.director.state.scores == tuple(due)


def test_cards_with_a_shared_one_that_none_of_the_others_took_stay_nobodys_when_these_are_late() -> None:
    """S6: of three who call at once one has a SET; two more cards are gone, and neither of the others took them."""
    seed, (one, two) = held_at_once(5, 2)
    table = begun(names=("Ann", "Bo", "Cy", "Di"))
    twelve(table, seed)
    for player in (1, 2, 3):
        table.say(CallSet(player))
    lift(table, one)
    settle(table)
    table.say(Answer(1))
    lift(table, [place for place in two if place not in one])
    settle(table)
    assert asked(table).endswith("1 Cy / 2 Di / 0 neither")
    table.say(Answer(0))
    table.wait(8)
    assert table.director.state.scores == (0, 1, -1, -1)


def test_after_a_late_hand_cards_that_lie_there_misread_do_not_go_to_the_heap() -> None:
    """S5: what a hand takes too late goes back; two others in the places of two cards may be these."""
    table = begun()
    twelve(table)
    table.say(CallSet(1))
    table.hand(11.0)
    assert table.director.state.scores == (0, -1, 0)
    others = fresh(table, 2)
    for place, other in enumerate(others):
        track = table.track(table.director.state.table[place])
        table.lying[track] = replace(table.lying[track], piece=other)
    settle(table)
    table.wait(2)
    assert table.director.state.heap == ()
    assert "the game has" in at_table(table.director.showing.differ)


def no_set_and_a_fourth() -> tuple[int, tuple[int, int, int], int]:
    """A seed of `twelve`, three of its places that are no SET, and a fourth that makes one with two of them, and no other."""
    return next(
        (seed, three, fourth)
        for seed in range(500)
        for sets in (find_sets(random.Random(seed).sample(SET_DECK, 12)),)
        for one in sets[:1]
        for three, fourth in [((*one[:2], next(place for place in range(12) if place not in one)), one[2])]
        if [trio for trio in sets if set(trio) <= {*three, fourth}] == [one]
    )


def test_a_set_of_cards_that_were_dealt_for_and_one_that_is_elsewhere_is_given_to_nobody() -> None:
    """S5: three that are no SET were taken and dealt for, and who looks at a fourth card has it in the hand."""
    table = begun()
    seed, three, fourth = no_set_and_a_fourth()
    twelve(table, seed)
    table.say(CallSet(1))
    lift(table, (*three, fourth))
    refill(table, three)
    settle(table)
    table.wait(2)
    assert table.director.state.scores == (0, 0, 0)
    assert table.director.showing.differ != ""
