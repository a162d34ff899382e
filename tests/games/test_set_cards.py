"""SET with cards, refereed (rules S1 to S9)."""

from dataclasses import replace

import pytest

from visionset.errors import RuleError
from visionset.games.card_table.places import Discard
from visionset.games.game import History
from visionset.games.set_cards.chance import deadline
from visionset.games.set_cards.rules import (
    FAMILY_RULES,
    GAME,
    HOUSE_RULES,
    Agree,
    Call,
    Deal,
    GiveUp,
    PayForHint,
    Phase,
    SetCardsOptions,
    SetCardsState,
    Take,
)
from visionset.games.sets import find_sets, has_set
from visionset.pieces import SET_DECK, SetCard

# Twelve cards: 0 1 2 are a SET, and so are 0 3 6 (numbers 1 2 3 of the first card) further down.
SETLESS_20 = tuple(SET_DECK[i] for i in (0, 1, 8, 10, 11, 15, 22, 24, 26, 37, 43, 54, 56, 58, 65, 69, 70, 72, 79, 80))
FIRST = SET_DECK[:12]
A, B, C = 0, 1, 2


def begin(
    options: SetCardsOptions = FAMILY_RULES, cards: tuple[SetCard, ...] = FIRST, players: tuple[str, ...] = ("A", "B", "C")
) -> SetCardsState:
    state: SetCardsState = GAME.start(options, players)
    return state.after(Deal(cards))


def test_the_dealer_is_told_how_many_cards() -> None:
    """S3: and the table has four rows of three."""
    state = GAME.start(players=("A", "B"))
    assert str(state.prompts[0]) == "Dealer (A): shuffle all 81 cards and deal 12 cards"
    with pytest.raises(RuleError, match="rule S7: tried dealing 3 cards where 12 are wanted; allowed now: Deal 12 cards"):
        state.after(Deal(SET_DECK[:3]))


def test_a_right_call_is_worth_a_point_and_three_cards_come() -> None:
    """S5, S7."""
    state = begin().after(Call(A, at_s=1.0)).after(Take(A, (2, 0, 1), at_s=3.0))
    assert state.scores == (1, 0, 0)
    assert state.kept[A] == SET_DECK[:3]
    assert str(state.notice) == "A: SET, +1"
    assert str(state.prompts[0]) == "Dealer (A): deal 3 cards"
    assert state.prompts[0].at == (0, 1, 2)
    with pytest.raises(RuleError, match="rule S7: tried a call before the last card lies"):
        state.after(Call(B))
    assert state.after(Deal(SET_DECK[12:15])).phase is Phase.OPEN


def test_a_wrong_take_names_the_attribute_and_costs_a_point() -> None:
    """S2, S5: the cards go back."""
    state = begin().after(Call(B)).after(Take(B, (0, 1, 3)))
    assert state.scores == (0, -1, 0)
    assert str(state.notice) == (
        "B: no SET, two are solid, one is striped: shading is neither all the same nor all different; "
        "two are oval, one is squiggle: shape is neither all the same nor all different: -1"
    )
    assert state.table == FIRST
    assert state.phase is Phase.OPEN


def test_nobody_else_calls_or_takes_while_the_table_is_claimed() -> None:
    """S4."""
    state = begin().after(Call(A, at_s=1.0))
    with pytest.raises(RuleError, match="rule S4: tried a call by B while the table is claimed; allowed now: A: take three; A: give up"):
        state.after(Call(B, at_s=1.3))
    with pytest.raises(RuleError, match="rule S4: tried take by B without a call"):
        state.after(Take(B, (0, 1, 2), at_s=1.1))


@pytest.mark.parametrize(("at_s", "score"), [(6.0, 1), (6.01, -1)])
def test_three_cards_within_five_seconds(at_s: float, score: int) -> None:
    """S4: exact to the hundredth."""
    state = begin().after(Call(A, at_s=1.0)).after(Take(A, (0, 1, 2), at_s=at_s))
    assert state.scores == (score, 0, 0)


def test_giving_up_costs_a_point() -> None:
    """S5."""
    state = begin().after(Call(A, at_s=1.0)).after(GiveUp(A, at_s=2.0))
    assert state.scores == (-1, 0, 0)
    assert "no SET, given up" in str(state.notice)
    late = begin().after(Call(A, at_s=1.0)).after(GiveUp(A, at_s=6.01))
    assert "no SET, no three cards in time" in str(late.notice)


@pytest.mark.parametrize("called_s", [1.0, 0.1, 123.55])
def test_who_takes_at_the_very_end_of_the_time_is_not_late_by_how_numbers_are_rounded(called_s: float) -> None:
    """S4: 128.55 less 123.55 is a little more than 5 in a computer."""
    in_time = begin().after(Call(A, at_s=called_s)).after(Take(A, (0, 1, 2), at_s=called_s + 5.0))
    assert in_time.scores[A] == 1


def test_a_hint_costs_who_may_call_a_point_before_and_after_a_take_is_told_otherwise() -> None:
    """S3: the dealer sits out and has no point to lose."""
    state = begin()
    with pytest.raises(RuleError, match=r"S3.*a hint for A, who deals"):
        begin(SetCardsOptions()).after(PayForHint(A))
    with pytest.raises(RuleError, match=r"S2.*asking for a hint"):
        state.after(Call(A)).after(PayForHint(A))
    paid = state.after(PayForHint(B, at_s=2.0))
    assert paid == replace(state, errors=(0, 1, 0), notice=paid.notice, clock_s=2.0)
    assert str(paid.notice) == "B asked for a hint: -1"
    wrong = History.begin(GAME, FAMILY_RULES, ("A", "B", "C")).then(Deal(FIRST)).then(Call(B)).then(GiveUp(B))
    assert wrong.then(PayForHint(B)).then(PayForHint(C)).state.scores == (0, -2, -1)


def test_the_rubbish_heap_takes_a_kept_set_instead_of_a_point() -> None:
    """S5, house rule: who has no SET loses a point."""
    state = begin(HOUSE_RULES)
    assert state.after(Call(B)).after(GiveUp(B)).scores == (0, -1, 0)
    state = state.after(Call(B)).after(Take(B, (0, 1, 2))).after(Deal(SET_DECK[12:15]))
    state = state.after(Call(B)).after(GiveUp(B))
    assert state.scores == (0, 0, 0)
    assert state.heap == SET_DECK[:3]
    assert state.findings == ()


def test_the_dealer_sits_out_or_plays() -> None:
    """S3."""
    with pytest.raises(RuleError, match="rule S3: tried a call by A, who deals and sits out"):
        begin(HOUSE_RULES).after(Call(A))
    assert begin(FAMILY_RULES).after(Call(A)).phase is Phase.CALLED


@pytest.mark.parametrize(("second_s", "is_tie"), [(1.25, True), (1.26, False)])
def test_a_tie_is_two_calls_within_250_ms(second_s: float, is_tie: bool) -> None:
    """S6."""
    state = begin().after(Call(A, at_s=1.0))
    if is_tie:
        assert len(state.after(Call(B, at_s=second_s)).claims) == 2
    else:
        with pytest.raises(RuleError, match="rule S4"):
            state.after(Call(B, at_s=second_s))


def tie(first: tuple[int, ...], second: tuple[int, ...]) -> SetCardsState:
    state = begin().after(Call(A, at_s=1.0)).after(Call(B, at_s=1.2))
    return state.after(Take(B, second, at_s=2.0)).after(Take(A, first, at_s=2.5))


def test_a_tie_without_shared_cards_counts_for_both() -> None:
    """S6."""
    state = tie((0, 1, 2), (3, 4, 5))
    assert state.scores == (1, 1, 0)
    assert sum(card is None for card in state.table) == 6


def test_a_tie_with_shared_cards_counts_for_nobody() -> None:
    """S6: the shared card goes to the heap and the dealer fills up."""
    assert {(0, 1, 2), (0, 3, 6)} <= set(find_sets(FIRST))
    state = tie((0, 1, 2), (0, 3, 6))
    assert state.scores == (0, 0, 0)
    assert state.heap == (FIRST[0],)
    assert str(state.prompts[0]) == "Dealer (A): deal 1 card"
    assert state.findings == ()
    state = state.after(Deal((SET_DECK[50],)))
    assert state.table == (SET_DECK[50], *FIRST[1:])


def test_in_a_tie_a_wrong_take_costs_a_point_and_does_not_spoil_the_other() -> None:
    """S5, S6."""
    state = tie((0, 1, 2), (0, 1, 3))
    assert state.scores == (1, -1, 0)
    assert state.heap == ()


def agreed(state: SetCardsState) -> SetCardsState:
    for player in state.callers:
        state = state.after(Agree(player))
    return state


def test_agreeing_that_there_is_none_when_there_is_one() -> None:
    """S8: the dealer hears only "look again"."""
    state = agreed(begin())
    assert [str(prompt) for prompt in state.prompts] == ["Dealer (A): look again"]
    assert state.prompts[0].at == ()
    assert state.table == FIRST


def test_three_more_cards_and_no_refill_until_twelve_lie_again() -> None:
    """S8, up to 18 cards."""
    state = begin(cards=SETLESS_20[:12])
    state = agreed(state).after(Deal(SETLESS_20[12:15]))
    assert len(state.table) == 15
    state = agreed(state)
    last = next(card for card in SET_DECK if card not in SETLESS_20 and has_set([*SETLESS_20[:17], card]))
    state = state.after(Deal((*SETLESS_20[15:17], last)))
    assert len(state.table) == 18
    for size in (15, 12):
        found = find_sets(state.table)
        if not found:
            break
        state = state.after(Call(A)).after(Take(A, found[0]))
        assert len(state.table) == size
        assert state.phase is Phase.OPEN


def test_21_cards_are_never_agreed_to_hold_none() -> None:
    """S8."""
    state = replace(begin(), table=(*SETLESS_20, SET_DECK[2]))
    assert agreed(state).look_again


def end_of_pack(table: tuple[SetCard, ...]) -> SetCardsState:
    """A family round in which all other cards are kept by A, as SETs where that works out."""
    rest = [card for card in SET_DECK if card not in table]
    return replace(begin(), table=table, kept=(tuple(rest), (), ()), phase=Phase.OPEN)


def test_the_round_ends_when_the_pack_is_out_and_no_set_is_left() -> None:
    """S9, S3: the deal passes to the left and the match goes on."""
    table = (*SET_DECK[:3], *(card for card in SETLESS_20 if card not in SET_DECK[:3] and not has_set([*SET_DECK[:2], card])))[:6]
    assert find_sets(table) == ((0, 1, 2),)
    state = end_of_pack(table).after(Call(B)).after(Take(B, (0, 1, 2)))
    assert "Round 1 is over" in str(state.notice)
    assert state.finished == ((25, 1, 0),)
    assert state.dealer == 1
    assert str(state.prompts[0]) == "Dealer (B): shuffle all 81 cards and deal 12 cards"
    assert state.scores == (25, 1, 0)


def test_a_match_of_one_round_shares_the_win() -> None:
    """S9."""
    state = replace(end_of_pack(SET_DECK[:3]), kept=(SET_DECK[3:42], SET_DECK[42:], ()), options=replace(FAMILY_RULES, rounds=1))
    state = state.after(Call(C)).after(Take(C, (0, 1, 2)))
    assert state.is_over
    assert state.scores == (13, 13, 1)
    assert state.winners == (0, 1)
    assert "A and B won with 13" in str(state.prompts[0])


def test_82_cards_and_a_card_twice_are_explained() -> None:
    """S1: representable, explained, no crash."""
    state = begin().to_json()
    state["table"] = [str(card) for card in SET_DECK] + [str(SET_DECK[5])]
    read = GAME.parse_state(state)
    assert [(finding.rule, finding.at) for finding in read.findings] == [("S1", (5, 81)), ("S1", ())]
    assert "82 cards are there and the deck holds 81" in read.findings[1].text
    with pytest.raises(RuleError, match="rule S1: tried dealing 1-red-solid-oval, which the deck holds once"):
        GAME.start().after(Deal((SET_DECK[0],) * 12))


def test_dealing_a_card_that_is_out_already() -> None:
    """S1."""
    state = begin().after(Call(A)).after(Take(A, (0, 1, 2)))
    with pytest.raises(RuleError, match="rule S1"):
        state.after(Deal((SET_DECK[0], SET_DECK[20], SET_DECK[21])))


@pytest.mark.parametrize("at", [(0, 1), (0, 1, 1), (0, 1, 12), (-1, 0, 1), ()])
def test_taking_what_is_not_three_cards(at: tuple[int, ...]) -> None:
    """S4."""
    state = begin().after(Call(A))
    with pytest.raises(RuleError, match="rule S4: tried taking the positions"):
        state.after(Take(A, at))


def test_cards_that_nobody_won_and_that_are_replaced_go_to_the_heap() -> None:
    """S7: in the pack is what never lay on the table."""
    state = begin().after(Agree(A)).after(Discard((1, 4, 5)))
    assert state.heap == (FIRST[1], FIRST[4], FIRST[5])
    assert (state.phase, state.pack_left, state.agreed, state.scores) == (Phase.DEAL, 69, (), (0, 0, 0))
    assert state.prompts[0].at == (1, 4, 5)
    state = state.after(Deal(SET_DECK[12:15]))
    assert state.findings == ()
    assert GAME.parse_event(Discard((1, 4, 5)).to_json()) == Discard((1, 4, 5))
    late = replace(begin(), heap=SET_DECK[12:]).after(Discard((1, 4, 5)))
    assert (len(late.table), late.pack_left) == (9, 0)


@pytest.mark.parametrize("at", [(), (1, 1), (-1,), (12,)])
def test_what_does_not_lie_there_is_not_thrown_away(at: tuple[int, ...]) -> None:
    """S7."""
    with pytest.raises(RuleError, match="rule S7"):
        begin().after(Discard(at))


def test_nothing_is_thrown_away_while_the_table_is_claimed_or_waits_for_a_card() -> None:
    """S7."""
    called = begin().after(Call(A))
    for state in (called, called.after(Take(A, (0, 1, 2))), GAME.start(players=("A", "B"))):
        with pytest.raises(RuleError, match="rule S7"):
            state.after(Discard((4,)))


def test_who_runs_out_of_time_in_a_tie_has_not_given_up() -> None:
    """S6: each of two callers is told what happened to him, whoever is waited for longer."""
    state = begin(players=("A", "B")).after(Call(0, at_s=1.0)).after(Call(1, at_s=1.2))
    for _ in range(2):
        due = deadline(state)
        assert due is not None
        state = state.after(due.event)
    assert str(state.notice).count("no three cards in time") == 2
    state = begin(players=("A", "B")).after(Call(0, at_s=1.0)).after(Call(1, at_s=1.2)).after(GiveUp(0, at_s=2.0))
    due = deadline(state)
    assert due is not None
    told = str(state.after(due.event).notice)
    assert "A: no SET, given up" in told
    assert "B: no SET, no three cards in time" in told
