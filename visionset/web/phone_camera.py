"""A phone that is the camera: what it sends, as a source for whoever looks through it."""

from __future__ import annotations

from visionset.sources import SentPictures, Source


class PhoneCamera:
    """What the phone sends, for whoever looks through it just now."""

    def __init__(self) -> None:
        self._source: SentPictures | None = None

    @property
    def is_silent(self) -> bool:
        """Whether somebody looks, and nothing is sent."""
        return self._source is not None and not self._source.ended and bool(self._source.trouble)

    def open(self) -> Source:
        """The source of what is sent from now on; it waits for a phone that is not there yet."""
        self._source = SentPictures()
        return self._source

    def put(self, jpeg: bytes) -> bool:
        """Pass on a picture; False where nobody looks, with nothing for a picture too. Raises `PictureError` for what is none."""
        source = self._source
        if source is None or source.ended:
            return False
        if jpeg:
            source.put(jpeg)
        return True
