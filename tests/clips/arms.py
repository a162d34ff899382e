"""Arms that rest over cards, and hands that take some: seeded scripts, and a reader that reads what is in sight.

What a network makes of half a card is not the question here: it says what is there where little is hidden, and nothing where most is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from tests.clips.mats import Mat
from tests.clips.moments import Item, Moment
from tests.clips.stage import LAMP, Look, Stage
from tests.clips.windows import place_of
from visionset.geometry import Frame
from visionset.pieces import SET_DECK, SET_DIE_FACES, Piece
from visionset.render.hands import HandPose, Person
from visionset.render.layouts import Spot
from visionset.render.materials import MATERIALS
from visionset.table import Guess, Sighting, Table

FPS = 15.0
SIZE_PX = (640, 360)
CARD_MM = (57.0, 87.0)
NOISE = 1.8
PERSONS = {
    "navy": (0.05, 0.075, 0.14),
    "white": (0.78, 0.78, 0.76),
    "grey": (0.28, 0.28, 0.28),
    "red": (0.42, 0.05, 0.05),
    "bare": (0.58, 0.33, 0.225),
}
"""Sleeves by name; "table" is one more: what the table is made of."""

SEEN, GUESSED = 0.9, 0.55
"""A card is read while so much of it is in sight, and now and then while so much is."""


@dataclass
class Case:
    """A table, what happens on it, and the truth.

    Attributes
    ----------
    taken : dict of Piece to int
        Cards that are taken, and the frame from which no hand is in sight.
    """

    name: str
    stage: Stage
    moments: list[Moment]
    taken: dict[Piece, int] = field(default_factory=dict)
    others: set[Piece] = field(default_factory=set)

    def frames(self, seed: int = 0) -> Iterator[Frame]:
        rng = np.random.default_rng([seed, 9])
        noise = rng.normal(0, NOISE, (SIZE_PX[1] + 48, SIZE_PX[0] + 48, 3)).astype(np.float32)
        for index, moment in enumerate(self.moments):
            left, top = rng.integers(0, 48, 2)
            picture = self.stage.picture(moment) + noise[top : top + SIZE_PX[1], left : left + SIZE_PX[0]]
            yield Frame(np.asarray(np.clip(picture, 0, 255), np.uint8), index, index / FPS)

    def read(self, frame: Frame) -> Table:
        moment = self.moments[frame.index]
        cover = np.zeros(SIZE_PX[::-1], np.float32)
        if moment.hand is not None:
            _, seen, _ = self.stage._overhead(moment.hand)
            if seen is not None:
                left, top, right, bottom = place_of(seen)
                cover[top:bottom, left:right] = seen.cover
        for one in moment.moving:
            cv2.fillConvexPoly(cover, np.round(self.stage.outline_px(one)).astype(np.int32), 1.0)
        rng = np.random.default_rng([frame.index, 8])
        found = []
        for item in moment.lying:
            outline = self.stage.outline_px(item)
            inside = np.zeros(cover.shape, np.uint8)
            cv2.fillConvexPoly(inside, np.round(outline).astype(np.int32), 1)
            sight = 1 - float(cover[inside > 0].mean()) if inside.any() else 0.0
            if sight > SEEN or (sight > GUESSED and rng.random() < 0.5):
                assert item.piece is not None
                jitter = rng.normal(0, 0.4, (4, 2))
                found.append(Sighting(item.piece.kind, outline + jitter, item.piece, 0.95, Guess(item.piece, 0.95)))
        return Table(SIZE_PX, tuple(found), frame.index)


def pose(tip_mm: np.ndarray, heading: float, height_mm: float, back_mm: float = 0.0, pinch: float = 0.2) -> HandPose:
    """A hand whose fingers are so far from where they go."""
    x, y = tip_mm - back_mm * np.array([np.cos(heading), np.sin(heading)])
    return HandPose((float(x), float(y), height_mm + 0.06 * back_mm), heading, 16.0, 0.2, pinch, 0.4)


WAYS_MM = (330.0, 200.0, 110.0, 45.0)
"""How far the fingers are from their goal in the frames of a way."""


class Plan:
    """A case while it is written."""

    def __init__(self, stage: Stage, lying: tuple[Item, ...], rng: np.random.Generator) -> None:
        self.stage, self.lying, self.rng = stage, lying, rng
        self.moments: list[Moment] = []

    def rest(self, frames: int) -> None:
        self.moments += [Moment(self.lying)] * frames

    def come(self, tip: np.ndarray, heading: float, height: float) -> None:
        self.moments += [Moment(self.lying, pose(tip, heading, height, back)) for back in WAYS_MM]

    def stay(self, tip: np.ndarray, heading: float, height: float, frames: int) -> None:
        """A resting arm trembles a little, and is shown still most of the time."""
        trembling = pose(tip + self.rng.normal(0, 0.7, 2), heading, height)
        still = pose(tip, heading, height)
        self.moments += [Moment(self.lying, trembling if number % 9 == 4 else still) for number in range(frames)]

    def go(self, tip: np.ndarray, heading: float, height: float, held: tuple[Item, ...] = ()) -> None:
        for back in WAYS_MM[::-1]:
            at = pose(tip, heading, height, back, 0.8 if held else 0.2)
            x, y, z = at.tip_mm
            reach = 28.0 * np.array([np.cos(heading), np.sin(heading)])
            moving = tuple(one.at(x + float(reach[0]), y + float(reach[1]), z) for one in held)
            self.moments.append(Moment(self.lying, at, moving))

    def take(self, item: Item) -> None:
        self.lying = tuple(one for one in self.lying if one != item)


def spot_of(item: Item) -> np.ndarray:
    return np.array([item.place.x_mm, item.place.y_mm])


def table(rng: np.random.Generator, seed: int) -> tuple[str, Stage, tuple[Item, ...]]:
    """A table, its cloth, what lies under cards, the light, the sleeve, and cards in rows."""
    material = str(rng.choice(list(MATERIALS)))
    tilt = float(rng.uniform(5, 42))
    columns, rows = (4, 3) if rng.random() < 0.7 else (6, 3)
    size = np.array(CARD_MM[::-1] if columns == 4 else CARD_MM)
    pitch = size + (rng.uniform((4, 4), (26, 20)) if columns == 4 else rng.uniform(4, 24, 2))
    turn = np.pi / 2 if columns == 4 else 0.0
    card_items = []
    deck = rng.permutation(len(SET_DECK))
    for number in range(columns * rows):
        x, y = (np.array([number % columns, number // columns]) - np.array([columns - 1, rows - 1]) / 2) * pitch
        x, y = np.array([x, y]) + rng.normal(0, 1.5, 2)
        place = Spot(float(x), float(y), float(turn + rng.normal(0, 0.04)))
        card_items.append(Item(SET_DECK[deck[number]], place))
    kind = str(rng.choice(["none", "none", "border", "stain", "mat", "pool"]))
    mats: tuple[Mat, ...] = ()
    light = LAMP
    if kind == "border":
        x = float(rng.uniform(-120, 120))
        rgb = tuple(int(v) for v in rng.integers(20, 230, 3))
        mats = (Mat(Spot(x + 400, 0.0, float(rng.normal(0, 0.1))), (800.0, 900.0), rgb, 1.0, float(rng.choice([0.0, 0.0, 12.0]))),)  # type: ignore[arg-type]
    elif kind == "stain":
        chosen = rng.choice(len(card_items), 4, replace=False)
        sizes = rng.uniform(25, 60, (4, 2))
        mats = tuple(
            Mat(replace(card_items[at].place, turn_rad=float(rng.uniform(0, 3))), (float(w), float(h)), (70, 40, 30), 0.7)
            for at, (w, h) in zip(chosen, sizes, strict=True)
        )
    elif kind == "mat":
        rgb = tuple(int(v) for v in rng.integers(20, 230, 3))
        mats = tuple(Mat(one.place, (63.0, 93.0), rgb, 0.9) for one in card_items if rng.random() < 0.6)  # type: ignore[arg-type]
    elif kind == "pool":
        x, y = rng.uniform(-80, 80, 2)
        radius = rng.uniform(70, 160)
        ring = tuple((float(x + radius * np.cos(a)), float(y + radius * np.sin(a))) for a in np.linspace(0, 2 * np.pi, 24, endpoint=False))
        light = replace(LAMP, sun_mm=(ring,), penumbra_mm=float(rng.uniform(8, 40)))
    width_mm = float(max(columns * pitch[0] + 80, (rows * pitch[1] * np.cos(np.radians(tilt)) + 90) * 16 / 9))
    look = Look(SIZE_PX, width_mm, tilt, float(rng.normal(0, 3)), 1000.0, (0.5, 0.5), material, light, seed=seed, mats=mats)
    sleeve, stage = with_sleeve(look, rng)
    return f"{material}, {kind}, sleeve {sleeve}, tilt {tilt:.0f}", stage, tuple(card_items)


def dice_table(rng: np.random.Generator, seed: int) -> tuple[str, Stage, tuple[Item, ...]]:
    """A table, the sleeve, and a grid of SET dice that lie side by side, or somewhat apart."""
    material, tilt, pitch_mm = str(rng.choice(list(MATERIALS))), float(rng.uniform(5, 45)), float(rng.choice([25.0, 42.0]))
    cells = {(0, 0): 0}
    wanted = int(rng.integers(4, 13))
    while len(cells) < wanted:
        column, row = list(cells)[int(rng.integers(len(cells)))]
        right, down = ((0, 1), (1, 0), (0, -1), (-1, 0))[int(rng.integers(4))]
        if abs(column + right) < 6 and abs(row + down) < 4:
            cells.setdefault((column + right, row + down), len(cells))
    faces = rng.permutation(len(SET_DIE_FACES))
    lying = tuple(
        Item(SET_DIE_FACES[faces[at]], Spot(*(pitch_mm * np.array(cell) + rng.normal(0, 0.3, 2)).tolist(), float(rng.normal(0, 0.02))))
        for cell, at in cells.items()
    )
    look = Look(SIZE_PX, float(rng.uniform(360, 480)), tilt, float(rng.normal(0, 3)), 1000.0, (0.5, 0.5), material, seed=seed)
    sleeve, stage = with_sleeve(look, rng)
    return f"dice on {material}, sleeve {sleeve}, tilt {tilt:.0f}", stage, lying


def with_sleeve(look: Look, rng: np.random.Generator) -> tuple[str, Stage]:
    """A sleeve, drawn, and the table with the person who wears it."""
    sleeve = str(rng.choice([*PERSONS, "table"]))
    if sleeve == "table":
        stage = Stage(look)
        bare = stage._empty()[0].albedo
        rgb_sleeve = tuple(float(v) for v in bare.reshape(-1, 3).mean(axis=0)[::-1])
    else:
        rgb_sleeve = PERSONS[sleeve]
    return sleeve, Stage(replace(look, person=Person(sleeve_rgb=rgb_sleeve, size=float(rng.uniform(0.85, 1.1)))))  # type: ignore[arg-type]


SIDES_RAD = (-np.pi / 2, -np.pi / 2, 0.0, np.pi, np.pi / 2)
"""Ways of hands that come from the near side, from left, right and the far side."""


def case(seed: int, of: Callable[[np.random.Generator, int], tuple[str, Stage, tuple[Item, ...]]] = table) -> Case:
    """One table and what happens there: an arm rests, pieces are taken, or both."""
    rng = np.random.default_rng([seed, 17])
    name, stage, lying = of(rng, seed)
    plan = Plan(stage, lying, rng)
    plan.rest(10)
    what = str(rng.choice(["rest", "rest", "take", "one by one", "rest and take"]))
    heading = float(rng.choice(SIDES_RAD) + rng.normal(0, 0.25))
    taken: dict[Piece, int] = {}
    frames = int(rng.choice([2, 3, 4, 6, 10, 20, 40, 75]))
    if what in {"rest", "rest and take"}:
        for _ in range(int(rng.integers(1, 3))):
            goal = spot_of(lying[int(rng.integers(len(lying)))]) + rng.normal(0, 30, 2)
            height = float(rng.uniform(8, 50))
            plan.come(goal, heading, height)
            plan.stay(goal, heading, height, frames)
            if what == "rest":
                plan.go(goal, heading, height)
                plan.rest(15)
            heading += float(rng.normal(0, 0.1))
    if what != "rest":
        chosen = [lying[at] for at in rng.choice(len(lying), int(rng.integers(1, 4)), replace=False)]
        held: tuple[Item, ...] = ()
        for number, item in enumerate(chosen):
            goal = spot_of(item) - 25.0 * np.array([np.cos(heading), np.sin(heading)])
            if what == "one by one" or number == 0:
                plan.come(goal, heading, 8.0)
            plan.stay(goal, heading, 8.0, int(rng.choice([1, 2, 5])))
            plan.take(item)
            held = (*held, item)
            if what == "one by one" or number == len(chosen) - 1:
                plan.go(goal, heading, 12.0, held[-1:])
                for one in held:
                    assert one.piece is not None
                    taken[one.piece] = len(plan.moments)
                held = ()
                plan.rest(int(rng.choice([6, 15])))
            else:
                plan.stay(goal, heading, 20.0, int(rng.choice([0, 2, 6])))
    plan.rest(45)
    pieces = {one.piece for one in plan.lying if one.piece is not None}
    return Case(f"{seed}: {what} {frames if 'rest' in what else ''}, {name}", stage, plan.moments, taken, pieces)
