"""What wronged people in Scramble before the camera: dice of somebody who forgot the key, a key pressed by mistake, an elbow (rule D13)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations

import pytest

from tests.referee.tabletop import TableTop, top
from tests.referee.test_scramble import NAMES, Evening, begun, spot
from visionset.errors import OutputError
from visionset.games.base import Amend, Event
from visionset.games.correction import Correct
from visionset.games.game import History
from visionset.games.scramble import rules as scramble
from visionset.games.scramble.referee import ScrambleReferee
from visionset.games.scramble.rules import Phase, ScrambleOptions
from visionset.games.sets import find_sets, has_set, is_set
from visionset.games.virtual.chance import roll_faces
from visionset.messages import Message, at_table
from visionset.pieces import SET_DIE_FACES, Piece, SetDie
from visionset.referee.director import Director
from visionset.referee.game_tracker import Log
from visionset.referee.player_input import Answer, CallSet, Dispute, GameIsRight, TableIsRight, Undo

FACES = roll_faces(42, random.Random(7))
SETS = find_sets(FACES)
APART = next(trio for trio in SETS if not set(trio) & set(SETS[0]))
NO_SET = next((0, 1, third) for third in range(2, 42) if (0, 1, third) not in SETS)


class Round(Evening):
    """A round in which 42 dice lie, some of them taken and put back."""

    def __init__(self, options: ScrambleOptions | None = None) -> None:
        super().__init__(begun(options), 7, noise=False)
        self.roll(FACES)

    def lift(self, places: tuple[int, ...]) -> None:
        for place in places:
            self.table.take(self.order[place])
        self.table.hand()
        self.table.settle()

    def put_back(self, places: tuple[int, ...]) -> None:
        for number, place in enumerate(places):
            self.order[place] = self.table.lay(FACES[place], (100.0 + 60 * number, 650.0), sure=True)
        self.table.hand()
        self.table.settle()


def misread_as_another(trio: tuple[int, ...]) -> tuple[int, SetDie]:
    """The place of a die of a SET, and what it is read as: a face that another die shows, too, with which the three are no SET."""
    place, *others = trio
    mine = [FACES[at] for at in trio]
    return place, next(face for face in FACES if face not in mine and not face.is_wild and not is_set(face, *(FACES[at] for at in others)))


def asked(table: TableTop) -> str:
    question = table.director.showing.question
    return "" if question is None else question.text


def test_a_call_for_another_set_does_not_get_the_dice_of_somebody_who_forgot_the_key() -> None:
    played = Round()
    table = played.table
    played.lift(SETS[0])
    table.wait(2.0)
    assert "who took" in asked(table)
    table.say(CallSet(1))
    assert "say first who took" in at_table(table.director.showing.notice)
    table.wait(300.0)  # nobody loses a point by not answering
    assert table.director.state.scores == (0, 0, 0)
    table.say(Answer(1))
    assert table.director.state.scores == (1, 0, 0)
    table.say(CallSet(1))
    assert len(table.lying) == len(table.director.state.table) == 39


def test_dice_that_nobody_took_go_back_and_the_answer_can_be_taken_back() -> None:
    played = Round()
    table = played.table
    played.lift(SETS[0])
    table.say(Answer(0))
    assert "put back" in table.director.showing.told[0].text
    table.say(Undo())
    assert "who took" in asked(table)
    table.say(Answer(3))
    assert table.director.state.scores == (0, 0, 1)


def test_a_key_that_was_pressed_by_mistake_is_taken_back_alone() -> None:
    played = Round()
    table = played.table
    table.say(CallSet(0))
    played.lift(SETS[0])
    table.say(CallSet(1))
    table.say(Undo())
    assert (table.director.state.scores, at_table(table.director.showing.notice)) == ((1, 0, 0), "the call is taken back")
    table.say(Undo())
    assert table.director.state.scores == (0, 0, 0)


def test_a_call_is_over_after_its_time_and_says_so() -> None:
    played = Round()
    table = played.table
    table.say(CallSet(0))
    assert table.director.showing.told[0].text == "take your three dice out of the picture"
    table.wait(30.0)
    assert table.director.showing.told[0].text == "say SET and take three dice"


@pytest.mark.parametrize(("earlier_s", "taker"), [(0.3, 1), (-0.3, 0)])
def test_who_said_it_first_takes_first_whoever_is_heard_first(earlier_s: float, taker: int) -> None:
    played = Round()
    table = played.table
    table.wait(1.0)
    table.say(CallSet(0, said_s=table.now_s - 0.4))
    table.say(CallSet(1, said_s=table.now_s - 0.4 - earlier_s))
    played.lift(SETS[0])
    assert table.director.state.scores[taker] == 1


@pytest.mark.parametrize("is_table_right", [True, False])
def test_an_elbow_that_turns_a_die_takes_nobodys_set(is_table_right: bool) -> None:
    played = Round()
    table = played.table
    other = next(place for place in range(42) if place not in SETS[0])
    face = next(face for face in SET_DIE_FACES if isinstance(face, SetDie) and face not in FACES)
    table.say(CallSet(0))
    table.roll(played.order[other], face, tuple(map(float, table.lying[played.order[other]].center_px)))  # type: ignore[arg-type]
    played.lift(SETS[0])
    table.wait(1.5)
    assert table.director.showing.differ == Message("scramble.differ.other_dice", shown=(face,), known=(FACES[other],))
    table.say(TableIsRight() if is_table_right else GameIsRight())
    assert table.director.state.scores == (1, 0, 0)
    assert (face in table.director.state.table) is is_table_right
    assert len(table.director.state.table) == 39


@pytest.mark.parametrize("is_turned", [True, False])
@pytest.mark.parametrize("is_answered", [True, False])
def test_a_die_that_is_read_as_others_that_lie_there_changes_nothing_for_those(is_turned: bool, is_answered: bool) -> None:
    """It was turned by an elbow, or laid back; "the game is right" is about it alone, whoever says it."""
    played = Round()
    table, place = played.table, 3
    other = next(face for at, face in enumerate(FACES) if at > place and face != FACES[place] and FACES.count(face) > 1)
    x, y = map(float, table.lying[played.order[place]].center_px)
    if is_turned:
        table.roll(played.order[place], other, (x, y))
    else:
        table.take(played.order[place])
        table.settle()
        played.order[place] = table.lay(other, (x, y), sure=True)
    table.settle()
    table.wait(1.5)
    assert "shows" in at_table(table.director.showing.differ)
    if is_answered:
        table.say(GameIsRight())
    else:
        table.wait(130.0)
    assert "take" not in str(table.director.showing.told[0].text).replace("take three", "")
    table.say(CallSet(1))
    played.lift(next(trio for trio in SETS if place not in trio))
    assert table.director.state.scores == (0, 1, 0)


def test_dice_of_a_take_that_was_taken_back_after_a_dispute_are_asked_about_where_the_match_goes_on() -> None:
    """D13: Ann's three were misread; Cy's take is taken back before the laptop is closed, and nobody puts those dice back."""
    place, wrong = misread_as_another(SETS[0])
    evening = Evening(begun(), 7, noise=False)
    evening.roll(tuple(wrong if at == place else face for at, face in enumerate(FACES)))
    table = evening.table
    for player, trio in ((0, SETS[0]), (2, APART)):
        table.say(CallSet(player))
        for at in trio:
            table.take(evening.order[at])
        table.hand()
        table.settle()
        if player == 0:
            table.say(Dispute())
            choose(table, at_table(wrong))
            choose(table, at_table(FACES[place]))
    assert table.director.state.scores == (1, 0, 1)
    table.say(Undo())
    table.resume()
    table.leave()
    table.wait(1.0)
    table.next()
    choose(table, NAMES[2])
    assert table.director.state.scores == (1, 0, 1)


def test_a_dispute_about_a_die_that_left_before_the_match_went_on_renames_no_equal_one_that_lies_there() -> None:
    """D13: nobody has pressed a key, and the laptop is closed before people say who took the dice."""
    place, wrong = misread_as_another(SETS[0])
    evening = Evening(begun(), 7, noise=False)
    evening.roll(tuple(wrong if at == place else face for at, face in enumerate(FACES)))
    table = evening.table
    for at in SETS[0]:
        table.take(evening.order[at])
    table.hand()
    table.settle()
    table.resume()
    table.leave()
    table.wait(1.0)
    choose(table, NAMES[0])
    assert "put back" in table.director.showing.told[0].text
    table.say(Dispute())
    choose(table, at_table(wrong))
    choose(table, at_table(FACES[place]))
    table.wait(3.0)
    assert (table.director.state.scores, asked(table), table.director.showing.differ) == ((1, 0, 0), "", "")
    assert table.director.showing.told[0].text == "say SET and take three dice"


def test_dice_that_a_dispute_won_while_they_lie_there_are_asked_to_be_taken_away() -> None:
    trio = SETS[0]
    place, wrong = misread_as_another(trio)
    read = tuple(wrong if at == place else face for at, face in enumerate(FACES))
    evening = Evening(begun(), 7, noise=False)
    evening.roll(read)
    table = evening.table

    def lift(places: tuple[int, ...]) -> None:
        for at in places:
            table.take(evening.order[at])
        table.hand()
        table.settle()

    where = [tuple(map(float, table.lying[evening.order[at]].center_px)) for at in trio]
    table.say(CallSet(0))
    lift(trio)
    for at, (x, y) in zip(trio, where, strict=True):
        evening.order[at] = table.lay(read[at], (x, y), sure=True)
    table.hand()
    table.settle()
    table.say(Dispute())
    choose(table, at_table(wrong))
    choose(table, at_table(FACES[place]))
    assert table.director.state.scores == (1, 0, 0)
    table.wait(3.0)
    assert not table.director.showing.differ
    assert [(one.to, "which were won" in one.text) for one in table.director.showing.told] == [(NAMES[0], True)]
    table.say(CallSet(2))
    table.wait(12.0)
    table.say(Dispute())
    assert "read wrongly" in asked(table), "a call without dice is over here too"
    table.say(Answer(0))
    lift(trio)
    table.say(CallSet(1))
    lift(APART)
    assert table.director.state.scores == (1, 1, 0)


def choose(table: TableTop, text: str) -> None:
    """Answer a question with an option, on whichever of its pages that is."""
    for _ in range(20):
        question = table.director.showing.question
        assert question is not None
        found = next((number for number, one in enumerate(question.options, 1) if one.text.startswith(text)), 0)
        if found:
            table.say(Answer(found))
            return
        table.say(Answer(next(number for number, one in enumerate(question.options, 1) if one.text == "something else")))
    raise AssertionError(text)


def test_dice_of_a_wrong_take_that_lie_again_bar_nobodys_call() -> None:
    """Bo takes a SET before Ann has put hers back: once hers lie, it is asked who took the others."""
    played = Round()
    table = played.table
    away = next(trio for trio in SETS if not set(trio) & set(NO_SET))
    table.say(CallSet(0))
    played.lift(NO_SET)
    played.lift(away)
    played.put_back(NO_SET)
    table.wait(1.5)
    table.say(Answer(2))
    assert table.director.state.scores == (0, 1, 0)


def test_nobody_calls_before_the_dice_of_a_wrong_take_lie_again() -> None:
    """D13: they may be those that the next caller wants."""
    played = Round()
    table = played.table
    table.say(CallSet(0))
    played.lift(NO_SET)
    table.say(CallSet(1))
    assert "lie" in at_table(table.director.showing.notice)
    assert "put back" in table.director.showing.told[0].text
    played.put_back(NO_SET)
    table.say(CallSet(2))
    played.lift(next(trio for trio in SETS if not set(trio) & set(NO_SET)))
    assert table.director.state.scores[2] == 1


@pytest.mark.parametrize("is_called", [False, True])
def test_more_than_three_dice_are_nobodys_until_the_others_lie_again(is_called: bool) -> None:
    """D13: nobody can tell which of them were taken."""
    played = Round()
    table = played.table
    more = next(place for place in range(42) if place not in SETS[0])
    if is_called:
        table.say(CallSet(0))
    played.lift((*SETS[0], more))
    table.wait(2.0)
    assert asked(table) == ""
    assert "put back all but one SET" in at_table(table.director.showing.differ)
    assert table.director.state.scores == (0, 0, 0)


def to_the_roll_off() -> tuple[Round, list[SetDie]]:
    """Ann and Bo are level after their only round; and the dice of its last SET."""
    played = Round(ScrambleOptions(rounds=1))
    table = played.table
    last, turn = list[SetDie](), 0
    while table.director.state.phase is Phase.OPEN:
        trio = find_sets(table.director.state.table)[0]
        last = [table.director.state.table[place] for place in trio]
        table.say(CallSet(turn % 2))
        turn += 1
        played.lift(trio)
        played.order = [track for place, track in enumerate(played.order) if place not in trio]
    assert (table.director.state.phase, table.director.state.tied) == (Phase.TIE_ROLL, (0, 1)), NAMES
    return played, last


def test_who_is_not_level_has_no_call_in_the_roll_off() -> None:
    played, _ = to_the_roll_off()
    table, rng = played.table, random.Random(0)
    while table.director.state.phase is Phase.TIE_ROLL:
        played.roll(roll_faces(table.director.state.roll_off_dice, rng))
    table.say(CallSet(2))
    assert "who is not in the roll-off" in at_table(table.director.showing.notice)
    table.say(CallSet(1))
    played.lift(find_sets(table.director.state.table)[0])
    assert table.director.state.winners == (1,)


@pytest.mark.parametrize("sure", [True, False])
def test_the_dice_of_the_last_set_across_the_edge_of_the_picture_are_none_of_the_roll_off(sure: bool) -> None:
    """D13: its winner lays them there once the leftover dice are to be thrown, and is asked about none of them."""
    played, last = to_the_roll_off()
    table, rng = played.table, random.Random(0)
    lay_across_the_edge(table, last, sure)
    for _ in range(20):
        for place, (track, face) in enumerate(zip(played.order, roll_faces(table.director.state.roll_off_dice, rng), strict=True)):
            table.roll(track, face, spot(place, rng))
        table.hand()
        table.settle()
        if table.director.state.phase is Phase.TIE:
            break
    table.wait(3.0)
    assert (asked(table), table.director.showing.differ) == ("", "")
    table.say(CallSet(1))
    played.lift(find_sets(table.director.state.table)[0])
    assert table.director.state.winners == (1,)


def test_undo_takes_back_a_call_long_after_nobody_took_the_dice() -> None:
    played = Round()
    table = played.table
    played.lift(SETS[0])
    table.say(Answer(0))
    played.put_back(SETS[0])
    table.say(CallSet(1))
    table.say(Undo())
    assert at_table(table.director.showing.notice) == "the call is taken back"
    table.wait(1.0)
    table.say(CallSet(0))
    played.lift(SETS[0])
    assert table.director.state.scores == (1, 0, 0)


def test_a_call_that_was_said_before_the_dice_left_takes_them() -> None:
    """The phone's message comes late: the camera has seen the dice go already."""
    played = Round()
    table = played.table
    table.wait(1.0)
    said_s = table.now_s
    table.wait(0.5)
    played.lift(SETS[0])
    table.say(CallSet(2, said_s=said_s))
    assert table.director.state.scores == (0, 0, 1)


def test_who_says_set_again_and_again_keeps_nobody_from_the_dice() -> None:
    """D13: whoever sees one takes it. The time of a call is no longer for a second key, and a second call holds others up for less long."""
    played = Round()
    table = played.table
    for _ in range(3):
        table.say(CallSet(0))
        table.wait(3.0)
    table.say(CallSet(1))
    assert "Ann said it first" not in at_table(table.director.showing.notice)
    table.wait(12.0)
    table.say(CallSet(0))
    table.wait(4.5)
    assert table.director.showing.told[0].text == "say SET and take three dice"
    table.say(CallSet(0))
    table.wait(1.0)
    table.say(CallSet(1))  # Ann's third holds nobody up
    assert table.director.showing.told[0].text == "take your three dice out of the picture"
    table.wait(2.5)
    played.lift(SETS[0])
    assert table.director.state.scores == (0, 1, 0)
    table.say(CallSet(0))  # and after that Ann's word is as good as any
    table.wait(1.0)
    table.say(CallSet(1))
    assert "Ann said it first" in at_table(table.director.showing.notice)


@pytest.mark.parametrize("waited_s", [0.25, 6.0])
def test_who_calls_once_more_and_takes_dice_gets_them(waited_s: float) -> None:
    """D13: Ann has looked in vain before; her next SET is hers, though Bo presses as her hand goes, or while she holds the dice."""
    played = Round()
    table = played.table
    table.say(CallSet(0))
    table.wait(12.0)
    table.say(CallSet(0))
    if waited_s > 1:
        for place in SETS[0][:2]:
            table.take(played.order[place])
        table.hand()
        table.settle()
    table.wait(waited_s)
    table.say(CallSet(1))
    assert "Ann said it first" in at_table(table.director.showing.notice)
    played.lift(SETS[0][2:] if waited_s > 1 else SETS[0])
    assert table.director.state.scores == (1, 0, 0)


@pytest.mark.parametrize("is_seen", [True, False])
@pytest.mark.parametrize("passes", [2, 3])
def test_dice_that_leave_as_another_calls_are_asked_about(passes: int, is_seen: bool) -> None:
    """D13: Ann's third call holds nobody up, but Bo's key as her hand goes, seen or not, does not make her dice his."""
    played = Round()
    table = played.table
    for _ in range(passes):
        table.say(CallSet(0))
        table.wait(10.0)
    table.say(CallSet(0))
    table.wait(0.3)
    for place in SETS[0]:
        table.take(played.order[place])
    if is_seen:
        table.hand(0.3)
    table.say(CallSet(1))
    if is_seen:
        table.hand()
    table.settle()
    table.wait(1.0)
    assert table.director.state.scores == (0, 0, 0)
    table.say(Answer(1))
    assert table.director.state.scores == (1, 0, 0)


@pytest.mark.parametrize(("hand_s", "gone_s", "scores"), [(7.0, 10.5, (0, 0, 0)), (3.0, 12.0, (0, 0, 0)), (9.0, 12.0, (0, 0, 1))])
def test_dice_in_a_hand_that_was_there_before_another_called_are_asked_about(hand_s: float, gone_s: float, scores: tuple[int, ...]) -> None:
    """Bo's call is over after eight seconds, and Cy calls: a hand that came before that may be Bo's, one that came later is Cy's."""
    played = Round()
    table = played.table
    table.say(CallSet(1))
    begun_s, said = table.now_s, False
    while (now_s := table.now_s - begun_s) < gone_s:
        if now_s >= 8.25 and not said:
            table.say(CallSet(2))
            said = True
        if now_s >= hand_s:
            table.hand(0.25)
        else:
            table.wait(0.25)
    for place in SETS[0]:
        table.take(played.order[place])
    table.settle()
    table.wait(2.0)
    assert table.director.state.scores == scores
    assert ("who took" in asked(table)) is (scores == (0, 0, 0))


def resumed(history: History, correct: Callable[[int, Piece | None], None]) -> Director:
    return Director(history, ScrambleReferee(), correct=correct)


@pytest.mark.parametrize(("ends", "wrong"), [(True, 0), (False, 0), (False, 2)])
def test_a_die_that_lies_there_is_said_to_be_another_one(ends: bool, wrong: int) -> None:
    """With it as it was read, the round was over though a SET lay there, or went on though none did (D13); wrong takes change nothing."""
    found = 0
    for seed in range(300):
        rng = random.Random(seed)
        true = roll_faces(42, rng)
        place = rng.randrange(42)
        read = tuple(rng.choice([face for face in SET_DIE_FACES if face != die]) if at == place else die for at, die in enumerate(true))
        history = History.begin(scramble.GAME, ScrambleOptions(), NAMES).then(scramble.Rolled(read, at_s=1.0))
        while history.state.phase is Phase.OPEN:
            real = [trio for trio in find_sets(history.state.table) if is_set(*(true[history.state.row[at]] for at in trio))]
            if not real:
                break
            history = history.then(scramble.Take(len(history.events) % 3, real[0], at_s=1.0 + len(history.events)))
        left = [true[die] for die in history.state.row]
        none = [trio for trio in combinations(range(len(left)), 3) if trio not in find_sets(history.state.table)]
        for trio in none[:wrong] if history.state.phase is Phase.OPEN else ():
            history = history.then(scramble.Take(0, trio, at_s=60.0))
        if place not in history.state.row or ends is not (history.state.phase is Phase.ROLL) or ends is not has_set(left):
            continue
        found += 1
        table = top(partial(resumed, history))
        for at, die in enumerate(history.state.table):
            table.lay(die, spot(at, rng), sure=True)
        table.settle()
        scores = history.state.scores
        table.say(Dispute())
        choose(table, "one that lies there")
        choose(table, at_table(read[place]))
        choose(table, at_table(true[place]))
        state = table.director.state
        assert (state.phase, state.scores) == (Phase.OPEN if ends else Phase.ROLL, scores)
        assert sorted(map(str, state.table)) == sorted(map(str, left))
        table.wait(3.0)
        assert not table.director.showing.differ
        if found == 5:
            return
    raise AssertionError(found)


def test_before_anybody_has_taken_dice_one_that_lies_there_is_disputed_at_once() -> None:
    played = Round()
    played.table.say(Dispute())
    assert asked(played.table).startswith("Which die was read")
    seen = list[int]()
    while (question := played.table.director.showing.question) is not None and not set(question.tracks) & set(seen):
        seen += question.tracks
        played.table.say(Answer(len(question.options)))
    assert len(seen) == len(set(seen)) == 42


def test_what_differs_already_stays_what_it_is_when_a_die_that_lies_there_is_disputed() -> None:
    """A die was turned by an elbow; and three have left, of which nobody has said whose they are."""
    played = Round()
    table = played.table
    turn(played, 3)
    assert "shows" in at_table(table.director.showing.differ)
    dispute_one_that_lies(table, 0)
    table.wait(3.0)
    assert "shows" in at_table(table.director.showing.differ)
    table.say(GameIsRight())
    played.lift(SETS[0])
    table.wait(2.0)
    assert "who took" in asked(table)
    dispute_one_that_lies(table, 1)
    table.wait(2.0)
    assert "who took" in asked(table)
    table.say(Answer(2))
    assert table.director.state.scores == (0, 1, 0)


def turn(played: Round, place: int) -> None:
    """An elbow turns a die, so that it shows what no other shows."""
    table, track = played.table, played.order[place]
    x, y = map(float, table.lying[track].center_px)
    table.roll(track, next(face for face in SET_DIE_FACES if face not in FACES), (x, y))
    table.settle()
    table.wait(3.0)


def dispute_one_that_lies(table: TableTop, number: int) -> None:
    """Say of a die that nobody has touched that it is another one."""
    rest = [FACES[at] for at in range(42) if at not in SETS[0] and at != 3]
    read = [face for face in rest if FACES.count(face) == 1][number]
    table.say(Dispute())
    if not asked(table).startswith("Which die was read"):
        choose(table, "one that lies there")
    choose(table, at_table(read))
    table.say(Answer(1))


@pytest.mark.parametrize("taken", [(), SETS[0]])
def test_dice_of_which_people_have_said_that_the_table_is_right_are_disputed_as_they_said(taken: tuple[int, ...]) -> None:
    """Also after others have left, and where three lack of which nobody has said whose they are."""
    played = Round()
    table = played.table
    for place in taken:
        table.take(played.order[place])
    turn(played, 3)
    table.say(TableIsRight())
    assert isinstance(table.events[-1], Amend)
    table.wait(1.0)
    if taken:
        assert "who took" in asked(table)
        table.say(Answer(2))
    for number in (0, 1):
        assert disputed_tracks(table) == set(table.lying)
        before = Counter(table.director.state.table)
        dispute_one_that_lies(table, number)
        assert isinstance(table.events[-1], Correct)
        assert (Counter(table.director.state.table) - before).total() == 1
        table.wait(3.0)
        assert (asked(table), at_table(table.director.showing.differ)) == ("", "")
        take_a_set(table, 1)
    assert table.director.state.scores == (0, 2 + bool(taken), 0)


def test_a_dispute_that_follows_while_time_stands_is_taken_back_alone_after_a_resume() -> None:
    """As long as the camera sees nothing what people say happens at one and the same time."""
    played = Round()
    table = played.table
    played.lift(SETS[0])
    table.say(Answer(2))
    before = table.director.history.events
    dispute_one_that_lies(table, 0)
    assert table.director.now_s == before[-1].at_s
    table.resume()
    table.settle()
    table.wait(2.0)
    table.say(Undo())
    assert table.director.history.events == before


def test_a_dispute_that_cannot_be_kept_is_taken_back_with_the_name_of_its_die() -> None:
    """Another program holds the file; nobody presses twice, and the table is as it was."""

    class Locked(Log):
        is_held = False

        def append(self, event: Event) -> None:
            if self.is_held:
                raise OutputError("held")

    log, history = Locked(), History.begin(scramble.GAME, None, NAMES)
    table = top(lambda correct: Director(history, ScrambleReferee(), log, correct=correct))
    Evening(table, 7, noise=False).roll(FACES)
    before = table.director.history.events
    table.say(Dispute())
    table.say(Answer(1))
    log.is_held = True
    with pytest.raises(OutputError):
        table.say(Answer(1))
    assert asked(table) == ""
    table.say(Undo())
    log.is_held = False
    table.wait(3.0)
    assert table.director.history.events == before
    assert (asked(table), at_table(table.director.showing.differ)) == ("", "")


def take_a_set(table: TableTop, player: int) -> bool:
    """Somebody calls and takes the first SET; False where there is none."""
    trio = next(iter(find_sets(table.director.state.table)), None)
    if trio is None:
        return False
    table.say(CallSet(player))
    for piece in [table.director.state.table[place] for place in trio]:
        table.take(table.track(piece))
    table.hand()
    table.settle()
    return True


def test_a_die_that_hides_the_last_set_of_the_match_is_disputed_when_it_is_over() -> None:
    """D13: the match goes on with it, and Undo ends it again."""
    played = Round(ScrambleOptions(rounds=1))
    table = played.table
    while take_a_set(table, 1):
        pass
    state = table.director.state
    assert state.is_over
    lying = list(state.table)
    place, truth = next(
        (at, die) for at in range(len(lying)) for die in SET_DIE_FACES if not die.is_wild and has_set([*lying[:at], die, *lying[at + 1 :]])
    )
    assert disputed_tracks(table) == set(table.lying)
    table.say(Dispute())
    choose(table, "one that lies there")
    choose(table, at_table(lying[place]))
    while (question := table.director.showing.question) is not None and truth not in [one.value for one in question.options]:
        table.say(Answer(len(question.options)))
    choose(table, at_table(truth))
    assert not table.director.state.is_over
    table.say(Undo())
    assert table.director.state.is_over
    assert disputed_tracks(table) == set(table.lying)


@pytest.mark.parametrize("rounds", [1, 2])
def test_dice_of_the_last_take_of_a_round_that_was_none_have_to_go_back(rounds: int) -> None:
    """D13: nobody is asked whose they are, who are known to have taken them."""
    table = Round(ScrambleOptions(rounds=rounds)).table
    while take_a_set(table, 1):
        pass
    assert table.director.state.phase is (Phase.OVER if rounds == 1 else Phase.ROLL)
    before = table.director.showing.told
    table.say(Dispute())
    table.say(Answer(1))
    table.say(Answer(1))
    table.wait(2.0)
    assert table.director.state.phase is Phase.OPEN
    assert asked(table) == ""
    assert "put back" in table.director.showing.told[0].text
    table.say(Undo())
    assert table.director.showing.told == before


def test_only_dice_that_were_left_over_are_disputed_while_others_are_thrown() -> None:
    played = Round()
    table = played.table
    while take_a_set(table, 0):
        pass
    assert table.director.state.phase is Phase.ROLL
    left = set(table.lying)
    for number in range(10):
        table.lay(FACES[number], (60.0 + 60 * number, 690.0), sure=True)
    table.hand()
    table.settle()
    assert disputed_tracks(table) == left
    thrown = min(left)
    table.roll(thrown, table.lying[thrown].piece, (500.0, 20.0))  # it shows what it showed, by chance
    table.settle()
    assert disputed_tracks(table) == left - {thrown}


def disputed_tracks(table: TableTop) -> set[int]:
    director = table.director
    return {table.own(one.exhibit.track) for one in director.referee.disputable(director.history, table._table())}


def test_two_misread_dice_of_a_take_are_said_one_after_the_other_while_they_are_in_a_hand() -> None:
    trio = SETS[0]
    wrong = [face for face in SET_DIE_FACES if face not in FACES][:2]
    read = dict(zip(trio, wrong, strict=False))
    evening = Evening(begun(), 7, noise=False)
    evening.roll(tuple(read.get(place, face) for place, face in enumerate(FACES)))
    table = evening.table
    table.say(CallSet(1))
    for place in trio:
        table.take(evening.order[place])
    table.hand()
    table.settle()
    for place, face in read.items():
        assert table.director.state.scores == (0, 0, 0)
        table.say(Dispute())
        choose(table, at_table(face))
        choose(table, at_table(FACES[place]))
        assert asked(table) == ""
    assert table.director.state.scores == (0, 1, 0)
    table.wait(3.0)
    assert not table.director.showing.differ


def test_a_call_is_not_lost_by_a_dispute_that_somebody_opens_meanwhile() -> None:
    """The dispute waits for the dice of the call, as in SET; after the call it is heard."""
    played = Round()
    table = played.table
    table.say(CallSet(1))
    table.say(Dispute())
    assert asked(table) == ""
    assert "a call is open" in at_table(table.director.showing.notice)
    played.lift(SETS[0])
    assert (table.director.state.scores, asked(table)) == ((0, 1, 0), "")
    dispute_one_that_lies(table, 0)
    assert isinstance(table.events[-1], Correct)
    table.say(CallSet(2))
    table.wait(10.0)
    table.say(Dispute())
    assert "read wrongly" in asked(table)


def test_dice_that_have_to_go_back_have_to_again_when_a_dispute_about_them_is_taken_back() -> None:
    """Three that are no SET were disputed to be one, by a slip."""
    third = next(die for die in SET_DIE_FACES if is_set(FACES[NO_SET[0]], FACES[NO_SET[1]], die) and not die.is_wild)
    played = Round()
    table = played.table
    table.say(CallSet(1))
    played.lift(NO_SET)
    assert "put back" in table.director.showing.told[0].text
    table.say(Dispute())
    choose(table, at_table(FACES[NO_SET[2]]))
    choose(table, at_table(third))
    assert table.director.state.scores == (0, 1, 0)
    table.say(Undo())
    assert table.director.state.scores == (0, 0, 0)
    assert "put back" in table.director.showing.told[0].text
    assert "Lay the table" not in at_table(table.director.showing.notice)
    played.put_back(NO_SET)
    table.wait(3.0)
    assert (asked(table), at_table(table.director.showing.differ)) == ("", "")


def test_undo_of_a_dispute_about_a_taken_die_renames_none_that_lies_there_after_a_resume() -> None:
    """The die is in somebody's hand, and others show what it was said to show."""
    played = Round()
    table = played.table
    take_a_set(table, 1)
    table.resume()
    table.settle()
    table.wait(2.0)
    before = Counter(table.director.state.table)
    table.say(Dispute())
    table.say(Answer(1))
    question = table.director.showing.question
    assert question is not None
    number = next(number for number, option in enumerate(question.options, 1) if before[option.value] > 1)
    table.say(Answer(number))
    assert isinstance(table.events[-1], Correct)
    table.say(Undo())
    table.wait(3.0)
    assert (asked(table), at_table(table.director.showing.differ)) == ("", "")
    assert table.director.showing.told[0].text == "say SET and take three dice"
    assert Counter(table.director.state.table) == before


def test_dice_of_a_roll_that_was_taken_back_are_thrown_anew_by_handfuls() -> None:
    """D13: those of the first handful do not count with those that lie there still."""
    table = begun(seed=5)
    rng = random.Random(5)
    for place, face in enumerate(roll_faces(42, rng)):
        table.lay(face, spot(place, rng), sure=True)
    table.hand()
    table.settle()
    assert table.director.state.phase is Phase.OPEN
    table.say(Undo())
    tracks = list(table.lying)
    for handful in (tracks[:20], tracks[20:]):
        assert table.director.state.phase is Phase.ROLL
        for track, face in zip(handful, roll_faces(len(handful), rng), strict=True):
            table.roll(track, face, spot(tracks.index(track), rng))
        table.hand()
        table.settle()
    assert table.director.state.phase is Phase.OPEN


def faces_at(places: tuple[int, ...]) -> list[SetDie]:
    return [FACES[place] for place in places]


def lay_across_the_edge(table: TableTop, dice: Sequence[Piece], sure: bool) -> list[int]:
    """Dice lie half out of the picture, where a camera reads them wrongly or not at all."""
    tracks = [table.lay(die, (600.0 + 50 * number, 712.0), sure=sure) for number, die in enumerate(dice)]
    for track in tracks:
        table.unread.pop(track, None)
    table.hand()
    table.settle()
    return tracks


@pytest.mark.parametrize("sure", [True, False])
@pytest.mark.parametrize("is_called", [True, False])
def test_won_dice_across_the_edge_of_the_picture_are_nobodys_business(is_called: bool, sure: bool) -> None:
    """D13: their winner keeps them there, and the others play on."""
    played = Round()
    table = played.table
    if is_called:
        table.say(CallSet(0))
    played.lift(SETS[0])
    if not is_called:
        table.say(Answer(1))
    lay_across_the_edge(table, faces_at(SETS[0]), sure)
    table.wait(3)
    assert (asked(table), table.director.showing.differ) == ("", "")
    table.say(CallSet(1))
    played.lift(APART)
    lay_across_the_edge(table, faces_at(APART), sure)
    table.wait(3)
    assert (asked(table), table.director.showing.differ) == ("", "")
    assert table.director.state.scores[:2] == (1, 1)


def test_dice_across_the_edge_of_the_picture_count_where_they_are_to_go_back() -> None:
    """D13: three that are no SET, and three that nobody has taken."""
    played = Round()
    table = played.table
    played.lift(SETS[0])
    table.say(Answer(0))
    assert "put back" in str(table.director.showing.told[0])
    lay_across_the_edge(table, faces_at(SETS[0]), True)
    table.wait(3)
    assert "put back" not in str(table.director.showing.told[0])
    die = table.track(FACES[APART[0]])
    table.take(die)
    lay_across_the_edge(table, faces_at(APART[:1]), False)
    table.wait(3)
    assert asked(table).startswith("What is the die")


@pytest.mark.parametrize(("places", "points"), [(SETS[0], 1), (NO_SET, 0)])
def test_dice_that_one_hand_takes_and_lays_across_the_edge_are_taken_where_they_make_a_set(places: tuple[int, ...], points: int) -> None:
    """D13: others were only pushed there; and they stay out of the game while somebody takes the next one by one."""
    played = Round()
    table = played.table
    table.say(CallSet(0))
    for place in places:
        table.take(played.order[place])
    lay_across_the_edge(table, faces_at(places), True)
    assert [event.name for event in table.events] == ["rolled", *["take"] * points]
    assert table.director.state.scores[0] == points
    if points:
        played.lift(APART[:2])
        assert "take 1 more" in str(table.director.showing.told[0])


def test_a_die_of_the_game_that_was_pushed_across_the_edge_of_the_picture_is_not_taken() -> None:
    """D13: Ann has the two that make a SET with it in her hand, and the third to come."""
    played = Round()
    table = played.table
    table.move(played.order[SETS[0][2]], (600.0, 712.0))
    table.hand()
    table.settle()
    table.say(CallSet(0))
    played.lift(SETS[0][:2])
    table.wait(1.0)
    assert "take 1 more" in str(table.director.showing.told[0])
    played.lift(SETS[0][2:])
    assert table.director.state.scores[0] == 1


def test_a_die_that_rolled_across_the_edge_of_the_picture_is_one_of_the_roll() -> None:
    table = begun()
    for place, die in enumerate(FACES):
        table.lay(die, (600.0, 712.0) if place == 41 else spot(place, table.rng), sure=True)
    table.hand()
    table.settle()
    assert table.director.state.phase is Phase.OPEN
    assert len(table.director.state.table) == 42


def test_dice_that_are_to_be_thrown_anew_are_not_asked_about() -> None:
    """D13: the winner of the last SET of a round lays it half out of the picture; all dice are thrown for the next."""
    table = begun()
    table.lay(FACES[0], (600.0, 712.0), sure=False)
    table.hand()
    table.leave()
    table.wait(5.0)
    assert asked(table) == ""


def test_a_call_that_waits_for_a_die_to_be_named_has_all_its_time_after_it() -> None:
    """D13: Bo sees a SET as the dice lie; Cy called after that, and again while Bo takes it."""
    table = begun()
    for place, die in enumerate(FACES):
        table.lay(die, spot(place, table.rng), sure=place != SETS[0][0])
    table.hand()
    for player in (1, 2):
        table.say(CallSet(player, said_s=table.now_s + player))
    table.leave()
    table.wait(12.0)
    assert asked(table).startswith("What is the die")
    table.answer_doubts()
    table.wait(4.0)
    table.say(CallSet(2))
    for place in SETS[0]:
        table.take(table.track(FACES[place]))
    table.hand()
    table.settle()
    assert table.director.state.scores[1] == 1
