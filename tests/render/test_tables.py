"""The truth of rendered tables of dice and cards: it fits what is painted, and the same seed gives the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from visionset.errors import SceneError
from visionset.geometry import apply, homography, is_convex
from visionset.pieces import PACK, Kind, PipDie, SetDie
from visionset.render.table_plan import CAMERAS, KINDS, LAYOUTS, LIGHTS, TablePlan, TableSpec, plan_table
from visionset.render.table_truth import true_pieces, truth_entry, truth_kind
from visionset.render.tables import light, render_table

SIZE = (320, 180)
UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def spec(layout: str, seed: int = 0, **more: object) -> TableSpec:
    return replace(TableSpec(layout, LAYOUTS[layout].kinds, seed, size_px=SIZE), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_piece_is_in_the_picture(layout: str, camera: str) -> None:
    plan = plan_table(spec(layout, 3, camera=camera))
    pieces = true_pieces(plan)
    least, most = LAYOUTS[layout].count
    assert least <= len(pieces) <= most
    for piece in pieces:
        assert np.all(piece.outline_px >= -0.5)
        assert np.all(piece.outline_px <= np.array(SIZE) - 0.5)
        assert is_convex(piece.outline_px)
        assert 0 <= piece.visible <= 1
        assert piece.kind in {KINDS[name] for name in LAYOUTS[layout].kinds}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_number_asked_for_lies_there(layout: str) -> None:
    asked = spec(layout, 5, count=7)
    pieces = true_pieces(plan_table(asked))
    assert len(pieces) == 7
    assert {piece.kind for piece in pieces} == {KINDS[name] for name in asked.kinds}


def test_forty_two_set_dice_are_scattered_by_default() -> None:
    pieces = true_pieces(plan_table(TableSpec()))
    assert len(pieces) == 42
    assert all(isinstance(piece.piece, SetDie) and piece.cell is None for piece in pieces)


def test_dice_do_not_stand_in_each_other() -> None:
    dice = plan_table(spec("scattered", 8)).dice
    for number, die in enumerate(dice):
        for other in dice[:number]:
            assert np.hypot(die.x_mm - other.x_mm, die.y_mm - other.y_mm) >= min(die.style.size_mm, other.style.size_mm)


def table_centers(plan: TablePlan) -> np.ndarray:
    return np.array([[one.x_mm, one.y_mm] for one in plan.dice])


@pytest.mark.parametrize("layout", ["grid", "board"])
@pytest.mark.parametrize("seed", range(4))
def test_cells_are_where_the_dice_are(layout: str, seed: int) -> None:
    """One turned lattice explains all places; dice in neighbouring cells touch or nearly do."""
    plan = plan_table(spec(layout, seed))
    cells = np.array([one.cell for one in plan.dice])
    assert len({tuple(cell) for cell in cells}) == len(cells)
    assert cells.min() >= 0
    ground = np.column_stack([cells[:, ::-1], np.ones(len(cells))])
    centers = table_centers(plan)
    lattice, *_ = np.linalg.lstsq(ground, centers, rcond=None)
    side = plan.dice[0].style.size_mm
    assert np.abs(ground @ lattice - centers).max() < 0.05 * side
    right, down = lattice[0], lattice[1]
    assert abs(right @ down) < 0.03 * side**2
    assert right[0] * down[1] - right[1] * down[0] > 0, "rows run down where columns run right"
    assert 0.97 * side < np.linalg.norm(right) < 1.15 * side
    if layout == "grid":
        assert cells.min(axis=0).tolist() == [0, 0]


def test_a_crossword_is_connected_and_has_holes() -> None:
    cells = {one.cell for one in plan_table(spec("grid", 2, count=24)).dice}
    reached, rim = set(), [min(cells)]
    while rim:
        row, column = rim.pop()
        reached.add((row, column))
        rim += [c for c in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)) if c in cells - reached]
    assert reached == cells
    rows, columns = (len({cell[axis] for cell in cells}) for axis in (0, 1))
    assert len(cells) < rows * columns


def test_dice_are_painted_where_the_truth_says() -> None:
    """Against the bare table: inside the corners all is different, pips and body differ, and far from dice nothing is."""
    plan = plan_table(TableSpec("scattered", ("pip-dice",), 11, "above", "overcast", "felt", 3, (160, 160)))
    radiance, bare = (light(one).picture for one in (plan, replace(plan, dice=())))
    changed = np.abs(radiance - bare).max(axis=2)
    inner = np.array([[x, y] for x in np.linspace(0.2, 0.8, 25) for y in np.linspace(0.2, 0.8, 25)])
    for piece in true_pieces(plan):
        at = np.round(apply(homography(piece.outline_px, UNIT), inner)).astype(int)
        levels = radiance[at[:, 1], at[:, 0]].mean(axis=1)
        assert isinstance(piece.piece, PipDie)
        assert levels.max() > 1.5 * levels.min()
        assert np.mean(changed[at[:, 1], at[:, 0]] > 0.01) > 0.9
    assert np.mean(changed < 0.001) > 0.15


def test_the_same_seed_gives_the_same_bytes() -> None:
    asked = spec("mixed", 4, count=6)
    (first, truth), (again, same) = render_table(asked), render_table(asked)
    assert np.array_equal(first, again)
    assert truth == same
    other, another = render_table(replace(asked, seed=5))
    assert not np.array_equal(first, other)
    assert truth != another


def test_covered_cards_are_read_by_their_index() -> None:
    """In a fan every index shows although most of the card is covered."""
    plan = plan_table(spec("fan", 8, count=7, camera="above"))
    pieces = true_pieces(plan)
    assert all(piece.readable for piece in pieces)
    assert min(piece.visible for piece in pieces) < 0.5
    names = Counter(str(piece.piece) for piece in pieces)
    assert set(names) <= {str(card) for card in PACK}
    assert max(names.values()) == 1


def test_a_hidden_die_is_optional() -> None:
    """A small die behind another, seen along the table: what is covered need not be read."""
    plan = plan_table(TableSpec("row", ("pip-dice",), 2, "laptop-lid", count=2, size_px=SIZE))
    front, behind = plan.dice
    side_mm = front.style.size_mm
    away = -plan.view.rotation[1, :2] / np.linalg.norm(plan.view.rotation[1, :2]) * 0.75 * side_mm
    small = replace(behind, style=replace(behind.style, size_mm=0.4 * side_mm))
    hidden = replace(small, x_mm=front.x_mm + float(away[0]), y_mm=front.y_mm + float(away[1]))
    pieces = true_pieces(replace(plan, dice=(front, hidden)))
    assert pieces[0].visible > 0.95
    assert pieces[1].visible < 0.6
    assert truth_entry(pieces, "")["pieces"] == [str(front.piece)]


def test_truth_says_what_kind_it_is() -> None:
    assert truth_kind([Kind.SET_DIE]) == "set_die"
    assert truth_kind([Kind.PLAYING_CARD, Kind.CARD_BACK]) == "playing_card"
    assert truth_kind([Kind.SET_DIE, Kind.PIP_DIE]) == "any"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"layout": "heap"}, "scattered"),
        ({"kinds": ("coins",)}, "pip-dice"),
        ({"camera": "below"}, "laptop-lid"),
        ({"light": "moon"}, "window"),
        ({"table": "lava"}, "felt"),
        ({"count": 0}, "1 to"),
        ({"seed": -1}, "0 or more"),
        ({"size_px": (10, 10)}, "1280x720"),
        ({"layout": "fan", "kinds": ("pip-dice",)}, "playing-cards"),
    ],
)
def test_what_cannot_be_rendered_is_refused_in_one_line(wrong: dict[str, object], told: str) -> None:
    with pytest.raises(SceneError, match=told) as refused:
        TableSpec(**wrong)  # type: ignore[arg-type]
    assert "expected" in str(refused.value)
    assert "got" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_every_light_is_about_one_on_white_paper() -> None:
    for light_of_one_name, _ in LIGHTS.values():
        total = np.add(light_of_one_name.lamp_rgb, light_of_one_name.ambient_rgb)
        assert total.min() > 0.2
        assert total.max() <= 1.02
