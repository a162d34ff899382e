"""Script: a table whose cards are dealt and taken by a hand, frame by frame, each frame with its truth.

Any frame can be rendered by itself: the noise of frame 57 depends on the seed and on 57, not on frames 0 to 56.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from visionset.art import DeckStyle
from visionset.geometry import Floats
from visionset.pieces import SetCard
from visionset.render.hands import HandPose, Person, hand
from visionset.render.layouts import Place
from visionset.render.scene import Lying
from visionset.render.sensor import Sensor
from visionset.render.shot import Laid, Shot, Thing, arrange, expose
from visionset.render.stage import Light, Pose, bare_table
from visionset.render.viewpoint import Viewpoint

CARRY_MM = 34.0
"""Height at which a hand carries a card over the table."""

GRIP_MM = 15.0
"""How far the fingers reach over the edge of a card that they hold."""

OFFSTAGE_MM = 150.0
"""How far outside the picture a hand waits, measured at its fingertips."""

SHUTTER_SHARE = 0.22
"""Share of the time between two frames during which the shutter is open: about 1/70 s at 15 frames a second."""

DRIFT, DRIFT_PERIOD_S = 0.012, 3.7
"""Slow wander of the automatic exposure, as a share, and its period."""

HAND_RESPONSE = 0.12
"""How much a picture full of hand changes the exposure."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing happens."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Deal:
    """A hand brings a card and lays it down."""

    card: SetCard
    pose: Pose
    seconds: float = 0.93


@dataclass(frozen=True, slots=True)
class Take:
    """A hand takes a card away."""

    card: SetCard
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Pass:
    """An open hand moves over the table along a few places, fingertips at `height_mm`."""

    way_mm: tuple[tuple[float, float], ...]
    height_mm: float = 55.0
    seconds: float = 1.8


Action = Rest | Deal | Take | Pass


@dataclass(frozen=True, slots=True)
class Script:
    """Everything that a clip is made of."""

    seed: int
    view: Viewpoint
    light: Light
    sensor: Sensor
    material: str
    grain_rad: float
    actions: tuple[Action, ...]
    start: tuple[Laid, ...] = ()
    things: tuple[Thing, ...] = ()
    style: DeckStyle = field(default_factory=DeckStyle)
    person: Person = field(default_factory=Person)
    fps: float = 15.0


@dataclass(frozen=True, slots=True)
class Moment:
    """What is going on in one frame: cards at rest, a card on its way, a hand."""

    lying: tuple[Laid, ...]
    moving: Laid | None = None
    hand: HandPose | None = None
    action: str = "rest"


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A rendered frame and its truth.

    Attributes
    ----------
    index : int
        Place in the clip.
    image_bgr : ndarray of uint8, shape (height, width, 3)
        The picture.
    moment : Moment
        What is going on.
    cards : tuple of Lying
        Cards at rest, and how much of each is seen.
    covered : float
        Share of the picture that a hand or a card in the air covers; 0 in a quiet frame.
    """

    index: int
    image_bgr: NDArray[np.uint8]
    moment: Moment
    cards: tuple[Lying, ...]
    covered: float


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


def _grip(style: DeckStyle, pose: Pose, heading: float) -> Floats:
    """Where fingers that come along `heading` hold a card."""
    relative = heading - pose.place.turn_rad
    half = np.array([style.width_mm, style.height_mm]) / 2
    reach = float(np.min(half / np.maximum(np.abs([np.cos(relative), np.sin(relative)]), 1e-6))) - GRIP_MM
    return np.array([pose.place.x_mm - reach * np.cos(heading), pose.place.y_mm - reach * np.sin(heading), pose.lift_mm])


def _carry(script: Script, pose: Pose, share: float, twist: float) -> tuple[HandPose, Pose]:
    """Hand and card on their way from offstage (0) to where the card lies (1)."""
    target = np.array([pose.place.x_mm, pose.place.y_mm, 0.0])
    away = _offstage(script.view, pose.place.x_mm)
    heading = _heading(away, target)
    hold = _grip(script.style, pose, heading)
    s = _ease(share)
    tip = away + s * (hold - away)
    tip[2] = pose.lift_mm + (1 - s) * CARRY_MM + 14 * np.sin(np.pi * s)
    turn = (1 - s) * twist
    arm = np.array([pose.place.x_mm, pose.place.y_mm]) - hold[:2]
    cos, sin = np.cos(turn), np.sin(turn)
    center = tip[:2] + np.array([cos * arm[0] - sin * arm[1], sin * arm[0] + cos * arm[1]])
    place = Place(float(center[0]), float(center[1]), pose.place.turn_rad + turn)
    carried = replace(pose, place=place, lift_mm=float(tip[2]))
    drop = 17.0 + 5 * s
    return HandPose((float(tip[0]), float(tip[1]), float(tip[2]) + 1.5), heading + turn, drop, 0.08, 1.0, 0.25), carried


def _empty(script: Script, pose: Pose, share: float, pinch: float) -> HandPose:
    """Hand alone on its way from offstage (0) to a lying card (1)."""
    held, _ = _carry(script, pose, share, 0.0)
    x, y, z = held.tip_mm
    return replace(held, tip_mm=(x, y, z + 14 * (1 - _ease(share)) + 6 * (1 - pinch)), pinch=pinch, curl=0.08 + 0.1 * (1 - pinch))


def _deal(script: Script, action: Deal, lying: tuple[Laid, ...], t: float, twist: float) -> Moment:
    arrive, leave = 0.46, 0.6
    if t < arrive:
        held, pose = _carry(script, action.pose, t / arrive, twist)
        return Moment(lying, Laid(action.card, pose), held, "deal")
    lying = (*lying, Laid(action.card, action.pose))
    if t < leave:
        return Moment(lying, None, _empty(script, action.pose, 1.0, 1 - 0.8 * (t - arrive) / (leave - arrive)), "deal")
    return Moment(lying, None, _empty(script, action.pose, 1 - (t - leave) / (1 - leave), 0.2), "deal")


def _take(script: Script, action: Take, lying: tuple[Laid, ...], t: float, twist: float) -> Moment:
    arrive, leave = 0.36, 0.52
    laid = next(one for one in lying if one.card == action.card)
    if t < arrive:
        return Moment(lying, None, _empty(script, laid.pose, t / arrive, 0.2), "take")
    if t < leave:
        return Moment(lying, None, _empty(script, laid.pose, 1.0, 0.2 + 0.8 * (t - arrive) / (leave - arrive)), "take")
    held, pose = _carry(script, laid.pose, 1 - (t - leave) / (1 - leave), twist)
    return Moment(tuple(one for one in lying if one is not laid), Laid(laid.card, pose), held, "take")


def _pass(action: Pass, lying: tuple[Laid, ...], t: float) -> Moment:
    way = np.array(action.way_mm)
    at = _ease(t) * (len(way) - 1)
    x, y = (float(np.interp(at, np.arange(len(way)), way[:, axis])) for axis in (0, 1))
    heading = -np.pi / 2 + 0.25 * np.sin(2.2 * np.pi * t) - 0.0006 * x
    tip = (x, y, action.height_mm + 9 * float(np.sin(5.1 * t)))
    return Moment(lying, None, HandPose(tip, float(heading), 12.0, 0.16 + 0.08 * float(np.sin(7 * t)), 0.1, 0.7), "pass")


def spans(script: Script) -> tuple[tuple[Action, int, int], ...]:
    """Each action with the index of its first frame and of the frame after its last."""
    found, first = [], 0
    for action in script.actions:
        after = first + max(1, round(action.seconds * script.fps))
        found.append((action, first, after))
        first = after
    return tuple(found)


def moments(script: Script) -> tuple[Moment, ...]:
    """Play the script without painting it."""
    rng = np.random.default_rng([script.seed, 1])
    lying = script.start
    frames: list[Moment] = []
    for action, first, after in spans(script):
        twist = float(rng.normal(0, 0.3))
        for step in range(after - first):
            t = (step + 0.5) / (after - first)
            if isinstance(action, Deal):
                frames.append(_deal(script, action, lying, t, twist))
            elif isinstance(action, Take):
                frames.append(_take(script, action, lying, t, twist))
            else:
                frames.append(_pass(action, lying, t) if isinstance(action, Pass) else Moment(lying))
        lying = frames[-1].lying
    return tuple(frames)


def shots(script: Script, wanted: Sequence[Moment]) -> Iterator[Shot]:
    """Light the arrangement of each moment; one that stays is lit once."""
    bare = bare_table(np.random.default_rng(script.seed), script.material, script.view, script.grain_rad)
    shot, before = None, None
    for moment in wanted:
        if shot is None or moment.lying != before:
            shot, before = arrange(script.view, script.light, bare, script.style, moment.lying, script.things), moment.lying
        yield shot


def play(script: Script, only: Sequence[int] | None = None) -> Iterator[Shown]:
    """Render the frames of a script, or only those named."""
    story = moments(script)
    chosen = tuple(range(len(story)) if only is None else only)
    for number, shot in zip(chosen, shots(script, [story[i] for i in chosen]), strict=True):
        moment = story[number]
        bodies = [hand(moment.hand, script.person)] if moment.hand else []
        radiance, cover = expose(shot, bodies, moment.moving, _way_px(script, story, number))
        time_s = number / script.fps
        gain = 1 + DRIFT * np.sin(2 * np.pi * time_s / DRIFT_PERIOD_S) + HAND_RESPONSE * float(cover.mean())
        image = script.sensor.take(np.random.default_rng([script.seed, 2, number]), radiance, float(gain))
        yield Shown(number, image, moment, shot.seen(cover), float(cover.mean()))


def _way_px(script: Script, story: tuple[Moment, ...], number: int) -> tuple[float, float]:
    """How far the hand moves in the picture while the shutter is open."""
    here, before = story[number].hand, story[max(0, number - 1)].hand
    if here is None or before is None:
        return 0.0, 0.0
    (start, end), _, _ = script.view.see(np.array([before.tip_mm, here.tip_mm]))
    if np.linalg.norm(end - start) > 0.5 * min(script.view.size_px):  # another hand, from another side
        return 0.0, 0.0
    x, y = SHUTTER_SHARE * (end - start)
    return float(x), float(y)
