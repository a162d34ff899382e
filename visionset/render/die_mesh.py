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
    points, normals, uv = (np.concatenate([getattr(mesh, name) for mesh in meshes]) for name in ("points_mm", "normals", "uv"))
    return Mesh(points, normals, uv, np.concatenate([mesh.triangles + at for mesh, at in zip(meshes, first, strict=False)]))


def die_mesh(die: Die, row: int, rows: int) -> Mesh:
    """A die on the table; its faces are the columns of line `row` of a texture of `rows` lines."""
    style, faces, turn = die.style, die.solid.faces, die.rotation()
    core = 1 - 2 * style.round_mm / style.size_mm
    steps = _steps(core)
    grid = np.stack(np.meshgrid(steps, steps), axis=2).reshape(-1, 2)
    box = np.einsum("mi,nij->nmj", grid, faces[:, :2]) + faces[:, None, 2]
    inner = np.clip(box, -core, core)
    normals = (box - inner) / np.linalg.norm(box - inner, axis=2, keepdims=True)
    points = inner + (1 - core) * normals
    reach = np.linalg.norm(points, axis=2, keepdims=True)
    normals = np.where(reach > style.ball, points / reach, normals)
    points = points * np.minimum(1, style.ball / reach)
    across, along = np.moveaxis((np.einsum("nmj,nij->nmi", points, faces[:, :2]) + 1) / 2, 2, 0)
    number = np.arange(len(faces))[:, None]
    uv = np.stack([(number + across) / len(faces), (row + along) / rows], axis=2)
    triangles = _grid_triangles(len(steps)) + len(grid) * number[..., None]
    points, normals = (one.reshape(-1, 3) @ turn.T for one in (points, normals))
    return Mesh(points * die.half_mm + die.center_mm, normals, uv.reshape(-1, 2), triangles.reshape(-1, 3))


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
