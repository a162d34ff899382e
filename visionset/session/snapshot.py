"""What a session tells its listeners: all that is known at one moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

from visionset.games.game import History
from visionset.games.sets import Triple
from visionset.geometry import Frame, MadeAnew
from visionset.messages import Words
from visionset.referee.news import News
from visionset.referee.shown import Showing
from visionset.referee.zones import Zones
from visionset.table import Settled, Table
from visionset.table_sets import TableSets, sets_of


@dataclass(frozen=True)
class SetsOnTable:
    """The SETs of one settled table, found once, when somebody first asks for them."""

    table: Table
    decks: int

    @cached_property
    def _found(self) -> TableSets:
        return sets_of(self.table, self.decks)

    @property
    def sets(self) -> tuple[Triple, ...]:
        """Positions of three in `Table.sightings`, as `visionset.table_sets.sets_of` lists them."""
        return self._found.sets

    @property
    def count(self) -> int:
        """How many there are, listed or not."""
        return self._found.count


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot(MadeAnew):
    """All that is known at one moment.

    Attributes
    ----------
    version : int
        1 for the first of a session; each later one has the next number.
    frame : Frame
        The last picture.
    is_fresh : bool
        The frame came with this snapshot; False where only words changed.
    settled : Settled
        What lies there, whether that is from before, what changed in this frame, and remarks about the view.
    found : SetsOnTable
        The SETs that lie there, see `sets`.
    history : History or None
        The match so far; None without a game.
    showing : Showing or None
        What the referee shows: outlines, words, a question, scores; None without a game.
    zones : Zones or None
        Places that people may drag; None for games without.
    trouble : Message or str
        What is wrong with the source or the disk; empty when all is well. Of a listener `Session.gave_up` tells.
    timings_ms : mapping of str to float
        Milliseconds of each stage of the last frame, in order.
    fps : float
        Frames looked at per second, over the last second or so; 0 for the first.
    held_s : float
        For how long the table has been held, in seconds of the frames' time; 0 when it is not.
    """

    version: int
    frame: Frame
    is_fresh: bool
    settled: Settled
    found: SetsOnTable
    history: History | None = None
    showing: Showing | None = None
    zones: Zones | None = None
    trouble: Words = ""
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    fps: float = 0.0
    held_s: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "timings_ms", MappingProxyType(dict(self.timings_ms)))

    def __reduce__(self) -> tuple[Any, ...]:
        made, values = MadeAnew.__reduce__(self)  # for another process, to which a read-only view of a dict cannot go
        return made, tuple(dict(value) if value is self.timings_ms else value for value in values)

    @property
    def table(self) -> Table:
        """What lies there."""
        return self.settled.table

    @property
    def sets(self) -> tuple[Triple, ...]:
        """SETs among `table.sightings`, three positions each; they are found once for each settled table."""
        return self.found.sets


Listener: TypeAlias = Callable[[Snapshot, tuple[News, ...]], object]
"""Takes the newest snapshot and the news since its last call."""
