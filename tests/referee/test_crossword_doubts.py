"""Crossword SET seen badly: dice that are misread, overlooked, held in a hand or seen twice are no draws, and change no face."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.referee.tabletop import TableTop, bare, outline, seeds
from tests.referee.test_crossword import APART_PX, NAMES, OPTIONS, PITCH_PX, TEN, Evening, begun, rolled, shape
from visionset.games.base import Amend
from visionset.games.crossword import rules as crossword
from visionset.games.crossword.rules import Draw, Lay, Rolled
from visionset.games.virtual.runner import play_out
from visionset.messages import at_table
from visionset.pieces import SET_DIE_FACES, Kind, SetDie
from visionset.referee.player_input import Answer, Dispute, GameIsRight, TableIsRight
from visionset.table import Guess, Sighting

ASIDE = (300.0, APART_PX + 110)
"""Where no die lies, in the first player's part."""


def read_as(table: TableTop, track: int, name: str, confidence: float, other: bool = True) -> SetDie:
    """Let the camera take a die for another one, `other`: and think of the right one next; gives what it is."""
    one = table.lying[track]
    assert isinstance(one.piece, SetDie)
    wrong = SetDie.parse(name)
    guess = Guess(wrong, confidence, one.piece, (1 - confidence) / 2) if other else Guess(wrong, confidence)
    table.lying[track] = replace(one, piece=wrong, confidence=confidence, guess=guess)
    return one.piece


def look(table: TableTop, seconds: float = 0.25) -> None:
    """The camera reads again; nobody was there."""
    table._shown = dict(table.lying)
    table.wait(seconds)


def false_die(table: TableTop, name: str = "2-purple-squiggle", at: tuple[float, float] = ASIDE) -> int:
    return table.lay(SetDie.parse(name), at, sure=True)


def test_a_die_counts_as_drawn_when_the_hand_has_gone() -> None:
    table, evening = rolled(TEN)
    evening.tracks[0].append(false_die(table))
    table.hand()
    table.settle()
    assert "hands off" in table.director.showing.told[0].text
    assert len(table.events) == 1
    table.wait(1.0)
    assert bare(table.events[1:]) == bare([Draw(0, SetDie.parse("2-purple-squiggle"))])


def test_a_die_in_a_hand_is_no_draw_however_long_the_hand_stays() -> None:
    table, _ = rolled(TEN)
    track = false_die(table)
    table.settle()
    table.hand(20)
    table.take(track)
    table.settle()
    table.wait(3)
    assert len(table.events) == 1
    assert table.director.showing.differ == ""


def test_a_die_that_comes_without_a_hand_is_no_draw_before_somebody_says_so() -> None:
    for said in (TableIsRight(), GameIsRight(), None):
        table, _ = rolled(TEN)
        track = false_die(table)
        table.settle()
        table.wait(3)
        assert "no hand was there" in at_table(table.director.showing.differ)
        assert len(table.events) == 1
        if said is None:
            table.take(track)
            table.settle()
        else:
            table.say(said)
        assert table.director.showing.differ == ""
        assert [type(event) for event in table.events[1:]] == [Draw] * isinstance(said, TableIsRight)


def test_a_die_that_is_seen_twice_while_it_is_moved_is_no_draw() -> None:
    table, evening = rolled(TEN)
    old = evening.tracks[0][0]
    table.hand()
    table.lay(SetDie.parse("1-red-oval"), (60.0, 60.0), sure=True)
    table.settle()
    table.hand(3)
    table.take(old)
    table.settle()
    table.wait(3)
    assert [type(event) for event in table.events] == [Rolled]


def test_a_die_that_is_overlooked_for_a_while_changes_nothing() -> None:
    table, evening = rolled(TEN)
    for die, col in ((0, 0), (1, 1), (2, 2)):
        table.move(evening.tracks[0][die], (40 + 34.0 * col, 60.0))
    table.hand()
    table.settle()
    done, gone = len(table.events), [table.lying.pop(evening.tracks[0][die]) for die in (1, 5)]
    look(table, 10)
    assert len(table.events) == done
    assert table.director.showing.differ == ""
    assert not any("lay" in told.text and "camera" in told.text for told in table.director.showing.told)
    for one in gone:
        assert one.track is not None
        table.lying[one.track] = one
    look(table, 3)
    assert len(table.events) == done


def test_a_die_that_a_hand_may_have_taken_is_asked_back_and_the_game_goes_on_without_an_answer() -> None:
    table, evening = rolled(TEN)
    table.hand()
    table.take(evening.tracks[0][0])
    table.settle()
    table.wait(2)
    assert table.director.showing.told[0].text.startswith("lay one red oval where the camera sees it")
    table.wait(121)
    assert "camera sees it" not in table.director.showing.told[0].text
    assert len(table.events) == 1


def test_a_die_that_was_believed_to_be_there_and_is_seen_elsewhere_is_no_draw() -> None:
    table, evening = rolled(TEN)
    table.hand()
    table.take(evening.tracks[0][0])
    table.settle()
    table.next()
    assert at_table(table.director.showing.differ) == "Ann's one red oval is gone"
    table.say(GameIsRight())
    assert table.director.showing.differ == ""
    table.lay(SetDie.parse("1-red-oval"), ASIDE, sure=True)
    table.hand()
    table.settle()
    table.wait(3)
    assert [type(event) for event in table.events] == [Rolled]
    assert table.director.showing.differ == ""


@pytest.mark.parametrize("confidence", [0.7, 0.97])
def test_a_misread_die_that_is_read_right_again_leaves_nothing_behind(confidence: float) -> None:
    table, evening = rolled(TEN)
    track = evening.tracks[0][0]
    right = read_as(table, track, "1-red-squiggle", confidence)
    look(table, 5)
    assert (table.director.showing.question is None) == (confidence < table.director.options.sure)
    read_as(table, track, str(right), 0.97)
    look(table)
    assert table.director.showing.question is None
    assert table.director.showing.differ == ""
    assert len(table.events) == 1


def test_a_die_that_was_misread_in_the_roll_is_put_right_by_one_key() -> None:
    for number, face in ((1, "1-red-oval"), (2, "1-red-squiggle")):
        table, evening = rolled(TEN)
        for die, col in ((0, 0), (1, 1), (2, 2)):
            table.move(evening.tracks[0][die], (40 + 34.0 * col, 60.0))
        table.hand()
        table.settle()
        before = len(table.events)
        read_as(table, evening.tracks[0][0], "1-red-squiggle", 0.97)
        look(table)
        question = table.director.showing.question
        assert question is not None
        assert [option.text for option in question.options] == ["one red oval", "one red squiggle"]
        assert question.text == "What is the die at top left?"
        table.say(Answer(number))
        look(table, 2)
        assert table.director.showing.question is None
        assert str(table.director.state.hands[0][0]) == face
        assert [type(event) for event in table.events[before:]] == [Rolled, Lay] * (number == 2)
        assert [type(event) for event in table.director.history.events] == [Rolled, Lay]
        assert {str(die.face) for die in table.director.state.laid(0)} == {face, "2-red-oval", "3-red-oval"}


def test_a_misread_draw_that_makes_no_set_is_asked_about_and_was_drawn_as_people_say() -> None:
    for number, face in ((1, "3-red-squiggle"), (2, "3-red-oval")):
        table, evening = rolled(TEN.replace("3-red-oval", "3-red-diamond"))
        evening.tracks[0].append(table.lay(SetDie.parse("3-red-oval"), ASIDE))
        read_as(table, evening.tracks[0][10], "3-red-squiggle", 0.97)
        table.hand()
        table.settle()
        table.wait(1)
        assert table.director.showing.question is None
        for die, col in ((0, 0), (1, 1), (10, 2)):
            table.move(evening.tracks[0][die], (40 + 34.0 * col, 60.0))
        table.hand()
        table.settle()
        question = table.director.showing.question
        assert question is not None
        assert [option.text for option in question.options] == ["three red squiggles", "three red ovals"]
        table.say(Answer(number))
        look(table, 2)
        assert table.director.showing.question is None
        drawn = Draw(0, SetDie.parse(face))
        assert bare(table.director.history.events[1:2]) == bare([drawn])
        assert [type(event) for event in table.director.history.events] == [Rolled, Draw, Lay]
        assert (table.director.state.faults(0) == ()) == (number == 2)


def test_of_two_dice_with_one_face_the_misread_one_is_put_right() -> None:
    """The drawn die was read as a face that another die really shows."""
    table, evening = rolled(TEN.replace("3-red-oval", "3-red-squiggle"))
    evening.tracks[0].append(table.lay(SetDie.parse("3-red-oval"), ASIDE))
    read_as(table, evening.tracks[0][10], "3-red-squiggle", 0.97)
    table.hand()
    table.settle()
    table.wait(1)
    for die, col in ((0, 0), (1, 1), (10, 2)):
        table.move(evening.tracks[0][die], (40 + 34.0 * col, 60.0))
    table.hand()
    table.settle()
    table.say(Answer(2))
    look(table, 2)
    assert [type(event) for event in table.director.history.events] == [Rolled, Draw, Lay]
    assert [str(face) for face in table.director.state.hands[0][2::8]] == ["3-red-squiggle", "3-red-oval"]
    assert table.director.state.faults(0) == ()


@pytest.mark.parametrize("laid", [(0, 3, 4), (1, 3, 4), (0, 1, 2), (2, 0, 1)])
def test_a_dispute_is_about_the_die_of_the_grid_where_others_show_the_same(laid: tuple[int, ...]) -> None:
    """D14: one that lies beside the grid, or in it, too, is left what it is."""
    table, evening = rolled(
        "1-red-oval 1-red-oval 1-red-oval 2-red-oval 3-red-oval 2-purple-oval 2-green-oval 1-red-diamond wild 3-green-oval"
    )
    mine = evening.tracks[0]
    for col, die in enumerate(laid):
        table.move(mine[die], (40 + PITCH_PX * col, 60.0))
    table.hand()
    table.settle()
    for place, die in enumerate(laid):
        table.say(Dispute())
        table.say(Answer(1 + place))
        question = table.director.showing.question
        assert question is not None
        assert question.tracks == (mine[die],)
        table.say(Answer(0))


@pytest.mark.parametrize("misread", [0, 1, 2])
def test_which_of_equal_dice_was_disputed_is_asked_after_a_resume(misread: int) -> None:
    """D14: all of them are surely read alike, and nothing but people knows which of them is another one."""
    table, evening = rolled(
        "2-red-oval 2-red-oval 2-red-oval 1-green-oval 3-red-oval 2-purple-oval 2-green-oval 1-red-diamond wild 3-green-oval"
    )
    mine = evening.tracks[0][:3]
    for col, track in enumerate(mine):
        table.move(track, (40 + PITCH_PX * col, 60.0))
    table.hand()
    table.settle()
    read = {track: table.lying[track] for track in mine}
    table.say(Dispute())
    table.say(Answer(1 + misread))
    question = table.director.showing.question
    assert question is not None
    truth = SetDie.parse("2-red-squiggle")
    table.say(Answer([option.value for option in question.options].index(truth) + 1))
    grid = table.director.state.laid(0)
    for _ in range(2):  # and once more, as what people answered was seen by no camera
        table.resume()
        table.lying |= read
        table.settle()
        table.wait(2.0)
        asked = 0
        while (question := table.director.showing.question) is not None and asked < 3:
            asked += 1
            table.say(Answer(2 if table.own(question.tracks[0]) == mine[misread] else 1))
            table.wait(2.0)
        assert asked == min(misread, 1) + 1
        assert table.director.showing.differ == ""
        assert table.director.state.laid(0) == grid
        assert [table.lying[track].piece == truth for track in mine] == [die == misread for die in range(3)]


def test_a_match_that_was_resumed_is_put_right_as_well() -> None:
    table, evening = rolled(TEN)
    table.director.referee.forget()
    read_as(table, evening.tracks[0][0], "1-red-squiggle", 0.97)
    look(table)
    table.say(Answer(2))
    assert isinstance(table.events[-1], Amend)
    assert str(table.director.state.hands[0][0]) == "1-red-squiggle"


def test_a_roll_with_a_die_that_is_hardly_read_is_asked_about_before_it_counts() -> None:
    table = begun()
    evening = Evening(table)
    faces = tuple(SetDie.parse(name) for name in TEN.split())
    evening.tracks = [[table.lay(face, evening.aside(player, die)) for die, face in enumerate(faces)] for player in (0, 1)]
    for die in (3, 4):
        read_as(table, evening.tracks[0][die], "3-purple-diamond", 0.8)
    table.hand()
    table.settle()
    assert table.events == []
    table.wait(1.25)
    for _ in range(2):
        question = table.director.showing.question
        assert question is not None
        truth = faces[evening.tracks[0].index(question.tracks[0])]
        table.say(Answer(next(number for number, option in enumerate(question.options, 1) if option.value == truth)))
    assert bare(table.events) == bare([Rolled((faces, faces))])


def test_a_roll_with_a_die_too_many_or_too_few_says_what_to_do() -> None:
    table = begun()
    evening = Evening(table)
    faces = tuple(SetDie.parse(name) for name in TEN.split())
    evening.tracks = [[table.lay(face, evening.aside(player, die)) for die, face in enumerate(faces)] for player in (0, 1)]
    gone = table.lying.pop(evening.tracks[1][9])
    table.hand()
    table.settle()
    assert "(Bo 9 of 10 are seen)" in table.director.showing.told[0].text
    table.next()
    assert table.events == []
    table.lying[evening.tracks[1][9]] = gone
    extra = false_die(table)
    table.lying[extra] = replace(table.lying[extra], confidence=0.92)
    table.settle()
    assert "too many dice (Ann 11 of 10 are seen): take some away" in table.director.showing.told[0].text
    table.next()
    assert bare(table.events) == bare([Rolled((faces, faces))])


def test_a_drawn_die_beside_a_misread_one_is_told_from_it() -> None:
    table, evening = rolled(TEN)
    false_die(table, "3-purple-squiggle")
    table.take(evening.tracks[0][3])
    moved = false_die(table, "1-green-oval", (200.0, APART_PX + 70))
    read_as(table, moved, "1-green-squiggle", 0.7)
    table.hand()
    table.settle()
    table.wait(2)
    assert bare(table.events[1:]) == bare([Draw(0, SetDie.parse("3-purple-squiggle"))])


class Glimpses:
    """Between the things that happen, the camera sees dice that are not there, overlooks some and misreads others."""

    def __init__(self, table: TableTop, rng: random.Random) -> None:
        self.table, self.rng = table, rng

    def glimpse(self) -> None:
        table, rng = self.table, self.rng
        before = dict(table.lying)
        dice = list(before)
        if not dice:
            return
        match rng.randrange(4):
            case 0:
                at = (rng.uniform(20, 1260), rng.uniform(20, 700))
                face = rng.choice(SET_DIE_FACES)
                table.lying[9999] = Sighting(Kind.SET_DIE, outline(Kind.SET_DIE, at), face, 0.95, Guess(face, 0.95), 9999)
            case 1:
                for track in rng.sample(dice, min(2, len(dice))):
                    del table.lying[track]
            case 2:
                for track in rng.sample(dice, min(3, len(dice))):
                    read_as(table, track, str(rng.choice(SET_DIE_FACES)), 0.75, rng.random() < 0.5)
            case 3:
                read_as(table, rng.choice(dice), str(rng.choice(SET_DIE_FACES)), 0.97, rng.random() < 0.5)
        held = rng.random() < 0.5
        table.wait(0.25)
        if held:
            table.hand(rng.choice([0.5, 3.0]))
        table.lying = before
        table.wait(0.5)


@pytest.mark.parametrize("seed", seeds(2))
def test_rounds_are_followed_to_the_point_through_false_glimpses(seed: int) -> None:
    table, rng = begun(seed), random.Random(seed + 100)
    evening, glimpses, truth = Evening(table), Glimpses(table, rng), []
    state: Any = None
    for event, state in play_out(crossword.GAME, random.Random(seed), OPTIONS, NAMES):
        evening.do(event, state)
        if not isinstance(event, Lay):
            truth.append(event)
        if any(state.hands):
            glimpses.glimpse()
        mine = table.director.state
        assert [sorted(map(str, hand)) for hand in mine.hands] == [sorted(map(str, hand)) for hand in state.hands]
        assert [shape(mine, player) for player in (0, 1)] == [shape(state, player) for player in (0, 1)]
        assert mine.scores == state.scores
    assert bare([event for event in table.events if not isinstance(event, Lay)]) == bare(truth)
