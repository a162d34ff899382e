"""Where the events of a match are kept: the director knows no store."""

from __future__ import annotations

from typing import Protocol

from visionset.games.base import Event


class Log(Protocol):
    """Where events are kept before anybody is told of them."""

    def append(self, event: Event) -> None:
        """Keep an event."""

    def undo(self) -> None:
        """Keep that the last event was taken back."""


class Unkept:
    """A log that keeps nothing."""

    def append(self, event: Event) -> None:
        """Keep nothing."""

    def undo(self) -> None:
        """Keep nothing."""
