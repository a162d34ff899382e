"""What commands share that work on many things."""

from __future__ import annotations

import argparse
import json
import os
from io import BufferedReader, BytesIO, TextIOWrapper
from pathlib import Path

import cv2
import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.jobs.work import half_saved
from visionset.cli import main
from visionset.commands.many import mapped


@pytest.mark.slow
def test_workers_that_die_leave_no_half_file_and_compute_on_one_thread(tmp_path: Path) -> None:
    args = argparse.Namespace(jobs=2, cluster="")
    assert list(mapped(args, half_saved, [(number, str(tmp_path)) for number in range(3)], tmp_path, None)) == [1] * 3
    assert sorted(path.name for path in tmp_path.iterdir() if "mark" not in path.name) == ["0.txt", "1.txt", "2.txt"]


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


def test_a_photo_whose_name_begins_as_a_list_does_is_told_how_to_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("@gray.png", np.full((40, 60, 3), 90, np.uint8))
    assert main(["read", "@gray.png"]) == 1
    told = capsys.readouterr().err
    assert told == "visionset: @gray.png: expected a list of names after the @, got no such file; a photo of that name is ./@gray.png\n"
    assert main(["read", "./@gray.png"]) == 0


def test_a_name_that_is_empty_is_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", ""]) == 1
    assert capsys.readouterr().err == "visionset: expected the name of a picture, got an empty one; name its file or address\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_list_may_begin_with_the_mark_of_its_encoding(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As editors and shells on Windows write it, also to a pipe."""
    listed = tmp_path / "list.txt"
    listed.write_bytes("none-ä.jpg\r\nother.jpg\r\n".encode(encoding))
    for asked in (["--list", str(listed)], [f"@{listed}"], ["--list", "-"]):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BufferedReader(BytesIO(listed.read_bytes()))))
        assert main(["read", *asked]) == 1
        first, second = capsys.readouterr().err.splitlines()
        assert first.startswith("visionset: none-ä.jpg: expected a picture, got no such file")
        assert second.startswith("visionset: other.jpg")


def test_a_name_that_no_file_can_have_costs_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "gray.png"
    cv2.imwrite(str(picture), np.full((40, 60, 3), 90, np.uint8))
    assert main(["read", "--json", "x" * 300 + ".jpg", str(picture)]) == 1
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert len(err.splitlines()) == 1
    assert "make room" not in err


def test_a_folder_that_nobody_may_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        cv2.imwrite(str(tmp_path / name / "gray.png"), np.full((40, 60, 3), 90, np.uint8))
    scandir = os.scandir

    def guarded(folder: str) -> object:
        if Path(folder).name == "b":
            raise PermissionError(13, "Permission denied", folder)
        return scandir(folder)

    monkeypatch.setattr("visionset.sources.address.os.scandir", guarded)
    assert main(["read", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "gray.png" in out
    assert str(tmp_path / "b") in err


@pytest.mark.skipif(os.name != "posix", reason="names are text there")
@pytest.mark.parametrize("kept", ["answers.jsonl", "answers.parquet"])
def test_a_name_that_is_no_text_is_kept_as_one(kept: str, tmp_path: Path) -> None:
    name, out = os.fsdecode(bytes(tmp_path) + b"/bad\xff.png"), tmp_path / kept
    Path(name).write_bytes(cv2.imencode(".png", np.full((40, 60, 3), 90, np.uint8))[1].tobytes())
    for more in ([], ["--resume"]):
        assert main(["read", name, "--out", str(out), *more]) == 0
    if kept.endswith("jsonl"):
        (line,) = out.read_text(encoding="utf-8").splitlines()
        image = json.loads(line)["image"]
    else:
        (image,) = pq.read_table(out / "tables-00000.parquet").column("image").to_pylist()
    assert image == str(tmp_path / r"bad\udcff.png")
