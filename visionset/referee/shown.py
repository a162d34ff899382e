"""What a referee shows: words for the table, outlines on the picture, the state of play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from visionset.calibration import Calibration
from visionset.games.base import addressed
from visionset.geometry import Quad
from visionset.messages import Message, WordedAtTable, Words, at_table
from visionset.referee.rulings import Exhibit, Question
from visionset.referee.sightings import by_track
from visionset.referee.zones import Zones, zone_named
from visionset.table import Table


class Tone(Enum):
    """Why something is outlined."""

    TODO = "todo"
    GOOD = "good"
    WRONG = "wrong"
    ASKED = "asked"
    HINT = "hint"
    ZONE = "zone"


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """An outline on the picture."""

    outline_px: Quad
    tone: Tone
    """Why."""
    text: Words = ""
    """A few letters beside it, such as ``+3``."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mark) or (self.tone, self.text) != (other.tone, other.text):
            return False
        return self.outline_px is other.outline_px or bool((self.outline_px == other.outline_px).all())


@dataclass(frozen=True, slots=True)
class Told(WordedAtTable):
    """A line for somebody at the table."""

    to: Words
    message: Words

    @property
    def said(self) -> Message:
        """What is told, and to whom."""
        return addressed(self.to, self.message)

    def __str__(self) -> str:
        return at_table(self.said)


@dataclass(frozen=True, slots=True)
class Showing:
    """All that is drawn: words, outlines and the state of play."""

    told: tuple[Told, ...] = ()
    """What to do now; the first is the most pressing."""
    notice: Words = ""
    """What just happened, with the reason."""
    question: Question | None = None
    """At most one at a time."""
    differ: Words = ""
    """The difference between table and game, while scores are frozen."""
    differ_id: str | None = None
    """Tells it from other differences of the match, also of the same words, so that who is late settles none that nobody has read."""
    marks: tuple[Mark, ...] = ()
    status: tuple[Words, ...] = ()
    """Scores, whose turn, times: one line each, its two parts parted by a tab."""
    sheet: tuple[Words, ...] = ()
    """Lines of a score sheet, for games that have one."""
    remarks: tuple[Words, ...] = ()
    """About the view."""
    exhibits: tuple[Exhibit, ...] = ()
    """The pieces that a dispute or a doubt is about, to be shown as the camera saw them."""


def outlined(table: Table, tracks: Iterable[int], tone: Tone, text: Words = "") -> tuple[Mark, ...]:
    """Outline pieces by their tracks; those that have left are passed over."""
    there = by_track(table)
    return tuple(Mark(there[track].outline_px, tone, text) for track in tracks if track in there)


def zone_marks(zones: Zones, table: Table, profile: Calibration | None, players: Sequence[str]) -> tuple[Mark, ...]:
    """Outline zones, thin, with their names."""
    size_px = table.size_px
    return tuple(Mark(zones.outline_px(one.name, size_px, profile), Tone.ZONE, zone_named(one.name, players)) for one in zones.zones)


def scores(state: Any) -> tuple[Words, ...]:
    """``Ann 3`` for each player."""
    return tuple(Message("referee.status.score", name=name, score=score) for name, score in zip(state.players, state.scores, strict=True))
