"""Clips: the scripts of the sample clips of SET cards, which a hand deals and takes, played frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from sample_recipes.stills import PRINT, deal, laid_thing, note, rest
from visionset.geometry import Floats
from visionset.pieces import SetCard
from visionset.render.camera import Sensor, Viewpoint
from visionset.render.film import FPS, Happening, Instant, TableClip
from visionset.render.hands import HandPose, Person, hand
from visionset.render.layouts import Spot, grid
from visionset.render.materials import MATERIALS
from visionset.render.playing_cards import random_back
from visionset.render.stage import Light
from visionset.render.table_pieces import set_flat
from visionset.render.table_plan import LaidFlat, TablePlan
from visionset.render.tables import Lit, bare, light

CARRY_MM = 34.0  # height at which a hand carries a card over the table
GRIP_MM = 15.0  # how far the fingers reach over the edge of a card that they hold
OFFSTAGE_MM = 150.0  # how far outside the picture a hand waits, measured at its fingertips
_SHUTTER_SHARE = 0.22  # share of the time between two frames during which the shutter is open: about 1/70 s at 15 frames a second


@dataclass(frozen=True, slots=True)
class Action:
    """A hand lays a card down ("deal"), takes one ("take"), or moves open over the table ("pass"); or nothing happens ("rest")."""

    kind: str
    seconds: float
    card: LaidFlat | None = None
    way_mm: tuple[tuple[float, float], ...] = ()  # places along which the fingertips pass
    height_mm: float = 55.0


@dataclass(frozen=True, slots=True)
class Script:
    """What happens on a table; the plan's flat things lie there all the time, those of `start` until they are taken."""

    plan: TablePlan
    actions: tuple[Action, ...]
    start: tuple[LaidFlat, ...] = ()
    person: Person = field(default_factory=Person)


@dataclass(frozen=True, slots=True)
class Moment:
    """What is going on in one frame: cards at rest, a card on its way, a hand."""

    lying: tuple[LaidFlat, ...]
    held: LaidFlat | None = None
    hand: HandPose | None = None


def _ease(t: float) -> float:
    """Place on a way at a share of its time, starting and ending at rest (minimum jerk)."""
    t = min(1.0, max(0.0, t))
    return t**3 * (10 - 15 * t + 6 * t * t)


def _carry(view: Viewpoint, card: LaidFlat, share: float, twist: float) -> tuple[HandPose, LaidFlat]:
    """Hand and card on their way from outside the picture (0) to where the card lies (1)."""
    pose, target = card.pose, np.array([card.pose.place.x_mm, card.pose.place.y_mm])
    away = np.array([0.35 * target[0] + 40.0, view.table_mm()[2:, 1].max() + OFFSTAGE_MM])
    aim = float(np.arctan2(*(target - away)[::-1]))
    heading = -np.pi / 2 + 0.7 * (aim + np.pi / 2)  # between straight ahead and straight at its goal
    way, across = np.array([np.cos(heading), np.sin(heading)]), heading - pose.place.turn_rad
    half = np.array(card.flat.size_mm) / 2
    arm = (float(np.min(half / np.maximum(np.abs([np.cos(across), np.sin(across)]), 1e-6))) - GRIP_MM) * way
    s = _ease(share)
    tip, lift = away + s * (target - arm - away), pose.lift_mm + (1 - s) * CARRY_MM + 14 * float(np.sin(np.pi * s))
    turn = (1 - s) * twist
    place = Spot(float(tip[0]), float(tip[1]), turn).beside(float(arm[0]), float(arm[1]), pose.place.turn_rad)
    carried = replace(card, pose=replace(pose, place=place, lift_mm=lift))
    return HandPose((float(tip[0]), float(tip[1]), lift + 1.5), heading + turn, 17.0 + 5 * s, 0.08, 1.0, 0.25), carried


def _handle(view: Viewpoint, action: Action, card: LaidFlat, lying: tuple[LaidFlat, ...], t: float, twist: float) -> Moment:
    """A card is brought, let go, and the hand goes; a card is taken the same way in reverse."""
    taken = action.kind == "take"
    arrive, leave = (0.48, 0.64) if taken else (0.46, 0.6)
    t = 1 - t if taken else t
    if t < arrive:
        pose, held = _carry(view, card, t / arrive, twist)
        return Moment(tuple(one for one in lying if one is not card), held, pose)
    share, pinch = (1.0, 1 - 0.8 * (t - arrive) / (leave - arrive)) if t < leave else (1 - (t - leave) / (1 - leave), 0.2)
    pose, _ = _carry(view, card, share, 0.0)
    x, y, z = pose.tip_mm
    tip = (x, y, z + 14 * (1 - _ease(share)) + 6 * (1 - pinch))
    return Moment(lying if taken else (*lying, card), None, replace(pose, tip_mm=tip, pinch=pinch, curl=0.08 + 0.1 * (1 - pinch)))


def _pass(action: Action, lying: tuple[LaidFlat, ...], t: float) -> Moment:
    way = np.array(action.way_mm)
    at = _ease(t) * (len(way) - 1)
    x, y = (float(np.interp(at, np.arange(len(way)), way[:, axis])) for axis in (0, 1))
    heading = -np.pi / 2 + 0.25 * float(np.sin(2.2 * np.pi * t)) - 0.0006 * x
    tip = (x, y, action.height_mm + 9 * float(np.sin(5.1 * t)))
    return Moment(lying, None, HandPose(tip, heading, 12.0, 0.16 + 0.08 * float(np.sin(7 * t)), 0.1, 0.7))


def spans(script: Script) -> tuple[tuple[Action, int, int], ...]:
    """Each action with the index of its first frame and of the frame after its last."""
    after = np.cumsum([max(1, round(action.seconds * FPS)) for action in script.actions])
    return tuple(zip(script.actions, map(int, [0, *after[:-1]]), map(int, after), strict=True))


def moments(script: Script) -> tuple[Moment, ...]:
    """Play the script without painting it."""
    rng = np.random.default_rng([script.plan.seed, 1])
    view, lying = script.plan.view, script.start
    frames: list[Moment] = []
    for action, first, after in spans(script):
        twist = float(rng.normal(0, 0.3))
        for t in (np.arange(after - first) + 0.5) / (after - first):
            if action.card is not None:
                frames.append(_handle(view, action, action.card, lying, float(t), twist))
            else:
                frames.append(_pass(action, lying, float(t)) if action.way_mm else Moment(lying))
        lying = frames[-1].lying
    return tuple(frames)


def script_clip(script: Script) -> TableClip:
    """The script as a clip."""
    story, plan = moments(script), script.plan
    top = lru_cache(lambda: bare(plan, np.random.default_rng(plan.seed)))

    @lru_cache(maxsize=1)
    def table(lying: tuple[LaidFlat, ...]) -> Lit:
        return light(replace(plan, flats=(*plan.flats, *lying)), top())

    def shows(index: int) -> list[Instant]:
        now = story[index]
        bodies = (hand(now.hand, script.person),) if now.hand else ()
        return [Instant(table(now.lying), bodies, now.held, _way_px(plan.view, story, index), int(now.held is not None))]

    happenings = [
        Happening(action.kind, str(action.card.flat.piece) if action.card else None, first / FPS, after / FPS)
        for action, first, after in spans(script)
        if action.kind != "rest"
    ]
    return TableClip(replace(plan, flats=(*plan.flats, *story[-1].lying)), tuple(happenings), len(story), shows)


def _way_px(view: Viewpoint, story: Sequence[Moment], number: int) -> tuple[float, float]:
    """How far the hand moves in the picture while the shutter is open."""
    ends: list[Floats] = [np.array(one.hand.tip_mm) for one in (story[max(0, number - 1)], story[number]) if one.hand]
    if len(ends) < 2:
        return 0.0, 0.0
    start, end = view.see(np.stack(ends))[0]
    if np.linalg.norm(end - start) > 0.5 * min(view.size_px):  # another hand, from another side
        return 0.0, 0.0
    x, y = _SHUTTER_SHARE * (end - start)
    return float(x), float(y)


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


# the SET that the round is about: same number, same shading, different colours and shapes
SET_TAKEN = ("2-green-striped-diamond", "2-purple-striped-squiggle", "2-red-striped-oval")


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


CLIPS = {"deal-640x480": dealing, "round-1280x720": one_round}  # scripts by file name
