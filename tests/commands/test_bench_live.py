"""``visionset bench --live`` and ``--soak``: what they count, and the soak itself, short or as long as is wished."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.builders import NINE, clip, deal, picture
from visionset.cli import main
from visionset.commands import bench, bench_live, measurement
from visionset.commands.bench_live import FollowedFrame, LoopedClips, most_behind_ms, resident_mb, soak_rows
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
    seen = [FollowedFrame(number, 1.0, float(number), False, 0.0) for number in range(100)]
    assert most_behind_ms(seen) == 95.0
    assert most_behind_ms([]) == 0.0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system tells the most that was used, or nothing")
def test_memory_is_that_of_this_program() -> None:
    """Of one that has just begun: in this process the block may lie where others were before, and take nothing from the system."""
    script = "\n".join(
        (
            "import numpy as np",
            f"from {resident_mb.__module__} import resident_mb",
            "before = resident_mb()",
            "block = np.ones(60_000_000, np.uint8)",
            "print(resident_mb() - before, block[-1])",
        )
    )
    more_mb, last = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert last == "1"
    assert 45 < float(more_mb) < 75


def seen_at(index: int, spent_ms: float, held: bool = False, resident_mb: float = 100.0) -> FollowedFrame:
    return FollowedFrame(index, spent_ms, 2 * spent_ms, held, resident_mb)


def test_frames_that_move_and_frames_that_do_not_have_their_own_bars() -> None:
    seen = [seen_at(0, 30.0, held=True), seen_at(1, 50.0, held=True), seen_at(3, 8.0)]
    rows = [(row.name.split(",")[0], row.value, row.bar) for row in bench_live._over_floor(seen, 4.0, FAST)]
    assert rows == [
        ("a frame in which something moves", 40.0, 40.0),
        ("the same over the floor", 10.0, None),
        ("a frame of a settled table", 8.0, pytest.approx(1000 / 60)),
        ("the same over the floor", 2.0, None),
        ("from the camera's frame to the drawn overlay", 100.0, 60.0),
        ("the same over the floor", 25.0, None),
        ("frames of 400 per second that were passed over", 25.0, None),
    ]


def test_what_was_not_seen_has_no_row() -> None:
    """A mean of nothing would meet every bar."""
    names = [row.name for row in bench_live._over_floor([seen_at(0, 30.0, held=True)], 4.0, FAST)]
    assert not any("settled" in name for name in names)


def test_the_first_loop_warms_up_and_the_last_part_is_compared_with_the_first() -> None:
    loop, loops = 10, 20
    frames = range(loop * (loops + 1))
    seen = [seen_at(at, 500.0 if at < loop else 20.0 + at // loop, resident_mb=100.0 + at // loop) for at in frames]
    told: list[str] = []
    rows = {row.name: row for row in bench_live._first_and_last(seen, loop, loops, told.append)}
    assert [line.split(",")[0] for line in told] == [f"part {number:2d}: 20 frames" for number in range(1, 11)]
    assert rows["memory in the first part"].value == 101.5
    assert rows["memory in the last part"].value == 119.5
    assert rows["the two differ by"].value == pytest.approx(100 * (119.5 / 101.5 - 1))
    assert not rows["the two differ by"].is_met
    assert rows["the last over the first, each over its floor"].value == pytest.approx(39.5 / 21.5)


def test_live_prints_what_it_saw(nine: Table, video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(measurement, "_ROUNDS", 2)
    monkeypatch.setattr(bench, "_LIVE_S", 0.5)
    assert main(["bench", "--live", "100", "--json"]) == 0
    rows = {row["name"].split(",")[0]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["floor"]["value"] > 0
    assert rows["from the camera's frame to the drawn overlay"]["value"] > 0
    assert rows["from the camera's frame to the drawn overlay"]["bar"] == 60.0
    assert 0 <= rows["frames of 100 per second that were passed over"]["value"] < 100


@pytest.mark.slow
def test_a_soak_compares_its_parts(nine: Table, video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--soak", "0.02", "--live", "25"]) == 0
    out = capsys.readouterr().out
    assert "part  1: " in out
    assert "memory in the last part" in out


@pytest.mark.slow
def test_memory_stays_while_clips_run_in_a_loop() -> None:
    """``VISIONSET_SOAK_MINUTES=60`` makes it as long as the bar says."""
    clips = sorted(samples_folder().glob("*.mp4"))
    rows = soak_rows(clips, 25.0, float(os.environ.get("VISIONSET_SOAK_MINUTES", "1")), print)
    for row in rows:
        print(f"{row.name}: {row.value:.2f} {row.unit}")
    # times are printed and not judged: what else the machine does at the time would decide
    assert next(row for row in rows if row.name == "the two differ by").is_met
