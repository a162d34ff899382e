"""What comes out of a session, and who takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.frame import Frame
from visionset.games.game import History
from visionset.pieces import Piece
from visionset.referee.terms import News, Showing
from visionset.referee.zones import Zones
from visionset.table import Settled, Sighting, Table
from visionset.table_sets import Trio, sets_of


@dataclass(frozen=True)
class SetsOnTable:
    """The SETs of one settled table, found once, when somebody first asks for them."""

    table: Table
    decks: int

    @cached_property
    def sets(self) -> tuple[Trio, ...]:
        """Positions of three in `Table.sightings`, as `visionset.table_sets.sets_of` lists them."""
        return sets_of(self.table, self.decks).sets


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
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
    is_resting : bool
        The game rests: the table is tracked, and nothing follows from it.
    trouble : str
        What is wrong with the source, the disk or a listener; empty when all is well.
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
    is_resting: bool = False
    trouble: str = ""
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    fps: float = 0.0
    held_s: float = 0.0

    @property
    def table(self) -> Table:
        """What lies there."""
        return self.settled.table

    @property
    def sets(self) -> tuple[Trio, ...]:
        """SETs among `table.sightings`, three positions each; they are found once for each settled table."""
        return self.found.sets


Listener: TypeAlias = Callable[[Snapshot, tuple[News, ...]], object]
"""Takes the newest snapshot and the news since its last call."""


class Keeper(Protocol):
    """What writes to a disk, such as `visionset.recording.Recorder`."""

    @property
    def trouble(self) -> str:
        """What is wrong just now; empty when all is well."""


class Tracker(Protocol):
    """What follows a table through frames, such as `visionset.tracking.TableTracker`."""

    timings_ms: dict[str, float]

    def see(self, frame: Frame) -> Settled:
        """Look at one more frame of a stream."""

    def exclude(self, pieces: frozenset[Piece]) -> None:
        """Leave out pieces that cannot lie on the table."""


_LONG_PX = 180
"""Long side of a kept picture: three times that of a card which is read well, so that nothing is lost; 81 of them are 6 MB."""

_MOST = 200
"""Pictures that are kept, the latest."""


class PieceCrops:
    """Keeps a picture of each piece, by its track."""

    def __init__(self) -> None:
        self._pictures: dict[int, NDArray[np.uint8]] = {}
        self._pieces: dict[int, Piece | None] = {}

    def look(self, frame: Frame, settled: Settled) -> None:
        """Cut out what has changed on a settled table."""
        if settled.held or not settled.changes:
            return
        changed = {after.track for one in settled.changes if (after := getattr(one, "after", None)) is not None}
        for one in settled.table.sightings:
            if one.track is None:
                continue
            if one.track in changed or one.track not in self._pictures:
                self._pictures.pop(one.track, None)  # the latest last
                self._pictures[one.track] = cut_out(frame.image_bgr, one)
            self._pieces[one.track] = one.piece
        for track in list(self._pictures)[:-_MOST]:
            del self._pictures[track], self._pieces[track]

    def of(self, track: int | None) -> NDArray[np.uint8] | None:
        """The picture of a piece by its track; None where there is none."""
        return None if track is None else self._pictures.get(track)

    def of_piece(self, piece: Piece) -> NDArray[np.uint8] | None:
        """The latest picture of something that was read as this piece; None where there is none."""
        return next((self._pictures[track] for track in reversed(self._pictures) if self._pieces[track] == piece), None)


def cut_out(image_bgr: NDArray[np.uint8], one: Sighting) -> NDArray[np.uint8]:
    """Straighten a piece as it lies in the picture, its longer sides upright, uint8 of shape (height, width, 3)."""
    quad = one.outline_px.astype(np.float32)
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    across, down = sides[0] + sides[2], sides[1] + sides[3]
    if across > down:  # corners are clockwise: begin with the one that makes a short side the upper one
        quad, (across, down) = np.roll(quad, -1, axis=0), (down, across)
    high, wide = _LONG_PX, max(8, round(_LONG_PX * float(across) / max(1.0, float(down))))
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    flat = cv2.warpPerspective(image_bgr, cv2.getPerspectiveTransform(quad, corners), (wide, high), flags=cv2.INTER_LINEAR)
    return np.asarray(flat, np.uint8)
