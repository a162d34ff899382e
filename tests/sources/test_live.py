"""A live source that misbehaves gives sound frames and plain words; work aside takes one frame at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from tests.builders import Clock
from visionset.errors import OptionError, SourceError
from visionset.geometry import Frame
from visionset.messages import Message, in_words, speaking
from visionset.recording import Heading, Recorder, Recording
from visionset.sources import Aside, Guarded
from visionset.sources.base import Source

FPS = 10.0
NOISE = np.random.default_rng(4)


def noisy(size: tuple[int, int] = (64, 96)) -> np.ndarray:
    return NOISE.integers(60, 200, (*size, 3), dtype=np.uint8)


def frames(count: int, first: int = 0) -> list[Frame]:
    return [Frame(noisy(), index, index / FPS) for index in range(first, first + count)]


class Script:
    """An iterable of frames that takes its time: a frame, seconds to wait before it, or an error to raise."""

    def __init__(self, clock: Clock, steps: Iterable[object]) -> None:
        self.clock, self.steps = clock, iter(steps)

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        step = next(self.steps)
        while isinstance(step, float):
            self.clock.now_s += step
            step = next(self.steps)
        if isinstance(step, Exception):
            raise step
        assert isinstance(step, Frame)
        return step


def without_numbers(text: str) -> str:
    return re.sub(r"[\d.]+", "", text)


def watched(steps: Iterable[object]) -> tuple[list[Frame], list[str], Guarded]:
    """What comes out of a source, and what is said, in order and once each."""
    clock = Clock()
    source = Guarded(Script(clock, steps), "camera 0", clock=clock)
    out: list[Frame] = []
    said: list[str] = []
    while not source.ended:
        frame = source.poll(0.0)
        if frame is not None:
            out.append(frame)
        trouble = in_words(source.trouble)
        if trouble and (not said or without_numbers(said[-1]) != without_numbers(trouble)):
            said.append(trouble)
    return out, said, source


def paced(items: Iterable[object]) -> Iterator[object]:
    """A tenth of a second before each."""
    for item in items:
        yield 1 / FPS
        yield item


def test_a_good_source_passes_untouched() -> None:
    given = frames(80)
    out, said, source = watched(paced(given))
    assert out == given
    assert said == []
    assert source.dropped == 0


def test_unplugged_it_is_waited_for_and_it_says_so() -> None:
    steps = [*frames(3), SourceError("no such device"), SourceError("no such device"), *frames(3, first=3)]
    out, said, source = watched(paced(steps))
    assert [frame.index for frame in out] == list(range(6))
    assert said == ["camera 0 went away (no such device): plug it in again, visionset keeps trying"]
    assert source.trouble == ""


def test_why_a_source_went_away_is_said_in_the_language_of_whoever_is_told() -> None:
    clock = Clock()
    silent = Message("source.phone_silent", seconds=3)
    with Guarded(Script(clock, [*frames(1), SourceError(silent), TimeoutError()]), "camera 0", clock=clock) as source:
        source.poll(0.0)
        source.poll(0.0)
        with speaking("de"):
            assert f"({silent})" in in_words(source.trouble)
        source.poll(0.0)
        assert "(TimeoutError)" in in_words(source.trouble)


def test_a_source_that_begins_again_goes_on_where_it_was() -> None:
    out, said, _ = watched(paced([*frames(3), OSError("unplugged"), *frames(3)]))
    assert [frame.index for frame in out] == list(range(6))
    assert [frame.time_s for frame in out] == pytest.approx([0.0, 0.1, 0.2, 0.4, 0.5, 0.6])
    assert len(said) == 1
    assert "went away (unplugged)" in said[0]


def test_trouble_of_the_camera_itself_goes_first() -> None:
    class Unplugged(Source):
        name, fps, is_live = "camera 3", 25.0, True
        trouble = "camera 3 went away: plug it in again, visionset keeps trying"

        def poll(self, timeout_s: float) -> Frame | None:
            return None

    with Guarded(Unplugged()) as source:
        assert source.poll(0.0) is None
        assert (source.name, source.fps, source.trouble) == ("camera 3", 25.0, Unplugged.trouble)
    assert source.ended


@pytest.mark.parametrize(("level", "says"), [(120, "it may be asleep, wake it"), (4, "shows only black: open its privacy shutter")])
def test_asleep_it_repeats_itself(level: int, says: str) -> None:
    still = np.full((64, 96, 3), level, np.uint8)
    still[::2] += 3
    out, said, source = watched(paced([*frames(3), *(Frame(still, 3 + at, 0.3 + at / FPS) for at in range(60)), *frames(2, first=63)]))
    assert len(out) == 65
    assert len(said) == 1
    assert says in said[0]
    assert source.trouble == ""


def test_a_picture_that_is_turned_back_is_not_asked_to_change_again() -> None:
    turned = [Frame(noisy((96, 64)), 3 + at, 0.3 + at / FPS) for at in range(10)]
    _, said, source = watched(paced([*frames(3), *turned, *frames(5, first=13)]))
    assert said == ["camera 0 sends 64x96 now instead of 96x64: turn or set the camera back"]
    assert source.trouble == ""


def test_another_size_passes_and_is_said_for_a_while() -> None:
    changed = [Frame(noisy((32, 48)), 3 + at, 0.3 + at / FPS) for at in range(70)]
    out, said, source = watched(paced([*frames(3), *changed]))
    assert [frame.size_px for frame in out[2:4]] == [(96, 64), (48, 32)]
    assert said == ["camera 0 sends 48x32 now instead of 96x64: turn or set the camera back"]
    assert source.trouble == ""
    assert source.size_px == (48, 32)


def test_late_frames_are_said_and_those_out_of_order_left_out() -> None:
    late = [item for index in range(5, 15) for item in (0.25, Frame(noisy(), index, index / FPS))]
    out, said, source = watched([*paced(frames(5)), *late, frames(1, first=7)[0]])
    assert [frame.index for frame in out] == list(range(15))
    assert source.dropped == 1
    assert len(said) >= 1
    assert "s late: close other programs" in said[0]


def torn(index: int) -> Frame:
    image = noisy()
    image[30:] = 128  # what decoders put where the data ends
    return Frame(image, index, index / FPS)


def test_torn_frames_are_left_out_and_said_when_they_are_many() -> None:
    one = [*frames(5), torn(5), *frames(5, first=6)]
    out, said, source = watched(paced(one))
    assert [frame.index for frame in out] == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert (said, source.dropped) == ([], 1)
    many = [*frames(5), torn(5), torn(6), ValueError("expected uint8"), *frames(70, first=8)]
    out, said, source = watched(paced(many))
    assert [frame.index for frame in out] == [*range(5), *range(8, 78)]
    assert said == ["pictures of camera 0 arrive torn and are left out: check its cable, or try another USB port"]
    assert source.trouble == ""


def test_a_source_that_gives_the_time_as_number_is_told_so_and_not_taken_for_torn() -> None:
    source = Guarded(Frame(noisy(), index / FPS) for index in range(3))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="expected index as the number of the frame"):
        source.poll(0.0)


def test_a_table_that_only_looks_torn_is_shown_after_all() -> None:
    out, _, _ = watched(paced([*frames(2), *(torn(index) for index in range(2, 40))]))
    assert [frame.index for frame in out] == [0, 1, *range(17, 40)]


def test_a_picture_of_one_colour_is_not_torn() -> None:
    plain = [Frame(np.full((64, 96, 3), 90 + index, np.uint8), index, index / FPS) for index in range(6)]
    assert len(watched(paced(plain))[0]) == 6


@pytest.mark.parametrize("shift_s", [-3600.0, 3600.0])
def test_a_clock_that_was_set_does_not_reach_the_game(shift_s: float) -> None:
    stamped = [Frame(noisy(), index, 5000 + index / FPS + (shift_s if index >= 5 else 0)) for index in range(10)]
    out, said, _ = watched(paced(stamped))
    assert [frame.time_s for frame in out] == pytest.approx([5000 + index / FPS for index in range(10)])
    way = "back" if shift_s < 0 else "forward"
    assert said == [f"the clock was set {way} by 3600 s: times go on as if it had not been"]


def test_nothing_is_lost_from_the_recording_of_a_bad_evening(tmp_path: Path) -> None:
    """Unplugged, another size, torn, the clock set back: every sound frame is in the recording, times growing."""
    steps = [*frames(4), SourceError("gone"), *(Frame(noisy((32, 48)), index, index / FPS) for index in range(4, 8)), torn(8)]
    steps += [Frame(noisy(), index, index / FPS - 86_400) for index in range(9, 14)]
    clock = Clock()
    source = Guarded(Script(clock, paced(steps)), "camera 0", clock=clock)
    with Recorder(tmp_path / "evening", Heading("camera 0", FPS)) as recorder:
        for frame in source:
            recorder.write(frame, None)
    kept = list(Recording.open(tmp_path / "evening").frames())
    assert [frame.index for frame in kept] == [*range(8), *range(9, 14)]
    times = [frame.time_s for frame in kept]
    assert times == sorted(set(times))
    assert times[-1] < 3.0


LONG_S = 60.0


def frame(index: int) -> Frame:
    return Frame(np.zeros((4, 4, 3), np.uint8), index)


def test_one_piece_of_work_at_a_time() -> None:
    go = Event()

    def work(given: Frame) -> int:
        assert go.wait(LONG_S)
        return given.index

    with Aside(work) as aside:
        assert aside.begin(frame(3))
        assert not aside.begin(frame(4))
        assert aside.take() is None
        go.set()
        taken = aside.take(LONG_S)
        assert taken is not None
        assert (taken[0].index, taken[1]) == (3, 3)
        assert aside.take() is None
        assert aside.begin(frame(5))
        assert aside.take(LONG_S) is not None


def test_an_outcome_waits_to_be_taken() -> None:
    started = Event()

    def work(given: Frame) -> int:
        started.set()
        return given.index

    with Aside(work) as aside:
        aside.begin(frame(1))
        assert started.wait(LONG_S)
        assert not aside.begin(frame(2))
        taken = aside.take(LONG_S)
        assert taken is not None
        assert taken[1] == 1


def test_what_the_work_raises_is_raised_where_it_is_taken() -> None:
    def work(given: Frame) -> int:
        raise ValueError("torn")

    with Aside(work) as aside:
        aside.begin(frame(1))
        with pytest.raises(ValueError, match="torn"):
            aside.take(LONG_S)
        assert aside.begin(frame(2))
