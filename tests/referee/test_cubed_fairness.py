"""What wronged people in SET Cubed before the camera: who opens, keys pressed by mistake, a die that was misread (rules D5 to D7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.referee.tabletop import TableTop
from tests.referee.test_cubed import Evening, begun, opened
from visionset.games.cubed.rules import Phase
from visionset.messages import at_table
from visionset.pieces import SetDie
from visionset.referee.player_input import Answer, CallSet, Dispute, GameIsRight, Next, NoSet, TableIsRight, Undo
from visionset.referee.rulings import Option

NAMES = ("Ann", "Bo", "Cy")
A_SET = ("1-red-oval", "2-red-oval", "3-red-oval")
NO_SET = ("1-red-oval", "2-red-oval", "3-green-oval")


def logo(table: TableTop) -> tuple[tuple[int, int], ...]:
    return tuple(table.director.state.options.board.logo)


def begun_by_three() -> tuple[TableTop, Evening]:
    table = begun(names=NAMES)
    evening = Evening(table)
    table.settle()
    table.wait(1.0)
    return table, evening


def options(table: TableTop) -> tuple[Option, ...]:
    question = table.director.showing.question
    assert question is not None
    return question.options


def lay(evening: Evening, faces: tuple[str, ...]) -> None:
    for cell, face in zip(logo(evening.table), faces, strict=True):
        evening.lay(cell, SetDie.parse(face), None)
    evening.settle()
    evening.table.wait(1.0)


def take_away(evening: Evening, cells: Iterable[tuple[int, int]]) -> None:
    for cell in cells:
        evening.table.take(evening.tracks[cell])
    evening.table.hand()
    evening.table.settle()


@pytest.mark.parametrize("earlier_s", [-1.0, 0.3])
def test_who_says_set_first_opens(earlier_s: float) -> None:
    """Bo says it after Ann, or before her and is heard after her."""
    table, evening = begun_by_three()
    table.say(CallSet(0, said_s=table.now_s - 0.5))
    table.wait(1.0)
    table.say(CallSet(1, said_s=table.now_s - 1.5 - earlier_s))
    first = 0 if earlier_s < 0 else 1
    assert ("Ann said it first" in at_table(table.director.showing.notice)) is (first == 0)
    told = table.director.showing.told[0]
    assert (str(told.to), told.text) == (NAMES[first], "lay your SET on the logo")
    lay(evening, A_SET)
    assert table.director.state.scores == tuple(3 * (player == first) for player in range(3))


@pytest.mark.parametrize("lies", [False, True])
def test_who_has_said_set_first_opens_though_the_match_is_closed_meanwhile(lies: bool) -> None:
    """D5: the SET is laid after that, or while nobody looks."""
    table, evening = begun_by_three()
    table.say(CallSet(1))
    for cell, face in zip(logo(table), A_SET if lies else (), strict=False):
        evening.lay(cell, SetDie.parse(face), None)
    go_on_later(table)
    if not lies:
        told = table.director.showing.told[0]
        assert (str(told.to), told.text) == ("Bo", "lay your SET on the logo")
        table.say(CallSet(0))
        assert "Bo said it first" in at_table(table.director.showing.notice)
        lay(evening, A_SET)
    assert table.director.state.scores == (0, 3, 0)


def test_who_says_set_once_more_in_time_opens_after_a_resume_too() -> None:
    """D5: the first call had been in vain."""
    table, evening = begun_by_three()
    table.say(CallSet(1))
    table.wait(32.0)
    table.say(CallSet(1))
    go_on_later(table)
    told = table.director.showing.told[0]
    assert (str(told.to), told.text) == ("Bo", "lay your SET on the logo")
    table.say(CallSet(0))
    lay(evening, A_SET)
    assert table.director.state.scores == (0, 3, 0)


def test_who_has_said_set_in_vain_has_no_time_once_more_after_a_resume() -> None:
    """D5: another one opens at once; Undo gives the opening back to who lays the SET late all the same."""
    table, evening = begun_by_three()
    table.say(CallSet(0))
    table.wait(32.0)
    assert "Ann has laid no SET in time" in at_table(table.director.showing.notice)
    go_on_later(table)
    assert table.director.showing.told[0].text.startswith("draw five dice each")
    table.say(CallSet(1))
    assert str(table.director.showing.told[0].to) == "Bo"
    for _ in range(2):
        table.say(Undo())
    lay(evening, A_SET)
    assert table.director.state.scores == (3, 0, 0)


@pytest.mark.parametrize("is_read", [True, False])
def test_who_has_laid_three_dice_has_the_opening_while_they_are_put_right_or_asked_about(is_read: bool) -> None:
    """D5: one of them is no die of the SET, or hardly read, and counts only as people say that it is."""
    table, evening = begun_by_three()
    table.say(CallSet(0))
    for cell, face in zip(logo(table), NO_SET if is_read else A_SET, strict=True):
        evening.lay(cell, SetDie.parse(face), None)
    track = evening.tracks[logo(table)[2]]
    if not is_read:
        table.lying[track] = replace(table.lying[track], confidence=0.5)
    table.hand()
    table.settle()
    table.wait(40.0)
    assert table.director.state.scores == (0, 0, 0)
    table.say(CallSet(1))
    assert "Ann said it first" in at_table(table.director.showing.notice)
    if is_read:
        table.lying[track] = replace(table.lying[track], piece=SetDie.parse(A_SET[2]))
        table.settle()
    else:
        table.say(Answer(1))
    assert table.director.state.scores == (3, 0, 0)


def test_undo_gives_the_opening_back_to_whom_it_was_taken_from() -> None:
    table, _ = begun_by_three()
    table.say(CallSet(0, said_s=table.now_s - 0.2))
    table.say(CallSet(1, said_s=table.now_s - 0.6))
    opener = []
    for _ in range(3):
        told = table.director.showing.told[0]
        opener.append(str(told.to))
        table.say(Undo())
        if len(opener) == 1:
            assert at_table(table.director.showing.notice) == "taken back: Bo says SET first, and opens"
    assert opener == ["Bo", "Ann", "All"]


def test_who_has_laid_no_set_is_not_the_opener_any_more() -> None:
    table, evening = begun_by_three()
    table.say(CallSet(0))
    lay(evening, NO_SET)
    table.say(CallSet(2))
    assert "Ann said it first" in at_table(table.director.showing.notice)
    take_away(evening, logo(table))
    table.wait(30.0)
    lay(evening, A_SET)
    assert table.director.showing.told[0].text == "the first SET lies on the logo: who laid it says SET"
    table.say(CallSet(2))
    assert table.director.state.scores == (0, 0, 3)


def test_a_call_without_dice_is_over_in_the_end() -> None:
    table, evening = begun_by_three()
    table.say(CallSet(0))
    table.wait(32.0)
    assert "the first to say SET" in table.director.showing.told[0].text
    table.say(CallSet(1))
    lay(evening, A_SET)
    assert table.director.state.scores == (0, 3, 0)


def test_keys_that_were_pressed_by_mistake_are_taken_back_alone() -> None:
    table, evening = begun_by_three()
    table.say(CallSet(0))
    table.say(Undo())
    table.say(CallSet(1))
    lay(evening, A_SET)
    table.wait(60.0)
    assert table.director.state.phase is Phase.TURN
    table.say(NoSet(2))
    table.say(Undo())
    assert at_table(table.director.showing.notice) == "taken back: nobody has said to see no SET"
    assert table.director.state.scores == (0, 3, 0)


def go_on_later(table: TableTop) -> None:
    """The match is closed and taken up again."""
    table.resume()
    table.settle()
    table.wait(1.0)


def bo_has_laid_a_misread_die() -> tuple[TableTop, Evening]:
    """Bo's row is a SET by a green squiggle, which is a green oval."""
    table, evening = opened()
    row, col = logo(table)[0]
    evening.lay((row + 1, col), SetDie.parse("1-green-squiggle"), None)
    evening.lay((row + 2, col), SetDie.parse("1-purple-diamond"), None)
    evening.settle()
    table.wait(1.0)
    return table, evening


def test_nobody_is_to_play_before_somebody_has_said_set() -> None:
    """D5: all look at their own dice, and the first player was told to be the one."""
    table, _ = begun_by_three()
    told = [at_table(line) for line in table.director.showing.status]
    assert not any(line.startswith("to play") for line in told)
    table.say(CallSet(1))
    told = [at_table(line) for line in table.director.showing.status]
    assert f"to play\t{table.director.state.players[1]}" in told


def test_phones_have_a_button_for_what_may_be_said_now_alone() -> None:
    """D5, D11: else a large SET! lay over the button that ends a turn."""
    table, _ = begun_by_three()
    hears = table.director.referee.hears
    assert hears(table.director.state) == {"set"}
    table, _ = opened()
    assert hears(table.director.state) == {"no_set"}
    table, _ = bo_has_laid_a_misread_die()
    assert table.director.state.fresh
    assert hears(table.director.state) == set()


def test_points_by_a_die_that_was_misread_are_given_back() -> None:
    """D6, D7: a row that is none with the die as it is brings nothing."""
    table, _ = bo_has_laid_a_misread_die()
    assert table.director.state.scores == (3, 3)
    table.say(Dispute())
    question = table.director.showing.question
    assert question is not None
    assert question.text == "Bo lays dice: which was read wrongly?"
    table.say(Answer(1))
    question = table.director.showing.question
    assert question is not None
    number = 1 + [str(option.value) for option in question.options].index("1-green-oval")
    table.say(Answer(number))
    assert table.director.state.scores == (3, 0)
    assert "this is not allowed, and brings no points: Bo lays dice" in at_table(table.director.showing.notice)
    assert [at_table(mark.text) for mark in table.director.showing.marks if mark.text] == []


def test_two_who_say_next_after_one_turn_end_that_turn_alone() -> None:
    """D6: nobody's turn is skipped but by choice."""
    table, evening = begun_by_three()
    table.say(CallSet(0))
    lay(evening, A_SET)
    assert table.director.state.current == 1
    table.say(Next())
    assert table.director.state.current == 2
    table.say(Next())
    assert table.director.state.current == 2
    assert "turn now: say next once more" in at_table(table.director.showing.notice)
    table.wait(5)
    table.say(Next())
    assert table.director.state.phase is Phase.EXTRA


@pytest.mark.parametrize(("cell", "face"), [((7, 5), "3-red-oval"), ((7, 9), "1-red-oval")])
def test_a_dispute_is_about_the_die_that_was_laid_where_another_one_shows_the_same(cell: tuple[int, int], face: str) -> None:
    table, evening = opened()
    evening.lay(cell, SetDie.parse(face), None)
    evening.settle()
    table.say(Dispute())
    table.say(Answer(1))
    question = table.director.showing.question
    assert question is not None
    assert question.tracks == (evening.tracks[cell],)


@pytest.mark.parametrize("is_resumed", [False, True])
def test_dice_that_are_taken_back_after_a_dispute_in_the_turn_give_their_points_back(is_resumed: bool) -> None:
    """D6, D7: Ann lays two dice, Bo's earlier die is disputed, Ann takes hers back and lays them again: she scores once, and Bo nothing."""
    table, evening = bo_has_laid_a_misread_die()
    table.say(Next())
    table.wait(31.0)
    assert (table.director.state.scores, table.director.state.current) == ((3, 3), 0)
    row, col = logo(table)[2]
    mine = {(row + 1, col): SetDie.parse("2-green-squiggle"), (row + 2, col): SetDie.parse("1-purple-diamond")}

    def lay_mine() -> None:
        for cell, face in mine.items():
            evening.lay(cell, face, None)
        evening.settle()
        table.wait(1.0)

    lay_mine()
    assert table.director.state.scores == (6, 3)
    table.say(Dispute())
    while "one green squiggle" not in str([option.text for option in options(table)]):
        table.say(Answer(len(options(table))))
    table.say(Answer(1 + next(at for at, option in enumerate(options(table)) if "one green squiggle" in option.text)))
    table.say(Answer(1 + [str(option.value) for option in options(table)].index("1-green-oval")))
    assert table.director.state.scores == (6, 0)
    if is_resumed:
        go_on_later(table)
    take_away(evening, mine)
    table.wait(3.0)
    assert (table.director.state.scores, table.director.showing.differ) == ((3, 0), "")
    lay_mine()
    assert table.director.state.scores == (6, 0)
    assert [len(hand) for hand in table.director.state.hands] == [3, 5]


@pytest.mark.parametrize("is_resumed", [False, True])
def test_after_a_dispute_about_the_turn_that_runs_its_dice_are_taken_back_and_others_laid(is_resumed: bool) -> None:
    """D6, D7: what was said of a die that is taken back goes with it, and nothing has to be settled."""
    table, evening = bo_has_laid_a_misread_die()
    table.say(Dispute())
    table.say(Answer(1))
    table.say(Answer(1 + [str(option.value) for option in options(table)].index("1-green-oval")))
    assert table.director.state.scores == (3, 0)
    if is_resumed:
        go_on_later(table)
    row, col = logo(table)[0]
    take_away(evening, ((row + 1, col), (row + 2, col)))
    table.wait(3.0)
    assert (table.director.showing.differ, [len(hand) for hand in table.director.state.hands]) == ("", [2, 5])
    evening.lay((row + 1, col), SetDie.parse("2-green-squiggle"), None)
    evening.lay((row + 2, col), SetDie.parse("3-purple-diamond"), None)
    evening.settle()
    table.wait(1.0)
    assert (table.director.state.scores, table.director.showing.differ) == ((3, 3), "")


@pytest.mark.parametrize("is_by_key", [True, False])
def test_dice_that_are_laid_before_next_count_in_the_turn_of_who_laid_them(is_by_key: bool) -> None:
    """D6: four dice are too many for one turn, but two of them are those of who is next."""
    table, evening = begun_by_three()
    table.say(CallSet(0))
    lay(evening, A_SET)
    for (row, col), number in zip(logo(table)[:2], (1, 2), strict=True):
        for below, color in ((1, "green"), (2, "purple")):
            evening.lay((row + below, col), SetDie.parse(f"{number}-{color}-oval"), None)
        evening.settle()
        table.wait(1.0)
    assert "4 lie there" in table.director.showing.told[0].text
    if is_by_key:
        table.next()
        table.say(GameIsRight())
    else:
        table.wait(200.0)
    points = table.director.state.scores
    table.next()
    assert table.director.state.current == 2
    table.wait(3.0)
    assert "if it was laid, say that the table is right" in at_table(table.director.showing.differ)
    table.say(TableIsRight())
    assert table.director.state.scores == (*points[:2], points[2] + 3)
    table.wait(5.0)
    table.next()
    assert (table.director.state.phase, table.director.showing.differ) == (Phase.EXTRA, "")
