"""Answers out of archives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from visionset.archive.rows import answer_of, arrow, checked_answer
from visionset.archive.writing import PARQUET
from visionset.errors import RecordError
from visionset.untrusted import MOST_BYTES_A_LINE, opened


def archived(path: Path) -> Iterator[dict[str, Any]]:
    """The answers of an archive in their order, as JSON has them: of lines, of a file of Parquet or of a folder of both.

    Raises `RecordError`: it is none, or damaged.
    """
    if path.is_dir():
        parts = [*sorted(path.glob(f"*{PARQUET}")), *sorted(path.glob("*.jsonl"))]
        if not parts:
            raise RecordError(
                f"{path}: expected an archive, got a folder without {PARQUET} and .jsonl; name what visionset read --out wrote"
            )
        for part in parts:
            yield from archived(part)
    elif path.suffix == PARQUET:
        yield from _rows(path)
    else:
        with opened(path) as file:
            while line := file.readline(MOST_BYTES_A_LINE):
                if not line.endswith(b"\n"):  # is being written, or was cut off
                    return
                yield checked_answer(line, str(path))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    pa = arrow()
    try:
        with pa.parquet.ParquetFile(path) as file:
            for batch in file.iter_batches():
                for row in batch.to_pylist():
                    yield checked_answer(json.dumps(answer_of(row)), str(path))
    except (OSError, pa.ArrowException, KeyError, TypeError) as error:
        raise RecordError(f"{path}: expected Parquet as visionset read --out writes it, got {error!s:.100}; name an archive") from None
