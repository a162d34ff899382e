from __future__ import annotations

from itertools import combinations

import numpy as np

from tests.builders import ONE_SET, deal, set_dice, thrown_set_dice
from visionset.games.sets import is_set
from visionset.pieces import SET_DIE_FACES, SetDie
from visionset.table import Sighting, Table
from visionset.table_sets import MOST_LISTED, TableSets, sets_of

ROW = {(0, 0): "1-red-oval", (0, 1): "2-red-oval", (0, 2): "3-red-oval"}


def table(*sightings: Sighting) -> Table:
    return Table((640, 480), sightings)


def test_cards_alone_have_no_cells() -> None:
    assert sets_of(deal(ONE_SET)) == TableSets(((0, 1, 2),), 1)
    assert sets_of(table()) == TableSets((), 0)


def test_sets_of_a_grid_lie_along_its_lines() -> None:
    faces = ROW | {(1, 2): "2-red-oval", (2, 2): "1-red-oval", (1, 0): "1-red-oval"}
    found = sets_of(table(*set_dice(faces)))
    assert found.cells == tuple(faces)
    assert found.sets == ((0, 1, 2), (2, 3, 4))  # not 1-red-oval three times: those lie around corners
    assert (found.count, found.grid_size) == (2, (3, 3))


def test_every_window_of_a_line_of_five_counts() -> None:
    line = {(0, column): f"{column % 3 + 1}-green-diamond" for column in range(5)}
    assert sets_of(table(*set_dice(line))).sets == ((0, 1, 2), (1, 2, 3), (2, 3, 4))


def test_positions_are_those_of_the_sightings_in_any_order() -> None:
    dice = set_dice(ROW)
    cards = deal(ONE_SET, (640, 480), 60, 10).sightings
    found = sets_of(table(dice[2], cards[0], dice[0], cards[1], cards[2], dice[1]))
    assert found.cells == ((0, 2), None, (0, 0), None, None, (0, 1))
    assert found.sets == ((1, 3, 4), (0, 2, 5))


def test_an_unread_die_has_a_cell_and_no_set() -> None:
    found = sets_of(table(*set_dice(ROW | {(0, 1): "?"})))
    assert found.cells == ((0, 0), (0, 1), (0, 2))
    assert found.sets == ()


def test_a_gap_breaks_a_line() -> None:
    faces = {(0, 0): "1-red-oval", (0, 1): "1-red-oval", (0, 3): "1-red-oval"} | {(row, 0): "2-red-oval" for row in (1, 2, 3)}
    assert sets_of(table(*set_dice(faces))).sets == ((3, 4, 5),)


def test_a_wild_stands_for_one_face_throughout() -> None:
    # the row asks the WILD for 3-red-oval, the column for 2-green-diamond: it cannot be both
    column = {(0, 2): "wild", (1, 2): "1-green-diamond", (2, 2): "3-green-diamond"}
    assert sets_of(table(*set_dice(ROW | column))).sets in [((0, 1, 2),), ((2, 3, 4),)]
    # with 2-green-diamond below, the column has a SET without the WILD: that hangs together with what the WILD makes in the column
    column[3, 2] = "2-green-diamond"
    assert sets_of(table(*set_dice(ROW | column))).sets == ((2, 3, 4), (3, 4, 5))
    agreed = sets_of(table(*set_dice(ROW | column | {(0, 0): "2-green-diamond", (0, 1): "2-green-diamond"})))
    assert agreed.sets == ((0, 1, 2), (2, 3, 4), (3, 4, 5))


def test_a_block_of_wilds_takes_no_time() -> None:
    block = {(row, column): "wild" if (row + column) % 3 == 0 else "1-red-oval" for row in range(6) for column in range(7)}
    assert sets_of(table(*set_dice(block, side_px=30))).count == 6 * 5 + 4 * 7


def test_scattered_dice_make_sets_with_one_another() -> None:
    names = ["1-red-oval", "2-red-oval", "1-green-oval", "3-red-oval", "wild"]
    dice = [SetDie.parse(name) for name in names]
    found = sets_of(table(*thrown_set_dice(names)))
    assert found.cells == (None,) * 5
    assert found.grid_size is None
    expected = tuple(trio for trio in combinations(range(5), 3) if is_set(*(dice[at] for at in trio)))
    assert found.sets == expected
    assert found.count == len(expected) == 7


def test_of_many_sets_the_first_are_listed_and_all_counted() -> None:
    names = [str(face) for face in (*SET_DIE_FACES[:27], *[SetDie()] * 7, *SET_DIE_FACES[:8])]
    found = sets_of(table(*thrown_set_dice(names)))
    assert len(found.sets) == MOST_LISTED == 200
    assert found.count > 3000
    assert list(found.sets) == sorted(found.sets)


def test_dice_in_the_hand_beside_a_grid_take_no_part() -> None:
    hand = thrown_set_dice(["1-green-oval", "1-green-oval", "1-green-oval"])
    away = [Sighting(die.kind, die.outline_px + np.array([100, 300]), die.piece, die.confidence) for die in hand]
    found = sets_of(table(*set_dice(ROW), *away))
    assert found.cells == ((0, 0), (0, 1), (0, 2), None, None, None)
    assert found.sets == ((0, 1, 2),)
