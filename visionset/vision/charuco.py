"""The printed sheet that a camera is calibrated with: chess squares with a marker in each white one (ChArUco)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats

COLUMNS, ROWS = 7, 10
"""Squares of the sheet in `calibration/`, across and down; they fit on A4 and on Letter."""

SQUARE_MM, _MARKER_MM = 25.0, 17.5
"""Sides; a marker is 7 modules wide, 2.5 mm each: 3 px at 1280x720 when the sheet fills half the picture."""

SIZE_MM = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
"""Width and height of all squares."""

_LEAST_CORNERS = 12
"""A view with fewer says little and is more often a mistake."""


@dataclass(frozen=True, slots=True, eq=False)
class CharucoView:
    """The sheet as one picture shows it."""

    ids: NDArray[np.intp]
    """Which inner corners, ascending. Shape (n,)."""
    corners_px: Floats
    """Where they are. Shape (n, 2)."""
    corners_mm: Floats
    """Where they are on the sheet, from its top left. Shape (n, 2)."""

    def moved_px(self, other: CharucoView) -> float:
        """Median way of the corners that both show; infinite where they share none."""
        _, mine, theirs = np.intersect1d(self.ids, other.ids, return_indices=True)
        if not len(mine):
            return float("inf")
        return float(np.median(np.linalg.norm(self.corners_px[mine] - other.corners_px[theirs], axis=1)))

    def slanted_from(self, other: CharucoView) -> float:
        """How differently the sheet is slanted, 0 to 1: the share of the corners' spread that no shift, turn and size explains.

        Of the complex corners p and q about their means, with which q a p fits best:

            a = <q, p> / |q|^2,  |p - a q|^2 = |p|^2 - |<q, p>|^2 / |q|^2  so that the share is  sqrt(1 - |<q, p>|^2 / (|p|^2 |q|^2))
        """
        _, mine, theirs = np.intersect1d(self.ids, other.ids, return_indices=True)
        if len(mine) < _LEAST_CORNERS:
            return 1.0
        p, q = (corners[:, 0] + 1j * corners[:, 1] for corners in (self.corners_px[mine], other.corners_px[theirs]))
        p, q = p - p.mean(), q - q.mean()
        alike = abs(np.vdot(q, p)) ** 2 / (np.vdot(p, p).real * np.vdot(q, q).real)
        return float(np.sqrt(max(0.0, 1 - alike)))


def drawn_sheet(square_px: int) -> NDArray[np.uint8]:
    """The squares of the sheet as a picture, black 0 and white 255, without a margin."""
    return np.asarray(_detector().getBoard().generateImage((COLUMNS * square_px, ROWS * square_px)), np.uint8)


def find_sheet(image_bgr: NDArray[np.uint8]) -> CharucoView | None:
    """Find the sheet; None where it is not or too little of it."""
    corners, ids, _, _ = _detector().detectBoard(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY))
    if ids is None or len(ids) < _LEAST_CORNERS:
        return None
    which = np.asarray(ids, np.intp).ravel()
    order = np.argsort(which)
    corners_mm = np.asarray(_detector().getBoard().getChessboardCorners(), np.float64)[which[order], :2]
    return CharucoView(which[order], np.asarray(corners, np.float64).reshape(-1, 2)[order], corners_mm)


@cache
def _detector() -> cv2.aruco.CharucoDetector:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    return cv2.aruco.CharucoDetector(cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, _MARKER_MM, dictionary))
