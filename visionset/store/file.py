"""The SQLite file itself: opened with care, written in transactions, its errors in one line.

A file that is damaged, of a newer version or of another program is refused and left as it is. Of a file that may only be
read a copy is opened.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from visionset.errors import OutputError, StoreError, VisionsetError, reason
from visionset.messages import Message

_APPLICATION = int.from_bytes(b"VSET")
"""Tells a file of ours from any other SQLite file."""

_VERSION = 1
"""Of the tables below; a file with a larger one was written by a newer program."""

_HEADER = 100
"""Bytes of a file's head; SQLite takes a file of fewer for a new one, and writes over it."""

_PRIMARY = 0xFF
"""The part of an SQLite result code that names the kind of trouble."""

_SCHEMA = """
CREATE TABLE matches (id INTEGER PRIMARY KEY AUTOINCREMENT);
CREATE TABLE log (
    match INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    line TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (match, place)
) WITHOUT ROWID;
CREATE TRIGGER log_never_changes BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER matches_never_change BEFORE UPDATE ON matches BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_never_shrinks BEFORE DELETE ON log WHEN EXISTS (SELECT 1 FROM matches WHERE id = OLD.match)
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
"""

_STATEMENTS = tuple(statement.strip() for statement in _SCHEMA.split(";\n") if statement.strip())


WAIT_S = 5.0
"""How long to wait for another program that is writing. An entry takes milliseconds, so whoever takes longer than this hangs."""

_AGAIN_S = 0.01
"""Between two attempts where SQLite does not wait by itself."""


class MatchFile:
    """A file of matches as SQLite sees it, made with its folder where there is none: rows, whole transactions, errors of our own.

    Raises
    ------
    StoreError
        The file is damaged, from a newer version or of another program.
    OutputError
        The file cannot be opened or made.
    """

    def __init__(self, path: Path, wait_s: float) -> None:
        self.path = path
        self._wait_s = wait_s
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{path.parent}: expected a folder to write to, got {reason(error)}; name another") from None
        self._copy = _copied(path) if path.exists() and not _may_be_written(path) else None
        with self._translated():
            opened = path if self._copy is None else Path(self._copy.name) / path.name
            # whoever shares it among threads lets one in at a time
            self._db = sqlite3.connect(opened, timeout=wait_s, isolation_level=None, check_same_thread=False)
        try:
            with self._translated():
                self._prepare()
        except BaseException:
            self.close()
            raise

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Give all rows of a query."""
        with self._translated():
            return self._db.execute(query, values).fetchall()

    def change(self, statement: str, *values: Any) -> sqlite3.Cursor:
        """Run a statement, inside a `transaction`."""
        return self._db.execute(statement, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is changed inside is on the disk when this ends, or none of it where it raises."""
        if self._copy is not None:
            raise OutputError(Message("disk.read_only", path=str(self.path)))
        with self._translated():
            self._db.execute("BEGIN IMMEDIATE")  # waits for other writers here, not in the middle
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # SQLite has rolled back by itself after some errors
                    self._db.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        if self._copy is not None:
            self._copy.cleanup()

    def _prepare(self) -> None:
        """Look at the file before anything is written to it, make the tables in a new one, and set how it is written."""
        self._db.text_factory = lambda data: data.decode("utf-8", "replace")  # a damaged text fails its checksum instead
        if self.path.exists() and 0 < self.path.stat().st_size < _HEADER:
            raise self._damaged()
        self._db.execute("PRAGMA foreign_keys = ON")
        if self._is_new():
            with self.transaction():
                if self._is_new():  # another program may have been faster
                    for statement in _STATEMENTS:
                        self._db.execute(statement)
                    self._db.execute(f"PRAGMA application_id = {_APPLICATION}")
                    self._db.execute(f"PRAGMA user_version = {_VERSION}")
        application, version = self._number("application_id"), self._number("user_version")
        if application != _APPLICATION:
            raise StoreError(f"{self.path}: expected a file of matches, got one of another program; name another folder")
        if version > _VERSION:
            raise StoreError(f"{self.path}: expected matches of format {_VERSION} or older, got {version}; update visionset")
        faults = [row[0] for row in self._db.execute("PRAGMA integrity_check(1)")]
        if version < 1 or faults != ["ok"] or not self._is_whole() or self._db.execute("PRAGMA foreign_key_check").fetchone():
            raise self._damaged()
        self._keep_a_log()
        self._db.execute("PRAGMA synchronous = FULL")  # an entry is on the disk when its transaction ends
        self._db.execute("PRAGMA fullfsync = ON")  # macOS alone: elsewhere an ordinary fsync reaches the disk

    def _keep_a_log(self) -> None:
        """Let entries go to a log first; for that SQLite wants a new file alone, and gives up at once while another one makes it."""
        ends_s = monotonic() + self._wait_s
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & _PRIMARY != sqlite3.SQLITE_BUSY or monotonic() >= ends_s:
                    raise
            sleep(_AGAIN_S)

    def _is_new(self) -> bool:
        return not self._number("application_id") and not self._db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]

    def _is_whole(self) -> bool:
        """True where no page is cut off and the tables are ours to the letter: SQLite's own check knows neither."""
        there = {str(sql).strip() for (sql,) in self._db.execute("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")}
        return there == set(_STATEMENTS) and self.path.stat().st_size % self._number("page_size") == 0

    def _number(self, pragma: str) -> int:
        return int(self._db.execute(f"PRAGMA {pragma}").fetchone()[0])

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except UnicodeDecodeError:  # in a name or a message that SQLite took from a damaged page
            raise self._damaged() from None
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", None)
            if code is None:
                raise
            raise self._refusal(error, code & _PRIMARY) from error

    def _refusal(self, error: sqlite3.Error, code: int) -> VisionsetError:
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return self._damaged()
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return OutputError(Message("disk.kept_by_another", path=str(self.path), seconds=self._wait_s))
        return OutputError(Message("disk.no_matches", path=str(self.path), error=str(error)))

    def _damaged(self) -> StoreError:
        return StoreError(
            f"{self.path}: expected a file of matches, got a damaged one; it is left as it is: put a copy back or move it away"
        )


def _may_be_written(path: Path) -> bool:
    """False where file or folder may only be read: SQLite keeps files of its own beside a file that it reads."""
    effective = os.access in os.supports_effective_ids
    return os.access(path, os.W_OK, effective_ids=effective) and os.access(path.parent, os.W_OK, effective_ids=effective)


def _copied(path: Path) -> TemporaryDirectory[str]:
    """Copy a file of matches to where it may be written, with the entries that wait beside it; raises `OutputError`."""
    folder = TemporaryDirectory(prefix="visionset-")
    try:
        for name in (path.name, f"{path.name}-wal"):
            if path.with_name(name).exists():
                shutil.copyfile(path.with_name(name), Path(folder.name) / name)
    except OSError as error:
        folder.cleanup()
        raise OutputError(f"{path}: expected a file that can be read, got {reason(error)}; name another folder") from None
    return folder
