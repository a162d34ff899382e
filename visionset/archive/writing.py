"""Archives that are written while answers come, and gone on with after a stop: each answer once, the same bytes in the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar

from visionset.archive.rows import arrow, checked_answer, row_of, schema
from visionset.errors import OutputError, RecordError
from visionset.saving import reason, saved
from visionset.untrusted import MOST_BYTES_A_LINE

SHARD = 1000
"""Answers in one file of a folder of Parquet: some seconds of work for a few processes, and a few hundred kB."""

PARQUET = ".parquet"

TaskT = TypeVar("TaskT")


class Archive(Protocol):
    """What takes answers."""

    def kept(self) -> Iterator[str]:
        """Names of the pictures whose answers are there already, in order; to be taken before the first `add`."""
        ...

    def add(self, line: str) -> None:
        """Keep an answer, a line of JSON."""
        ...

    def finish(self) -> None:
        """Nothing more will come."""
        ...

    def close(self) -> None:
        """Stop, finished or not."""
        ...


def open_archive(path: Path, resume: bool) -> Archive:
    """Begin an archive, or go on with one: a folder of Parquet where the name ends so, else lines of JSON.

    Raises `OutputError`: there is one and it is not to be gone on with, or it cannot be written.
    """
    try:
        if not resume and path.exists() and (path.stat().st_size if path.is_file() else any(path.iterdir())):
            raise OutputError(f"{path}: expected a new name, got one with answers in it; go on with it by --resume, or name another")
        return ParquetFolder(path) if path.suffix == PARQUET else JsonLines(path)
    except OSError as error:
        raise OutputError(f"{path}: expected a file to write to, got {reason(error)}; name another") from None


def still_to_come(tasks: Iterable[TaskT], name_of: Callable[[TaskT], str], archive: Archive, step: Callable[[], None]) -> Iterator[TaskT]:
    """The tasks whose answers are not in the archive, a step for each that is; raises `RecordError`: what is there was made of others."""
    rest = iter(tasks)
    for image in archive.kept():
        task = next(rest, None)
        if task is None or name_of(task) != image:
            told = "the end of the list" if task is None else name_of(task)
            raise RecordError(f"expected {image} as in the archive, got {told}; name the same photos in the same order, or begin another")
        step()
    yield from rest


class JsonLines:
    """A file of lines; a line that was cut off by a stop is taken away."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()
        self._file: BinaryIO = path.open("r+b")
        self._end = 0

    def kept(self) -> Iterator[str]:
        """See `Archive`."""
        self._file.seek(0)
        while (line := self._file.readline(MOST_BYTES_A_LINE)).endswith(b"\n"):
            self._end += len(line)
            yield str(checked_answer(line, str(self.path))["image"])
        self._file.seek(self._end)
        self._file.truncate()

    def lines(self) -> list[str]:
        """All that is there."""
        self._file.flush()
        return self.path.read_text(encoding="utf-8").split("\n")[:-1]

    def add(self, line: str) -> None:
        """See `Archive`."""
        self._file.write(line.encode() + b"\n")
        self._file.flush()

    def finish(self) -> None:
        """See `Archive`."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """See `Archive`."""
        self._file.close()


class ParquetFolder:
    """A folder of files of `SHARD` answers each; what is not enough for one yet stands beside as lines of JSON.

    Readers of Parquet pass over a name that begins with an underscore.
    """

    def __init__(self, folder: Path) -> None:
        arrow()
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._shards = sorted(folder.glob(f"tables-*{PARQUET}"))
        if [self._shard(number) for number in range(len(self._shards))] != self._shards:
            raise RecordError(f"{folder}: expected files numbered from 0, got others; name another folder")
        for left in folder.glob("_tables-*.jsonl"):  # its file was whole, and a stop came before this was removed
            if left != self._journal_path:
                left.unlink()
        self._journal = JsonLines(self._journal_path)
        self._count = 0

    def kept(self) -> Iterator[str]:
        """See `Archive`."""
        for shard in self._shards:
            yield from arrow().parquet.read_table(shard, columns=["image"]).column("image").to_pylist()
        for image in self._journal.kept():
            self._count += 1
            yield image

    def add(self, line: str) -> None:
        """See `Archive`."""
        self._journal.add(line)
        self._count += 1
        if self._count >= SHARD:
            self._seal()
            self._journal = JsonLines(self._journal_path)

    def finish(self) -> None:
        """See `Archive`."""
        if self._count:
            self._seal()
        else:
            self._journal.close()
            self._journal.path.unlink(missing_ok=True)

    def close(self) -> None:
        """See `Archive`."""
        self._journal.close()

    def _seal(self) -> None:
        """Make a file of Parquet out of the lines."""
        pa = arrow()
        rows = pa.Table.from_pylist([row_of(line) for line in self._journal.lines()], schema=schema())
        shard = self._shard(len(self._shards))
        with saved(shard, "make room, and go on by --resume") as part:
            pa.parquet.write_table(rows, part, compression="zstd")
        self._shards.append(shard)
        self._journal.close()
        self._journal.path.unlink()
        self._count = 0

    def _shard(self, number: int) -> Path:
        return self._folder / f"tables-{number:05d}{PARQUET}"

    @property
    def _journal_path(self) -> Path:
        return self._folder / f"_tables-{len(self._shards):05d}.jsonl"
