"""Pictures of the steps of the pipeline, for finding faults with one's own eyes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.vision.patches import CEILING


def drawn(image_bgr: NDArray[np.uint8], quads: Floats, labels: list[str]) -> NDArray[np.uint8]:
    """The picture with quads and their labels."""
    picture = image_bgr.copy()
    size = max(0.4, max(picture.shape) / 2200)
    for quad, label in zip(quads, labels, strict=True):
        cv2.polylines(picture, [np.round(quad).astype(np.int32)], True, (255, 0, 255), 2, cv2.LINE_AA)
        at = (int(quad[:, 0].min()), int(quad[:, 1].mean()))
        cv2.putText(picture, label, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 4, cv2.LINE_AA)
        cv2.putText(picture, label, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 255, 255), 1, cv2.LINE_AA)
    return picture


def montage(pieces: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Straightened pieces side by side, shape (n, 3, height, width)."""
    levels = (pieces / CEILING * 255).astype(np.uint8).transpose(0, 2, 3, 1)
    height, width = levels.shape[1:3]
    columns = min(len(levels), 12)
    rows = -(-len(levels) // columns)
    sheet = np.zeros((rows * columns, height, width, 3), np.uint8)
    sheet[: len(levels)] = levels
    return np.ascontiguousarray(sheet.reshape(rows, columns, height, width, 3).swapaxes(1, 2).reshape(rows * height, columns * width, 3))
