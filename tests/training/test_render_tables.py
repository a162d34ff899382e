"""The pictures for training: shards are whole or not there, the same however many work, and finished ones are left where asked."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import render_tables


def made(monkeypatch: pytest.MonkeyPatch, folder: Path, *more: str) -> dict[str, bytes]:
    monkeypatch.setattr(sys, "argv", ["render_tables", "elsewhere", str(folder), "--count", "5", "--jobs", "1", *more])
    assert render_tables.main() == 0
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_shards_that_are_there_are_left_and_half_ones_made_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(render_tables, "SHARD", 2)
    whole = made(monkeypatch, tmp_path)
    assert sorted(whole) == [f"elsewhere_00{number}.{ending}" for number in range(3) for ending in ("npy", "pkl")]
    (tmp_path / "elsewhere_001.pkl").unlink()
    (tmp_path / "elsewhere_002.npy").write_bytes(b"kept")
    assert made(monkeypatch, tmp_path, "--resume") == whole | {"elsewhere_002.npy": b"kept"}
    assert made(monkeypatch, tmp_path) == whole


def test_a_disk_that_is_full_is_one_line_and_leaves_no_half_shard(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(render_tables, "SHARD", 1)
    monkeypatch.setattr(render_tables.np, "save", full)
    monkeypatch.setattr(sys, "argv", ["render_tables", "elsewhere", str(tmp_path), "--count", "1", "--jobs", "1"])
    assert render_tables.main() == 1
    assert "no space left" in capsys.readouterr().err.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []
