"""Pictures of the camera for pages: JPEGs that are made aside, once for all who want the same size, and only when somebody wants one.

Whoever wants a picture asks for one, and gets the newest there is once it is newer than the one before; who is slow gets fewer, and none
that is old.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Condition, Thread

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Frame
from visionset.session import Snapshot

_HEAD = struct.Struct("<IId")
"""What a picture begins with: its number, its width in pixels, and the time of its frame in seconds."""


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """Sizes and quality of the pictures that pages get."""

    widths_px: tuple[int, ...] = (320, 480, 640, 960, 1280, 1920, 2560, 3840)
    """Widths that are made; a page gets the next larger one, so that pages of nearly the same size share it."""
    quality: int = 80
    """Of the JPEG, 0 to 100: more is not seen, and takes longer to make and to send."""
    patience_s: float = 2.0
    """Longest wait at the end for a picture that is being made."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """Somebody waits for a picture: at most about so wide, newer than a number."""

    width_px: int
    after: int
    done: Callable[[bytes], object]


class Pictures:
    """The newest picture of a camera, for any number of pages; use `close` at the end."""

    def __init__(self, options: PictureOptions = PictureOptions()) -> None:
        self._options = options
        self._news = Condition()
        self._frame: Frame | None = None
        self._number = 0
        self._asked: list[_Asked] = []
        self._made: dict[tuple[int, int], bytes] = {}
        self._is_closed = False
        self._thread = Thread(target=self._run, name="visionset pictures", daemon=True)
        self._thread.start()

    def look(self, snapshot: Snapshot) -> None:
        """Take the picture of a snapshot: nothing is done with it unless somebody waits."""
        if not snapshot.is_fresh:
            return
        with self._news:
            self._frame, self._number = snapshot.frame, self._number + 1
            if self._asked:
                self._news.notify_all()

    def ask(self, width_px: int, after: int, done: Callable[[bytes], object]) -> None:
        """Ask for one picture.

        Parameters
        ----------
        width_px : int
            How wide it is shown; it comes a little wider, but never wider than the camera's.
        after : int
            Number of the picture that the page has; 0 for none.
        done : callable
            Takes head and JPEG, in another thread, once there is a newer picture; what it raises is passed over.
        """
        with self._news:
            self._asked.append(_Asked(width_px, after, done))
            self._news.notify_all()

    def close(self) -> None:
        """Make no further picture; who waits gets none."""
        with self._news:
            self._is_closed = True
            self._news.notify_all()
        self._thread.join(self._options.patience_s)

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._is_closed or any(one.after < self._number for one in self._asked))
                frame, number = self._frame, self._number
                if self._is_closed or frame is None:
                    return
                due = [one for one in self._asked if one.after < number]
                self._asked = [one for one in self._asked if one.after >= number]
            for one in due:
                picture = self._picture(frame, number, self._width(one.width_px, frame.size_px[0]))
                with suppress(Exception):  # the page has gone
                    one.done(picture)

    def _width(self, wanted_px: int, there_px: int) -> int:
        """The width that is made for who wants this one."""
        return min(next((width for width in self._options.widths_px if width >= wanted_px), there_px), there_px)

    def _picture(self, frame: Frame, number: int, width_px: int) -> bytes:
        """The picture of this number and width, made once."""
        if (number, width_px) not in self._made:
            image = scaled(frame.image_bgr, width_px)
            picture = _HEAD.pack(number, image.shape[1], frame.time_s) + jpeg(image, self._options.quality)
            newest = {of: made for of, made in self._made.items() if of[0] == number}
            self._made = {**newest, (number, width_px): picture}
        return self._made[number, width_px]


def scaled(image_bgr: NDArray[np.uint8], width_px: int) -> NDArray[np.uint8]:
    """The same picture so wide; one that is as wide already as it is."""
    height, width = image_bgr.shape[:2]
    if width == width_px:
        return image_bgr
    size_px = width_px, max(1, round(height * width_px / width))
    return np.asarray(cv2.resize(image_bgr, size_px, interpolation=cv2.INTER_AREA), np.uint8)


def jpeg(image_bgr: NDArray[np.uint8], quality: int = 90) -> bytes:
    """Write a picture as JPEG."""
    _, written = cv2.imencode(".jpg", image_bgr, (cv2.IMWRITE_JPEG_QUALITY, quality))
    return written.tobytes()
