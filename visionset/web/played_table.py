"""What every table that pages play at has: a match with a camera or without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from visionset.web.pictures import Pictures
from visionset.web.showing import Json
from visionset.web.wire import FromPage


class PlayedTable(Protocol):
    """A match that is played, with a camera or without."""

    @property
    def pictures(self) -> Pictures | None:
        """What its camera sees; None without one."""

    @property
    def version(self) -> int:
        """Of what is shown; it only grows."""

    @property
    def is_resting(self) -> bool:
        """Whether nobody plays just now, and the clock of the round stands still."""

    def showing(self, player: int | None = None) -> Json:
        """The state, with what only one player sees."""

    def listen(self, listener: Callable[[], None]) -> None:
        """Tell somebody about each new version, on any thread."""

    def do(self, seat_player: int | None, message: FromPage, at_s: float | None = None) -> None:
        """Do what a page asks for; raises `VisionsetError` with the reason."""

    def exhibit(self, id: str) -> bytes | None:
        """Picture of a piece, as JPEG."""

    def close(self) -> None:
        """End; the match stays in the store."""
