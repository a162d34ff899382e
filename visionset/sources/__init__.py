"""Where frames come from: photographs, clips, cameras; and work on them aside."""

from __future__ import annotations

import re

from visionset.errors import SourceError
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
    "list_cameras",
    "open_source",
    "read_picture",
]

_DEVICE = re.compile(r"(?:/dev/video)?(\d+)")

_MOST_DIGITS = 3
"""Of a camera's number."""


def open_source(text: str, options: CameraOptions | None = None) -> Source:
    """Open what a person names: ``0`` or ``/dev/video0`` a webcam, ``rtsp://...`` a stream, anything else a video file.

    Parameters
    ----------
    text : str
        What the person typed.
    options : CameraOptions, optional
        For webcams and streams.

    Raises
    ------
    SourceError
        It cannot be opened.
    """
    if device := _DEVICE.fullmatch(text):
        if len(device[1]) > _MOST_DIGITS:
            raise SourceError(f"expected the number of a camera, got {text:.40}; visionset cameras lists them")
        return Camera(int(device[1])) if options is None else Camera(int(device[1]), options)
    if "://" in text:
        return Camera(text) if options is None else Camera(text, options)
    return Clip(text)
