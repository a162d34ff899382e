"""Rendered tables of any pieces, believable to people, with their truth: the same seed gives the same picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from visionset.render.dice import Die, Lamp, cast_shadow, draw_die
from visionset.render.lighting import lit
from visionset.render.stage import FINER, Layers, Light, bare_table, lay
from visionset.render.surfaces import Picture
from visionset.render.table_plan import TablePlan, plan_table
from visionset.render.table_spec import TableSpec
from visionset.render.table_truth import far_to_near, true_pieces, truth_entry

_GRAIN, _NOISE = 1, 2
"""Purposes of chance: the table top's, the sensor's."""

_SHADOW = 0.92
"""Share of the lamp that a die takes away behind it."""

_FACE_FINENESS = 1.15
"""Pixels of a painted face for each fine pixel that shows it."""

_BLUR_PX_SINE = (0.5, 0.9)
"""Blur at the far and the near edge of a picture taken along the table, by the sine of the tilt."""


def render_table(spec: TableSpec, physical: bool = False) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """Render one table.

    Parameters
    ----------
    spec : TableSpec
        What to render.
    physical : bool
        Let Mitsuba 3 trace the light: slower, and better to look at; needs the extra ``visionset[render]``.

    Returns
    -------
    image_bgr : ndarray of uint8, shape (height, width, 3)
    truth : dict
        Entry of a truth file: ``pieces``, ``optional``, ``dice`` and ``cards`` with corners, and a ``note``.

    Raises
    ------
    SceneError
        Mitsuba is asked for and is not installed.
    """
    plan = plan_table(spec)
    if physical:
        from visionset.render.physical import trace

        radiance, sensor = trace(plan), plan.sensor
    else:
        far, near = (np.sin(np.radians(plan.view.tilt_deg)) * share for share in _BLUR_PX_SINE)
        radiance, sensor = paint(plan), replace(plan.sensor, blur_far_px=float(far), blur_near_px=float(near))
    return sensor.take(plan.rng(_NOISE), radiance), truth_entry(true_pieces(plan), note(plan.spec, physical))


def note(spec: TableSpec, physical: bool) -> str:
    """What was rendered, in words."""
    how = "traced by Mitsuba" if physical else "quick renderer"
    place = f"camera {spec.camera}, light {spec.light}, table {spec.table}"
    return f"{spec.layout} of {' and '.join(spec.kinds)}, {place}, seed {spec.seed}, {how}"


def paint(plan: TablePlan) -> Picture:
    """Light of each pixel, linear BGR, by the quick renderer."""
    lamp, ambient = light_flats(plan, lay_flats(plan))
    return stand(plan, lamp, ambient, [one.die for one in plan.dice])


def lay_flats(plan: TablePlan) -> Layers:
    """Table top with everything flat on it, not yet lit."""
    layers = bare_table(plan.rng(_GRAIN), plan.spec.table, plan.view, plan.grain_rad)
    for number, laid in enumerate(plan.flats):
        place = np.array([[laid.pose.place.x_mm, laid.pose.place.y_mm, laid.pose.lift_mm]])
        px_mm = _FACE_FINENESS * FINER * float(plan.view.see(place)[2][0])
        lay(layers, plan.view, plan.light, laid.flat.paint(px_mm), laid.pose, number)
    return layers


def light_flats(plan: TablePlan, layers: Layers) -> tuple[Picture, Picture]:
    """Light of the lamp and of everything else that each pixel of the table sends to the camera."""
    return lit(layers, plan.view, plan.light)


def stand(plan: TablePlan, lamp: Picture, ambient: Picture, dice: list[Die]) -> Picture:
    """Put dice with their shadows on a lit table."""
    lamp, ambient = lamp.copy(), ambient.copy()
    shine = die_lamp(plan.light)
    if dice:
        softness = plan.lamp_radius_mm / float(np.linalg.norm(plan.light.lamp_mm))
        soft_mm = 0.5 * softness * float(np.mean([die.style.size_mm for die in dice]))
        cast_shadow(lamp, plan.view, dice, shine, _SHADOW, soft_mm)
        cast_shadow(ambient, plan.view, dice, shine, 0.0, soft_mm)
    return draw_dice(plan, np.asarray(lamp + ambient, np.float32), dice)


def draw_dice(plan: TablePlan, radiance: Picture, dice: list[Die]) -> Picture:
    """Put dice on a picture, far ones first, in the colours of the light."""
    tint = light_tint(plan.light)
    picture = np.ascontiguousarray(radiance / tint, np.float32)
    owner = np.zeros(radiance.shape[:2], np.int32)
    for at in far_to_near(plan.view, [die.corners_mm().mean(axis=0) for die in dice]):
        draw_die(picture, owner, at, plan.view, dice[at], die_lamp(plan.light))
    return np.asarray(picture * tint, np.float32)


def light_tint(light: Light) -> Picture:
    """Light on white paper in the middle of the table, linear BGR."""
    return np.asarray(np.add(light.lamp_rgb, light.ambient_rgb)[::-1], np.float32)


def die_lamp(light: Light) -> Lamp:
    """The same light as the renderer of dice wants it."""
    return Lamp(light.toward, float(np.sum(light.ambient_rgb) / np.sum(np.add(light.lamp_rgb, light.ambient_rgb))))
