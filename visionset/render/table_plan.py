"""A table before it is painted: what is asked for in a few words, and what then lies where, seen from where, in which light.

Both renderers paint the same plan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from visionset.errors import SceneError
from visionset.geometry import Floats, Quad, apply
from visionset.pieces import Kind
from visionset.render.camera import Sensor, Viewpoint
from visionset.render.dice import Die
from visionset.render.hands import Part
from visionset.render.layouts import Spot, columns, corners_mm, crossword_cells, fan, on_lattice, rows, strewn
from visionset.render.materials import MATERIALS, TopPainter
from visionset.render.stage import TEXTURE_LIMIT_PX, Light, Pose, outline
from visionset.render.table_pieces import Flat, Item, deal_items, printed_board

_ANY = "any"  # name of a choice that the seed makes
# kinds of pieces by the name that people give them
KINDS: dict[str, Kind] = {
    "set-cards": Kind.SET_CARD,
    "set-dice": Kind.SET_DIE,
    "pip-dice": Kind.PIP_DIE,
    "playing-cards": Kind.PLAYING_CARD,
    "card-backs": Kind.CARD_BACK,
}
DICE = (Kind.SET_DIE, Kind.PIP_DIE)


class CameraRange(NamedTuple):
    """Where a camera of one name stands, as ranges that the seed draws from."""

    tilt_deg: tuple[float, float]  # 0 looks straight down, 90 along the table
    focal_widths: tuple[float, float]
    """Focal length in picture widths: 0.8 is a wide webcam (64 degrees across), 1.5 a telephone held farther away."""
    aperture_mm: tuple[float, float]
    """Radius of the lens opening: what is nearer or farther than the middle of the table blurs (physical renderer only)."""


# cameras by name; a laptop's lid looks down from about 35 degrees above the table
CAMERAS: dict[str, CameraRange] = {
    "above": CameraRange((0.0, 16.0), (0.9, 1.7), (0.3, 1.2)),
    "oblique": CameraRange((28.0, 46.0), (0.9, 1.6), (0.3, 1.4)),
    "laptop-lid": CameraRange((50.0, 56.0), (0.95, 1.2), (0.2, 0.7)),
}
_NOISY = {"read_noise": 0.005, "shot_noise": 0.03, "chroma_noise": 3.5}
_DULL = {"blur_px": 0.8, "vignette": 0.3, "contrast": 0.1, "sharpen": 0.8, "black": 0.012}

# lights by name, with the camera settings that go with them
LIGHTS: dict[str, tuple[Light, Sensor]] = {
    "window": (Light((-900.0, -700.0, 900.0), (0.62, 0.63, 0.64), (0.31, 0.33, 0.36), 320.0), Sensor(0.9)),
    "ceiling": (Light((200.0, -300.0, 1500.0), (0.5, 0.47, 0.43), (0.42, 0.4, 0.37), 180.0), Sensor(0.95)),
    "overcast": (Light((-300.0, -500.0, 1600.0), (0.28, 0.29, 0.3), (0.62, 0.64, 0.68), 500.0), Sensor(contrast=0.1)),
    "sun": (Light((1100.0, -900.0, 1300.0), (0.82, 0.78, 0.7), (0.17, 0.19, 0.24), 14.0), Sensor(0.92, contrast=0.35)),
    "lamp": (Light((420.0, -380.0, 560.0), (0.72, 0.56, 0.36), (0.16, 0.13, 0.09), 60.0), Sensor(0.95, (0.92, 1.0, 1.25), shot_noise=0.01)),
    "dim": (Light((300.0, -500.0, 800.0), (0.58, 0.54, 0.48), (0.32, 0.3, 0.28), 150.0), Sensor(0.6, (1.08, 1.0, 0.82), **_NOISY, **_DULL)),
}
_COUNT_LIMIT = 120  # more pieces than any game puts on a table
_SIZE_LIMIT_PX = (160, 4096)  # least and most pixels along a side of a picture


@dataclass(frozen=True, slots=True)
class Layout:
    """A sort of table: what lies there unless other kinds are asked for, the least and the most pieces, and what can lie like that."""

    kinds: tuple[str, ...]
    count: tuple[int, int]
    fits: tuple[Kind, ...] = tuple(Kind)


_CARDS = (Kind.SET_CARD, Kind.PLAYING_CARD, Kind.CARD_BACK)

# layouts by name
LAYOUTS: dict[str, Layout] = {
    "scattered": Layout(("set-dice",), (42, 42)),
    "grid": Layout(("set-dice",), (9, 30), DICE),
    "board": Layout(("set-dice",), (9, 24), DICE),
    "row": Layout(("playing-cards",), (4, 12)),
    "fan": Layout(("playing-cards",), (5, 9), _CARDS),
    "columns": Layout(("playing-cards",), (12, 24), _CARDS),
    "mixed": Layout(tuple(KINDS), (14, 20)),
}


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table to render; "any" leaves a choice to the seed."""

    layout: str = "scattered"  # one of `LAYOUTS`
    kinds: tuple[str, ...] = ()  # names out of `KINDS`; empty: those usual for the layout
    seed: int = 0  # decides everything that is not named here
    camera: str = _ANY  # one of `CAMERAS`
    light: str = _ANY  # one of `LIGHTS`
    table: str = _ANY  # one of `visionset.render.materials.MATERIALS`
    count: int | None = None  # pieces; None draws a usual number
    size_px: tuple[int, int] = (1280, 720)  # width and height of the picture

    def __post_init__(self) -> None:
        for what, name, names in (
            ("scene", self.layout, LAYOUTS),
            ("camera", self.camera, (_ANY, *CAMERAS)),
            ("light", self.light, (_ANY, *LIGHTS)),
            ("table", self.table, (_ANY, *MATERIALS)),
            *(("kind", kind, KINDS) for kind in self.kinds),
        ):
            if name not in names:
                raise SceneError(f"expected a {what} out of {', '.join(names)}, got {name!r}; choose one of them")
        fit, (least, most) = [name for name, kind in KINDS.items() if kind in LAYOUTS[self.layout].fits], _SIZE_LIMIT_PX
        wrong, size = [kind for kind in self.kinds if kind not in fit], "x".join(map(str, self.size_px))
        kinds, small = f"kinds that can lie as a {self.layout} ({', '.join(fit)})", not all(least <= side <= most for side in self.size_px)
        many = self.count is not None and not 1 <= self.count <= _COUNT_LIMIT
        for is_wrong, wanted, got, rather in (
            (wrong, kinds, ", ".join(wrong), "choose another scene or kind"),
            (many, f"1 to {_COUNT_LIMIT} pieces", self.count, "ask for fewer or more"),
            (self.seed < 0, "a seed of 0 or more", self.seed, "leave the minus out"),
            (small, f"a picture with sides of {least} to {most} pixels", size, "try 1280x720"),
        ):
            if is_wrong:
                raise SceneError(f"expected {wanted}, got {got}; {rather}")


_FILL = (0.82, 0.97)  # share of the picture's width or height that the pieces take
CARD_MM = 0.3  # thickness of a card: those on top lie higher
_BOARD_SQUARES = (9, 14)  # rows or columns of a printed board, least and one more than most
_FIT_ROUNDS = 8

Body = tuple[Part, ...]  # a hand or a pencil


@dataclass(frozen=True, slots=True, eq=False)
class LaidFlat:
    """A card or board and how it lies."""

    flat: Flat
    pose: Pose


@dataclass(frozen=True, slots=True, eq=False)
class TablePlan:
    """Everything a renderer needs."""

    seed: int  # of the table top's grain, the room and the sensor's noise
    view: Viewpoint
    light: Light
    sensor: Sensor  # what the camera makes of the light
    top: TopPainter  # paints the table top, as those of `MATERIALS` do
    flats: tuple[LaidFlat, ...] = ()  # first ones first
    dice: tuple[Die, ...] = ()
    grain_rad: float = 0.0  # turn of the table top's grain
    aperture_mm: float = 0.5  # radius of the lens opening
    texture_px: float = TEXTURE_LIMIT_PX  # most pixels of the painted table top
    says: str = ""  # what is asked for, in words

    def flat_quad(self, number: int) -> Quad:
        """Corners of a flat thing in the picture, from its own top left."""
        laid = self.flats[number]
        return outline(self.view, laid.flat.size_mm, laid.pose)

    def rng(self, purpose: int) -> np.random.Generator:
        """Chance of its own for one part of the painting, so that one part does not change another."""
        return np.random.default_rng([self.seed, purpose])


def plan_table(spec: TableSpec, fill: tuple[float, float] = _FILL) -> TablePlan:
    """Decide everything that the specification leaves to the seed; the pieces fill a share of the picture within `fill`."""
    rng = np.random.default_rng(spec.seed)
    layout, names = LAYOUTS[spec.layout], {"camera": spec.camera, "light": spec.light, "table": spec.table}
    drawn = [str(rng.choice(list(some))) for some in (CAMERAS, LIGHTS, MATERIALS)]
    named = {what: chance if name == _ANY else name for (what, name), chance in zip(names.items(), drawn, strict=True)}
    usual, kinds = int(rng.integers(layout.count[0], layout.count[1] + 1)), spec.kinds or layout.kinds
    camera, (light, sensor) = CAMERAS[named["camera"]], LIGHTS[named["light"]]
    flats, dice = _lay_out(rng, spec.layout, deal_items(rng, [KINDS[name] for name in kinds], spec.count or usual))
    tilt = float(rng.uniform(*camera.tilt_deg))
    turn = float(rng.normal(0, 4 if spec.layout in ("row", "fan", "columns") else 9))
    focal_px = float(rng.uniform(*camera.focal_widths)) * max(spec.size_px)
    cards = [corners_mm(laid.pose.place, laid.flat.size_mm) for laid in flats if laid.flat.kind is not None]
    seen = [np.pad(quad, ((0, 0), (0, 1))) for quad in cards] + [one.corners_mm() for one in dice]
    view, (x, y) = _fitting_view(np.concatenate(seen), spec.size_px, tilt, turn, focal_px, float(rng.uniform(*fill)))
    spots = [replace(laid.pose.place, x_mm=laid.pose.place.x_mm - x, y_mm=laid.pose.place.y_mm - y) for laid in flats]
    flats = [replace(laid, pose=replace(laid.pose, place=spot)) for laid, spot in zip(flats, spots, strict=True)]
    dice = [replace(one, x_mm=one.x_mm - x, y_mm=one.y_mm - y) for one in dice]
    aperture, swing = float(rng.uniform(*camera.aperture_mm)), float(rng.normal(0, 0.5))
    light = replace(light, lamp_mm=(*Spot(0.0, 0.0, swing).beside(*light.lamp_mm[:2], 0.0).xy, light.lamp_mm[2]))  # elsewhere around
    sensor, grain = replace(sensor, exposure=sensor.exposure * float(np.exp(rng.normal(0, 0.1)))), float(rng.uniform(0, np.pi))
    says = f"{spec.layout} of {' and '.join(kinds)}, {', '.join(map(' '.join, named.items()))}, seed {spec.seed}"
    top = MATERIALS[named["table"]]
    return TablePlan(spec.seed, view, light, sensor, top, tuple(flats), tuple(dice), grain, aperture, says=says)


def _fitting_view(
    points_mm: Floats, size_px: tuple[int, int], tilt_deg: float, turn_deg: float, focal_px: float, fill: float
) -> tuple[Viewpoint, tuple[float, float]]:
    """View in which points, shape (n, 3), take a share `fill` of the picture's width or height, and what to take from all x and y."""
    middle, half = ((size_px[0] - 1) / 2, (size_px[1] - 1) / 2), fill * np.array(size_px) / 2
    view, shift = Viewpoint(size_px, 1.0, tilt_deg, turn_deg, focal_px, middle), np.append(points_mm[:, :2].mean(axis=0), 0)
    for _ in range(_FIT_ROUNDS):
        # a point x to the side and z above is seen at s x / (1 - s z / focal): within half a side for s <= 1 / (x / half + z / focal)
        across = (points_mm - shift) @ view.rotation.T
        scale = float(1 / (np.abs(across[:, :2]) / half + across[:, 2:] / focal_px).max())
        view = replace(view, scale_px_mm=scale, distance_mm=focal_px / scale)
        seen = view.see(points_mm - shift)[0]
        off = (seen.min(axis=0) + seen.max(axis=0)) / 2
        shift = shift + np.append(apply(np.asarray(np.linalg.inv(view.image_from_table), np.float64), off[None])[0], 0)
    return view, (float(shift[0]), float(shift[1]))


def _lay_out(rng: np.random.Generator, layout: str, items: list[Item]) -> tuple[list[LaidFlat], list[Die]]:
    sizes = [item.size_mm for item in items]
    largest = max(width for width, _ in sizes), max(height for _, height in sizes)
    if layout in ("grid", "board"):
        return _crossword(rng, [item for item in items if isinstance(item, Die)], layout == "board")
    if layout == "fan":
        rng.shuffle(items)
        places = fan(rng, largest, max(_show_mm(item)[0] for item in items), len(items))
    elif layout == "columns":
        places = columns(rng, largest, max(_show_mm(item)[1] for item in items), len(items))
    else:
        places = rows(rng, sizes) if layout == "row" else strewn(rng, sizes)
    flats: list[LaidFlat] = []
    dice: list[Die] = []
    for item, place in zip(items, places, strict=True):
        if isinstance(item, Die):
            dice.append(item.at(place))
        else:
            warp = (float(rng.normal(0, 0.012)), float(rng.normal(0, 0.018)))
            below = len(flats) if layout in ("fan", "columns") else 0
            flats.append(LaidFlat(item, Pose(place, CARD_MM * (1 + below), 0.0, warp)))
    return flats, dice


def _crossword(rng: np.random.Generator, blocks: list[Die], on_board: bool) -> tuple[list[LaidFlat], list[Die]]:
    """Dice on a lattice, their cells counted from its corner or from that of the printed board on whose squares they stand."""
    side = max(block.style.size_mm for block in blocks)
    pitch = side * float(rng.uniform(1.03, 1.12) if on_board else rng.uniform(1.0, 1.05))
    cells = crossword_cells(rng, len(blocks))
    turn = float(rng.normal(0, 0.3) if on_board else rng.uniform(0, 2 * np.pi))
    whole = Spot(0.0, 0.0, turn)
    loose = on_lattice(rng, cells, (pitch, pitch), min(0.012 * side, 0.3 * (pitch - side)), 0.01, 4)
    places = [whole.beside(*place.xy, place.turn_rad) for place in loose]
    flats: list[LaidFlat] = []
    if on_board:
        used = np.max(cells, axis=0) + 1
        size = [int(max(rng.integers(*_BOARD_SQUARES), need)) for need in used]
        first = [int(rng.integers(0, have - need + 1)) for have, need in zip(size, used, strict=True)]
        down, right = pitch * ((np.array(size) - used) / 2 - first)  # from the middle of the crossword to that of the board
        face = printed_board(rng, size[0], size[1], pitch)
        cells = [(row + first[0], column + first[1]) for row, column in cells]
        place = whole.beside(float(right), float(down), 0.0)
        flats = [LaidFlat(Flat(None, None, face.size_mm, 0.0, lambda px_mm: face), Pose(place, CARD_MM / 2))]
    return flats, [replace(b.at(p), cell=cell) for b, p, cell in zip(blocks, places, cells, strict=True)]


def _show_mm(item: Item) -> tuple[float, float]:
    """How much of a card's left and upper edge must stay open for its index to show."""
    if not isinstance(item, Flat) or not item.indices_mm:
        return 0.22 * item.size_mm[0], 0.2 * item.size_mm[1]
    inner = item.indices_mm[0].max(axis=0)
    return float(inner[0] + item.size_mm[0] / 2), float(inner[1] + item.size_mm[1] / 2)
