"""SET Cubed on a table: the board is seen, the hands are not (rules D5 to D11)."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.clips.keys import SeatKeys, press_seat_key
from tests.referee.tabletop import TableTop, seeds, top
from visionset.games.cubed import rules as cubed
from visionset.games.cubed.referee import CubedReferee
from visionset.games.cubed.rules import EndTurn, ExtraRoll, NobodyCan, Open, Phase, Place, Replace, Rolled, RollWild
from visionset.games.game import History
from visionset.games.grid import Cell, Laid
from visionset.games.virtual.runner import play_out
from visionset.messages import at_table
from visionset.pieces import SetDie
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, CallSet, GameIsRight, Move, Next, NoSet, TableIsRight, Undo
from visionset.session.refereed import cells_of as seen_in_line
from visionset.table import Table

PITCH_PX = 36.0
NAMES = ("Ann", "Bo")


def cells_of(table: Table) -> tuple[Cell | None, ...]:
    """A lattice that begins at the first die: its first cell moves when dice are added."""
    if not table.sightings:
        return ()
    left, up = (min(float(one.center_px[axis]) for one in table.sightings) for axis in (0, 1))
    return tuple(
        (round((float(y) - up) / PITCH_PX), round((float(x) - left) / PITCH_PX)) for x, y in (one.center_px for one in table.sightings)
    )


def begun(seed: int = 0, unsure: float = 0.0, names: tuple[str, ...] = NAMES) -> TableTop:
    history = History.begin(cubed.GAME, None, names)
    return top(lambda correct: Director(history, CubedReferee(cells_of), correct=correct), random.Random(seed), unsure)


class Evening:
    def __init__(self, table: TableTop, turns: int = 0) -> None:
        self.table, self.turns = table, turns
        self.tracks: dict[Cell, int] = {}
        self.said: dict[Cell, SetDie] = {}

    def spot(self, cell: Cell) -> tuple[float, float]:
        row, col = cell
        x, y = 640 + (col - 7) * PITCH_PX, 360 + (row - 7) * PITCH_PX
        for _ in range(self.turns):
            x, y = 640 - (y - 360), 360 + (x - 640)
        return x, y

    def lay(self, cell: Cell, face: SetDie, stated: SetDie | None, settle: bool = True) -> None:
        self.tracks[cell] = self.table.lay(face, self.spot(cell))
        if stated is not None:
            self.said[cell] = stated

    def settle(self) -> None:
        table = self.table
        table.hand()
        table.settle()
        for _ in range(20):
            question = table.director.showing.question
            if question is None or question.key[0] != "wild":
                return
            self.asked = getattr(self, "asked", 0) + 1
            track = table.own(question.tracks[0])
            face = self.said[next(cell for cell, mine in self.tracks.items() if mine == track)]
            number = next(
                number
                for number, option in enumerate(question.options, 1)
                if option.value == (None, face) or (option.value[0] and getattr(face, option.value[0]) == option.value[1])
            )
            table.say(Answer(number))
        raise AssertionError("questions without end")

    def do(self, event: Any, before: Any, after: Any) -> None:
        table = self.table
        match event:
            case Open():
                table.say(CallSet(event.player))
                for cell, die, stated in zip(before.options.board.logo, event.dice, event.stated, strict=True):
                    self.lay(cell, before.hands[event.player][die], stated)
                self.settle()
            case Place():
                for placing in event.dice:
                    self.lay((placing.row, placing.col), before.hands[event.player][placing.die], placing.stated)
                self.settle()
            case Replace():
                table.take(self.tracks[event.row, event.col])
                self.lay((event.row, event.col), before.hands[event.player][event.die], None)
                self.settle()
            case EndTurn():
                while not table.next():  # the turn has just begun, or the match: they are asked whether they mean it
                    table.wait(1.0)
            case ExtraRoll() if after.phase is not Phase.EXTRA:
                if table.rng.random() < 0.5:
                    table.next()
                else:
                    table.wait(31)


def resumed(evening: Evening) -> tuple[TableTop, Evening]:
    """The match goes on in another program; the dice lie as they lay."""
    history, lying = evening.table.director.history, evening.table.lying
    table = top(lambda correct: Director(history, CubedReferee(cells_of), correct=correct))
    again = Evening(table, evening.turns)
    again.said = dict(evening.said)
    for cell, track in evening.tracks.items():
        if track in lying:
            piece = lying[track].piece
            assert isinstance(piece, SetDie)
            again.lay(cell, piece, None)
    table.settle()
    table.wait(1.0)
    return table, again


def laid(state: Any) -> dict[Cell, tuple[SetDie, SetDie | None]]:
    return {die.cell: (die.face, die.stated) for die in state.grid}


@pytest.mark.parametrize("seed", seeds(2))
def test_whole_games_are_followed_to_the_point(seed: int) -> None:
    table = begun(seed, unsure=0.05 if seed else 0.0)
    evening, state = Evening(table, turns=seed % 2), cubed.GAME.start(None, NAMES)
    for event, after in play_out(cubed.GAME, random.Random(seed), None, NAMES):
        evening.do(event, state, after)
        state = after
        mine = table.director.state
        if state.phase not in (Phase.OPENING_ROLL, Phase.OPENING):
            assert laid(mine) == laid(state), (event, table.director.showing)
            assert mine.points == state.points, event
            assert mine.current == state.current
            assert mine.made == state.made
    assert table.director.state.is_over
    assert table.director.state.winners == state.winners


@pytest.mark.parametrize("seed", [2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (3, 4, 7))])
def test_a_die_that_is_hardly_read_in_the_place_of_a_wild_is_asked_about(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """D9: the game would go on with the WILD there, and who exchanged it would not have it."""
    exchanged = []

    def do_in_doubt(self: Evening, event: Any, before: Any, after: Any, do: Any = Evening.do) -> None:
        usual, self.table.unsure = self.table.unsure, 0.9 if isinstance(event, Replace) else self.table.unsure
        exchanged.extend([event] if isinstance(event, Replace) else [])
        do(self, event, before, after)
        self.table.unsure = usual

    monkeypatch.setattr(Evening, "do", do_in_doubt)
    test_whole_games_are_followed_to_the_point(seed)
    assert exchanged


def interrupted(evening: Evening, rng: random.Random) -> Evening:
    """The last event is taken back and happens again, the match is resumed, or dice are taken up and laid again."""
    table, fresh = evening.table, evening.table.director.state.fresh
    match rng.randrange(4):
        case 0:
            table.say(Undo())
            table.next()
        case 1:
            return resumed(evening)[1]
        case 2 if fresh:
            evening = resumed(evening)[1] if rng.random() < 0.5 else evening
            table, cells = evening.table, rng.sample(fresh, rng.randint(1, len(fresh)))
            faces = {cell: table.lying[evening.tracks[cell]].piece for cell in cells}
            for cell in cells:
                table.take(evening.tracks.pop(cell))
            evening.settle()
            for cell, face in faces.items():
                assert isinstance(face, SetDie)
                evening.lay(cell, face, None)
            evening.settle()
    return evening


@pytest.mark.parametrize("seed", seeds(1))
def test_games_with_undo_resume_and_dice_taken_up_are_followed_to_the_point(seed: int) -> None:
    """D6, D9: whatever belongs to a turn is lost by none of them."""
    rng, state = random.Random(seed), cubed.GAME.start(None, NAMES)
    evening = Evening(begun(seed))
    for event, after in play_out(cubed.GAME, random.Random(seed), None, NAMES):
        evening.do(event, state, after)
        state = after
        if state.phase is Phase.TURN and isinstance(event, Place | Replace | RollWild) and rng.random() < 0.5:
            evening = interrupted(evening, rng)
        mine = evening.table.director.state
        if state.phase is Phase.TURN:
            assert laid(mine) == laid(state), (event, evening.table.director.showing)
            assert (mine.points, mine.current, mine.bag) == (state.points, state.current, state.bag), event
            assert list(map(len, mine.hands)) == list(map(len, state.hands)), event
    assert evening.table.director.state.winners == state.winners


def opened(first: str = "1-red-oval 2-red-oval 3-red-oval") -> tuple[TableTop, Evening]:
    table = begun()
    evening = Evening(table)
    table.wait(0.5)
    table.say(CallSet(0))
    for cell, name in zip(table.director.state.options.board.logo, first.split(), strict=True):
        evening.lay(cell, SetDie.parse(name), SetDie.parse("2-red-oval") if name == "wild" else None)
    evening.settle()
    assert table.director.state.phase is Phase.TURN
    return table, evening


def test_the_first_set_without_a_call_is_asked_for() -> None:
    table = begun()
    evening = Evening(table)
    for cell, name in zip(table.director.state.options.board.logo, ("1-red-oval", "2-red-oval", "3-red-oval"), strict=True):
        evening.lay(cell, SetDie.parse(name), None)
    evening.settle()
    assert "who laid it says SET" in table.director.showing.told[0].text
    table.say(CallSet(1))
    assert table.director.state.points == (0, 3)


def test_a_new_set_is_outlined_with_its_points_and_a_fault_with_its_reason() -> None:
    table, evening = opened()
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    assert table.director.state.points == (3, 3)
    assert [mark.text for mark in table.director.showing.marks if mark.text] == ["+3"]
    evening.lay((7, 5), SetDie.parse("2-green-oval"), None)
    evening.settle()
    assert "two green oval" in str(table.director.showing.told[0]) or "two green ovals makes no SET" in table.director.showing.told[0].text
    assert "two are red, one is green: color is neither all the same nor all different" in table.director.showing.told[0].text
    assert table.director.state.points == (3, 3)


def test_a_die_that_is_taken_back_takes_its_points_along() -> None:
    table, evening = opened()
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    evening.lay((7, 5), SetDie.parse("3-red-oval"), None)
    evening.settle()
    assert table.director.state.points == (3, 6)
    table.take(evening.tracks[7, 9])
    table.hand()
    table.settle()
    assert table.director.state.points == (3, 3)
    assert table.director.state.fresh == ((7, 5),)


def test_a_die_that_was_turned_is_settled_by_two_keys() -> None:
    for said, face in ((TableIsRight(), "2-red-oval"), (GameIsRight(), "3-red-oval")):
        table, evening = opened("3-red-oval 3-red-oval 3-red-oval")
        for cell in ((7, 6), (7, 7), (7, 8)):
            new = SetDie.parse("2-red-oval")
            table.roll(evening.tracks[cell], new, evening.spot(cell))
        table.settle()
        table.wait(1.5)
        assert "the game has three red ovals there" in at_table(table.director.showing.differ)
        table.say(said)
        assert [str(die.face) for die in table.director.state.grid] == [face] * 3
        assert table.director.state.points == (3, 0)
        assert table.director.showing.differ == ""


def test_every_extra_roll_has_its_own_time() -> None:
    """D10: also after a round in which nobody laid a die."""
    table, evening = opened()
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    for _ in range(3):
        table.wait(2.5)
        table.next()
        assert table.director.state.phase is Phase.EXTRA
        table.wait(29)
        assert table.director.state.phase is Phase.EXTRA
        table.wait(2)
        assert table.director.state.phase is Phase.TURN
        table.wait(2.5)
        table.next()


def in_mid_turn() -> tuple[TableTop, Evening]:
    table, evening = opened()
    for cell, name in (((7, 9), "1-red-oval"), ((7, 5), "3-red-oval")):
        evening.lay(cell, SetDie.parse(name), None)
        evening.settle()
    assert table.director.state.points == (3, 6)
    return table, evening


def test_a_die_that_is_taken_back_after_a_resume_takes_its_points_along() -> None:
    """D6: it is in the hand again."""
    table, evening = resumed(in_mid_turn()[1])
    assert table.events == []
    table.take(evening.tracks[7, 9])
    table.hand()
    table.settle()
    state = table.director.state
    assert (state.points, state.fresh, len(state.hands[1]), state.bag) == ((3, 3), ((7, 5),), 4, 32)


def test_a_die_that_is_taken_back_after_undo_takes_its_points_along() -> None:
    table, evening = in_mid_turn()
    table.say(Undo())
    table.take(evening.tracks[7, 5])
    table.hand()
    table.settle()
    assert table.director.state.points == (3, 3)
    table.take(evening.tracks[7, 9])
    table.hand()
    table.settle()
    state = table.director.state
    assert (state.points, state.fresh, len(state.hands[1]), state.bag) == ((3, 0), (), 5, 32)


def test_two_wilds_side_by_side_are_what_their_player_says() -> None:
    """D3: the first also lies beside two red ovals, which leaves one face for it alone, but not beside another WILD."""
    table, evening = opened("1-red-oval 2-red-oval 3-red-oval")
    wild, said = SetDie.parse("wild"), {(7, 9): SetDie.parse("2-green-oval"), (7, 10): SetDie.parse("1-purple-oval")}
    for cell, face in said.items():
        evening.lay(cell, wild, face)
    evening.settle()
    assert {die.cell: die.stated for die in table.director.state.grid if die.face.is_wild} == said
    assert table.director.state.scores[1] == 1


def test_a_wild_that_was_stated_is_not_asked_about_again_after_a_resume() -> None:
    table, evening = opened()
    evening.lay((7, 9), SetDie.parse("wild"), SetDie.parse("1-red-oval"))
    evening.lay((7, 5), SetDie.parse("3-red-oval"), None)
    evening.settle()
    table, evening = resumed(evening)
    table.take(evening.tracks[7, 5])
    table.hand()
    table.settle()
    assert table.director.showing.question is None
    assert table.director.state.fresh == ((7, 9),)


def replaced(*more: tuple[Cell, str]) -> tuple[TableTop, Evening]:
    """Bo puts a die in place of the WILD, and lays others before the hand leaves."""
    table, evening = opened("1-red-oval wild 3-red-oval")
    assert table.director.state.points == (2, 0)
    table.take(evening.tracks[7, 7])
    evening.lay((7, 7), SetDie.parse("2-red-oval"), None)
    for cell, name in more:
        evening.lay(cell, SetDie.parse(name), None)
    evening.settle()
    return table, evening


def test_a_wild_is_replaced_and_dice_are_laid_in_one_look() -> None:
    """D9: the replacing brings nothing, and is none of the three dice."""
    table, _ = replaced(((7, 9), "1-red-oval"))
    state = table.director.state
    assert [event.name for event in table.events if event.name in ("replace", "roll_wild", "place")] == ["replace", "roll_wild", "place"]
    assert (state.points, state.fresh, len(state.hands[1])) == ((2, 3), ((7, 9),), 4)
    assert state.grid[1] == Laid(7, 7, SetDie.parse("2-red-oval"))


def test_whoever_took_a_wild_is_told_to_roll_it() -> None:
    """D9: also where the match is resumed meanwhile."""
    table, evening = replaced()
    assert "roll the WILD" in table.director.showing.told[0].text
    table, _ = resumed(evening)
    table.hand()
    table.settle()
    assert any("roll the WILD" in one.text for one in table.director.showing.told)
    table.next()
    assert not any("roll the WILD" in one.text for one in table.director.showing.told)


def test_a_wild_that_is_put_back_was_not_replaced() -> None:
    table, evening = replaced()
    table.take(evening.tracks[7, 7])
    evening.lay((7, 7), SetDie.parse("wild"), SetDie.parse("2-red-oval"))
    evening.settle()
    state = table.director.state
    assert table.director.showing.differ == ""
    assert state.grid[1] == Laid(7, 7, SetDie.parse("wild"), SetDie.parse("2-red-oval"))
    assert (len(state.hands[1]), state.bag) == (5, 32)


def test_an_extra_roll_counts_from_the_end_of_the_round_where_nobody_draws() -> None:
    """D10: the game and the camera go by one clock."""
    table, _ = opened()
    for _ in range(2):
        table.next()
    assert table.director.state.phase is Phase.TURN
    table.wait(100)
    table.next()
    table.wait(3)
    table.next()
    assert table.director.state.phase is Phase.EXTRA
    assert table.director.state.extra_from_s > 100
    table.wait(25)
    table.say(Move(ExtraRoll(0, (0,), (SetDie(),))))
    assert table.director.state.rolled_extra == (0,)
    table.wait(4)
    assert table.director.state.phase is Phase.EXTRA
    table.wait(2)
    assert table.director.state.phase is Phase.TURN


def test_that_nobody_can_make_a_set_is_said_by_all() -> None:
    """D11: no camera sees it, since the hands are the players' own."""
    table, evening = opened()
    table.say(NoSet(1))
    assert table.director.showing.told[-1].text.startswith("Bo: nobody can make a SET")
    assert not any(isinstance(event, NobodyCan) for event in table.events)
    table.say(NoSet(0))
    assert [type(event) for event in table.events[-2:]] == [NobodyCan, Rolled]
    assert "roll all your dice again" in " ".join(one.text for one in table.director.showing.told)
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    assert "roll all" not in " ".join(one.text for one in table.director.showing.told)
    table.say(NoSet(0))
    assert "it is said before a die is laid" in str(table.director.showing.notice)
    table.take(evening.tracks[7, 9])
    table.hand()
    table.settle()
    assert [type(event) for event in table.director.history.events[-2:]] == [NobodyCan, Rolled]


def test_that_nobody_can_make_a_set_is_a_move_of_the_menu_and_of_a_script() -> None:
    """D11."""
    table, evening = opened()
    assert "nobody_can" in [choice.event for choice in table.director.state.legal]
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    table.say(Undo())
    table.take(evening.tracks[7, 9])
    table.hand()
    table.settle()
    table.say(Move(cubed.GAME.parse_event({"event": "nobody_can"})))
    assert isinstance(table.director.history.events[-1], Rolled)
    assert table.director.state.hides_hands


def test_undo_takes_back_what_people_do_in_one_go() -> None:
    """A die with the face that it showed, a WILD with its roll, the end of a round with the draw, a new roll with what all said."""
    table, evening = replaced()
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    table.say(Undo())
    assert (table.director.state.points, table.director.state.hides_hands) == ((2, 0), True)
    table.say(Undo())
    state = table.director.state
    assert (state.phase, state.grid[1].face.is_wild, state.current) == (Phase.TURN, True, 1)
    table, evening = opened()
    before = table.director.state
    for said in ((Next(),), (NoSet(0), NoSet(1))):
        for one in said:
            table.say(one)
        assert table.director.state != before
        table.say(Undo())
        assert replace(table.director.state, clock_s=before.clock_s) == before


def test_that_nobody_can_is_in_the_menu_of_keys() -> None:
    """D11."""
    state = opened()[0].director.state
    menu = press_seat_key(SeatKeys(), ord("m"), cubed.GAME, state)[0]
    assert menu.menu is not None
    number = [option.text for option in menu.menu.options].index("nobody can make a SET: roll all dice again") + 1
    assert press_seat_key(menu, ord(str(number)), cubed.GAME, state)[1] == Move(NobodyCan())
    assert press_seat_key(SeatKeys(), ord("A"), cubed.GAME, state)[1] == NoSet(0)


@pytest.mark.parametrize("count", [5, 3])
def test_dice_that_a_player_has_in_a_neat_row_before_the_camera_are_not_the_board(count: int) -> None:
    """D5, D6: the row is longer than the first SET, or as long."""
    history = History.begin(cubed.GAME, None, NAMES)
    table = top(lambda correct: Director(history, CubedReferee(seen_in_line), correct=correct))
    evening = Evening(table)
    for number, name in enumerate(["1-green-oval", "3-green-diamond", "2-purple-oval", "2-red-diamond", "1-red-oval"][:count]):
        table.lay(SetDie.parse(name), (300 + 30.5 * number, 60.0))
    table.settle()
    table.say(CallSet(0))
    for cell, name in zip(table.director.state.options.board.logo, ("1-red-oval", "2-red-oval", "3-red-oval"), strict=True):
        evening.lay(cell, SetDie.parse(name), None)
    evening.settle()
    assert table.director.state.points == (3, 0)
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    assert table.director.state.points == (3, 3)
