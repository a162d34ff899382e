"""Where frames come from: photographs, clips, cameras; and work on them aside."""

from __future__ import annotations

import re
from os import PathLike

from visionset.errors import SourceError, check_type
from visionset.sources.base import Source
from visionset.sources.camera import Camera, CameraOptions
from visionset.sources.clip import Clip
from visionset.sources.devices import CameraName, camera_name, list_cameras
from visionset.sources.live import Aside, Guarded, GuardOptions
from visionset.sources.paced import Paced
from visionset.sources.picture import Photos, read_picture
from visionset.sources.picture_file import PictureLimits
from visionset.sources.sent import SentOptions, SentPictures

__all__ = [
    "Aside",
    "Camera",
    "CameraName",
    "CameraOptions",
    "Clip",
    "GuardOptions",
    "Guarded",
    "Paced",
    "Photos",
    "PictureLimits",
    "SentOptions",
    "SentPictures",
    "Source",
    "camera_name",
    "is_camera",
    "list_cameras",
    "open_source",
    "read_picture",
]

_DEVICE = re.compile(r"(?:/dev/video)?(\d+)")

_MOST_DIGITS = 3
"""Of a camera's number."""


def is_camera(text: str) -> bool:
    """It names a webcam or a stream, not a file."""
    return bool(_DEVICE.fullmatch(text)) or "://" in text


def open_source(text: str | int, options: CameraOptions | None = None) -> Source:
    """Open what a person names: ``0`` or ``/dev/video0`` a webcam, ``rtsp://...`` a stream, anything else a video file.

    Parameters
    ----------
    text : str or int
        What the person typed; a number is a webcam's.
    options : CameraOptions, optional
        For webcams and streams.

    Raises
    ------
    SourceError
        It cannot be opened.
    OptionError
        It is no name.
    """
    check_type(text, str | int | PathLike, "the name of a camera or a video", "0 is the first webcam, and Session.open takes a Source too")
    text = str(text)
    if device := _DEVICE.fullmatch(text):
        if len(device[1]) > _MOST_DIGITS:
            raise SourceError(f"expected the number of a camera, got {text:.40}; visionset cameras lists them")
        return Camera(int(device[1])) if options is None else Camera(int(device[1]), options)
    if "://" in text:
        return Camera(text) if options is None else Camera(text, options)
    if not text.strip():
        raise SourceError("expected a camera or a video, got nothing; name one: 0 is the first webcam")
    return Clip(text)
