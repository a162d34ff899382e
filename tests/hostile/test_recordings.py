"""Recordings that somebody else wrote: reported, packed and read again, or refused in one line."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from tests.hostile.damage import DEEP_CLOSED, DEEP_JSON, ODD, RAW, as_json, damaged, torn
from tests.hostile.runs import Runs
from tests.recording.makers import record
from visionset.games.base import Event
from visionset.games.game import History
from visionset.games.set_cards import rules as set_cards
from visionset.games.virtual.bots import bot_move
from visionset.games.virtual.chance import chance
from visionset.recording import Heading

ODD_JSON = (*ODD, DEEP_CLOSED, DEEP_JSON, RAW + "9" * 5000, RAW + "1e999", RAW + "-Infinity", RAW + '"\\ud800"')
TRIO = ("1-red-solid-oval", "1-red-solid-diamond", "1-red-solid-squiggle")
OTHERS = ("2-green-open-oval", "3-purple-striped-oval", "1-green-solid-diamond")
NAMES = ("recording.json", "frames.jsonl", "layouts.jsonl", "events.jsonl")


def played(moves: int) -> tuple[History, list[tuple[Event, tuple[int, ...]]]]:
    """A few moves of SET by simple players."""
    rng = random.Random(3)
    history = History.begin(set_cards.GAME, None, ("Ann", "Bo"))
    told: list[tuple[Event, tuple[int, ...]]] = []
    while len(told) < moves:
        event = chance(history.state, rng) or next(
            (move for player in (0, 1) if (move := bot_move(history.state, player, rng)) is not None), None
        )
        assert event is not None
        history = history.then(event)
        told.append((event, tuple(history.state.scores)))
    return history, told


def good_recording(folder: Path) -> Path:
    """Some pictures of a table, with a game of SET."""
    game, told = played(6)
    heading = Heading("camera 0", 10.0, 1.7e9, game="set", game_options=None, players=game.players, pieces=("set_card",))
    record(folder, [None, (*TRIO, *OTHERS), (*TRIO, *OTHERS), OTHERS, None, OTHERS], heading)
    lines = [
        {"frame": 2 + at, "time_s": 0.2 + at / 10, "event": event.to_json(), "scores": points} for at, (event, points) in enumerate(told)
    ]
    lines.append({"frame": 9, "time_s": 0.9, "undo": True, "scores": told[-2][1]})
    (folder / "events.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def spoil(rng: random.Random, good: Path, folder: Path) -> Path:
    """Copy a recording and damage one of its files."""
    shutil.copytree(good, folder)
    name = rng.choice(NAMES)
    path = folder / name
    data = path.read_bytes()
    if rng.random() < 0.25:
        path.write_bytes(torn(rng, data))
    elif name == "recording.json":
        path.write_bytes(as_json(damaged(rng, json.loads(data), ODD_JSON)).encode("utf-8", "surrogatepass"))
    else:
        lines = [json.loads(line) for line in data.splitlines()]
        at = rng.randrange(len(lines))
        lines[at] = damaged(rng, lines[at], ODD_JSON)
        path.write_bytes("".join(as_json(line) + "\n" for line in lines).encode("utf-8", "surrogatepass"))
    return folder


def run_all(count: int, seed: int, tmp_path: Path, runs: Runs) -> None:
    good = good_recording(tmp_path / "good")
    for command in (("report",), ("bundle", "--out", tmp_path / "a.zip")):
        assert runs(command[0], good, *command[1:]) == 0
    rng = random.Random(seed)
    for _ in range(count):
        folder = spoil(rng, good, tmp_path / "bad")
        runs("report", folder, "--out", tmp_path / "page.html")
        if rng.random() < 0.2:
            runs("bundle", folder, "--out", tmp_path / "a.zip")
        shutil.rmtree(folder)


def test_hostile_recordings(tmp_path: Path, runs: Runs) -> None:
    run_all(12, 1, tmp_path, runs)
    assert len(runs.codes) == 2


@pytest.mark.slow
def test_a_thousand_hostile_recordings(tmp_path: Path, runs: Runs) -> None:
    run_all(1000, 2, tmp_path, runs)


@pytest.mark.slow
def test_hostile_recordings_are_replayed(tmp_path: Path, runs: Runs) -> None:
    good = good_recording(tmp_path / "good")
    rng = random.Random(4)
    for _ in range(40):
        folder = spoil(rng, good, tmp_path / "bad")
        runs("replay", folder)
        shutil.rmtree(folder)


@pytest.mark.parametrize("time_s", [-1e12, 1e12, -1.0])
@pytest.mark.parametrize("name", ["frames.jsonl", "layouts.jsonl", "events.jsonl"])
def test_a_time_that_no_recording_has_is_refused(name: str, time_s: float, tmp_path: Path, runs: Runs) -> None:
    folder = good_recording(tmp_path / "good")
    lines = [json.loads(line) for line in (folder / name).read_text().splitlines()]
    lines[1]["time_s"] = time_s
    (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert runs("report", folder) == 1


def test_a_page_of_months_has_few_ticks(tmp_path: Path, runs: Runs) -> None:
    folder = good_recording(tmp_path / "good")
    lines = [json.loads(line) for line in (folder / "layouts.jsonl").read_text().splitlines()]
    lines[-1]["time_s"] = 9e6
    (folder / "layouts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert runs("report", folder) == 0
    assert (folder / "report.html").read_text().count('class="grid"') < 60


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_in_the_place_of_a_file_is_said(name: str, tmp_path: Path, runs: Runs) -> None:
    folder = good_recording(tmp_path / "good")
    (folder / name).unlink()
    (folder / name).mkdir()
    assert runs("report", folder) == 1


def test_events_without_end_are_refused(tmp_path: Path, runs: Runs) -> None:
    folder = good_recording(tmp_path / "good")
    (folder / "events.jsonl").write_text('{"frame":1,"time_s":1,"undo":true}\n' * 6000)
    assert runs("report", folder) == 1


def test_undoing_many_events_replays_none(tmp_path: Path, runs: Runs) -> None:
    folder = good_recording(tmp_path / "good")
    lines = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    amend = {"event": "amend", "changes": "{}", "reason": "again"}
    many = [*lines[:2], *[{**lines[0], "time_s": 0.5, "event": amend}] * 400, *[{"frame": 9, "time_s": 0.9, "undo": True}] * 400]
    (folder / "events.jsonl").write_text("".join(json.dumps(line) + "\n" for line in many))
    assert runs("report", folder) == 0
    assert "cannot be followed" not in (folder / "report.html").read_text()
