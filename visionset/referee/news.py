"""What happened in a refereed game, for those who follow it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from visionset.games.base import Event
from visionset.messages import Words
from visionset.referee.player_input import Said


@dataclass(frozen=True, slots=True)
class Happened:
    """An event was kept."""

    event: Event
    state: Any
    """State of the game that it led to."""
    time_s: float
    """Time of the stream."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last event that stood was taken back: the state before it, and the time of the stream."""

    state: Any
    time_s: float


@dataclass(frozen=True, slots=True)
class Refused:
    """Somebody said what makes no sense now: what, why not, and the time of the stream."""

    said: Said
    why: Words
    time_s: float


News: TypeAlias = Happened | TakenBack | Refused
"""What happened in a game, for those who follow it."""
