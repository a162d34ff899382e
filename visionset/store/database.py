"""Matches in their file: each step is an entry that is added, on the disk before anybody is told so.

Rows are added and never changed: triggers refuse it, and each row carries a checksum, so that a flipped bit is found
instead of played. Only a whole match can be deleted.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from visionset.closable import Closable
from visionset.errors import RecordError, StoreError
from visionset.games.base import Event
from visionset.games.game import History
from visionset.store.album import Album, largest_pictured
from visionset.store.file import WAIT_S, MatchFile
from visionset.store.match import Entry, Match, Origin, Summary

_SUMMARIES = """
SELECT id, first.line, first.checksum, last.place, last.line, last.checksum FROM matches
LEFT JOIN log AS first ON first.match = id AND first.place = 0
LEFT JOIN log AS last ON last.match = id AND last.place = (SELECT MAX(place) FROM log WHERE match = id)
ORDER BY id DESC
"""

_NEXT_ID = "INSERT INTO matches (id) SELECT MAX(?, COALESCE(MAX(seq), 0)) + 1 FROM sqlite_sequence WHERE name = 'matches'"

_LARGEST_ID = 2**63 - 1
"""Number that SQLite takes."""

_MOST_ENTRIES = 5000
"""Of a match that comes from elsewhere: the longest of ours is a tenth of it, and each costs memory while it is replayed."""


class Store(Closable):
    """A file of matches, open; use it with ``with``.

    Parameters
    ----------
    path : path
        The file; made with its folder where there is none.
    clock : function
        Gives the time in seconds since 1970, such as ``time.time``.
    wait_s : float
        How long to wait for another program that is writing.

    Raises
    ------
    StoreError
        The file is damaged, from a newer version or of another program. It is left as it is.
    OutputError
        The file cannot be opened or made.
    """

    def __init__(self, path: Path | str, clock: Callable[[], float], wait_s: float = WAIT_S) -> None:
        self.path = Path(path)
        self._clock = clock
        self._file = MatchFile(self.path, wait_s)

    def begin(self, history: History, bots: Sequence[str] = (), origin: Origin = Origin.VIRTUAL, seed: int | None = None) -> Match:
        """Add a match with a history to which nothing has happened yet; `bots` are those among the players that the program plays.

        Pack and dice follow from `seed`, by default from when it begins.

        Raises
        ------
        RuleError
            For a history with events, or a bot that is no player.
        OutputError
            Nothing was written.
        """
        with self._file.transaction():
            match = Match.begun(self._new_id(), history, bots, origin, self._clock(), "" if seed is None else str(seed))
            self._insert(match, 0)
        return match

    def append(self, match: Match, event: Event) -> Match:
        """Add an event to a match; when this returns, the event survives a crash.

        Raises
        ------
        RuleError
            The event is against the rules, or the match is closed; nothing was written.
        OutputError
            Nothing was written, and what was before is there; the same call may be tried again.
        StoreError
            Another program went on with the match, or deleted it; nothing was written.
        """
        return self._added(match.then(event, self._clock()))

    def undo(self, match: Match) -> Match:
        """Take the last event back that still stands, by adding that to the log; raises as `append` does."""
        return self._added(match.undone(self._clock()))

    def finish(self, match: Match) -> Match:
        """Close a match, whether its game is over or not; raises as `append` does."""
        return self._added(match.finished(self._clock()))

    def load(self, match: int) -> Match:
        """Read a match. Raises `StoreError`: there is none of this number, or it cannot be read."""
        try:
            return Match.replayed(match, [Entry.parse(line) for line in self.export_lines(match)])
        except RecordError as error:
            raise StoreError(f"match {match}: {error}") from error

    def summaries(self) -> tuple[Summary, ...]:
        """All matches, the newest first. Raises `StoreError`: an entry is damaged."""
        summaries = []
        for match, first, first_sum, place, last, last_sum in self._file.rows(_SUMMARIES):
            self._check(match, 0, first, first_sum)
            self._check(match, place, last, last_sum)
            try:
                summaries.append(Summary.of(match, Entry.parse(first), Entry.parse(last), place + 1))
            except RecordError as error:
                raise StoreError(f"match {match}: {error}") from error
        return tuple(summaries)

    def delete(self, match: int) -> None:
        """Delete a whole match with its pictures; raises `StoreError` when there is none of this number."""
        with self._file.transaction():
            if not self._file.change("DELETE FROM matches WHERE id = ?", match).rowcount:
                raise _none(match)
        Album(self.path, match).delete()

    def export_lines(self, match: int) -> tuple[str, ...]:
        """Give the log of a match, one JSON object a line. Raises `StoreError`: there is none of this number, or an entry is damaged."""
        known = abs(match) <= _LARGEST_ID
        rows = self._file.rows("SELECT place, line, checksum FROM log WHERE match = ? ORDER BY place", match) if known else []
        if not rows:
            raise _none(match)
        for wanted, (place, line, checksum) in enumerate(rows):
            self._check(match, place, line, checksum, wanted)
        return tuple(line for _, line, _ in rows)

    def import_lines(self, lines: Iterable[str], tell: Callable[[str], object] = lambda line: None) -> Match:
        """Add a match from the lines of `export_lines`, under a new number; its scores are as the rules give them.

        Where the entries say other scores than the rules, `tell` is given a line about it.

        Raises
        ------
        RecordError
            The lines are no match that the rules allow; nothing was written.
        OutputError
            Nothing was written.
        """
        entries, match = imported(lines)
        with self._file.transaction():
            match = replace(match, id=self._new_id())
            for place in range(len(entries)):
                self._insert(match, place)
        other = [place for place, (said, by_rule) in enumerate(zip(entries, match.entries, strict=True)) if said.scores != by_rule.scores]
        if other:
            said, by_rule = (" ".join(map(str, one[other[0]].scores)) for one in (entries, match.entries))
            tell(f"{len(other)} of its entries say other scores than the rules, entry {other[0]} {said:.60} for {by_rule}; the rules count")
        return match

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _new_id(self) -> int:
        """A number that no match has had: nor one of a file that was moved away or is a copy put back, whose pictures would be shown."""
        return int(self._file.change(_NEXT_ID, largest_pictured(self.path)).lastrowid or 0)

    def _added(self, match: Match) -> Match:
        mine = len(match.entries) - 1
        with self._file.transaction():
            if not self._file.rows("SELECT 1 FROM matches WHERE id = ?", match.id):
                raise _none(match.id)
            ((there,),) = self._file.rows("SELECT COUNT(*) FROM log WHERE match = ?", match.id)
            if there != mine:
                raise StoreError(
                    f"match {match.id}: expected to add entry {mine}, got {there} entries there already: "
                    "another program went on with it; resume it to see where it stands"
                )
            self._insert(match, mine)
        return match

    def _insert(self, match: Match, place: int) -> None:
        line = str(match.entries[place])
        self._file.change("INSERT INTO log VALUES (?, ?, ?, ?)", match.id, place, line, _checksum(match.id, place, line))

    def _check(self, match: int, place: Any, line: Any, checksum: Any, wanted: int | None = None) -> None:
        if checksum != _checksum(match, place, line) or (wanted is not None and place != wanted):
            raise StoreError(f"{self.path}: expected match {match} as it was written, got a changed entry; put a copy of the file back")


def _checksum(match: Any, place: Any, line: Any) -> int:
    return zlib.crc32(f"{match} {place} {line}".encode("utf-8", "replace"))


def imported(lines: Iterable[str]) -> tuple[list[Entry], Match]:
    """The entries in the lines of `Store.export_lines`, and the match that they are by the rules, of no number yet.

    Raises `RecordError`: they are none that the rules allow.
    """
    entries = [Entry.parse(line) for line in islice((line for line in lines if line.strip()), _MOST_ENTRIES + 1)]
    if len(entries) > _MOST_ENTRIES:
        raise RecordError(f"expected at most {_MOST_ENTRIES} entries of one match, got more; export the match again")
    return entries, Match.replayed(0, entries)


def _none(match: int) -> StoreError:
    return StoreError(f"expected the number of a match, got {match}, which is not there; `visionset matches` lists them")
