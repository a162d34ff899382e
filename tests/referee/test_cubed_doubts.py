"""SET Cubed seen badly: no point for a die that is hardly read, no hanging on one that is misread or overlooked."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from tests.referee.tabletop import TableTop, seeds, top
from tests.referee.test_crossword_doubts import Glimpses, look, read_as
from tests.referee.test_cubed import NAMES, Evening, begun, cells_of, laid, opened, resumed
from visionset.games.base import Amend
from visionset.games.cubed import rules as cubed
from visionset.games.cubed.referee import CubedReferee
from visionset.games.cubed.rules import EndTurn, ExtraRoll, Phase
from visionset.games.grid import Cell
from visionset.games.virtual.runner import play_out
from visionset.messages import at_table
from visionset.pieces import SetDie
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, CallSet, Dispute, GameIsRight, Move, Next, TableIsRight, Undo
from visionset.table import Guess, Table


def lay_misread(table: TableTop, evening: Evening, cell: Cell, name: str, seen_as: str, confidence: float) -> int:
    evening.lay(cell, SetDie.parse(name), None)
    track = evening.tracks[cell]
    read_as(table, track, seen_as, confidence)
    table.hand()
    table.settle()
    return track


def test_a_die_that_is_hardly_read_is_asked_about_before_it_scores() -> None:
    table, evening = opened()
    lay_misread(table, evening, (7, 9), "1-red-oval", "1-red-squiggle", 0.8)
    table.wait(1.25)
    question = table.director.showing.question
    assert question is not None
    assert [option.text for option in question.options] == ["one red squiggle", "one red oval"]
    assert table.director.state.points == (3, 0)
    table.say(Answer(2))
    assert table.director.state.points == (3, 3)
    assert table.director.showing.question is None


@pytest.mark.parametrize(("answer", "points"), [(Answer(2), (3, 3)), (Answer(1), (3, 0)), (None, (3, 0))])
def test_a_die_that_would_make_a_set_as_another_is_asked_about(answer: Answer | None, points: tuple[int, int]) -> None:
    table, evening = opened()
    lay_misread(table, evening, (7, 9), "1-red-oval", "1-red-squiggle", 0.97)
    assert table.director.showing.question is not None
    if answer is None:
        table.wait(125)
    else:
        table.say(answer)
    assert table.director.state.points == points
    showing = table.director.showing
    assert showing.question is None
    assert ("makes no SET" in showing.told[0].text) == (points == (3, 0))


def test_a_die_that_was_scored_and_is_read_otherwise_is_asked_about_and_the_turn_put_right() -> None:
    for number, points in ((1, (3, 3)), (2, (3, 0))):
        table, evening = opened()
        evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
        evening.settle()
        assert table.director.state.points == (3, 3)
        read_as(table, evening.tracks[7, 9], "1-red-diamond", 0.97)
        look(table)
        question = table.director.showing.question
        assert question is not None
        assert [option.text for option in question.options] == ["one red oval", "one red diamond"]
        assert table.director.state.points == (3, 3)
        table.say(Answer(number))
        assert table.director.state.points == points
        assert table.director.showing.question is None


def test_a_die_of_an_earlier_turn_that_is_read_otherwise_changes_no_points() -> None:
    table, evening = opened()
    read_as(table, evening.tracks[7, 7], "wild", 0.97)
    look(table)
    table.say(Answer(2))
    assert isinstance(table.events[-1], Amend)
    assert laid(table.director.state)[7, 7] == (SetDie(), SetDie.parse("2-red-oval"))
    assert table.director.state.points == (3, 0)
    look(table, 2)
    assert table.director.showing.question is None
    assert table.director.showing.differ == ""


def test_a_die_that_makes_no_set_as_people_say_it_is_does_not_stop_the_game() -> None:
    table, evening = opened()
    read_as(table, evening.tracks[7, 7], "2-red-diamond", 0.97)
    look(table)
    table.say(Answer(2))
    look(table, 2)
    assert "lies two red diamonds, the game has two red ovals there" in at_table(table.director.showing.differ)
    table.say(TableIsRight())
    assert str(table.director.showing.notice) == "the rules know no such table: put it right, or say that the game is right"
    table.say(GameIsRight())
    assert table.director.showing.differ == ""
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    assert table.director.state.points == (3, 3)


@pytest.mark.parametrize(("seen_as", "confidence"), [("2-red-diamond", 0.7), ("2-red-diamond", 0.97), ("1-purple-diamond", 0.97)])
def test_a_wrong_reading_goes_away_when_it_corrects_itself(seen_as: str, confidence: float) -> None:
    table, evening = opened()
    done = len(table.events)
    read_as(table, evening.tracks[7, 7], seen_as, confidence, other=seen_as == "2-red-diamond")
    look(table, 5)
    showing = table.director.showing
    assert (showing.question is not None) == (confidence > 0.9 and seen_as == "2-red-diamond")
    assert (showing.differ != "") == (seen_as == "1-purple-diamond")
    read_as(table, evening.tracks[7, 7], "2-red-oval", 0.97)
    look(table)
    assert table.director.showing.question is None
    assert table.director.showing.differ == ""
    assert len(table.events) == done
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    assert table.director.state.points == (3, 3)


def test_a_wrong_reading_that_stays_is_passed_over_in_the_end() -> None:
    table, evening = opened()
    read_as(table, evening.tracks[7, 7], "1-purple-diamond", 0.97, other=False)
    look(table, 125)
    assert table.director.showing.differ == ""
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    assert table.director.state.points == (3, 3)


def test_dice_that_are_overlooked_change_nothing_while_no_hand_is_there() -> None:
    table, evening = opened()
    done, gone = len(table.events), table.lying.pop(evening.tracks[7, 6])
    look(table, 10)
    assert table.director.showing.differ == ""
    assert len(table.events) == done
    table.lying[evening.tracks[7, 6]] = gone
    look(table)
    assert table.director.showing.differ == ""


def test_a_die_that_is_overlooked_does_not_end_the_extra_roll() -> None:
    table, evening = opened()
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    table.next()
    assert table.director.state.phase is Phase.EXTRA
    table.hand()
    del table.lying[evening.tracks[7, 9]]
    look(table, 5)
    assert table.director.state.phase is Phase.EXTRA


def test_a_die_that_no_lattice_holds_lies_where_it_lay() -> None:
    table, evening = opened()
    lost = evening.tracks[7, 8]

    def without(seen: Table) -> tuple[Cell | None, ...]:
        return tuple(None if one.track == lost else cell for one, cell in zip(seen.sightings, cells_of(seen), strict=True))

    referee: Any = table.director.referee
    referee._cells_of = without
    table.hand()
    table.settle()
    table.wait(3)
    assert table.director.showing.differ == ""
    assert table.director.showing.told[0].text.startswith("lay 3 dice at most")


def test_more_dice_than_a_turn_allows_are_told_in_plain_words_and_settled_by_two_keys() -> None:
    for said in (TableIsRight(), GameIsRight()):
        table, evening = opened()
        for cell, name in (((7, 9), "1-red-oval"), ((7, 10), "2-red-oval"), ((7, 11), "3-red-oval")):
            evening.lay(cell, SetDie.parse(name), None)
            evening.settle()
        before = table.director.state.points
        evening.lay((7, 5), SetDie.parse("3-red-oval"), None)
        evening.settle()
        assert table.director.showing.told[0].text.startswith("3 dice may be laid in a turn, and 4 lie there (D6): take 1 back")
        table.next()
        assert "may not lie there (D6): take it back" in at_table(table.director.showing.differ)
        table.say(said)
        assert table.director.showing.differ == ""
        assert table.director.state.points == before
        table.next()
        assert any(isinstance(event, EndTurn) for event in table.events[-3:])


def test_who_lays_more_dice_than_are_left_to_them_is_told_so_before_one_scores() -> None:
    """D6, D11: nobody knows which of them came from the bag or from another hand."""
    table, evening = opened()
    hands, bag = table.director.state.hands, table.director.state.bag
    left = tuple(hand[:1] for hand in hands)
    table.say(Move(Amend.of("the last dice", hands=left, bag=bag + sum(map(len, hands)) - len(left))))
    before = table.director.state.points
    for col, name in ((9, "1-red-oval"), (10, "2-red-oval")):
        evening.lay((7, col), SetDie.parse(name), None)
    evening.settle()
    table.wait(2.0)
    assert "two red ovals in the middle may not lie there (D6): take it back" in at_table(table.director.showing.differ)
    assert table.director.state.points == before
    table.take(evening.tracks[7, 10])
    evening.settle()
    assert table.director.showing.differ == ""
    assert sum(table.director.state.points) == sum(before) + 3


@pytest.mark.parametrize("seed", seeds(1))
def test_whole_games_are_followed_to_the_point_through_false_glimpses(seed: int) -> None:
    table, rng = begun(seed), random.Random(seed + 100)
    evening, glimpses, state = Evening(table), Glimpses(table, rng), cubed.GAME.start(None, NAMES)
    for event, after in play_out(cubed.GAME, random.Random(seed), None, NAMES):
        evening.do(event, state, after)
        state = after
        mine = table.director.state
        if state.phase not in (Phase.OPENING_ROLL, Phase.OPENING) and not isinstance(event, ExtraRoll):
            glimpses.glimpse()
            mine = table.director.state
            assert laid(mine) == laid(state), (event, table.director.showing)
            assert mine.points == state.points, event
    assert table.director.state.is_over
    assert table.director.state.winners == state.winners


def test_a_first_set_with_a_misread_die_is_asked_about() -> None:
    table = begun()
    evening = Evening(table)
    table.wait(0.5)
    table.say(CallSet(0))
    for cell, name in zip(table.director.state.options.board.logo, ("1-red-oval", "2-red-oval", "3-red-oval"), strict=True):
        evening.lay(cell, SetDie.parse(name), None)
    read_as(table, evening.tracks[7, 7], "2-red-diamond", 0.97)
    table.hand()
    table.settle()
    question = table.director.showing.question
    assert question is not None
    assert [option.text for option in question.options] == ["two red diamonds", "two red ovals"]
    table.say(Answer(2))
    assert table.director.state.points == (3, 0)


def test_a_die_that_is_neither_of_two_faces_is_spelled() -> None:
    table, evening = opened()
    lay_misread(table, evening, (7, 9), "1-red-oval", "1-red-squiggle", 0.97)
    track = evening.tracks[7, 9]
    read_as(table, track, "2-red-diamond", 0.97)
    table.lying[track] = replace(table.lying[track], guess=Guess(SetDie.parse("2-red-diamond"), 0.97, SetDie.parse("1-red-oval"), 0.02))
    look(table)
    table.say(Answer(0))
    for text in ("1", "red", "oval"):
        question = table.director.showing.question
        assert question is not None
        table.say(Answer([option.text for option in question.options].index(text) + 1))
    assert table.director.state.points == (3, 3)


def test_a_die_that_comes_without_a_hand_scores_only_when_somebody_says_so() -> None:
    for said, points in ((TableIsRight(), (3, 3)), (GameIsRight(), (3, 0)), (None, (3, 0))):
        table, evening = opened()
        track = table.lay(SetDie.parse("1-red-oval"), evening.spot((7, 9)), sure=True)
        look(table, 2)
        assert "no hand was there" in at_table(table.director.showing.differ)
        assert table.director.state.points == (3, 0)
        if said is None:
            table.take(track)
            table.settle()
        else:
            table.say(said)
        assert table.director.showing.differ == ""
        assert table.director.state.points == points


@pytest.mark.parametrize("said", [*product([Next(), Move(EndTurn(1))], repeat=2)])
def test_a_die_that_is_laid_just_before_next_scores_in_that_turn(said: tuple[Next | Move, Next | Move]) -> None:
    """D7: Bo says next while a hand draws back, or another one stays over the table; who says it again after that ends the turn at once.

    By the key or the button of the page, it is the same turn that ends, and the next one is left to its player.
    """
    for stays_s, is_said_again, points in ((0.0, False, (3, 3)), (6.0, False, (3, 3)), (2.0, True, (3, 0))):
        table, evening = opened()
        evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
        table.hand()
        for one in said:  # somebody else says it, too
            table.say(one)
        assert table.director.state.phase is Phase.TURN
        assert "all hands off the table, or say next" in at_table(table.director.showing.told[0].message)
        if stays_s:
            table.hand(stays_s)
            assert table.director.state.phase is Phase.TURN
        if is_said_again:
            table.say(said[1])
        else:
            table.settle()
        assert (table.director.state.phase, table.director.state.points) == (Phase.EXTRA, points)
        assert "all hands off" not in at_table(table.director.showing.told[0].message)


def test_who_said_next_too_early_takes_it_back() -> None:
    table, _ = opened()
    table.hand()
    table.next()
    table.say(Undo())
    assert at_table(table.director.showing.notice) == "taken back: play goes on"
    table.hand(2.0)
    table.settle()
    assert table.director.state.phase is Phase.TURN


@pytest.mark.parametrize("is_held", [True, False])
def test_a_turn_does_not_end_before_its_die_is_named(is_held: bool) -> None:
    """Said while the hand draws back it waits for two seconds, and after that it is asked at once."""
    table, evening = opened()
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    read_as(table, evening.tracks[7, 9], "1-red-squiggle", 0.8)
    table.hand()
    if is_held:
        table.say(Move(EndTurn(1)))
    table.leave()
    table.wait(2.0) if is_held else table.say(Move(EndTurn(1)))
    assert "the question comes first" in at_table(table.director.showing.notice)
    assert table.director.showing.question is not None
    table.say(Answer(2))
    table.say(Move(EndTurn(1)))
    assert (table.director.state.phase, table.director.state.points) == (Phase.EXTRA, (3, 3))


def test_a_turn_does_not_end_before_it_is_told_what_its_wilds_stand_for() -> None:
    table, evening = opened()
    for cell in ((8, 7), (9, 7)):
        evening.lay(cell, SetDie.parse("wild"), None)
    table.hand()
    table.settle()
    table.say(Move(EndTurn(1)))
    assert table.director.showing.question is not None
    assert table.director.state.phase is Phase.TURN
    assert "the question comes first" in at_table(table.director.showing.notice)


def test_next_closes_a_dispute_at_once_though_a_hand_is_over_the_table() -> None:
    table, _ = opened()
    table.say(Dispute())
    assert table.director.showing.question is not None
    table.hand()
    table.next()
    assert table.director.showing.question is None
    assert table.director.state.phase is Phase.TURN


@pytest.mark.parametrize(("is_told", "is_laid"), [(True, True), (True, False), (False, True)])
def test_who_says_next_before_it_is_answered_whether_a_die_was_laid_is_told_what_it_costs(is_told: bool, is_laid: bool) -> None:
    """D7: Bo's hand was overlooked, and Bo ends the turn; or nobody laid it."""
    table, evening = opened()
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    look(table, 2 if is_told else 0.5)
    for _ in range(1 if is_told else 2):
        table.next()
    assert "it scores nothing" in at_table(table.director.showing.notice)
    table.next()  # somebody else says it, too
    table.wait(1.5)
    assert "no hand was there" in at_table(table.director.showing.differ)
    table.say(TableIsRight() if is_laid else Next())
    assert table.director.showing.differ == ""
    table.next()
    assert table.director.state.points == (3, 3 if is_laid else 0)


@pytest.mark.parametrize("face", ["1-red-oval", "1-green-squiggle"])
def test_what_is_no_die_beside_the_board_is_asked_about_once_more_and_not_in_every_turn(face: str) -> None:
    """A pattern of the cloth is read as a die, which makes a SET or none; Bo's own die there would count in the turn after."""
    table, evening = opened()
    track = table.lay(SetDie.parse(face), evening.spot((7, 9)), sure=True)
    table.settle()
    asked = []
    for _ in range(6):
        table.wait(3.0)
        asked.append(bool(table.director.showing.differ) or "take it back" in table.director.showing.told[0].text)
        if asked[-1]:
            while not table.director.showing.differ:
                table.next()
                table.wait(1.5)
            table.say(GameIsRight())
        while not table.next():
            table.wait(1.0)
        table.wait(35.0 if table.director.state.phase is Phase.EXTRA else 0.25)
    assert asked == [True, True, False, False, False, False]
    assert table.director.state.points == (3, 0)
    table.move(track, evening.spot((12, 12)))
    table.settle()
    table.move(track, evening.spot((7, 9)))  # somebody lays it: it was a die after all
    table.hand()
    table.settle()
    table.wait(1.0)
    assert (sum(table.director.state.points) == 6) is (face == "1-red-oval")


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_die_that_came_without_a_hand_does_not_score_with_one_that_somebody_lays(is_asked: bool) -> None:
    """Whose turn it is lays a die before anybody has answered, or as the turn begins in which it is asked about once more."""
    table, evening = opened()
    table.lay(SetDie.parse("1-red-oval"), evening.spot((7, 9)), sure=True)
    look(table, 2)
    if not is_asked:
        table.say(GameIsRight())
        while not table.next():
            table.wait(1.0)
        while table.director.state.phase is Phase.EXTRA:
            table.wait(0.25)
    before = table.director.state.points
    evening.lay((7, 5), SetDie.parse("3-red-oval"), None)
    evening.settle()
    table.wait(2.0)
    assert sum(table.director.state.points) == sum(before) + 3
    assert "no hand was there" in at_table(table.director.showing.differ)
    table.say(TableIsRight())
    assert sum(table.director.state.points) == sum(before) + 6


def test_a_die_that_came_without_a_hand_ends_no_further_roll() -> None:
    """D10: it was passed over in the turn before; whoever rolls dice in sight of the camera has laid none."""
    table, evening = opened()
    table.lay(SetDie.parse("1-red-oval"), evening.spot((7, 9)), sure=True)
    look(table, 2)
    table.say(GameIsRight())
    while not table.next():
        table.wait(1.0)
    assert table.director.state.phase is Phase.EXTRA
    table.hand()
    table.settle()
    assert table.director.state.rolled_extra == ()
    evening.lay((7, 5), SetDie.parse("3-red-oval"), None)
    evening.settle()
    assert sum(table.director.state.points) == 6


def test_a_bumped_camera_has_laid_no_die() -> None:
    """It came without a hand; then the camera is bumped, and an arm rests over that die."""
    table, evening = opened()
    track = table.lay(SetDie.parse("1-red-oval"), evening.spot((7, 9)), sure=True)
    look(table, 2)
    table.bump(25.0, 15.0)
    table.hand()
    table.covered = {track}
    table.wait(1.0)
    table.covered = set()
    table.wait(2.0)
    assert "no hand was there" in at_table(table.director.showing.differ)
    assert table.director.state.points == (3, 0)


def test_a_die_that_came_without_a_hand_scores_by_no_dispute() -> None:
    """Neither by one about another die, nor by taking that back."""
    table, evening = opened()
    evening.lay((7, 5), SetDie.parse("3-red-oval"), None)
    evening.settle()
    table.wait(2.0)
    table.lay(SetDie.parse("1-red-oval"), evening.spot((7, 9)), sure=True)
    look(table, 2)
    for said in (Dispute(), Answer(1), Answer(1), Undo()):
        assert "no hand was there" in at_table(table.director.showing.differ)
        table.say(said)
        table.wait(2.0)
    assert "no hand was there" in at_table(table.director.showing.differ)
    assert table.director.state.scores == (3, 3)


def test_a_die_that_was_passed_over_scores_by_no_resume() -> None:
    table, evening = opened()
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    look(table, 2)
    table.say(GameIsRight())
    table, evening = resumed(evening)
    table.hand()
    table.settle()
    table.wait(2.0)
    assert "no hand was there" in at_table(table.director.showing.differ)
    table.say(GameIsRight())
    assert table.director.state.points == (3, 0)
    evening.lay((7, 5), SetDie.parse("3-red-oval"), None)
    evening.settle()
    assert table.director.state.points == (3, 3)


def test_dice_of_the_turn_that_are_misread_while_nobody_is_there_stay_scored() -> None:
    table, evening = opened()
    for cell, name in (((7, 9), "1-red-oval"), ((7, 10), "2-red-oval")):
        evening.lay(cell, SetDie.parse(name), None)
        evening.settle()
    done, points = len(table.events), table.director.state.points
    for cell in ((7, 9), (7, 10)):
        read_as(table, evening.tracks[cell], "3-green-squiggle", 0.97, other=False)
    look(table, 0.5)
    assert table.director.state.points == points
    for cell, name in (((7, 9), "1-red-oval"), ((7, 10), "2-red-oval")):
        read_as(table, evening.tracks[cell], name, 0.97)
    look(table, 2)
    assert len(table.events) == done
    assert table.director.showing.differ == ""


def test_a_turn_that_is_taken_back_leaves_the_extra_roll_as_it_was() -> None:
    table, evening = opened()
    table.next()
    table.next()
    assert table.director.state.phase is Phase.TURN
    assert table.director.state.current == 0
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    table.hand()
    table.take(evening.tracks[7, 9])
    table.settle()
    assert table.director.state.points == (3, 0)
    assert table.director.state.phase is Phase.TURN


def test_a_wild_that_was_replaced_while_the_match_was_closed_is_replaced_though_the_new_die_is_hardly_read() -> None:
    """D9: no WILD is misread as the very face that it stands for."""
    _, before = opened("1-red-oval wild 3-red-oval")
    history = before.table.director.history
    table = top(lambda correct: Director(history, CubedReferee(cells_of), correct=correct))
    again = Evening(table, before.turns)
    for cell, name in zip(history.state.options.board.logo, ("1-red-oval", "wild", "3-red-oval"), strict=True):
        again.lay(cell, SetDie.parse(name), None)
    read_as(table, again.tracks[7, 7], "2-red-oval", 0.949)
    table.settle()
    table.wait(1.0)
    assert [event.name for event in table.director.history.events[-2:]] == ["replace", "roll_wild"]
    assert table.director.state.grid[1].face == SetDie.parse("2-red-oval")
