from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.builders import Clock
from visionset.errors import PictureError
from visionset.messages import in_words, speaking
from visionset.sources import SentOptions, SentPictures


def jpeg(value: int, width: int = 64, height: int = 48, ending: str = ".jpg") -> bytes:
    _, data = cv2.imencode(ending, np.full((height, width, 3), value, np.uint8))
    return data.tobytes()


def test_the_newest_picture_wins_and_dropped_ones_leave_a_gap() -> None:
    with SentPictures() as source:
        assert source.poll(0.0) is None
        for value in (10, 200):
            source.put(jpeg(value))
        frame = source.poll(0.0)
        assert frame is not None
        assert (frame.index, frame.size_px, int(frame.image_bgr[0, 0, 0])) == (1, (64, 48), 200)
        assert source.size_px == (64, 48)
        assert source.poll(0.0) is None
    assert source.ended
    assert source.poll(10.0) is None


def test_a_silent_phone_is_told_of_until_it_sends_again() -> None:
    clock = Clock()
    source = SentPictures(clock=clock)
    assert source.trouble == ""
    clock.now_s += 3
    assert in_words(source.trouble) == "the phone has sent no picture yet: open the link to it there"
    source.put(jpeg(10))
    assert source.trouble == ""
    clock.now_s += 5
    assert in_words(source.trouble) == "the phone has sent no picture for 5 s: wake it, and keep its page open"
    told = source.trouble
    clock.now_s += 0.3
    assert source.trouble == told  # it is told anew once a second, not with each look
    with speaking("de"):
        assert in_words(source.trouble) == "das Handy schickt seit 5 s kein Bild: wecke es auf, und lass seine Seite offen"
    source.put(jpeg(10))
    assert source.trouble == ""
    frame = source.poll(0.0)
    assert frame is not None
    assert frame.time_s == pytest.approx(8.3)


@pytest.mark.parametrize(
    "data",
    [b"", b"no picture", jpeg(10)[:-40], jpeg(10, ending=".png"), jpeg(10, 8, 8), jpeg(10, 400, 300)],
    ids=["empty", "text", "cut short", "png", "too small", "too large"],
)
def test_what_is_no_picture_of_a_phone_is_refused(data: bytes) -> None:
    source = SentPictures(options=SentOptions(most_px=100_000))
    with pytest.raises(PictureError, match="picture of the phone: expected"):
        source.put(data)
    assert source.poll(0.0) is None


def test_large_pictures_come_smaller(tmp_path: Path) -> None:
    source = SentPictures()
    source.put(jpeg(10, 3840, 2160))
    assert source.size_px == (1920, 1080)
