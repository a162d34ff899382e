"""The painter: the light of a planned table, and what is above it, such as hands, cards in the air and dice that fly.

Mitsuba traces the same plan in `visionset.render.physical`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.render.bodies import Seen, render, shadow
from visionset.render.camera import Viewpoint
from visionset.render.dice import Die, cast_shadow, draw_die
from visionset.render.pixels import Field, Picture, blurred, filled, painted_row, shrunk, thrice, window_around
from visionset.render.stage import COVER, FINER, Layers, Light, Pose, bare_table, lay, lit, on_table, outline, shadow_of
from visionset.render.table_plan import Body, LaidFlat, TablePlan, TableSpec, plan_table
from visionset.render.table_truth import far_to_near, true_pieces, truth_entry

GRAIN, NOISE = 1, 2  # purposes of chance: the table top's, the sensor's
DIE_SHADOW = 0.92  # share of the lamp that a die takes away behind it
LAMP_TAKEN, AMBIENT_TAKEN = 0.93, 0.62  # what a hand or a card in the air takes of the lamp's light and of all other light
FACE_FINENESS = 1.15  # pixels of a painted face for each fine pixel that shows it
_BLUR_PX_SINE = (0.5, 0.9)  # blur at the far and the near edge of a picture taken along the table, by the sine of the tilt
_HOLD_PX = 4  # so far around a card in the air it is painted


@dataclass(frozen=True, slots=True, eq=False)
class Lit:
    """A lit table on which everything lies still."""

    plan: TablePlan  # what it is
    layers: Layers  # table top and all flat things, before they were lit
    lamp: Picture  # what the flat things send of the lamp's light; float32, shape (height, width, 3)
    ambient: Picture  # what they send of all other light; float32, shape (height, width, 3)
    picture: Picture  # both together, with the dice; float32, shape (height, width, 3)


def render_table(spec: TableSpec, physical: bool = False) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Render one table, traced by Mitsuba 3 if `physical` (slower, finer): a picture, uint8 BGR, and its entry of a truth file."""
    plan = plan_table(spec)
    if physical:
        from visionset.render.physical import trace

        radiance, sensor = trace(plan), plan.sensor
    else:
        far, near = (np.sin(np.radians(plan.view.tilt_deg)) * share for share in _BLUR_PX_SINE)
        radiance, sensor = light(plan).picture, replace(plan.sensor, blur_far_px=float(far), blur_near_px=float(near))
    how = "traced by Mitsuba" if physical else "quick renderer"
    return sensor.take(plan.rng(NOISE), radiance), truth_entry(true_pieces(plan), f"{plan.says}, {how}")


def bare(plan: TablePlan, rng: np.random.Generator | None = None) -> Layers:
    """The table top alone; `rng` draws it in place of the plan's own chance."""
    return bare_table(rng or plan.rng(GRAIN), plan.top, plan.view, plan.grain_rad, plan.texture_px)


def light(plan: TablePlan, top: Layers | None = None) -> Lit:
    """Lay everything on the table top and light it; bodies come later, by `over`."""
    layers = bare(plan) if top is None else top.copy()
    for number, laid in enumerate(plan.flats):
        lay(layers, plan.view, plan.light, laid.flat.paint(_px_mm(plan.view, laid.pose)), laid.pose, number)
    lamp, ambient = lit(layers, plan.view, plan.light)
    return stand(Lit(plan, layers, lamp, ambient, np.asarray(lamp + ambient, np.float32)), plan.dice)


def stand(table: Lit, dice: Sequence[Die], still: bool = False) -> Lit:
    """The same flat things with other dice among them, in the air some of them unless they lie `still`."""
    lamp, ambient, plan = table.lamp.copy(), table.ambient.copy(), replace(table.plan, dice=tuple(dice)) if still else table.plan
    if dice:
        softness = plan.light.radius_mm / float(np.linalg.norm(plan.light.lamp_mm))
        soft_mm = 0.5 * softness * float(np.mean([die.style.size_mm for die in dice]))
        cast_shadow(lamp, plan.view, list(dice), plan.light, DIE_SHADOW, soft_mm)
        cast_shadow(ambient, plan.view, list(dice), plan.light, 0.0, soft_mm)
    return replace(table, plan=plan, picture=draw_dice(plan.view, plan.light, np.asarray(lamp + ambient, np.float32), dice))


def over(
    table: Lit, bodies: Sequence[Body] = (), held: LaidFlat | None = None, blur_px: tuple[float, float] = (0, 0)
) -> tuple[Picture, Field]:
    """Light and hidden share of each pixel when hands, pens and a held card, on their way of `blur_px`, are over a lit table."""
    plan, view = table.plan, table.plan.view
    front = np.zeros((*view.size_px[::-1], 4), np.float32)
    if not bodies and held is None:
        return table.picture, front[..., 3]
    takers = [partial(shadow, view, plan.light, body) for body in bodies]
    if held is not None:
        takers.append(partial(_card_shadow, plan, held))
        _hold(table, held, front)
    dark, dim = (np.max([taker(low=low) for taker in takers], axis=0) for low in (False, True))
    for body in bodies:
        seen = render(view, plan.light, body)
        if seen is not None:
            x, y = on_table(view, (seen.left, seen.top), seen.cover.shape)
            way = view.rotation[2]
            _cover(front, seen, np.asarray(way[0] * x + way[1] * y + held.pose.lift_mm / way[2], np.float32) if held else None)
    front = smear(front, blur_px)
    by_lamp = table.lamp / np.maximum(table.lamp + table.ambient, 1e-6)
    behind = table.picture * (1 - by_lamp * thrice(LAMP_TAKEN * dark) - (1 - by_lamp) * thrice(AMBIENT_TAKEN * dim))
    cover = np.clip(front[..., 3], 0, 1)
    return np.asarray(behind * thrice(1 - cover) + front[..., :3], np.float32), cover


def draw_dice(view: Viewpoint, light: Light, radiance: Picture, dice: Sequence[Die]) -> Picture:
    """Put dice on a picture, far ones first, in the colours of the light."""
    tint = painted_row(light.tint_bgr, radiance.shape[1])
    picture = np.ascontiguousarray(radiance / tint, np.float32)
    for at in far_to_near(view, [die.corners_mm().mean(axis=0) for die in dice]):
        draw_die(picture, view, dice[at], light)
    return np.asarray(picture * tint, np.float32)


def _px_mm(view: Viewpoint, pose: Pose) -> float:
    """Pixels a millimetre that a face is painted with where it lies."""
    place = np.array([[pose.place.x_mm, pose.place.y_mm, pose.lift_mm]])
    return FACE_FINENESS * FINER * float(view.see(place)[2][0])


def _hold(table: Lit, held: LaidFlat, front: Picture) -> None:
    """Paint a card in the air into a premultiplied picture, in place."""
    view = table.plan.view
    window = window_around(outline(view, held.flat.size_mm, held.pose), _HOLD_PX, view.size_px)
    if window is None:
        return
    left, top, right, bottom = window
    part = table.layers.window(*(FINER * v for v in window)).copy()
    part.owner[:] = COVER
    part.offset_px = (0, 0)
    nearby = replace(view, size_px=(right - left, bottom - top), center_px=(view.center_px[0] - left, view.center_px[1] - top))
    lay(part, nearby, table.plan.light, held.flat.paint(_px_mm(view, held.pose)), held.pose, 0)
    share = shrunk((part.owner == 0).astype(np.float32), nearby.size_px)
    front[top:bottom, left:right, :3] = np.sum(lit(part, nearby, table.plan.light), axis=0) * share[..., None]
    front[top:bottom, left:right, 3] = share


def _card_shadow(plan: TablePlan, held: LaidFlat, low: bool) -> Field:
    """Share of the lamp's light that a card in the air takes, or with `low` of that from everywhere."""
    view, pose, lift = plan.view, held.pose, held.pose.lift_mm
    width, height = held.flat.size_mm
    quad = outline(view, (width * abs(float(np.cos(pose.roll_rad))), height), shadow_of(pose, plan.light, 0.0 if low else lift))
    soft = blurred(filled(view.size_px, [quad]), max(0.6, ((0.6 if low else 0.1) * lift + 0.4) * view.scale_px_mm))
    return np.asarray(soft / (1 + lift / 40) if low else soft, np.float32)


def _cover(front: Picture, seen: Seen, behind_mm: Field | None) -> None:
    """Put a body over a premultiplied picture, in place, except where a held card is nearer to the camera."""
    height, width = seen.cover.shape
    part = front[seen.top : seen.top + height, seen.left : seen.left + width]
    share = seen.cover
    if behind_mm is not None:
        above = np.clip((seen.toward_mm - behind_mm) * 1.5 + 0.5, 0, 1)
        share = share * (1 - part[..., 3] * (1 - above))
    part *= (1 - share)[..., None]
    part[..., :3] += share[..., None] * seen.light
    part[..., 3] += share


def smear(front: Picture, way_px: tuple[float, float]) -> Picture:
    """Blur a picture along a way, as a shutter that is open meanwhile does."""
    length = float(np.hypot(*way_px))
    if length < 1.5:
        return front
    half = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    ends = [np.round((half + s * np.array(way_px) / 2) * 16).astype(int) for s in (-1, 1)]
    cv2.line(kernel, tuple(map(int, ends[0])), tuple(map(int, ends[1])), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(front, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE), np.float32)
