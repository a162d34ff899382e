"""Where the events of a match are kept: the director knows no store."""

from __future__ import annotations

from visionset.games.base import Event


class Log:
    """Where events are kept before anybody is told of them; this one keeps nothing."""

    def append(self, event: Event) -> None:
        """Keep an event."""

    def undo(self) -> None:
        """Keep that the last event was taken back."""
