"""JSON lines that are only ever added to: a line is on its way to the disk before the next one, and a full disk loses none."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from visionset.errors import OutputError, RecordError, reason
from visionset.untrusted import MOST_BYTES_A_LINE, json_of, opened

Writer = Callable[[int, bytes], int]
"""``os.write``; tests bring a disk that is full."""


class Lines:
    """A file of JSON lines, made new; `write` says how many bytes the disk took.

    Raises `OutputError`: the file cannot be made, or is there already.
    """

    def __init__(self, path: Path, write: Writer = os.write) -> None:
        self.path = path
        self._write = write
        self._waiting = b""
        self.waiting_lines = 0
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise OutputError(f"{path}: expected a new file to write to, got {reason(error)}; name another folder") from None

    def add(self, line: Mapping[str, Any], *, lasting: bool = False) -> bool:
        """Add a line; one that the disk does not take waits in memory and goes first the next time. False while lines wait.

        A line that is `lasting` is on the disk itself when this returns: it shall survive a power cut too.
        """
        self._waiting += json.dumps(line, separators=(",", ":")).encode() + b"\n"
        self.waiting_lines += 1
        return self.flush(lasting=lasting)

    def flush(self, *, lasting: bool = False) -> bool:
        """Try to write what waits; False when something still does."""
        waiting, self._waiting = self._waiting, b""  # Ctrl-C is raised once they are written: closing the file shall write none again
        try:
            while waiting:
                waiting = waiting[self._write(self._file, waiting) :]
            self.waiting_lines = 0
            if lasting:
                os.fsync(self._file)
        except OSError:
            self._waiting, self.waiting_lines = waiting, waiting.count(b"\n")
            return False
        return True

    def close(self) -> bool:
        """Write what waits and close; False when lines were lost after all."""
        done = self.flush(lasting=True)
        os.close(self._file)
        return done


def read_lines(path: Path) -> Iterator[dict[str, Any] | None]:
    """Read the lines of a file, None for one that is damaged; a crash tears the last one, which is no loss. Nothing where there is no file.

    Raises `RecordError`: it is no file, or has a line that no recording has.
    """
    if not path.exists():
        return
    is_torn = False
    with opened(path) as file:
        while raw := file.readline(MOST_BYTES_A_LINE):
            if len(raw) == MOST_BYTES_A_LINE:
                raise RecordError(f"{path}: expected lines of a recording, got one of {len(raw)} bytes or more; the file is damaged")
            if is_torn:
                yield None
            try:
                line = json_of(raw)
            except RecordError:
                line = None
            is_torn = not isinstance(line, dict) or not raw.endswith(b"\n")
            if not is_torn:
                yield line
