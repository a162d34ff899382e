"""Viewpoint: a pinhole camera over the table, for flat things and for things that stand above it.

Table coordinates are millimetres, x to the right, y towards the player, z up from the table top.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from visionset.geometry import Floats, apply


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Where the camera is and what it looks at."""

    size_px: tuple[int, int]
    """Width and height of the picture."""
    scale_px_mm: float
    """Pixels a millimetre at the table's origin, across the line of sight."""
    tilt_deg: float
    """0 looks straight down; the far side of the table is at the top of the picture."""
    turn_deg: float
    """Turn of the table in its plane, clockwise in the picture."""
    distance_mm: float
    """From the camera to the table's origin; short ones give strong perspective."""
    center_px: tuple[float, float]
    """Where the origin is seen."""

    def finer(self, factor: int) -> Viewpoint:
        """Return the same view with `factor` times as many pixels along each side."""
        x, y = (factor * (c + 0.5) - 0.5 for c in self.center_px)
        width, height = self.size_px
        return replace(self, size_px=(factor * width, factor * height), scale_px_mm=factor * self.scale_px_mm, center_px=(x, y))

    @property
    def rotation(self) -> Floats:
        """Rows: the picture's right, the picture's down and the way to the camera, in table coordinates."""
        turn, tilt = np.radians([self.turn_deg, self.tilt_deg])
        about_z = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
        return np.asarray(about_x @ about_z)

    @property
    def eye_mm(self) -> Floats:
        """Place of the camera, shape (3,)."""
        return np.asarray(self.distance_mm * self.rotation[2])

    @property
    def image_from_space(self) -> Floats:
        """Projection of table millimetres, shape (3, 4)."""
        lens = np.array([[self.scale_px_mm, 0, self.center_px[0]], [0, self.scale_px_mm, self.center_px[1]], [0, 0, 1]])
        toward = np.array([1, 1, -1 / self.distance_mm])[:, None] * self.rotation
        return np.asarray(lens @ np.column_stack([toward, [0, 0, 1]]))

    @property
    def image_from_table(self) -> Floats:
        """Homography of the table top."""
        return np.asarray(self.image_from_space[:, [0, 1, 3]])

    def image_from_plane(self, origin_mm: Floats, right: Floats, down: Floats) -> Floats:
        """Homography of a plane in space, given its origin and two unit vectors."""
        frame = np.column_stack([np.append(right, 0), np.append(down, 0), np.append(origin_mm, 1)])
        return np.asarray(self.image_from_space @ frame)

    def see(self, points_mm: Floats) -> tuple[Floats, Floats, Floats]:
        """Project points, shape (n, 3), to pixels, shape (n, 2).

        Also returns how far each lies in front of the plane through the table's origin, on the way to the camera, in millimetres, and
        the pixels a millimetre at each, both of shape (n,).
        """
        seen = points_mm @ self.rotation.T
        scale = self.scale_px_mm / (1 - seen[:, 2] / self.distance_mm)
        return seen[:, :2] * scale[:, None] + np.array(self.center_px), seen[:, 2], scale

    def table_mm(self) -> Floats:
        """Where the picture's corners meet the table, clockwise from the top left, shape (4, 2).

        Raises
        ------
        ValueError
            The horizon is in the picture.
        """
        width, height = self.size_px
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        table_from_image = np.asarray(np.linalg.inv(self.image_from_table), np.float64)
        depth = corners @ table_from_image[2, :2] + table_from_image[2, 2]
        if depth.min() <= 0:
            raise ValueError(f"expected a picture of the table alone, got the horizon at tilt {self.tilt_deg}; tilt the camera less")
        return apply(table_from_image, corners)
