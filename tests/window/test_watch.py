from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.builders import NINE, Clock, FakeScreen, FakeTracker, clip, deal, picture
from visionset.geometry import Frame
from visionset.recording import Heading, Recorder, Recording
from visionset.session import Session, Snapshot
from visionset.session.recorded import recording_in
from visionset.sources import Clip
from visionset.sources.base import Source
from visionset.video_writer import VideoWriter
from visionset.window.display import why_no_display
from visionset.window.watch import Shown, TablePresenter
from visionset.window.window import TableWindow

TABLE = deal(NINE, (640, 360), 90, 20)
IMAGE = picture(TABLE)


class Script(Source):
    """A live source: each step is a frame, None for nothing new, or a text for trouble."""

    name, fps, is_live = "camera 0", 10.0, True

    def __init__(self, steps: list[object]) -> None:
        self.steps, self.count = steps, 0

    def poll(self, timeout_s: float) -> Frame | None:
        if not self.steps:
            self.ended = True
            return None
        step = self.steps.pop(0)
        if step is None or isinstance(step, str):
            self.trouble = step or ""
            return None
        self.count += 1
        return Frame(IMAGE, self.count, self.count / 10)


def window_of(session: Session, screen: FakeScreen | None, clock: Clock | None = None, **more: object) -> TableWindow:
    clock = clock or Clock()
    return TableWindow(session, TablePresenter(session, clock=clock, **more), screen, clock=clock)  # type: ignore[arg-type]


def watch(steps: list[object], screen: FakeScreen | None, clock: Clock | None = None, **more: object) -> TableWindow:
    return window_of(Session(Script(steps), FakeTracker(TABLE)), screen, clock, **more)


def test_frames_are_shown_with_a_caption_until_the_person_quits() -> None:
    screen = FakeScreen([-1, -1, "q"])
    window = watch([True] * 10, screen)
    window.run()
    assert (window.session.frames, len(screen.shown)) == (3, 3)
    assert screen.shown[0].shape[0] > 360
    assert (screen.shown[0][:360] != IMAGE).any()


def test_a_clip_is_shown_to_its_end(tmp_path: Path) -> None:
    screen = FakeScreen([-1] * 50)
    with Clip(clip(tmp_path / "table.mp4", [IMAGE] * 6)) as source:
        window_of(Session(source, FakeTracker(TABLE)), screen, Clock(step_s=0.01)).run()
    assert len(screen.shown) == 6


def test_a_clip_is_played_at_its_own_pace(tmp_path: Path) -> None:
    waits: list[float] = []
    clock = Clock()

    class Patient(FakeScreen):
        def key(self, wait_s: float) -> int:
            waits.append(wait_s)
            clock.now_s += wait_s + 0.002  # showing takes its time as well
            return -1

    with Clip(clip(tmp_path / "table.mp4", [IMAGE] * 20, fps=25)) as source:
        start_s = clock.now_s
        window_of(Session(source, FakeTracker(TABLE)), Patient([]), clock).run()
    assert clock.now_s - start_s == pytest.approx(20 / 25, abs=0.02)


def test_keys_do_not_hurry_a_clip(tmp_path: Path) -> None:
    clock = Clock()

    class Held(FakeScreen):
        def key(self, wait_s: float) -> int:
            clock.now_s += 0.01
            return ord("l")

    with Clip(clip(tmp_path / "table.mp4", [IMAGE] * 8, fps=25)) as source:
        start_s = clock.now_s
        window_of(Session(source, FakeTracker(TABLE)), Held([]), clock).run()
    assert clock.now_s - start_s == pytest.approx(8 / 25, abs=0.04)


def test_while_paused_the_picture_stands_and_keys_work() -> None:
    screen = FakeScreen([" ", -1, "0", -1, " ", "q"])
    window = watch([True] * 10, screen)
    window.run()
    assert window.session.frames == 2
    assert len(screen.shown) == 4  # the frame, paused, hints off, going on
    assert (screen.shown[1][:360] != screen.shown[2][:360]).any()


def test_while_paused_the_caption_says_so_after_other_keys_too() -> None:
    clock = Clock()
    presenter = TablePresenter(Session(Script([]), FakeTracker(TABLE)), clock=clock)
    shown = Shown(IMAGE, IMAGE)

    def told(key: str, later_s: float) -> object:
        presenter.pressed(ord(key), shown)
        clock.now_s += later_s
        return presenter.wanted[1]

    assert told(" ", 0) == told("?", 0) == told("n", 9) == "paused: space goes on"
    assert told("l", 0) == "names off; paused: space goes on"
    assert told("t", 9) == "paused: space goes on"
    assert told(" ", 0) == ""


def test_trouble_is_shown_and_told_once() -> None:
    said: list[str] = []
    screen = FakeScreen([-1] * 4 + ["q"])
    steps: list[object] = [True, "camera 0 went away", "camera 0 went away", None, True]
    window_of(Session(Script(steps), FakeTracker(TABLE), complain=said.append), screen).run()
    assert said == ["camera 0 went away", "camera 0 is back"]
    assert len(screen.shown) == 4
    assert (screen.shown[0][360:] != screen.shown[1][360:]).any()
    assert np.array_equal(screen.shown[0][360:], screen.shown[3][360:])


def test_an_answer_to_a_key_goes_away_again() -> None:
    clock = Clock()

    class Later(FakeScreen):
        def key(self, wait_s: float) -> int:
            clock.now_s += 1.0
            return super().key(wait_s)

    screen = Later(["m", "m", -1, -1, -1, -1, "q"])
    watch([True] * 20, screen, clock=clock).run()
    captions = [image[360:] for image in screen.shown]
    assert (captions[1] != captions[0]).any()
    assert np.array_equal(captions[-1], captions[0])


def test_a_remark_about_the_view_is_shown_until_it_is_mended() -> None:
    tracker, screen = FakeTracker(TABLE), FakeScreen([-1] * 6 + ["q"])

    def told(snapshot: Snapshot, news: object) -> None:
        tracker.remarks = ("too dark to read: more light on the table, please",) if 2 <= snapshot.frame.index < 5 else ()

    session = Session(Script([True] * 10), tracker)
    session.listen(told)
    window_of(session, screen).run()
    captions = [image[360:] for image in screen.shown]
    assert [np.array_equal(caption, captions[0]) for caption in captions] == [True, True, False, False, False, True, True]


def test_only_a_settled_table_is_recorded(tmp_path: Path) -> None:
    tracker = FakeTracker(TABLE)

    def told(snapshot: Snapshot, news: object) -> None:
        tracker.held = snapshot.frame.index in {3, 4}

    with Recorder(tmp_path / "evening", Heading("camera 0", 10.0)) as recorder:
        session = Session(Script([True] * 8), tracker)
        session.listen(recording_in(recorder))
        session.listen(told)
        session.run()
    recording = Recording.open(tmp_path / "evening")
    assert [one.frame for one in recording.pictures] == list(range(1, 9))
    assert [layout.frame for layout in recording.layouts] == [1, 2, 3, 6, 7, 8]


def test_help_and_times_are_shown_but_not_recorded(tmp_path: Path) -> None:
    screen = FakeScreen(["?", "?", "t", "q"])
    with VideoWriter(tmp_path / "out.mp4", 10.0) as recording:
        session, clock = Session(Script([True] * 10), FakeTracker(TABLE)), Clock()
        TableWindow(session, TablePresenter(session, clock=clock), screen, recording.write, clock).run()
    plain, with_help, _, with_times = (image[:360].astype(int) for image in screen.shown)
    assert np.abs(with_help - plain).mean() > 5
    assert np.abs(with_times - plain).mean() > 1
    assert np.abs(with_times - with_help).mean() > 1
    with Clip(tmp_path / "out.mp4") as source:
        for frame in source:
            assert np.abs(frame.image_bgr[:360].astype(int) - plain).mean() < 4


def test_without_a_screen_everything_is_recorded(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "out.mp4", 10.0) as recording:
        session = Session(Script([True, None, True, True]), FakeTracker(TABLE))
        TableWindow(session, TablePresenter(session), None, recording.write).run()
    assert (session.frames, recording.frames) == (3, 3)


def test_pictures_are_saved_under_free_names(tmp_path: Path) -> None:
    (tmp_path / "visionset-001.png").write_text("mine")
    watch([True] * 10, FakeScreen(["s", "s", "q"]), pictures=tmp_path).run()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["visionset-001.png", "visionset-002.png", "visionset-003.png"]
    assert (tmp_path / "visionset-001.png").read_text() == "mine"


def test_a_picture_that_cannot_be_saved_ends_nothing(tmp_path: Path) -> None:
    screen = FakeScreen(["s", -1, "q"])
    window = watch([True] * 10, screen, pictures=tmp_path / "none")
    window.run()
    assert "no such file" in window.presenter.state.notice  # type: ignore[attr-defined]
    assert window.session.frames == 3


def test_closing_the_window_ends_it() -> None:
    class Closed(FakeScreen):
        def is_open(self) -> bool:
            return len(self.shown) < 2

    window = watch([True] * 10, Closed([-1] * 10))
    window.run()
    assert window.session.frames == 2


@pytest.mark.parametrize(
    ("display", "wayland", "says"), [("", "", "DISPLAY is not set"), ("", "wayland-0", "Wayland alone"), (":4711", "", "at DISPLAY=:4711")]
)
def test_no_display_is_said_and_ends_nothing(monkeypatch: pytest.MonkeyPatch, display: str, wayland: str, says: str) -> None:
    import sys

    monkeypatch.setattr(sys, "platform", "linux")
    for name, value in (("DISPLAY", display), ("WAYLAND_DISPLAY", wayland)):
        monkeypatch.setenv(name, value) if value else monkeypatch.delenv(name, raising=False)
    assert says in why_no_display()


def test_windows_and_macos_have_displays(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for platform in ("win32", "darwin"):
        monkeypatch.setattr(sys, "platform", platform)
        assert why_no_display() == ""
