"""Pictures that somebody sends, one by one, as frames: the newest wins, and a sender that falls silent is waited for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from visionset.errors import PictureError
from visionset.messages import Message, Words
from visionset.sources.base import NewestWins, seconds
from visionset.sources.picture import decoded_picture
from visionset.sources.picture_file import PictureLimits, header_of


@dataclass(frozen=True, slots=True)
class SentOptions:
    """What is taken, and how long a silence is usual."""

    most_px: int = 8_300_000
    """Pixels of a picture: 3840x2160, more than any phone films."""
    limits: PictureLimits = field(default_factory=lambda: PictureLimits(full_px=2_100_000))
    """How it is decoded: beyond 1920x1080 smaller, for a frame shall take no longer than a camera's."""
    stall_s: float = 2.0
    """Seconds without a picture after which `SentPictures.trouble` says so."""


class SentPictures(NewestWins):
    """The newest of the JPEGs that are put in; those that nobody took in time are dropped and leave gaps in `Frame.index`.

    Parameters
    ----------
    options : SentOptions
        What is taken.
    clock : callable
        Seconds that only grow; for tests.
    """

    def __init__(self, options: SentOptions = SentOptions(), clock: Callable[[], float] = seconds) -> None:
        super().__init__(clock)
        self.name, self.options = "phone", options

    @property
    def called(self) -> Words:
        """What people call the sender."""
        return Message("source.phone")

    @property
    def trouble(self) -> Words:  # type: ignore[override]
        """What is wrong just now, in one line; empty while pictures come."""
        silent_s = self._clock() - self._last_s
        if silent_s <= self.options.stall_s:
            return ""
        if self._count == 0:
            return Message("source.phone_waited_for")
        return Message("source.phone_silent", seconds=round(silent_s))

    def put(self, jpeg: bytes) -> None:
        """Take a picture; on any thread, one at a time.

        Raises
        ------
        PictureError
            It is no JPEG, is damaged, or is too small or too large.
        """
        path = Path(f"picture of the {self.name}")
        header = header_of(jpeg, path)
        if header.format not in ("JPEG", "MPO") or header.width * header.height > self.options.most_px:
            raise PictureError(
                f"{path}: expected a JPEG of at most {self.options.most_px // 1_000_000} megapixels, got {header.width}x{header.height} "
                f"as {header.format}; set the {self.name} to smaller pictures"
            )
        image = decoded_picture(jpeg, path, self.options.limits)
        self.size_px = image.shape[1], image.shape[0]
        self._put(image)
