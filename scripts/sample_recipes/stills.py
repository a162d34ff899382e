"""Stills: the recipes of the sample pictures of all kinds. The same recipe gives the same bytes on the same OpenCV version."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from visionset.art import DeckStyle, rounded_rectangle
from visionset.geometry import Floats, Quad, apply
from visionset.pieces import SET_DECK, PlayingCard, SetCard
from visionset.render.camera import Sensor, Viewpoint
from visionset.render.faces import RESOLUTION_PX_MM, Face, Sheet, box
from visionset.render.hands import HandPose, Part, Person, hand, joined_limbs
from visionset.render.layouts import Spot, chain, corners_mm, grid, meet
from visionset.render.materials import MATERIALS
from visionset.render.pixels import noise
from visionset.render.playing_cards import playing_face, random_back
from visionset.render.playing_style import PlayingStyle
from visionset.render.stage import Light, Pose
from visionset.render.table_pieces import Flat, set_flat
from visionset.render.table_plan import Body, LaidFlat, TablePlan, TableSpec
from visionset.render.table_truth import TruePiece, true_pieces
from visionset.render.tables import bare, light, over

_STEP_MM = 0.22  # way of a pen from point to point


def _words(rng: np.random.Generator, at_mm: tuple[float, float], length_mm: float) -> tuple[Floats, ...]:
    """A line of loops and strokes that nobody can read, as paths."""
    x = np.arange(0, length_mm, _STEP_MM)
    phase, waver = np.cumsum(rng.uniform(0.45, 0.8, len(x))), noise(rng, 2, len(x), (9.0, 2.0))
    y = -(0.9 + 0.9 * np.abs(waver[0])) * (1 + np.sin(phase)) + 0.25 * noise(rng, 2, len(x), (40.0, 2.0))[0]
    words = np.split(np.stack([x + 0.55 * np.cos(phase), y], axis=1) + at_mm, np.flatnonzero(rng.random(len(x)) < 0.017))
    return tuple(word[12:] for word in words if len(word) > 24)


def note(rng: np.random.Generator) -> Face:
    """A ruled sheet of a notepad with a score written on it."""
    sheet, lines = Sheet((105.0, 148.0), RESOLUTION_PX_MM, (246, 243, 232)), np.arange(-58, 70, 7.0)
    sheet.line(tuple(np.array([[-53.0, y], [53.0, y]]) for y in lines), (168, 192, 216), 0.25)
    for y in lines[1 : int(rng.integers(8, 17))]:
        sheet.line(_words(rng, (-42.0, y - 1.0), rng.uniform(25, 68)), (28, 36, 92), 0.38, False)
    return sheet.face(0)


def envelope(rng: np.random.Generator) -> Face:
    """A white window envelope with an address and a stamp."""
    sheet = Sheet((220.0, 110.0), RESOLUTION_PX_MM, (240, 240, 238))
    sheet.fill((rounded_rectangle(90, 40, 3) + np.array([-45, 13]),), (222, 224, 226))
    for y in (3.0, 10.0, 17.0, 24.0):
        sheet.line(_words(rng, (-84.0, y), rng.uniform(45, 70)), (40, 40, 44), 0.25, False)
    sheet.fill(box(78, -47, 102, -19), (96, 130, 160))
    sheet.fill(box(80, -45, 100, -21), (196, 208, 214))
    return sheet.face(0.5)


def phone() -> Face:
    """A dark telephone, its screen off."""
    sheet = Sheet((72.0, 148.0), RESOLUTION_PX_MM, (52, 54, 58))
    sheet.fill((rounded_rectangle(67, 143, 8),), (14, 15, 18))
    return sheet.face(10)


def pencil(from_mm: tuple[float, float], to_mm: tuple[float, float]) -> tuple[Part, ...]:
    """A sharpened pencil lying on the table, its point at `to_mm`."""
    tail, tip = (np.array([*p, 3.8]) for p in (from_mm, to_mm))
    way = (tip - tail) / np.linalg.norm(tip - tail)
    neck, lead = tip - 17 * way, tip - 4 * way
    return (
        Part(joined_limbs((tail + 8 * way, neck), (3.6, 3.6)), 0.0, 0.0, (0.72, 0.36, 0.03), "plastic"),
        Part(joined_limbs((tail, tail + 9 * way), (3.5, 3.7)), 0.0, 0.0, (0.55, 0.55, 0.56), "plastic"),
        Part(joined_limbs((neck, lead), (3.5, 1.2)), 0.0, 0.0, (0.66, 0.44, 0.24), "cloth"),
        Part(joined_limbs((lead, tip - [0, 0, 3.2]), (1.2, 0.4)), 0.0, 0.0, (0.04, 0.04, 0.045), "plastic"),
    )


PRINT = DeckStyle(squiggle_bend=1.5)  # the deck of most samples
# another deck: larger, thinner strokes, wider stripes, yellowed paper
_OLD_PRINT = DeckStyle(
    width_mm=58.5, height_mm=89.0, corner_mm=3.0, stroke_mm=0.75, stripe_pitch_mm=1.25, squiggle_bend=1.3, paper_rgb=(244, 240, 228)
)
_TRIES, _MARGIN_MM = 4000, 12.0  # attempts to find room; least distance of a card from the picture's edge
Layout = Callable[[np.random.Generator, Viewpoint], list[Spot]]


@dataclass(frozen=True, slots=True)
class Still:
    """Recipe of one picture."""

    note: str  # what is hard about it, for the truth file
    seed: int  # of the deal, the table's grain and the sensor's noise
    view: Viewpoint
    material: str
    light: Light
    sensor: Sensor
    places: Layout = lambda rng, view: []  # where cards lie
    things: Callable[[np.random.Generator], list[LaidFlat]] = lambda rng: []  # flat clutter under the cards
    bodies: tuple[Body, ...] = ()  # hands and pencils
    cards: tuple[str, ...] = ()  # names of the cards that come first; the rest are dealt by the seed
    style: DeckStyle = field(default=PRINT)
    grain_rad: float = 0.0
    bend: float = 0.025  # how much the cards are bent


def deal(rng: np.random.Generator, count: int, first: tuple[str, ...] = ()) -> list[SetCard]:
    """Return cards of one deck: those named, then others by chance."""
    named = [SetCard.parse(name) for name in first]
    rest = [SET_DECK[i] for i in rng.permutation(len(SET_DECK)) if SET_DECK[i] not in named]
    return (named + rest)[:count]


def rest(rng: np.random.Generator, place: Spot, bend: float = 0.025) -> Pose:
    """Pose of a card that has been played with: a little bent, a little off the table."""
    lift = 0.45 + abs(float(rng.normal(0, 0.25)))
    return Pose(place, lift, warp=(float(rng.normal(0, bend)), float(rng.normal(0, 1.4 * bend))))


def render_still(still: Still) -> tuple[NDArray[np.uint8], tuple[TruePiece, ...]]:
    """Paint one picture, with its truth."""
    rng = np.random.default_rng(still.seed)
    places = still.places(rng, still.view)
    deck = zip(deal(rng, len(places), still.cards), places, strict=True)
    cards = [LaidFlat(set_flat(card, still.style), rest(rng, place, still.bend)) for card, place in deck]
    flats = (*still.things(rng), *cards)
    top = MATERIALS[still.material]
    plan = TablePlan(still.seed, still.view, still.light, still.sensor, top, flats, grain_rad=still.grain_rad)
    radiance, cover = over(light(plan, bare(plan, rng)), still.bodies)
    return still.sensor.take(rng, radiance), true_pieces(plan, cover)


def laid_thing(face: Face, x: float, y: float, turn_deg: float, lift: float = 0.5) -> LaidFlat:
    """Something flat that is no piece."""
    pose = Pose(Spot(x, y, float(np.radians(turn_deg))), lift, warp=(0.01, 0.015))
    return LaidFlat(Flat(None, None, face.size_mm, 0.0, lambda px_mm: face), pose)


def _card(name: str, x: float, y: float, turn_deg: float) -> LaidFlat:
    return laid_thing(playing_face(PlayingCard.parse(name), PlayingStyle()), x, y, turn_deg)


def _back(pack: int, x: float, y: float, turn_deg: float) -> LaidFlat:
    return laid_thing(random_back(np.random.default_rng(pack)), x, y, turn_deg)


def _cluttered(rng: np.random.Generator) -> list[LaidFlat]:
    """Everything that is flat and rectangular and no SET card."""
    cards = [("KH", -250, 120, 24), ("7D", -196, 136, 41), ("TC", -146, 166, 63), ("AS", 258, 138, -18), ("2D", 20, 172, 84)]
    backs = [(1, 132, 176, 70), (2, -24, -176, 96), (2, 40, -168, 80), (1, -300, -20, 8)]
    things = [laid_thing(envelope(rng), -210, -160, -9), laid_thing(note(rng), 235, -120, 7), laid_thing(phone(), 318, 90, -4, 3.0)]
    return things + [_card(*card) for card in cards] + [_back(*back) for back in backs]


def _no_set_cards(rng: np.random.Generator) -> list[LaidFlat]:
    names = ["9D", "3D", "AH", "QS", "6C", "2D", "8H"]
    fan = [_card(name, -150 + 44 * i, 70 + 0.9 * (i - 3) ** 2, -26 + 8 * i) for i, name in enumerate(names)]
    things = [laid_thing(envelope(rng), -190, -120, 14), laid_thing(note(rng), 190, -60, -11), laid_thing(phone(), 60, -110, 78, 3.0)]
    return [*things, *fan, _back(2, 300, 120, 33), _card("5D", 232, 148, 71)]


def _rows(rows: int, columns: int, pitch_mm: tuple[float, float], turn_deg: float, shift_mm: float, wobble_deg: float) -> Layout:
    return lambda rng, view: grid(rng, rows, columns, pitch_mm, turn_deg, shift_mm, wobble_deg)


def in_sight(count: int, length: int = 1, gap_mm: float = 8.0, card_mm: tuple[float, float] = (57.0, 87.0)) -> Layout:
    """Any place that the camera sees and any turn, no two touching; of `length`, rows in which each covers up to a third of the last."""

    def places(rng: np.random.Generator, view: Viewpoint) -> list[Spot]:
        found: list[list[Spot]] = []
        taken: list[Quad] = []
        for _ in range(_TRIES):
            x, y = apply(np.asarray(np.linalg.inv(view.image_from_table), np.float64), rng.uniform(0, 1, (1, 2)) * view.size_px)[0]
            first = Spot(float(x), float(y), float(rng.uniform(0, 2 * np.pi)))
            row = chain(rng, first, card_mm, length) if length > 1 else [first]
            seen = apply(view.image_from_table, np.concatenate([corners_mm(one, card_mm, 2 * _MARGIN_MM) for one in row]))
            quads = [corners_mm(one, card_mm, gap_mm) for one in row]
            fits = np.all(seen >= 0) and np.all(seen <= np.array(view.size_px) - 1)
            fits = fits and not any(meet(quad, other) for quad in quads for other in taken)
            if fits and (len(row) < 3 or not meet(corners_mm(row[2], card_mm, 2.0), corners_mm(row[0], card_mm, 2.0))):
                found.append(row)
                taken += quads
            if len(found) == count:
                break
        return [place for row in found for place in row]

    return places


def straight(
    size_px: tuple[int, int], scale: float, tilt: float, turn: float = 0.0, distance: float = 900.0, down: float = 0.0
) -> Viewpoint:
    """A camera that looks at the table's origin, `down` pixels below the middle of the picture."""
    return Viewpoint(size_px, scale, tilt, turn, distance, (size_px[0] / 2, size_px[1] / 2 + down))


HD, VGA, UXGA = (1280, 720), (640, 480), (1600, 1200)
_WINDOW = Light((-900.0, -700.0, 900.0), (0.66, 0.66, 0.64), (0.3, 0.32, 0.35))
_CEILING = Light((200.0, -300.0, 1500.0), (0.5, 0.47, 0.42), (0.42, 0.4, 0.36))
_SUN_MM = tuple(tuple((x, y) for x, y in ((at, -330), (at + 180, -330), (at, 330), (at - 180, 330))) for at in (-330, -120, 150))
_SUN = Light((1500.0, -1300.0, 1500.0), (0.92, 0.86, 0.74), (0.13, 0.16, 0.22), sun_mm=_SUN_MM, penumbra_mm=2.2)
_LAMP = Light((150.0, -420.0, 480.0), (0.95, 0.6, 0.24), (0.16, 0.09, 0.035))
_DULL = {"contrast": 0.1, "saturation": 0.85, "sharpen": 0.9, "black": 0.02, "vignette": 0.35}
_NOISY = {"read_noise": 0.007, "shot_noise": 0.045, "chroma_noise": 6.0}
_WEBCAM = Sensor(exposure=0.5, balance_rgb=(1.12, 1.0, 0.74), blur_px=0.85, **_NOISY, **_DULL)
_RESTING = hand(HandPose((150, 96, 12), -np.pi / 2 - 0.25, 14, 0.12, 0.1, 0.6), Person((0.36, 0.2, 0.13), (0.28, 0.27, 0.25)))
_SMALL_HAND = hand(HandPose((-262, 120, 14), -np.pi / 2 + 0.35, 14, 0.2, 0.0, 0.5), Person(size=0.95))

# fmt: off
# recipes by file name
STILLS: dict[str, Still] = {
    "table-12": Still(
        "wood, window light from the left, hand-laid rows; the bench picture", 4, straight(HD, 2.02, 25, -2, 1000, 6), "oak", _WINDOW,
        Sensor(), _rows(3, 4, (118, 84), 90, 3.0, 3.0),
        lambda rng: [laid_thing(note(rng), 268, -186, 12)], (pencil((292, 92), (226, 166)),), grain_rad=0.08),
    "deck-81": Still(
        "all 81 cards, dark felt, light falls off to one side", 11, straight(UXGA, 1.84, 8, 0.6, 1700, -6), "felt",
        Light((-500.0, -420.0, 520.0), (0.72, 0.68, 0.6), (0.17, 0.17, 0.18)), Sensor(exposure=0.8, vignette=0.3),
        _rows(9, 9, (91.5, 61.5), 90, 0.8, 0.7)),
    "webcam-dim": Still(
        "dim noisy webcam, yellow light, small cards on dark wood", 23, straight(VGA, 0.86, 38, 4, 800, -10), "walnut",
        Light((300.0, -500.0, 700.0), (0.6, 0.56, 0.5), (0.3, 0.28, 0.26)), _WEBCAM, _rows(3, 4, (104, 76), 90, 5.0, 5.0), grain_rad=1.4),
    "one-card": Still(
        "one card fills the picture", 31, straight(HD, 11.6, 5, 3, 420, 0), "oak", _CEILING, Sensor(blur_px=1.0, vignette=0.2),
        lambda rng, view: [Spot(1.0, 0.0, float(np.pi / 2))], cards=("3-purple-striped-squiggle",)),
    "white-on-white": Still(
        "white desk, card edges nearly invisible", 43, straight(HD, 1.75, 22, 3, 900, 0), "laminate",
        Light((-200.0, -500.0, 1600.0), (0.32, 0.32, 0.32), (0.62, 0.63, 0.65)), Sensor(exposure=1.16, contrast=0.0, vignette=0.08),
        _rows(3, 4, (122, 92), 90, 7.0, 7.0)),
    "plaid": Still(
        "checked blanket with white lines and folds", 59, straight(HD, 1.75, 30, 9, 850, 0), "tartan", _WINDOW, Sensor(saturation=1.0),
        _rows(3, 5, (72, 102), 0, 6.0, 5.0), grain_rad=0.4, bend=0.05),
    "tight-grid": Still(
        "touching, no gaps, on marble", 61, straight(HD, 1.95, 16, -6, 1000, 0), "marble",
        Light((500.0, -600.0, 900.0), (0.55, 0.52, 0.46), (0.38, 0.39, 0.42)), Sensor(), _rows(5, 6, (87.2, 57.2), 90, 0.12, 0.15)),
    "overlapping": Still(
        "cards cover up to a third of one another", 73, straight(HD, 1.75, 24, 0, 900, 0), "granite", _WINDOW, Sensor(),
        in_sight(8, 3, 6.0), style=_OLD_PRINT),
    "laptop-lid": Still(
        "any rotation, strong perspective: far cards a third the size of near ones", 89, straight(HD, 2.0, 62, -4, 700, 10), "walnut",
        Light((-500.0, -1600.0, 1500.0), (0.62, 0.6, 0.56), (0.34, 0.36, 0.4)),
        Sensor(blur_far_px=0.4, blur_near_px=0.9, exposure=0.8), in_sight(16), grain_rad=1.5),
    "sun": Still(
        "hard sun through a window, its edges across the cards", 97, straight(HD, 1.85, 30, 0, 900, 0), "oak", _SUN,
        Sensor(exposure=0.95, contrast=0.35), _rows(3, 4, (116, 84), 90, 5.0, 6.0), grain_rad=-0.5),
    "orange-cast": Still(
        "strong orange cast of a lamp, and its glare", 101, straight(HD, 1.7, 42, 5, 800, -10), "walnut", _LAMP,
        Sensor(exposure=0.9, shot_noise=0.012), _rows(3, 5, (108, 80), 90, 6.0, 8.0), style=_OLD_PRINT, grain_rad=0.2),
    "blue-cast": Still(
        "strong blue cast, wrong white balance, soft focus", 103, straight(HD, 1.6, 20, -12, 900, 0), "terrazzo",
        Light((-600.0, 500.0, 1000.0), (0.5, 0.55, 0.62), (0.32, 0.36, 0.44)),
        Sensor(exposure=0.75, balance_rgb=(0.55, 0.82, 1.3), blur_px=1.2, black=0.012), in_sight(14)),
    "clutter": Still(
        "clutter: envelope, notes, telephone, playing cards, card backs, hand", 107, straight(HD, 1.62, 30, 0, 950, 0), "oak", _CEILING,
        Sensor(), _rows(3, 4, (104, 74), 90, 5.0, 6.0), _cluttered, (pencil((206, -36), (262, -128)), _RESTING), grain_rad=0.05),
    "no-card": Still(
        "no SET card: paper, playing cards, card backs, telephone, pencil, hand", 109, straight(HD, 1.6, 32, 3, 950, 0), "tartan",
        _WINDOW, Sensor(), things=_no_set_cards, bodies=(pencil((120, 60), (205, -30)), _SMALL_HAND), grain_rad=-0.2),
}
# fmt: on
_HD, _SMALL = (1280, 720), (320, 180)

# pictures by file name
TABLES: dict[str, TableSpec] = {
    "set_dice/scattered-42": TableSpec("scattered", ("set-dice",), 5003, "laptop-lid", "window", "felt", 42, _HD),
    "set_dice/crossword": TableSpec("grid", ("set-dice",), 5011, "oblique", "ceiling", "walnut", 21, _HD),
    "set_dice/board": TableSpec("board", ("set-dice",), 5021, "above", "lamp", "laminate", 17, _HD),
    "pip_dice/colours": TableSpec("scattered", ("pip-dice",), 5039, "oblique", "sun", "oak", 12, _HD),
    "pip_dice/touching": TableSpec("grid", ("pip-dice",), 5051, "laptop-lid", "overcast", "laminate", 9, _HD),
    "playing_cards/rows": TableSpec("row", ("playing-cards", "card-backs"), 5059, "above", "window", "walnut", 10, _HD),
    "playing_cards/fan": TableSpec("fan", ("playing-cards",), 5077, "oblique", "ceiling", "felt", 8, _HD),
    "playing_cards/columns": TableSpec("columns", ("playing-cards",), 5087, "laptop-lid", "lamp", "oak", 20, _HD),
    "mixed/everything": TableSpec("mixed", (), 5101, "oblique", "window", "marble", 18, _HD),
    "mixed/from-above": TableSpec("mixed", (), 5113, "above", "dim", "oak", 16, _HD),
}
# clips by file name, with the name of what happens
TABLE_CLIPS: dict[str, tuple[str, TableSpec]] = {
    "set_dice/add-320x180": ("add", TableSpec("grid", ("set-dice",), 5209, "above", "window", "oak", 6, _SMALL)),
    "pip_dice/throw-320x180": ("throw", TableSpec("scattered", ("pip-dice",), 5227, "oblique", "ceiling", "felt", 5, _SMALL)),
    "playing_cards/turn-320x180": ("turn", TableSpec("row", ("playing-cards",), 5231, "oblique", "window", "walnut", 4, _SMALL)),
}
