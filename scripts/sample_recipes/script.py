"""Scripts: cards that are dealt and taken by a hand, frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from visionset.geometry import Floats
from visionset.render.film import FPS, Happening, Instant, TableClip
from visionset.render.hands import HandPose, Person, hand
from visionset.render.layouts import Spot
from visionset.render.table_plan import LaidFlat, TablePlan
from visionset.render.tables import Lit, bare, light
from visionset.render.viewpoint import Viewpoint

CARRY_MM = 34.0
"""Height at which a hand carries a card over the table."""

GRIP_MM = 15.0
"""How far the fingers reach over the edge of a card that they hold."""

OFFSTAGE_MM = 150.0
"""How far outside the picture a hand waits, measured at its fingertips."""

SHUTTER_SHARE = 0.22
"""Share of the time between two frames during which the shutter is open: about 1/70 s at 15 frames a second."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing happens."""

    seconds: float


@dataclass(frozen=True, slots=True)
class LayCard:
    """A hand brings a card and lays it down."""

    card: LaidFlat
    seconds: float = 0.93


@dataclass(frozen=True, slots=True)
class PickUpCard:
    """A hand takes a card away."""

    card: LaidFlat
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Pass:
    """An open hand moves over the table along a few places, fingertips at `height_mm`."""

    way_mm: tuple[tuple[float, float], ...]
    height_mm: float = 55.0
    seconds: float = 1.8


Action = Rest | LayCard | PickUpCard | Pass


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


def _offstage(view: Viewpoint, toward_x_mm: float) -> Floats:
    near = view.table_mm()[2:, 1].max()
    return np.array([0.35 * toward_x_mm + 40.0, near + OFFSTAGE_MM, CARRY_MM + 15])


def _heading(from_mm: Floats, to_mm: Floats) -> float:
    """Way of the hand between straight ahead and straight at its goal."""
    aim = float(np.arctan2(to_mm[1] - from_mm[1], to_mm[0] - from_mm[0]))
    return -np.pi / 2 + 0.7 * (aim + np.pi / 2)


def _grip(card: LaidFlat, heading: float) -> Floats:
    """Where fingers that come along `heading` hold a card."""
    pose = card.pose
    relative = heading - pose.place.turn_rad
    half = np.array(card.flat.size_mm) / 2
    reach = float(np.min(half / np.maximum(np.abs([np.cos(relative), np.sin(relative)]), 1e-6))) - GRIP_MM
    return np.array([pose.place.x_mm - reach * np.cos(heading), pose.place.y_mm - reach * np.sin(heading), pose.lift_mm])


def _carry(view: Viewpoint, card: LaidFlat, share: float, twist: float) -> tuple[HandPose, LaidFlat]:
    """Hand and card on their way from offstage (0) to where the card lies (1)."""
    pose = card.pose
    target = np.array([pose.place.x_mm, pose.place.y_mm, 0.0])
    away = _offstage(view, pose.place.x_mm)
    heading = _heading(away, target)
    hold = _grip(card, heading)
    s = _ease(share)
    tip = away + s * (hold - away)
    tip[2] = pose.lift_mm + (1 - s) * CARRY_MM + 14 * np.sin(np.pi * s)
    turn = (1 - s) * twist
    arm = target[:2] - hold[:2]
    cos, sin = np.cos(turn), np.sin(turn)
    center = tip[:2] + np.array([cos * arm[0] - sin * arm[1], sin * arm[0] + cos * arm[1]])
    place = Spot(float(center[0]), float(center[1]), pose.place.turn_rad + turn)
    carried = replace(card, pose=replace(pose, place=place, lift_mm=float(tip[2])))
    return HandPose((float(tip[0]), float(tip[1]), float(tip[2]) + 1.5), heading + turn, 17.0 + 5 * s, 0.08, 1.0, 0.25), carried


def _empty(view: Viewpoint, card: LaidFlat, share: float, pinch: float) -> HandPose:
    """Hand alone on its way from offstage (0) to a lying card (1)."""
    held, _ = _carry(view, card, share, 0.0)
    x, y, z = held.tip_mm
    return replace(held, tip_mm=(x, y, z + 14 * (1 - _ease(share)) + 6 * (1 - pinch)), pinch=pinch, curl=0.08 + 0.1 * (1 - pinch))


def _deal(view: Viewpoint, card: LaidFlat, lying: tuple[LaidFlat, ...], t: float, twist: float) -> Moment:
    arrive, leave = 0.46, 0.6
    if t < arrive:
        pose, held = _carry(view, card, t / arrive, twist)
        return Moment(lying, held, pose)
    if t < leave:
        return Moment((*lying, card), None, _empty(view, card, 1.0, 1 - 0.8 * (t - arrive) / (leave - arrive)))
    return Moment((*lying, card), None, _empty(view, card, 1 - (t - leave) / (1 - leave), 0.2))


def _take(view: Viewpoint, card: LaidFlat, lying: tuple[LaidFlat, ...], t: float, twist: float) -> Moment:
    arrive, leave = 0.36, 0.52
    if t < arrive:
        return Moment(lying, None, _empty(view, card, t / arrive, 0.2))
    if t < leave:
        return Moment(lying, None, _empty(view, card, 1.0, 0.2 + 0.8 * (t - arrive) / (leave - arrive)))
    pose, held = _carry(view, card, 1 - (t - leave) / (1 - leave), twist)
    return Moment(tuple(one for one in lying if one is not card), held, pose)


def _pass(action: Pass, lying: tuple[LaidFlat, ...], t: float) -> Moment:
    way = np.array(action.way_mm)
    at = _ease(t) * (len(way) - 1)
    x, y = (float(np.interp(at, np.arange(len(way)), way[:, axis])) for axis in (0, 1))
    heading = -np.pi / 2 + 0.25 * np.sin(2.2 * np.pi * t) - 0.0006 * x
    tip = (x, y, action.height_mm + 9 * float(np.sin(5.1 * t)))
    return Moment(lying, None, HandPose(tip, float(heading), 12.0, 0.16 + 0.08 * float(np.sin(7 * t)), 0.1, 0.7))


def spans(script: Script) -> tuple[tuple[Action, int, int], ...]:
    """Each action with the index of its first frame and of the frame after its last."""
    found, first = [], 0
    for action in script.actions:
        after = first + max(1, round(action.seconds * FPS))
        found.append((action, first, after))
        first = after
    return tuple(found)


def moments(script: Script) -> tuple[Moment, ...]:
    """Play the script without painting it."""
    rng = np.random.default_rng([script.plan.seed, 1])
    view, lying = script.plan.view, script.start
    frames: list[Moment] = []
    for action, first, after in spans(script):
        twist = float(rng.normal(0, 0.3))
        for step in range(after - first):
            t = (step + 0.5) / (after - first)
            if isinstance(action, LayCard | PickUpCard):
                move = _deal if isinstance(action, LayCard) else _take
                frames.append(move(view, action.card, lying, t, twist))
            else:
                frames.append(_pass(action, lying, t) if isinstance(action, Pass) else Moment(lying))
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

    named = {LayCard: "deal", PickUpCard: "take", Pass: "pass"}
    happenings = [
        Happening(
            named[type(action)], str(action.card.flat.piece) if isinstance(action, LayCard | PickUpCard) else None, first / FPS, after / FPS
        )
        for action, first, after in spans(script)
        if not isinstance(action, Rest)
    ]
    final = replace(plan, flats=(*plan.flats, *story[-1].lying))
    return TableClip(final, tuple(happenings), len(story), shows)


def _way_px(view: Viewpoint, story: Sequence[Moment], number: int) -> tuple[float, float]:
    """How far the hand moves in the picture while the shutter is open."""
    here, before = story[number].hand, story[max(0, number - 1)].hand
    if here is None or before is None:
        return 0.0, 0.0
    (start, end), _, _ = view.see(np.array([before.tip_mm, here.tip_mm]))
    if np.linalg.norm(end - start) > 0.5 * min(view.size_px):  # another hand, from another side
        return 0.0, 0.0
    x, y = SHUTTER_SHARE * (end - start)
    return float(x), float(y)
