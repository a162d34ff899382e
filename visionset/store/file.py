"""The SQLite file itself: opened with care, written in transactions, its errors in one line.

A file that is damaged, of a newer version or of another program is refused and left as it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from visionset.errors import OutputError, StoreError, VisionsetError

_APPLICATION = int.from_bytes(b"VSET")
"""Tells a file of ours from any other SQLite file."""

_VERSION = 1
"""Of the tables below; a file with a larger one was written by a newer program."""

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


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """How the file is used.

    Attributes
    ----------
    wait_s : float
        How long to wait for another program that is writing, in seconds. An entry takes milliseconds, so whoever takes
        longer than this hangs.
    """

    wait_s: float = 5.0


class MatchFile:
    """A file of matches as SQLite sees it: rows in and out, whole transactions, errors of our own.

    Parameters
    ----------
    path : Path
        The file; made with its folder where there is none.
    options : StoreOptions
        How it is used.

    Raises
    ------
    StoreError
        The file is damaged, from a newer version or of another program.
    OutputError
        The file cannot be opened or made.
    """

    def __init__(self, path: Path, options: StoreOptions) -> None:
        self.path = path
        self._wait_s = options.wait_s
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise OutputError(f"{path.parent}: expected a folder to write to, got {reason}; name another") from None
        with self._translated():
            self._db = sqlite3.connect(path, timeout=options.wait_s, isolation_level=None)
        try:
            with self._translated():
                self._prepare()
        except BaseException:
            self._db.close()
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

    def _prepare(self) -> None:
        """Look at the file before anything is written to it, make the tables in a new one, and set how it is written."""
        self._db.text_factory = lambda data: data.decode("utf-8", "replace")  # a damaged text fails its checksum instead
        self._db.execute("PRAGMA foreign_keys = ON")
        if self._is_new():
            with self.transaction():
                if self._is_new():  # another program may have been faster
                    for statement in _SCHEMA.split(";\n"):
                        self._db.execute(statement)
                    self._db.execute(f"PRAGMA application_id = {_APPLICATION}")
                    self._db.execute(f"PRAGMA user_version = {_VERSION}")
        application, version = self._number("application_id"), self._number("user_version")
        if application != _APPLICATION:
            raise StoreError(f"{self.path}: expected a file of matches, got one of another program; name another folder")
        if version > _VERSION:
            raise StoreError(f"{self.path}: expected matches of format {_VERSION} or older, got {version}; update visionset")
        faults = [row[0] for row in self._db.execute("PRAGMA integrity_check(1)")]
        if version < 1 or faults != ["ok"] or self._db.execute("PRAGMA foreign_key_check").fetchone():
            raise self._damaged()
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")  # an entry is on the disk when its transaction ends
        self._db.execute("PRAGMA fullfsync = ON")  # macOS alone: elsewhere an ordinary fsync reaches the disk

    def _is_new(self) -> bool:
        return not self._number("application_id") and not self._db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]

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
            return OutputError(
                f"{self.path}: expected to write, got a file that another program has kept for {self._wait_s:g} s; "
                "close that program and try again"
            )
        return OutputError(
            f"{self.path}: expected to read and write, got {error}; make room or name another folder; what is written is kept"
        )

    def _damaged(self) -> StoreError:
        return StoreError(
            f"{self.path}: expected a file of matches, got a damaged one; it is left as it is: put a copy back or move it away"
        )
