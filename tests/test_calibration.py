from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset import calibration
from visionset.calibration import Calibration, Deck, Lens, chosen, delete, listed, load, save
from visionset.errors import CalibrationError, OutputError
from visionset.saving import config_folder

LENS = Lens((900.5, 901.25), (640.0, 355.5), (-0.21, 0.05, 0.001, -0.0005, 0.0))
PLANE = (2.0, 0.1, 600.0, -0.05, 1.4, 300.0, 1e-5, -4e-4, 1.0)
KITCHEN = Calibration(
    "kitchen", 'Cam "HD" 720p\\', (1280, 720), "2026-01-02", LENS, PLANE, 0.25, (10, 20, 1200, 700), Deck((63.5, 88.0), (1.0, 2.0, 3.0))
)


def test_a_profile_and_its_toml_are_inverse() -> None:
    for profile in (KITCHEN, Calibration("a", "camera 0", (640, 480)), replace(KITCHEN, deck=Deck(fill=(1.0, 0.5, 0.2)))):
        assert Calibration.parse(str(profile)) == profile


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_camera_has_a_name_in_toml(camera: str) -> None:
    assert Calibration.parse(str(Calibration("a", camera, (1, 1)))).camera == camera


def test_the_lens_is_that_of_opencv() -> None:
    points = np.random.default_rng(3).uniform((-40, -30), (1320, 750), (50, 2))
    rays = np.column_stack([(points - LENS.center_px) / LENS.focal_px, np.ones(50)])
    seen, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), LENS.matrix, np.array(LENS.distortion))
    assert np.abs(LENS.distorted(points) - seen[:, 0]).max() < 1e-6
    assert np.abs(LENS.distorted(LENS.undistorted(points)) - points).max() < 1e-3


def test_table_and_picture_are_inverse() -> None:
    points = np.array([[0.0, 0.0], [120.0, 80.0], [-150.0, 60.0]])
    assert KITCHEN.table_mm(KITCHEN.image_px(points)) == pytest.approx(points, abs=0.01)


def test_profiles_are_kept_listed_chosen_and_deleted(tmp_path: Path) -> None:
    for at, profile in enumerate((KITCHEN, replace(KITCHEN, name="attic"), replace(KITCHEN, name="small", size_px=(640, 480)))):
        os.utime(save(profile, tmp_path), (at, at))
    assert [profile.name for profile in listed(tmp_path)] == ["kitchen", "attic", "small"]
    assert load("kitchen", tmp_path) == KITCHEN
    newest = chosen(listed(tmp_path), KITCHEN.camera, (1280, 720))
    assert newest is not None
    assert newest.name == "attic"
    assert chosen(listed(tmp_path), "another", (1280, 720)) is None
    delete("kitchen", tmp_path)
    with pytest.raises(CalibrationError, match="attic, small"):
        load("kitchen", tmp_path)
    with pytest.raises(CalibrationError, match="attic, small"):
        delete("kitchen", tmp_path)


@pytest.mark.parametrize(
    ("camera", "size_px", "says"),
    [(KITCHEN.camera, (640, 480), "expected pictures of 1280x720.*got 640x480; set"), ("Other", (1280, 720), "got Other; name another")],
)
def test_another_camera_or_size_is_refused_with_what_to_do(camera: str, size_px: tuple[int, int], says: str) -> None:
    with pytest.raises(CalibrationError, match=says) as caught:
        KITCHEN.fitting(camera, size_px)
    assert "visionset calibrate lens" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert KITCHEN.fitting(KITCHEN.camera, (1280, 720)) is KITCHEN


@pytest.mark.parametrize(
    "text",
    [
        *("nonsense", "", 'name = "a"', 'name = "a"\ncamera = "b"\nsize_px = 3', 'name = "a"\ncamera = "b"\nsize_px = [1, 2]\nmore = 3'),
        'name = "a"\ncamera = "b"\nsize_px = [1, 2]\n[lens]\nfocal_px = [1]\ncenter_px = [1, 2]',
        *('name = "A b"\ncamera = "b"\nsize_px = [1, 2]', 'name = "a"\ncamera = "b"\nsize_px = [1, 2]\nimage_from_table = [1, 2]'),
    ],
)
def test_what_is_no_profile_is_said_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(CalibrationError) as caught:
        Calibration.parse(text)
    assert "\n" not in str(caught.value)
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "broken.toml").write_text(text)
    told: list[str] = []
    assert listed(tmp_path, told.append) == ()
    assert [line.endswith("; passed over") and "broken.toml" in line for line in told] == [True]
    with pytest.raises(CalibrationError, match=r"broken\.toml"):
        load("broken", tmp_path)


@pytest.mark.parametrize(
    ("good", "wrong", "says"),
    [
        ("focal_px = [900.5, ", "focal_px = [0.0, ", "a focal length and a centre in pixels"),
        ("focal_px = [900.5, ", "focal_px = [1e8, ", "a focal length and a centre in pixels"),
        ("center_px = [640.0, 355.5]", "center_px = [640.0, -1e8]", "a focal length and a centre in pixels"),
        ("distortion = [-0.21, ", "distortion = [-1e5, ", "more than any lens has"),
        ("card_mm = [63.5, 88.0]", "card_mm = [63.5, 0.0]", "width and height of a card"),
        ("card_mm = [63.5, 88.0]", "card_mm = [1e5, 88.0]", "width and height of a card"),
        ("ink_deg = [1.0, ", "ink_deg = [-361.0, ", "hues in degrees"),
        ("size_px = [1280, 720]", "size_px = [1280, 0]", "width and height of a picture"),
        ("size_px = [1280, 720]", "size_px = [200000, 720]", "width and height of a picture"),
        ("-0.05, 1.4, 300.0, ", "4.0, 0.2, 1200.0, ", "a table plane"),  # twice the first row: all of the table would be a line
    ],
)
def test_numbers_that_no_camera_table_or_deck_has_are_refused(good: str, wrong: str, says: str) -> None:
    text = str(KITCHEN)
    assert text.count(good) == 1
    with pytest.raises(CalibrationError, match=says):
        Calibration.parse(text.replace(good, wrong))


@pytest.mark.parametrize("name", ["", "../x", "A", "a" * 41, "a b"])
def test_odd_names_are_refused(name: str) -> None:
    with pytest.raises(CalibrationError, match="kitchen-table"):
        load(name)
    with pytest.raises(CalibrationError, match="kitchen-table"):
        Calibration(name, "camera 0", (640, 480))


def test_a_profile_without_table_says_so() -> None:
    bare = Calibration("a", "camera 0", (640, 480))
    for ask in (bare.table_mm, bare.image_px):
        with pytest.raises(CalibrationError, match="to know the table"):
            ask(np.zeros((1, 2)))


def test_where_profiles_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISIONSET_CONFIG", str(tmp_path / "own"))
    assert config_folder() == tmp_path / "own"
    assert save(KITCHEN) == tmp_path / "own" / "profiles" / "kitchen.toml"
    monkeypatch.delenv("VISIONSET_CONFIG")
    assert config_folder().name == "visionset"
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="VISIONSET_CONFIG"):
        calibration.save(KITCHEN, tmp_path / "file")
