"""Pieces that lie there unseen, as the game is right: nobody sees them leave, and a SET with them counts all the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from tests.referee.tabletop import TableTop
from tests.referee.test_director import twelve
from tests.referee.test_scramble_fairness import FACES, SETS, Round
from tests.referee.test_set_cards import begun, spot
from tests.referee.test_set_takes import a_set, asked, fresh, lift, put_back, refill, settle, told_first, two_sets
from tests.referee.test_solitaire import begun as alone
from visionset.games.base import Amend
from visionset.games.card_table.spots import Compared
from visionset.games.card_table.takes import with_unseen
from visionset.games.set_cards.rules import Phase
from visionset.games.sets import find_sets, is_set
from visionset.messages import at_table
from visionset.pieces import SET_DECK, SetCard
from visionset.referee.player_input import Answer, CallSet, Dispute, GameIsRight, Move, NoSet, Undo
from visionset.table import Sighting

_ANYWHERE = np.zeros((4, 2))


def hide(table: TableTop, *places: int) -> None:
    """Cards that nobody sees any more lie there all the same, as everybody says."""
    for place in places:
        lift(table, (place,))
        settle(table)
        table.wait(3)
        table.say(GameIsRight())


def tie(table: TableTop) -> None:
    """Bo and Cy say SET at once."""
    table.say(CallSet(1))
    table.say(CallSet(2))
    table.wait(1)


def take_one_after_the_other(table: TableTop, first: Sequence[int], second: Sequence[int]) -> None:
    """Of two who tie Bo takes cards, and then Cy."""
    tie(table)
    lift(table, first)
    settle(table)
    table.wait(1)
    table.say(Answer(1))
    lift(table, second)
    settle(table)
    table.wait(11)


def hidden(places: int, is_said: bool = True) -> tuple[TableTop, tuple[int, ...]]:
    """A layout with a SET of which so many cards lie under something, as all agree or nobody minds."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    for place in trio[:places]:
        lift(table, (place,))
        settle(table)
        table.wait(3)
        assert "without a call" in at_table(table.director.showing.differ)
        if is_said:
            table.say(GameIsRight())
        else:
            table.wait(125)
    assert table.director.showing.differ == ""
    return table, trio


@pytest.mark.parametrize("is_said", [True, False])
@pytest.mark.parametrize("unseen", [1, 2])
def test_a_set_with_a_card_that_lies_unseen_counts_for_its_caller(unseen: int, is_said: bool) -> None:
    """S5: three cards were taken, though the camera has seen one or two of them leave."""
    table, trio = hidden(unseen, is_said)
    table.say(CallSet(1))
    table.wait(1)
    lift(table, trio[unseen:])
    settle(table)
    table.wait(1)
    assert table.director.state.phase is Phase.CALLED  # a third card that is seen may follow
    table.wait(9)
    assert table.director.state.scores == (0, 1, 0)
    assert "deal 3 cards" in told_first(table)
    refill(table, trio)
    settle(table)
    table.wait(3)
    assert (table.director.state.phase, table.director.showing.differ) == (Phase.OPEN, "")
    assert table.director.state.pack_left == 66


@pytest.mark.parametrize("has_left", [True, False])
@pytest.mark.parametrize("is_covered", [True, False])
def test_a_caller_whose_third_card_is_covered_as_it_is_taken_is_not_late(is_covered: bool, has_left: bool) -> None:
    """S4, S5: a cup set down in the place of the third card hides that it has left; of another card it tells nothing."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    other = next(place for place in range(12) if place not in trio)
    table.say(CallSet(1))
    table.wait(1)
    cards = lift(table, trio[:2])
    under = table.track(_at(table.director.state.table, trio if is_covered else (*trio[:2], other))[2])
    table.covered = {under}
    settle(table)
    table.wait(3)
    assert table.director.state.phase is Phase.CALLED  # it may be a hand that takes the third card now
    table.wait(20)
    if not is_covered:
        assert table.director.state.scores == (0, -1, 0)
        return
    assert table.director.state.scores == (0, 1, 0)
    assert "deal 3 cards" in told_first(table)  # it may have left: there is nothing to take
    if not has_left:
        table.covered = set()
        settle(table)
        assert "which were won" in told_first(table)
    refill(table, trio[: 2 if has_left else 3])
    settle(table)
    table.wait(3)
    table.take(under)
    table.covered = set()
    if has_left:
        refill(table, trio[2:])
    settle(table)
    table.wait(3)
    assert (table.director.state.phase, table.director.showing.differ) == (Phase.OPEN, "")
    assert not set(cards) & set(table.director.state.table)


def won_under_a_cup(table: TableTop) -> tuple[tuple[int, ...], int]:
    """Bo wins a SET whose third card's place a cup covers, and keeps covering; its places, and the track of that card."""
    trio = a_set(table)
    table.say(CallSet(1))
    table.wait(1)
    lift(table, trio[:2])
    under = table.track(_at(table.director.state.table, trio)[2])
    table.covered = {under}
    settle(table)
    table.wait(12)
    assert table.director.state.scores == (0, 1, 0)
    return trio, under


@pytest.mark.parametrize("is_tied", [False, True])
def test_a_caller_of_whose_cards_two_are_covered_as_they_are_taken_is_not_late(is_tied: bool) -> None:
    """S4, S5: one card is seen to be gone, and a newspaper lies where the two others of its SET lay; of two who call nobody knows."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    for player in (1, 2) if is_tied else (1,):
        table.say(CallSet(player))
    table.wait(1)
    lift(table, trio[:1])
    table.covered = {table.track(card) for card in _at(table.director.state.table, trio)[1:]}
    settle(table)
    table.wait(3)
    assert table.director.state.phase is Phase.CALLED
    table.wait(9)
    assert table.director.state.scores == ((0, -1, -1) if is_tied else (0, 1, 0))


def test_of_two_sets_whose_other_cards_are_covered_none_is_guessed() -> None:
    """S4: the one card that is seen to be gone is in both."""
    table, first, second = two_sets(1)
    table.say(CallSet(1))
    cards = {frozenset(_at(table.director.state.table, trio)) for trio in (first, second)}
    lift(table, tuple(set(first) & set(second)))
    table.covered = {table.track(card) for card in frozenset.union(*cards) - frozenset.intersection(*cards)}
    settle(table)
    table.wait(12)
    assert table.director.state.scores == (0, -1, 0)


def test_three_cards_that_are_no_set_are_judged_though_the_card_that_two_of_them_lack_is_covered() -> None:
    """S5: no other card lies there that may be one of the three, misread."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    table.say(CallSet(1))
    table.covered = {table.track(_at(table.director.state.table, trio)[2])}
    lift(table, (*trio[:2], next(place for place in range(12) if place not in trio)))
    settle(table)
    assert table.director.state.scores == (0, -1, 0)


@pytest.mark.parametrize("dealt", [1, 2, 3])
def test_a_refill_for_a_set_whose_third_card_is_covered_holds_no_call_up(dealt: int) -> None:
    """S5, S7: the dealer lays two cards in their places, one by one, and a third beside the cup, or waits for it to be lifted."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    table.say(CallSet(1))
    table.wait(1)
    lift(table, trio[:2])
    table.covered = {table.track(_at(table.director.state.table, trio)[2])}
    settle(table)
    refill(table, trio[: min(dealt, 2)])
    if dealt == 3:
        table.lay(fresh(table, 3)[2], spot(15), sure=True)
    settle(table)
    table.wait(2)
    assert table.director.showing.differ == ""
    table.wait(12)
    assert table.director.state.scores == (0, 1, 0)
    assert (table.director.state.phase, told_first(table)) == (
        (Phase.OPEN, "say SET when you see one; say so if you think that there is none")
        if dealt == 3
        else (Phase.DEAL, f"{3 - dealt} more to deal")
    )


def test_in_a_tie_a_set_of_a_shared_card_and_one_that_is_covered_costs_nobody_a_point() -> None:
    """S6: Bo holds the card that both share, and a cup is set down as Cy takes the third."""
    table, one, two = two_sets(1)
    tie(table)
    lift(table, one)
    settle(table)
    table.wait(1)
    table.say(Answer(1))
    taken, under = (table.director.state.table[place] for place in two if place not in one)
    assert taken is not None
    assert under is not None
    table.take(table.track(taken))
    table.covered = {table.track(under)}
    settle(table)
    table.wait(12)
    assert (table.director.state.scores, table.director.state.phase) == ((0, 0, 0), Phase.DEAL)


def test_a_card_that_is_misread_while_the_others_of_its_set_are_covered_wins_nothing() -> None:
    """S4: Bo has called and taken nothing yet, and a newspaper lies over the two."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    table.say(CallSet(1))
    table.covered = {table.track(card) for card in _at(table.director.state.table, trio)[1:]}
    lift(table, trio[:1])
    table.lay(fresh(table, 1)[0], spot(trio[0]), sure=True)
    settle(table)
    table.wait(12)
    assert at_table(table.director.showing.differ).startswith("at top left lies")
    assert table.director.state.scores == (0, 0, 0)


def test_a_card_that_is_misread_beside_a_covered_one_costs_no_point() -> None:
    """S5: two cards are gone and replaced, the third of their SET is under a cup, and a fourth is taken for another one for a moment."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    other = next(place for place in range(12) if place not in trio)
    table.say(CallSet(1))
    table.wait(1)
    lift(table, trio[:2])
    table.covered = {table.track(_at(table.director.state.table, trio)[2])}
    settle(table)
    refill(table, trio[:2])
    (card,), (misread,) = lift(table, [other]), fresh(table, 1, seed=5)
    track = table.lay(misread, spot(other), sure=True)
    settle(table)
    table.wait(3)
    assert table.director.state.scores == (0, 0, 0)
    table.take(track)
    table.lay(card, spot(other), sure=True)
    settle(table)
    table.wait(12)
    assert (table.director.state.scores, table.director.showing.differ) == ((0, 1, 0), "")


@pytest.mark.parametrize("answer", [1, 2, 0])
def test_of_two_who_tie_people_say_who_took_a_set_whose_third_card_is_covered(answer: int) -> None:
    """S6: the one who is late last is not given what the other one has taken."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    tie(table)
    lift(table, trio[:2])
    table.covered = {table.track(_at(table.director.state.table, trio)[2])}
    settle(table)
    table.wait(12)
    assert table.director.state.scores == (0, 0, 0)
    assert asked(table).startswith("Who took")
    table.say(Answer(answer))
    table.wait(12)
    assert table.director.state.scores == (0, 1 if answer == 1 else -1, 1 if answer == 2 else -1)


def test_two_who_tie_have_their_sets_though_the_third_card_of_each_is_covered() -> None:
    """S6: and neither is late with the two cards that were seen to leave."""
    table, one, two = two_sets(0)
    tie(table)
    lying = table.director.state.table
    table.covered = {table.track(_at(lying, trio)[2]) for trio in (one, two)}
    lift(table, (*one[:2], *two[:2]))
    settle(table)
    table.wait(2)
    assert asked(table).startswith("Who took")
    table.say(Answer(1))
    table.wait(12)
    assert table.director.state.scores == (0, 1, 1)


def test_a_won_card_that_is_covered_is_not_there_after_a_word_was_taken_back() -> None:
    """S5, S7: neither a vote nor a refill that is taken back asks for it."""
    table = begun()
    twelve(table)
    trio, _ = won_under_a_cup(table)
    refill(table, trio[:2])
    table.lay(fresh(table, 3)[2], spot(15), sure=True)
    settle(table)
    table.wait(3)
    assert table.director.state.phase is Phase.OPEN
    table.say(NoSet(1))
    table.say(Undo())
    table.wait(3)
    assert (table.director.is_resting, table.director.state.agreed) == (False, ())
    table.say(Undo())
    table.next()
    table.wait(3)
    assert (table.director.state.phase, table.director.showing.differ) == (Phase.OPEN, "")


def test_a_covered_card_lies_there_again_once_the_set_with_it_is_taken_back() -> None:
    """S5: the two others are put back, and nobody asks for the third, on which the cup stands still."""
    table = begun()
    twelve(table)
    trio, _ = won_under_a_cup(table)
    cards = _at(table.director.history.before[-1].table, trio)
    table.say(Undo())
    put_back(table, trio[:2], cards[:2])
    table.wait(3)
    assert (table.director.state.scores, table.director.state.phase) == ((0, 0, 0), Phase.OPEN)
    assert (table.director.is_resting, table.director.showing.differ) == (False, "")


def test_a_won_card_that_is_covered_is_not_there_after_a_dispute_about_another_one() -> None:
    """S5, S7."""
    table = begun()
    twelve(table)
    won_under_a_cup(table)
    table.say(Dispute())
    question = table.director.showing.question
    assert question is not None
    table.say(Answer(len(question.options)))  # one that lies there
    table.say(Answer(1))
    table.say(Answer(1))
    assert "no points change" in at_table(table.director.showing.notice)
    table.wait(3)
    assert table.director.showing.differ == ""
    assert "deal 3 cards" in told_first(table)


def test_a_won_card_that_is_covered_is_not_dealt_in_the_next_round() -> None:
    """S7, S9."""
    layout = next(
        cards
        for seed in range(5000)
        if len(sets := find_sets(cards := random.Random(seed).sample(SET_DECK, 12))) == 2 and not set(sets[0]) & set(sets[1])
    )
    table = begun()
    for place, card in enumerate(layout):
        table.lay(card, spot(place), sure=True)
    table.settle()
    table.say(Move(Amend.of("the pack is out", heap=tuple(card for card in SET_DECK if card not in layout))))
    _, under = won_under_a_cup(table)
    table.say(CallSet(2))
    table.wait(1)
    lift(table, a_set(table))
    settle(table)
    assert table.director.state.pack_left == 81
    for track in set(table.lying) - {under}:
        table.take(track)
    settle(table)
    others = [card for card in SET_DECK if card != table.truth(under)]
    for count, card in enumerate(others[:12], 1):
        table.lay(card, spot(14 + count), sure=True)
        settle(table)
        assert table.director.state.phase is (Phase.OPEN if count == 12 else Phase.DEAL)
    table.wait(3)
    assert table.director.showing.differ == ""  # twelve cards lie there, and one of the round before is under the cup still
    table.say(NoSet(2))
    table.say(Undo())
    table.wait(3)
    assert (table.director.is_resting, table.director.showing.differ) == (False, "")
    table.covered = set()
    settle(table)
    table.wait(3)
    assert "13 cards lie where 12 belong" in at_table(table.director.showing.differ)


def test_a_card_that_lies_unseen_makes_no_other_cards_a_set() -> None:
    """S5: two cards that make no SET with it cost a point, and so do three of which two would make one."""
    for third in (False, True):
        table, trio = hidden(1)
        other = next(place for place in range(12) if place not in trio)
        places = (*trio[1:], other) if third else (trio[1], other)
        table.say(CallSet(1))
        table.wait(1)
        cards = lift(table, places)
        settle(table)
        table.wait(10)
        assert table.director.state.scores == (0, -1, 0)
        put_back(table, places, cards)
        table.wait(2)
        assert (table.director.state.phase, table.director.showing.differ) == (Phase.OPEN, "")


@pytest.mark.parametrize("answer", [2, 0])
def test_without_a_call_people_say_who_took_a_set_with_a_card_that_lies_unseen(answer: int) -> None:
    """S4: as for three cards that are seen to leave; what nobody took goes back, but for the card that lies there."""
    table, trio = hidden(1)
    cards = lift(table, trio[1:])
    settle(table)
    table.wait(300)
    assert asked(table).startswith("Who took ")
    assert table.director.state.scores == (0, 0, 0)
    table.say(CallSet(1))
    assert "who took" in at_table(table.director.showing.notice)
    table.say(Answer(answer))
    assert table.director.state.scores == (0, 0, int(answer == 2))
    if not answer:
        put_back(table, trio[1:], cards)
        table.wait(2)
        assert (len(table.events), table.director.showing.differ) == (1, "")


def test_a_tie_about_a_set_with_a_card_that_lies_unseen_is_settled_by_people() -> None:
    """S6."""
    table, trio = hidden(1)
    tie(table)
    lift(table, trio[1:])
    settle(table)
    table.wait(1)
    assert asked(table).endswith("1 Bo / 2 Cy / 0 neither")
    table.say(Answer(2))
    table.wait(10)
    assert table.director.state.scores == (0, -1, 1)


def test_in_a_tie_a_set_with_a_card_that_lies_unseen_counts_beside_one_that_is_seen() -> None:
    """S6: Bo takes three that are seen, Cy two and the one that nobody sees."""
    table, one, two = two_sets(0)
    hide(table, two[0])
    take_one_after_the_other(table, one, two[1:])
    assert table.director.state.scores == (0, 1, 1)


@pytest.mark.parametrize("shared", [0, 1])
@pytest.mark.parametrize("answer", [1, 2])
def test_in_a_tie_two_sets_count_each_with_a_card_that_lies_unseen(shared: int, answer: int) -> None:
    """S6: each keeps theirs; a card that is in both goes to the heap with neither SET, and costs nobody a point."""
    table, one, two = two_sets(shared)
    common = set(one) & set(two)
    covered = sorted(common) or [one[0], two[0]]
    hide(table, *covered)
    tie(table)
    lift(table, [place for place in (*one, *two) if place not in covered])
    settle(table)
    table.wait(1)
    assert asked(table).endswith("1 Bo / 2 Cy / 0 neither")
    table.say(Answer(answer))
    table.wait(11)
    state = table.director.state
    assert state.scores == ((0, 0, 0) if shared else (0, 1, 1))
    assert state.phase is Phase.DEAL


def test_in_a_tie_a_set_of_a_shared_card_and_one_that_lies_unseen_costs_nobody_a_point() -> None:
    """S6: Bo holds the card that both share, so that of Cy's three one alone is seen to leave."""
    table, one, two = two_sets(1)
    (shared,) = set(one) & set(two)
    mine = [place for place in two if place != shared]
    hide(table, mine[0])
    take_one_after_the_other(table, one, mine[1:])
    state = table.director.state
    assert (state.scores, state.phase) == ((0, 0, 0), Phase.DEAL)


@pytest.mark.parametrize("answer", [1, 0])
def test_in_a_tie_a_set_with_a_card_that_lies_unseen_counts_beside_three_that_are_none(answer: int) -> None:
    """S6: five cards leave at once, two of them with the one that nobody sees."""
    table, one, two = two_sets(0)
    hide(table, one[0])
    tie(table)
    others = [place for place in range(12) if place not in (*one, *two)]
    lift(table, [*one[1:], *others[:3]])
    settle(table)
    table.wait(1)
    assert asked(table).endswith("1 Bo / 2 Cy / 0 neither")
    table.say(Answer(answer))
    for _ in range(11):
        table.wait(1)
        assert asked(table) == ""
    assert table.director.state.scores == ((0, 1, -1) if answer else (0, -1, -1))


def test_a_card_lies_there_unseen_again_when_its_set_is_taken_back() -> None:
    """Undo of a take: what was put back is all that is missing."""
    table, trio = hidden(1)
    table.say(CallSet(1))
    table.wait(1)
    cards = lift(table, trio[1:])
    settle(table)
    table.wait(10)
    assert table.director.state.scores == (0, 1, 0)
    table.say(Undo())
    put_back(table, trio[1:], cards)
    table.wait(2)
    assert (table.director.showing.differ, table.director.state.scores) == ("", (0, 0, 0))


@pytest.mark.parametrize("is_called", [True, False])
def test_a_set_counts_though_one_of_the_new_cards_is_read_as_one_that_lies_there(is_called: bool) -> None:
    """S5: three were taken and three dealt at once; "the game is right" about the card that is read twice names none of those taken."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    twice = next(table.director.state.table[place] for place in range(12) if place not in trio)
    if is_called:
        table.say(CallSet(1))
    lift(table, trio)
    for card, place in zip((twice, *fresh(table, 3)[1:]), trio, strict=True):
        table.lay(card, spot(place), sure=True)
    settle(table)
    table.wait(3)
    assert "twice" in at_table(table.director.showing.differ)
    table.say(GameIsRight())
    table.wait(3)
    assert asked(table).startswith("Who took ")
    table.say(Answer(1))
    table.wait(3)
    assert table.director.state.scores == (0, 1, 0)


def test_cards_that_were_in_a_hand_for_long_make_a_set_with_the_third_in_solitaire() -> None:
    """S11: with nobody to say anything the game settles by itself that two cards lie there."""
    table = alone()
    twelve(table)
    trio = a_set(table)
    lift(table, trio[:2])
    settle(table)
    table.wait(155)
    lift(table, trio[2:])
    settle(table)
    assert table.director.state.scores == (1,)
    refill(table, trio)
    settle(table)
    table.wait(3)
    assert (table.director.showing.differ, table.director.state.pack_left) == ("", 66)


def test_what_lies_unseen_counts_as_gone_only_where_one_set_alone_can_hold_what_is_gone() -> None:
    rng = random.Random(0)
    completed = 0
    for _ in range(3000):
        layout = tuple(rng.sample(SET_DECK, 12))
        gone = tuple(sorted(rng.sample(range(12), rng.choice([0, 1, 2, 2, 3]))))
        unseen = set(rng.sample([place for place in range(12) if place not in gone], rng.randrange(5)))
        lying = {
            card: Sighting(
                card.kind, outline_px=_ANYWHERE, piece=card, confidence=1.0, guess=None, track=-1 - place if place in unseen else place
            )
            for place, card in enumerate(layout)
            if place not in gone
        }
        whole = with_unseen(layout, Compared(lying, gone, (), (), ()))
        ways = [
            one for one in combinations(range(12), 3) if gone and set(gone) < set(one) <= {*gone, *unseen} and is_set(*_at(layout, one))
        ]
        assert whole == (ways[0] if len(ways) == 1 else gone)
        completed += whole != gone
        one = Sighting(SET_DECK[0].kind, _ANYWHERE, next(card for card in SET_DECK if card not in layout), 1.0, None, 99)
        assert with_unseen(layout, Compared(lying, gone, (one,), (), ())) == gone
    assert completed > 30


def _at(layout: tuple[SetCard, ...], places: tuple[int, int, int]) -> tuple[SetCard, SetCard, SetCard]:
    first, second, third = (layout[place] for place in places)
    return first, second, third


@pytest.mark.parametrize("unseen", [1, 2])
@pytest.mark.parametrize("is_called", [True, False])
@pytest.mark.parametrize("answer", [2, 0])
def test_people_say_who_took_a_set_with_dice_that_lie_unseen(is_called: bool, answer: int, unseen: int) -> None:
    """D13: a caller may still take a third die that is seen, so that it is asked when the call is over."""
    played, trio = Round(), SETS[0]
    table = played.table
    for place in trio[:unseen]:
        played.lift((place,))
        table.next()
        table.wait(2)
        table.say(GameIsRight())
    if is_called:
        table.say(CallSet(1))
    played.lift(trio[unseen:])
    table.wait(2)
    assert ("who took" in asked(table)) is not is_called
    table.wait(10)
    assert "who took" in asked(table)
    table.say(Answer(answer))
    assert table.director.state.scores == (0, int(answer == 2), 0)
    if answer:
        assert len(table.director.state.table) == 39
    else:
        played.put_back(trio[unseen:])
    table.wait(2)
    assert (table.director.showing.differ, asked(table)) == ("", "")
    other = next(one for one in find_sets(FACES) if not set(one) & set(trio))
    table.say(CallSet(2))
    played.lift(other)
    assert table.director.state.scores == (0, int(answer == 2), 1)


def test_one_die_alone_asks_nothing_though_a_wild_lies_unseen() -> None:
    """D3: with a WILD any two dice are a SET."""
    played = Round()
    table = played.table
    wild = next(place for place, face in enumerate(FACES) if face.is_wild)
    other = next(place for place, face in enumerate(FACES) if not face.is_wild)
    played.lift((wild,))
    table.next()
    table.wait(2)
    table.say(GameIsRight())
    played.lift((other,))
    table.wait(2)
    assert asked(table) == ""
    assert "take 2 more" in told_first(table)
