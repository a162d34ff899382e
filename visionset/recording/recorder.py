"""A table being recorded: pictures as video, the layout of each settled frame, and the events, as they come.

A folder holds `recording.json` (what it is), `video-001.avi` and so on (the pictures), `frames.jsonl` (which frame each
picture is), `layouts.jsonl` and `events.jsonl`. Everything is only added to. A program that is killed loses no line, and
of the pictures what the video writer had not yet handed over (a quarter of a megabyte, about half a second).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.closable import Closable
from visionset.errors import OutputError
from visionset.geometry import Frame
from visionset.messages import Message, Words
from visionset.recording.heading import HEADING, Heading
from visionset.recording.lines import Lines
from visionset.saving import save_text, writable_folder
from visionset.sources.opencv import quiet_opencv
from visionset.table import Sighting, Table
from visionset.untrusted import is_text
from visionset.video_file import free_bytes

Crop = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; right and bottom do not belong."""


@dataclass(frozen=True, slots=True)
class RecorderOptions:
    """How to keep a recording."""

    codec: str = "mp4v"
    """``mp4v``, ``MJPG`` or ``FFV1``, which OpenCV brings on every system. MPEG-4 takes 10 MB a minute at 720p, motion JPEG seven times as
    much, FFV1 loses nothing and takes 25 times as much."""
    video_s: float = 600.0
    """Seconds until a new video file begins, so that damage to one costs little."""
    least_free: int = 200_000_000
    """Bytes of disk below which pictures are left out: what is left is for layouts and events."""
    check_s: float = 1.0
    """Seconds between looks at the disk."""
    still_px: float = 1.5
    """A piece whose corners moved by less lies where it lay."""


class Recorder(Closable):
    """Writes a recording; use it with ``with``.

    Parameters
    ----------
    folder : path
        Made; it may exist, but hold no recording.
    heading : Heading
        What it is of.
    crop_px : tuple of int, optional
        Left, top, right and bottom of the table in the frame; without it the whole frame is kept.
    options : RecorderOptions
        How to keep it.
    free : callable
        Bytes left on the disk of a path; for tests.

    Raises
    ------
    OutputError
        The folder cannot be made, holds a recording, or has a name that is no text.
    """

    def __init__(
        self,
        folder: Path | str,
        heading: Heading,
        crop_px: Crop | None = None,
        options: RecorderOptions = RecorderOptions(),
        *,
        free: Callable[[Path], int] = free_bytes,
    ) -> None:
        if not is_text(folder):
            raise OutputError(f"{folder}: expected a folder whose name is text, got bytes that are none; name another")
        self.folder = writable_folder(folder)
        self.heading, self.options, self.crop_px = heading, options, crop_px
        if (self.folder / HEADING).exists():
            raise OutputError(f"{folder}: expected a folder without a recording, got one; name a new one, or delete it first")
        self._free = free
        self.frames = 0
        self._videos = 0
        self._video: cv2.VideoWriter | None = None
        self._size_px = (0, 0)
        self._video_from_s = 0.0
        self._checked_s: float | None = None
        self._disk_full = self._no_video = False
        self._last: tuple[Sighting, ...] | None = None
        self._now: tuple[int, float] = (0, 0.0)
        self._files: dict[str, Lines] = {}
        try:
            for name in ("frames", "layouts", "events"):
                self._files[name] = Lines(self.folder / f"{name}.jsonl")
            save_text(self.folder / HEADING, json.dumps(asdict(heading), indent=1) + "\n", "name another folder")
        except OutputError:  # nothing was recorded, and the folder can be named again
            for lines in self._files.values():
                lines.close()
                lines.path.unlink(missing_ok=True)
            raise

    @property
    def trouble(self) -> Words:
        """What is wrong just now and what the recorder does about it; empty when all is well."""
        waiting = sum(lines.waiting_lines for lines in self._files.values())
        if waiting:
            return Message("disk.full", count=waiting)
        if self._no_video:
            return Message("disk.no_video")
        if self._disk_full:
            return Message("disk.nearly_full")
        return ""

    @property
    def lacks_room(self) -> bool:
        """Whether pictures are left out because the disk is nearly full."""
        return self._disk_full

    def write(self, frame: Frame, settled: Table | None) -> None:
        """Keep a frame, and what lies there when the table is settled; outlines are in pixels of the whole frame."""
        self._now = frame.index, frame.time_s
        self._look_at_disk(frame.time_s)
        left, top, right, bottom = box = self._box(frame.size_px)
        if not self._disk_full:
            self._keep_picture(frame, box)
        if settled is not None:
            self._keep_layout(frame, settled.sightings, (left, top), (right - left, bottom - top))

    def event(self, event: Mapping[str, Any], scores: Sequence[int] = ()) -> None:
        """Keep an event of the game as its ``to_json`` gives it, with the scores after it. It survives a power cut."""
        self._add_event({"event": dict(event), "scores": list(scores)})

    def undo(self, scores: Sequence[int] = ()) -> None:
        """Keep that the last event which still stood was taken back."""
        self._add_event({"undo": True, "scores": list(scores)})

    def close(self) -> None:
        """Finish all files. Raises `OutputError`: the disk stayed full, and lines that waited are lost."""
        self._end_video()
        files, self._files = self._files, {}
        written = [lines.close() for lines in files.values()]  # all of them, whatever became of the first
        if not all(written):
            raise OutputError(
                f"{self.folder}: expected room for the last lines, got a full disk; free some space before the next recording"
            )

    def _add_event(self, line: dict[str, Any]) -> None:
        index, time_s = self._now
        self._files["events"].add({"frame": index, "time_s": round(time_s, 3), **line}, lasting=True)

    def _look_at_disk(self, time_s: float) -> None:
        if self._checked_s is not None and 0 <= time_s - self._checked_s < self.options.check_s:
            return
        self._checked_s = time_s
        try:
            free = self._free(self.folder)
        except OSError:  # the disk itself may be gone
            free = 0
        # twice as much before it goes on, else pictures would come and go
        self._disk_full = free < self.options.least_free * (2 if self._disk_full else 1)
        if self._disk_full:
            self._end_video()
        for lines in self._files.values():
            lines.flush()

    def _box(self, size_px: tuple[int, int]) -> Crop:
        width, height = size_px
        left, top, right, bottom = self.crop_px or (0, 0, width, height)
        left, top, right, bottom = max(0, left), max(0, top), min(width, right), min(height, bottom)
        return (left, top, right, bottom) if right - left > 1 and bottom - top > 1 else (0, 0, width, height)

    def _keep_picture(self, frame: Frame, box: Crop) -> None:
        left, top, right, bottom = box
        picture = _even(frame.image_bgr[top:bottom, left:right])
        size_px = picture.shape[1], picture.shape[0]
        if self._video is not None and (size_px != self._size_px or frame.time_s - self._video_from_s > self.options.video_s):
            self._end_video()
        line: dict[str, Any] = {"video": self._videos, "frame": frame.index, "time_s": round(frame.time_s, 3)}
        if self._video is None:
            tried_s = frame.time_s - self._video_from_s
            if (self._no_video and 0 <= tried_s < self.options.check_s) or not self._begin_video(size_px, frame.time_s):
                return
            line |= {"video": self._videos, "size": size_px, "crop": box}
        assert self._video is not None
        self._video.write(picture)
        self.frames += 1
        self._files["frames"].add(line)

    def _begin_video(self, size_px: tuple[int, int], time_s: float) -> bool:
        self._videos += 1
        path = self.folder / f"video-{self._videos:03d}.avi"
        with quiet_opencv():
            self._video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*self.options.codec), self.heading.fps or 30.0, size_px)
        self._no_video = not self._video.isOpened()
        if self._no_video:
            self._video = None
            if self.frames == 0:  # at the start it is told as an error; later the evening goes on without pictures
                codec = self.options.codec
                raise OutputError(f"{path}: expected to write video, got no encoder for {codec}; install opencv-python from PyPI")
            self._video_from_s = time_s
            return False
        self._size_px, self._video_from_s = size_px, time_s
        return True

    def _end_video(self) -> None:
        if self._video is not None:
            self._video.release()
            self._video = None

    def _keep_layout(self, frame: Frame, sightings: tuple[Sighting, ...], origin_px: tuple[int, int], size_px: tuple[int, int]) -> None:
        line: dict[str, Any] = {"frame": frame.index, "time_s": round(frame.time_s, 3)}
        if self._last is None or not _same(sightings, self._last, self.options.still_px):
            self._last = sightings
            shifted = [Sighting(s.kind, s.outline_px - np.array(origin_px), s.piece, s.confidence, s.guess, s.track) for s in sightings]
            line |= {"size": size_px, "pieces": [one.to_json() for one in shifted]}
        self._files["layouts"].add(line)


def _same(one: tuple[Sighting, ...], other: tuple[Sighting, ...], still_px: float) -> bool:
    if one is other:
        return True
    return len(one) == len(other) and all(
        (a.kind, a.piece, a.track) == (b.kind, b.piece, b.track) and float(np.abs(a.outline_px - b.outline_px).max()) <= still_px
        for a, b in zip(one, other, strict=True)
    )


def _even(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Repeat the last row or column where there is an odd number: the codecs want even ones."""
    height, width = picture.shape[:2]
    if height % 2 or width % 2:
        return np.asarray(cv2.copyMakeBorder(picture, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE), np.uint8)
    return np.ascontiguousarray(picture)
