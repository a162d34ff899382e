from __future__ import annotations

import struct
from collections.abc import Iterator
from queue import Empty, Queue

import cv2
import numpy as np
import pytest

from visionset.geometry import Frame
from visionset.session import SetsOnTable, Snapshot
from visionset.table import Settled, Table
from visionset.web import pictures
from visionset.web.pictures import Pictures

LONG_S = 10.0


def snapshot(level: int, number: int = 0, is_fresh: bool = True) -> Snapshot:
    frame = Frame(np.full((72, 1280, 3), level, np.uint8), number, number / 10)
    table = Table(frame.size_px)
    return Snapshot(number + 1, frame, is_fresh, Settled(table), SetsOnTable(table, 1))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Widths of the pictures that are made, and their levels."""
    told: list[tuple[int, int]] = []
    encode = pictures.jpeg

    def noted(image: np.ndarray, quality: int) -> bytes:
        told.append((image.shape[1], int(image[0, 0, 0])))
        return encode(image, quality)

    monkeypatch.setattr(pictures, "jpeg", noted)
    return told


@pytest.fixture
def shown() -> Iterator[Pictures]:
    feed = Pictures()
    yield feed
    feed.close()


def read(message: bytes) -> tuple[int, int, float, np.ndarray]:
    return (*struct.unpack("<IId", message[:16]), cv2.imdecode(np.frombuffer(message[16:], np.uint8), cv2.IMREAD_COLOR))


def test_nothing_is_made_while_nobody_asks_and_then_the_newest(shown: Pictures, made: list[tuple[int, int]]) -> None:
    got: Queue[bytes] = Queue()
    for number in range(5):
        shown.look(snapshot(40 * number, number))
    assert made == []
    shown.ask(700, 0, got.put)
    number, width, time_s, image = read(got.get(timeout=LONG_S))
    assert (number, width, time_s, image.shape[1]) == (5, 960, 0.4, 960)
    assert made == [(960, 160)]


def test_who_has_the_newest_waits_for_the_next(shown: Pictures) -> None:
    got: Queue[bytes] = Queue()
    shown.look(snapshot(10))
    shown.look(snapshot(20, 1, is_fresh=False))
    shown.ask(4000, 1, got.put)
    with pytest.raises(Empty):
        got.get_nowait()
    shown.look(snapshot(30, 2))
    assert read(got.get(timeout=LONG_S))[:2] == (2, 1280)


def test_all_who_want_a_size_share_a_picture_and_one_that_fails_hurts_nobody(shown: Pictures, made: list[tuple[int, int]]) -> None:
    got: Queue[bytes] = Queue()

    def fail(message: bytes) -> None:
        raise RuntimeError("gone")

    shown.look(snapshot(10))
    for width in (600, 620):
        shown.ask(width, 0, fail)
        shown.ask(width, 0, got.put)
        got.get(timeout=LONG_S)
    assert made == [(640, 10)]
