"""Which cameras this machine has, by name."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from visionset.messages import Message, in_words
from visionset.sources.base import Source
from visionset.sources.camera import Camera, CameraOptions, open_capture

_PROBED = 6
"""Numbers tried where the system lists no names; hardly any machine has more cameras."""


@dataclass(frozen=True, slots=True)
class CameraName:
    """A camera and what the system calls it."""

    number: int
    """For ``visionset watch --camera``."""
    name: str
    """As the system says it; "camera N" where it does not say."""


def list_cameras() -> tuple[CameraName, ...]:
    """List the cameras: by sysfs on Linux, else by the package cv2-enumerate-cameras if it is there, else by trying numbers."""
    if sys.platform == "linux":
        return _from_sysfs(Path("/sys/class/video4linux"))
    return _from_package() or _by_probing()


def camera_name(source: Source) -> str:
    """The camera's own name where the system knows it, for numbers change with the plugs."""
    if isinstance(source, Camera) and isinstance(source.address, int):
        return next((camera.name for camera in list_cameras() if camera.number == source.address), source.name)
    return source.name


def _from_sysfs(devices: Path) -> tuple[CameraName, ...]:
    """Read names from sysfs; a webcam shows several nodes, of which the one with index 0 gives pictures."""
    found = []
    for node in devices.glob("video*"):
        try:
            index, name = (node / "index").read_text().strip(), (node / "name").read_text().strip()
        except OSError:
            continue  # unplugged while we looked
        if index == "0" and node.name[5:].isdigit():
            found.append(CameraName(int(node.name[5:]), name))
    return tuple(sorted(found, key=lambda camera: camera.number))


def _from_package() -> tuple[CameraName, ...]:
    try:
        from cv2_enumerate_cameras import enumerate_cameras
    except ImportError:
        return ()
    import cv2

    backend = cv2.CAP_AVFOUNDATION if sys.platform == "darwin" else cv2.CAP_MSMF
    return tuple(CameraName(int(camera.index), str(camera.name)) for camera in enumerate_cameras(backend))


def _by_probing() -> tuple[CameraName, ...]:
    found = []
    for number in range(_PROBED):
        capture = open_capture(number, CameraOptions())
        if capture.isOpened():
            found.append(CameraName(number, in_words(Message("source.camera", number=number))))
        capture.release()
    return tuple(found)
