"""Light traced by Mitsuba 3: soft and contact shadows, gloss, light between dice, depth of field.

The camera is the plan's own, so the truth is that of the quick renderer. Mitsuba's axes are right-handed: y is turned over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.art import rounded_rectangle
from visionset.errors import SceneError
from visionset.geometry import Floats
from visionset.render.dice import Die
from visionset.render.die_mesh import Mesh, die_mesh, joined, sheet_mesh
from visionset.render.layouts import Spot, corners_mm
from visionset.render.pixels import Picture
from visionset.render.stage import painted_ground
from visionset.render.table_plan import TablePlan

if TYPE_CHECKING:
    from types import ModuleType

VARIANT = "scalar_rgb"
"""Slower than ``llvm_ad_rgb``, but runs everywhere: with LLVM below 16 the other one ends the whole process."""

SAMPLES = 12
"""Rays a pixel; what noise is left the sensor's own noise hides."""

LACQUER = 1.1
"""Mitsuba's lacquer takes a tenth of the light on its way in and out; the quick renderer's takes nothing."""

BOUNCES = 4
"""Longest way of light: lamp, die, table, die, camera."""

TABLE_PX = 6e6
"""Most pixels of the table's texture."""

FACE_PX_MM = 5.0
"""Resolution of printed cards and boards."""

ROOM_PX = (64, 32)
"""Size of the picture of the room that is mirrored in glossy things."""

_GRAIN, _ROOM = 1, 3
"""Purposes of chance."""

_STOCK_ROUGHNESS = 0.35
_MIRROR = np.diag([1.0, -1.0, 1.0])


def _mitsuba() -> ModuleType:
    try:
        import mitsuba
    except ImportError:
        raise SceneError("expected Mitsuba 3 for --physical, got none installed; run pip install visionset[render]") from None
    mitsuba.set_variant(VARIANT)
    return cast("ModuleType", mitsuba)


def trace(plan: TablePlan, samples: int = SAMPLES) -> Picture:
    """Light of each pixel, linear BGR, on the scale of the quick renderer: 1 is white paper in full light.

    Raises
    ------
    SceneError
        Mitsuba is not installed.
    """
    mi = _mitsuba()
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": BOUNCES + 1},
        "sensor": _camera(mi, plan, samples),
        "lamp": _lamp(mi, plan),
        "room": _room(mi, plan),
        "table": _table(mi, plan),
    }
    for number, laid in enumerate(plan.flats):
        face = laid.flat.paint(FACE_PX_MM)
        size, corner = laid.flat.size_mm, max(laid.flat.corner_mm, 0.2)
        mesh = sheet_mesh(rounded_rectangle(*size, corner), size, laid.pose.place.table_from_card(), laid.pose.lift_mm)
        scene[f"flat{number}"] = _shape(mi, mesh, _print(mi, face.picture, _STOCK_ROUGHNESS), f"flat{number}")
    for number, dice in enumerate(_by_make(list(plan.dice))):
        mesh = joined([die_mesh(die, row, len(dice)) for row, die in enumerate(dice)])
        sheet = np.concatenate([np.concatenate(list(die.atlas), axis=1) for die in dice])
        scene[f"dice{number}"] = _shape(mi, mesh, _print(mi, sheet, roughness(dice[0].style.sharp)), f"dice{number}")
    traced = np.array(mi.render(mi.load_dict(scene), spp=samples, seed=plan.seed % (1 << 31)), np.float32)
    return np.asarray(LACQUER * calm(np.ascontiguousarray(traced[..., 2::-1])), np.float32)


def calm(radiance: Picture) -> Picture:
    """Take the grain of few rays out, and leave edges."""
    tone = np.sqrt(np.clip(radiance, 0, 4)).astype(np.float32)
    return np.asarray(cv2.bilateralFilter(tone, 5, 0.05, 1.5) ** 2, np.float32)


def roughness(sharp: float) -> float:
    """Roughness whose highlight is as broad as that of a Blinn-Phong exponent."""
    return float(np.clip(np.sqrt(2 / (sharp + 2)), 0.06, 0.5))


def _by_make(dice: list[Die]) -> list[list[Die]]:
    """Dice of one make share a material."""
    makes: dict[int, list[Die]] = {}
    for die in dice:
        makes.setdefault(id(die.style), []).append(die)
    return list(makes.values())


def _camera(mi: ModuleType, plan: TablePlan, samples: int) -> dict[str, Any]:
    """The plan's viewpoint; a plan looks at the middle of its picture, and Mitsuba's lens knows no other."""
    view = plan.view
    width, height = view.size_px
    right, down, back = view.rotation @ _MIRROR
    eye = view.eye_mm @ _MIRROR
    to_world = np.eye(4)
    to_world[:3, :3] = np.column_stack([-right, -down, -back])  # Mitsuba's camera looks along z, its x runs to the left
    to_world[:3, 3] = eye
    focal_px = view.scale_px_mm * view.distance_mm
    return {
        "type": "thinlens",
        "aperture_radius": plan.aperture_mm,
        "focus_distance": view.distance_mm,
        "near_clip": 1.0,
        "far_clip": 1e5,
        "fov": float(np.degrees(2 * np.arctan(width / 2 / focal_px))),
        "fov_axis": "x",
        "to_world": mi.ScalarTransform4f(to_world),
        "film": {"type": "hdrfilm", "width": width, "height": height, "rfilter": {"type": "box"}, "pixel_format": "rgb"},
        "sampler": {"type": "multijitter", "sample_count": samples},
    }


def _lamp(mi: ModuleType, plan: TablePlan) -> dict[str, Any]:
    """A disk turned to the middle of the table, as bright as the plan says."""
    place = np.array(plan.light.lamp_mm) @ _MIRROR
    away = float(np.linalg.norm(place))
    area = np.pi * plan.lamp_radius_mm**2
    power = np.pi * away**2 / (area * plan.light.toward[2])
    where = mi.ScalarTransform4f().look_at(origin=list(place), target=[0, 0, 0], up=[0.1, 1, 0])
    return {
        "type": "disk",
        "to_world": where @ mi.ScalarTransform4f().scale([plan.lamp_radius_mm] * 3),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": [float(power * c) for c in plan.light.lamp_rgb]}},
    }


def _room(mi: ModuleType, plan: TablePlan) -> dict[str, Any]:
    """What surrounds the table: bright above, darker at the sides, with a few bright and dark patches to be mirrored."""
    rng = plan.rng(_ROOM)
    width, height = ROOM_PX
    down = (np.arange(height) + 0.5) / height * np.pi  # from straight above to straight below
    room = np.repeat((0.75 + 0.5 * np.cos(down))[:, None], width, axis=1)
    for _ in range(5):
        top, left = int(rng.integers(2, height // 2)), int(rng.integers(0, width - 8))
        room[top : top + int(rng.integers(3, 8)), left : left + int(rng.integers(3, 14))] *= rng.uniform(0.4, 2.2)
    upper = np.where(down < np.pi / 2, np.sin(down) * np.cos(down), 0)  # weight of each row in the light on the table
    room /= (room * upper[:, None]).sum() / (upper.sum() * width)
    colored = room[..., None].astype(np.float32) * np.array(plan.light.ambient_rgb, np.float32)
    return {
        "type": "envmap",
        "bitmap": mi.Bitmap(np.ascontiguousarray(colored)),
        "to_world": mi.ScalarTransform4f().rotate([1, 0, 0], 90),  # the map's top is up
    }


def _table(mi: ModuleType, plan: TablePlan) -> Any:
    """What the camera sees of the table, and a rim around that throws light."""
    material, table_from_texture, px_mm = painted_ground(plan.rng(_GRAIN), plan.top, plan.view, plan.grain_rad, TABLE_PX, 60.0, 1.2)
    height, width = material.albedo.shape[:2]
    size = (width / px_mm, height / px_mm)
    place = table_from_texture @ np.array([[px_mm, 0, width / 2], [0, px_mm, height / 2], [0, 0, 1]])
    surface = _print(mi, material.albedo, roughness(material.polish)) if material.gloss > 0 else _matt(mi, material.albedo)
    return _shape(mi, sheet_mesh(corners_mm(Spot(0.0, 0.0, 0.0), size), size, place, 0.0), surface, "table")


def _texture(mi: ModuleType, albedo: Picture) -> dict[str, Any]:
    rgb = np.ascontiguousarray(np.clip(albedo[..., ::-1], 0, 0.95), np.float32)
    return {"type": "bitmap", "bitmap": mi.Bitmap(rgb), "raw": True, "wrap_mode": "clamp"}


def _matt(mi: ModuleType, albedo: Picture) -> dict[str, Any]:
    return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": _texture(mi, albedo)}}


def _print(mi: ModuleType, albedo: Picture, alpha: float) -> dict[str, Any]:
    """Ink under lacquer, or dyed plastic."""
    coat = {"type": "roughplastic", "diffuse_reflectance": _texture(mi, albedo), "alpha": alpha, "int_ior": 1.45, "nonlinear": False}
    return {"type": "twosided", "bsdf": coat}


def _shape(mi: ModuleType, mesh: Mesh, surface: dict[str, Any], name: str) -> Any:
    props = mi.Properties()
    props["mesh_bsdf"] = mi.load_dict(surface)
    shape = mi.Mesh(name, len(mesh.points_mm), len(mesh.triangles), has_vertex_normals=True, has_vertex_texcoords=True, props=props)
    params = mi.traverse(shape)
    params["vertex_positions"] = _flat(mesh.points_mm @ _MIRROR)
    params["vertex_normals"] = _flat(mesh.normals @ _MIRROR)
    params["vertex_texcoords"] = _flat(mesh.uv)
    params["faces"] = mesh.triangles[:, ::-1].astype(np.uint32).ravel()  # mirrored, so turned round
    params.update()
    return shape


def _flat(values: Floats) -> NDArray[np.float32]:
    return np.ascontiguousarray(values, np.float32).ravel()
