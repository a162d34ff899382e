"""Sighting, Table and Settled: what was seen in one frame, and what changed since the table was settled before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from visionset.geometry import Floats, Quad, as_quad
from visionset.pieces import Kind, Piece


@dataclass(frozen=True, slots=True)
class Guess:
    """What a reader makes of one piece.

    Attributes
    ----------
    piece : Piece
        The likeliest piece.
    confidence : float
        0 to 1: of the readings with 0.9 about nine in ten are right.
    runner_up : Piece or None
        The piece it would be if the first were impossible.
    runner_up_confidence : float
        0 to 1, never above `confidence`.
    """

    piece: Piece
    confidence: float
    runner_up: Piece | None = None
    runner_up_confidence: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One thing on the table.

    Attributes
    ----------
    kind : Kind
        Sort of piece.
    outline_px : ndarray of float64, shape (4, 2)
        Corners, clockwise in the picture.
    piece : Piece or None
        None: it is there and could not be read for sure. It takes no part in SETs and is drawn as "?".
    confidence : float
        0 to 1, of the likeliest reading, also where that was not good enough to be named.
    guess : Guess or None
        The likeliest reading whatever its confidence, for prompts such as "is this 1 red open oval?".
    track : int or None
        Number that the piece keeps while it lies there; None for a single picture.
    """

    kind: Kind
    outline_px: Quad
    piece: Piece | None
    confidence: float
    guess: Guess | None = None
    track: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "outline_px", as_quad(self.outline_px))

    @property
    def center_px(self) -> Floats:
        """Mean of the corners, shape (2,)."""
        return np.asarray(self.outline_px.mean(axis=0))

    @property
    def is_unread(self) -> bool:
        """It could not be read; a card that lies face down has nothing to read."""
        return self.piece is None and self.kind is not Kind.CARD_BACK

    @property
    def long_side_px(self) -> float:
        """Length of the longer pair of sides, averaged."""
        sides = np.linalg.norm(self.outline_px - np.roll(self.outline_px, 1, axis=0), axis=1)
        return float(max(sides[0] + sides[2], sides[1] + sides[3]) / 2)


@dataclass(frozen=True, slots=True)
class Table:
    """Everything seen in one frame, in reading order.

    Attributes
    ----------
    size_px : tuple of int
        Width and height of the picture.
    sightings : tuple of Sighting
        Empty when nothing lies there.
    frame_index : int
        Index of the frame it was read from.
    lacks_colour : bool
        The picture is gray or of one tone, so that no SET card and no SET die in it has a name.
    """

    size_px: tuple[int, int]
    sightings: tuple[Sighting, ...] = ()
    frame_index: int = 0
    lacks_colour: bool = False

    @property
    def pieces(self) -> tuple[Piece | None, ...]:
        """The pieces by position; unread ones stay as None, so that positions keep their meaning."""
        return tuple(sighting.piece for sighting in self.sightings)


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
class Thrown:
    """A die was thrown and rests; it keeps its track."""

    before: Sighting
    after: Sighting


@dataclass(frozen=True, slots=True, eq=False)
class Reread:
    """The same piece in the same place is now known better: it became sure, it became unsure, or somebody corrected it."""

    before: Sighting
    after: Sighting


Change = Appeared | Taken | Moved | TurnedOver | Swapped | Thrown | Reread


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
