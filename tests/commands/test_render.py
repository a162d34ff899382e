"""``visionset render``: files, truth beside them, and errors in one line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import cv2
import pytest

from visionset.cli import main
from visionset.commands.render import _MORE
from visionset.pieces import PlayingCard
from visionset.render.materials import MATERIALS
from visionset.render.table_clips import CLIP_SCENES
from visionset.render.table_plan import CAMERAS, KINDS, LAYOUTS, LIGHTS

SMALL = ["--size", "160x160", "--table", "felt"]


def test_a_picture_and_its_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "grid.png"
    assert main(["render", "grid", "--seed", "7", "--count", "5", "--out", str(picture), *SMALL]) == 0
    assert cv2.imread(str(picture)).shape == (160, 160, 3)
    truth = json.loads((tmp_path / "grid.json").read_text())
    assert truth["kind"] == "set_die"
    entry = truth["photos"]["grid.png"]
    assert len(entry["dice"]) == 5
    assert sorted(entry["pieces"] + entry["optional"]) == sorted(die["name"] for die in entry["dice"])
    assert all(len(die["corners"]) == 4 and len(die["cell"]) == 2 for die in entry["dice"])
    assert "seed 7" in entry["note"]
    assert "grid.png: 5 pieces" in capsys.readouterr().out


def test_many_pictures_share_a_truth_that_grows(tmp_path: Path) -> None:
    for kinds in ("pip-dice", "playing-cards,card-backs"):
        assert (
            main(
                [
                    "render",
                    "row",
                    "--kinds",
                    kinds,
                    "--pictures",
                    "2",
                    "--seed",
                    str(len(kinds)),
                    "--count",
                    "2",
                    *SMALL,
                    "--out",
                    str(tmp_path),
                ]
            )
            == 0
        )
    truth = json.loads((tmp_path / "truth.json").read_text())
    assert len(truth["photos"]) == 4
    assert all((tmp_path / name).exists() for name in truth["photos"])
    assert truth["kind"] == "any"
    cards = [card for photo in truth["photos"].values() for card in photo.get("cards", [])]
    assert {card["kind"] for card in cards} == {"playing_card", "card_back"}
    assert all((card["name"] is None) == (card["kind"] == "card_back") for card in cards)
    assert all(PlayingCard.parse(card["name"]) for card in cards if card["name"])


@pytest.mark.parametrize(
    ("scene", "frames"), [pytest.param("throw", 26, marks=pytest.mark.slow), pytest.param("turn", 16, marks=pytest.mark.slow), ("add", 18)]
)
def test_a_clip_and_its_truth(scene: str, frames: int, tmp_path: Path) -> None:
    clip = tmp_path / f"{scene}.mp4"
    assert (
        main(["render", scene, "--seed", "1", "--count", "2", "--frames", str(frames), "--camera", "above", *SMALL, "--out", str(clip)])
        == 0
    )
    video = cv2.VideoCapture(str(clip))
    assert int(video.get(cv2.CAP_PROP_FRAME_COUNT)) == frames
    video.release()
    truth = json.loads(clip.with_suffix(".json").read_text())
    assert truth["frames"] == frames
    assert truth["intervals"][0]["first"] == 0
    assert truth["intervals"][-1]["last"] == frames - 1
    assert any(interval["moving"] for interval in truth["intervals"])
    for interval, later in zip(truth["intervals"], truth["intervals"][1:], strict=False):
        assert later["first"] == interval["last"] + 1
    moving = {at for one in truth["intervals"] if one["moving"] for at in range(one["first"], one["last"] + 1)}
    assert not moving & {at for first, last in truth["quiet"] for at in range(first, last + 1)}
    for interval in truth["intervals"]:
        assert len(interval["pieces"]) == len(interval["kinds"]) == len(interval["corners"])


def test_a_die_has_no_value_before_it_lies(tmp_path: Path) -> None:
    clip = tmp_path / "throw.mp4"
    assert main(["render", "throw", "--count", "1", "--camera", "above", *SMALL, "--out", str(clip)]) == 0
    truth = json.loads(clip.with_suffix(".json").read_text())
    (throw,) = truth["actions"]
    for interval in truth["intervals"]:
        lies = interval["first"] > throw["last"]
        assert interval["pieces"] == ([throw["piece"]] if lies else [])
    assert truth["quiet"][-1][1] == truth["frames"] - 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["heap"], "scattered"),
        (["grid", "--kinds", "playing-cards"], "set-dice"),
        (["grid", "--frames", "9"], "throw"),
        (["throw", "--kinds", "playing-cards"], "pip-dice"),
        (["throw", "--physical"], "leave it out"),
        (["throw", "--frames", "0"], "at least one"),
        (["grid", "--out", "grid.bmp", *SMALL], ".png"),
        (["throw", "--out", "throw.avi", *SMALL], ".mp4"),
        (["grid", "--out", "."], "table.jpg"),
        (["throw", "--out", "/"], "table.mp4"),
    ],
)
def test_errors_are_one_line(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["render", *arguments]) == 1
    said = capsys.readouterr().err.strip()
    assert "\n" not in said
    assert "expected" in said
    assert told in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("size", ["²x²", "640", "x", "-1x5", "9" * 5000 + "x5"], ids=["small", "one", "none", "negative", "long"])
def test_a_size_that_is_none_is_told_with_one_that_is(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["render", "grid", f"--size={size}"])
    assert "expected WIDTHxHEIGHT as in 1280x720" in capsys.readouterr().err


def test_without_mitsuba_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    assert main(["render", "grid", "--physical", "--out", str(tmp_path / "grid.jpg"), *SMALL]) == 1
    assert "pip install 'visionset[render]'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_mitsuba_sees_the_same_table(tmp_path: Path) -> None:
    pytest.importorskip("mitsuba")
    arguments = ["render", "grid", "--count", "3", "--seed", "5", "--light", "overcast", *SMALL]
    assert main([*arguments, "--out", str(tmp_path / "quick.png")]) == 0
    assert main([*arguments, "--physical", "--out", str(tmp_path / "traced.png")]) == 0
    quick, traced = (json.loads((tmp_path / f"{name}.json").read_text())["photos"][f"{name}.png"] for name in ("quick", "traced"))
    assert quick["dice"] == traced["dice"]
    pictures = [cv2.GaussianBlur(cv2.imread(str(tmp_path / f"{name}.png"), 0), (0, 0), 2).astype(float) for name in ("quick", "traced")]
    likeness = ((pictures[0] - pictures[0].mean()) * (pictures[1] - pictures[1].mean())).mean() / pictures[0].std() / pictures[1].std()
    assert likeness > 0.85


def test_the_help_names_everything() -> None:
    for name in (*LAYOUTS, *CLIP_SCENES, *KINDS, *CAMERAS, *LIGHTS, *MATERIALS):
        assert name in _MORE


def test_a_full_disk_is_one_line_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    room = iter([10**9, *[0] * 100])
    monkeypatch.setattr("visionset.video_file.shutil.disk_usage", lambda _: SimpleNamespace(free=next(room)))
    assert main(["render", "throw", "--frames", "3", "--size", "320x180", "--out", str(tmp_path / "throw.mp4")]) == 1
    assert "expected room for the clip" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".jpg", ".json"])
def test_rendering_writes_over_no_file_of_somebody_else(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / f"mine{ending}"
    mine.write_text("mine")
    small = ["render", "scattered", "--count", "1", "--size", "320x240", "--out", str(tmp_path / "mine.jpg")]
    assert main(small) == 1
    assert f"{mine}: expected to write a new file, got one that is there; add --force" in capsys.readouterr().err
    assert mine.read_text() == "mine"
    assert main([*small, "--force"]) == 0
    assert mine.read_bytes() != b"mine"
