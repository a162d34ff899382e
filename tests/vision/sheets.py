"""The printed sheet as a camera of known lens sees it."""

from __future__ import annotations

import cv2
import numpy as np

from visionset.calibration import Lens
from visionset.geometry import Floats, apply
from visionset.vision.charuco import SIZE_MM, SQUARE_MM, drawn_sheet

SIZE_PX = (640, 480)
LENS = Lens((560.0, 560.0), (322.0, 236.0), (-0.18, 0.06, 0.0, 0.0, 0.0))

SLANTS = [(-0.6, 0.0, 0.0), (0.4, 0.3, 0.3), (-0.2, 0.6, -0.2), (0.3, -0.5, 1.4), (0.0, 0.0, 0.1), (-0.5, -0.3, 3.0), (0.55, 0.1, 0.2)]
SHIFTS = [(0, 0, 480), (-60, 20, 420), (70, -20, 430), (0, -50, 460), (0, 10, 400), (60, 50, 450), (0, 0, 470)]


def pose(at: int) -> Floats:
    """Camera from sheet, shape (3, 3): two directions and the place of the sheet's corner."""
    turn, _ = cv2.Rodrigues(np.array(SLANTS[at], np.float64))
    middle = np.array([SIZE_MM[0] / 2, SIZE_MM[1] / 2, 0.0])
    return np.column_stack([turn[:, 0], turn[:, 1], np.array(SHIFTS[at], np.float64) - turn @ middle])


def photo(at: int, lens: Lens = LENS, noise: float = 2.0, hold: tuple[int, int] = (0, 0)) -> np.ndarray:
    """A picture of the sheet on grey."""
    fine = 1  # the texture is hardly finer than the picture
    x, y = np.meshgrid(np.arange(SIZE_PX[0] * fine), np.arange(SIZE_PX[1] * fine))
    pixels = (np.stack([x, y], axis=2).reshape(-1, 2) + 0.5) / fine - 0.5 - np.array(hold)
    straight = lens.undistorted(pixels)
    on_sheet = apply(np.linalg.inv(lens.matrix @ pose(at)), straight) / SQUARE_MM
    square_px = 40
    texture = cv2.copyMakeBorder(drawn_sheet(square_px), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=255)
    texture = cv2.copyMakeBorder(texture, 9, 9, 9, 9, cv2.BORDER_CONSTANT, value=120)
    places = (on_sheet * square_px - 0.5 + 29).astype(np.float32).reshape(*x.shape, 2)
    seen = cv2.remap(texture, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.resize(seen, SIZE_PX, interpolation=cv2.INTER_AREA).astype(np.float32)
    seen = 20 + 0.8 * seen + np.random.default_rng(at).normal(0, noise, seen.shape)
    return cv2.cvtColor(np.clip(seen, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)
