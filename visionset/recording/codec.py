"""A table as JSON: `pieces_to_json` and `pieces_from_json` are inverse, but for digits that no camera resolves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from visionset.codec import from_json
from visionset.errors import RecordError
from visionset.pieces import Kind, Piece, PipDie, PlayingCard, SetCard, SetDie
from visionset.table import Guess, Sighting

_PIECES: dict[Kind, type[Piece]] = {
    Kind.SET_CARD: SetCard,
    Kind.SET_DIE: SetDie,
    Kind.PIP_DIE: PipDie,
    Kind.PLAYING_CARD: PlayingCard,
}

_CORNER_DIGITS, _CONFIDENCE_DIGITS = 1, 3

_MOST = 1000
"""Pieces of one table."""

_FARTHEST_PX = 1e6
"""A corner's place in any picture, or beside it."""

_Corner = tuple[float, float]


def pieces_to_json(sightings: Sequence[Sighting]) -> list[dict[str, Any]]:
    """What lies there, as ``visionset read --json`` says it, with guess and track."""
    return [_sighting_to_json(sighting) for sighting in sightings]


def pieces_from_json(data: object) -> tuple[Sighting, ...]:
    """Read what `pieces_to_json` gave.

    Raises
    ------
    RecordError
        It is something else.
    """
    lines = from_json(_Pieces, {"pieces": data}).pieces
    if len(lines) > _MOST:
        raise RecordError(f"expected {_MOST} pieces or less, got {len(lines)}; the line is damaged")
    return tuple(_sighting(line) for line in lines)


def _sighting_to_json(sighting: Sighting) -> dict[str, Any]:
    line: dict[str, Any] = {
        "kind": sighting.kind.value,
        "name": None if sighting.piece is None else str(sighting.piece),
        "corners": [[round(float(x), _CORNER_DIGITS), round(float(y), _CORNER_DIGITS)] for x, y in sighting.outline_px],
        "confidence": round(float(sighting.confidence), _CONFIDENCE_DIGITS),
    }
    if sighting.track is not None:
        line["track"] = sighting.track
    guess = sighting.guess
    if guess is not None:
        line["guess"] = [str(guess.piece), round(float(guess.confidence), _CONFIDENCE_DIGITS)]
        if guess.runner_up is not None:
            line["guess"] += [str(guess.runner_up), round(float(guess.runner_up_confidence), _CONFIDENCE_DIGITS)]
    return line


@dataclass(frozen=True, slots=True)
class _Line:
    kind: Kind
    name: str | None
    corners: tuple[_Corner, _Corner, _Corner, _Corner]
    confidence: float
    guess: tuple[str, float] | tuple[str, float, str, float] | None = None
    track: int | None = None

    def __post_init__(self) -> None:
        if not all(abs(at) <= _FARTHEST_PX for corner in self.corners for at in corner):
            raise RecordError(f"expected corners in the picture, got {self.corners!r:.80}; the line is damaged")
        if not 0 <= self.confidence <= 1:
            raise RecordError(f"expected a confidence from 0 to 1, got {self.confidence}; the line is damaged")
        if self.kind not in _PIECES and (self.name, self.guess) != (None, None):
            raise RecordError(f"expected no name of a {self.kind.value}, got {self.name!r:.40}; the line is damaged")


@dataclass(frozen=True, slots=True)
class _Pieces:
    pieces: tuple[_Line, ...]


def _sighting(line: _Line) -> Sighting:
    piece = None if line.name is None else _PIECES[line.kind].parse(line.name)
    return Sighting(line.kind, np.array(line.corners), piece, line.confidence, _guess(line), line.track)


def _guess(line: _Line) -> Guess | None:
    if line.guess is None:
        return None
    parse = _PIECES[line.kind].parse
    if len(line.guess) == 2:
        return Guess(parse(line.guess[0]), line.guess[1])
    return Guess(parse(line.guess[0]), line.guess[1], parse(line.guess[2]), line.guess[3])
