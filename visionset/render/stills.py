"""Stills: the recipes of the sample pictures. The same recipe gives the same bytes on the same OpenCV version."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from visionset.art import DeckStyle
from visionset.pieces import SET_DECK, PlayingCard, SetCard
from visionset.render.clutter import card_back, envelope, note, pencil, phone, playing_card
from visionset.render.hands import HandPose, Person, hand
from visionset.render.layouts import Place
from visionset.render.limbs import Part
from visionset.render.places import chains, grid, strewn
from visionset.render.scene import Scene
from visionset.render.sensor import Sensor
from visionset.render.shot import Laid, Thing, arrange, expose
from visionset.render.stage import Light, Pose, bare_table
from visionset.render.viewpoint import Viewpoint

PRINT = DeckStyle(squiggle_bend=1.5)
"""The deck of most samples."""

OLD_PRINT = DeckStyle(
    width_mm=58.5, height_mm=89.0, corner_mm=3.0, stroke_mm=0.75, stripe_pitch_mm=1.25, squiggle_bend=1.3, paper_rgb=(244, 240, 228)
)
"""Another deck: larger, thinner strokes, wider stripes, yellowed paper."""


@dataclass(frozen=True, slots=True)
class Still:
    """Recipe of one picture.

    Attributes
    ----------
    note : str
        What is hard about it, for the truth file.
    seed : int
        Of the deal, the table's grain and the sensor's noise.
    places : callable
        ``(rng, view) -> list of Place``: where cards lie.
    cards : tuple of str
        Names of the cards that come first; the rest are dealt by the seed.
    things : callable, optional
        ``(rng) -> list of Thing``: flat clutter.
    bodies : tuple of bodies
        Hands and pencils.
    """

    note: str
    seed: int
    view: Viewpoint
    material: str
    light: Light
    sensor: Sensor
    places: Callable[[np.random.Generator, Viewpoint], list[Place]] = lambda rng, view: []
    cards: tuple[str, ...] = ()
    things: Callable[[np.random.Generator], list[Thing]] = lambda rng: []
    bodies: tuple[tuple[Part, ...], ...] = ()
    style: DeckStyle = field(default=PRINT)
    grain_rad: float = 0.0
    bend: float = 0.025


def deal(rng: np.random.Generator, count: int, first: tuple[str, ...] = ()) -> list[SetCard]:
    """Return cards of one deck: those named, then others by chance."""
    named = [SetCard.parse(name) for name in first]
    rest = [SET_DECK[i] for i in rng.permutation(len(SET_DECK)) if SET_DECK[i] not in named]
    return (named + rest)[:count]


def rest(rng: np.random.Generator, place: Place, bend: float = 0.025) -> Pose:
    """Pose of a card that has been played with: a little bent, a little off the table."""
    return Pose(place, 0.45 + abs(float(rng.normal(0, 0.25))), 0.0, (float(rng.normal(0, bend)), float(rng.normal(0, 1.4 * bend))))


def render_still(still: Still) -> Scene:
    """Paint one picture, with its truth."""
    rng = np.random.default_rng(still.seed)
    places = still.places(rng, still.view)
    laid = [Laid(card, rest(rng, place, still.bend)) for card, place in zip(deal(rng, len(places), still.cards), places, strict=True)]
    things = still.things(rng)
    bare = bare_table(rng, still.material, still.view, still.grain_rad)
    shot = arrange(still.view, still.light, bare, still.style, laid, things)
    radiance, cover = expose(shot, still.bodies)
    return Scene(still.sensor.take(rng, radiance), shot.seen(cover))


def _thing(face: object, x: float, y: float, turn_deg: float, after: int = 0, lift: float = 0.5) -> Thing:
    return Thing(face, Pose(Place(x, y, float(np.radians(turn_deg))), lift, 0.0, (0.01, 0.015)), after)  # type: ignore[arg-type]


def _table_things(rng: np.random.Generator) -> list[Thing]:
    return [_thing(note(rng), 268, -186, 12)]


def _cluttered(rng: np.random.Generator) -> list[Thing]:
    """Everything that is flat and rectangular and no SET card."""
    cards = [(-250, 120, 24, "KH"), (-196, 136, 41, "7D"), (-146, 166, 63, "TC"), (258, 138, -18, "AS"), (20, 172, 84, "2D")]
    things = [_thing(envelope(rng), -210, -160, -9), _thing(note(rng), 235, -120, 7), _thing(phone(), 318, 90, -4, lift=3.0)]
    things += [_thing(playing_card(PlayingCard.parse(name)), x, y, turn) for x, y, turn, name in cards]
    backs = [(132, 176, 70, (150, 24, 40)), (-24, -176, 96, (30, 52, 120)), (40, -168, 80, (30, 52, 120)), (-300, -20, 8, (150, 24, 40))]
    return things + [_thing(card_back(rgb=rgb), x, y, turn) for x, y, turn, rgb in backs]


def _no_set_cards(rng: np.random.Generator) -> list[Thing]:
    names = ["9D", "3D", "AH", "QS", "6C", "2D", "8H", "JD"]
    fan = [(-150 + 44 * i, 70 + 0.9 * (i - 3) ** 2, -26 + 8 * i) for i in range(7)]
    things = [_thing(envelope(rng), -190, -120, 14), _thing(note(rng), 190, -60, -11), _thing(phone(), 60, -110, 78, lift=3.0)]
    things += [_thing(playing_card(PlayingCard.parse(n)), x, y, turn) for n, (x, y, turn) in zip(names, fan, strict=False)]
    return [*things, _thing(card_back(rgb=(30, 52, 120)), 300, 120, 33), _thing(playing_card(PlayingCard.parse("5D")), 232, 148, 71)]


def _straight(
    size_px: tuple[int, int], scale: float, tilt: float, turn: float = 0.0, distance: float = 900.0, down: float = 0.0
) -> Viewpoint:
    return Viewpoint(size_px, scale, tilt, turn, distance, (size_px[0] / 2, size_px[1] / 2 + down))


HD, VGA, UXGA = (1280, 720), (640, 480), (1600, 1200)

_WINDOW = Light((-900.0, -700.0, 900.0), (0.66, 0.66, 0.64), (0.3, 0.32, 0.35))
_CEILING = Light((200.0, -300.0, 1500.0), (0.5, 0.47, 0.42), (0.42, 0.4, 0.36))
_SUN = Light(
    (1500.0, -1300.0, 1500.0),
    (0.92, 0.86, 0.74),
    (0.13, 0.16, 0.22),
    (
        ((-330, -330), (-150, -330), (-330, 330), (-510, 330)),
        ((-120, -330), (60, -330), (-120, 330), (-300, 330)),
        ((150, -330), (330, -330), (150, 330), (-30, 330)),
    ),
    2.2,
)
_WEBCAM = Sensor(
    exposure=0.5,
    balance_rgb=(1.12, 1.0, 0.74),
    blur_px=0.85,
    read_noise=0.007,
    shot_noise=0.045,
    chroma_noise=6.0,
    vignette=0.35,
    contrast=0.1,
    saturation=0.85,
    sharpen=0.9,
    black=0.02,
)

STILLS: dict[str, Still] = {
    "table-12": Still(
        "wood, window light from the left, hand-laid rows; the bench picture",
        4,
        _straight(HD, 2.02, 25, -2, 1000, 6),
        "oak",
        _WINDOW,
        Sensor(),
        lambda rng, view: grid(rng, 3, 4, (118, 84), 90, 3.0, 3.0),
        things=_table_things,
        bodies=(pencil((292, 92), (226, 166)),),
        grain_rad=0.08,
    ),
    "deck-81": Still(
        "all 81 cards, dark felt, light falls off to one side",
        11,
        _straight(UXGA, 1.84, 8, 0.6, 1700, -6),
        "felt",
        Light((-500.0, -420.0, 520.0), (0.72, 0.68, 0.6), (0.17, 0.17, 0.18)),
        Sensor(exposure=0.8, vignette=0.3),
        lambda rng, view: grid(rng, 9, 9, (91.5, 61.5), 90, 0.8, 0.7),
    ),
    "webcam-dim": Still(
        "dim noisy webcam, yellow light, small cards on dark wood",
        23,
        _straight(VGA, 0.86, 38, 4, 800, -10),
        "walnut",
        Light((300.0, -500.0, 700.0), (0.6, 0.56, 0.5), (0.3, 0.28, 0.26)),
        _WEBCAM,
        lambda rng, view: grid(rng, 3, 4, (104, 76), 90, 5.0, 5.0),
        grain_rad=1.4,
    ),
    "one-card": Still(
        "one card fills the picture",
        31,
        _straight(HD, 11.6, 5, 3, 420, 0),
        "oak",
        _CEILING,
        Sensor(blur_px=1.0, vignette=0.2),
        lambda rng, view: [Place(1.0, 0.0, float(np.pi / 2))],
        ("3-purple-striped-squiggle",),
    ),
    "white-on-white": Still(
        "white desk, card edges nearly invisible",
        43,
        _straight(HD, 1.75, 22, 3, 900, 0),
        "laminate",
        Light((-200.0, -500.0, 1600.0), (0.32, 0.32, 0.32), (0.62, 0.63, 0.65)),
        Sensor(exposure=1.16, contrast=0.0, vignette=0.08),
        lambda rng, view: grid(rng, 3, 4, (122, 92), 90, 7.0, 7.0),
    ),
    "plaid": Still(
        "checked blanket with white lines and folds",
        59,
        _straight(HD, 1.75, 30, 9, 850, 0),
        "tartan",
        _WINDOW,
        Sensor(saturation=1.0),
        lambda rng, view: grid(rng, 3, 5, (72, 102), 0, 6.0, 5.0),
        grain_rad=0.4,
        bend=0.05,
    ),
    "tight-grid": Still(
        "touching, no gaps, on marble",
        61,
        _straight(HD, 1.95, 16, -6, 1000, 0),
        "marble",
        Light((500.0, -600.0, 900.0), (0.55, 0.52, 0.46), (0.38, 0.39, 0.42)),
        Sensor(),
        lambda rng, view: grid(rng, 5, 6, (87.2, 57.2), 90, 0.12, 0.15),
    ),
    "overlapping": Still(
        "cards cover up to a third of one another",
        73,
        _straight(HD, 1.75, 24, 0, 900, 0),
        "granite",
        _WINDOW,
        Sensor(),
        lambda rng, view: chains(rng, view, (57.0, 87.0), 8, 3),
        style=OLD_PRINT,
    ),
    "laptop-lid": Still(
        "any rotation, strong perspective: far cards a third the size of near ones",
        89,
        _straight(HD, 2.0, 62, -4, 700, 10),
        "walnut",
        Light((-500.0, -1600.0, 1500.0), (0.62, 0.6, 0.56), (0.34, 0.36, 0.4)),
        Sensor(blur_far_px=0.4, blur_near_px=0.9, exposure=0.8),
        lambda rng, view: strewn(rng, view, (57.0, 87.0), 16),
        grain_rad=1.5,
    ),
    "sun": Still(
        "hard sun through a window, its edges across the cards",
        97,
        _straight(HD, 1.85, 30, 0, 900, 0),
        "oak",
        _SUN,
        Sensor(exposure=0.95, contrast=0.35),
        lambda rng, view: grid(rng, 3, 4, (116, 84), 90, 5.0, 6.0),
        grain_rad=-0.5,
    ),
    "orange-cast": Still(
        "strong orange cast of a lamp, and its glare",
        101,
        _straight(HD, 1.7, 42, 5, 800, -10),
        "walnut",
        Light((150.0, -420.0, 480.0), (0.95, 0.6, 0.24), (0.16, 0.09, 0.035)),
        Sensor(exposure=0.9, shot_noise=0.012),
        lambda rng, view: grid(rng, 3, 5, (108, 80), 90, 6.0, 8.0),
        style=OLD_PRINT,
        grain_rad=0.2,
    ),
    "blue-cast": Still(
        "strong blue cast, wrong white balance, soft focus",
        103,
        _straight(HD, 1.6, 20, -12, 900, 0),
        "terrazzo",
        Light((-600.0, 500.0, 1000.0), (0.5, 0.55, 0.62), (0.32, 0.36, 0.44)),
        Sensor(exposure=0.75, balance_rgb=(0.55, 0.82, 1.3), blur_px=1.2, black=0.012),
        lambda rng, view: strewn(rng, view, (57.0, 87.0), 14),
    ),
    "clutter": Still(
        "clutter: envelope, notes, telephone, playing cards, card backs, hand",
        107,
        _straight(HD, 1.62, 30, 0, 950, 0),
        "oak",
        _CEILING,
        Sensor(),
        lambda rng, view: grid(rng, 3, 4, (104, 74), 90, 5.0, 6.0),
        things=_cluttered,
        bodies=(
            pencil((206, -36), (262, -128)),
            hand(HandPose((150, 96, 12), -np.pi / 2 - 0.25, 14, 0.12, 0.1, 0.6), Person((0.36, 0.2, 0.13), (0.28, 0.27, 0.25))),
        ),
        grain_rad=0.05,
    ),
    "no-card": Still(
        "no SET card: paper, playing cards, card backs, telephone, pencil, hand",
        109,
        _straight(HD, 1.6, 32, 3, 950, 0),
        "tartan",
        _WINDOW,
        Sensor(),
        things=_no_set_cards,
        bodies=(pencil((120, 60), (205, -30)), hand(HandPose((-262, 120, 14), -np.pi / 2 + 0.35, 14, 0.2, 0.0, 0.5), Person(size=0.95))),
        grain_rad=-0.2,
    ),
}
"""Recipes by file name."""
