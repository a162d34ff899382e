"""Keep OpenCV from writing its own lines between ours."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import cv2

_FFMPEG_SILENT = "-8"
"""AV_LOG_QUIET of FFmpeg."""

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", _FFMPEG_SILENT)  # when first used FFmpeg reads it, and never again


@contextmanager
def quiet_opencv() -> Iterator[None]:
    """Silence OpenCV's log inside; what failed is said by our own errors, in one line."""
    before = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(before)
