from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.builders import NINE, ONE_SET
from tests.recording.makers import FPS, frame_of, record, table_of
from visionset.errors import OutputError, RecordError
from visionset.geometry import Frame
from visionset.messages import in_words
from visionset.recording import Heading, Recorder, RecorderOptions, Recording
from visionset.recording.lines import Lines, read_lines
from visionset.recording.recording import piece_picture

ROOT = Path(__file__).parents[2]


def test_what_is_recorded_is_read_back(tmp_path: Path) -> None:
    record(tmp_path / "evening", [None, None, *[NINE] * 3, None, *[ONE_SET] * 2])
    recording = Recording.open(tmp_path / "evening")
    assert [layout.frame for layout in recording.layouts] == [2, 3, 4, 6, 7]
    assert [tuple(str(piece) for piece in layout.table.pieces[:3]) for layout in recording.layouts] == [ONE_SET] * 5
    assert [len(layout.table.sightings) for layout in recording.layouts] == [9, 9, 9, 3, 3]
    assert np.abs(recording.layouts[0].table.sightings[4].outline_px - table_of(NINE).sightings[4].outline_px).max() <= 0.05
    assert [(frame.index, frame.time_s) for frame in recording.frames()] == [(index, index / FPS) for index in range(8)]
    assert recording.duration_s == pytest.approx(0.7)


def test_a_recording_lasts_from_the_first_thing_kept_to_the_last(tmp_path: Path) -> None:
    recording = Recording.open(record(tmp_path / "evening", [NINE] * 8))
    later = replace(recording, pictures=recording.pictures[5:], layouts=recording.layouts[3:6])
    assert later.duration_s == pytest.approx(0.4)
    assert replace(later, pictures=(), layouts=()).duration_s == 0


def test_a_piece_is_cut_out_upright_and_to_the_pixel() -> None:
    image = np.random.default_rng(1).integers(0, 256, (50, 70, 3), dtype=np.uint8)
    upright = np.array([[10, 5], [30, 5], [30, 35], [10, 35]]) - 0.5
    lying = np.array([[10, 5], [40, 5], [40, 25], [10, 25]]) - 0.5
    assert np.array_equal(piece_picture(image, upright, (20, 30)), image[5:35, 10:30])
    assert np.array_equal(piece_picture(image, lying, (20, 30)), np.rot90(image[5:25, 10:40], -1))


def test_pictures_are_those_of_their_frames(tmp_path: Path) -> None:
    frames = list(Recording.open(record(tmp_path / "evening", [NINE] * 30)).frames(first=4))
    assert [frame.index for frame in frames] == list(range(4, 30))
    for frame in frames:
        assert round(float(frame.image_bgr[1, :40].mean()) / 255 * 40) == pytest.approx(frame.index, abs=1)


def test_an_unchanged_layout_costs_a_short_line(tmp_path: Path) -> None:
    folder = record(tmp_path / "evening", [NINE] * 50)
    first, *others = (folder / "layouts.jsonl").read_text().splitlines()
    assert len(first) > 800
    assert max(map(len, others)) < 40


def test_only_the_table_is_kept_and_outlines_follow(tmp_path: Path) -> None:
    table = table_of(ONE_SET)
    with Recorder(tmp_path / "evening", Heading("camera 0", FPS), crop_px=(20, 60, 301, 200)) as recorder:
        recorder.write(frame_of(table, 0), table)
    recording = Recording.open(tmp_path / "evening")
    (frame,) = recording.frames()
    assert frame.size_px == (282, 140)  # one column more, for the codec wants even numbers
    assert recording.layouts[0].table.size_px == (281, 140)
    whole = recording.layouts[0].table.sightings[0].outline_px + np.array([20, 60])
    assert np.abs(whole - table.sightings[0].outline_px).max() <= 0.05


def test_a_new_video_begins_when_one_is_long_enough(tmp_path: Path) -> None:
    with Recorder(tmp_path / "evening", Heading("camera 0", FPS), options=RecorderOptions(video_s=1.0)) as recorder:
        for index in range(35):
            recorder.write(frame_of(table_of(()), index), None)
    recording = Recording.open(tmp_path / "evening")
    assert [picture.video for picture in recording.pictures] == [*[1] * 11, *[2] * 11, *[3] * 11, *[4] * 2]
    assert [frame.index for frame in recording.frames()] == list(range(35))


def test_another_picture_size_begins_another_video(tmp_path: Path) -> None:
    with Recorder(tmp_path / "evening", Heading("camera 0", FPS)) as recorder:
        for index, size in enumerate([(48, 64), (48, 64), (96, 128), (48, 64)]):
            recorder.write(Frame(np.zeros((*size, 3), np.uint8), index, index / FPS), None)
    frames = list(Recording.open(tmp_path / "evening").frames())
    assert [(frame.index, frame.size_px) for frame in frames] == [(0, (64, 48)), (1, (64, 48)), (2, (128, 96)), (3, (64, 48))]


def test_events_and_what_was_taken_back(tmp_path: Path) -> None:
    with Recorder(tmp_path / "evening", Heading("camera 0", FPS, players=("Ann", "Ben"))) as recorder:
        recorder.write(frame_of(table_of(NINE), 5), None)
        recorder.event({"event": "call", "player": 1}, (0, 0))
        recorder.undo((0, 0))
    recording = Recording.open(tmp_path / "evening")
    assert [(one.frame, one.event, one.scores) for one in recording.events] == [
        (5, {"event": "call", "player": 1}, (0, 0)),
        (5, None, (0, 0)),
    ]
    assert recording.heading.players == ("Ann", "Ben")


def test_a_folder_with_a_recording_is_refused(tmp_path: Path) -> None:
    record(tmp_path / "evening", [NINE])
    before = {path.name: path.read_bytes() for path in (tmp_path / "evening").iterdir()}
    with pytest.raises(OutputError, match="without a recording"):
        Recorder(tmp_path / "evening", Heading("camera 0"))
    assert {path.name: path.read_bytes() for path in (tmp_path / "evening").iterdir()} == before


@pytest.mark.parametrize(
    ("text", "says"),
    [(None, "got no recording.json"), ("[]", "damaged"), ("nonsense", "damaged"), ('{"source": "x", "format": 99}', "update")],
)
def test_what_is_no_recording_is_said(tmp_path: Path, text: str | None, says: str) -> None:
    if text is not None:
        (tmp_path / "recording.json").write_text(text)
    with pytest.raises(RecordError, match=says) as caught:
        Recording.open(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_recording_is_named_by_the_file_that_tells_what_it_is_of_too(tmp_path: Path) -> None:
    folder = record(tmp_path / "evening", [NINE])
    recording = Recording.open(folder / "recording.json")
    assert recording.folder == folder
    assert [frame.index for frame in recording.frames()] == [0]


def test_torn_lines_are_passed_over(tmp_path: Path) -> None:
    folder = record(tmp_path / "evening", [NINE] * 4)
    path = folder / "layouts.jsonl"
    path.write_bytes(path.read_bytes()[:-7])
    assert [layout.frame for layout in Recording.open(folder).layouts] == [0, 1, 2]


def test_a_torn_picture_at_the_end_of_a_video_is_left_out(tmp_path: Path) -> None:
    folder = record(tmp_path / "evening", [NINE] * 8)
    (video,) = folder.glob("video-*.avi")
    whole = video.read_bytes()
    written = {frame.index: frame.image_bgr.copy() for frame in Recording.open(folder).frames()}
    counts = []
    for percent in (50, 60, 80, 96, 99):
        video.write_bytes(whole[: len(whole) * percent // 100])
        left = list(Recording.open(folder).frames())
        assert all(np.array_equal(frame.image_bgr, written[frame.index]) for frame in left), percent
        counts.append(len(left))
    assert counts == sorted(counts)
    assert 0 < counts[-1] <= 8


def test_a_line_that_is_damaged_in_the_middle_is_told_of_and_shifts_nothing(tmp_path: Path) -> None:
    folder = record(tmp_path / "evening", [NINE, NINE, ONE_SET, ONE_SET, NINE, NINE])
    for name, number in (("frames", 1), ("layouts", 2)):
        lines = (folder / f"{name}.jsonl").read_bytes().splitlines(keepends=True)
        lines[number] = b"garbage" + lines[number]
        (folder / f"{name}.jsonl").write_bytes(b"".join(lines))
    kept = [json.dumps({"frame": frame, "time_s": frame / FPS, "event": {"event": "call"}, "scores": []}) for frame in (1, 3)]
    (folder / "events.jsonl").write_text("\n".join([kept[0], "garbage", kept[1], '{"frame"\n']))  # the last line as after a crash
    recording = Recording.open(folder)
    assert recording.damaged == 3
    assert [event.frame for event in recording.events] == [1, 3]
    assert [(layout.frame, len(layout.table.sightings)) for layout in recording.layouts] == [(0, 9), (1, 9), (4, 9), (5, 9)]
    frames = list(recording.frames())
    assert [frame.index for frame in frames] == [0, 2, 3, 4, 5]
    whole = list(Recording.open(record(tmp_path / "whole", [NINE, NINE, ONE_SET, ONE_SET, NINE, NINE])).frames())
    assert all(np.array_equal(frame.image_bgr, whole[frame.index].image_bgr) for frame in frames)


def test_damaged_lines_at_the_beginning_of_a_video_shift_nothing(tmp_path: Path) -> None:
    with Recorder(tmp_path / "evening", Heading("camera 0", FPS)) as recorder:
        for index in range(8):
            recorder.write(Frame(np.full((48, 64 if index < 4 else 80, 3), 20 * index, np.uint8), index, index / FPS), None)
    path = tmp_path / "evening" / "frames.jsonl"
    whole = path.read_bytes().splitlines(keepends=True)
    for lost in ((0,), (0, 1), (4,), (1, 4), (3, 4)):
        path.write_bytes(b"".join(b"garbage\n" if number in lost else line for number, line in enumerate(whole)))
        recording = Recording.open(tmp_path / "evening")
        assert recording.damaged == len(lost)
        seen = [(frame.index, round(float(frame.image_bgr.mean()) / 20)) for frame in recording.frames()]
        assert seen == [(index, index) for index in range(8) if index not in lost]


def test_a_recording_that_cannot_begin_leaves_a_folder_that_can_be_named_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("visionset.saving.os.fsync", full)
        with pytest.raises(OutputError, match="no space left"):
            Recorder(tmp_path / "evening", Heading("camera 0", FPS))
    assert list((tmp_path / "evening").iterdir()) == []
    record(tmp_path / "evening", [NINE])


class Disk:
    """A disk with room for so many bytes, that takes what fits of a write."""

    def __init__(self, room: int) -> None:
        self.room = room

    def write(self, file: int, data: bytes) -> int:
        part = data[: self.room]
        if not part:
            raise OSError(28, "No space left on device")
        self.room -= len(part)
        return os.write(file, part)


def test_a_full_disk_loses_no_line(tmp_path: Path) -> None:
    disk = Disk(25)
    lines = Lines(tmp_path / "a.jsonl", disk.write)
    assert lines.add({"number": 1})
    assert not lines.add({"number": 2})
    assert not lines.add({"number": 3})
    assert lines.waiting_lines == 2
    disk.room = 1000
    assert lines.add({"number": 4})
    assert lines.close()
    assert [line and line["number"] for line in read_lines(tmp_path / "a.jsonl")] == [1, 2, 3, 4]


def test_ctrl_c_just_after_a_line_was_written_writes_it_once(tmp_path: Path) -> None:
    """As in the middle of an evening: the recording is closed then, and each picture and event counts once."""

    presses = [KeyboardInterrupt()]

    def write(file: int, data: bytes) -> int:
        taken = os.write(file, data)
        if presses:
            raise presses.pop()
        return taken

    lines = Lines(tmp_path / "a.jsonl", write)
    with pytest.raises(KeyboardInterrupt):
        lines.add({"at": 1})
    assert lines.close()
    assert list(read_lines(tmp_path / "a.jsonl")) == [{"at": 1}]


def test_lines_that_never_found_room_are_said(tmp_path: Path) -> None:
    lines = Lines(tmp_path / "a.jsonl", Disk(0).write)
    lines.add({"number": 1})
    assert not lines.close()


def test_a_nearly_full_disk_pauses_pictures_says_so_and_goes_on(tmp_path: Path) -> None:
    free, options = [10_000], RecorderOptions(least_free=5_000, check_s=0.0)
    table = table_of(NINE)
    troubles = []
    with Recorder(tmp_path / "evening", Heading("camera 0", FPS), options=options, free=lambda path: free[0]) as recorder:
        for index, left in enumerate([10_000, 10_000, 4_000, 4_000, 6_000, 20_000, 20_000]):
            free[0] = left
            recorder.write(frame_of(table, index), table)
            recorder.event({"event": "call", "player": index})
            troubles.append(recorder.trouble)
    assert [bool(trouble) for trouble in troubles] == [False, False, True, True, True, False, False]
    assert in_words(troubles[2]) == "the disk is nearly full: the recording goes on without pictures; free some space and they come back"
    recording = Recording.open(tmp_path / "evening")
    assert [frame.index for frame in recording.frames()] == [0, 1, 5, 6]
    assert [layout.frame for layout in recording.layouts] == [one.frame for one in recording.events] == list(range(7))


def test_a_disk_that_is_gone_counts_as_full(tmp_path: Path) -> None:
    def gone(path: Path) -> int:
        raise OSError(5, "Input/output error")

    with Recorder(tmp_path / "evening", Heading("camera 0", FPS), free=gone) as recorder:
        recorder.write(frame_of(table_of(NINE), 0), None)
        assert "nearly full" in in_words(recorder.trouble)


def test_a_video_that_cannot_be_begun_is_an_error_first_and_trouble_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = type("None", (), {"__init__": lambda *_: None, "isOpened": lambda _: False, "fourcc": lambda *_: 0})
    small = Frame(np.zeros((48, 64, 3), np.uint8), 1, 0.1)
    with Recorder(tmp_path / "a", Heading("camera 0", FPS)) as recorder:
        recorder.write(frame_of(table_of(NINE), 0), None)
        monkeypatch.setattr("cv2.VideoWriter", broken)
        recorder.write(small, table_of(NINE))  # another size wants another file
        assert "goes on without pictures" in in_words(recorder.trouble)
    kept = Recording.open(tmp_path / "a")
    assert (len(kept.pictures), len(kept.layouts)) == (1, 1)
    with Recorder(tmp_path / "b", Heading("camera 0", FPS)) as recorder, pytest.raises(OutputError, match="no encoder"):
        recorder.write(small, None)


def test_time_that_runs_backwards_stops_nothing(tmp_path: Path) -> None:
    with Recorder(tmp_path / "evening", Heading("camera 0", FPS)) as recorder:
        for index, time_s in enumerate([100.0, 100.1, 3.0, 3.1]):
            recorder.write(Frame(frame_of(table_of(NINE), index).image_bgr, index, time_s), table_of(NINE))
    assert [(frame.index, frame.time_s) for frame in Recording.open(tmp_path / "evening").frames()] == [
        (0, 100.0),
        (1, 100.1),
        (2, 3.0),
        (3, 3.1),
    ]


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_killed_in_the_middle_every_line_is_there(tmp_path: Path) -> None:
    code = """
import os, signal, sys
import numpy as np
from pathlib import Path
from tests.recording.makers import FPS, frame_of, table_of
from tests.builders import NINE
from visionset.geometry import Frame
from visionset.recording import Heading, Recorder
recorder = Recorder(Path(sys.argv[1]), Heading("camera 0", FPS))
noise = np.random.default_rng(1)
for index in range(60):
    image = noise.integers(0, 256, (240, 320, 3), dtype=np.uint8)
    recorder.write(Frame(image, index, index / FPS), table_of(NINE))
    recorder.event({"event": "call", "player": index})
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "evening")], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    recording = Recording.open(tmp_path / "evening")
    assert [one.event for one in recording.events] == [{"event": "call", "player": index} for index in range(60)]
    assert [layout.frame for layout in recording.layouts] == list(range(60))
    kept = [frame.index for frame in recording.frames()]
    assert kept == list(range(len(kept)))
    assert len(kept) > 10
