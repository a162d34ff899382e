"""The camera of a server: which there are, the one that is tried on the start page, and the one of a match."""

from __future__ import annotations

from collections.abc import Callable

from visionset.errors import RequestError
from visionset.messages import Message
from visionset.sources import Source, list_cameras
from visionset.web.camera_start import CameraStart
from visionset.web.camera_view import open_camera
from visionset.web.showing import Json

GIVEN = "given"
"""How pages name the source that the server was started with: no page names a file or an address."""


class Cameras:
    """What pages may see through.

    Parameters
    ----------
    given : str, optional
        Camera, stream or video with which the server was started.
    opener : callable
        Opens a source for a game, or for the start page where there is none; for tests.
    """

    def __init__(self, given: str | None = None, opener: Callable[[str, str | None], Source] = open_camera) -> None:
        self._given, self._opener = given, opener
        self._start: CameraStart | None = None

    @property
    def start(self) -> CameraStart | None:
        """The camera that is tried before a match."""
        return self._start

    @property
    def is_given(self) -> bool:
        """Whether the server was started with a source."""
        return self._given is not None

    def listed(self) -> list[Json]:
        """The sources by the names that pages use, the given one first."""
        given = [] if self._given is None else [{"source": GIVEN, "name": self._given}]
        return given + [{"source": str(one.number), "name": one.name} for one in list_cameras()]

    def open(self, source: str, game: str | None = None) -> Source:
        """Open a source for a game; the start page gives it back before.

        Raises
        ------
        RequestError
            No source has this name.
        SourceError
            It cannot be opened.
        """
        named = self._given if source == GIVEN else source if source.isdecimal() and source.isascii() else None
        if named is None:
            raise RequestError("camera", Message("web.refused.camera"))
        self.leave()
        return self._opener(named, game)

    def look(self, source: str, changed: Callable[[], None]) -> None:
        """Try a source on the start page, and tell each new version; raises as `open` does."""
        self._start = CameraStart(self.open(source))
        self._start.listen(changed)

    def leave(self) -> None:
        """Give the camera of the start page back."""
        start, self._start = self._start, None
        if start is not None:
            start.close()
