"""What referees ask of a table that is followed: where pieces lie, and under which tracks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import hypot

import numpy as np

from visionset.geometry import Quad, reading_order
from visionset.messages import Message
from visionset.pieces import Piece, SetDie
from visionset.table import Change, Moved, Sighting, Table, Thrown
from visionset.words import whereabouts

_MOVED_SHARE = 0.5
"""A piece that lies further off than this share of its side was touched, or the camera was."""


def showing(sightings: Iterable[Sighting], pieces: Iterable[Piece]) -> tuple[Sighting, ...]:
    """The sightings that show these pieces, one for each piece: the first that does."""
    left, found = Counter(pieces), []
    for one in sightings:
        if one.piece is not None and left[one.piece] > 0:
            left[one.piece] -= 1
            found.append(one)
    return tuple(found)


def dice_of(table: Table) -> tuple[SetDie, ...]:
    """The faces of the SET dice that were read."""
    return tuple(one.piece for one in table.sightings if isinstance(one.piece, SetDie))


def unread(table: Table) -> tuple[int, ...]:
    """Tracks of the pieces that were not read."""
    return tuple(track_of(one) for one in table.sightings if one.piece is None)


def is_doubtful(one: Sighting, sure: float) -> bool:
    """Whether a piece is not read, or with less than the confidence `sure`, 0 to 1."""
    return one.piece is None or one.confidence < sure


def doubtful(sightings: Iterable[Sighting], sure: float) -> tuple[int, ...]:
    """Tracks of those that are read with less than the confidence `sure`, 0 to 1."""
    return tuple(track_of(one) for one in sightings if is_doubtful(one, sure))


def track_of(sighting: Sighting) -> int:
    """The track of a sighting of a followed table; raises ValueError where it has none."""
    if sighting.track is None:
        raise ValueError("expected a table that is followed, got a sighting without a track; pass tables of `Settled`")
    return sighting.track


def tracks_of(sightings: Iterable[Sighting]) -> tuple[int, ...]:
    """The tracks of several sightings."""
    return tuple(track_of(one) for one in sightings)


def in_reading_order(sightings: Sequence[Sighting]) -> tuple[Sighting, ...]:
    """Sort by rows from the top, in each row from the left."""
    if not sightings:
        return ()
    return tuple(sightings[at] for at in reading_order(np.stack([one.outline_px for one in sightings])))


def by_track(table: Table) -> dict[int, Sighting]:
    """Map each track to its sighting."""
    return {track_of(one): one for one in table.sightings}


def at(table: Table, sighting: Sighting) -> Message:
    """Where a sighting lies."""
    return whereabouts(sighting.center_px, table.size_px)


def reaches_out(one: Sighting, size_px: tuple[int, int]) -> bool:
    """Whether a part of a piece is beyond the edge of the picture."""
    return bool(((one.outline_px < 0) | (one.outline_px > size_px)).any())


def has_moved(before_px: Quad, one: Sighting) -> bool:
    """Whether a piece lies elsewhere than it did."""
    return distance_px(before_px, one.outline_px) > _MOVED_SHARE * one.long_side_px


def moved_over_table(changes: Iterable[Change]) -> frozenset[int]:
    """Tracks of the pieces that lie elsewhere on the table; after a bump of the camera all lie elsewhere in the picture."""
    moved = (one for one in changes if isinstance(one, Moved | Thrown) and has_moved(one.before.outline_px, one.after))
    return frozenset(track_of(one.after) for one in moved)


def distance_px(one: Quad, other: Quad) -> float:
    """From the middle of one outline to the middle of another."""
    return hypot(*(one - other).mean(axis=0))
