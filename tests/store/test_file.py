"""The file: refused where it is not ours or not whole, never overwritten; full disks and other programs cost nothing."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from visionset.errors import OutputError, StoreError, VisionsetError
from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.games.virtual.runner import next_event
from visionset.messages import speaking
from visionset.store import Match, Store

IMPATIENT_S = 0.0

PAGE = 4096
"""Bytes of a page, as SQLite makes them."""

COUNT_OF_ROWS = (3, 4)
"""Bytes in the head of a page."""


def opened(path: Path, wait_s: float = 5.0) -> Store:
    return Store(path, lambda: 0.0, wait_s)


def go_on(store: Store, match: Match, events: int, seed: int = 1) -> Match:
    rng = random.Random(seed)
    for _ in range(events):
        match = store.append(match, next_event(match.history.state, rng))
    return match


def begun(store: Store, events: int, seed: int = 1) -> Match:
    return go_on(store, store.begin(History.begin(GAMES["sets-dice"])), events, seed)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "matches.sqlite3"
    with opened(path) as store:
        for seed in range(4):
            begun(store, 20, seed)
    return path


def said(error: pytest.ExceptionInfo[VisionsetError], path: Path) -> None:
    assert len(str(error.value).splitlines()) == 1
    assert str(path) in str(error.value)


def test_a_file_in_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    with opened(tmp_path / "a" / "b" / "m.sqlite3") as store:
        assert store.summaries() == ()


def test_an_empty_file_holds_nothing_and_is_used(tmp_path: Path) -> None:
    (tmp_path / "m.sqlite3").touch()
    with opened(tmp_path / "m.sqlite3") as store:
        assert begun(store, 3).id == 1


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda whole: b"not a file of matches at all, but something that somebody wrote", "damaged"),
        (lambda whole: b"\0" * len(whole), "damaged"),
        (lambda whole: whole[: len(whole) // 2], "damaged"),
        (lambda whole: whole[:30], "damaged"),
        (lambda whole: whole[:4096] + b"\xff" * 4096 + whole[8192:], "damaged"),
        (lambda whole: whole[:60] + (7).to_bytes(4) + whole[64:], "format 1 or older, got 7; update"),
        (lambda whole: whole[:60] + bytes(4) + whole[64:], "damaged"),
        (lambda whole: whole[:68] + b"ELSE" + whole[72:], "another program"),
    ],
    ids=["text", "zeros", "half", "stub", "page", "newer", "no version", "other program"],
)
def test_a_file_that_is_not_whole_or_not_ours_is_refused_and_left(spoil: object, message: str, path: Path) -> None:
    spoiled = spoil(path.read_bytes())  # type: ignore[operator]
    path.write_bytes(spoiled)
    with pytest.raises(StoreError, match=message) as caught:
        opened(path)
    said(caught, path)
    assert path.read_bytes() == spoiled
    assert list(path.parent.iterdir()) == [path]


def test_a_file_of_another_program_is_refused_and_left(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite3"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE recipes (name)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        opened(path)
    assert path.read_bytes() == before


def everything(path: Path) -> dict[int, tuple[str, ...]] | str:
    """All lines of all matches, or why they cannot be had."""
    try:
        with opened(path) as store:
            return {summary.id: store.export_lines(summary.id) for summary in store.summaries()}
    except (StoreError, OutputError) as error:
        return str(error)


def test_a_flipped_bit_is_found_or_does_not_matter(path: Path) -> None:
    """No match is ever read as anything else than what was written.

    Flipped are bits anywhere, and all those where SQLite counts the rows of a page: entries that are lost from the end of a
    match leave no gap.
    """
    whole, rng, truth = path.read_bytes(), random.Random(3), everything(path)
    flips = [(rng.randrange(len(whole)), rng.randrange(8)) for _ in range(200)]
    pages = range(PAGE, len(whole), PAGE)
    flips += [(page + byte, bit) for page in pages for byte in COUNT_OF_ROWS for bit in range(8)]
    refused = 0
    for at, bit in flips:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
        got = everything(path)
        if isinstance(got, str):
            assert "\n" not in got
            refused += 1
        else:
            assert got == truth, (at, bit)
    assert refused > 150


def fill(store: Store, match: Match) -> Match:
    """Play on until the file may not grow; give the match as it was last."""
    rng = random.Random(2)
    while True:
        try:
            match = store.append(match, next_event(match.history.state, rng))
        except OutputError:
            return match
        if match.history.state.is_over:
            match = begun(store, 0)


def limit_pages(store: Store, more: int) -> None:
    """Let SQLite find the disk full when the file has grown by some pages."""
    pages = store._file.rows("PRAGMA page_count")[0][0]
    assert store._file.rows(f"PRAGMA max_page_count = {pages + more}") == [(pages + more,)]


def test_a_full_disk_loses_nothing_and_is_survived(path: Path) -> None:
    with opened(path) as store:
        match = begun(store, 5)
        limit_pages(store, 2)
        match = fill(store, match)
        event = next_event(match.history.state, random.Random(1))
        with pytest.raises(OutputError, match="database or disk is full; make room") as caught:
            store.append(match, event)
        said(caught, path)
        for reader in (store, opened(path)):
            assert reader.load(match.id) == match
        reader.close()
        limit_pages(store, 1000)
        match = store.append(match, event)  # the same call goes through when there is room
        assert store.load(match.id) == match


def test_a_full_disk_while_a_match_begins_leaves_no_half_match(path: Path) -> None:
    with opened(path) as store:
        before, lines = store.summaries(), store.export_lines(1)
        limit_pages(store, 0)
        with pytest.raises(OutputError, match="full"):
            store.import_lines(lines)
        assert store.summaries() == before
    assert isinstance(everything(path), dict)


def test_whoever_writes_too_long_is_named_in_one_line(path: Path) -> None:
    with opened(path) as store, opened(path, IMPATIENT_S) as other:
        match = begun(other, 2)
        with store._file.transaction():
            assert other.load(match.id) == match  # reading goes on
            with pytest.raises(OutputError, match="another program has kept for 0 s; close that program") as caught:
                go_on(other, match, 1)
        said(caught, path)
        with speaking("de"):
            assert "ein anderes Programm" in str(caught.value)
        assert other.load(go_on(other, match, 1).id).summary.entries == 4


def test_a_new_file_that_another_program_makes_at_the_same_moment_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite gives up at once there: whoever came second was told that the file had been kept for five seconds."""
    with opened(path) as store:
        known = store.summaries()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")  # as the file is in the moment between its tables and its log
        other.execute("BEGIN IMMEDIATE")
        waits = iter([lambda: None, lambda: other.execute("ROLLBACK")])
        monkeypatch.setattr("visionset.store.file.sleep", lambda _: next(waits)())
        with opened(path) as store:
            assert store.summaries() == known
    assert next(waits, None) is None


def test_two_programs_on_one_match_never_mix(path: Path) -> None:
    with opened(path) as store, opened(path) as other:
        mine = begun(store, 2)
        theirs = other.load(mine.id)
        mine = go_on(store, mine, 1)
        with pytest.raises(StoreError, match=r"expected to add entry 3, got 4 entries there already: another program") as caught:
            go_on(other, theirs, 1)
        assert len(str(caught.value).splitlines()) == 1
        assert other.load(mine.id) == mine
        other.delete(mine.id)
        with pytest.raises(StoreError, match="not there"):
            go_on(store, mine, 1)


@pytest.mark.parametrize("what", ["folder", "file above"])
def test_where_no_file_can_be_is_one_line(what: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    if what == "folder":
        path.mkdir()
    else:
        path.touch()
        path = path / "below" / "m.sqlite3"
    with pytest.raises(OutputError) as caught:
        opened(path)
    assert len(str(caught.value).splitlines()) == 1


def test_what_is_written_is_on_the_disk(path: Path) -> None:
    with opened(path) as store:
        assert store._file.rows("PRAGMA journal_mode") == [("wal",)]
        assert store._file.rows("PRAGMA synchronous") == [(2,)]  # FULL
