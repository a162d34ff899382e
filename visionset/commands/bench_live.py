"""The whole way from a camera to the drawn overlay, measured: clips are played in a loop as a camera would give them."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from itertools import cycle
from pathlib import Path
from statistics import mean, median
from typing import Any

import cv2
import numpy as np

from visionset.commands.measurement import Measurement, floor, median_ms
from visionset.overlay import View, with_caption
from visionset.overlay.painter import TablePainter, caption_of
from visionset.pieces import Kind
from visionset.session import Session, SessionOptions, tracker_of
from visionset.sources import Camera, Clip
from visionset.vision import pipeline
from visionset.vision.options import ReadOptions

_KINDS = frozenset({Kind.SET_CARD})

_WAIT_S = 0.02
"""As long as the watch window waits for a frame."""

_PARTS = 10
"""Parts of whole loops into which a soak is cut, fewer when it is short; the first and the last are compared."""

_MOVING_MS, _QUIET_MS, _BEHIND_MS = 40.0, 1000 / 60, 60.0
"""What is wanted: 25 frames per second while something moves, 60 on a quiet table, the overlay 60 ms after the frame."""

_FLAT = 5.0
"""Per cent by which memory may differ between the first and the last part of a soak."""

_DRIFT = 1.25
"""The same for the median time of a frame over the floor, as a factor: other programs slow both."""

_FLOOR_EVERY = 50
"""Frames from one measuring of the floor to the next."""


@dataclass(frozen=True, slots=True)
class FollowedFrame:
    """One frame that was followed and drawn."""

    index: int
    """Its number among all that came from the camera."""
    spent_ms: float
    """Time from taking it to the drawn overlay."""
    behind_ms: float
    """Time from its coming from the camera to the drawn overlay."""
    held: bool
    """Something moved, or the table was not settled yet."""
    resident_mb: float
    """Memory of the program; 0 where the system does not tell."""
    floor_ms: float = 1.0
    """Time of the floor at about that moment."""


class LoopedClips:
    """Clips one after the other and again from the first, as many pictures per second as a camera gives: what opens a `Camera` here."""

    def __init__(self, clips: Sequence[Path], fps: float) -> None:
        self._fps = fps
        self._clips = cycle(clips)
        self._video = cv2.VideoCapture(str(next(self._clips)))
        self._due_s = time.perf_counter()

    def isOpened(self) -> bool:
        """A clip is open."""
        return bool(self._video.isOpened())

    def get(self, propId: int) -> float:
        """Only the pace is asked for."""
        return self._fps

    def release(self) -> None:
        """Close the clip."""
        self._video.release()

    def read(self) -> tuple[bool, Any]:
        """Wait for the next picture; one that is late comes at once, and those after it are not hurried."""
        now_s = time.perf_counter()
        self._due_s = max(self._due_s + 1 / self._fps, now_s - 1 / self._fps)
        time.sleep(max(0.0, self._due_s - now_s))
        ok, image = self._video.read()
        if not ok:
            self._video.release()
            self._video = cv2.VideoCapture(str(next(self._clips)))
            ok, image = self._video.read()
        return ok, image


def watched(clips: Sequence[Path], fps: float, frames: int) -> list[FollowedFrame]:
    """Watch `count` of a camera's pictures: followed, read aside, drawn, with the caption; the newest wins, others are passed over."""
    begun_s = time.perf_counter()  # times of frames begin at 0 too

    def clock() -> float:
        return time.perf_counter() - begun_s

    seen = np.full((frames, len(fields(FollowedFrame))), np.nan)  # all of it now: it must not look as if the program grew
    count, floor_ms = 0, 1.0
    view = View()
    options, painter = SessionOptions(kinds=_KINDS), TablePainter()
    with Camera(0, opener=lambda address, options: LoopedClips(clips, fps), clock=clock) as camera, ExitStack() as stack:
        session = stack.enter_context(Session(camera, tracker_of(options, True, stack), options=options))
        last = 0
        while last < frames:
            frame = camera.poll(_WAIT_S)
            if frame is None:
                continue
            last = frame.index + 1
            start_s = clock()
            snapshot = session.look(frame)
            text, asks = caption_of(snapshot.settled, snapshot.sets, snapshot.found.count, snapshot.held_s, view)
            with_caption(painter.paint(frame.image_bgr, snapshot.settled, snapshot.sets, view), text, alert=asks)
            end_s = clock()
            if count % _FLOOR_EVERY == 0:
                floor(frame.image_bgr)
                floor_ms = 1000 * (clock() - end_s)
            spent_ms, behind_ms = 1000 * (end_s - start_s), 1000 * (end_s - frame.time_s)
            seen[count] = frame.index, spent_ms, behind_ms, snapshot.settled.held, resident_mb(), floor_ms
            count += 1
    return [FollowedFrame(int(row[0]), row[1], row[2], bool(row[3]), row[4], row[5]) for row in seen[:count].tolist()]


def live_rows(clip: Path, fps: float, seconds: float) -> list[Measurement]:
    """Measure a clip with hands in it at the pace of a camera."""
    image = np.asarray(cv2.VideoCapture(str(clip)).read()[1], np.uint8)
    floor_ms = median_ms(lambda: floor(image))
    gc.collect()
    seen = watched([clip], fps, round(fps * seconds))
    return [Measurement(f"floor, {image.shape[1]}x{image.shape[0]}", floor_ms, "ms", None), *_over_floor(seen, floor_ms, fps)]


def _over_floor(seen: Sequence[FollowedFrame], floor_ms: float, fps: float) -> list[Measurement]:
    """Times of what was seen; a machine that is too slow to see a table settle, or move, has no such row."""
    parts = (
        ("a frame in which something moves, followed and drawn, mean", True, _MOVING_MS),
        ("a frame of a settled table, followed and drawn, mean", False, _QUIET_MS),
    )
    times = [
        (name, mean(one.spent_ms for one in seen if one.held is held), bar)
        for name, held, bar in parts
        if any(one.held is held for one in seen)
    ]
    times.append(("from the camera's frame to the drawn overlay, 95 of 100 frames", most_behind_ms(seen), _BEHIND_MS))
    rows: list[Measurement] = []
    for name, value_ms, bar in times:
        rows += [Measurement(name, value_ms, "ms", bar), Measurement("the same over the floor", value_ms / floor_ms, "x", None)]
    dropped = 100 * (1 - len(seen) / (seen[-1].index + 1))
    return [*rows, Measurement(f"frames of {fps:g} per second that were passed over", dropped, "%", None)]


def soak_rows(clips: Sequence[Path], fps: float, minutes: float, tell: Callable[[str], object] = lambda line: None) -> list[Measurement]:
    """Watch clips for some minutes, whole loops of them, and compare the last part with the first, which comes after a loop to warm up."""
    loop = 0
    for clip in clips:
        with Clip(clip) as frames:
            for frame in frames:
                # the networks keep the room that the finest look so far took, and which frames want one is chance while they are watched
                pipeline.read(frame.image_bgr, ReadOptions(kinds=_KINDS))
                loop += 1
    loops = max(2, round(60 * minutes * fps / loop))
    return _first_and_last(watched(clips, fps, (loops + 1) * loop), loop, loops, tell)


def _first_and_last(seen: Sequence[FollowedFrame], loop: int, loops: int, tell: Callable[[str], object]) -> list[Measurement]:
    """Cut what was seen into parts of whole loops, tell each, and compare two."""
    parts: list[list[FollowedFrame]] = [[] for _ in range(min(_PARTS, loops))]
    for one in seen:
        done = one.index // loop - 1
        if 0 <= done < loops:
            parts[done * len(parts) // loops].append(one)
    parts = [part for part in parts if part] or [list(seen)]
    for number, part in enumerate(parts, 1):
        tell(
            f"part {number:2d}: {len(part)} frames, {median(one.spent_ms for one in part):.1f} ms a frame, {_floors(part):.2f} floors, "
            f"95 of 100 within {most_behind_ms(part):.0f} ms of the camera, {mean(one.resident_mb for one in part):.0f} MB"
        )
    first, last = parts[0], parts[-1]
    # the pictures of one clip may be larger than those of another, and so is what decodes them: a median would be that of either
    memory = [mean(one.resident_mb for one in part) for part in (first, last)]
    spent = [median(one.spent_ms for one in part) for part in (first, last)]
    return [
        Measurement("frames", len(seen), "", None),
        Measurement("memory in the first part", memory[0], "MB", None),
        Measurement("memory in the last part", memory[1], "MB", None),
        Measurement("the two differ by", 100 * abs(memory[1] / memory[0] - 1) if memory[0] else 0.0, "%", _FLAT),
        Measurement("time of a frame in the first part, median", spent[0], "ms", None),
        Measurement("time of a frame in the last part, median", spent[1], "ms", None),
        Measurement("the last over the first, each over its floor", _floors(last) / _floors(first), "x", _DRIFT),
        Measurement(
            "from the camera's frame to the drawn overlay in the first part, 95 of 100 frames", most_behind_ms(first), "ms", _BEHIND_MS
        ),
        Measurement("the same in the last part", most_behind_ms(last), "ms", _BEHIND_MS),
    ]


def _floors(seen: Sequence[FollowedFrame]) -> float:
    return median(one.spent_ms for one in seen) / median(one.floor_ms for one in seen)


def most_behind_ms(seen: Sequence[FollowedFrame]) -> float:
    """Milliseconds behind the camera that 95 of 100 frames do not exceed; 0 without frames."""
    ordered = sorted(one.behind_ms for one in seen)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))] if ordered else 0.0


def resident_mb() -> float:
    """Memory that this program has now: on Linux; elsewhere the most it had, and 0 on Windows, which does not tell."""
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    if sys.platform == "win32":
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
