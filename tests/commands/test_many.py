"""What commands share that work on many things."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from tests.jobs.work import half_saved
from visionset.cli import main
from visionset.commands.many import OneThread, mapped
from visionset.errors import WorkerError
from visionset.vision import engine


@pytest.mark.slow
def test_workers_that_die_leave_no_half_file_and_have_the_weights_of_who_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "weights", lambda: engine.Weights.FLOAT)
    monkeypatch.setenv("VISIONSET_WEIGHTS", "int8")
    args = argparse.Namespace(jobs=2, cluster="")
    assert list(mapped(args, half_saved, [(number, str(tmp_path)) for number in range(3)], tmp_path, None)) == ["float"] * 3
    assert sorted(path.name for path in tmp_path.iterdir() if "mark" not in path.name) == ["0.txt", "1.txt", "2.txt"]


def test_a_processor_that_would_read_otherwise_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISIONSET_WEIGHTS")
    monkeypatch.setattr(engine, "multiplies_int8", lambda: False)
    asked = [OneThread(lambda _: engine.weights().value, "en", weights.value, "") for weights in engine.Weights]
    assert asked[0](0) == "float"
    with pytest.raises(WorkerError, match=r"expected workers whose processors .*; set VISIONSET_WEIGHTS=float where you ask"):
        asked[1](0)
    monkeypatch.setattr(engine, "multiplies_int8", lambda: True)
    assert asked[1](0) == "int8"
    assert engine.weights() is engine.Weights.INT8


@pytest.mark.parametrize(
    ("content", "got"), [(b"", "got none"), (b"\n \n", "got none"), (b"\x89PNG\r\n\x1a\n\0\0", "another kind of file")]
)
@pytest.mark.parametrize("option", [["--list"], []])
def test_a_list_that_names_nothing_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: list[str], content: bytes, got: str
) -> None:
    (tmp_path / "list").write_bytes(content)
    assert main(["read", *(option or ["--json"]), f"{'' if option else '@'}{tmp_path / 'list'}"]) == 1
    told = capsys.readouterr()
    assert got in told.err
    assert (told.out, told.err.count("\n")) == ("", 1)
