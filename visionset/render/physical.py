"""Light traced by Mitsuba 3: soft and contact shadows, gloss, light between dice, depth of field.

The camera is the plan's own, so the truth is that of the quick renderer. Mitsuba's axes are right-handed: y is turned over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.art import rounded_rectangle
from visionset.errors import SceneError
from visionset.geometry import Floats, apply
from visionset.render.dice import Die
from visionset.render.pixels import Picture
from visionset.render.stage import painted_ground
from visionset.render.table_plan import TablePlan

if TYPE_CHECKING:
    from types import ModuleType

# slower than llvm_ad_rgb, but runs everywhere: with LLVM below 16 the other one ends the whole process
_VARIANT = "scalar_rgb"
_SAMPLES = 12  # rays a pixel; what noise is left the sensor's own noise hides
_LACQUER = 1.1  # Mitsuba's lacquer takes a tenth of the light on its way in and out; the quick renderer's takes nothing
_BOUNCES = 4  # longest way of light: lamp, die, table, die, camera
_TABLE_PX = 6e6  # most pixels of the table's texture
_FACE_PX_MM = 5.0  # resolution of printed cards and boards
_ROOM_PX = (64, 32)  # size of the picture of the room that is mirrored in glossy things
_GRAIN, _ROOM = 1, 3  # purposes of chance
_STOCK_ROUGHNESS = 0.35
_MIRROR = np.diag([1.0, -1.0, 1.0])
_FLAT_STEPS, _ROUND_STEPS = 2, 5  # pieces across the flat middle of a die's face and across half a rounded edge: an arc of 45 degrees


def trace(plan: TablePlan) -> Picture:
    """Light of each pixel, linear BGR, on the scale of the quick renderer: 1 is white paper in full light."""
    try:
        import mitsuba as mi
    except ImportError:
        raise SceneError("expected Mitsuba 3 for --physical, got none installed; run pip install 'visionset[render]'") from None
    mi.set_variant(_VARIANT)
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": _BOUNCES + 1},
        "sensor": _camera(mi, plan),
        "lamp": _lamp(mi, plan),
        "room": _room(mi, plan),
        "table": _table(mi, plan),
    }
    for number, laid in enumerate(plan.flats):
        size, corner = laid.flat.size_mm, max(laid.flat.corner_mm, 0.2)
        outline, place = rounded_rectangle(*size, corner) / size, laid.pose.place.table_from_card() @ np.diag([*size, 1.0])
        coat = _print(mi, laid.flat.paint(_FACE_PX_MM).picture, _STOCK_ROUGHNESS)
        scene[f"flat{number}"] = _sheet(mi, outline, place, laid.pose.lift_mm, coat)
    scene |= {f"die{number}": _die(mi, die) for number, die in enumerate(plan.dice)}
    traced = np.array(mi.render(mi.load_dict(scene), spp=_SAMPLES, seed=plan.seed % (1 << 31)), np.float32)
    # the grain of few rays goes, edges stay
    tone = np.sqrt(np.clip(np.ascontiguousarray(traced[..., 2::-1]), 0, 4)).astype(np.float32)
    return np.asarray(_LACQUER * cv2.bilateralFilter(tone, 5, 0.05, 1.5) ** 2, np.float32)


def _roughness(sharp: float) -> float:
    """Roughness whose highlight is as broad as that of a Blinn-Phong exponent."""
    return float(np.clip(np.sqrt(2 / (sharp + 2)), 0.06, 0.5))


def _camera(mi: ModuleType, plan: TablePlan) -> dict[str, Any]:
    """The plan's viewpoint; a plan looks at the middle of its picture, and Mitsuba's lens knows no other."""
    view = plan.view
    width, height = view.size_px
    right, down, back = view.rotation @ _MIRROR
    to_world = np.eye(4)
    to_world[:3] = np.column_stack([-right, -down, -back, view.eye_mm @ _MIRROR])  # its camera looks along z, its x runs to the left
    return {
        "type": "thinlens",
        "aperture_radius": plan.aperture_mm,
        "focus_distance": view.distance_mm,
        "fov": float(np.degrees(2 * np.arctan(width / 2 / (view.scale_px_mm * view.distance_mm)))),
        "fov_axis": "x",
        "to_world": mi.ScalarTransform4f(to_world),
        "film": {"type": "hdrfilm", "width": width, "height": height, "rfilter": {"type": "box"}, "pixel_format": "rgb"},
        "sampler": {"type": "multijitter", "sample_count": _SAMPLES},
    }


def _lamp(mi: ModuleType, plan: TablePlan) -> dict[str, Any]:
    """A disk turned to the middle of the table, as bright as the plan says."""
    lamp = plan.light
    place = np.array(lamp.lamp_mm) @ _MIRROR
    power = float(place @ place) / (lamp.radius_mm**2 * lamp.toward[2])
    where = mi.ScalarTransform4f().look_at(origin=list(place), target=[0, 0, 0], up=[0.1, 1, 0])
    return {
        "type": "disk",
        "to_world": where @ mi.ScalarTransform4f().scale([lamp.radius_mm] * 3),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": [float(power * c) for c in lamp.lamp_rgb]}},
    }


def _room(mi: ModuleType, plan: TablePlan) -> dict[str, Any]:
    """What surrounds the table: bright above, darker at the sides, with a few bright and dark patches to be mirrored."""
    rng = plan.rng(_ROOM)
    width, height = _ROOM_PX
    down = (np.arange(height) + 0.5) / height * np.pi  # from straight above to straight below
    room = np.repeat((0.75 + 0.5 * np.cos(down))[:, None], width, axis=1)
    for _ in range(5):
        top, left = int(rng.integers(2, height // 2)), int(rng.integers(0, width - 8))
        room[top : top + int(rng.integers(3, 8)), left : left + int(rng.integers(3, 14))] *= rng.uniform(0.4, 2.2)
    upper = np.where(down < np.pi / 2, np.sin(down) * np.cos(down), 0)  # weight of each row in the light on the table
    room /= (room * upper[:, None]).sum() / (upper.sum() * width)
    colored = room[..., None].astype(np.float32) * np.array(plan.light.ambient_rgb, np.float32)
    upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)  # the map's top is up
    return {"type": "envmap", "bitmap": mi.Bitmap(np.ascontiguousarray(colored)), "to_world": upright}


def _table(mi: ModuleType, plan: TablePlan) -> Any:
    """What the camera sees of the table, and a rim around that throws light."""
    material, table_from_texture, _ = painted_ground(plan.rng(_GRAIN), plan.top, plan.view, plan.grain_rad, _TABLE_PX, 60.0, 1.2)
    height, width = material.albedo.shape[:2]
    matt = {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": _texture(mi, material.albedo)}}
    surface = _print(mi, material.albedo, _roughness(material.polish)) if material.gloss > 0 else matt
    place = table_from_texture @ np.array([[width, 0, width / 2], [0, height, height / 2], [0, 0, 1]])
    return _sheet(mi, np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]), place, 0.0, surface)


def _sheet(mi: ModuleType, outline: Floats, table_from_sheet: Floats, height_mm: float, surface: dict[str, Any]) -> Any:
    """A flat thing at a height: a convex outline in sizes of the thing about its centre, shape (n, 2)."""
    after = np.arange(1, len(outline) - 1)
    points = np.column_stack([apply(table_from_sheet, outline), np.full(len(outline), height_mm)])
    triangles = np.column_stack([np.zeros_like(after), after + 1, after])
    return _mesh(mi, points, np.tile([0.0, 0.0, 1.0], (len(outline), 1)), outline + 0.5, triangles, surface)


def _texture(mi: ModuleType, albedo: Picture) -> dict[str, Any]:
    rgb = np.ascontiguousarray(np.clip(albedo[..., ::-1], 0, 0.95), np.float32)
    return {"type": "bitmap", "bitmap": mi.Bitmap(rgb), "raw": True, "wrap_mode": "clamp"}


def _print(mi: ModuleType, albedo: Picture, alpha: float) -> dict[str, Any]:
    """Ink under lacquer, or dyed plastic."""
    coat = {"type": "roughplastic", "diffuse_reflectance": _texture(mi, albedo), "alpha": alpha, "int_ior": 1.45, "nonlinear": False}
    return {"type": "twosided", "bsdf": coat}


def _die(mi: ModuleType, die: Die) -> Any:
    """A rounded body as triangles: faces that bend round the edges, each with its column of the texture."""
    style, faces, turn = die.style, die.solid.faces, die.rotation()
    core = 1 - 2 * style.round_mm / style.size_mm
    # the grid's lines on the body, evenly spaced along the rounded edge
    arc = core + (1 - core) * np.tan(np.linspace(0, np.pi / 4, _ROUND_STEPS + 1))
    steps = np.concatenate([-arc[::-1], np.linspace(-core, core, _FLAT_STEPS + 1)[1:-1], arc])
    grid = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    box = np.einsum("mi,nij->nmj", grid, faces[:, :2]) + faces[:, None, 2]
    inner = np.clip(box, -core, core)
    normals = (box - inner) / np.linalg.norm(box - inner, axis=2, keepdims=True)
    points = inner + (1 - core) * normals
    reach = np.linalg.norm(points, axis=2, keepdims=True)
    normals = np.where(reach > style.ball, points / reach, normals)
    points = points * np.minimum(1, style.ball / reach)
    across, down = np.moveaxis((np.einsum("nmj,nij->nmi", points, faces[:, :2]) + 1) / 2, 2, 0)
    number, side = np.arange(len(faces))[:, None], len(steps)
    first = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    corners = np.concatenate([first[:, None] + [0, side, 1], first[:, None] + [1, side, side + 1]]) + len(grid) * number[..., None]
    surface = _print(mi, np.concatenate(list(die.atlas), axis=1), _roughness(style.sharp))
    uv = np.stack([(number + across) / len(faces), down], axis=2)
    return _mesh(mi, points @ turn.T * die.half_mm + die.center_mm, normals @ turn.T, uv, corners, surface)


def _mesh(mi: ModuleType, points_mm: Floats, normals: Floats, uv: Floats, corners: NDArray[np.int64], surface: dict[str, Any]) -> Any:
    """Triangles, counted clockwise as seen from outside in table coordinates, with a texture from its upper left, 0 to 1."""
    props = mi.Properties()
    props["mesh_bsdf"] = mi.load_dict(surface)
    shape = mi.Mesh("", points_mm[..., 0].size, corners[..., 0].size, has_vertex_normals=True, has_vertex_texcoords=True, props=props)
    params, parts = mi.traverse(shape), {"positions": points_mm @ _MIRROR, "normals": normals @ _MIRROR, "texcoords": uv}
    for name, values in parts.items():
        params[f"vertex_{name}"] = np.ascontiguousarray(values, np.float32).ravel()
    params["faces"] = corners.astype(np.uint32).ravel()
    params.update()
    return shape
