"""The window by OpenCV, without a display: what is asked of OpenCV is written down."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from visionset.window import screen
from visionset.window.screen import OpenCvScreen, opening_px

PICTURE = np.zeros((720, 1280, 3), np.uint8)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    calls: list[tuple[object, ...]] = []

    def noting(name: str) -> Callable[..., object]:
        def note(*arguments: object) -> object:
            calls.append((name, *(arguments[1:] if name in {"resizeWindow", "moveWindow"} else ())))
            return -1

        return note

    for name in ("namedWindow", "setMouseCallback", "imshow", "waitKeyEx", "resizeWindow", "moveWindow", "destroyAllWindows"):
        monkeypatch.setattr(cv2, name, noting(name))
    monkeypatch.setattr(cv2, "getWindowImageRect", lambda _: (500, 300, 400, 300))
    monkeypatch.setattr(screen, "desktop_px", lambda: (1366, 768))
    return calls


def test_the_window_opens_with_the_first_picture_at_its_size_and_on_the_screen(asked: list[tuple[object, ...]]) -> None:
    with OpenCvScreen() as window:
        assert asked == []
        assert window.is_open()
        for _ in range(2):
            window.show(PICTURE)
    names = [call[0] for call in asked]
    assert names[:3] == ["namedWindow", "imshow", "waitKeyEx"]  # it is on the screen before it is resized
    assert asked[3:5] == [("moveWindow", 155, 0), ("resizeWindow", 1195, 672)]
    assert names.count("resizeWindow") == names.count("namedWindow") == 1


def test_a_window_closed_by_its_x_is_not_open(asked: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    def forgotten(*_: object) -> float:
        raise cv2.error("NULL guiReceiver (please create a window)")

    with OpenCvScreen() as window:
        window.show(PICTURE)
        monkeypatch.setattr(cv2, "getWindowProperty", lambda *_: 1.0)
        assert window.is_open()
        monkeypatch.setattr(cv2, "getWindowProperty", forgotten)
        assert not window.is_open()


@pytest.mark.parametrize(
    ("picture_px", "desktop_px", "opens"),
    [
        ((1280, 720), None, (1280, 720)),
        ((1280, 720), (1920, 1080), (1280, 720)),
        ((1920, 1130), (1920, 1080), (1600, 942)),
        ((1280, 792), (1366, 768), (1086, 672)),
        ((640, 480), (640, 480), (512, 384)),
        ((3000, 20), (100, 100), (84, 1)),
    ],
)
def test_it_fits_the_screen(picture_px: tuple[int, int], desktop_px: tuple[int, int] | None, opens: tuple[int, int]) -> None:
    assert opening_px(picture_px, desktop_px) == opens
