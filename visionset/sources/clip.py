"""A video file as frames."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.errors import SourceError
from visionset.geometry import Frame
from visionset.messages import Message
from visionset.sources.base import Source
from visionset.sources.camera import without_password
from visionset.sources.opencv import quiet_opencv
from visionset.sources.picture_file import PICTURE_ENDINGS
from visionset.untrusted import is_text

_FALLBACK_FPS = 30.0
"""For files that do not say; most phones and webcams record at 30."""

_EARLY = 0.9
"""A clip that gives less than this share of the frames its header promises was cut short (headers are often off by a few)."""


class Clip(Source):
    """Every frame of a video file, in order; opening it again gives the same frames.

    Parameters
    ----------
    path : path
        A video that OpenCV can decode.

    Raises
    ------
    SourceError
        No such file, a folder, a picture, or not a video.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.name = self.path.name
        self._check()
        with quiet_opencv():
            self._capture = cv2.VideoCapture(str(self.path))
        self._ahead = self._decode()
        if self._ahead is None:
            self._capture.release()
            raise SourceError(f"{self.path}: expected a video, got a file without a picture in it; check it in a video player")
        self.size_px = self._ahead.shape[1], self._ahead.shape[0]
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self.fps = fps if math.isfinite(fps) and fps > 0 else _FALLBACK_FPS
        self.frame_count = max(0, int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)))
        self._index = 0

    def _check(self) -> None:
        if self.path.is_dir():
            raise SourceError(f"{self.path}: expected a video, got a folder; name one video in it")
        if not self.path.exists():
            name = without_password(str(self.path))  # perhaps it was to be the address of a camera
            raise SourceError(f"{name}: expected a video, got no such file; check the name; watch --camera 0 shows the first webcam")
        if not self.path.is_file():
            raise SourceError(f"{self.path}: expected a video in a file, got a device or a pipe; watch --camera 0 shows the first webcam")
        if not is_text(self.path):
            raise SourceError(f"{self.path}: expected a video whose name is text, got bytes that are none; rename it")
        if self.path.suffix.lower() in PICTURE_ENDINGS or cv2.haveImageReader(str(self.path)):
            raise SourceError(f"{self.path}: expected a video, got a picture; use visionset read {self.path}")

    def poll(self, timeout_s: float = 0.0) -> Frame | None:
        """Return the next frame; None at the end."""
        if self.ended or self._ahead is None:
            return None
        frame = Frame(self._ahead, self._index, self._index / self.fps)
        self._index += 1
        self._ahead = self._decode()
        if self._ahead is None:
            self.ended = True
            if self._index < _EARLY * self.frame_count:
                self.trouble = Message("source.cut_short", name=self.name, index=self._index, count=self.frame_count)
        return frame

    def _decode(self) -> NDArray[np.uint8] | None:
        """Decode one frame ahead, so that `ended` is known with the last frame."""
        with quiet_opencv():
            ok, image = self._capture.read()
        return np.asarray(image, np.uint8) if ok else None

    def close(self) -> None:
        """Close the file."""
        self.ended = True
        self._capture.release()
