"""The camera of a server: which there are, the one that is tried on the start page, and the one of a match."""

from __future__ import annotations

from collections.abc import Callable

from visionset.errors import RequestError
from visionset.messages import Message, at_table
from visionset.sources import Source, list_cameras
from visionset.sources.camera import without_password
from visionset.web.camera_start import CameraStart
from visionset.web.camera_view import open_camera
from visionset.web.phone_camera import PhoneCamera
from visionset.web.showing import Json

GIVEN = "given"
"""How pages name the source that the server was started with: no page names a file or an address."""

PHONE = "phone"
"""How pages name the phone that sends its pictures."""


class Cameras:
    """What pages may see through.

    Parameters
    ----------
    given : str, optional
        Camera, stream or video with which the server was started.
    opener : callable
        Opens a source for a game, or for the start page where there is none; for tests.
    phone : PhoneCamera, optional
        Takes the pictures of a phone that is the camera; None where no phone can be one.
    """

    def __init__(
        self,
        given: str | None = None,
        opener: Callable[[str, str | None], Source] = open_camera,
        phone: PhoneCamera | None = None,
    ) -> None:
        self._given, self._opener, self._phone = given, opener, phone
        self._start: CameraStart | None = None
        self._looked: str | None = None

    @property
    def start(self) -> CameraStart | None:
        """The camera that is tried before a match."""
        return self._start

    @property
    def looked(self) -> str | None:
        """The source that is tried before a match, as pages name it; None while there is none."""
        return None if self._start is None else self._looked

    def shown(self) -> Json | None:
        """The key `camera` of the state before a match; None while no camera is tried, or it has given no picture yet."""
        camera = None if self._start is None else self._start.showing()["camera"]
        return None if camera is None else {**camera, "source": self._looked}

    @property
    def is_given(self) -> bool:
        """Whether the server was started with a source."""
        return self._given is not None

    @property
    def lacks_phone(self) -> bool:
        """Whether the camera is a phone that sends nothing."""
        return self._phone is not None and self._phone.is_silent

    def is_away(self, source: str) -> bool:
        """Whether it is known of a source, without opening it, that nothing would come from it."""
        return source == PHONE and self._phone is not None and not self._phone.is_there

    def listed(self) -> list[Json]:
        """The sources by the names that pages use, the given one first, and once: a camera that was given by its number has a name too."""
        names = {str(one.number): one.name for one in list_cameras()}
        given = [] if self._given is None else [{"source": GIVEN, "name": names.pop(self._given, without_password(self._given))}]
        phone = [] if self._phone is None else [{"source": PHONE, "name": at_table(Message("web.phone_camera"))}]
        return given + [{"source": source, "name": name} for source, name in names.items()] + phone

    def knows(self, source: str) -> bool:
        """Whether a page may name this source."""
        if source == PHONE:
            return self._phone is not None
        return self.is_given if source == GIVEN else source.isdecimal() and source.isascii()

    def open(self, source: str, game: str | None = None) -> Source:
        """Open a source for a game; the start page gives it back before.

        Raises
        ------
        RequestError
            No source has this name.
        SourceError
            It cannot be opened.
        """
        if not self.knows(source):
            raise RequestError("camera", Message("web.refused.camera"))
        self.leave()
        if source == PHONE and self._phone is not None:
            return self._phone.open()
        return self._opener(self._given if source == GIVEN and self._given is not None else source, game)

    def look(self, source: str, changed: Callable[[], None]) -> None:
        """Try a source on the start page, and tell each new version; raises as `open` does."""
        self._start, self._looked = CameraStart(self.open(source)), source
        self._start.listen(changed)

    def leave(self) -> None:
        """Give the camera of the start page back."""
        start, self._start = self._start, None
        if start is not None:
            start.close()
