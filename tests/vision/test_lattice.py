"""Laws of the lattice over random crosswords, turns, tilts and errors of the corners."""

from __future__ import annotations

import numpy as np
import pytest

from visionset.geometry import Floats, apply
from visionset.vision.lattice import Cell, lattice

SIDE_MM = 25.0
SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def crossword(rng: np.random.Generator, lines: int) -> list[Cell]:
    """Lines of three to five cells, each across or down from a cell that is there, no two parallel ones side by side by design."""
    cells = {(0, column) for column in range(3)}
    for _ in range(lines):
        row, column = sorted(cells)[rng.integers(len(cells))]
        back, length, is_row = rng.integers(3), rng.integers(3, 6), bool(rng.integers(2))
        for along in range(-back, length - back):
            cells.add((row, column + int(along)) if is_row else (row + int(along), column))
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return sorted((row - top, column - left) for row, column in cells)


def camera(turn_deg: float, tilt_deg: float, across_px: float = 900.0) -> Floats:
    """Image from table (mm about the middle): turned, then seen from `tilt_deg` beside straight above, from 600 mm."""
    turn, tilt = np.deg2rad(turn_deg), np.deg2rad(tilt_deg)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    view = np.array([[1, 0, 0], [0, np.cos(tilt), 0], [0, -np.sin(tilt) / 600, 1]])
    to_px = np.array([[across_px / 600, 0, 640], [0, across_px / 600, 360], [0, 0, 1]])
    return to_px @ view @ spin


def faces(cells: list[Cell], image_from_table: Floats, pitch: float = 1.03) -> Floats:
    """Outlines of dice in these cells, about the middle of the picture."""
    at = np.array(cells, float)[:, ::-1]
    at -= at.mean(axis=0)
    corners = SIDE_MM * (pitch * at[:, None] + SQUARE)
    return apply(image_from_table, corners.reshape(-1, 2)).reshape(-1, 4, 2)


def blurred(quads: Floats, share: float, rng: np.random.Generator) -> Floats:
    """Corners off by a share of the side (standard deviation), beginning at any of them, some counter-clockwise."""
    side = np.linalg.norm(quads[:, 0] - quads[:, 2], axis=1) / np.sqrt(2)
    quads = quads + rng.normal(size=quads.shape) * share * side[:, None, None]
    return np.stack([np.roll(quad, rng.integers(4), axis=0)[:: rng.choice([1, -1])] for quad in quads])


def scattered(count: int, rng: np.random.Generator, within_mm: float = 380) -> list[tuple[Floats, float]]:
    """Places and angles of thrown dice that do not lie in one another."""
    dice: list[tuple[Floats, float]] = []
    while len(dice) < count:
        place = rng.uniform(-within_mm / 2, within_mm / 2, 2)
        if all(np.hypot(*(place - other)) > 1.2 * SIDE_MM for other, _ in dice):
            dice.append((place, rng.uniform(0, 90)))
    return dice


def thrown(dice: list[tuple[Floats, float]], image_from_table: Floats) -> Floats:
    quads = []
    for place, angle in dice:
        cos, sin = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
        quads.append(apply(image_from_table, place + SIDE_MM * SQUARE @ np.array([[cos, sin], [-sin, cos]])))
    return np.array(quads)


def from_zero(cells: list[Cell]) -> list[Cell]:
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return [(row - top, column - left) for row, column in cells]


def quarter_turned(cells: list[Cell], times: int) -> list[Cell]:
    """Cells as they are numbered after the table was turned clockwise in the picture."""
    for _ in range(times):
        cells = [(column, -row) for row, column in cells]
    return from_zero(cells)


@pytest.mark.parametrize("seed", range(40))
def test_every_die_of_a_crossword_is_in_its_cell(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = crossword(rng, lines=rng.integers(0, 8))
    turn = rng.uniform(-40, 40)
    quads = blurred(faces(cells, camera(turn, rng.uniform(0, 50)), rng.uniform(1.0, 1.06)), 0.03, rng)
    assert list(lattice(quads)) == cells


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_table_turned_by_right_angles_is_numbered_from_its_new_top_left(seed: int, times: int) -> None:
    rng = np.random.default_rng(seed)
    cells = crossword(rng, lines=4)
    quads = blurred(faces(cells, camera(90 * times + rng.uniform(-35, 35), 25)), 0.02, rng)
    assert list(lattice(quads)) == quarter_turned(cells, times)


@pytest.mark.parametrize("seed", range(20))
def test_at_half_a_right_angle_the_numbering_is_one_of_four_and_never_mirrored(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = crossword(rng, lines=5)
    quads = blurred(faces(cells, camera(45, 30)), 0.02, rng)
    assert list(lattice(quads)) in [quarter_turned(cells, times) for times in range(4)]


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_the_dice_changes_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    quads = blurred(faces(crossword(rng, lines=5), camera(rng.uniform(0, 360), 35)), 0.03, rng)
    order = rng.permutation(len(quads))
    found = lattice(quads)
    assert lattice(quads[order]) == tuple(found[at] for at in order)


@pytest.mark.parametrize("seed", range(20))
def test_dice_that_were_missed_do_not_move_the_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = [(row, column) for row, column in crossword(rng, lines=7)]
    quads = blurred(faces(cells, camera(20, 40)), 0.02, rng)
    gone = set(rng.permutation(len(cells))[: len(cells) // 10].tolist())
    left = [at for at in range(len(cells)) if at not in gone]
    found = lattice(quads[left])
    inside = [(cell, cells[at]) for cell, at in zip(found, left, strict=True) if cell is not None]
    assert len(inside) >= len(left) - 1  # a die may be left with no neighbour within reach
    assert len({(cell[0] - true[0], cell[1] - true[1]) for cell, true in inside}) == 1


@pytest.mark.parametrize("seed", range(20))
def test_thrown_dice_are_no_grid_and_lie_outside_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    view = camera(rng.uniform(0, 360), rng.uniform(0, 45))
    dice = scattered(30, rng)
    quads = blurred(thrown(dice, view), 0.02, rng)
    assert lattice(quads) == (None,) * len(quads)
    far = thrown([(place + np.array([0, 450]), angle) for place, angle in dice[:8]], view)
    cells = crossword(rng, lines=3)
    both = lattice(np.concatenate([far, faces(cells, view)]))
    assert both[:8] == (None,) * 8
    assert None not in both[8:]


def test_words_that_meet_at_a_corner_or_beyond_a_gap_lie_on_one_lattice() -> None:
    corner = [(0, 0), (0, 1), (0, 2), (1, 3), (2, 3), (3, 3)]
    gap = [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)]
    for cells in (corner, gap):
        assert list(lattice(faces(cells, camera(15, 30)))) == cells


def test_a_second_grid_at_another_angle_or_far_away_stays_outside() -> None:
    view, row = camera(0, 0), [(0, column) for column in range(5)]
    askew = faces(row[:3], np.array([[1, 0, 0], [0, 1, 200], [0, 0, 1]]) @ camera(30, 0))
    assert lattice(np.concatenate([faces(row, view), askew])) == (*row, None, None, None)
    away = faces(row[:3], view) + np.array([0, 300])
    assert lattice(np.concatenate([faces(row, view), away])) == (*row, None, None, None)


def test_two_dice_or_a_corner_of_three_are_no_grid() -> None:
    for cells in ([(0, 0)], [(0, 0), (0, 1)], [(0, 0), (0, 1), (1, 1)]):
        assert lattice(faces(cells, camera(10, 20))) == (None,) * len(cells)


def test_three_in_a_line_among_many_more_are_chance() -> None:
    rng = np.random.default_rng(3)
    view = camera(0, 20)
    line = faces([(0, 0), (0, 1), (0, 2)], view)
    others = thrown([(place + np.array([0, 400]), angle) for place, angle in scattered(24, rng)], view)
    assert {cell for cell in lattice(np.concatenate([line, others[:10]])) if cell} == {(0, 0), (0, 1), (0, 2)}
    assert not any(lattice(np.concatenate([line, others])))


def test_false_outlines_have_no_cell_and_do_no_harm() -> None:
    cells = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)]
    quads = faces(cells, camera(5, 30))
    point, bow = np.zeros((4, 2)), quads[0][[0, 2, 1, 3]]
    unknown = np.full((4, 2), np.nan)
    half = quads[1] + (quads[2] - quads[1]) / 2
    found = lattice(np.stack([point, *quads, bow, unknown, half, quads[4]]))
    assert found[0] is None
    assert list(found[1:5]) == cells[:4]
    assert {found[5], found[9]} == {(2, 2), None}  # one die found twice is one die
    assert found[6:9] == (None, None, None)


def test_nothing_there() -> None:
    assert lattice(np.empty((0, 4, 2))) == ()
