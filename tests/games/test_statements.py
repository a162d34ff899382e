"""What WILDs stand for, against every statement there is (rules D3, D14, D16)."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from tests.games.model_grid import Cell, Face, all_ways, face_of, random_grid, solid_block, spelled
from tests.games.test_crossword import die, grid, texts
from visionset.games.grid import Laid, faults, settle_wilds, used_cells
from visionset.pieces import SetDie


def shown(face: Face | None) -> SetDie:
    return SetDie.parse(spelled(face))


def compare(faces: Mapping[Cell, Face | None], touching: bool, first: frozenset[Cell] = frozenset()) -> None:
    """The package finds no fault exactly where a statement without one exists, and uses the most dice that a statement uses."""
    laid = [Laid(*cell, shown(face)) for cell, face in faces.items()]
    ways = all_ways(faces, touching, first)
    assert used_cells(laid, touching, first) in ways.parts
    assert (faults(laid, touching, first) == ()) == (ways.used == len(faces))
    settled = {one.cell: face_of(str(one.value)) for one in settle_wilds(laid, touching, first)}
    assert all_ways(settled, touching, first).used == ways.used


def compare_many(seed: int, count: int, wilds: int) -> None:
    rng = random.Random(seed)
    for number in range(count):
        faces = random_grid(rng, wilds)
        first = frozenset(rng.sample(sorted(faces), rng.randint(0, 3))) if number % 4 == 3 else frozenset()
        compare(faces, touching=number % 2 == 1, first=first)


@pytest.mark.parametrize("wilds", range(4))
def test_statements_are_as_good_as_any(wilds: int) -> None:
    compare_many(1, 150, wilds)


def test_statements_of_four_wilds_are_as_good_as_any() -> None:
    compare_many(2, 4, 4)


@pytest.mark.slow
@pytest.mark.parametrize("wilds", range(4))
def test_statements_in_20_000_grids(wilds: int) -> None:
    compare_many(3, 5000, wilds)


@pytest.mark.slow
def test_statements_of_four_wilds_in_200_grids() -> None:
    compare_many(4, 200, 4)


@pytest.mark.slow
@pytest.mark.parametrize("wilds", range(1, 5))
def test_statements_in_solid_blocks(wilds: int) -> None:
    """Where each WILD is in up to six windows."""
    rng = random.Random(wilds)
    for number in range(100 if wilds < 4 else 20):
        compare(solid_block(rng, rng.randint(2, 5), rng.randint(3, 6), wilds), touching=number % 2 == 1)


def test_no_statement_serves_both_windows_of_two_wilds() -> None:
    """D14: with a and b for the WILDs, 1ro + a + b and a + b + 2go would both have to be a SET."""
    assert texts("1ro W W 2go") == ["2-green-oval in row 0, column 3 is in no SET; move it"]
    assert len(used_cells(grid("1ro W W 2go"))) == 3
    assert texts("1ro W W 1ro") == []
    assert len(used_cells(grid("1ro W W 1ro"))) == 4


def test_two_wilds_in_a_line_that_serve_all_their_windows() -> None:
    """D14: the first is 2-purple-squiggle or so; that it is found needs a look at both at once."""
    laid = grid("3po 1po 2po W W 1ps 3ps")
    assert faults(laid) == ()
    assert len(used_cells(laid)) == 7


def test_a_line_of_wilds_is_one_grid() -> None:
    assert texts(" ".join("W" * 12)) == []
    assert len(used_cells(grid(" ".join("W" * 12)))) == 12


def test_a_wild_joins_what_touches() -> None:
    """D14, with dice that touch: as 3-purple-diamond the WILD shares a die with the column, as 1-purple-oval it uses all dice."""
    rows = "1ps 2po W 3po", "1ro . . .", "1gd . . ."
    assert texts(*rows, touching=True) == []
    assert len(used_cells(grid(*rows), touching_joins=True)) == 6
    assert len(used_cells(grid(*rows))) == 5


def test_a_wild_with_no_line_is_left_as_it_is() -> None:
    laid = grid("1ro 2ro 3ro . W")
    assert settle_wilds(laid) == tuple(laid)
    assert settle_wilds(grid("1ro W 3ro"))[1].stated == die("2-red-oval")


def test_a_die_in_the_cell_of_a_wild_is_not_stated() -> None:
    """D3: only a WILD stands for another face; two dice in one cell are a fault of their own."""
    laid = [*grid("1ro W 3ro"), Laid(0, 1, die("1-green-diamond"))]
    assert [one.stated for one in settle_wilds(laid) if not one.face.is_wild] == [None] * 3


def test_dice_that_come_first_keep_their_set() -> None:
    """D15: two lines want the WILD; without more it serves the longer part."""
    laid = grid("1ro 2ro W 1rd 2go", ". . 1gs", ". . 1gd")
    assert (0, 0) not in used_cells(laid) or (2, 2) not in used_cells(laid)
    assert {(0, 0), (0, 1)} <= used_cells(laid, first=[(0, 0), (0, 1)])
    assert {(1, 2), (2, 2)} <= used_cells(laid, first=[(1, 2), (2, 2)])
