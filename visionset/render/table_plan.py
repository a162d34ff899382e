"""A table before it is painted: what lies where, seen from where, in which light. Both renderers paint the same plan."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from visionset.errors import SceneError
from visionset.geometry import Floats, Quad, apply
from visionset.render.dice import Die, top_quad
from visionset.render.layouts import Cell, Spot, columns, corners_mm, crossword_cells, fan, on_lattice, rows, strewn
from visionset.render.limbs import Part
from visionset.render.materials import MATERIALS, TablePainter
from visionset.render.sensor import Sensor
from visionset.render.stage import TEXTURE_LIMIT_PX, Light, Pose, outline
from visionset.render.table_pieces import Flat, Item, deal_items, printed_board
from visionset.render.table_spec import CAMERAS, LIGHTS, TableSpec
from visionset.render.viewpoint import Viewpoint

FILL = (0.82, 0.97)
"""Share of the picture's width or height that the pieces take."""

CARD_MM = 0.3
"""Thickness of a card: those on top lie higher."""

BOARD_SQUARES = (9, 14)
"""Rows or columns of a printed board, least and one more than most."""

_FIT_ROUNDS, _FIT_STEPS = 8, 40


Body = tuple[Part, ...]
"""A hand or a pencil."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidFlat:
    """A card or board and how it lies."""

    flat: Flat
    pose: Pose


@dataclass(frozen=True, slots=True, eq=False)
class TablePlan:
    """Everything a renderer needs."""

    seed: int
    """Of the table top's grain, the room and the sensor's noise."""
    view: Viewpoint
    light: Light
    sensor: Sensor
    """What the camera makes of the light."""
    top: TablePainter
    """Paints the table top, as those of `MATERIALS` do."""
    flats: tuple[LaidFlat, ...] = ()
    """First ones first."""
    dice: tuple[Die, ...] = ()
    bodies: tuple[Body, ...] = ()
    """Hands and pencils."""
    grain_rad: float = 0.0
    """Turn of the table top's grain."""
    aperture_mm: float = 0.5
    lamp_radius_mm: float = 200.0
    """Radius of the lens opening, and of the lamp."""
    texture_px: float = TEXTURE_LIMIT_PX
    """Most pixels of the painted table top."""
    says: str = ""
    """What is asked for, in words."""

    def flat_quad(self, number: int) -> Quad:
        """Corners of a flat thing in the picture, from its own top left."""
        laid = self.flats[number]
        return outline(self.view, laid.flat.size_mm, laid.pose)

    def die_quad(self, number: int) -> Quad:
        """Corners of a die's top face in the picture."""
        return top_quad(self.view, self.dice[number])

    def rng(self, purpose: int) -> np.random.Generator:
        """Chance of its own for one part of the painting, so that one part does not change another."""
        return np.random.default_rng([self.seed, purpose])


def plan_table(spec: TableSpec, fill: tuple[float, float] = FILL) -> TablePlan:
    """Decide everything that the specification leaves to the seed; the pieces fill a share of the picture within `fill`."""
    rng = np.random.default_rng(spec.seed)
    spec = spec.settled(rng)
    camera, setup = CAMERAS[spec.camera], LIGHTS[spec.light]
    if spec.count is None:
        raise SceneError("expected a number of pieces, got none; settle the specification first")
    items = deal_items(rng, spec.kinds, spec.count)
    flats, dice = _lay_out(rng, spec.layout, items)
    tilt = float(rng.uniform(*camera.tilt_deg))
    turn = float(rng.normal(0, 4) if spec.layout in ("row", "fan", "columns") else rng.normal(0, 9))
    focal_px = float(rng.uniform(*camera.focal_widths)) * max(spec.size_px)
    view, shift = fitting_view(_extent(flats, dice), spec.size_px, tilt, turn, focal_px, float(rng.uniform(*fill)))
    flats = tuple(replace(laid, pose=replace(laid.pose, place=_moved(laid.pose.place, shift))) for laid in flats)
    dice = tuple(replace(one, x_mm=one.x_mm - shift[0], y_mm=one.y_mm - shift[1]) for one in dice)
    return TablePlan(
        spec.seed,
        view,
        aperture_mm=float(rng.uniform(*camera.aperture_mm)),
        light=_swung(setup.light, float(rng.normal(0, 0.5))),
        lamp_radius_mm=setup.lamp_radius_mm,
        sensor=replace(setup.sensor, exposure=setup.sensor.exposure * float(np.exp(rng.normal(0, 0.1)))),
        grain_rad=float(rng.uniform(0, np.pi)),
        top=MATERIALS[spec.table],
        flats=flats,
        dice=dice,
        says=spec.words,
    )


def fitting_view(
    points_mm: Floats, size_px: tuple[int, int], tilt_deg: float, turn_deg: float, focal_px: float, fill: float
) -> tuple[Viewpoint, Floats]:
    """Find the distance from which points fill the picture, and how far to move them so that they are in its middle.

    Parameters
    ----------
    points_mm : ndarray of float64, shape (n, 3)
        What should be seen, in a share `fill` of the picture's width or height.

    Returns
    -------
    view : Viewpoint
    shift_mm : ndarray of float64, shape (2,)
        To be taken from x and y.
    """
    middle = (size_px[0] - 1) / 2, (size_px[1] - 1) / 2
    shift = points_mm[:, :2].mean(axis=0)

    def view_at(scale: float) -> Viewpoint:
        return Viewpoint(size_px, scale, tilt_deg, turn_deg, focal_px / scale, middle)

    view = view_at(1.0)
    for _ in range(_FIT_ROUNDS):
        moved = points_mm - np.append(shift, 0)
        low, high = np.log(1e-3), np.log(1e3)
        for _ in range(_FIT_STEPS):
            view = view_at(float(np.exp((low + high) / 2)))
            seen, toward, _scale = view.see(moved)
            fits = toward.max() < view.distance_mm and bool(np.all(np.abs(seen - middle) <= fill * np.array(size_px) / 2))
            low, high = ((low + high) / 2, high) if fits else (low, (low + high) / 2)
        view = view_at(float(np.exp(low)))
        seen = view.see(moved)[0]
        off = (seen.min(axis=0) + seen.max(axis=0)) / 2
        shift = shift + apply(np.asarray(np.linalg.inv(view.image_from_table), np.float64), off[None])[0]
    return view, np.asarray(shift)


def _lay_out(rng: np.random.Generator, layout: str, items: list[Item]) -> tuple[tuple[LaidFlat, ...], tuple[Die, ...]]:
    sizes = [item.size_mm for item in items]
    largest = max(width for width, _ in sizes), max(height for _, height in sizes)
    if layout in ("grid", "board"):
        return _crossword(rng, [item for item in items if isinstance(item, Die)], layout == "board")
    if layout == "fan":
        rng.shuffle(items)
        places = fan(rng, largest, max(_show_mm(item)[0] for item in items), len(items))
    elif layout == "columns":
        places = columns(rng, largest, max(_show_mm(item)[1] for item in items), len(items))
    elif layout == "row":
        places = rows(rng, sizes)
    else:
        places = strewn(rng, sizes)
    flats: list[LaidFlat] = []
    dice: list[Die] = []
    for item, place in zip(items, places, strict=True):
        if isinstance(item, Die):
            dice.append(item.at(place))
        else:
            flats.append(LaidFlat(item, _lying(rng, place, len(flats), layout in ("fan", "columns"))))
    return tuple(flats), tuple(dice)


def _crossword(rng: np.random.Generator, blocks: list[Die], on_board: bool) -> tuple[tuple[LaidFlat, ...], tuple[Die, ...]]:
    side = max(block.style.size_mm for block in blocks)
    pitch = side * float(rng.uniform(1.03, 1.12) if on_board else rng.uniform(1.0, 1.05))
    loose = min(0.012 * side, 0.3 * (pitch - side))
    cells = crossword_cells(rng, len(blocks))
    turn = float(rng.normal(0, 0.3) if on_board else rng.uniform(0, 2 * np.pi))
    places = on_lattice(rng, cells, pitch, loose, turn)
    flats: tuple[LaidFlat, ...] = ()
    if on_board:
        cells, board = _board_under(rng, cells, places, pitch, turn)
        flats = (board,)
    dice = [replace(b.at(p), cell=cell) for b, p, cell in zip(blocks, places, cells, strict=True)]
    return flats, tuple(dice)


def _board_under(rng: np.random.Generator, cells: list[Cell], places: list[Spot], pitch: float, turn: float) -> tuple[list[Cell], LaidFlat]:
    """A board whose squares the dice stand on, and their cells counted from its corner."""
    used = np.max(cells, axis=0) + 1
    size = [int(max(rng.integers(*BOARD_SQUARES), need)) for need in used]
    first = [int(rng.integers(0, have - need + 1)) for have, need in zip(size, used, strict=True)]
    middle = (np.array(size) - 1) / 2 - first - (used - 1) / 2  # of the board, in squares from the middle of the crossword
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = pitch * middle[1], pitch * middle[0]
    face = printed_board(rng, size[0], size[1], pitch)
    board = Flat(None, None, face.size_mm, 0.0, lambda px_mm: face)
    place = Spot(float(cos * x - sin * y), float(sin * x + cos * y), turn)
    return [(row + first[0], column + first[1]) for row, column in cells], LaidFlat(board, Pose(place, CARD_MM / 2))


def _show_mm(item: Item) -> tuple[float, float]:
    """How much of a card's left and upper edge must stay open for its index to show."""
    if not isinstance(item, Flat) or not item.indices_mm:
        return 0.22 * item.size_mm[0], 0.2 * item.size_mm[1]
    inner = item.indices_mm[0].max(axis=0)
    return float(inner[0] + item.size_mm[0] / 2), float(inner[1] + item.size_mm[1] / 2)


def _lying(rng: np.random.Generator, place: Spot, below: int, stacked: bool) -> Pose:
    warp = (float(rng.normal(0, 0.012)), float(rng.normal(0, 0.018)))
    return Pose(place, CARD_MM * (1 + (below if stacked else 0)), 0.0, warp)


def _moved(place: Spot, shift: Floats) -> Spot:
    return Spot(place.x_mm - float(shift[0]), place.y_mm - float(shift[1]), place.turn_rad)


def _extent(flats: tuple[LaidFlat, ...], dice: tuple[Die, ...]) -> Floats:
    """Points that must be in the picture: corners of all pieces; a board may reach beyond."""
    flat = [corners_mm(laid.pose.place, laid.flat.size_mm) for laid in flats if laid.flat.kind is not None]
    points = [np.column_stack([quad, np.zeros(4)]) for quad in flat] + [one.corners_mm() for one in dice]
    return np.concatenate(points)


def _swung(light: Light, by_rad: float) -> Light:
    """The same lamp, elsewhere around the table."""
    x, y, z = light.lamp_mm
    cos, sin = float(np.cos(by_rad)), float(np.sin(by_rad))
    return replace(light, lamp_mm=(cos * x - sin * y, sin * x + cos * y, z))
