"""The order in which people name what lies on a table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats

_ROW_SHARE = 0.5
"""A piece belongs to a row while it is off the row's course by less than this share of its own height."""


def table_angle_rad(outlines_px: Floats) -> float:
    """Common direction of the sides of many quads, shape (n, 4, 2), between -45 and 45 degrees; 0 when there is none."""
    sides = np.roll(outlines_px, -1, axis=1) - outlines_px
    # the fourth power makes the four directions of a rectangle one; length weighs, agreement decides
    turned = ((sides[..., 0] + 1j * sides[..., 1]) / np.maximum(np.hypot(sides[..., 0], sides[..., 1]), 1e-9)) ** 4
    mean = turned.mean() if turned.size else 0.0
    return float(np.angle(mean) / 4) if abs(mean) > 0.3 else 0.0


def reading_order(outlines_px: Floats) -> NDArray[np.intp]:
    """Positions by rows from the top, in each row from the left, the table's slant taken out.

    Parameters
    ----------
    outlines_px : ndarray of float64, shape (n, 4, 2)
        Quads in the picture.

    Returns
    -------
    ndarray of intp, shape (n,)
    """
    if not len(outlines_px):
        return np.empty(0, np.intp)
    angle = table_angle_rad(outlines_px)
    cos, sin = np.cos(angle), np.sin(angle)
    upright = outlines_px @ np.array([[cos, -sin], [sin, cos]])
    center = upright.mean(axis=1)
    height = np.ptp(upright[..., 1], axis=1)
    rows: list[list[int]] = []
    for at in np.argsort(center[:, 1], kind="stable"):
        if rows:
            last = min(rows[-1], key=lambda other: abs(float(center[other, 0] - center[at, 0])))
            reach = _ROW_SHARE * min(height[at], height[last])
            if center[at, 1] - center[last, 1] < reach and center[at, 1] - center[rows[-1][0], 1] < 1.5 * height[at]:
                rows[-1].append(int(at))
                continue
        rows.append([int(at)])
    return np.array([at for row in rows for at in sorted(row, key=lambda at: float(center[at, 0]))], np.intp)
