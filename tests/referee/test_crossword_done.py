"""Who is done in Crossword is judged by the table as it lies once all hands are off it, for all build at once (rule D16)."""

from __future__ import annotations

import random

import pytest

from tests.referee.tabletop import TableTop, bare, top
from tests.referee.test_crossword import cells_of
from tests.referee.test_crossword_doubts import look, read_as
from visionset.games.correction import Correct
from visionset.games.crossword import rules as crossword
from visionset.games.crossword.referee import CrosswordReferee
from visionset.games.crossword.rules import CrosswordOptions, Done, Draw, Lay
from visionset.games.game import History
from visionset.messages import at_table
from visionset.pieces import SetDie
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, Dispute, Move, Next, TableIsRight, Undo

HAND = ["1-red-oval", "2-red-oval", "3-red-oval", "1-green-oval", "1-purple-oval"]
HAND += ["2-green-squiggle", "3-purple-diamond", "2-green-oval", "3-green-oval", "wild"]
GRID = {5: (0, 2), 7: (0, 3), 6: (1, 2), 8: (1, 3), 1: (2, 0), 2: (2, 1), 0: (2, 2), 3: (2, 3), 4: (2, 4), 9: (2, 5)}
"""A grid of all ten: where each die of the hand lies."""
LAST = 9


class Both:
    """Ann and Bo with the same ten dice, in their halves."""

    def __init__(self) -> None:
        history = History.begin(crossword.GAME, CrosswordOptions(rounds=2), ("Ann", "Bo"))
        self.table: TableTop = top(lambda correct: Director(history, CrosswordReferee(cells_of), correct=correct), random.Random(0))
        self.dice = [
            [self.table.lay(SetDie.parse(face), (40.0 + 640 * player + 43 * number, 580.0)) for number, face in enumerate(HAND)]
            for player in (0, 1)
        ]
        self.settle()

    def build(self, player: int, *without: int) -> None:
        for number, (row, col) in GRID.items():
            if number not in without:
                self.table.move(self.dice[player][number], (640.0 * player + 60 + 34 * col, 60.0 + 34 * row))

    def settle(self) -> None:
        self.table.hand()
        self.table.settle()
        self.table.wait(1.0)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.table.director.state.scores)


@pytest.mark.parametrize("rests", [False, True])
def test_dice_that_another_one_has_laid_under_a_hand_count(rests: bool) -> None:
    both = Both()
    both.build(0)
    both.settle()
    both.build(1, LAST)
    both.table.hand(2.0, rests=rests)
    both.table.say(Move(Done(0)))
    assert both.scores == (0, 0)
    assert "all hands off the table" in at_table(both.table.director.showing.told[0].message)
    both.table.settle()
    assert both.scores == (1, 0)


def test_who_laid_the_last_die_and_said_so_first_is_heard_once_hands_are_off() -> None:
    both = Both()
    both.build(0, LAST)
    both.settle()
    both.build(1)
    both.table.hand(1.0)
    both.table.say(Move(Done(1)))
    both.table.hand(0.5)
    both.table.say(Move(Done(0)))
    both.table.settle()
    assert both.scores == (0, 1)


def test_who_said_so_too_early_takes_it_back() -> None:
    both = Both()
    both.build(0, LAST)
    both.table.hand()
    both.table.say(Move(Done(0)))
    both.table.say(Undo())
    assert at_table(both.table.director.showing.notice) == "taken back: play goes on"
    both.build(0)
    both.settle()
    assert both.scores == (0, 0)
    assert "all dice are used" in both.table.director.showing.told[0].text


def test_nobody_is_done_while_a_die_is_looked_for() -> None:
    both = Both()
    both.build(0)
    both.settle()
    both.table.move(both.dice[0][LAST], (900.0, 650.0))
    both.settle()
    assert "take WILD back from the part of Bo" in both.table.director.showing.told[0].text
    both.table.say(Move(Done(0)))
    assert at_table(both.table.director.showing.notice).startswith("first: ")
    assert both.scores == (0, 0)


def test_a_die_that_rolled_into_another_part_belongs_to_who_takes_it_home() -> None:
    """D15: Ann draws, the die rolls over to Bo, and she takes it into her part before anything is laid with it."""
    both = Both()
    drawn = both.table.lay(SetDie.parse("2-purple-squiggle"), (700.0, 650.0))
    both.settle()
    assert [len(hand) for hand in both.table.director.state.hands] == [10, 11]
    both.table.move(drawn, (300.0, 650.0))
    both.settle()
    assert [len(hand) for hand in both.table.director.state.hands] == [11, 10]
    first = both.dice[1][LAST]
    both.table.move(first, (300.0, 690.0))  # one that was Bo's from the beginning stays so
    both.settle()
    assert [len(hand) for hand in both.table.director.state.hands] == [11, 10]


def test_a_draw_whose_die_was_taken_home_is_taken_back_at_once() -> None:
    """D15: as anybody sees it Ann has drawn, and Bo has not."""
    both = Both()
    drawn = both.table.lay(SetDie.parse("2-purple-squiggle"), (700.0, 650.0))
    both.settle()
    both.table.move(drawn, (300.0, 650.0))
    both.settle()
    assert bare(both.table.director.history.events[1:]) == bare([Draw(0, SetDie.parse("2-purple-squiggle"))])
    both.table.say(Undo())
    assert [len(hand) for hand in both.table.director.state.hands] == [10, 10]
    both.table.take(drawn)
    both.settle()
    assert [told.text for told in both.table.director.showing.told] == ["10 dice to lay; if you are stuck, draw one"] * 2


@pytest.mark.parametrize("is_undone", [False, True])
def test_a_die_that_was_taken_home_is_laid(is_undone: bool) -> None:
    both = Both()
    if is_undone:  # something was taken back in this round
        first = both.table.lay(SetDie.parse("2-purple-squiggle"), (300.0, 650.0))
        both.settle()
        both.table.say(Undo())
        both.table.take(first)
        both.settle()
    drawn = both.table.lay(SetDie.parse("2-purple-squiggle"), (700.0, 650.0))
    both.settle()
    both.table.move(drawn, (300.0, 650.0))
    both.settle()
    for column, track in enumerate((both.dice[0][0], drawn, both.dice[0][1])):
        both.table.move(track, (60.0 + 34 * column, 60.0))
    both.settle()
    assert [str(die.face) for die in both.table.director.state.laid(0)] == ["1-red-oval", "2-purple-squiggle", "2-red-oval"]
    assert not both.table.director.state.laid(1)


def test_a_dispute_after_a_pause_holds_for_a_die_that_people_had_named() -> None:
    """D14: no other die shows that face, so that it is this one, and the game does not have it back at once."""
    both = Both()
    drawn = both.table.lay(SetDie.parse("2-purple-squiggle"), (300.0, 650.0), sure=False)
    both.settle()
    for column, track in enumerate((both.dice[0][0], drawn, both.dice[0][1])):
        both.table.move(track, (60.0 + 34 * column, 60.0))
    both.settle()
    assert isinstance(both.table.director.history.events[-1], Lay)
    both.table.resume()
    both.settle()
    both.table.say(Dispute())
    for face in ("2-purple-squiggle", "2-purple-oval"):
        question = both.table.director.showing.question
        assert question is not None
        both.table.say(Answer([option.text for option in question.options].index(at_table(SetDie.parse(face))) + 1))
    both.table.wait(3.0)
    assert isinstance(both.table.director.history.events[-1], Correct)
    assert "2-purple-oval" in [str(die.face) for die in both.table.director.state.laid(0)]
    both.table.say(Undo())
    both.table.wait(3.0)
    assert isinstance(both.table.director.history.events[-1], Lay)
    assert "2-purple-squiggle" in [str(die.face) for die in both.table.director.state.laid(0)]


def test_undo_takes_back_a_dispute_with_what_came_of_it_at_once() -> None:
    both = Both()
    for column in range(3):
        both.table.move(both.dice[0][column], (60.0 + 34 * column, 60.0))
    both.settle()
    before = both.table.director.history.events
    both.table.say(Dispute())
    both.table.say(Answer(1))
    both.table.move(both.dice[0][3], (60.0 + 34 * 3, 60.0))
    both.settle()
    both.table.say(Answer(1))
    assert [type(event) for event in both.table.director.history.events[len(before) :]] == [Correct, Lay]
    both.table.say(Undo())
    both.table.wait(3.0)
    assert both.table.director.history.events == before


def test_a_draw_that_was_taken_back_is_none_after_a_pause_too() -> None:
    both = Both()
    drawn = both.table.lay(SetDie.parse("2-purple-squiggle"), (300.0, 650.0))
    both.settle()
    both.table.say(Undo())
    both.table.resume()
    both.settle()
    both.table.wait(5.0)
    assert [len(hand) for hand in both.table.director.state.hands] == [10, 10]
    assert "taken back" in both.table.director.showing.told[0].text
    both.table.take(drawn)
    both.settle()
    assert [told.text for told in both.table.director.showing.told] == ["10 dice to lay; if you are stuck, draw one"] * 2


def test_who_is_done_waits_for_a_die_in_the_hand_of_another_and_is_first_all_the_same() -> None:
    both = Both()
    both.build(0)
    both.build(1, LAST)
    both.settle()
    at = tuple(map(float, both.table.lying[both.dice[1][LAST]].center_px))
    both.table.take(both.dice[1][LAST])
    both.settle()
    assert "lay WILD" in both.table.director.showing.told[0].text
    both.table.say(Move(Done(0)))
    both.dice[1][LAST] = both.table.lay(SetDie.parse(HAND[LAST]), at, sure=True)
    both.build(1)
    both.table.hand()
    both.table.say(Move(Done(1)))
    both.settle()
    assert [event.player for event in both.table.director.history.events if isinstance(event, Done)] == [0]
    assert both.scores == (0, 0)
    assert "Ann used all dice" in at_table(both.table.director.showing.notice)


def test_a_dispute_meanwhile_does_not_lose_who_is_done_and_next_judges_under_a_hand_that_rests() -> None:
    both = Both()
    both.build(0)
    both.settle()
    both.table.hand(1.0, rests=True)
    both.table.say(Move(Done(0)))
    both.table.say(Dispute())
    both.table.hand(1.0, rests=True)
    both.table.say(Answer(0))
    assert both.scores == (0, 0)
    both.table.say(Next())
    assert both.scores == (10, 0)


def test_a_round_that_was_won_by_a_misread_die_is_disputed() -> None:
    """D14, D16: with the die as it is the grid is none; the die of Bo with the same face stays what it is."""
    both = Both()
    both.build(0)
    both.settle()
    both.table.say(Move(Done(0)))
    before = both.table.director.state
    both.table.say(Dispute())
    question = both.table.director.showing.question
    assert question is not None
    assert question.tracks[2] == both.dice[0][6]
    for _ in range(2):  # a double click
        both.table.say(Answer(3))
    assert (before.scores, both.scores) == ((10, 0), (0, 0))
    both.table.wait(5.0)
    assert not any(both.table.director.state.hands)  # nobody has rolled for the next round


def test_a_drawn_die_that_lay_there_for_a_while_is_its_players() -> None:
    both = Both()
    drawn = both.table.lay(SetDie.parse("2-purple-squiggle"), (700.0, 650.0))
    both.settle()
    both.table.wait(15.0)
    both.table.move(drawn, (300.0, 650.0))
    both.settle()
    assert [len(hand) for hand in both.table.director.state.hands] == [10, 11]
    told = both.table.director.showing.told[0]
    assert (str(told.to), told.text) == ("Bo", "take two purple squiggles back from the part of Ann into yours")
    both.table.next()
    both.table.say(TableIsRight())  # Ann had drawn it
    both.table.wait(5.0)
    assert [len(hand) for hand in both.table.director.state.hands] == [11, 10]


def test_dice_that_are_laid_after_undo_count_without_a_word() -> None:
    """D16: who is done first has won, whatever was taken back before; nobody need say next for what anybody sees."""
    both = Both()
    both.build(0, LAST, 8)
    both.settle()
    both.build(0, LAST)
    both.settle()
    both.table.say(Undo())
    both.build(0)
    both.settle()
    both.table.say(Move(Done(0)))
    both.table.wait(1.0)
    assert both.scores == (10, 0)


def test_a_die_that_was_misread_is_put_right_after_a_dispute_and_an_hour() -> None:
    """Nobody is stuck: what was disputed stays as it was said to be."""
    both = Both()
    table = both.table
    both.build(0, LAST)
    both.settle()
    table.say(Dispute())
    for _ in range(2):
        table.say(Answer(1))
    said = table.director.state.hands[0]
    table.resume()
    table.settle()
    table.wait(2.0)
    read_as(table, both.dice[1][3], "1-green-squiggle", 0.9)
    look(table)
    table.wait(3.0)
    question = table.director.showing.question
    assert question is not None
    table.say(Answer(1 + [str(option.value) for option in question.options].index("1-green-squiggle")))
    table.wait(2.0)
    assert str(table.director.state.hands[1][3]) == "1-green-squiggle"
    assert table.director.state.hands[0] == said
    assert table.director.showing.differ == ""
    both.build(0)
    both.settle()
    assert len(table.director.state.grids[0]) == 10
