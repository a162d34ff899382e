"""SET for one player (rule S11)."""

from dataclasses import replace

import pytest

from visionset.errors import RuleError
from visionset.games.card_table.places import Discard
from visionset.games.sets import find_sets
from visionset.games.solitaire.rules import GAME, Deal, FindNone, SolitaireOptions, SolitaireState, Take
from visionset.pieces import SET_DECK

SETLESS_12 = tuple(SET_DECK[i] for i in (0, 1, 8, 10, 11, 15, 22, 24, 26, 37, 43, 54))


def begin(cards: tuple = SET_DECK[:12], options: SolitaireOptions | None = None) -> SolitaireState:
    state: SolitaireState = GAME.start(options)
    return state.after(Deal(cards))


def test_a_set_is_replaced_and_a_wrong_take_costs_nothing() -> None:
    state = begin().after(Take((0, 1, 2)))
    assert state.scores == (1,)
    assert state.prompts[0].text == "deal 3 cards"
    state = begin().after(Take((0, 1, 3)))
    assert (state.wrong, state.penalty, state.scores) == (1, 0, (0,))
    assert "two are solid, one is striped" in str(state.notice)


@pytest.mark.parametrize(("charge", "overlooked", "penalty"), [(True, True, 1), (True, False, 1), (False, True, 1), (False, False, 0)])
def test_three_more_cards_cost_a_set(charge: bool, overlooked: bool, penalty: int) -> None:
    cards = SET_DECK[:12] if overlooked else SETLESS_12
    state = begin(cards, SolitaireOptions(charge)).after(FindNone())
    assert state.penalty == penalty
    assert len(state.table) == 15
    assert sum(card is None for card in state.table) == 3


def last_cards(penalty: int) -> SolitaireState:
    """The pack is out, two SETs without a common card lie on the table, and some SETs are owed."""
    table = (*SET_DECK[0:3], *SET_DECK[30:33])
    assert {(0, 1, 2), (3, 4, 5)} <= set(find_sets(table))
    rest = tuple(card for card in SET_DECK if card not in table)
    return replace(begin(), table=table, kept=rest, penalty=penalty)


@pytest.mark.parametrize(("penalty", "winners"), [(0, (0,)), (2, (0,)), (3, ())])
def test_the_penalty_is_paid_back_once_the_pack_is_out(penalty: int, winners: tuple[int, ...]) -> None:
    state = last_cards(penalty).after(Take((0, 1, 2)))
    assert state.penalty == max(penalty - 1, 0)
    state = state.after(Take((0, 1, 2)))
    assert state.is_over
    assert state.winners == winners


def test_nothing_is_paid_back_while_the_pack_lasts() -> None:
    state = replace(begin(), penalty=1).after(Take((0, 1, 2)))
    assert state.penalty == 1


def test_stopping_with_a_debt_loses() -> None:
    state = last_cards(1).after(FindNone())
    assert state.is_over
    assert state.winners == ()
    assert "you lost: 1 owed" in state.prompts[0].text


def test_nothing_is_taken_before_the_last_card_lies() -> None:
    """S7."""
    state = begin().after(Take((0, 1, 2)))
    with pytest.raises(RuleError, match="rule S7: tried take before the last card lies; allowed now: Deal 3 cards"):
        state.after(Take((3, 4, 5)))
    with pytest.raises(RuleError, match="rule S7: tried dealing while no card is wanted"):
        begin().after(Deal(SET_DECK[20:23]))
    with pytest.raises(RuleError, match="rule S2: tried taking the positions 0, 1, 99 of 12"):
        begin().after(Take((0, 1, 99)))


def test_impossible_states_are_explained() -> None:
    state = replace(begin(), kept=SET_DECK[20:24], penalty=-1, table=(SET_DECK[0], SET_DECK[0]))
    assert [finding.rule for finding in GAME.parse_state(state.to_json()).findings] == ["S1", "S2", "S11"]


def test_a_wrong_take_that_is_replaced_goes_to_the_heap() -> None:
    """S7: it counts neither as won nor as in the pack."""
    state = GAME.start().after(Deal(SET_DECK[:12])).after(Take((0, 1, 3)))
    state = state.after(Discard((0, 1, 3))).after(Deal(SET_DECK[12:15]))
    assert (state.scores, state.wrong, state.pack_left) == ((0,), 1, 66)
    assert state.heap == (SET_DECK[0], SET_DECK[1], SET_DECK[3])
    assert state.findings == ()
    with pytest.raises(RuleError, match="rule S7"):
        state.after(Discard((12,)))
