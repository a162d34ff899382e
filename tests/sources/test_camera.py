from __future__ import annotations

import sys
import time
from itertools import chain, repeat
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from tests.builders import Clock, FakeCapture
from visionset.errors import SourceError
from visionset.messages import in_words, speaking
from visionset.recording import Recording
from visionset.session import SessionOptions
from visionset.session.recorded import recorder_of
from visionset.sources import Camera, CameraOptions
from visionset.sources.camera import without_password
from visionset.sources.devices import CameraName, _from_sysfs

QUICK = CameraOptions(first_s=5.0, retry_s=0.0, misses=2)
PATIENCE_S = 10.0


def shade(value: int) -> np.ndarray:
    return np.full((4, 6, 3), value, np.uint8)


def level(frame: object) -> int:
    assert frame is not None
    return int(frame.image_bgr[0, 0, 0])  # type: ignore[attr-defined]


def test_newest_frame_wins_and_dropped_ones_leave_a_gap() -> None:
    all_read, go_on, hold = Event(), Event(), Event()

    def last() -> np.ndarray:
        all_read.set()
        go_on.wait(PATIENCE_S)
        return shade(99)

    capture = FakeCapture([shade(0), shade(1), shade(2), shade(3), last, lambda: hold.wait(PATIENCE_S)])
    with Camera(0, QUICK, opener=lambda *_: capture) as camera:
        assert all_read.wait(PATIENCE_S)
        frame = camera.poll(PATIENCE_S)
        assert (level(frame), frame and frame.index) == (3, 3)
        assert camera.poll(0.0) is None  # each frame is given once
        go_on.set()
        assert level(camera.poll(PATIENCE_S)) == 99
        hold.set()


@pytest.mark.parametrize(
    ("address", "says"),
    [
        (2, "camera 2 went away: plug it in again, visionset keeps trying"),
        ("rtsp://phone/live", "rtsp://phone/live went away: see that it still sends and that the network is up, visionset keeps trying"),
    ],
)
def test_a_camera_that_went_away_is_waited_for_and_it_says_so(address: int | str, says: str) -> None:
    plugged_in, lost = Event(), Event()
    first = FakeCapture([shade(1), False, False])
    second = FakeCapture(chain([shade(7)], repeat(lambda: plugged_in.wait(PATIENCE_S) and shade(7))))
    closed = FakeCapture([], opened=False)

    def opener(address: object, options: object) -> FakeCapture:
        if not first.released:
            return first
        lost.set()
        return second if plugged_in.is_set() else closed

    with Camera(address, QUICK, opener=opener) as camera:
        assert level(camera.poll(PATIENCE_S)) == 1
        assert lost.wait(PATIENCE_S)
        assert in_words(camera.trouble) == says
        assert first.released
        assert not camera.ended
        plugged_in.set()
        assert level(camera.poll(PATIENCE_S)) == 7
        assert camera.trouble == ""
    assert second.released


def test_one_damaged_picture_is_no_unplugging() -> None:
    hold, opened = Event(), []
    capture = FakeCapture([shade(1), False, shade(2), False, shade(3), lambda: hold.wait(PATIENCE_S)])

    def opener(address: object, options: object) -> FakeCapture:
        opened.append(address)
        return capture

    with Camera(0, QUICK, opener=opener) as camera:
        while level(camera.poll(PATIENCE_S)) != 3:
            pass
        assert opened == [0]
        hold.set()


def test_silence_is_said() -> None:
    hold, waiting = Event(), Event()

    def silent() -> bool:
        waiting.set()
        return hold.wait(PATIENCE_S)

    clock = Clock()
    with Camera(0, QUICK, opener=lambda *_: FakeCapture([shade(1), silent]), clock=clock) as camera:
        assert waiting.wait(PATIENCE_S)
        assert camera.trouble == ""
        clock.now_s += 3
        assert in_words(camera.trouble) == "camera 0 has sent no picture for 3 s"
        with speaking("de"):
            assert in_words(camera.trouble) == "Kamera 0 schickt seit 3 s kein Bild"
        hold.set()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other clocks")
def test_the_sleep_of_the_computer_is_a_gap_between_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    slept_s, first_taken, hold = [0.0], Event(), Event()
    real = time.clock_gettime
    monkeypatch.setattr(time, "clock_gettime", lambda clock: real(clock) + slept_s[0] * (clock == time.CLOCK_BOOTTIME))

    def after_sleep() -> np.ndarray:
        first_taken.wait(PATIENCE_S)
        slept_s[0] = 3600.0
        return shade(2)

    capture = FakeCapture([shade(1), after_sleep, lambda: hold.wait(PATIENCE_S)])
    with Camera(0, QUICK, opener=lambda *_: capture) as camera:
        before = camera.poll(PATIENCE_S)
        first_taken.set()
        after = camera.poll(PATIENCE_S)
        hold.set()
    assert before is not None
    assert after is not None
    assert after.time_s - before.time_s >= 3600


def test_missing_camera_is_said() -> None:
    with pytest.raises(SourceError, match="camera 93: expected") as caught:
        Camera(93, QUICK, opener=lambda *_: FakeCapture([], opened=False))
    assert "\n" not in str(caught.value)


def test_missing_stream_is_said() -> None:
    with pytest.raises(SourceError, match="got no answer"):
        Camera("rtsp://example.invalid/live", QUICK, opener=lambda *_: FakeCapture([], opened=False))


def test_a_camera_without_pictures_is_said() -> None:
    capture = FakeCapture([])
    with pytest.raises(SourceError, match="privacy shutter"):
        Camera(0, QUICK, opener=lambda *_: capture, clock=Clock(step_s=1.0))
    assert capture.released


def test_odd_pictures_are_passed_over() -> None:
    odd = [np.zeros((4, 6), np.uint8), np.zeros((4, 6, 4), np.uint8), np.zeros((4, 6, 3), np.uint16)]
    hold = Event()
    with Camera(0, CameraOptions(misses=9), opener=lambda *_: FakeCapture([*odd, shade(5), lambda: hold.wait(PATIENCE_S)])) as camera:
        assert level(camera.poll(PATIENCE_S)) == 5
        hold.set()


def test_iteration_ends_when_closed() -> None:
    capture = FakeCapture(repeat(shade(1)))
    camera = Camera(0, QUICK, opener=lambda *_: capture)
    next(camera)
    camera.close()
    camera.close()
    assert list(camera) == []
    assert capture.released


def test_cameras_of_linux_by_name(tmp_path: Path) -> None:
    for node, index, name in (
        ("video0", "0", "Integrated Webcam"),
        ("video1", "1", "Integrated Webcam"),
        ("video10", "0", "USB"),
        ("video2", "0", "Old"),
    ):
        (tmp_path / node).mkdir()
        (tmp_path / node / "index").write_text(index + "\n")
        (tmp_path / node / "name").write_text(name + "\n")
    (tmp_path / "video3").mkdir()  # vanished between two looks
    assert _from_sysfs(tmp_path) == (CameraName(0, "Integrated Webcam"), CameraName(2, "Old"), CameraName(10, "USB"))
    assert _from_sysfs(tmp_path / "nowhere") == ()


def test_what_a_stream_is_called_holds_no_password() -> None:
    secret = "rtsp://ann:pw@192.168.1.9/live"
    opened: list[object] = []

    def opener(address: object, options: object) -> FakeCapture:
        opened.append(address)
        return FakeCapture([shade(1), False, False])

    with Camera(secret, QUICK, opener=opener) as camera:
        assert opened[0] == secret
        assert in_words(camera.called) == "rtsp://192.168.1.9/live"
    with pytest.raises(SourceError, match=r"^rtsp://192\.168\.1\.9/live: expected a video stream"):
        Camera(secret, QUICK, opener=lambda *_: FakeCapture([], opened=False))


@pytest.mark.parametrize(
    ("address", "called"),
    [
        ("rtsp://ann:p/w@192.168.1.9/live", "rtsp://192.168.1.9/live"),
        ("rtsp://ann:p?w@192.168.1.9/live", "rtsp://192.168.1.9/live"),
        ("rtsp://ann:1@2/w@192.168.1.9/live", "rtsp://192.168.1.9/live"),
        ("http://192.168.1.9/video.cgi?user=ann@home.example&pwd=pw", "http://192.168.1.9/video.cgi"),
        ("rtsp://192.168.1.9:554/user=ann_password=pw_channel=1_stream=0.sdp?real_stream", "rtsp://192.168.1.9:554"),
        ("rtsp://192.168.1.9/live/user=ann&password=pw", "rtsp://192.168.1.9/live"),
        ("http://192.168.1.9:8080/video?640x480", "http://192.168.1.9:8080/video?640x480"),
        ("http://ann:pw@192.168.1.9:8080/video?640x480", "http://192.168.1.9:8080/video?640x480"),
        ("rtsp://ann:p 'w@192.168.1.9/live", "rtsp://192.168.1.9/live"),
        ("rtsp:/ann:p 'w@192.168.1.9/live", "rtsp:/192.168.1.9/live"),
        (r"rtsp:\\ann:pw@192.168.1.9\live", r"rtsp:\\192.168.1.9\live"),
        ("rtsp;//ann:pw@192.168.1.9/live", "rtsp;//192.168.1.9/live"),
        (r"C:\ann\ann@home.mp4", r"C:\ann\ann@home.mp4"),
        ("http://192.168.1.9:8080", "http://192.168.1.9:8080"),
        ("rtsp://[fe80::1]:554/live", "rtsp://[fe80::1]:554/live"),
        ("rtsp://[fe80::1]/live", "rtsp://[fe80::1]/live"),
        ("who?=me@home.mp4", "who?=me@home.mp4"),
        ("SET: the final's end.mp4", "SET: the final's end.mp4"),
        ("c:/an evening/who:me@home.mp4", "c:/an evening/who:me@home.mp4"),
    ],
)
def test_a_password_is_found_wherever_cameras_want_it(address: str, called: str) -> None:
    assert without_password(address) == called


def test_a_recording_of_a_stream_holds_no_password(tmp_path: Path) -> None:
    with Camera("rtsp://ann:pw@192.168.1.9/live", QUICK, opener=lambda *_: FakeCapture([shade(1), False, False])) as camera:
        recorder_of(tmp_path / "evening", camera, SessionOptions()).close()
    assert Recording.open(tmp_path / "evening").heading.source == "rtsp://192.168.1.9/live"
