"""Profiles, zones and boards that somebody else wrote: named and passed over, or refused in one line."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.hostile.damage import DEEP_CLOSED, DEEP_JSON, ODD, TOML_ONLY, as_toml, files
from tests.hostile.runs import Runs
from tests.test_calibration import KITCHEN
from visionset.calibration import Calibration, listed, save
from visionset.errors import CalibrationError, RecordError
from visionset.games.cubed.board import Board, default_board
from visionset.games.cubed.rules import GAME
from visionset.games.game import History
from visionset.referee.zones import ENGLISH_ZONES, Zones
from visionset.session.refereed import kept_zones, referee_of

ODD_TOML = (*ODD, *TOML_ONLY, DEEP_CLOSED, DEEP_JSON)


def used_profile(text: str) -> None:
    """Read a profile and use it as `watch` does."""
    profile = Calibration.parse(text)
    assert Calibration.parse(str(profile)) == profile
    if profile.image_from_table is not None:
        with np.errstate(all="ignore"):  # a plane may be as slanted as it likes
            profile.image_px(profile.table_mm(np.array([[1.0, 2.0], [300.0, 200.0]])))


def used_zones(text: str) -> None:
    zones = Zones.parse(text)
    for zone in zones.zones:
        if zones.ground is ENGLISH_ZONES.ground:
            zones.outline_px(zone.name, (640, 480))


def used_board(text: str) -> None:
    board = Board.parse(text)
    assert len(History.begin(GAME, replace(GAME.options(), board=board)).state.prompts) > 0


KINDS: tuple[tuple[Callable[[str], None], str], ...] = (
    (used_profile, str(KITCHEN)),
    (used_zones, str(ENGLISH_ZONES)),
    (used_board, str(default_board())),
)


def refused(count: int) -> int:
    refusals = 0
    for seed, (use, good) in enumerate(KINDS):
        use(good)
        for data in files(seed, count, tomllib.loads(good), as_toml, ODD_TOML):
            told = ""
            try:
                use(data.decode("utf-8", "replace"))
            except (CalibrationError, RecordError) as error:
                told = str(error)
                refusals += 1
            assert "\n" not in told
            assert len(told) < 500
    return refusals


def test_hostile_toml_is_read_or_refused() -> None:
    assert refused(30) > 45


@pytest.mark.slow
def test_a_thousand_hostile_toml_files() -> None:
    assert refused(340) > 500


def spoilt_folder(folder: Path) -> Path:
    """Profiles of which one is good."""
    save(KITCHEN, folder)
    profiles = folder / "profiles"
    (profiles / "folder.toml").mkdir()
    (profiles / "gone.toml").symlink_to(folder / "nowhere")
    os.mkfifo(profiles / "pipe.toml")
    texts = {"nested": "a = " + "[" * 5000, "typed": 'name = 3\ncamera = []\nsize_px = "x"', "dated": "name = 1979-05-27", "bytes": "\0"}
    texts["endless"] = str(KITCHEN).replace("0.25", "inf")
    for name, text in texts.items():
        (profiles / f"{name}.toml").write_text(text)
    (profiles / "latin.toml").write_bytes(b'name = "\xe9"')
    return folder


def test_bad_profiles_are_named_and_passed_over(tmp_path: Path) -> None:
    told: list[str] = []
    assert listed(spoilt_folder(tmp_path), told.append) == (KITCHEN,)
    assert len(told) == 9
    for name in ("folder", "gone", "pipe", "nested", "typed", "dated", "bytes", "endless", "latin"):
        assert sum(f"{name}.toml" in line for line in told) == 1, name


def test_the_list_of_profiles_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: Runs) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(spoilt_folder(tmp_path)))
    assert runs("calibrate", "list") == 0
    for name in ("nested", "typed", "pipe", "folder"):
        assert runs("calibrate", "show", name) == 1


def test_zones_of_the_settings_that_cannot_be_read_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path))
    (tmp_path / "zones.toml").write_text("zones = " + "[" * 5000)
    told: list[str] = []
    assert kept_zones(referee_of("english-sets"), None, told.append) is None
    assert [line.count("zones.toml") for line in told] == [1]
    with pytest.raises(RecordError, match=r"zones\.toml"):
        Zones.load(tmp_path / "zones.toml")
    (tmp_path / "zones.toml").write_text("[zones]\npack = [0, 0, 1, 1]")
    assert kept_zones(referee_of("english-sets"), None, told.append) is None
    assert "zones.toml: expected zones named hand 2, " in told[1]


def test_a_plane_that_is_a_line_is_refused() -> None:
    with pytest.raises(CalibrationError, match="table plane"):
        replace(KITCHEN, image_from_table=(1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0))
