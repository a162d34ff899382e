"""Answers out of archives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from visionset.archive.query import Known, Query
from visionset.archive.rows import answer_of, arrow, checked_answer
from visionset.archive.writing import PARQUET
from visionset.errors import RecordError
from visionset.untrusted import MOST_BYTES_A_LINE, opened


def archived(path: Path) -> Iterator[dict[str, Any]]:
    """The answers of an archive in their order, as JSON has them: of lines, of a file of Parquet or of a folder of both.

    Raises `RecordError`: it is none, or damaged.
    """
    for part in _parts(path):
        if part.suffix == PARQUET:
            with _parquet(part) as file:
                for batch in file.iter_batches():
                    yield from _answers(batch, part)
        else:
            yield from _lines(part)


@dataclass(frozen=True, slots=True)
class FoundPart:
    """What a part of an archive has of what somebody asked for."""

    count: int
    """Pictures in this part."""
    unread: int
    """How many of them could not be read: nobody knows what lay there."""
    fits: list[tuple[dict[str, Any], list[int]]]
    """Answers that fit, and positions of the pieces."""


def fitting(path: Path, query: Query, whole: bool = False) -> Iterator[FoundPart]:
    """What fits in an archive, part by part.

    Of Parquet a few columns are read, and filtered before anything becomes Python; only with `whole` answers have more than the image and
    kinds and names of pieces. Raises as `archived` does.
    """
    for part in _parts(path):
        if part.suffix == PARQUET:
            with _parquet(part) as file:
                for group in range(file.num_row_groups):
                    yield _fitting_in_group(file, group, part, query, whole)
        else:
            for answer in _lines(part):
                positions = query.found_in(answer["pieces"])
                yield FoundPart(1, int("error" in answer), [] if positions is None else [(answer, positions)])


def _parts(path: Path) -> list[Path]:
    """The files of an archive, in order."""
    if not path.is_dir():
        return [path]
    parts = [*sorted(path.glob(f"*{PARQUET}")), *sorted(path.glob("*.jsonl"))]
    if not parts:
        raise RecordError(f"{path}: expected an archive, got a folder without {PARQUET} and .jsonl; name what visionset read --out wrote")
    return [one for part in parts for one in _parts(part)]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with opened(path) as file:
        while line := file.readline(MOST_BYTES_A_LINE):
            if not line.endswith(b"\n"):  # is being written, or was cut off
                return
            yield checked_answer(line, str(path))


@contextmanager
def _parquet(path: Path) -> Iterator[Any]:
    pa = arrow()
    with opened(path):  # what is not there, or is no file, is told in our words
        pass
    try:
        with pa.parquet.ParquetFile(path) as file:
            yield file
    except (OSError, pa.ArrowException, AttributeError, KeyError, TypeError, UnicodeEncodeError) as error:
        raise RecordError(f"{path}: expected Parquet as visionset read --out writes it, got {error!s:.100}; name an archive") from None


def _answers(rows: Any, path: Path) -> Iterator[dict[str, Any]]:
    for row in rows.to_pylist():
        yield checked_answer(json.dumps(answer_of(row)), str(path))


def _fitting_in_group(file: Any, group: int, path: Path, query: Query, whole: bool) -> FoundPart:
    paths = [file.schema.column(at).path for at in range(len(file.schema))]
    columns = [
        one
        for one in paths
        if one in ("image", "error") or (one.startswith("pieces.") and one.count(".") == 3 and one.endswith((".kind", ".name")))
    ]
    rows = file.read_row_group(group, columns=columns)
    at = np.flatnonzero(_may_fit(rows.column("pieces").combine_chunks(), query))
    fit: dict[int, tuple[dict[str, Any], list[int]]] = {}
    for number, row in zip(at.tolist(), rows.take(at).to_pylist(), strict=True):
        if (positions := query.found_in(row["pieces"])) is not None:
            fit[number] = row, positions
    if whole and fit:
        answers = _answers(file.read_row_group(group).take(list(fit)), path)
        fit = {number: (answer, positions) for answer, (number, (_, positions)) in zip(answers, fit.items(), strict=True)}
    return FoundPart(rows.num_rows, len(rows) - rows.column("error").null_count, list(fit.values()))


def _may_fit(pieces: Any, query: Query) -> NDArray[np.bool_]:
    """For each picture whether it has as many pieces of each sort as are asked for at the least."""
    kinds, names = (pieces.values.field(name).dictionary_encode() for name in ("kind", "name"))
    if pieces.null_count or kinds.null_count:
        raise TypeError("pieces of no kind")
    unnamed = len(names.dictionary)
    codes = kinds.indices.to_numpy(zero_copy_only=False).astype(np.int64) * (unnamed + 1)
    codes += names.indices.fill_null(unnamed).to_numpy(zero_copy_only=False)
    known_names = [*names.dictionary.to_pylist(), None]
    sorts, codes = np.unique(codes, return_inverse=True)
    known: list[Known] = [(kinds.dictionary[int(sort) // (unnamed + 1)].as_py(), known_names[int(sort) % (unnamed + 1)]) for sort in sorts]
    ends = pieces.offsets.to_numpy()
    may = np.ones(len(pieces), np.bool_)
    for wanted, least in query.least():
        fits = np.array([one in wanted for one in known], np.int64)[codes] if known else np.zeros(0, np.int64)
        count = np.concatenate([[0], np.cumsum(fits)])
        may &= count[ends[1:]] - count[ends[:-1]] >= least
    return may
