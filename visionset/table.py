"""Sighting, Table and Settled: what was seen in one frame, and what changed since the table was settled before.

Longer than most modules: each value is short, and how they are written as JSON stands beside them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, fields
from enum import Enum
from numbers import Integral, Real
from typing import Any, Self

import numpy as np

from visionset.codec import from_json
from visionset.errors import OptionError, PieceError, RecordError, repr_in_a_line
from visionset.geometry import Floats, MadeAnew, Quad, as_quad
from visionset.kinds import PIECE_TYPES
from visionset.messages import Words
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

    Raises
    ------
    PieceError
        A piece is none, or a confidence, or the runner-up is likelier than the piece: a `ValueError` too.
    """

    piece: Piece
    confidence: float
    runner_up: Piece | None = None
    runner_up_confidence: float = 0.0

    def __post_init__(self) -> None:
        _check_piece(self.piece)
        _check_confidence(self.confidence)
        if self.runner_up is not None:
            _check_piece(self.runner_up)
            _check_confidence(self.runner_up_confidence)
            if self.runner_up_confidence > self.confidence:
                raise PieceError(
                    f"expected a runner-up that is no likelier than the piece, got {self.runner_up_confidence!r:.40} beside "
                    f"{self.confidence!r:.40}; name the likelier one first"
                )


def _check_piece(piece: object) -> None:
    if not isinstance(piece, Piece):
        raise PieceError(f"expected a piece, got {piece!r:.80}; give one such as SetCard.parse('1-red-open-oval')")


def _check_confidence(confidence: object) -> None:
    if not isinstance(confidence, Real) or not -_ROUNDING <= float(confidence) <= 1 + _ROUNDING:
        raise PieceError(f"expected a confidence from 0 to 1, got {confidence!r:.40}; give a probability")


_ROUNDING = 1e-6
"""A probability of a network, or a sum of some, may be off by so little."""


class Unread(Enum):
    """Why a piece of a picture has no name."""

    NO_COLOUR = "no colour"
    CUT_OFF = "cut off"
    TOO_SMALL = "too small"
    GLARE = "glare"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True, eq=False)
class Sighting(MadeAnew):
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
    reason : Unread or None
        Why a piece of a single picture has no name; None where it has one, and in a stream, where readings are pooled.

    Raises
    ------
    ArrayError
        The corners are no four points.
    PieceError
        The kind is none, or the piece, the guess, the reason or the confidence: a `ValueError` too.

    Examples
    --------
    >>> card = Sighting(Kind.SET_CARD, as_quad([[0, 0], [40, 0], [40, 60], [0, 60]]), None, 0.4)
    >>> card.is_unread, card.center_px.tolist(), card.long_side_px
    (True, [20.0, 30.0], 60.0)
    """

    kind: Kind
    outline_px: Quad
    piece: Piece | None
    confidence: float
    guess: Guess | None = None
    track: int | None = None
    reason: Unread | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "outline_px", as_quad(self.outline_px))
        if not isinstance(self.kind, Kind):
            raise PieceError(f"expected a Kind, got {self.kind!r:.40}; give one such as Kind.SET_CARD")
        if self.piece is not None:  # of another kind it may be: people correct what was misread
            _check_piece(self.piece)
        if self.guess is not None and not isinstance(self.guess, Guess):
            raise PieceError(f"expected a Guess or None, got {self.guess!r:.80}; give one such as Guess(piece, 0.4)")
        if self.reason is not None and not isinstance(self.reason, Unread):
            raise PieceError(f"expected an Unread as reason, or None, got {self.reason!r:.40}; give one such as Unread.GLARE")
        _check_confidence(self.confidence)

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
        sides = np.linalg.norm(self.outline_px - self.outline_px[[3, 0, 1, 2]], axis=1)
        return float(max(sides[0] + sides[2], sides[1] + sides[3]) / 2)

    def apart_px(self, other: Sighting) -> float:
        """From the middle of one to the middle of the other."""
        return float(np.linalg.norm(self.center_px - other.center_px))

    def to_json(self) -> dict[str, Any]:
        """What ``json.dumps`` takes: kind, name, corners and confidence; where there are, a track, a guess and the reason for no name."""
        line: dict[str, Any] = {
            "kind": self.kind.value,
            "name": None if self.piece is None else str(self.piece),
            "corners": [[round(float(x), _CORNER_DIGITS), round(float(y), _CORNER_DIGITS)] for x, y in self.outline_px],
            "confidence": round(float(self.confidence), _CONFIDENCE_DIGITS),
        }
        if self.track is not None:
            line["track"] = int(self.track)
        if self.reason is not None:
            line["reason"] = self.reason.value
        if self.guess is not None:
            line["guess"] = [str(self.guess.piece), round(float(self.guess.confidence), _CONFIDENCE_DIGITS)]
            if self.guess.runner_up is not None:
                line["guess"] += [str(self.guess.runner_up), round(float(self.guess.runner_up_confidence), _CONFIDENCE_DIGITS)]
        return line


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

    Raises
    ------
    OptionError
        The size is none, or the sightings are no tuple of them: a `ValueError` too.
    """

    size_px: tuple[int, int]
    sightings: tuple[Sighting, ...] = ()
    frame_index: int = 0
    lacks_colour: bool = False

    def __post_init__(self) -> None:
        is_size = isinstance(self.size_px, tuple) and len(self.size_px) == 2 and all(isinstance(side, Integral) for side in self.size_px)
        if not is_size:
            raise OptionError(
                f"expected size_px as a tuple of width and height, got {repr_in_a_line(self.size_px)}; write it as (1280, 720)"
            )
        if not isinstance(self.sightings, tuple):
            got = repr_in_a_line(self.sightings)
            raise OptionError(f"expected sightings as a tuple, got {got}; write it as tuple(sightings), one alone as (sighting,)")
        for one in self.sightings:
            if not isinstance(one, Sighting):
                raise OptionError(f"expected a Sighting, got {repr_in_a_line(one)}; make one of a piece and its corners")

    @property
    def pieces(self) -> tuple[Piece | None, ...]:
        """The pieces by position; unread ones stay as None, so that positions keep their meaning."""
        return tuple(sighting.piece for sighting in self.sightings)

    def to_json(self) -> dict[str, Any]:
        """What ``json.dumps`` takes; `from_json` is the inverse, but for digits that no camera resolves, the index, and lack of colour."""
        width, height = self.size_px
        return {"width": int(width), "height": int(height), "pieces": [one.to_json() for one in self.sightings]}

    @classmethod
    def from_json(cls, data: object, frame_index: int = 0) -> Self:
        """Read what `to_json` gave, or a line of ``visionset read --json``, which tells more beside.

        Raises
        ------
        RecordError
            It is something else, or tells why a picture could not be read.
        """
        if isinstance(data, str | bytes):
            raise RecordError(f"expected a table as json.loads gives it, got {data!r:.80}; read the text by json.loads first")
        if isinstance(data, dict):
            if "error" in data:
                raise RecordError(f"expected a table, got a picture that could not be read ({data['error']!s:.200}); pass it over")
            data = {one.name: data[one.name] for one in fields(_TableLine) if one.name in data}
        read = from_json(_TableLine, data)
        if len(read.pieces) > _MOST:
            raise RecordError(f"expected {_MOST} pieces or less, got {len(read.pieces)}; the line is damaged")
        try:
            return cls((read.width, read.height), tuple(line.sighting() for line in read.pieces), frame_index)
        except PieceError as error:
            raise RecordError(str(error)) from error


_CORNER_DIGITS, _CONFIDENCE_DIGITS = 1, 3
"""Digits after the point of corners, in pixels, and of confidences in JSON; `visionset.archive.rows` rounds alike."""

_MOST = 1000
"""Pieces of one table."""

_FARTHEST_PX = 1e6
"""A corner's place in any picture, or beside it."""

_Corner = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _SightingLine:
    """A sighting as it is kept."""

    kind: Kind
    name: str | None
    corners: tuple[_Corner, _Corner, _Corner, _Corner]
    confidence: float
    guess: tuple[str, float] | tuple[str, float, str, float] | None = None
    track: int | None = None
    reason: Unread | None = None

    def __post_init__(self) -> None:
        if not all(abs(at) <= _FARTHEST_PX for corner in self.corners for at in corner):
            raise RecordError(f"expected corners in the picture, got {self.corners!r:.80}; the line is damaged")
        for confidence in (self.confidence, *(self.guess or ())[1::2]):
            if not isinstance(confidence, str) and not 0 <= confidence <= 1:
                raise RecordError(f"expected a confidence from 0 to 1, got {confidence}; the line is damaged")

    def sighting(self) -> Sighting:
        piece = None if self.name is None else self._named(self.name)
        return Sighting(self.kind, np.array(self.corners), piece, self.confidence, self._guess(), self.track, self.reason)

    def _guess(self) -> Guess | None:
        if self.guess is None:
            return None
        if len(self.guess) == 2:
            return Guess(self._named(self.guess[0]), self.guess[1])
        return Guess(self._named(self.guess[0]), self.guess[1], self._named(self.guess[2]), self.guess[3])

    def _named(self, name: str) -> Piece:
        """The piece of a name: of this kind, or of another one as people call it, such as a card that lies face down."""
        for kind in sorted(PIECE_TYPES, key=lambda one: one is not self.kind):
            with suppress(PieceError):
                return PIECE_TYPES[kind].parse(name)
        raise PieceError(f"expected the name of a piece, got {name!r:.40}; the line is damaged")


@dataclass(frozen=True, slots=True)
class _TableLine:
    """A table as it is kept."""

    width: int
    height: int
    pieces: tuple[_SightingLine, ...]

    def __post_init__(self) -> None:
        if not all(0 <= side <= _FARTHEST_PX for side in (self.width, self.height)):
            raise RecordError(f"expected the size of a picture, got {self.width} by {self.height}; the line is damaged")


@dataclass(frozen=True, slots=True, eq=False)
class Appeared:
    """A piece lies where none lay."""

    after: Sighting


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A piece is gone."""

    before: Sighting


@dataclass(frozen=True, slots=True, eq=False)
class _Changed:
    """What lay there before, and what lies there now."""

    before: Sighting
    after: Sighting


@dataclass(frozen=True, slots=True, eq=False)
class Moved(_Changed):
    """The same piece lies elsewhere; it keeps its track."""


@dataclass(frozen=True, slots=True, eq=False)
class TurnedOver(_Changed):
    """A card shows its other side; it keeps its track."""


@dataclass(frozen=True, slots=True, eq=False)
class Swapped(_Changed):
    """Another piece lies in the same place; it has a track of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Thrown(_Changed):
    """A die was thrown and rests; it keeps its track."""


@dataclass(frozen=True, slots=True, eq=False)
class Reread(_Changed):
    """The same piece in the same place is now known better: it became sure, it became unsure, or somebody corrected it."""


Change = Appeared | Taken | Moved | TurnedOver | Swapped | Thrown | Reread


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """The table as it is known after one frame of a stream.

    Attributes
    ----------
    table : Table
        The last settled table; every sighting has a track. Where `passing`, what is read in this frame, with tracks where they are known.
    held : bool
        Hands or pieces move now, or a new piece may still be in a hand: `table` is from before.
    blind : bool
        Nobody could tell from this frame what lies there: the light went out, the table is out of sight, nothing is seen any more, or
        the camera shows the very same picture again and again.
    passing : bool
        The view moves, or nothing has settled yet: `table` is to be looked at, and nothing follows from it.
    covered : bool
        Something that does not move hides a piece that lay there, or reaches in over the edge of the picture: a hand that rests.
    changes : tuple of Change
        What changed since the last settled table; only in the frame in which it settled again.
    remarks : tuple of Message or str
        Plain words about the view ("it is too dark to read the cards"), only while they matter.
    beyond : tuple of Piece
        Named pieces that lay there and are out of the picture now, since the camera has moved.
    hidden : tuple of int
        Tracks of pieces in the table whose places something covers that does not move and is no piece: nobody sees whether they lie there.
    """

    table: Table
    held: bool = False
    changes: tuple[Change, ...] = ()
    remarks: tuple[Words, ...] = ()
    covered: bool = False
    passing: bool = False
    blind: bool = False
    beyond: tuple[Piece, ...] = ()
    hidden: tuple[int, ...] = ()
