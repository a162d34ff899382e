"""Rounded cubes as triangles: six faces that bend round the edges and carry their part of a texture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.render.dice import Die

FLAT_STEPS, ROUND_STEPS = 2, 5
"""Pieces across the flat middle of a face and across half a rounded edge: an arc of 45 degrees in steps of 9."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Triangles with a texture."""

    points_mm: Floats
    normals: Floats
    """Table coordinates; float64, shape (n, 3)."""
    uv: Floats
    """0 to 1, from the texture's upper left; float64, shape (n, 2)."""
    triangles: NDArray[np.int64]
    """Corners of each; int64, shape (m, 3)."""


def joined(meshes: list[Mesh]) -> Mesh:
    """Many meshes as one."""
    first = np.cumsum([0, *(len(mesh.points_mm) for mesh in meshes)])
    return Mesh(
        np.concatenate([mesh.points_mm for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.uv for mesh in meshes]),
        np.concatenate([mesh.triangles + at for mesh, at in zip(meshes, first, strict=False)]),
    )


def die_mesh(die: Die, row: int, rows: int) -> Mesh:
    """A die on the table; its faces are the columns of line `row` of a texture of `rows` lines."""
    style = die.style
    core = 1 - 2 * style.round_mm / style.size_mm
    steps = _steps(core)
    x, y = (grid.ravel() for grid in np.meshgrid(steps, steps))
    triangles = _grid_triangles(len(steps))
    faces = []
    for at, (right, down, out) in enumerate(die.solid.faces):
        box = x[:, None] * right + y[:, None] * down + out
        inner = np.clip(box, -core, core)
        normals = box - inner
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        points = inner + (1 - core) * normals
        reach = np.linalg.norm(points, axis=1, keepdims=True)
        cut = reach[:, 0] > style.ball
        normals[cut] = (points / reach)[cut]
        points = points * np.minimum(1, style.ball / reach)
        across, along = points @ right, points @ down
        uv = np.column_stack([(at + (across + 1) / 2) / 6, (row + (along + 1) / 2) / rows])
        faces.append(Mesh(points, normals, uv, triangles))
    whole = joined(faces)
    turn = die.rotation()
    return Mesh(whole.points_mm @ turn.T * die.half_mm + die.center_mm, whole.normals @ turn.T, whole.uv, whole.triangles)


def sheet_mesh(outline_mm: Floats, size_mm: tuple[float, float], table_from_sheet: Floats, height_mm: float) -> Mesh:
    """A flat thing: a convex outline about its centre, shape (n, 2), turned and moved on the table at a height."""
    ring = np.concatenate([np.zeros((1, 2)), outline_mm])
    count = len(outline_mm)
    after = np.arange(count)
    triangles = np.column_stack([np.zeros(count, np.int64), after + 1, (after + 1) % count + 1])
    flat = ring @ table_from_sheet[:2, :2].T + table_from_sheet[:2, 2]
    points = np.column_stack([flat, np.full(count + 1, height_mm)])
    return Mesh(points, np.tile([0.0, 0.0, 1.0], (count + 1, 1)), ring / np.array(size_mm) + 0.5, triangles)


def _steps(core: float) -> Floats:
    """Places of the grid's lines on the cube, so that they are evenly spaced along the rounded edge."""
    arc = core + (1 - core) * np.tan(np.linspace(0, np.pi / 4, ROUND_STEPS + 1))
    return np.concatenate([-arc[::-1], np.linspace(-core, core, FLAT_STEPS + 1)[1:-1], arc])


def _grid_triangles(side: int) -> NDArray[np.int64]:
    at = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    return np.concatenate([np.column_stack([at, at + 1, at + side]), np.column_stack([at + 1, at + side + 1, at + side])])
