"""A webcam or stream as frames: the newest wins, and one that goes away is waited for."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.errors import SourceError, without_passwords
from visionset.messages import Message, Words, in_words
from visionset.sources.base import NewestWins, seconds
from visionset.sources.opencv import quiet_opencv


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """How to open a camera and how long to wait for it."""

    size_px: tuple[int, int] = (1280, 720)
    """Width and height asked for; the camera may give another. 1280x720 is what webcams do at full speed."""
    fps: float = 30.0
    """Frames per second asked for."""
    first_s: float = 8.0
    """Seconds until the first picture must come; slow webcams take three."""
    stall_s: float = 2.0
    """Seconds without a picture after which `Camera.trouble` says so."""
    retry_s: float = 1.0
    """Seconds between attempts to open a camera that went away."""
    misses: int = 5
    """Pictures in a row that may fail before the camera counts as gone; one damaged MJPEG picture is no unplugging."""


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used; tests bring their own."""

    def isOpened(self) -> bool:
        """True when pictures can be read."""

    def read(self) -> tuple[bool, Any]:
        """Wait for the next picture."""

    def get(self, propId: int) -> float:
        """Read back a setting."""

    def release(self) -> None:
        """Give the device back."""


def open_capture(address: int | str, options: CameraOptions) -> Capture:
    """Open a device by number or a stream by address, MJPEG before the size: at 720p most webcams are slow without it."""
    with quiet_opencv():
        if isinstance(address, str):
            limits = [
                cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
                int(1000 * options.first_s),
                cv2.CAP_PROP_READ_TIMEOUT_MSEC,
                int(1000 * options.first_s),
            ]
            return cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
        capture = cv2.VideoCapture()
        for backend in _BACKENDS.get(sys.platform, (cv2.CAP_ANY,)):
            if capture.open(address, backend):
                break
        if capture.isOpened():
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, options.size_px[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, options.size_px[1])
            capture.set(cv2.CAP_PROP_FPS, options.fps)
        return capture


_BACKENDS = {
    "linux": (cv2.CAP_V4L2,),
    "win32": (cv2.CAP_MSMF, cv2.CAP_DSHOW),
    "darwin": (cv2.CAP_AVFOUNDATION,),
}


class Camera(NewestWins):
    """The newest frame of a webcam or stream; frames nobody took in time are dropped and leave gaps in `Frame.index`.

    A thread of its own empties the camera, so that a slow reader never falls behind. When the camera goes away, `trouble`
    says so and the thread tries to open it again until `close`.

    Parameters
    ----------
    address : int or str
        Number of the webcam, or the address of a stream (``rtsp://...``, ``http://...``).
    options : CameraOptions
        Size asked for and patience.
    opener : callable
        Opens the device; for tests.
    clock : callable
        Seconds that only grow; for tests.

    Raises
    ------
    SourceError
        No such camera, no permission, in use by another program, or no picture from it.
    """

    def __init__(
        self,
        address: int | str = 0,
        options: CameraOptions = CameraOptions(),
        *,
        opener: Callable[[int | str, CameraOptions], Capture] = open_capture,
        clock: Callable[[], float] = seconds,
    ) -> None:
        super().__init__(clock)
        self.address = address
        self.options = options
        self.name = address if isinstance(address, str) else in_words(self.called)  # whole: profiles are kept under it
        self._opener = opener
        self._lost = False
        self._stop = Event()
        self._capture = self._open()
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self.fps = fps if 0 < fps < 1000 else options.fps  # some drivers answer 0, some a million
        self._thread = Thread(target=self._run, name=f"visionset {self.name}", daemon=True)
        self._thread.start()

    @property
    def called(self) -> Words:
        """Its number, or its address."""
        return Message("source.camera", number=self.address) if isinstance(self.address, int) else without_password(self.address)

    @property
    def trouble(self) -> Words:  # type: ignore[override]
        """What is wrong just now, in one line; empty when frames come."""
        if self._lost:
            return Message("source.gone" if isinstance(self.address, int) else "source.gone_stream", name=self.called)
        silent_s = self._clock() - self._last_s
        if silent_s > self.options.stall_s:
            return Message("source.silent", name=self.called, seconds=round(silent_s))
        return ""

    def close(self) -> None:
        """Stop the thread and give the camera back."""
        self._stop.set()
        super().close()
        self._thread.join(self.options.first_s)

    def _open(self) -> Capture:
        capture = self._opener(self.address, self.options)
        if not capture.isOpened():
            capture.release()
            raise SourceError(_why_closed(self.address))
        deadline_s = self._clock() + self.options.first_s
        while self._clock() < deadline_s:
            image = _picture(capture)
            if image is not None:
                self.size_px = image.shape[1], image.shape[0]
                self._put(image)
                return capture
            if self._stop.wait(0.05):
                break
        capture.release()
        raise SourceError(Message("source.refused.no_picture", name=self.called, seconds=self.options.first_s))

    def _run(self) -> None:
        misses = 0
        while not self._stop.is_set():
            image = _picture(self._capture)
            if image is not None:
                misses = 0
                self._put(image)
                continue
            misses += 1
            if misses >= self.options.misses:
                self._lost = True
                self._capture.release()
                self._reopen()
                misses = 0
        self._capture.release()

    def _reopen(self) -> None:
        while not self._stop.wait(self.options.retry_s):
            capture = self._opener(self.address, self.options)
            image = _picture(capture) if capture.isOpened() else None
            if image is not None:
                self._capture, self._lost = capture, False
                self._put(image)
                return
            capture.release()


def _picture(capture: Capture) -> NDArray[np.uint8] | None:
    """One BGR picture, or None; drivers say that they failed in three ways."""
    try:
        with quiet_opencv():
            ok, image = capture.read()
    except cv2.error:
        return None
    if not ok or image is None or image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        return None
    return np.asarray(image, np.uint8)


def without_password(address: str) -> str:
    """An address of a stream as everybody at a table may read it: phones show what a camera is called.

    Where it ends is known, so that a password may have spaces and quotation marks in it. What holds none is left as it is: it may be
    the name of a file.
    """
    if not _ADDRESS.match(address):
        return address
    joined = re.sub(r"""[\s"']""", "_", address)
    told = without_passwords(joined)
    return address if told == joined else told


_ADDRESS = re.compile(r"""(?:--\w+=|[\s"'])*[\w.+-]{2,}[:;]""")
"""How an address begins, a mistyped one too, and one behind an option, but no drive of Windows."""


def _why_closed(address: int | str) -> Message:
    """Say what is wrong with a camera that does not open, as far as the system tells."""
    if isinstance(address, str):
        return Message("source.refused.stream", address=without_password(address))
    if sys.platform == "linux":
        device = Path(f"/dev/video{address}")
        if not device.exists():
            return Message("source.refused.device", address=address, device=str(device))
        if not os.access(device, os.R_OK | os.W_OK):
            return Message("source.refused.access", address=address, device=str(device))
        return Message("source.refused.busy", address=address)
    return Message("source.refused.webcam_mac" if sys.platform == "darwin" else "source.refused.webcam", address=address)
