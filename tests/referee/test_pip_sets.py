"""Two-dice Sets on a table: dice are thrown, pushed, thrown too early and one at a time (rules P1 to P4)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.referee.tabletop import TableTop, bare, seeds, top
from visionset.games.game import History
from visionset.games.high_scores import HighScores
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.pip_sets.referee import PipSetsReferee
from visionset.games.pip_sets.rules import Circle, EndTurn, Roll, WriteBonus
from visionset.games.virtual.runner import play_out
from visionset.messages import at_table
from visionset.pieces import PipDie
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, AskHint, Dispute, GameIsRight, Move, TableIsRight, Undo
from visionset.table import Guess


def begun(
    seed: int = 0, unsure: float = 0.0, hints: bool = False, names: tuple[str, ...] = ("Ann", "Bo"), is_again: bool = False
) -> TableTop:
    history = History.begin(pip_sets.GAME, None, names)
    referee = PipSetsReferee(hints=hints)
    return top(lambda correct: Director(history, referee, correct=correct, is_again=is_again), random.Random(seed), unsure)


def throw(table: TableTop, values: tuple[int, int], both: bool = True) -> None:
    """Throw the dice; they come to rest one after the other where `both` is False."""
    rng = table.rng
    spots = [(rng.uniform(200, 500), 300.0), (rng.uniform(700, 1000), 300.0)]
    tracks = sorted(table.lying, key=lambda track: float(table.lying[track].center_px[0]))
    for place, (value, at) in enumerate(zip(values, spots, strict=True)):
        if tracks:
            table.roll(tracks[place], PipDie(value), at)
        else:
            table.lay(PipDie(value), at)
        if place == 0 and not both:
            table.hand()
            table.settle()
    table.hand()
    table.settle()
    question = table.director.showing.question
    if question is not None and question.key[0] == "thrown":  # one by one, and one shows what it showed
        table.say(Answer(2))


@pytest.mark.parametrize("seed", seeds(4))
def test_ten_turns_are_followed_to_the_point(seed: int) -> None:
    rng = random.Random(seed)
    names = ("Ann", "Bo", "Cy")[: 1 + seed % 3]
    table = begun(seed, unsure=0.1 if seed else 0.0, names=names)
    truth, state = [], None
    for event, state in play_out(pip_sets.GAME, rng, None, names):
        truth.append(event)
        if isinstance(event, Roll):
            throw(table, event.values, both=rng.random() < 0.7)
        else:
            if rng.random() < 0.2:
                track = rng.choice(list(table.lying))
                table.move(track, (rng.uniform(200, 500), 500.0))
                table.settle()
            table.say(Move(event))
        assert bare(table.events) == bare(truth)
        assert table.director.state.scores == state.scores
    assert table.director.state.is_over
    assert state is not None
    assert table.director.state.scores == state.scores


def test_a_bumped_camera_has_thrown_no_dice() -> None:
    """They lie elsewhere in the picture, and a hand that covers one of them has the table looked at once more."""
    table = begun(names=("Ann",))
    throw(table, (3, 5))
    table.say(Move(EndTurn(0)))
    table.bump(40.0, 10.0)
    table.covered = set(list(table.lying)[:1])
    table.wait(1)
    table.covered = set()
    assert table.wait(1) == []
    throw(table, (3, 6))
    assert table.director.state.roll == (3, 6)


def test_three_dice_are_no_roll_until_one_is_taken_away() -> None:
    table = begun(names=("Ann",))
    for value in (4, 1, 6):
        third = table.lay(PipDie(value), (200.0 * value, 300.0))
    table.settle()
    assert table.director.showing.told[0].text == "3 dice lie there and two belong: take the others away"
    assert table.director.state.roll is None
    table.take(third)
    table.settle()
    assert table.director.state.roll == (1, 4)


def test_dice_that_only_lie_there_are_no_roll() -> None:
    table = begun(names=("Ann",))
    throw(table, (2, 5))
    table.say(Move(EndTurn(0)))
    table.wait(300)
    assert table.director.state.roll is None
    assert "say next" in table.director.showing.told[0].text
    table.next()
    assert table.director.state.roll == (2, 5)


def test_a_throw_before_the_turn_is_ended_is_settled_by_two_keys() -> None:
    for said, rolls in ((TableIsRight(), [(2, 5), (6, 6)]), (GameIsRight(), [(2, 5)])):
        table = begun()
        throw(table, (2, 5))
        table.say(Move(EndTurn(0)))
        throw(table, (6, 6))
        table.wait(1.5)
        assert "the dice show 6 and 6, the turn has 2 and 5: Bo did not end the turn" in at_table(table.director.showing.differ)
        before = table.director.state.scores
        assert table.say(Move(Circle(1, 1, 4))) == []
        assert table.director.state.scores == before
        table.say(said)
        table.wait(3)
        assert table.director.showing.differ == ""
        assert [event.values for event in table.events if isinstance(event, Roll)] == rolls


def overruled(values: tuple[int, int]) -> tuple[TableTop, list[int]]:
    """A throw came while Bo had not ended the turn, and the game is right."""
    table = begun()
    throw(table, (2, 5))
    table.say(Move(EndTurn(0)))
    throw(table, values)
    table.wait(1.5)
    table.say(GameIsRight())
    return table, sorted(table.lying, key=lambda track: float(table.lying[track].center_px[0]))


def test_dice_that_are_laid_back_one_by_one_after_a_throw_that_came_too_early_are_not_asked_about_again() -> None:
    table, (first, second) = overruled((5, 1))
    for track, value in ((first, 2), (second, 5)):
        table.roll(track, PipDie(value), (300.0 if track == first else 800.0, 400.0))
        table.hand()
        table.settle()
        table.wait(3.0)
        assert table.director.showing.differ == ""
    table.say(Move(EndTurn(1)))
    throw(table, (3, 4))
    assert table.director.state.roll == (3, 4)


@pytest.mark.parametrize("again", [(6, 3), (3, 6), (6, 6)])
def test_dice_of_a_throw_that_did_not_count_are_what_they_show_when_they_are_thrown_again(again: tuple[int, int]) -> None:
    """P1: one may show what it showed; nothing is rolled before, whoever says next."""
    table, tracks = overruled((6, 6))
    table.say(Move(EndTurn(1)))
    table.wait(2.0)
    table.next()
    assert table.director.state.roll is None
    for place, (track, value) in enumerate(zip(tracks, again, strict=True)):
        at = (250.0 + 500 * place, 520.0)
        table.roll(track, PipDie(value), at) if value != 6 else table.move(track, at)  # the same face elsewhere has only moved
    table.hand()
    table.settle()
    table.wait(2.0)
    assert sorted(table.director.state.roll or ()) == sorted(again)


@pytest.mark.parametrize("wait_s", [0.25, 3.0])
def test_who_ends_a_turn_after_a_throw_that_came_too_early_lets_it_count(wait_s: float) -> None:
    """P1: Bo and Cy end the turn as the dice come to rest, or as they are told of it; nobody throws once more."""
    table = begun(names=("Ann", "Bo", "Cy"))
    throw(table, (2, 5))
    table.say(Move(EndTurn(0)))
    throw(table, (6, 6))
    table.wait(wait_s)
    for player in (1, 2):
        table.say(Move(EndTurn(player)))
        table.wait(0.25)
    assert (table.director.state.tracker, table.director.state.roll, table.director.showing.differ) == (9, (6, 6), "")


@pytest.mark.parametrize("knocked", [0, 1])
def test_a_die_that_was_knocked_over_is_turned_back_and_the_other_one_shows_what_it_showed(knocked: int) -> None:
    """P1: both show the same for a moment, and the game is right. One was pushed past the other before."""
    table = begun(names=("Ann",))
    values, places = (3, 6), ((1100.0, 300.0), (800.0, 300.0))
    dice = [table.lay(PipDie(value), at, sure=True) for value, at in zip(values, ((300.0, 300.0), places[1]), strict=True)]
    table.settle()
    table.move(dice[0], places[0])
    table.settle()
    for value in (values[1 - knocked], values[knocked]):
        table.roll(dice[knocked], PipDie(value), places[knocked])
        table.hand()
        table.settle()
        table.wait(1.5)
        if table.director.showing.differ:
            table.say(GameIsRight())
            assert value == values[1 - knocked]
    assert [table.lying[track].piece for track in dice] == [PipDie(3), PipDie(6)]
    assert table.director.state.roll == (3, 6)


def test_a_die_that_was_knocked_over_in_a_turn_is_no_half_of_a_throw() -> None:
    table = begun(names=("Ann",))
    throw(table, (2, 5))
    track = min(table.lying)
    table.roll(track, PipDie(6), tuple(table.lying[track].center_px))
    table.settle()
    table.say(Move(EndTurn(0)))
    table.wait(1)
    assert (table.director.state.roll, "not thrown" in str(table.director.showing.told[0])) == (None, False)


def test_dice_that_were_pushed_in_a_turn_are_thrown_for_the_next() -> None:
    table = begun(names=("Ann",))
    throw(table, (2, 5))
    for track in list(table.lying):
        table.move(track, (300.0 + 200 * track, 500.0))
    table.settle()
    table.say(Move(EndTurn(0)))
    table.wait(1)
    assert table.director.state.roll is None


def test_what_one_word_settled_is_taken_back_by_one_word() -> None:
    """Whoever had no turn for it gets it again."""
    table = begun(names=("Ann", "Bo", "Cy"))
    throw(table, (2, 5))
    before = table.director.history.events
    throw(table, (6, 6))
    table.wait(1.5)
    table.say(TableIsRight())
    assert len(table.director.history.events) == len(before) + 4, "three turns end, and a roll"
    table.say(Undo())
    assert table.director.history.events == before
    for player in range(3):
        table.say(Move(EndTurn(player)))
    throw(table, (1, 1))
    assert len(table.director.history.events) == len(before) + 4, "as many, one by one"
    table.say(Undo())
    assert len(table.director.history.events) == len(before) + 3


def test_dice_that_are_thrown_anew_count_though_they_show_the_same() -> None:
    table = begun(names=("Ann", "Bo"))
    throw(table, (5, 4))
    table.say(Undo())
    table.wait(1)
    assert table.director.state.roll is None
    throw(table, (5, 4))
    table.wait(1)
    assert table.director.state.roll == (5, 4)


def test_the_sheet_fills_itself_and_advice_comes_on_request_only() -> None:
    table = begun(hints=True)
    throw(table, (1, 4))
    sheet = list(map(at_table, table.director.showing.sheet))
    assert sheet[1] == "1*\t1 1 - may be circled"
    assert sheet[4] == "4\t4 4"
    assert all("expected" not in told.text for told in table.director.showing.told)
    table.director.referee.hints = False
    table.say(AskHint(0))
    assert "without hints" in str(table.director.showing.notice)


def test_at_the_end_the_place_among_all_games_is_shown() -> None:
    """P6."""
    table = begun(names=("Ann",))
    table.director.referee.earlier = HighScores().with_scores(("Bo", "Cy"), (500, -500))  # type: ignore[attr-defined]
    for values in [(1, 1)] * 10:
        throw(table, values)
        assert "in all games" not in " ".join(map(at_table, table.director.showing.status))
        table.say(Move(EndTurn(0)))
    assert table.director.state.is_over
    assert tuple(map(at_table, table.director.showing.status)) == (
        f"Ann\t{table.director.state.scores[0]}, place 1, 2 of 3 in all games so far",
    )


def test_a_bonus_that_is_due_is_written_before_an_early_throw_is_settled() -> None:
    table = begun(names=("Ann",))
    throw(table, (2, 5))
    table.say(Move(Circle(0, 1)))
    assert at_table(table.director.showing.sheet[1]) == "1\t(1) - bonus due"
    throw(table, (6, 6))
    table.wait(1.5)
    assert str(table.director.showing.told[0]) == "Ann: the dice were thrown too early: write the bonus for row 1 first"
    table.say(Move(WriteBonus(0, 4)))
    table.wait(1.5)
    assert "Ann did not end the turn" in at_table(table.director.showing.differ)
    table.say(TableIsRight())
    assert table.director.state.roll == (6, 6)


def test_a_click_that_is_taken_back_asks_nobody_to_lay_dice() -> None:
    table = begun()
    throw(table, (2, 5))
    before = [told.text for told in table.director.showing.told]
    table.say(Move(EndTurn(0)))
    table.say(Undo())
    assert [told.text for told in table.director.showing.told] == before
    assert at_table(table.director.showing.notice).startswith("taken back: ")
    assert "next" not in at_table(table.director.showing.notice)
    table.say(Move(EndTurn(0)))
    table.say(Move(EndTurn(1)))
    assert table.director.state.roll is None


def test_a_value_that_is_hardly_read_is_asked_about_before_it_counts() -> None:
    table = begun()
    for place, (value, sureness) in enumerate(((3, 0.99), (4, 0.65))):
        track = table.lay(PipDie(value), (300.0 + 300 * place, 300.0), sure=True)
        table.lying[track] = replace(table.lying[track], confidence=sureness, guess=Guess(PipDie(value), sureness, PipDie(6), 0.3))
    table.hand()
    table.settle()
    table.wait(2.0)
    assert table.director.state.roll is None
    question = table.director.showing.question
    assert question is not None
    assert question.tracks == (track,)


@pytest.mark.parametrize("are_thrown", [True, False])
def test_dice_that_lie_there_from_a_game_before_were_not_thrown_for_this_one(are_thrown: bool) -> None:
    """P1: "Play again" while the last throw lies there; it counts only where people say so."""
    table = begun(is_again=True)
    throw(table, (3, 4))
    table.wait(5.0)
    assert table.director.state.roll is None
    if are_thrown:
        table.next()
    else:
        throw(table, (6, 1))
    assert table.director.state.roll == ((3, 4) if are_thrown else (6, 1))


@pytest.mark.parametrize("is_undone", [False, True])
def test_dice_of_a_roll_that_is_corrected_between_two_turns_are_not_thrown_again(is_undone: bool) -> None:
    table = begun()
    throw(table, (3, 4))
    for player in (0, 1):
        table.say(Move(EndTurn(player)))
    table.say(Dispute())
    table.say(Answer(1))
    table.say(Answer(1))
    assert [event.name for event in table.director.history.events] == ["roll", "end_turn", "end_turn", "correct"]
    table.wait(3.0)
    assert table.director.state.roll is None
    if is_undone:  # nobody has touched a die, and nobody is told to
        before = table.director.showing.told
        table.say(Undo())
        assert "Lay the table" not in at_table(table.director.showing.notice)
        assert table.director.showing.told == before
        table.wait(3.0)
        assert table.director.state.roll is None
    throw(table, (6, 2))
    assert table.director.state.roll == (6, 2)


@pytest.mark.parametrize("is_seen_to_roll", [True, False])
@pytest.mark.parametrize("is_pushed_first", [True, False])
@pytest.mark.parametrize("are_thrown", [True, False])
def test_a_die_that_may_only_have_been_pushed_is_asked_about(is_pushed_first: bool, is_seen_to_roll: bool, are_thrown: bool) -> None:
    """P1: a sleeve pushes one die, before the other is thrown alone or after it; the camera takes that for a throw or not."""
    table = begun(names=("Ann",))
    throw(table, (2, 5))
    table.say(Move(EndTurn(0)))
    pushed, thrown = list(table.lying)

    def push() -> None:
        if is_seen_to_roll:
            table.roll(pushed, PipDie(2), (300.0, 550.0))
        else:
            table.move(pushed, (300.0, 550.0))

    for number in range(2):
        if (number == 0) is is_pushed_first:
            push()
        else:
            table.roll(thrown, PipDie(3), (800.0, 500.0))
        table.hand()
        table.settle()
        table.wait(2.0)
        assert table.director.state.roll is None
    question = table.director.showing.question
    assert question is not None
    assert question.tracks == (pushed,)
    table.say(Answer(2 if are_thrown else 1))
    if not are_thrown:
        table.say(Undo())  # a slip, or none: Ann's turn stays ended
        assert table.director.showing.question is not None
        table.say(Answer(1))
        assert table.director.state.roll is None
        assert "one die was not thrown" in table.director.showing.told[0].text
        table.roll(pushed, PipDie(6), (300.0, 300.0))
        table.hand()
        table.settle()
    assert set(table.director.state.roll) == ({2, 3} if are_thrown else {6, 3})
    assert table.director.showing.question is None


@pytest.mark.parametrize("is_seen_to_roll", [True, False])
@pytest.mark.parametrize("are_thrown", [True, False])
def test_dice_that_are_pushed_aside_together_between_two_turns_are_asked_about(is_seen_to_roll: bool, are_thrown: bool) -> None:
    """P1: both show what they showed; the camera takes that for a throw or not."""
    table = begun(names=("Ann",))
    throw(table, (2, 5))
    table.say(Move(EndTurn(0)))
    for track, value in zip(list(table.lying), (2, 5), strict=True):
        at = (250.0 * track, 560.0)
        if is_seen_to_roll:
            table.roll(track, PipDie(value), at)
        else:
            table.move(track, at)
    table.hand()
    table.settle()
    table.wait(2.0)
    assert table.director.state.roll is None
    assert table.director.showing.question is not None
    table.say(Answer(2 if are_thrown else 1))
    assert table.director.state.roll == ((2, 5) if are_thrown else None)
    if not are_thrown:
        throw(table, (2, 6))
        assert table.director.state.roll == (2, 6)


def test_a_roll_with_a_hardly_read_die_that_was_taken_back_does_not_count_again_by_itself() -> None:
    """P1: nobody answers for minutes; it counts once somebody says next, who is told first what is likeliest."""
    table = begun(names=("Ann",))
    table.lay(PipDie(6), (300.0, 300.0), sure=True)
    die = table.lay(PipDie(3), (800.0, 300.0), sure=True)
    table.lying[die] = replace(table.lying[die], confidence=0.6, guess=Guess(PipDie(3), 0.6, PipDie(2)))
    table.hand()
    table.leave()
    table.wait(2.0)
    table.say(Answer(1))
    assert table.director.state.roll == (6, 3)
    table.say(Undo())
    table.wait(300.0)
    assert table.director.state.roll is None
    assert table.director.showing.question is not None
    table.next()
    assert table.director.state.roll is None
    table.wait(1.5)
    table.next()
    assert table.director.state.roll == (6, 3)


def test_dice_that_are_thrown_together_are_not_asked_about_though_one_was_pushed_before() -> None:
    table = begun(names=("Ann",))
    throw(table, (2, 5))
    table.say(Move(EndTurn(0)))
    table.move(min(table.lying), (300.0, 550.0))
    table.hand()
    table.settle()
    throw(table, (2, 4))
    assert set(table.director.state.roll) == {2, 4}


@pytest.mark.parametrize("is_found_again", [True, False])
def test_dice_that_are_thrown_together_and_read_one_after_the_other_are_not_asked_about(is_found_again: bool) -> None:
    """P1: no hand was there in between; the second die is followed, or taken for a new one."""
    table = begun(names=("Ann",))
    throw(table, (2, 5))
    table.say(Move(EndTurn(0)))
    first, second = list(table.lying)
    table.hand()
    table.roll(first, PipDie(2), (300.0, 550.0))
    if not is_found_again:
        table.take(second)
    table.settle()
    table.wait(0.5)
    if is_found_again:
        table.roll(second, PipDie(4), (800.0, 500.0))
    else:
        table.lay(PipDie(4), (800.0, 500.0))
    table.settle()
    assert set(table.director.state.roll) == {2, 4}


@pytest.mark.parametrize("unsure", [0.0, 1.0])
def test_after_a_roll_that_was_taken_back_no_die_of_it_counts_beside_one_that_is_thrown(unsure: float) -> None:
    """P1: the roll was none, and the dice are thrown anew, one by one."""
    table = begun(unsure=unsure)
    throw(table, (2, 5))
    table.say(Undo())
    for track, at in zip(list(table.lying), ((300.0, 550.0), (900.0, 500.0)), strict=True):
        assert table.director.state.roll is None
        table.roll(track, PipDie(6), at)
        table.hand()
        table.settle()
    assert table.director.state.roll == (6, 6)


def test_a_roll_that_was_taken_back_by_a_slip_counts_as_it_lies() -> None:
    table = begun()
    throw(table, (2, 5))
    table.say(Undo())
    table.move(min(table.lying), (310.0, 300.0))
    table.hand()
    table.settle()
    table.next()
    assert table.director.state.roll == (2, 5)
    assert table.director.showing.question is None
