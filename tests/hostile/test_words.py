"""Scripts of what is said, states and truths of photos that somebody else wrote."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.hostile.damage import as_json, damaged
from tests.hostile.runs import Runs
from tests.hostile.test_recordings import ODD_JSON
from visionset.calibration import Calibration, load, save
from visionset.cli import main
from visionset.commands.score import load_truth
from visionset.commands.script import read_script
from visionset.errors import CalibrationError, PictureError, RecordError

SAID = [
    {"time_s": 1.5, "say": "call", "player": 0},
    {"time_s": 2, "say": "answer", "number": 1},
    {"time_s": 3, "say": "move", "game": "set", "event": {"event": "call", "player": 1, "at_s": 3.0}},
    {"time_s": 4, "say": "undo"},
]
TRUTH = {
    "kind": "set_card",
    "photos": {"none.jpg": {"pieces": ["2-red-striped-oval"], "optional": [], "note": "a"}, "b.jpg": {"pieces": None}},
}


def text(value: object) -> bytes:
    return as_json(value).encode("utf-8", "surrogatepass")


def scripts(count: int, folder: Path) -> int:
    rng, refused = random.Random(1), 0
    path = folder / "keys.jsonl"
    path.write_bytes(b"\n".join(map(text, SAID)))
    assert len(read_script(path)) == len(SAID)
    for _ in range(count):
        path.write_bytes(text(damaged(rng, rng.choice(SAID), ODD_JSON)))
        told = ""
        try:
            read_script(path)
        except RecordError as error:
            told, refused = str(error), refused + 1
        assert "\n" not in told
    return refused


def truths(count: int, folder: Path, runs: Runs) -> int:
    rng, refused = random.Random(2), 0
    path = folder / "truth.json"
    path.write_bytes(text(TRUTH))
    assert load_truth(folder).photos["b.jpg"].pieces is None
    for _ in range(count):
        path.write_bytes(text(damaged(rng, TRUTH, ODD_JSON)))
        told = ""
        try:
            load_truth(folder)
        except PictureError as error:
            told, refused = str(error), refused + 1
        assert "\n" not in told
        runs("score", folder)
    return refused


def states(count: int, folder: Path, runs: Runs) -> None:
    rng = random.Random(3)
    path = folder / "state.json"
    for game in ("cubed", "english-sets"):
        assert main(["play", game, "--virtual", "--bots", "--seed", "1", "--save", str(path), "--force", "--data", str(folder)]) == 0
        good = json.loads(path.read_bytes())
        for _ in range(count):
            path.write_bytes(text(damaged(rng, good, ODD_JSON)))
            runs("advise", game, path)


def test_hostile_scripts_and_truths(tmp_path: Path, runs: Runs) -> None:
    assert scripts(40, tmp_path) > 20
    assert truths(40, tmp_path, runs) > 20


def test_hostile_states(tmp_path: Path, runs: Runs) -> None:
    states(8, tmp_path, runs)


@pytest.mark.slow
def test_many_hostile_scripts_states_and_truths(tmp_path: Path, runs: Runs) -> None:
    scripts(1000, tmp_path)
    truths(1000, tmp_path, runs)
    states(150, tmp_path, runs)


@pytest.mark.parametrize(
    "line", ['{"time_s": null, "say": "undo"}', '{"time_s": 1, "say": ["undo"]}', '{"time_s": 1, "say": "call", "player": "A"}', "3"]
)
def test_a_line_of_another_type_is_told(line: str, tmp_path: Path) -> None:
    (tmp_path / "keys.jsonl").write_text(line)
    with pytest.raises(RecordError, match="expected time_s and say"):
        read_script(tmp_path / "keys.jsonl")


@pytest.mark.parametrize(
    "address",
    [
        "rtsp://ann:s3cret@127.0.0.1:1/x?pw=s3cret",
        "rtsp:/ann:s3cret@cam/x",
        "rtsp//ann:s3cret@cam/x",
        "ann:s3cret@cam",
        "rtsp://ann:P@s3cret@127.0.0.1:1/x",
        "rtsp://s3cret@127.0.0.1:1/x",
        "rtsp://ann:s3cret@",
        "rtsp://ann:s3cret",
        "rtsp://ann:1s3cret/x",
        "rtsp://127.0.0.1:1/user=ann_password=s3cret_channel=1.sdp?real_stream",
    ],
)
def test_no_password_of_an_address_is_told_or_logged(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    save(Calibration("stream", address, (1280, 720)))
    log = ["--log", str(tmp_path / "log.jsonl"), "-v"]
    for words in (["read", address, *log], ["watch", "--camera", address.replace("://", ":/"), *log], ["replay", address, *log]):
        assert main(words) == 1
    for words in (["calibrate", "list"], ["calibrate", "show", "stream"]):
        assert main(words) == 0
    with pytest.raises(SystemExit):
        main(["bench", "--live", address])
    with pytest.raises(CalibrationError) as refused:
        load("stream").fitting(f"{address}x", (1280, 720))
    told = capsys.readouterr()
    logged = (tmp_path / "log.jsonl").read_text()
    assert all(json.loads(line) for line in logged.splitlines())
    assert "s3cret" not in told.out + told.err + logged + str(refused.value)


@pytest.mark.parametrize("words", [["bench", "--live"], []])
def test_no_password_of_digits_is_told_where_a_long_address_is_cut(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Cut before its @ it would look like the port of a host."""
    with pytest.raises(SystemExit):
        main([*words, f"rtsp://{'a' * 27}:98765@cam/x"])
    assert "987" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "address",
    [
        "rtsp:/ann:a s3cret@cam/x",
        "ann:a's3cret@cam",
        'rtsp://ann:a "s3cret@127.0.0.1:1/x',
        "--camera=rtsp://ann:a s3cret@127.0.0.1:1/x",
        "--camera=ann:a s3cret@cam/x",
        " rtsp://ann:a s3cret@127.0.0.1:1/x",
    ],
)
def test_no_password_with_a_space_or_a_quotation_mark_is_told_or_logged(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", address, "--log", str(tmp_path / "log.jsonl"), "-v"]) == 1
    told = capsys.readouterr()
    assert "s3cret" not in told.out + told.err + (tmp_path / "log.jsonl").read_text()


@pytest.mark.parametrize(
    "words", [("watch", "none.mp4", "--record", ""), ("play", "solitaire", "--virtual", "--data="), ("read", "none.jpg", "--save", "")]
)
def test_an_empty_name_is_no_folder(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As of a variable of the shell that is not set: what is kept would lie in the folder where one stands."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(words)
    assert "expected the name of a file or a folder, got nothing" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
