from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from visionset.errors import OutputError
from visionset.sources import Clip, read_picture
from visionset.video_writer import VideoWriter, write_picture


def shade(value: int, size: tuple[int, int] = (48, 64)) -> np.ndarray:
    return np.full((*size, 3), value, np.uint8)


def recorded(path: Path) -> list[np.ndarray]:
    with Clip(path) as clip:
        return [frame.image_bgr for frame in clip]


def test_slow_frames_are_repeated_and_fast_ones_dropped(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "out.mp4", 10.0) as recording:
        for value, time_s in ((20, 5.0), (60, 5.3), (100, 5.32), (140, 5.34), (180, 5.5)):
            recording.write(shade(value), time_s)
    assert [20 * round(float(image.mean()) / 20) for image in recorded(tmp_path / "out.mp4")] == [20, 60, 60, 60, 180, 180]


def test_frames_at_the_pace_of_the_file_are_written_once_each(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "out.mp4", 29.97) as recording:
        for number in range(100):
            recording.write(shade(number), number / 29.97)
    assert recording.frames == 100


def test_a_pause_is_cut(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "out.mp4", 10.0) as recording:
        recording.write(shade(20), 0.0)
        recording.write(shade(60), 600.0)
    assert 2 <= recording.frames <= 12


def test_what_was_written_is_kept_after_an_interruption(tmp_path: Path) -> None:
    def interrupted() -> None:
        with VideoWriter(tmp_path / "out.mp4", 10.0) as recording:
            for number in range(5):
                recording.write(shade(number), number / 10)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(recorded(tmp_path / "out.mp4")) == 5


def test_odd_and_changing_sizes_are_fitted(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "out.mp4", 10.0) as recording:
        recording.write(shade(200, (47, 63)), 0.0)
        recording.write(shade(200, (63, 47)), 0.1)
    images = recorded(tmp_path / "out.mp4")
    assert [image.shape for image in images] == [(48, 64, 3)] * 2
    assert images[1][24, 32].mean() > 150
    assert images[1][24, 2].mean() < 50


@pytest.mark.parametrize("name", ["out.avi", "out", "taken/out.mp4"])
def test_what_cannot_be_written_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "taken").write_text("a file where a folder should be")
    with pytest.raises(OutputError) as caught:
        VideoWriter(tmp_path / name, 10.0)
    assert "\n" not in str(caught.value)


def test_a_folder_is_no_video(tmp_path: Path) -> None:
    (tmp_path / "out.mp4").mkdir()
    with pytest.raises(OutputError, match="is a directory"):
        VideoWriter(tmp_path / "out.mp4", 10.0)


def test_nothing_written_leaves_no_file(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "out.mp4", 10.0):
        pass
    assert list(tmp_path.iterdir()) == []


def test_pictures_of_any_name(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("a.png", "Tisch über Eck.jpg"):
        write_picture(tmp_path / name, shade(100))
        assert abs(int(read_picture(tmp_path / name)[5, 5, 0]) - 100) < 3
    with pytest.raises(OutputError, match="no such file"):
        write_picture(tmp_path / "none" / "a.png", shade(100))
    assert capfd.readouterr().err == ""


def test_no_encoder_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        cv2, "VideoWriter", type("None", (), {"__init__": lambda *_: None, "isOpened": lambda _: False, "fourcc": lambda *_: 0})
    )
    with VideoWriter(tmp_path / "out.mp4", 10.0) as recording, pytest.raises(OutputError, match="no encoder"):
        recording.write(shade(1), 0.0)


def test_a_disk_that_fills_up_costs_what_came_then_and_no_more(tmp_path: Path) -> None:
    room = [10**9]
    with VideoWriter(tmp_path / "out.mp4", 10.0, lambda _: room[0]) as recording:
        for number in range(60):
            if number in {20, 40}:
                room[0] = 0 if number == 20 else 10**9
            recording.write(shade(number), number / 10)
            assert (recording.trouble != "") == (30 <= number < 45)
    assert recording.frames + recording.missing == 60
    assert len(recorded(tmp_path / "out.mp4")) == recording.frames == 45
    assert [path.name for path in tmp_path.iterdir()] == ["out.mp4"]


def test_a_full_disk_is_said_before_anything_is_recorded(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="expected 32 MB of free disk"):
        VideoWriter(tmp_path / "out.mp4", 10.0, lambda _: 1_000_000)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits")
def test_a_video_that_did_not_reach_the_disk_is_told_and_the_old_one_stays(tmp_path: Path) -> None:
    """The limit stands for a quota or a disk that fills up between two looks at it."""
    program = """
import resource, sys
import numpy as np
from visionset.video_writer import VideoWriter
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
with VideoWriter(sys.argv[1], 10.0) as recording:
    for number in range(40):
        recording.write(np.random.default_rng(number).integers(0, 255, (240, 320, 3), np.uint8), number / 10)
"""
    path = tmp_path / "out.mp4"
    path.write_text("before")
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert "expected a video of 40 frames, got one that cannot be read" in done.stderr.splitlines()[-1]
    assert [one.name for one in tmp_path.iterdir()] == ["out.mp4"]
    assert path.read_text() == "before"
