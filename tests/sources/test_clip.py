from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tests.builders import clip
from visionset.errors import OutputError, SourceError
from visionset.messages import in_words
from visionset.recording import Heading, Recorder
from visionset.sources import Camera, CameraOptions, Clip, open_source
from visionset.video_writer import VideoWriter


def shades(count: int) -> list[np.ndarray]:
    return [np.full((48, 64, 3), 20 * number, np.uint8) for number in range(count)]


@pytest.mark.skipif(os.name != "posix", reason="names are text there")
def test_a_name_that_is_no_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended the program without a word."""
    path = Path(os.fsdecode(bytes(tmp_path) + b"/bad\xff.mp4"))
    path.write_bytes(b"any")
    with pytest.raises(SourceError, match="whose name is text"):
        Clip(path)
    with pytest.raises(OutputError, match="a name that is text"):
        VideoWriter(path, 25.0)
    folder = Path(os.fsdecode(bytes(tmp_path) + b"/bad\xff"))
    with pytest.raises(OutputError, match="whose name is text"):
        Recorder(folder, Heading("camera 0"))
    assert not folder.exists()
    folder.mkdir()
    monkeypatch.chdir(folder)  # a video is written beside its whole name first
    with pytest.raises(OutputError, match="a name that is text"):
        VideoWriter("table.mp4", 25.0)
    assert list(folder.iterdir()) == []


def test_every_frame_comes_in_order_and_again(tmp_path: Path) -> None:
    path = clip(tmp_path / "shades.mp4", shades(8), fps=10)
    for _ in range(2):
        with Clip(path) as source:
            frames = list(source)
        assert [frame.index for frame in frames] == list(range(8))
        assert [frame.time_s for frame in frames] == pytest.approx([index / 10 for index in range(8)])
        assert [round(float(frame.image_bgr.mean()) / 20) for frame in frames] == list(range(8))
        assert source.trouble == ""


def test_frames_cannot_be_drawn_on(tmp_path: Path) -> None:
    with Clip(clip(tmp_path / "shades.mp4", shades(2))) as source:
        frame = next(source)
    with pytest.raises(ValueError, match="read-only"):
        frame.image_bgr[0, 0] = 0


def test_end_is_known_with_the_last_frame(tmp_path: Path) -> None:
    with Clip(clip(tmp_path / "shades.mp4", shades(2))) as source:
        source.poll()
        assert not source.ended
        source.poll()
        assert source.ended
        assert source.poll() is None


@pytest.mark.parametrize(
    ("name", "says"), [("none.mp4", "no such file"), ("text.mp4", "without a picture"), (".", "a folder"), ("still.png", "visionset read")]
)
def test_what_is_no_video_is_said(tmp_path: Path, name: str, says: str, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.mp4").write_text("no video")
    (tmp_path / "still.png").write_text("a picture by its name")
    with pytest.raises(SourceError, match=says) as caught:
        Clip(tmp_path / name)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_a_clip_that_stops_early_says_so(tmp_path: Path) -> None:
    with Clip(clip(tmp_path / "shades.mp4", shades(4))) as source:
        source.frame_count = 40  # as the header of a file that was cut short says
        assert len(list(source)) == 4
        assert in_words(source.trouble) == "shades.mp4 stops after 4 of 40 frames: the file is cut short"


def test_names_open_the_right_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(Camera, "__init__", lambda self, address, *options: opened.append((address, *options)))
    for text in ("0", "12", "/dev/video3", "rtsp://example.invalid/live"):
        assert isinstance(open_source(text), Camera)
    assert opened == [(0,), (12,), (3,), ("rtsp://example.invalid/live",)]
    large = CameraOptions(size_px=(1920, 1080))
    open_source("1", large)
    assert opened[-1] == (1, large)
    with open_source(str(clip(tmp_path / "shades.mp4", shades(2)))) as source:
        assert isinstance(source, Clip)
