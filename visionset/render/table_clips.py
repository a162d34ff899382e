"""Clips of any pieces: dice thrown, a card turned over, dice added to a crossword by a hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from visionset.geometry import Floats
from visionset.pieces import Kind
from visionset.render.dice import Die
from visionset.render.film import FPS, Happening, Instant, TableClip
from visionset.render.hands import HandPose, Person, hand
from visionset.render.table_pieces import back_flat
from visionset.render.table_plan import DICE, LaidFlat, TablePlan, TableSpec, plan_table
from visionset.render.tables import Lit, bare, light, stand

_SHUTTER = 0.5  # share of a frame's time in which the shutter is open
_OPEN_S = np.arange(5) / 5 * _SHUTTER / FPS  # times that are averaged for one blurred frame
_CLIP_FILL = (0.55, 0.72)  # share of the picture that the pieces take at the end: what moves needs room to be seen
_LEAD_S, _TAIL_S = 0.4, 1.0  # rest before and after all that happens
CARRY_S, LEAVE_S, AWAY_MM = 0.55, 0.4, 420.0  # a hand's way to the place of a die, and back; from where it comes
# time of one card's turn; how many are turned; how far they are lifted, besides what their width needs
_TURN_S, _TURNED, _TURN_ARC_MM = 0.6, 2, 12.0
_THROW_S = (0.7, 1.5)  # time from a die's first sight to its rest
_THROW_MM, _HOP_MM, _HOPS = 420.0, 55.0, 3  # way over the table, height of the first hop, number of hops
_TURNS = (1.2, 2.6)  # whole turns that a die makes on its way
_THROW, _BACK, _PERSON = 4, 5, 6  # purposes of chance


@dataclass(frozen=True, slots=True)
class ClipScene:
    """What a clip shows by default, and of what it can be."""

    layout: str
    kinds: tuple[str, ...]
    count: int
    fits: tuple[Kind, ...]


# clips by name
CLIP_SCENES: dict[str, ClipScene] = {
    "throw": ClipScene("scattered", ("pip-dice",), 6, DICE),
    "turn": ClipScene("row", ("playing-cards",), 5, (Kind.PLAYING_CARD, Kind.SET_CARD)),
    "add": ClipScene("grid", ("set-dice",), 8, DICE),
}


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """The way of one die to its place."""

    rest: Die  # where it ends
    start_s: float  # when it comes into sight
    rest_s: float  # when it lies still
    way: Floats  # unit vector on the table along which it comes; float64, shape (2,)
    turns: float  # whole turns until it rests

    def at(self, time_s: float) -> Die | None:
        """The die at some time; None before it comes."""
        if time_s >= self.rest_s:
            return self.rest
        if time_s < self.start_s:
            return None
        left = 1 - (time_s - self.start_s) / (self.rest_s - self.start_s)
        slow = left * left  # friction: the last of the way takes longest
        tumble = cv2.Rodrigues(-2 * np.pi * self.turns * slow * np.array([-self.way[1], self.way[0], 0.0]))[0]
        x, y = np.array([self.rest.x_mm, self.rest.y_mm]) - self.way * _THROW_MM * slow
        moved = replace(self.rest, x_mm=float(x), y_mm=float(y), tumble=np.asarray(tumble, np.float64))
        lowest = moved.half_mm * float(np.abs(moved.rotation()[2]).sum())
        return replace(moved, lift_mm=_HOP_MM * abs(np.sin(np.pi * _HOPS * slow)) * left + lowest - moved.half_mm)


def random_throw(rng: np.random.Generator, rest: Die, way_rad: float, start_s: float) -> Throw:
    """Throw a die so that it ends where it should; all dice of a hand come about the same way."""
    angle = way_rad + float(rng.normal(0, 0.25))
    begin = start_s + float(rng.uniform(0, 0.15))
    return Throw(rest, begin, begin + float(rng.uniform(*_THROW_S)), np.array([np.cos(angle), np.sin(angle)]), float(rng.uniform(*_TURNS)))


def carried(rest: Die, progress: float) -> tuple[Die, HandPose]:
    """A die on its way to its place, and the hand that holds it: `progress` is 0 far away, 1 there, and 2 when the hand is gone."""
    back = abs(1 - progress)
    ease = back * back * (3 - 2 * back)
    lift = 70.0 * ease
    die = rest if progress >= 1 else replace(rest, y_mm=rest.y_mm + AWAY_MM * ease, lift_mm=lift)
    top = rest.style.size_mm + lift + 4.0
    tip = (rest.x_mm, rest.y_mm + AWAY_MM * ease + 0.3 * rest.style.size_mm, top)
    return die, HandPose(tip, -np.pi / 2, 40.0, 0.35, 0.8 if progress < 1 else 0.3, 0.2)


def table_clip(name: str, spec: TableSpec, frames: int | None = None) -> TableClip:
    """Prepare one of `CLIP_SCENES`; `frames` cuts it off or leaves the table as it is at the end."""
    plan = plan_table(replace(spec, layout=CLIP_SCENES[name].layout), _CLIP_FILL)
    clip = {"throw": _throw, "turn": _turn, "add": _add}[name](plan)
    return clip if frames is None else replace(clip, frames=frames)


def _clip(plan: TablePlan, happenings: Sequence[Happening], shows: Callable[[int], list[Instant]]) -> TableClip:
    ends_s = max(one.end_s for one in happenings)
    return TableClip(plan, tuple(sorted(happenings, key=lambda one: one.start_s)), round((ends_s + _TAIL_S) * FPS), shows)


def _with_some(plan: TablePlan) -> Callable[[tuple[Die, ...]], Lit]:
    """The table with some of its dice; the last is kept painted."""
    flats = lru_cache(lambda: light(replace(plan, dice=())))
    return lru_cache(maxsize=1)(lambda dice: stand(flats(), dice, still=True))


def _throw(plan: TablePlan) -> TableClip:
    rng, table = plan.rng(_THROW), _with_some(plan)
    way = float(rng.uniform(0, 2 * np.pi))
    throws = [random_throw(rng, one, way, _LEAD_S) for one in plan.dice]

    def shows(index: int) -> list[Instant]:
        lying = table(tuple(t.rest for t in throws if t.rest_s <= index / FPS))
        coming = [t for t in throws if t.start_s <= index / FPS + _SHUTTER / FPS and t.rest_s > index / FPS]
        if not coming:
            return [Instant(lying)]
        dice = [[die for t in throws if (die := t.at(at)) is not None] for at in index / FPS + _OPEN_S]
        return [Instant(stand(lying, one), moving=len(coming)) for one in dice]

    return _clip(plan, [Happening("throw", str(t.rest.piece), t.start_s, t.rest_s) for t in throws], shows)


def _add(plan: TablePlan) -> TableClip:
    person, table = Person(size=0.9 + 0.2 * float(plan.rng(_PERSON).random())), _with_some(plan)
    begin = len(plan.dice) // 2  # the others lie there already
    step, last = CARRY_S + LEAVE_S, len(plan.dice) - begin - 1
    starts = [_LEAD_S + step * at for at in range(last + 1)]

    def shows(index: int) -> list[Instant]:
        number = min(max(int((index / FPS - _LEAD_S) // step), 0), last)
        since = index / FPS - starts[number]
        progress = since / CARRY_S if since < CARRY_S else 1 + (since - CARRY_S) / LEAVE_S
        lying = table(plan.dice[: begin + number + (progress >= 1)])
        if not 0 <= progress < 2:
            return [Instant(lying)]
        die, pose = carried(plan.dice[begin + number], progress)
        if progress < 1:
            return [Instant(stand(lying, [*lying.plan.dice, die]), (hand(pose, person),), moving=1)]
        return [Instant(lying, (hand(pose, person),))]

    clip = _clip(plan, [Happening("add", str(one.piece), s, s + CARRY_S) for one, s in zip(plan.dice[begin:], starts, strict=True)], shows)
    return replace(clip, frames=round((starts[-1] + step + _TAIL_S) * FPS))


def _turn(plan: TablePlan) -> TableClip:
    cards = [number for number, laid in enumerate(plan.flats) if laid.flat.piece is not None][-_TURNED:]
    starts = [_LEAD_S + at * (_TURN_S + _LEAD_S) for at in range(len(cards))]
    backs = {at: back_flat((plan.seed, _BACK), plan.flats[at].flat.size_mm, plan.flats[at].flat.corner_mm) for at in cards}
    top = lru_cache(lambda: bare(plan))

    def turned(at: int, progress: float) -> LaidFlat:
        """A card in the air, about its long axis; `progress` is 0 for the back and 1 for the face."""
        laid, angle = plan.flats[at], float(np.pi * progress)
        lift = laid.pose.lift_mm + (laid.flat.size_mm[0] / 2 + _TURN_ARC_MM) * float(np.sin(angle))
        axis = laid.pose.place.turn_rad
        normal = np.array([-np.sin(angle) * np.cos(axis), -np.sin(angle) * np.sin(axis), np.cos(angle)])
        shows_back = normal @ (plan.view.eye_mm - [*laid.pose.place.xy, lift]) >= 0
        pose = replace(laid.pose, lift_mm=lift, roll_rad=angle if shows_back else angle - np.pi)
        return LaidFlat(backs[at] if shows_back else laid.flat, pose)

    @lru_cache(maxsize=1)
    def table(done: int, gone: int | None) -> Lit:
        down = cards[done + (gone is not None) :]
        flats = [replace(laid, flat=backs[at]) if at in down else laid for at, laid in enumerate(plan.flats) if at != gone]
        return light(replace(plan, flats=tuple(flats)), top())

    def shows(index: int) -> list[Instant]:
        done = sum(index / FPS >= start + _TURN_S for start in starts)
        if done == len(starts) or index / FPS < starts[done]:
            return [Instant(table(done, None))]
        progress = [min(1.0, (at - starts[done]) / _TURN_S) for at in index / FPS + _OPEN_S]
        return [Instant(table(done, cards[done]), held=turned(cards[done], share), moving=1) for share in progress]

    turns = zip(cards, starts, strict=True)
    return _clip(plan, [Happening("turn", str(plan.flats[at].flat.piece), start, start + _TURN_S) for at, start in turns], shows)
