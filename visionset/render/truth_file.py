"""The truth about many pictures of a folder, one file: it is written once, however many entries come, and a stop loses none."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any

from visionset.errors import OutputError, reason
from visionset.render.film import write_truth
from visionset.untrusted import json_of, text_of

MADE_BY = "made_by"
"""Key of an entry that says what was asked for: the same words are the same picture."""


class TruthFile:
    """A truth file in the form of ``visionset score``, to be used in a ``with``; entries that are there stay.

    Entries stand beside it as lines, in a file with an underscore, until the end puts them in; those that a stop left there are taken over.

    Parameters
    ----------
    path : Path
        The file; its folder is there.

    Raises
    ------
    OutputError
        There is something else of that name, or it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._journal = path, path.with_name(f"_{path.stem}.jsonl")
        self._photos: dict[str, Any] = {}
        self._kinds: dict[str, str] = {}  # of each photo
        self._read(path)
        try:
            self._journal.touch()
            self._lines = self._journal.open("r+b")
        except OSError as error:
            raise OutputError(f"{self._journal}: expected a file to write to, got {reason(error)}; name another folder") from None
        try:
            end = 0
            while (line := self._lines.readline()).endswith(b"\n"):  # what was cut off is taken away
                self._take(*json.loads(line))
                end += len(line)
            self._lines.seek(end)
            self._lines.truncate()
        except (OSError, ValueError, TypeError) as error:
            self._lines.close()
            told = reason(error) if isinstance(error, OSError) else "something else"
            raise OutputError(f"{self._journal}: expected lines of a truth, got {told}; remove it, or name another folder") from None

    def _read(self, path: Path) -> None:
        if not path.exists():
            return
        try:
            known = json_of(text_of(path))
            self._photos = dict(known["photos"])
            self._kinds = dict.fromkeys(self._photos, str(known["kind"]))
        except (ValueError, KeyError, TypeError):  # RecordError is a ValueError
            raise OutputError(f"{path}: expected a truth file to add to, got something else; name another folder") from None

    def made_by(self, name: str) -> str:
        """What the picture of this name was asked for by; empty where there is none or nobody knows."""
        entry = self._photos.get(name)
        return str(entry.get(MADE_BY, "")) if isinstance(entry, dict) else ""

    def add(self, name: str, kind: str, entry: dict[str, Any]) -> None:
        """Keep the entry of a picture that was written; `kind` is that of `truth_kind`. Raises `OutputError`: the disk is full."""
        self._take(name, kind, entry)
        try:
            self._lines.write(json.dumps([name, kind, entry]).encode() + b"\n")
            self._lines.flush()
        except OSError as error:
            raise OutputError(f"{self._journal}: expected a file to write to, got {reason(error)}; name another folder") from None

    def _take(self, name: str, kind: str, entry: dict[str, Any]) -> None:
        self._photos[name], self._kinds[name] = entry, kind

    def __enter__(self) -> TruthFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Write the file, whatever happened; the lines go when it is there."""
        self._lines.close()
        if self._photos:
            kinds = set(self._kinds.values())
            write_truth(self.path, {"kind": kinds.pop() if len(kinds) == 1 else "any", "photos": self._photos})
        self._journal.unlink(missing_ok=True)
