"""What people kept with an earlier version is read by this one: the program of commit 402d59d made ``tests/data/old``."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from tests.test_calibration import KITCHEN
from visionset.calibration import load
from visionset.cli import main
from visionset.games.registry import SPECS
from visionset.pieces import SET_DECK
from visionset.recording import Recording
from visionset.referee.zones import ENGLISH_ZONES, Zones
from visionset.report.story import story_of
from visionset.store import Store

OLD = Path(__file__).parent / "data" / "old"
POINTS = {
    "set": (23, 22),
    "solitaire": (24,),
    "cubed": (56, 59),
    "scramble": (61,),
    "crossword": (0,),
    "sets-dice": (124,),
    "english-sets": (6, 5),
}
"""Of each match, by its game, as the program said then."""


def test_matches_of_every_game_are_replayed_to_the_same_points(tmp_path: Path) -> None:
    shutil.copy(OLD / "matches.sqlite3", tmp_path)
    with Store(tmp_path / "matches.sqlite3", time.time) as store:
        matches = [store.load(summary.id) for summary in store.summaries()]
    assert {match.history.game.name: match.history.state.scores for match in matches} == POINTS
    assert all(match.history.state.is_over and match.history.state.findings == () for match in matches)
    assert set(POINTS) <= set(SPECS)


def test_a_match_goes_through_export_and_import(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(OLD / "matches.sqlite3", tmp_path)
    assert main(["matches", "export", "1", "--data", str(tmp_path)]) == 0
    lines = capsys.readouterr().out
    (tmp_path / "set.jsonl").write_text(lines, encoding="utf-8")
    assert main(["matches", "import", str(tmp_path / "set.jsonl"), "--data", str(tmp_path / "again")]) == 0
    assert main(["matches", "export", "1", "--data", str(tmp_path / "again")]) == 0
    assert capsys.readouterr().out.endswith(lines)


def test_a_recording_keeps_its_tables_pictures_and_game(tmp_path: Path) -> None:
    recording = Recording.open(OLD / "recording")
    assert recording.heading.players == ("Ann", "<Ben>")
    assert [one.piece for one in recording.layouts[0].table.sightings] == list(SET_DECK[:12])
    assert len(list(recording.frames())) == 100
    story = story_of(recording)
    assert (story.trouble, story.scores[-1][1]) == ("", (1, -1))
    assert main(["report", str(OLD / "recording"), "--out", str(tmp_path / "report.html")]) == 0


def test_profiles_and_zones_are_as_they_were() -> None:
    assert load("kitchen", OLD / "config") == KITCHEN
    assert Zones.load(OLD / "config" / "zones.toml") == ENGLISH_ZONES
