"""No waiting without an end: questions, unread pieces and differences go on by "next" and by themselves, in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.referee.tabletop import TableTop
from tests.referee.test_cubed import Evening, begun, opened
from tests.referee.test_scramble import begun as scrambled
from visionset.errors import RuleError
from visionset.games.base import by_rule
from visionset.games.cubed import rules as cubed
from visionset.games.cubed.rules import EndTurn, Phase
from visionset.games.grid import cell_named
from visionset.messages import Message, at_table
from visionset.pieces import SetDie
from visionset.referee.phrasing import briefly
from visionset.referee.player_input import Answer, CallSet
from visionset.referee.rulings import Unsure

RED = tuple(SetDie.parse(f"{number}-red-oval") for number in (1, 2, 3))


def with_wilds() -> TableTop:
    """A first SET with two WILDs, which may stand for many faces."""
    table = begun()
    evening = Evening(table)
    table.wait(0.5)
    table.say(CallSet(0))
    for cell, name in zip(table.director.state.options.board.logo, ("1-red-oval", "wild", "wild"), strict=True):
        evening.lay(cell, SetDie.parse(name), None)
    table.hand()
    table.settle()
    return table


def unread_die() -> tuple[TableTop, int]:
    table, evening = opened()
    track = table.lay(RED[0], evening.spot((7, 9)), sure=False)
    table.hand()
    table.now_s += 0.5
    table._shown = dict(table.lying)
    table.wait(0.25)
    return table, track


def test_next_asks_for_the_answer_first_and_then_takes_the_likeliest() -> None:
    table, _ = unread_die()
    likely = table.director._game.table.sightings[-1].guess
    assert likely is not None
    assert isinstance(table.director.ruling, Unsure)
    assert table.next() == []
    assert table.director.showing.question is not None
    assert "say next once more" in str(table.director.showing.notice)
    table.next()  # somebody else, at the same moment
    assert isinstance(table.director.ruling, Unsure)
    table.wait(1)
    table.next()
    assert not isinstance(table.director.ruling, Unsure)
    assert "nobody answered" in str(table.director.showing.notice) or table.director.state.points != (3, 0)


def test_an_unread_die_that_nobody_answers_for_is_taken_as_what_it_looks_like() -> None:
    table, _ = unread_die()
    table.wait(110)
    assert isinstance(table.director.ruling, Unsure)
    table.wait(15)
    assert not isinstance(table.director.ruling, Unsure)


def test_the_first_next_is_forgotten_when_something_else_happens() -> None:
    table, track = unread_die()
    table.next()
    table.take(track)
    table.settle()
    table.lay(RED[0], (640 + 2 * 36, 360.0), sure=False)
    table._shown = dict(table.lying)
    table.wait(0.25)
    assert table.next() == []
    assert "say next once more" in str(table.director.showing.notice)


@pytest.mark.parametrize("by_key", [False, True])
def test_a_question_about_a_wild_has_an_end(by_key: bool) -> None:
    table = with_wilds()
    question = table.director.showing.question
    assert question is not None
    assert question.key[0] == "wild"
    table.say(Answer(0))
    assert "one of the answers" in str(table.director.showing.notice)
    if by_key:
        table.next()
        table.wait(1)
        table.next()
    else:
        table.wait(125)
    left = table.director.showing.question
    assert left is None or left.key != question.key


def test_refusals_are_told_in_plain_words_with_the_rule_last() -> None:
    table, _ = opened()
    table.say(CallSet(1))
    notice = at_table(table.director.showing.notice)
    assert "tried" not in notice
    assert notice.startswith("not allowed: ")
    assert notice.endswith("(rule D5)")


def test_a_refusal_tells_that_more_is_allowed_than_it_names() -> None:
    allowed = tuple(Message("set.choice.deal", count=count) for count in range(1, 6))
    few, many = (RuleError("", rule="S3", tried="a call", allowed=allowed[:count]) for count in (3, 5))
    assert at_table(briefly(few)) == "not allowed: a call. Allowed now: Deal 1 card; Deal 2 cards; Deal 3 cards (rule S3)"
    assert at_table(briefly(many)) == "not allowed: a call. Allowed now: Deal 1 card; Deal 2 cards; Deal 3 cards; and 2 more (rule S3)"


def test_no_refusal_speaks_in_codes() -> None:
    state: Any = opened()[0].director.state
    with pytest.raises(RuleError) as refused:
        state.after(EndTurn(0))
    assert state.phase is Phase.TURN
    assert at_table(briefly(refused.value)).startswith("not allowed: end turn by Ann. Allowed now: ")
    assert "end_turn" not in str(refused.value)
    error = state.refusal("D6", "cubed.tried.square_taken", cell=cell_named((7, -9)))
    assert "laying a die in a square, which is taken" in at_table(briefly(error))
    assert "laying a die in (7, -9), which is taken" in str(error)
    drew = Message("crossword.notice.drew", player="Ann", face=SetDie.parse("3-purple-diamond"))
    assert (str(drew), at_table(drew)) == ("Ann drew 3-purple-diamond", "Ann drew three purple diamonds")
    error = RuleError(by_rule("S5", Message("set.refused.cards_lie_first")))
    assert at_table(briefly(error)).endswith("lie again first (rule S5)")
    assert str(error).startswith("rule S5: the cards of")
    assert briefly(RuleError("first: roll the dice")) == "first: roll the dice"


def test_what_has_to_be_done_first_is_told_without_riddles() -> None:
    table = scrambled()
    table.wait(0.5)
    table.next()
    assert "expected" not in str(table.director.showing.notice)
    assert begun().director.history.game is cubed.GAME
