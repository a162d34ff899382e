"""Rendered clips of any pieces, with their truth: dice thrown, a card turned over, dice added to a crossword by a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from visionset.pieces import Kind
from visionset.render.bodies import render, shadow
from visionset.render.card_backs import random_back
from visionset.render.dice import Die
from visionset.render.hands import HandPose, Person, hand
from visionset.render.surfaces import Picture
from visionset.render.table_motion import Turning, carried, random_throw
from visionset.render.table_pieces import Flat
from visionset.render.table_plan import TablePlan, plan_table
from visionset.render.table_spec import TableSpec
from visionset.render.table_truth import TruePiece, true_pieces
from visionset.render.tables import draw_dice, lay_flats, light_flats, stand

FPS = 15.0
SHUTTER = 0.5
"""Share of a frame's time in which the shutter is open."""

SHUTTER_STEPS = 5
"""Pictures averaged for one blurred frame."""

CLIP_FILL = (0.55, 0.72)
"""Share of the picture that the pieces take at the end: what moves needs room to be seen."""

LEAD_S, TAIL_S = 0.4, 1.0
"""Rest before and after all that happens."""

CARRY_S, LEAVE_S = 0.55, 0.4
"""A hand's way to the place of a die, and back."""

TURN_S, TURNED = 0.6, 2
"""Time of one card's turn; how many cards are turned."""

AWAY_MM = 420.0
"""From where a hand comes."""

_NOISE, _THROW, _BACK, _PERSON = 2, 4, 5, 6
_LAMP_SHARE, _AMBIENT_SHARE = 0.85, 0.55
"""What a hand takes of the lamp's light and of all other light."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happens to one piece, from one time to another."""

    action: str
    piece: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True, eq=False)
class ClipFrame:
    """One frame.

    Attributes
    ----------
    lying : tuple of TruePiece
        What lies still.
    moving : int
        Pieces in sight that do not lie still: they have no value yet.
    quiet : bool
        Nothing moves, no hand is there.
    """

    image_bgr: NDArray[np.uint8]
    index: int
    lying: tuple[TruePiece, ...]
    moving: int
    quiet: bool


@dataclass(frozen=True, slots=True)
class ClipScene:
    """What a clip shows by default."""

    says: str
    layout: str
    kinds: tuple[str, ...]
    count: int
    fits: tuple[Kind, ...]


CLIP_SCENES: dict[str, ClipScene] = {
    "throw": ClipScene("a clip: dice are thrown and come to rest", "scattered", ("pip-dice",), 6, (Kind.PIP_DIE, Kind.SET_DIE)),
    "turn": ClipScene(
        "a clip: two of the cards in a row are turned over", "row", ("playing-cards",), 5, (Kind.PLAYING_CARD, Kind.SET_CARD)
    ),
    "add": ClipScene("a clip: a hand adds dice to a crossword one by one", "grid", ("set-dice",), 8, (Kind.SET_DIE, Kind.PIP_DIE)),
}
"""Clips by name."""


@dataclass(frozen=True, slots=True, eq=False)
class TableClip:
    """A clip to be rendered frame by frame.

    Attributes
    ----------
    plan : TablePlan
        The table when everything lies.
    happenings : tuple of Happening
        In the order of their start.
    frames : int
        How many.
    """

    plan: TablePlan
    happenings: tuple[Happening, ...]
    frames: int
    _play: Callable[[], Iterator[tuple[Picture, tuple[TruePiece, ...], int, bool]]]

    def __iter__(self) -> Iterator[ClipFrame]:
        """Render the frames, first to last."""
        noise = self.plan.rng(_NOISE)
        for index, (radiance, lying, moving, quiet) in enumerate(self._play()):
            yield ClipFrame(self.plan.sensor.take(noise, radiance), index, lying, moving, quiet)


def table_clip(name: str, spec: TableSpec, frames: int | None = None) -> TableClip:
    """Prepare one of `CLIP_SCENES`; `frames` cuts it off or leaves the table as it is at the end."""
    plan = plan_table(replace(spec, layout=CLIP_SCENES[name].layout), CLIP_FILL)
    return {"throw": _throw, "turn": _turn, "add": _add}[name](plan, frames)


def _frames(end_s: float, frames: int | None) -> int:
    return round((end_s + TAIL_S) * FPS) if frames is None else frames


def _throw(plan: TablePlan, frames: int | None) -> TableClip:
    rng = plan.rng(_THROW)
    way = float(rng.uniform(0, 2 * np.pi))
    throws = [random_throw(rng, one.die, way, LEAD_S) for one in plan.dice]
    happenings = sorted((Happening("throw", str(t.rest.piece), t.start_s, t.rest_s) for t in throws), key=lambda one: one.start_s)
    count = _frames(max(t.rest_s for t in throws), frames)

    def play() -> Iterator[tuple[Picture, tuple[TruePiece, ...], int, bool]]:
        table = light_flats(plan, lay_flats(plan))
        truth = true_pieces(plan)[-len(throws) :]
        settled: Picture | None = None
        for index in range(count):
            time_s = index / FPS
            resting = [t.rest_s <= time_s for t in throws]
            coming = sum(t.start_s <= time_s + SHUTTER / FPS and not still for t, still in zip(throws, resting, strict=True))
            if settled is None or not all(resting):
                steps = SHUTTER_STEPS if coming else 1
                times = time_s + np.arange(steps) / steps * SHUTTER / FPS
                pictures = [stand(plan, *table, [die for t in throws if (die := t.at(float(at))) is not None]) for at in times]
                settled = np.asarray(np.mean(pictures, axis=0), np.float32)
            yield settled, tuple(one for one, still in zip(truth, resting, strict=True) if still), coming, not coming

    return TableClip(plan, tuple(happenings), count, play)


def _add(plan: TablePlan, frames: int | None) -> TableClip:
    person = Person(size=0.9 + 0.2 * float(plan.rng(_PERSON).random()))
    begin = len(plan.dice) // 2  # the others lie there already
    step = CARRY_S + LEAVE_S
    starts = [LEAD_S + step * at for at in range(len(plan.dice) - begin)]
    happenings = tuple(
        Happening("add", str(one.die.piece), start, start + CARRY_S) for one, start in zip(plan.dice[begin:], starts, strict=True)
    )
    count = _frames(starts[-1] + step, frames)

    def play() -> Iterator[tuple[Picture, tuple[TruePiece, ...], int, bool]]:
        table = light_flats(plan, lay_flats(plan))
        still: dict[int, tuple[Picture, tuple[TruePiece, ...]]] = {}
        for index in range(count):
            time_s = index / FPS
            number = min(max(int((time_s - LEAD_S) // step), 0), len(starts) - 1)
            since = time_s - starts[number]
            progress = since / CARRY_S if since < CARRY_S else 1 + (since - CARRY_S) / LEAVE_S
            lying = begin + number + (progress >= 1)
            if lying not in still:
                part = replace(plan, dice=plan.dice[:lying])
                still = {lying: (stand(plan, *table, [one.die for one in part.dice]), true_pieces(part))}
            picture, truth = still[lying]
            if not 0 <= progress < 2:
                yield picture, truth, 0, True
                continue
            die, pose = carried(plan.dice[begin + number].die, AWAY_MM, progress)
            yield _with_hand(plan, picture, die if progress < 1 else None, pose, person), truth, int(progress < 1), False

    return TableClip(plan, happenings, count, play)


def _with_hand(plan: TablePlan, picture: Picture, die: Die | None, pose: HandPose, person: Person) -> Picture:
    body = hand(pose, person)
    light = plan.light
    lamp = np.array(light.lamp_rgb[::-1], np.float32) / np.add(light.lamp_rgb, light.ambient_rgb)[::-1].astype(np.float32)
    dark, dim = (shadow(plan.view, light, body, low)[..., None] for low in (False, True))
    picture = np.asarray(picture * (1 - lamp * _LAMP_SHARE * dark - (1 - lamp) * _AMBIENT_SHARE * dim), np.float32)
    if die is not None:
        picture = draw_dice(plan, picture, [die])
    seen = render(plan.view, light, body)
    if seen is not None:
        height, width = seen.cover.shape
        part = picture[seen.top : seen.top + height, seen.left : seen.left + width]
        part *= (1 - seen.cover)[..., None]
        part += seen.cover[..., None] * seen.light
    return picture


def _turn(plan: TablePlan, frames: int | None) -> TableClip:
    cards = [number for number, laid in enumerate(plan.flats) if laid.flat.piece is not None][-TURNED:]
    starts = [LEAD_S + at * (TURN_S + LEAD_S) for at in range(len(cards))]
    happenings = tuple(Happening("turn", str(plan.flats[at].flat.piece), s, s + TURN_S) for at, s in zip(cards, starts, strict=True))
    count = _frames(starts[-1] + TURN_S, frames)
    px_mm = 2.4 * plan.view.scale_px_mm

    def back_of(flat: Flat, fineness: float) -> Flat:
        paint = lambda px: random_back(plan.rng(_BACK), min(fineness, px), flat.size_mm, flat.corner_mm)  # noqa: E731
        return Flat(Kind.CARD_BACK, None, flat.size_mm, flat.corner_mm, paint)

    def with_backs(down: list[int], gone: int | None) -> TablePlan:
        flats = [replace(laid, flat=back_of(laid.flat, 8.0)) if at in down else laid for at, laid in enumerate(plan.flats) if at != gone]
        return replace(plan, flats=tuple(flats))

    def play() -> Iterator[tuple[Picture, tuple[TruePiece, ...], int, bool]]:
        known: dict[tuple[int, bool], tuple[Picture, Picture, tuple[TruePiece, ...]]] = {}
        for index in range(count):
            time_s = index / FPS
            done = sum(time_s >= start + TURN_S for start in starts)
            turning = done < len(starts) and time_s >= starts[done]
            if (done, turning) not in known:
                part = with_backs(cards[done + turning :], cards[done] if turning else None)
                known = {(done, turning): (*light_flats(part, lay_flats(part)), true_pieces(part))}
            lamp, ambient, truth = known[done, turning]
            if not turning:
                yield stand(plan, lamp, ambient, [one.die for one in plan.dice]), truth, 0, True
                continue
            laid = plan.flats[cards[done]]
            card = Turning(laid.pose, back_of(laid.flat, 8.0).paint(px_mm), laid.flat.paint(px_mm))
            times = time_s + np.arange(SHUTTER_STEPS) / SHUTTER_STEPS * SHUTTER / FPS
            pictures = [card.draw(lamp, ambient, plan.view, plan.light, min(1.0, (float(t) - starts[done]) / TURN_S)) for t in times]
            yield np.asarray(np.mean(pictures, axis=0), np.float32), truth, 1, False

    return TableClip(plan, happenings, count, play)
