"""Crossword SET on a table: each player builds a grid in a part of it (rules D14 to D16)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.referee.tabletop import TableTop, bare, seeds, top
from visionset.games.crossword import rules as crossword
from visionset.games.crossword.referee import CrosswordReferee
from visionset.games.crossword.rules import CrosswordOptions, CrosswordState, Done, Draw, Lay, Rolled
from visionset.games.game import History
from visionset.games.grid import Cell
from visionset.games.virtual.runner import play_out
from visionset.messages import at_table
from visionset.pieces import SetDie
from visionset.referee.director import Director
from visionset.referee.player_input import GameIsRight, Move, TableIsRight
from visionset.session.refereed import cells_of as seen_in_line
from visionset.table import Table

PITCH_PX = 34.0
APART_PX = 560.0
OPTIONS = CrosswordOptions(rounds=2)
NAMES = ("Ann", "Bo")


def cells_of(table: Table) -> tuple[Cell | None, ...]:
    """Dice in the upper part lie in a lattice, those below it anyhow."""
    grid = [one.center_px for one in table.sightings if float(one.center_px[1]) < APART_PX]
    if not grid:
        return (None,) * len(table.sightings)
    left, up = min(float(x) for x, _ in grid), min(float(y) for _, y in grid)
    return tuple(
        (round((float(y) - up) / PITCH_PX), round((float(x) - left) / PITCH_PX)) if float(y) < APART_PX else None
        for x, y in (one.center_px for one in table.sightings)
    )


def begun(seed: int = 0, unsure: float = 0.0) -> TableTop:
    history = History.begin(crossword.GAME, OPTIONS, NAMES)
    return top(lambda correct: Director(history, CrosswordReferee(cells_of), correct=correct), random.Random(seed), unsure)


class Evening:
    def __init__(self, table: TableTop, one_by_one: bool = False) -> None:
        self.table, self.one_by_one = table, one_by_one
        self.tracks: list[list[int]] = [[], []]
        self.old: list[int] = []

    def aside(self, player: int, die: int) -> tuple[float, float]:
        return 640 * player + 40 + 43 * (die % 14), APART_PX + 20 + 45 * (die // 14)

    def do(self, event: Any, after: CrosswordState) -> None:
        table = self.table
        match event:
            case Rolled():
                for track in list(table.lying):
                    table.take(track)
                for player, hand in enumerate(event.hands):
                    self.tracks[player] = [table.lay(face, self.aside(player, die)) for die, face in enumerate(hand)]
            case Draw():
                mine = self.tracks[event.player]
                mine.append(table.lay(event.face, self.aside(event.player, len(mine))))
                table.hand()
                table.settle()
                table.wait(1.0)
                return
            case Lay():
                self.lay(event)
            case _:
                table.say(Move(event))
                return
        table.hand()
        table.settle()

    def lay(self, event: Lay) -> None:
        table = self.table
        up, left = min(p.row for p in event.grid), min(p.col for p in event.grid)
        mine = self.tracks[event.player]
        laid = {p.die: p for p in event.grid}
        for die, track in enumerate(mine):
            if die not in laid:
                table.move(track, self.aside(event.player, die))
        for p in event.grid:
            at = 640 * event.player + 40 + PITCH_PX * (p.col - left), 40 + PITCH_PX * (p.row - up)
            assert at[1] < APART_PX
            assert at[0] < 640 * (event.player + 1)
            table.move(mine[p.die], at)
            if self.one_by_one and table.rng.random() < 0.2:
                table.settle()


def shape(state: CrosswordState, player: int) -> set[tuple[int, int, SetDie]]:
    grid = state.laid(player)
    if not grid:
        return set()
    up, left = min(die.row for die in grid), min(die.col for die in grid)
    return {(die.row - up, die.col - left, die.face) for die in grid}


@pytest.mark.parametrize("seed", seeds(3))
def test_rounds_of_simple_players_are_followed_to_the_point(seed: int) -> None:
    table = begun(seed, unsure=0.05 if seed else 0.0)
    evening, truth = Evening(table, one_by_one=seed == 2), []
    state: Any = None
    for event, state in play_out(crossword.GAME, random.Random(seed), OPTIONS, NAMES):
        evening.do(event, state)
        mine = table.director.state
        if not isinstance(event, Lay):
            truth.append(event)
            assert bare(table.events[-1:]) == bare([event]), table.director.showing
        assert [sorted(map(str, hand)) for hand in mine.hands] == [sorted(map(str, hand)) for hand in state.hands]
        assert [shape(mine, player) for player in (0, 1)] == [shape(state, player) for player in (0, 1)]
        assert mine.scores == state.scores
    assert bare([event for event in table.events if not isinstance(event, Lay)]) == bare(truth)
    assert table.director.state.is_over
    assert table.director.state.winners == state.winners


def rolled(first: str) -> tuple[TableTop, Evening]:
    table = begun()
    evening = Evening(table)
    faces = tuple(SetDie.parse(name) for name in first.split())
    other = (SetDie.parse("1-red-oval"),) * 10
    evening.do(Rolled((faces, other)), table.director.state)
    assert table.director.state.hands == (faces, other)
    return table, evening


TEN = "1-red-oval 2-red-oval 3-red-oval 1-green-oval 2-purple-oval 2-green-oval 3-green-oval 1-red-diamond 2-red-diamond 3-green-diamond"


def test_a_fault_is_outlined_and_explained() -> None:
    table, evening = rolled(TEN)
    for die, col in ((0, 0), (1, 1), (3, 2)):
        table.move(evening.tracks[0][die], (40 + PITCH_PX * col, 60.0))
    table.settle()
    assert any("is in no SET" in told.text for told in table.director.showing.told)
    assert len(table.director.showing.marks) == 3
    table.say(Move(Done(0)))
    assert "D14" in str(table.director.showing.notice)
    assert table.director.state.scores == (0, 0)


def test_a_die_that_was_turned_is_settled_by_two_keys() -> None:
    for said, face in ((TableIsRight(), "3-purple-diamond"), (GameIsRight(), "1-red-oval")):
        table, evening = rolled(TEN)
        table.roll(evening.tracks[0][0], SetDie.parse("3-purple-diamond"), evening.aside(0, 0))
        table.settle()
        table.wait(1.5)
        assert at_table(table.director.showing.differ) == "Ann has three purple diamonds where the game has one red oval"
        table.say(said)
        assert str(table.director.state.hands[0][0]) == face
        assert table.director.showing.differ == ""


def test_a_die_that_is_pushed_into_line_by_so_little_that_no_change_is_told_is_laid() -> None:
    table, evening = rolled(TEN)
    mine, up = evening.tracks[0], APART_PX - 4
    for die, down in ((0, 0.0), (1, 0.0), (2, 8.0)):
        table.move(mine[die], (40 + PITCH_PX * die, up + down))
    table.settle()
    assert shape(table.director.state, 0) == set()
    table.hand()
    table.move(mine[2], (40 + PITCH_PX * 2, up))
    table.wait(1.0)
    assert len(shape(table.director.state, 0)) == 3


def test_dice_that_a_player_has_set_into_a_neat_row_beside_the_grid_do_not_hide_it() -> None:
    """D14: the row is longer, and no three of it are a SET."""
    history = History.begin(crossword.GAME, OPTIONS, NAMES)
    table = top(lambda correct: Director(history, CrosswordReferee(seen_in_line), correct=correct))
    for player in (0, 1):
        for die, name in enumerate(TEN.split()):
            table.lay(SetDie.parse(name), (640 * player + 40 + 55 * (die % 7), 500.0 + 55 * (die // 7)))
    table.settle()
    mine = list(table.lying)[:10]
    for place, die in enumerate((3, 4, 7, 5, 9, 8, 6)):
        table.move(mine[die], (300 + 31.0 * place, 300.0))
    table.hand()
    table.settle()
    for die in range(3):
        table.move(mine[die], (60 + 31.0 * die, 100.0))
    table.hand()
    table.settle()
    assert {str(face) for _, _, face in shape(table.director.state, 0)} == set(TEN.split()[:3])
    assert len(table.director.state.unused(0)) == 7
