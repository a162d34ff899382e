"""Annotated pictures and videos to files."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.errors import OutputError

_JPEG_QUALITY = 92
"""Thin coloured lines smear below 90."""

_LONGEST_GAP_S = 1.0
"""Time without frames that a recording keeps; a pause or an unplugged camera is cut to it."""


def writable_folder(path: Path | str) -> Path:
    """Make a folder for output, with its parents.

    Raises
    ------
    OutputError
        It cannot be made, or is a file.
    """
    path = Path(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: expected a folder to write to, got {_reason(error)}; name another") from None
    return path


def write_picture(path: Path, image_bgr: NDArray[np.uint8]) -> None:
    """Write a picture as its ending says (``.png``, ``.jpg``).

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    settings = [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY] if path.suffix == ".jpg" else []
    _, data = cv2.imencode(path.suffix, image_bgr, settings)
    try:
        path.write_bytes(data.tobytes())  # not cv2.imwrite, which fails on names beyond ASCII on Windows
    except OSError as error:
        raise OutputError(f"{path}: expected a file to write to, got {_reason(error)}; name another folder") from None


class Recording:
    """An mp4 file that frames are written to at the pace of their times.

    Frames come when they come; a video file has a fixed rate. Each slot of the file gets the newest frame there was at its
    time, so that the video plays at the speed of the table. What was written is kept when the program is interrupted.

    Parameters
    ----------
    path : path
        Ends in ``.mp4``; an existing file is replaced.
    fps : float
        Frames per second of the file.

    Raises
    ------
    OutputError
        Wrong ending, or the file cannot be written.
    """

    def __init__(self, path: Path | str, fps: float) -> None:
        self.path = Path(path)
        self.fps = fps
        self.frames = 0
        self._writer: cv2.VideoWriter | None = None
        self._size_px = (0, 0)
        self._due_s = 0.0
        self._last_s: float | None = None
        if self.path.suffix.lower() != ".mp4":
            raise OutputError(f"{self.path}: expected a name that ends in .mp4, got {self.path.suffix or 'no ending'}; change the name")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.open("ab").close()
        except OSError as error:
            raise OutputError(f"{self.path}: expected a file to write to, got {_reason(error)}; name another folder") from None

    def write(self, image_bgr: NDArray[np.uint8], time_s: float) -> None:
        """Add a picture that was taken at `time_s`; pictures of another size than the first are fitted into it.

        Raises
        ------
        OutputError
            The encoder does not start.
        """
        writer = self._writer or self._start(image_bgr)
        if self._last_s is not None:
            self._due_s -= min(max(time_s - self._last_s, 0.0), _LONGEST_GAP_S)
        self._last_s = time_s
        fitted: NDArray[np.uint8] | None = None
        while self._due_s <= 0.5 / self.fps:
            if fitted is None:
                fitted = _fit(image_bgr, self._size_px)
            writer.write(fitted)
            self.frames += 1
            self._due_s += 1 / self.fps

    def close(self) -> None:
        """Finish the file.

        Raises
        ------
        OutputError
            Nothing reached the disk.
        """
        if self._writer is None:
            if self.path.exists() and self.path.stat().st_size == 0:
                self.path.unlink()
            return
        self._writer.release()
        self._writer = None
        if not self.path.exists() or self.path.stat().st_size == 0:
            raise OutputError(f"{self.path}: expected a video, got an empty file; check that the disk is not full")

    def _start(self, image_bgr: NDArray[np.uint8]) -> cv2.VideoWriter:
        height, width = image_bgr.shape[:2]
        self._size_px = width + width % 2, height + height % 2  # the codec wants even numbers
        writer = cv2.VideoWriter(str(self.path), cv2.VideoWriter.fourcc(*"mp4v"), self.fps, self._size_px)
        if not writer.isOpened():
            raise OutputError(f"{self.path}: expected to write mp4 video, got no encoder; install opencv-python from PyPI")
        self._writer = writer
        return writer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


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


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
