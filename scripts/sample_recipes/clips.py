"""Clips: the scripts of the sample clips of SET cards."""

from __future__ import annotations

import numpy as np

from sample_recipes.clutter import note
from sample_recipes.script import Action, Script
from sample_recipes.stills import PRINT, deal, laid_thing, rest
from visionset.pieces import SetCard
from visionset.render.card_backs import random_back
from visionset.render.hands import Person
from visionset.render.layouts import Spot, grid
from visionset.render.materials import MATERIALS
from visionset.render.sensor import Sensor
from visionset.render.stage import Light
from visionset.render.table_pieces import set_flat
from visionset.render.table_plan import LaidFlat, TablePlan
from visionset.render.viewpoint import Viewpoint

_DULL = {"contrast": 0.15, "saturation": 0.95, "sharpen": 0.7, "black": 0.012, "vignette": 0.3}
_NOISY = {"read_noise": 0.003, "shot_noise": 0.014, "chroma_noise": 1.2}
_LAPTOP = Sensor(exposure=0.82, balance_rgb=(1.05, 1.0, 0.86), blur_px=0.75, **_NOISY, **_DULL)
_CAMERA = Sensor(exposure=0.9, read_noise=0.002, shot_noise=0.008)


def _laid(rng: np.random.Generator, card: SetCard, place: Spot) -> LaidFlat:
    return LaidFlat(set_flat(card, PRINT), rest(rng, place))


def dealing() -> Script:
    """Nine cards dealt on green felt under a laptop's webcam, then a hand passes over them."""
    rng = np.random.default_rng(211)
    places = grid(rng, 3, 3, (106.0, 78.0), 90, 4.0, 4.0)
    cards = deal(rng, len(places))
    actions = [Action("rest", 0.5)]
    actions += [Action("deal", 0.87, _laid(rng, card, place)) for card, place in zip(cards, places, strict=True)]
    way = ((330, 420), (190, 60), (20, -30), (-170, 50), (-330, 420))
    actions += [Action("rest", 0.5), Action("pass", 1.8, way_mm=way), Action("rest", 1.3)]
    view = Viewpoint((640, 480), 1.3, 36, -3, 850, (325, 232))
    light = Light((350.0, -500.0, 1000.0), (0.6, 0.57, 0.52), (0.34, 0.33, 0.31))
    plan = TablePlan(211, view, light, _LAPTOP, MATERIALS["felt"])
    return Script(plan, tuple(actions), person=Person((0.58, 0.33, 0.225), (0.3, 0.04, 0.05), 0.97))


SET_TAKEN = ("2-green-striped-diamond", "2-purple-striped-squiggle", "2-red-striped-oval")
"""The SET that the round is about: same number, same shading, different colours and shapes."""


def one_round() -> Script:
    """Twelve cards on oak; a hand passes over, takes a SET of three and deals three new cards into the gaps."""
    rng = np.random.default_rng(307)
    places = grid(rng, 3, 4, (112.0, 80.0), 90, 3.0, 3.5)
    dealt = deal(rng, 15, SET_TAKEN)
    taken, others, fresh = dealt[:3], dealt[3:12], dealt[12:]
    gaps = (6, 9, 3)
    cards: list[SetCard] = list(others)
    for gap, card in sorted(zip(gaps, taken, strict=True)):
        cards.insert(gap, card)
    start = tuple(_laid(rng, card, place) for card, place in zip(cards, places, strict=True))
    way = ((-60, 470), (-190, 40), (30, -20), (190, 40), (330, 480))
    actions = [Action("rest", 1.0), Action("pass", 1.7, way_mm=way, height_mm=60.0), Action("rest", 0.6)]
    actions += [*(Action("take", 0.95, start[gap]) for gap in gaps), Action("rest", 0.4)]
    for gap, card in zip(gaps, fresh, strict=True):
        x, y = places[gap].x_mm + rng.normal(0, 3), places[gap].y_mm + rng.normal(0, 3)
        actions.append(Action("deal", 0.9, _laid(rng, card, Spot(float(x), float(y), float(np.pi / 2 + rng.normal(0, 0.06))))))
    actions.append(Action("rest", 1.3))
    things = (laid_thing(note(rng), 292.0, -150.0, 11.5), laid_thing(random_back(np.random.default_rng(3)), -300.0, -60.0, 83.0, 6.0))
    view = Viewpoint((1280, 720), 1.95, 28, 2, 950, (640, 345))
    light = Light((-900.0, -700.0, 950.0), (0.66, 0.65, 0.62), (0.3, 0.31, 0.33))
    return Script(TablePlan(307, view, light, _CAMERA, MATERIALS["oak"], things, grain_rad=-0.06), tuple(actions), start)


CLIPS = {"deal-640x480": dealing, "round-1280x720": one_round}
"""Scripts by file name."""
