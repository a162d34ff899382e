"""``visionset bench --live`` and ``--soak``: what they count, and the soak itself, short or as long as is wished."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from tests.builders import NINE, clip, deal, picture
from visionset.cli import main
from visionset.commands import bench
from visionset.commands.bench_live import LoopedClips, Seen, part_of, resident_mb, soak_rows
from visionset.sample_files import samples_folder
from visionset.table import Table

FAST = 400.0
"""Pictures per second: hardly a wait in tests."""


@pytest.fixture
def video(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = clip(tmp_path / "table-1280.mp4", [picture(deal(NINE, (640, 360), 90, 20))] * 6)
    monkeypatch.setattr("visionset.sample_files.samples_folder", lambda: tmp_path)
    return path


def test_clips_are_played_in_a_loop(tmp_path: Path) -> None:
    shades = [clip(tmp_path / f"{level}.mp4", [np.full((48, 64, 3), level, np.uint8)] * 2) for level in (40, 200)]
    looped = LoopedClips(shades, FAST)
    assert looped.isOpened()
    seen = [float(looped.read()[1].mean()) for _ in range(10)]
    assert [level > 120 for level in seen] == [False, False, True, True] * 2 + [False, False]


def test_the_time_that_95_of_100_frames_need() -> None:
    seen = [Seen(number, 1.0, float(number), False, 0.0) for number in range(100)]
    assert part_of(seen, 0.95) == 95.0
    assert part_of([], 0.95) == 0.0


def test_memory_is_that_of_this_program() -> None:
    before = resident_mb()
    block = np.ones(60_000_000, np.uint8)
    assert 50 < resident_mb() - before < 120
    assert block[-1] == 1


def test_live_has_every_bar(nine: Table, video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench, "_ROUNDS", 2)
    monkeypatch.setattr(bench, "_LIVE_S", 0.5)
    assert main(["bench", "--live", "100", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["name"].split(",")[0], row["bar"]) for row in rows if row["bar"]] == [
        ("a frame in which something moves", 40.0),
        ("a frame of a settled table", pytest.approx(1000 / 60)),
        ("from the camera's frame to the drawn overlay", 60.0),
    ]
    assert all(row["value"] > 0 for row in rows if row["unit"] == "ms")


def test_a_soak_compares_its_parts(nine: Table, video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--soak", "0.02", "--live", "25"]) == 0
    out = capsys.readouterr().out
    assert "part  5: " in out
    assert "memory in the last part" in out


@pytest.mark.slow
def test_memory_and_times_stay_while_clips_run_in_a_loop() -> None:
    """``VISIONSET_SOAK_MINUTES=60`` makes it as long as the bar says."""
    clips = sorted(samples_folder().glob("*.mp4"))
    rows = soak_rows(clips, 25.0, float(os.environ.get("VISIONSET_SOAK_MINUTES", "1")), print)
    for row in rows:
        print(f"{row.name}: {row.value:.2f} {row.unit}")
    apart, drift = (next(row for row in rows if row.name == name) for name in ("the two differ by", "the last over the first"))
    assert apart.is_met
    assert drift.is_met
