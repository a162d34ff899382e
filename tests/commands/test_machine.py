"""``cameras``, ``doctor`` and ``bench``: what they say about this machine."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.builders import NINE, FakeCapture
from visionset.cli import main
from visionset.commands import bench, doctor, measurement
from visionset.pieces import SET_DECK
from visionset.sources import CameraName
from visionset.table import Table


@pytest.fixture
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sample pictures of the sizes that are measured; what is on them is up to the stand-in for the reader."""
    cards = [str(card) for card in SET_DECK]
    photos = {"twelve.png": {"pieces": [*NINE[:8], *cards[-4:]]}, "deck.png": {"pieces": cards}}
    cv2.imwrite(str(tmp_path / "twelve.png"), np.full((720, 1280, 3), 90, np.uint8))
    cv2.imwrite(str(tmp_path / "deck.png"), np.full((300, 400, 3), 90, np.uint8))
    (tmp_path / "truth.json").write_text(json.dumps({"kind": "set_card", "photos": photos}))
    monkeypatch.setattr("visionset.sample_files.samples_folder", lambda: tmp_path)
    return tmp_path


def test_cameras_by_number_and_name(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("visionset.sources.devices.list_cameras", lambda: (CameraName(0, "Lid"), CameraName(2, "USB")))
    assert main(["cameras"]) == 0
    assert capsys.readouterr().out == "0  Lid\n2  USB\n"


def test_no_camera_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("visionset.sources.devices.list_cameras", lambda: ())
    assert main(["cameras"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def installed(**versions: str) -> dict[str, str]:
    return {
        "numpy": "2.4.6",
        "scikit-image": "0.26.0",
        "scipy": "1.17.0",
        "rich": "15.0.0",
        "platformdirs": "4.0",
        "pillow": "13.0.0",
        "onnxruntime": "1.32.0",
        "shtab": "1.13.0",
    } | {name.replace("_", "-"): version for name, version in versions.items()}


def problems(packages: dict[str, str]) -> list[str]:
    return [check.text for check in doctor.check_packages(packages.get) if check.grade is doctor.Grade.PROBLEM]


def test_packages_that_fit_are_no_problem() -> None:
    assert problems(installed(opencv_python="5.0.0.93")) == []


@pytest.mark.parametrize(
    ("packages", "says"),
    [
        (installed(), "OpenCV is not installed"),
        (installed(opencv_python="4.14.0.94"), "older than 5.0"),
        (installed(opencv_python="5.0.0.93", opencv_python_headless="5.0.0.93"), "installed together"),
        (installed(opencv_python="5.0.0.93", numpy="1.26.4"), "numpy 1.26.4 is older than 2.0"),
        ({"opencv-python": "5.0.0.93", **{k: v for k, v in installed().items() if k != "rich"}}, "rich is not installed"),
    ],
)
def test_packages_that_do_not_fit_are_named_with_the_cure(packages: dict[str, str], says: str) -> None:
    (check,) = [check for check in doctor.check_packages(packages.get) if check.grade is doctor.Grade.PROBLEM]
    assert says in check.text
    assert "pip" in check.todo


def test_headless_opencv_is_noted() -> None:
    notes = [check for check in doctor.check_packages(installed(opencv_python_headless="5.0.0.93").get) if check.grade is doctor.Grade.NOTE]
    assert "no windows" in notes[0].text


def test_doctor_checks_what_pyproject_asks_for() -> None:
    import tomllib

    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text())["project"]
    wanted = {text.partition(">=")[0]: text.partition(">=")[2].partition(",")[0] for text in project["dependencies"]}
    checked = {name: ".".join(map(str, least)) for name, least in doctor._NEEDED.items()} | {
        "opencv-python": ".".join(map(str, doctor._OPENCV_LEAST))
    }
    assert {name: version + ".0" if "." not in version else version for name, version in wanted.items()} == checked


def test_doctor_says_what_to_do(nine: Table, samples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(doctor, "_installed", installed(opencv_python="5.0.0.93").get)
    monkeypatch.setattr("visionset.window.display.why_no_display", lambda: "expected a display, got none")
    monkeypatch.setattr("visionset.sources.list_cameras", lambda: ())
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert f"ok      ONNX Runtime {metadata.version('onnxruntime')} runs the networks, " in out
    assert "reads 8 of 12 cards of the sample twelve.png" in out
    assert "note    no window: expected a display" in out
    assert "videos can be written and read (3 frames)" in out
    assert "-> plug one in" in out
    assert "PROBLEM" not in out


def test_doctor_finds_a_reader_that_reads_nothing(
    samples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("visionset.vision.pipeline.read", lambda image, options=None, *, stages=None: Table((1280, 720)))
    monkeypatch.setattr("visionset.window.display.why_no_display", lambda: "")
    monkeypatch.setattr("visionset.sources.list_cameras", lambda: ())
    assert main(["doctor"]) == 1
    assert "PROBLEM reads 0 of 12 cards" in capsys.readouterr().out


def test_doctor_takes_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    from visionset.sources import camera

    monkeypatch.setattr("visionset.sources.list_cameras", lambda: (CameraName(3, "Lid"),))
    capture = FakeCapture([np.zeros((48, 64, 3), np.uint8)] * 2)
    monkeypatch.setitem(camera.Camera.__init__.__kwdefaults__, "opener", lambda *_: capture)
    check = doctor.check_camera()
    assert (check.grade, check.text) == (doctor.Grade.OK, "camera 3, Lid: 64x48, 25 frames per second")


@pytest.mark.slow
def test_bench_has_every_bar(nine: Table, samples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(measurement, "_ROUNDS", 1)
    monkeypatch.setattr(bench, "_TABLES", 1)
    monkeypatch.setattr(bench, "process_cost", lambda command: (900.0, 200.0))
    rows = bench.measure()
    monkeypatch.setattr(bench, "measure", lambda tell: rows)
    assert main(["bench", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [(row["name"].split(",")[0], row["bar"], row["unit"]) for row in report["rows"]] == [
        ("floor", None, "ms"),
        ("12 SET cards", 30.0, "ms"),
        ("the same over the floor", 8.0, "x"),
        ("a frame in which nothing changed", 4.0, "ms"),
        ("12 SET cards and all other kinds looked for", 45.0, "ms"),
        ("6 pip dice", 35.0, "ms"),
        ("12 playing cards", 60.0, "ms"),
        ("42 SET dice", 90.0, "ms"),
        ("81 cards", 120.0, "ms"),
        ("1080 SETs among 81 cards", 2.0, "ms"),
        ("visionset read on one photo", 1500.0, "ms"),
        ("its peak memory", 350.0, "MB"),
    ]
    assert report["rows"][10]["met"]
    assert main(["bench"]) == 0
    assert "1080 SETs" in capsys.readouterr().out


def test_a_process_costs_time_and_memory() -> None:
    import sys

    spent_ms, peak_mb = measurement.process_cost([sys.executable, "-c", "print('7 7'); b = bytearray(60_000_000)"])
    assert spent_ms > 5
    assert 60 < peak_mb < 120
