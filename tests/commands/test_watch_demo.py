from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import count, repeat
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests.builders import NINE, ONE_SET, FakeCapture, FakeTracker, clip, deal, picture
from visionset.cli import main
from visionset.commands.process import Interrupts
from visionset.commands.story import Narrator
from visionset.geometry import Frame
from visionset.messages import Message
from visionset.recording import Recording
from visionset.recording.lines import Lines
from visionset.session import Session
from visionset.sources import Clip, Photos
from visionset.table import Settled, Table
from visionset.video_writer import VideoWriter


@pytest.fixture
def video(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    return clip(tmp_path / "table.mp4", [picture(deal(NINE, (640, 360), 90, 20))] * 8)


def test_without_a_display_the_video_is_recorded(nine: Table, video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = video.with_name("out.mp4")
    assert main(["watch", str(video), "--save", str(out)]) == 0
    said = capsys.readouterr()
    assert "going on without a window" in said.err
    assert "0.8 s recorded" in said.out
    assert "9 cards (1 not sure), 1 SET: one red solid oval, two red solid ovals, three red solid ovals" in said.out
    with Clip(out) as source:
        frames = list(source)
    assert len(frames) == 8
    assert frames[0].image_bgr.shape[0] > 360


def test_an_empty_name_opens_no_camera(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As of a variable of the shell that is not set."""
    assert main(["watch", "", "--save", str(video.with_name("out.mp4"))]) == 1
    assert "expected a camera or a video, got nothing" in capsys.readouterr().err


def test_what_was_seen_and_recorded_is_told_in_the_language(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, kept = (str(video.with_name(name)) for name in ("out.mp4", "kept"))
    assert main(["watch", str(video), "--save", out, "--record", kept, "--language", "de"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-3:] == [
        f"{out}: 0,8 s aufgenommen",
        f"{kept}: 8 Bilder aufgenommen; probiere jetzt: visionset replay {kept}",
        "8 Bilder gesehen",
    ]


def test_a_disk_that_fills_up_is_told_with_what_it_cost(
    nine: Table, video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    room = iter([10**9, *[0] * 100])
    monkeypatch.setattr("visionset.video_file.shutil.disk_usage", lambda _: SimpleNamespace(free=next(room)))
    assert main(["watch", str(video), "--save", str(video.with_name("out.mp4"))]) == 1
    said = capsys.readouterr()
    assert "the disk is nearly full" in said.err
    assert "0.0 s recorded, 0.8 s left out" in said.err
    assert "8 frames seen" in said.out
    assert [path.name for path in video.parent.iterdir()] == [video.name]


def test_a_video_that_a_full_disk_spoilt_leaves_its_room_to_the_recording(
    nine: Table, video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, folder, write = video.with_name("out.mp4"), video.with_name("kept"), os.write

    def taken(file: int, data: bytes) -> int:
        if any(path.name.startswith(".out.") for path in video.parent.iterdir()):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, data)

    monkeypatch.setattr(Lines.__init__, "__defaults__", (taken,))
    monkeypatch.setattr(VideoWriter, "_is_whole", lambda _: False)
    assert main(["watch", str(video), "--save", str(out), "--record", str(folder)]) == 1
    said = capsys.readouterr()
    assert "out.mp4: expected a video of 8 frames" in said.err
    assert "kept: 8 pictures recorded" in said.out
    assert len(Recording.open(folder).layouts) > 0


def test_without_a_display_and_an_output_it_says_what_to_do(nine: Table, video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(video)]) == 1
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "--save OUT.mp4" in said


def test_what_cannot_be_kept_is_said_before_it_goes_on_without_a_window(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wanted in (["--save", "out.avi"], ["--record", str(video)], ["--save", str(video.with_name("a.mp4")), "--profile", "none"]):
        assert main(["watch", str(video), *wanted]) == 1
        said = capsys.readouterr().err
        assert "got" in said
        assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["none.mp4"], "no such file"),
        (["--camera", "97"], "camera 97"),
        (["--camera", "-1"], "expected the number of a camera, got -1"),
        (["--camera", "kitchen"], "expected the number of a camera, got kitchen"),
        (["still"], "expected a video, got a picture; use visionset read still"),
        ([" "], "expected a camera or a video, got nothing"),
        (["table.mp4", "--camera", "0"], "both"),
        (["table.mp4", "--save", "table.mp4"], "another file"),
        (["table.mp4", "--save", "out.mkv"], "ends in .mp4"),
    ],
)
def test_mistakes_cost_one_line(
    video: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(video.parent)
    before = video.read_bytes()
    Path("still").write_bytes(cv2.imencode(".jpg", np.full((40, 60, 3), 90, np.uint8))[1].tobytes())
    assert main(["watch", *arguments]) == 1
    last = capfd.readouterr().err.splitlines()[-1]
    assert says in last
    assert video.read_bytes() == before


def test_a_video_that_was_recorded_is_not_written_over(nine: Table, video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = video.with_name("out.mp4")
    assert main(["watch", str(video), "--save", str(out)]) == 0
    evening = out.read_bytes()
    assert main(["watch", str(video), "--save", str(out)]) == 1
    assert "add --force" in capsys.readouterr().err
    assert out.read_bytes() == evening
    assert main(["watch", str(video), "--save", str(out), "--force"]) == 0
    assert main(["watch", str(video), "--save", str(video), "--force"]) == 1, "not even with --force"


def test_a_file_that_is_cut_short_is_told_once_and_is_no_success(
    nine: Table, video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Clip, "trouble", "the file is cut short")
    assert main(["watch", str(video), "--save", str(video.with_name("out.mp4"))]) == 1
    assert capsys.readouterr().err.count("cut short") == 1


def ends() -> list[signal.Signals]:
    return [signal.SIGINT] if os.name != "posix" else [signal.SIGTERM, signal.SIGHUP]


@pytest.mark.parametrize("end", ends(), ids=lambda end: end.name)
def test_what_was_recorded_is_kept_however_it_ends(
    nine: Table, video: Path, end: signal.Signals, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the system, or by a terminal that is closed."""
    seen = count(1)

    class Interrupted(FakeTracker):
        def see(self, frame: Frame) -> Settled:
            if next(seen) == 5:
                signal.raise_signal(end)
            return super().see(frame)

    monkeypatch.setattr("visionset.session.options.TableTracker", lambda reader, options: Interrupted(nine))
    out = video.with_name("out.mp4")
    interrupts = Interrupts()
    monkeypatch.setattr("visionset.commands.watching.INTERRUPTS", interrupts)
    before = signal.signal(end, interrupts._raise)
    assert main(["watch", str(video), "--save", str(out)]) == 0
    signal.signal(end, before)
    assert interrupts.keeps
    with Clip(out) as source:
        assert len(list(source)) == 4
    assert "stopped" in capsys.readouterr().out


def test_a_camera_unplugged_in_the_middle_is_told_and_waited_for(
    nine: Table, video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The camera gives a frame, goes away until that was told, comes back, and the person presses Ctrl-C."""
    from visionset.commands.parts import complain
    from visionset.sources import Camera, CameraOptions, camera

    told, frame = Event(), np.full((360, 640, 3), 90, np.uint8)
    first, later = FakeCapture([frame, False]), FakeCapture(repeat(frame))

    def opener(address: object, options: CameraOptions) -> FakeCapture:
        if not first.released:
            return first
        return later if told.is_set() else FakeCapture([], opened=False)

    start = Camera.__init__
    monkeypatch.setattr(
        camera.Camera, "__init__", lambda self, address: start(self, address, CameraOptions(retry_s=0.0, misses=1), opener=opener)
    )
    monkeypatch.setattr("visionset.commands.watch.complain", lambda line: (complain(line), "went away" in line and told.set()))

    class Impatient(FakeTracker):
        def see(self, frame: Frame) -> Settled:
            if frame.index:
                raise KeyboardInterrupt
            return super().see(frame)

    monkeypatch.setattr("visionset.session.options.TableTracker", lambda reader, options: Impatient(nine))
    assert main(["watch", "--save", str(video.with_name("out.mp4"))]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[1:] == ["visionset: camera 0 went away: plug it in again, visionset keeps trying", "visionset: camera 0 is back"]
    with Clip(video.with_name("out.mp4")) as source:
        assert len(list(source)) == 1


def test_demo_plays_tells_and_keeps_video_and_still(nine: Table, video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = video.parent / "kept" / "demo"
    assert main(["demo", str(video), "--save", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "table.mp4: 8 frames" in out
    assert "9 cards (1 not sure), 1 SET" in out
    assert "one green open diamond" in out
    assert "frames per second" in out
    with Clip(folder / "demo.mp4") as source:
        assert len(list(source)) == 8
    assert cv2.imread(str(folder / "demo.png")).shape[1] == 640
    assert main(["demo", str(video), "--save", str(folder), "--language", "de"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert not set(filter(None, told)) & set(out.splitlines())
    assert told[-1] == f"{folder / 'demo.mp4'} und {folder / 'demo.png'} geschrieben; probiere jetzt: visionset watch"


def test_a_pace_of_less_than_a_frame_in_a_second_is_not_none() -> None:
    assert str(Message("demo.pace", time_ms=3571.0, fps=0.28)) == "3571.0 ms a frame, 0.3 frames per second at most"


def test_demo_of_a_video_that_is_cut_short_says_so(
    video: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Clip, "trouble", "the file is cut short")
    assert main(["demo", str(video), "--save", str(video.parent / "kept")]) == 1
    said = capsys.readouterr()
    assert said.err == "visionset: the file is cut short\n"
    assert "demo.png" in said.out


def test_demo_writes_over_no_video_that_it_plays(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = video.rename(video.with_name("demo.mp4"))
    before = mine.read_bytes()
    assert main(["demo", str(mine), "--save", str(mine.parent)]) == 1
    assert "expected another file than the video that is watched" in capsys.readouterr().err
    assert mine.read_bytes() == before


def test_demo_into_a_file_is_refused(video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", str(video), "--save", str(video)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_demo_without_a_video_leaves_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", str(tmp_path / "nofile.mp4"), "--save", str(tmp_path / "kept" / "demo")]) == 1
    assert "expected a video, got no such file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_story_is_told_once_when_the_table_is_steady() -> None:
    tracker = FakeTracker(deal(ONE_SET))
    session, story = Session(Photos([]), tracker), Narrator()
    image = picture(tracker.table)
    lines = []
    for index in range(40):
        if index == 20:
            tracker.table = deal([*ONE_SET, "1-green-open-diamond"])
        if index in {30, 31}:
            tracker.table = deal(["1-purple-open-diamond"])  # a hand passes
        if index == 32:
            tracker.table = deal(["1-green-open-diamond", *ONE_SET])  # the same cards, found in another order
        lines.append(story.tell(session.look(Frame(image, index, index / 10))))
    told = [(index, line) for index, line in enumerate(lines) if line]
    assert [index for index, _ in told] == [4, 25]
    assert told[0][1].startswith("0:00.4  3 cards, 1 SET: one red solid oval")


def test_a_story_does_not_call_a_table_empty_before_it_was_read() -> None:
    unread = Settled(Table((640, 480)), passing=True)
    tracker = FakeTracker(Table((640, 480)))
    told = {}
    for name, see in (("not read yet", lambda _: unread), ("hands over it", lambda _: replace(unread, held=True)), ("read", tracker.see)):
        tracker.see = see  # type: ignore[method-assign]
        session, story = Session(Photos([]), tracker), Narrator()
        told[name] = [story.tell(session.look(Frame(np.zeros((480, 640, 3), np.uint8), at, at / 10))) for at in range(9)]
    assert list(map(max, told.values())) == ["", "", "0:00.4  no card and no die"]


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to a process")
def test_ctrl_c_in_read_ends_without_a_traceback(tmp_path: Path) -> None:
    code = "import sys; from visionset import cli; from visionset.commands import read; cli.import_module('visionset.commands.read')\n"
    code += "def stop(args): raise KeyboardInterrupt\nread.run = stop\nsys.exit(cli.main(['read', 'x.jpg']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "visionset: stopped\n")


def test_watch_keeps_a_recording(nine: Table, video: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from visionset.recording import Recording

    folder = video.with_name("our evening")  # what is said to be tried can be pasted
    video = clip(video.with_name("longer.mp4"), [picture(nine)] * 14)
    assert main(["watch", str(video), "--record", str(folder)]) == 0
    assert f"14 pictures recorded; now try: visionset replay '{folder}'" in capsys.readouterr().out
    recording = Recording.open(folder)
    assert len(list(recording.frames())) == 14
    assert [len(layout.table.sightings) for layout in recording.layouts] == [9] * len(recording.layouts)
    assert 3 <= len(recording.layouts) < 14  # the first frames are not settled yet
    assert main(["watch", str(video), "--record", str(folder)]) == 1
    assert "without a recording" in capsys.readouterr().err
