"""A phone that is the camera: what it sends, as a source for whoever looks through it."""

from __future__ import annotations

from collections.abc import Callable

from visionset.sources import SentPictures, Source
from visionset.sources.base import seconds
from visionset.web.seats import GONE_S


class PhoneCamera:
    """What the phone sends, for whoever looks through it just now; `clock` gives seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = seconds) -> None:
        self._source: SentPictures | None = None
        self._clock = clock
        self._heard_s = clock()

    @property
    def is_there(self) -> bool:
        """Whether the phone's page has said something lately, which it does each second; it is given time after a start."""
        return self._clock() - self._heard_s < GONE_S

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
        source, self._heard_s = self._source, self._clock()
        if source is None or source.ended:
            return False
        if jpeg:
            source.put(jpeg)
        return True
