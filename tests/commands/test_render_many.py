"""``visionset render --pictures``: by several processes, after a stop and with other options the files are those of one process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from visionset.cli import main
from visionset.commands import render
from visionset.errors import OutputError
from visionset.render.truth_file import TruthFile

SMALL = ["--size", "160x160", "--table", "felt", "--count", "2", "--seed", "3"]


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def made(scene: str, folder: Path, *more: str) -> dict[str, bytes]:
    assert main(["render", scene, *SMALL, "--out", str(folder), *more]) == 0
    return content(folder)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [["--jobs", "2"], ["--cluster", "local", "--jobs", "1"]], ids=["jobs", "cluster"])
def test_workers_write_what_one_process_writes(engine: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if "--cluster" in engine:
        pytest.importorskip("distributed")
    whole = made("row", tmp_path / "one", "--pictures", "5")
    told = capsys.readouterr().out.replace("/one/", "/many/")
    assert made("row", tmp_path / "many", "--pictures", "5", *engine) == whole
    assert capsys.readouterr().out == told
    clips = ["--pictures", "3", "--frames", "3"]
    assert made("throw", tmp_path / "clips", *clips, *engine) == made("throw", tmp_path / "clip", *clips)


def test_a_stop_costs_what_was_not_finished_and_the_truth_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, folder = made("row", tmp_path / "one", "--pictures", "4"), tmp_path / "many"
    rendered: list[Path] = []
    done = render.RenderStill.__call__

    def stopped(self: render.RenderStill, task: Any) -> dict[str, Any]:
        if len(rendered) == 2:
            raise KeyboardInterrupt
        rendered.append(task[1])
        return done(self, task)

    with monkeypatch.context() as patch:
        patch.setattr(render.RenderStill, "__call__", stopped)
        assert main(["render", "row", *SMALL, "--out", str(folder), "--pictures", "4"]) == 130
    assert sorted(content(folder)) == ["row-3.jpg", "row-4.jpg", "truth.json"]
    times = {path: path.stat().st_mtime_ns for path in folder.glob("*.jpg")}
    (folder / "row-4.jpg").unlink()
    assert made("row", folder, "--pictures", "4", "--resume") == whole
    assert (folder / "row-3.jpg").stat().st_mtime_ns == times[folder / "row-3.jpg"]
    assert made("row", folder, "--pictures", "4", "--resume", "--light", "sun") != whole
    assert made("row", folder, "--pictures", "4", "--resume") == whole


def test_a_picture_of_somebody_elses_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "row-4.jpg").write_text("mine")
    words = ["render", "row", *SMALL, "--out", str(tmp_path), "--pictures", "2"]
    assert main(words) == 1
    assert "row-4.jpg: expected to write a new file" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".jpg") == ["row-4.jpg"]
    assert main([*words, "--force"]) == 0
    assert main(words) == 0, "its own are made anew"
    (tmp_path / "throw-3.json").write_text("mine")
    assert main(["render", "throw", *SMALL, "--out", str(tmp_path), "--pictures", "1", "--frames", "2"]) == 1
    assert (tmp_path / "throw-3.json").read_text() == "mine"


def test_lines_that_a_killed_run_left_are_taken_over_but_the_one_that_was_cut_off(tmp_path: Path) -> None:
    whole = made("row", tmp_path, "--pictures", "2")
    truth = json.loads(whole["truth.json"])
    lines = "".join(json.dumps([name, truth["kind"], entry]) + "\n" for name, entry in truth["photos"].items())
    (tmp_path / "truth.json").unlink()
    (tmp_path / "_truth.jsonl").write_text(lines[:-9])
    with TruthFile(tmp_path / "truth.json") as many:
        assert [bool(many.made_by(f"row-{seed}.jpg")) for seed in (3, 4)] == [True, False]
    assert made("row", tmp_path, "--pictures", "2", "--resume") == whole
    (tmp_path / "_truth.jsonl").write_text("[1]\n")
    with pytest.raises(OutputError, match="remove it, or name another folder"):
        TruthFile(tmp_path / "truth.json")


def test_a_clip_is_finished_when_its_truth_is_there(tmp_path: Path) -> None:
    clips = ["--pictures", "2", "--frames", "2"]
    whole = made("throw", tmp_path, *clips)
    assert sorted(whole) == ["throw-3.json", "throw-3.mp4", "throw-4.json", "throw-4.mp4"]
    (tmp_path / "throw-3.mp4").write_bytes(b"kept")
    (tmp_path / "throw-4.json").unlink()
    assert made("throw", tmp_path, *clips, "--resume") == whole | {"throw-3.mp4": b"kept"}
    assert made("throw", tmp_path, *clips) == whole


@pytest.mark.parametrize("more", [["--jobs", "2"], ["--resume"], ["--cluster", "local"]])
def test_one_picture_has_nothing_to_share_out(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["render", "row", *more])
    assert "say how many by --pictures N" in capsys.readouterr().err
