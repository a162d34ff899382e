"""A table as JSON: `pieces_to_json` and `pieces_from_json` are inverse, but for digits that no camera resolves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
    if not isinstance(data, list):
        raise RecordError(f"expected a list of pieces, got {data!r:.60}; the line is damaged")
    try:
        return tuple(_sighting_from_json(item) for item in data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(f"expected pieces with kind, name, corners and confidence, got {error!r:.80}; the line is damaged") from None


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


def _sighting_from_json(line: Mapping[str, Any]) -> Sighting:
    kind = Kind(line["kind"])
    piece = None if line["name"] is None else _PIECES[kind].parse(line["name"])
    return Sighting(kind, line["corners"], piece, float(line["confidence"]), _guess(kind, line.get("guess")), line.get("track"))


def _guess(kind: Kind, parts: Sequence[Any] | None) -> Guess | None:
    if parts is None:
        return None
    likeliest = _PIECES[kind].parse(parts[0])
    if len(parts) == 2:
        return Guess(likeliest, float(parts[1]))
    return Guess(likeliest, float(parts[1]), _PIECES[kind].parse(parts[2]), float(parts[3]))
