"""What happened on the table between two settled looks at it."""

from __future__ import annotations

from dataclasses import dataclass

from visionset.table import Sighting, Table


@dataclass(frozen=True, slots=True, eq=False)
class Appeared:
    """A piece lies where none lay."""

    after: Sighting


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A piece is gone."""

    before: Sighting


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """The same piece lies elsewhere; it keeps its track."""

    before: Sighting
    after: Sighting


@dataclass(frozen=True, slots=True, eq=False)
class TurnedOver:
    """A card shows its other side; it keeps its track."""

    before: Sighting
    after: Sighting


@dataclass(frozen=True, slots=True, eq=False)
class Swapped:
    """Another piece lies in the same place; it has a track of its own."""

    before: Sighting
    after: Sighting


@dataclass(frozen=True, slots=True, eq=False)
class Rolled:
    """A die was thrown and rests; it keeps its track."""

    before: Sighting
    after: Sighting


@dataclass(frozen=True, slots=True, eq=False)
class Reread:
    """The same piece in the same place is now known better: it became sure, it became unsure, or somebody corrected it."""

    before: Sighting
    after: Sighting


Change = Appeared | Taken | Moved | TurnedOver | Swapped | Rolled | Reread


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """The table as it is known after one frame of a stream.

    Attributes
    ----------
    table : Table
        The last settled table; every sighting has a track.
    held : bool
        Hands or pieces move now: `table` is from before.
    covered : bool
        Something that does not move hides a piece that lay there, or reaches in over the edge of the picture: a hand that rests.
    changes : tuple of Change
        What changed since the last settled table; only in the frame in which it settled again.
    remarks : tuple of str
        Plain words about the view ("it is too dark to read the cards"), only while they matter.
    """

    table: Table
    held: bool = False
    changes: tuple[Change, ...] = ()
    remarks: tuple[str, ...] = ()
    covered: bool = False
