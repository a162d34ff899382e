"""Crossword SET with an empty bag: dice laid onto the grids of others (rule D15)."""

from __future__ import annotations

import random

import pytest

from tests.games import moves
from tests.games.model_grid import FACES, completing, face_of, spelled
from tests.referee.tabletop import TableTop, bare, seeds, top
from visionset.errors import RuleError
from visionset.games.crossword import rules as crossword
from visionset.games.crossword.referee import CrosswordReferee
from visionset.games.crossword.rules import Add, CrosswordOptions, Stuck
from visionset.games.game import History
from visionset.games.grid import Cell, Placing
from visionset.pieces import SetDie
from visionset.referee.director import Director
from visionset.referee.player_input import GameIsRight, Move
from visionset.table import Table

NAMES = ("Ann", "Bo", "Cy")
PITCH_PX = 34.0
CORNERS = ((0.0, 0.0), (640.0, 0.0), (0.0, 360.0))
"""Where each player's part begins: grids lie in its upper half, dice that wait below."""

ANN = "1-red-oval 2-red-oval 3-red-oval 1-green-diamond 2-green-diamond"
BO = "1-green-oval 1-purple-oval 1-red-oval 2-purple-squiggle 3-purple-diamond"
REST = "2-purple-diamond"


def cells_of(table: Table) -> tuple[Cell | None, ...]:
    centres = [(float(x) % 640, float(y) % 360) for x, y in (one.center_px for one in table.sightings)]
    grid = [(x, y) for x, y in centres if y < 180]
    left, up = min((x for x, _ in grid), default=0.0), min((y for _, y in grid), default=0.0)
    return tuple((round((y - up) / PITCH_PX), round((x - left) / PITCH_PX)) if y < 180 else None for x, y in centres)


class Three:
    """Three players with 14 dice each, so that the bag is empty; the first three of Ann are laid as a SET."""

    def __init__(self, ann: str = ANN, bo: str = BO, cy: str = REST) -> None:
        history = History.begin(crossword.GAME, CrosswordOptions(hand=14), NAMES)
        self.table: TableTop = top(lambda correct: Director(history, CrosswordReferee(cells_of), correct=correct))
        hands = [(names + f" {REST}" * 14).split()[:14] for names in (ann, bo, cy)]
        self.tracks = [
            [self.table.lay(SetDie.parse(name), self.aside(player, die)) for die, name in enumerate(hand)]
            for player, hand in enumerate(hands)
        ]
        self.move(*((0, die, 0, (2, 2 + die)) for die in range(3)))

    def aside(self, player: int, die: int) -> tuple[float, float]:
        left, up = CORNERS[player]
        return left + 40 + 50 * (die % 7), up + 220 + 50 * (die // 7)

    def move(self, *moves: tuple[int, int, int, Cell]) -> None:
        """Lay dice of players into cells of a player's grid, one hand for all."""
        if not self.table.events:
            self.table.hand()
            self.table.settle()
        for player, die, owner, (row, col) in moves:
            left, up = CORNERS[owner]
            self.table.move(self.tracks[player][die], (left + 40 + PITCH_PX * col, up + 20 + PITCH_PX * row))
        self.back()

    def back(self, *dice: tuple[int, int]) -> None:
        """Take dice back to where their players keep them."""
        for player, die in dice:
            self.table.move(self.tracks[player][die], self.aside(player, die))
        self.table.hand()
        self.table.settle()


def adds(table: TableTop) -> list[object]:
    return bare([event for event in table.director.history.events if isinstance(event, Add)])


@pytest.mark.parametrize("is_back", [True, False])
def test_who_is_stuck_is_so_still_when_a_die_that_was_brushed_aside_lies_where_it_lay(is_back: bool) -> None:
    """D15: what lies as it lay when they said so is no new try; a die that stays away is one."""
    three = Three()
    three.table.say(Move(Stuck(0)))
    three.table.say(Move(Stuck(1)))
    three.back((0, 2))
    assert three.table.director.state.stuck == ()
    if is_back:
        three.move((0, 2, 0, (2, 4)))
    assert three.table.director.state.stuck == ((0, 1) if is_back else ())
    three.table.say(Move(Stuck(2)))
    assert three.table.director.state.finished == (((0, 0, 0),) if is_back else ())


def test_two_dice_that_make_a_set_with_one_of_the_owner_are_accepted_when_both_lie() -> None:
    for at_once in (True, False):
        three = Three()
        assert three.table.director.state.unused(0) == tuple(range(3, 14))
        moves = ((1, 0, 0, (3, 2)), (1, 1, 0, (4, 2)))
        if at_once:
            three.move(*moves)
        else:
            three.move(moves[0])
            showing = three.table.director.showing
            assert showing.told[0].to == "Bo"
            assert showing.told[0].text.endswith("is in no SET; move it is not allowed (D15): lay more, or take it back")
            assert showing.differ == ""
            three.table.wait(5)
            three.move(moves[1])
        assert adds(three.table) == bare([Add(1, 0, (Placing(0, 1, 0), Placing(1, 2, 0)))])
        assert three.table.director.state.unused(1) == tuple(range(2, 14))
        assert three.table.director.showing.differ == ""


def test_one_die_and_then_another_are_accepted_one_by_one() -> None:
    three = Three()
    three.move((1, 2, 0, (2, 5)))
    assert adds(three.table) == bare([Add(1, 0, (Placing(2, 0, 3),))])
    three.move((1, 0, 0, (3, 2)), (1, 1, 0, (4, 2)))
    assert len(adds(three.table)) == 2
    assert three.table.director.showing.differ == ""


def test_a_die_that_makes_no_set_is_taken_back() -> None:
    three = Three()
    three.move((1, 3, 0, (2, 5)))
    assert "not allowed (D15): lay more, or take it back" in three.table.director.showing.told[0].text
    three.back((1, 3))
    assert adds(three.table) == []
    assert three.table.director.showing.differ == ""
    assert not any("take it back" in told.text for told in three.table.director.showing.told)


def test_a_die_that_stays_where_it_makes_no_set_is_looked_past() -> None:
    three = Three()
    three.move((1, 3, 0, (2, 5)))
    three.table.next()
    assert three.table.director.showing.differ != ""
    three.table.say(GameIsRight())
    assert three.table.director.showing.differ == ""
    assert adds(three.table) == []
    assert three.table.director.state.unused(1) == tuple(range(14))


def test_a_die_that_was_laid_in_a_grid_of_its_own_moves_over() -> None:
    """It was in no SET there, so that it is laid down first."""
    three = Three(bo="1-green-oval 2-green-oval 1-red-oval")
    three.move(*((1, die, 1, (2, die)) for die in range(3)))
    assert len(three.table.director.state.grids[1]) == 3
    three.move((1, 2, 0, (2, 5)))
    assert adds(three.table) == bare([Add(1, 0, (Placing(2, 0, 3),))])
    assert three.table.director.state.grids[1] == ()
    assert three.table.director.showing.differ == ""


def test_a_guest_who_moves_a_die_that_counts_is_asked_to_put_it_back() -> None:
    """D15: nothing that lies there is moved; meanwhile the game goes on."""
    three = Three()
    three.move((1, 2, 0, (2, 5)))
    before = three.table.director.state
    three.move((1, 2, 0, (3, 4)))
    told = three.table.director.showing.told[0]
    assert (told.to, told.text) == ("Bo", "one red oval counts in the grid of Ann: put it back where it was")
    assert three.table.director.state == before
    three.move((1, 2, 0, (2, 5)))
    assert not any("put it back" in told.text for told in three.table.director.showing.told)
    assert three.table.director.state == before


@pytest.mark.parametrize("seed", seeds(3))
def test_dice_of_guests_are_followed_to_the_die(seed: int) -> None:
    """Bo and Cy lay one to four dice at a time onto Ann's grid: all that make SETs count, and only they."""
    rng = random.Random(seed)
    first, second = rng.sample(FACES, 2)
    hands = [[first, second, completing(first, second)], [], []]
    names = [" ".join(moves.rolled(14 - len(hand), rng, 2)) for hand in hands]
    three = Three(" ".join([*map(spelled, hands[0]), names[0]]), *names[1:])
    corner: Cell = 2, 2
    for _ in range(25):
        state = three.table.director.state
        guest, faces = rng.choice((1, 2)), {die.cell: face_of(str(die.face)) for die in state.laid(0)}
        hand = [face_of(str(face)) for face in state.hands[guest]]
        spare = [die for die in range(14) if die not in {p.placing.die for p in state.grids[0] if p.player == guest}]
        laid: dict[Cell, int] = {}
        for _ in range(rng.choice((1, 1, 2))):
            step = moves.grown({**faces, **{cell: hand[die] for cell, die in laid.items()}}, hand, spare, rng)
            laid |= step
            spare = [die for die in spare if die not in step.values()]
        if spare and faces and rng.random() < 0.2:
            row, col = rng.choice(sorted(faces))
            laid.setdefault((row + 1, col), rng.choice(spare))
        inside = {cell for cell in laid if 0 <= cell[0] + corner[0] < 5 and 0 <= cell[1] + corner[1] < 15}
        laid = {cell: die for cell, die in laid.items() if cell in inside and cell not in faces}
        expected = state
        if laid:
            try:
                expected = state.after(Add(guest, 0, tuple(Placing(die, *cell) for cell, die in laid.items())))
            except RuleError:
                expected = None
        three.move(*((guest, die, 0, (cell[0] + corner[0], cell[1] + corner[1])) for cell, die in laid.items()))
        mine = three.table.director.state
        assert three.table.director.showing.differ == ""
        if expected is not None:
            assert {(die.cell, die.face) for die in mine.laid(0)} == {(die.cell, die.face) for die in expected.laid(0)}
            assert [len(mine.unused(player)) for player in range(3)] == [len(expected.unused(player)) for player in range(3)]
        else:
            counted = {die.cell for die in mine.laid(0)}
            three.back(*((guest, die) for cell, die in laid.items() if cell not in counted))
            assert three.table.director.state == mine
            assert not any("take it back" in told.text for told in three.table.director.showing.told)
