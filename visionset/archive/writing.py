"""Archives that are written while answers come, and gone on with after a stop: each answer once, the same bytes in the end."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar

from visionset.archive.rows import arrow, checked_answer, row_of, schema
from visionset.errors import OutputError, RecordError, reason
from visionset.saving import opened_alone, save_text, saved
from visionset.untrusted import MOST_BYTES_A_LINE, is_text, json_of, text_of

SHARD = 1000
"""Answers in one file of a folder of Parquet: some seconds of work for a few processes, and a few hundred kB."""

PARQUET = ".parquet"

_LEFT_OUT = ("None", "no")
"""Values of options that nobody gave."""

_GO_ON = "make room, and go on by --resume"

_BEGINS = b'{"image": '
"""An answer, as it is written."""

TaskT = TypeVar("TaskT")


class Archive(Protocol):
    """What takes answers."""

    def kept(self) -> Iterator[tuple[str, bool]]:
        """Names of the pictures whose answers are there, in order, and whether they are errors; to be taken before the first `add`."""
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


def open_archive(path: Path, resume: bool, options: Mapping[str, str] | None = None) -> Archive:
    """Begin an archive, or go on with one: a folder of Parquet where the name ends so, else lines of JSON.

    Parameters
    ----------
    path : Path
        Where it is, or will be.
    resume : bool
        There may be answers, which stay.
    options : mapping, optional
        On what the answers depend besides the pictures, names and values. They are kept: in the folder, or beside the file as
        ``NAME.options.json``.

    Raises
    ------
    OutputError
        There is one and it is not to be gone on with, it was made with other options, it cannot be written, or it is being written.
    """
    is_parquet = path.suffix == PARQUET
    if is_parquet and not is_text(path.absolute()):  # Parquet is written to no other name
        raise OutputError(f"{path.absolute()}: expected a name that is text, got bytes that are none; name another")
    try:
        is_begun = path.exists() and bool(path.stat().st_size if path.is_file() else any(path.iterdir()))
        if is_begun:
            if not resume:
                raise OutputError(f"{path}: expected a new name, got one that is there; --resume goes on with answers, or name another")
            _check_options(path, options)
        archive = ParquetFolder(path) if is_parquet else JsonLines(path)
    except OSError as error:
        raise OutputError(f"{path}: expected a file to write to, got {reason(error)}; name another") from None
    if options is not None and not is_begun:  # what is there has its options beside it, or is none of ours
        try:
            save_text(_options_file(path), json.dumps(dict(options)) + "\n")
        except OutputError:
            archive.close()
            raise
    return archive


def _options_file(path: Path) -> Path:
    return path / "_options.json" if path.suffix == PARQUET else path.with_name(f"{path.name}.options.json")


def _check_options(path: Path, options: Mapping[str, str] | None) -> None:
    """Refuse what would make other answers than those that are there; archives without options are gone on with."""
    file = _options_file(path)
    if options is None or not file.exists():
        return
    made_with = json_of(text_of(file))
    if not isinstance(made_with, dict):
        raise RecordError(f"{file}: expected the options of an archive, got something else; begin another archive")
    for name, value in options.items():
        if made_with.get(name) != value:
            was = str(made_with.get(name))
            made = f"without {name}" if was in _LEFT_OUT else f"with {name}" if was == "yes" else f"with {name} {was:.60}"
            got = "none" if value in _LEFT_OUT else "it" if value == "yes" else value
            raise OutputError(f"{path}: expected to go on {made}, as it was made, got {got}; give the same, or begin another archive")


def still_to_come(
    tasks: Iterable[TaskT], name_of: Callable[[TaskT], str], archive: Archive, step: Callable[[bool], None]
) -> Iterator[TaskT]:
    """The tasks whose answers are not in the archive; `step` is called for each that is, with whether it is an error.

    Raises `RecordError`: what is there was made of others. An error may be of one that is not named any more, such as a mistyped name, and
    one in its place is still to come.
    """
    rest, mended, errors = iter(tasks), dict[str, TaskT](), 0
    task = next(rest, None)
    for image, is_error in archive.kept():
        while errors and not is_error and task is not None and image not in (name_of(task), *mended):
            mended[name_of(task)] = task
            task, errors = next(rest, None), errors - 1
        if task is not None and name_of(task) == image:
            task = next(rest, None)
        elif image in mended:
            del mended[image]
        elif is_error:
            errors += 1
        else:
            told = "the end of the list" if task is None else name_of(task)
            raise RecordError(
                f"expected {image} as in the archive, got {told}; name the same photos in the same order, or another file after --out"
            )
        step(is_error)
    yield from mended.values()
    if task is not None:
        yield task
    yield from rest


class JsonLines:
    """A file of lines; a line that was cut off by a stop is taken away."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = _opened_alone(path, path)
        self._end = 0

    def kept(self) -> Iterator[tuple[str, bool]]:
        """See `Archive`."""
        self._file.seek(0)
        while (line := self._file.readline(MOST_BYTES_A_LINE)).endswith(b"\n"):
            self._end += len(line)
            answer = checked_answer(line, str(self.path))
            yield str(answer["image"]), "error" in answer
        if len(line) == MOST_BYTES_A_LINE or (not self._end and line[: len(_BEGINS)] != _BEGINS[: len(line)]):
            checked_answer(line, str(self.path))  # a stop cuts off an answer; what is another's is not to be taken away
        self._file.seek(self._end)
        self._file.truncate()

    def lines(self) -> list[str]:
        """All that is there."""
        self._file.flush()
        return self.path.read_text(encoding="utf-8").split("\n")[:-1]

    def add(self, line: str) -> None:
        """See `Archive`; raises `OutputError`: the disk is full."""
        try:
            self._file.write(line.encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise OutputError(f"{self.path}: expected a file to write to, got {reason(error)}; {_GO_ON}") from None

    def finish(self) -> None:
        """See `Archive`."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """See `Archive`."""
        with suppress(OSError):  # what could not be written it tries once more, and `add` has told of it
            self._file.close()


class ParquetFolder:
    """A folder of files of `SHARD` answers each; what is not enough for one yet stands beside as lines of JSON.

    Readers of Parquet pass over a name that begins with an underscore. Files come and go, so what is locked is one of its own, `_lock`.
    """

    def __init__(self, folder: Path) -> None:
        arrow()
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._lock = _opened_alone(folder / "_lock", folder)
        try:
            self._begin(folder)
        except BaseException:
            self._lock.close()
            raise

    def _begin(self, folder: Path) -> None:
        """Find what is there, which nobody else changes now."""
        self._shards = sorted(folder.glob(f"tables-*{PARQUET}"))
        if [self._shard(number) for number in range(len(self._shards))] != self._shards:
            raise RecordError(f"{folder}: expected files numbered from 0, got others; name another folder")
        for left in folder.glob("_tables-*.jsonl"):  # its file was whole, and a stop came before this was removed
            if left != self._journal_path:
                left.unlink()
        self._journal = JsonLines(self._journal_path)
        self._count = 0

    def kept(self) -> Iterator[tuple[str, bool]]:
        """See `Archive`."""
        for shard in self._shards:
            rows = arrow().parquet.read_table(shard, columns=["image", "error"])
            yield from zip(rows.column("image").to_pylist(), rows.column("error").is_valid().to_pylist(), strict=True)
        for kept in self._journal.kept():
            self._count += 1
            yield kept

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
        self._lock.close()

    def _seal(self) -> None:
        """Make a file of Parquet out of the lines."""
        pa = arrow()
        rows = pa.Table.from_pylist([row_of(line) for line in self._journal.lines()], schema=schema())
        shard = self._shard(len(self._shards))
        with saved(shard, _GO_ON) as part:
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


def _opened_alone(path: Path, archive: Path) -> BinaryIO:
    """Open a file of an archive while nobody else writes there; raises `OutputError`: somebody does."""
    return opened_alone(
        path,
        f"{archive}: expected an archive to which nobody else writes, got one to which another visionset writes now; "
        "wait until it ends and go on by --resume, or name another",
    )
