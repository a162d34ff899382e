"""Annotated pictures and videos to files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.saving import saved
from visionset.video_file import VideoFile, free_bytes

_JPEG_QUALITY = 92
"""Thin coloured lines smear below 90."""

_LONGEST_GAP_S = 1.0
"""Time without frames that a recording keeps; a pause or an unplugged camera is cut to it."""


def write_picture(path: Path, image_bgr: NDArray[np.uint8]) -> None:
    """Write a picture as its ending says (``.png``, ``.jpg``). Raises `OutputError`: the file cannot be written."""
    settings = [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY] if path.suffix == ".jpg" else []
    _, data = cv2.imencode(path.suffix, image_bgr, settings)
    with saved(path, "name another folder") as part:
        part.write_bytes(data.tobytes())  # not cv2.imwrite, which fails on names beyond ASCII on Windows


class VideoWriter(VideoFile):
    """An mp4 file that frames are written to at the pace of their times.

    Frames come when they come; a video file has a fixed rate. Each slot of the file gets the newest frame there was at its
    time, so that the video plays at the speed of the table. What was written is kept when the program is interrupted.
    """

    def __init__(self, path: Path | str, fps: float, free: Callable[[Path], int] = free_bytes) -> None:
        super().__init__(path, fps, free)
        self._size_px: tuple[int, int] | None = None
        self._due_s = 0.0
        self._last_s: float | None = None

    def write(self, image_bgr: NDArray[np.uint8], time_s: float) -> None:
        """Add a picture that was taken at `time_s`; pictures of another size than the first are fitted into it; raises as `add` does."""
        if self._size_px is None:
            height, width = image_bgr.shape[:2]
            self._size_px = width + width % 2, height + height % 2  # the codec wants even numbers
        if self._last_s is not None:
            self._due_s -= min(max(time_s - self._last_s, 0.0), _LONGEST_GAP_S)
        self._last_s = time_s
        fitted: NDArray[np.uint8] | None = None
        while self._due_s <= 0.5 / self.fps:
            if fitted is None:
                fitted = _fit(image_bgr, self._size_px)
            self.add(fitted)
            self._due_s += 1 / self.fps


def _fit(image_bgr: NDArray[np.uint8], size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """Scale a picture into a size and fill what is left with black."""
    height, width = image_bgr.shape[:2]
    if (width, height) == size_px:
        return image_bgr
    scale = min(size_px[0] / width, size_px[1] / height, 1.0)
    small = cv2.resize(image_bgr, (max(1, round(width * scale)), max(1, round(height * scale))), interpolation=cv2.INTER_AREA)
    fitted = np.zeros((size_px[1], size_px[0], 3), np.uint8)
    left, top = (size_px[0] - small.shape[1]) // 2, (size_px[1] - small.shape[0]) // 2
    fitted[top : top + small.shape[0], left : left + small.shape[1]] = small
    return fitted
