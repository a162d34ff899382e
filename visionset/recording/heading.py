"""What a recording says about itself in its `recording.json`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from visionset import __version__
from visionset.errors import RecordError
from visionset.pieces import Kind

FORMAT = 1
"""Number of this form of folder; a later program reads earlier ones."""

HEADING = "recording.json"

_MOST_FPS = 10_000.0
"""Pictures a second of any camera."""

_LATEST_S = 2.5e11
"""Seconds since 1970 that calendars know, with a day to spare for time zones: the year 9892."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a recording is of."""

    source: str
    """What was watched."""
    fps: float = 30.0
    """Frames per second that the source promised."""
    begun_s: float = 0.0
    """Seconds since 1970 by the computer's clock, for people; order and durations come from the frames."""
    decks: int = 1
    min_confidence: float | None = None
    """`decks` and `min_confidence`: how the table was read."""
    game: str = ""
    """Name of the game, empty for none."""
    game_options: Any = None
    """Its options as JSON."""
    players: tuple[str, ...] = ()
    """In the order of the seats."""
    pieces: tuple[str, ...] = ()
    """Kinds of pieces that were looked for, values of `visionset.pieces.Kind`; empty in recordings that do not say."""
    version: str = __version__
    format: int = FORMAT
    """`version` and `format`: the program's, and this form's."""

    def __post_init__(self) -> None:
        unknown = sorted(set(self.pieces) - {kind.value for kind in Kind})
        if unknown:
            raise RecordError(f"expected kinds of pieces that are known, got {', '.join(unknown)}; update visionset to read it")
        if not (0 <= self.fps <= _MOST_FPS and 0 <= self.begun_s <= _LATEST_S and self.decks >= 1 and 0 <= (self.min_confidence or 0) <= 1):
            raise RecordError(
                "expected frames a second, a date, a number of decks and a confidence from 0 to 1, got others; name them as they are"
            )
