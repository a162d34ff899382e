"""One reading as a line of JSON and as a row of Parquet: the same either way."""

from __future__ import annotations

import json
from typing import Any

from visionset.errors import OutputError, RecordError

_CORNER_DIGITS, _CONFIDENCE_DIGITS = 1, 3
"""Digits after the point, as `visionset.table` rounds: Parquet keeps 32 bits, which tell more than the line did."""

_GUESS = ("name", "confidence", "runner_up", "runner_up_confidence")


def arrow() -> Any:
    """PyArrow, and its part for Parquet; raises `OutputError`: it is not there."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise OutputError(
            "expected pyarrow for Parquet, got none; run pip install 'visionset[archive]', or use a name ending in .jsonl"
        ) from None
    return pyarrow


def schema() -> Any:
    """The columns of an archive: a row a picture, its pieces nested."""
    pa = arrow()
    numbers = pa.list_(pa.int32())
    guess = pa.struct([(name, pa.string() if name in ("name", "runner_up") else pa.float32()) for name in _GUESS])
    piece = pa.struct(
        [
            ("kind", pa.string()),
            ("name", pa.string()),
            ("corners", pa.list_(pa.list_(pa.float32()))),
            ("confidence", pa.float32()),
            ("reason", pa.string()),
            ("guess", guess),
        ]
    )
    return pa.schema(
        [
            ("image", pa.string()),
            ("width", pa.int32()),
            ("height", pa.int32()),
            ("pieces", pa.list_(piece)),
            ("sets", pa.list_(numbers)),
            ("lattice", pa.list_(numbers)),
            ("set_count", pa.int32()),
            ("reason", pa.string()),
            ("error", pa.string()),
        ]
    )


def row_of(line: str) -> dict[str, Any]:
    """A line of JSON as a row."""
    answer: dict[str, Any] = json.loads(line)
    for piece in answer["pieces"]:
        if "guess" in piece:
            piece["guess"] = dict(zip(_GUESS, piece["guess"], strict=False))
    return answer


def answer_of(row: dict[str, Any]) -> dict[str, Any]:
    """A row as the answer that its line told."""
    answer = {key: value for key, value in row.items() if value is not None}
    answer["pieces"] = [_piece(piece) for piece in row["pieces"]]
    return answer


def _piece(piece: dict[str, Any]) -> dict[str, Any]:
    told = {key: value for key, value in piece.items() if value is not None or key == "name"}
    told["corners"] = [[round(at, _CORNER_DIGITS) for at in corner] for corner in piece["corners"]]
    told["confidence"] = round(piece["confidence"], _CONFIDENCE_DIGITS)
    if (guess := piece.get("guess")) is not None:
        values = [guess[name] for name in _GUESS if guess[name] is not None]
        told["guess"] = [value if isinstance(value, str) else round(value, _CONFIDENCE_DIGITS) for value in values]
    return told


def checked_answer(line: str | bytes, where: str) -> dict[str, Any]:
    """Read a line of JSON that anybody may have written; raises `RecordError`: it is no reading."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        answer = None
    is_reading = isinstance(answer, dict) and isinstance(answer.get("image"), str) and isinstance(answer.get("pieces"), list)
    if not is_reading or not all(isinstance(one, dict) and isinstance(one.get("kind"), str) for one in answer["pieces"]):
        begin = line[:40].decode(errors="replace") if isinstance(line, bytes) else line[:40]
        raise RecordError(f"{where}: expected a line as visionset read --json prints it, got {begin!r}; name an archive")
    return dict(answer)
