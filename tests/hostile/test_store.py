"""Files of matches that are damaged before the first match, or that may only be read."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.runs import Runs
from visionset.errors import OutputError, StoreError
from visionset.games.game import History
from visionset.games.registry import GAMES
from visionset.messages import speaking
from visionset.sample_files import samples_folder
from visionset.saving import writable_folder
from visionset.store import Store


def spoilt(statement: str, path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute(statement)
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


@pytest.mark.parametrize(
    "statement", ["DROP TRIGGER log_never_changes", "DROP TABLE log", "CREATE TABLE more (a)", "ALTER TABLE matches ADD COLUMN more"]
)
def test_an_empty_file_whose_tables_are_others_says_so(statement: str, tmp_path: Path, runs: Runs) -> None:
    path = tmp_path / "matches.sqlite3"
    Store(path, lambda: 0.0).close()
    spoilt(statement, path)
    with pytest.raises(StoreError, match="damaged"):
        Store(path, lambda: 0.0)
    assert runs("matches", "list", "--data", tmp_path) == 1


@pytest.mark.parametrize("length", [1, 100, 5000, 12_299, 16_383])
def test_an_empty_file_that_is_cut_says_so(length: int, tmp_path: Path, runs: Runs) -> None:
    path = tmp_path / "matches.sqlite3"
    Store(path, lambda: 0.0).close()
    path.write_bytes(path.read_bytes()[:length])
    assert runs("matches", "list", "--data", tmp_path) == 1
    assert path.stat().st_size == length


@pytest.fixture
def read_only() -> Iterator[Path]:
    """A folder with one match, of which one entry waits beside the file; its owner may not write."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    store = Store(folder / "matches.sqlite3", lambda: 0.0)
    store.begin(History.begin(GAMES["solitaire"], None, ("Ann",)))
    kept = Path(tempfile.mkdtemp())
    for path in folder.iterdir():
        shutil.copyfile(path, kept / path.name)
    store.close()
    shutil.rmtree(folder)
    kept.joinpath("matches.sqlite3-shm").unlink(missing_ok=True)
    kept.chmod(0o555)
    is_root, checkout = os.geteuid() == 0, samples_folder()
    importlib.import_module("rich.table")  # which nobody else may read where Python itself lies in a folder of root
    if is_root:  # to whom nothing is forbidden
        os.seteuid(65534)
    try:
        if not os.access(checkout, os.R_OK, effective_ids=True):
            pytest.skip("this checkout lies where nobody but root may read it, and to root no folder is read-only")
        yield kept
    finally:
        if is_root:
            os.seteuid(0)
        kept.chmod(0o755)
        shutil.rmtree(kept)


def test_a_read_only_folder_is_told_by_its_name_before_the_work(read_only: Path) -> None:
    with pytest.raises(
        OutputError, match=rf"^{re.escape(str(read_only))}: expected a folder to write to, got permission denied; name another$"
    ):
        writable_folder(read_only)


def test_a_read_only_folder_lists_and_exports(read_only: Path, runs: Runs) -> None:
    before = {path.name: path.read_bytes() for path in read_only.iterdir()}
    for words in (("list",), ("show", "1"), ("export", "1")):
        assert runs("matches", *words, "--data", read_only) == 0
    assert runs("matches", "finish", "1", "--data", read_only) == 1
    assert runs("matches", "delete", "1", "--yes", "--data", read_only) == 1
    with Store(read_only / "matches.sqlite3", lambda: 0.0) as store:
        assert len(store.load(1).entries) == 1
        with pytest.raises(OutputError, match="only be read") as caught:
            store.begin(History.begin(GAMES["solitaire"], None, ("Bo",)))
        with speaking("de"):
            assert "lässt sich nur lesen" in str(caught.value)
    assert {path.name: path.read_bytes() for path in read_only.iterdir()} == before
