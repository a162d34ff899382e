from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from tests.builders import NINE, ONE_SET
from tests.recording.makers import FPS, frame_of, record, table_of
from visionset.cli import main
from visionset.games.base import Amend
from visionset.games.cubed import rules as cubed
from visionset.messages import Message
from visionset.pieces import SetDie
from visionset.recording import Heading, Recorder, Recording
from visionset.recording.bundle import BundleOptions, bundle, without_home


def packed(folder: Path, tables: list[object], heading: Heading | None = None, last_s: float = 60.0) -> tuple[Recording, Path]:
    recording = Recording.open(record(folder / "evening", tables, heading))  # type: ignore[arg-type]
    bundle(recording, folder / "evening.zip", "doctor says\n", BundleOptions(last_s))
    with zipfile.ZipFile(folder / "evening.zip") as file:
        file.extractall(folder / "out")
    return Recording.open(folder / "out" / "recording"), folder / "out"


def test_the_last_seconds_are_packed_cut_to_the_table(tmp_path: Path) -> None:
    recording, out = packed(tmp_path, [NINE] * 20 + [ONE_SET] * 21, last_s=2.0)
    frames = list(recording.frames())
    assert [frame.index for frame in frames] == list(range(20, 41))
    width, height = frames[0].size_px
    assert width < 265  # three cards of 60 px and a rim
    assert height < 100  # three cards in a row, not the 240 rows of the picture
    assert [layout.frame for layout in recording.layouts] == list(range(20, 41))
    low = min(float(s.outline_px.min()) for s in recording.layouts[0].table.sightings)
    assert 0 < low < 40
    assert (out / "doctor.txt").read_text() == "doctor says\n"
    note = (out / "README.txt").read_text()
    assert "the last 2 seconds" in note
    assert "21 pictures, cut to the table: left " in note
    named = re.findall(r"^(\S+\.\w+) ", note, re.MULTILINE)
    assert len(named) == 5
    assert all((out / name).is_file() for name in named)


def test_without_a_piece_there_is_no_picture(tmp_path: Path) -> None:
    recording = Recording.open(record(tmp_path / "evening", [(), (), None]))
    done = bundle(recording, tmp_path / "evening.zip", "")
    assert (done.pictures, "no picture is packed" in done.remark) == (0, True)
    with zipfile.ZipFile(tmp_path / "evening.zip") as file:
        assert not [name for name in file.namelist() if name.endswith(".avi")]


def test_names_and_addresses_are_left_out(tmp_path: Path) -> None:
    heading = Heading("rtsp://me:secret@host/live", FPS, players=("Ann", "Ben"))
    _, out = packed(tmp_path, [NINE] * 3, heading)
    text = (out / "recording" / "recording.json").read_text()
    assert json.loads(text)["players"] == ["player 1", "player 2"]
    assert "secret" not in text
    assert without_home("/home/ann/.venv/bin/python -m pip", Path("/home/ann")) == "~/.venv/bin/python -m pip"


def test_names_in_what_all_agreed_on_are_left_out(tmp_path: Path) -> None:
    """In SET Cubed the log says who lays which dice, and who has said SET first; a die is no player, whatever players are called."""
    die = SetDie.parse("wild")
    with Recorder(tmp_path / "evening", Heading("camera 0", FPS, players=("Ann", "wild"))) as recorder:
        recorder.write(frame_of(table_of(NINE), 0), table_of(NINE))
        recorder.event(Amend.of(Message("cubed.agreed.lays", player="Ann", pieces=(die,)), hands=((die,), ())).to_json())
        recorder.undo()
    bundle(Recording.open(tmp_path / "evening"), tmp_path / "evening.zip", "")
    with zipfile.ZipFile(tmp_path / "evening.zip") as file:
        lines = [json.loads(line) for line in file.read("recording/events.jsonl").splitlines()]
    event = cubed.GAME.parse_event(lines[0]["event"])
    assert event == Amend.of(Message("cubed.agreed.lays", player="player 1", pieces=(die,)), hands=((die,), ()))
    assert lines[1]["undo"]


def test_command_says_what_it_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("visionset.commands.doctor.all_checks", lambda: iter(()))
    folder = record(tmp_path / "evening", [NINE] * 3)
    assert main(["bundle", str(folder)]) == 0
    assert "evening.zip: 3 pictures of the table" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "evening.zip") as file:
        assert file.read("doctor.txt").startswith(b"visionset ")
    (tmp_path / "evening.zip").unlink()
    monkeypatch.chdir(folder)
    assert main(["bundle", "."]) == 0
    assert (tmp_path / "evening.zip").is_file()  # beside the recording, as from elsewhere
    (tmp_path / "evening.zip").write_text("packed by hand")
    assert main(["bundle", str(folder)]) == 1
    assert "add --force" in capsys.readouterr().err
    assert (tmp_path / "evening.zip").read_text() == "packed by hand"
    assert main(["bundle", str(folder), "--out", str(tmp_path / "none" / "a.zip")]) == 1
    capsys.readouterr()
    assert main(["bundle", str(folder), "--out", str(tmp_path / "page")]) == 1
    assert "page: expected a name that ends in .zip, got no ending; change the name\n" in capsys.readouterr().err
    assert not (tmp_path / "page").exists()
