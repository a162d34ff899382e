"""Dice that wait beside a grid of Crossword SET."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from visionset.games.grid import Cell
from visionset.pieces import Kind, SetDie
from visionset.referee.pool import Pool
from visionset.table import Moved, Sighting

SIDE_PX = 30.0
OVALS = {"1-red-oval": (0, 0), "2-red-oval": (0, 1), "3-red-oval": (0, 2)}


def die(track: int, name: str, cell: Cell) -> Sighting:
    corners = SIDE_PX * (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array(cell[::-1]))
    return Sighting(Kind.SET_DIE, corners, SetDie.parse(name), 0.99, track=track)


def laid(pool: Pool, dice: dict[Cell, Sighting], beside: tuple[Sighting, ...] = ()) -> set[Cell]:
    return set(pool.grid(dice, (*dice.values(), *beside)))


def ovals(first_track: int = 0) -> dict[Cell, Sighting]:
    return {cell: die(first_track + at, name, cell) for at, (name, cell) in enumerate(OVALS.items())}


def test_dice_that_touch_are_laid_and_two_of_them_are_no_grid() -> None:
    assert laid(Pool(), ovals()) == set(OVALS.values())
    assert laid(Pool(), dict(list(ovals().items())[:2])) == set()


def test_a_die_that_waits_where_the_grid_grows_to_is_not_laid() -> None:
    pool, waiting = Pool(), die(9, "1-green-diamond", (0, 3))
    pool.throw([waiting])
    assert laid(pool, ovals() | {(0, 3): waiting}) == set(OVALS.values())
    assert laid(pool, ovals() | {(0, 3): waiting}) == set(OVALS.values())


def test_it_is_laid_when_a_hand_puts_it_there() -> None:
    pool, before, after = Pool(), die(9, "1-green-diamond", (5, 5)), die(9, "1-green-diamond", (0, 3))
    pool.throw([before])
    pool.changed([Moved(before, after)])
    assert laid(pool, ovals() | {(0, 3): after}) == {*OVALS.values(), (0, 3)}


def test_a_bumped_camera_has_laid_no_die() -> None:
    """The tracker follows the view, and tells of nothing; in the picture each die lies elsewhere."""
    pool, dice = Pool(), ovals() | {(0, 3): die(9, "1-green-diamond", (0, 3))}
    pool.throw([dice[0, 3]])
    assert laid(pool, dice) == set(OVALS.values())
    bumped = {cell: replace(one, outline_px=one.outline_px + 2 * SIDE_PX) for cell, one in dice.items()}
    assert laid(pool, bumped) == set(OVALS.values())


def test_others_may_be_laid_around_a_die_that_was_not_moved() -> None:
    pool, anchor, beside = Pool(), die(0, "1-red-oval", (0, 0)), die(9, "1-green-diamond", (0, -1))
    pool.throw([anchor, beside])
    assert laid(pool, ovals() | {(0, -1): beside}) == set(OVALS.values())


def test_a_die_whose_set_only_touches_the_others_is_laid_where_that_is_enough() -> None:
    pool, waiting = Pool(), die(9, "3-green-oval", (1, 2))
    pool.throw([waiting])
    greens = {(1, 0): die(7, "1-green-oval", (1, 0)), (1, 1): die(8, "2-green-oval", (1, 1)), (1, 2): waiting}
    dice = ovals() | greens
    assert set(pool.grid(dice, list(dice.values()), touching_joins=True)) == set(dice)


def test_a_die_that_was_laid_stays_so_when_it_is_read_otherwise() -> None:
    pool, grid = Pool(), ovals()
    assert laid(pool, grid) == set(OVALS.values())
    pool.throw(list(grid.values()))
    assert laid(pool, grid | {(0, 0): die(0, "1-red-squiggle", (0, 0))}) == set(OVALS.values())


def test_a_die_that_lay_apart_waits_from_then_on() -> None:
    pool, waiting = Pool(), die(9, "1-green-diamond", (1, 1))
    assert laid(pool, {}, (waiting,)) == set()
    assert laid(pool, ovals() | {(1, 1): waiting}) == set(OVALS.values())
