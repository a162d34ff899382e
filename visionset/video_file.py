"""A video file that is whole when it has its name: written beside, read back, then renamed."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.closable import Closable
from visionset.errors import OutputError, reason
from visionset.messages import Message, Words
from visionset.saving import check_ending, discard, finish, unfinished
from visionset.untrusted import is_text

_LEAST_FREE = 32_000_000
"""Bytes of free disk below which no more frames are taken: the index of an mp4 is written last, and without it all is lost."""

_CHECK_FRAMES = 15
"""Frames between two looks at the disk; these are a few megabytes at most."""


def free_bytes(folder: Path) -> int:
    """Room on the disk."""
    return shutil.disk_usage(folder).free


class VideoFile(Closable):
    """An mp4 file of frames of one size.

    Its name ends in ``.mp4``; an existing file is replaced when the new one is whole. `frames` were written, and others are `missing`
    because the disk was nearly full. Raises `OutputError`: wrong ending, a folder that cannot be written to, or hardly any room.
    """

    def __init__(self, path: Path | str, fps: float, free: Callable[[Path], int] = free_bytes) -> None:
        self.path, self.fps = Path(path), fps
        self.frames = self.missing = 0
        self._free = free
        self._writer: cv2.VideoWriter | None = None
        self._until_check = 0
        self._is_full = False
        check_ending(self.path, ".mp4")
        try:
            self._part = unfinished(self.path)
            if not is_text(self._part):  # the name with all its folders, which OpenCV is given
                whole = self._part.with_name(self.path.name)
                raise OutputError(f"{whole}: expected a name that is text, got bytes that are none; change the name")
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and not self.path.is_file():
                raise OutputError(f"{self.path}: expected a file to write to, got something that is a directory or a device; name another")
            self._part.open("wb").close()
            room = free(self._part.parent)
        except OSError as error:
            raise OutputError(f"{self.path}: expected a file to write to, got {reason(error)}; name another folder") from None
        if room < _LEAST_FREE:
            self.discard()
            raise OutputError(
                f"{self.path}: expected {_LEAST_FREE // 1_000_000} MB of free disk for a video, got {room // 1_000_000}; free some space"
            )

    @property
    def trouble(self) -> Words:
        """What is wrong just now; empty when all is well."""
        return Message("disk.video_waits") if self._is_full else ""

    def add(self, image_bgr: NDArray[np.uint8]) -> None:
        """Add a frame, of the size of the first; while the disk is nearly full it is missing. Raises `OutputError` without an encoder."""
        self._until_check -= 1
        if self._until_check <= 0:
            self._until_check = _CHECK_FRAMES
            self._is_full = self._room() < _LEAST_FREE * (2 if self._is_full else 1)  # else it would come and go
        if self._is_full:
            self.missing += 1
            return
        if self._writer is None:
            height, width = image_bgr.shape[:2]
            writer = cv2.VideoWriter(str(self._part), cv2.VideoWriter.fourcc(*"mp4v"), self.fps, (width, height))
            if not writer.isOpened():
                raise OutputError(f"{self.path}: expected to write mp4 video, got no encoder; install opencv-python from PyPI")
            self._writer = writer
        self._writer.write(image_bgr)
        self.frames += 1

    def close(self) -> None:
        """Finish the file and give it its name; without a frame there is none. Raises `OutputError` where it cannot be read back."""
        if self._writer is None:
            self.discard()
            return
        self._writer.release()
        self._writer = None
        try:
            if not self._is_whole():
                raise OutputError(f"{self.path}: expected a video of {self.frames} frames, got one that cannot be read; is the disk full?")
            finish(self._part, self.path)
        except OSError as error:
            raise OutputError(f"{self.path}: expected a file to write to, got {reason(error)}; name another folder") from None
        finally:
            self.discard()

    def discard(self) -> None:
        """Leave nothing."""
        if self._writer is not None:
            self._writer.release()
            self._writer = None
        discard(self._part, self.path)

    def _room(self) -> int:
        try:
            return self._free(self._part.parent)
        except OSError:  # the disk itself may be gone
            return 0

    def _is_whole(self) -> bool:
        """Read back the last frame: the index must be there, and what it promises."""
        reader = cv2.VideoCapture(str(self._part))
        count = int(reader.get(cv2.CAP_PROP_FRAME_COUNT))
        reader.set(cv2.CAP_PROP_POS_FRAMES, self.frames - 1)
        ok = reader.read()[0]
        reader.release()
        return bool(ok) and count >= self.frames
