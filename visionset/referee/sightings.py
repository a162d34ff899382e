"""What referees ask of a table that is followed: where pieces lie, and under which tracks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import hypot

import cv2
import numpy as np

from visionset.geometry import Floats, Quad, apply, as_quad, outlines_of, reading_order
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
    return tuple(sightings[at] for at in reading_order(outlines_of(sightings)))


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


def are_pushed(before: Table, now: Table) -> bool:
    """Whether some pieces of one frame lie elsewhere in the next, and not most: the camera moves all, and an outline does not tremble."""
    if before.sightings is now.sightings:
        return False
    there = by_track(now)
    pairs = [(one, there[one.track]) for one in before.sightings if one.track in there]
    pushed = sum(not np.array_equal(one.outline_px, other.outline_px) for one, other in pairs)
    return 0 < 2 * pushed <= len(pairs)


def view_moved(before: Table, now: Table, changes: Iterable[Change]) -> Floats | None:
    """How the camera moved between two settled tables: maps points of before to points of now, shape (3, 3).

    Told by the pieces that nobody moved. None where most lie as they lay, and where fewer than three or not most moved alike: hands did.
    """
    touched = {one.after.track for one in changes if isinstance(one, Moved | Thrown)}
    there = by_track(now)
    pairs = [(one, there[one.track]) for one in before.sightings if one.track in there and one.track not in touched]
    at_rest = sum(np.array_equal(one.outline_px, other.outline_px) for one, other in pairs)
    if len(pairs) < _ALIKE or 2 * at_rest >= len(pairs):
        return None
    from_, to = (np.array([pair[at].outline_px for pair in pairs]) for at in (0, 1))
    off_px = _OFF_SHARE * float(np.median([one.long_side_px for one, _ in pairs]))
    view, _ = cv2.estimateAffinePartial2D(from_.reshape(-1, 2), to.reshape(-1, 2), method=cv2.RANSAC, ransacReprojThreshold=off_px)
    if view is None:
        return None
    matrix = np.vstack([view, [0.0, 0.0, 1.0]])
    off = np.linalg.norm(apply(matrix, from_.mean(axis=1)) - to.mean(axis=1), axis=1)
    alike = int((off < off_px).sum())
    return matrix if alike >= max(_ALIKE, _MOST * len(pairs)) else None


_ALIKE = 3
"""Fewer pieces that lie elsewhere alike were moved by a hand."""

_MOST = 0.7
"""Share of all pieces that must have moved alike for the camera to have moved."""

_OFF_SHARE = 0.1
"""A piece moved as the others did while it is off by less than this share of the long side of most."""


def seen_from(image_from_before: Floats, outline_px: Quad) -> Quad:
    """Where a place is in the picture after the camera moved."""
    return as_quad(apply(image_from_before, outline_px))


def distance_px(one: Quad, other: Quad) -> float:
    """From the middle of one outline to the middle of another."""
    return hypot(*(one - other).mean(axis=0))
