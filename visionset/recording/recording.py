"""A recording read back: what it is of, its pictures, layouts and events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.codec import from_known_json
from visionset.errors import PieceError, RecordError, SourceError
from visionset.geometry import Frame, Quad
from visionset.recording.heading import FORMAT, HEADING, Heading
from visionset.recording.lines import read_lines
from visionset.sources.clip import Clip
from visionset.table import Table
from visionset.untrusted import json_of, text_of

LineT = TypeVar("LineT")

_MOST_FRAMES, _LONGEST_S = 10**9, 1e7
"""Of one recording: four months."""

_MOST_VIDEOS, _MOST_EVENTS = 100_000, 5000

_MOST_PX = 100_000
"""Width or height of a picture."""


def _check_moment(frame: int, time_s: float) -> None:
    if not (0 <= frame <= _MOST_FRAMES and 0 <= time_s <= _LONGEST_S):
        raise RecordError(f"expected a frame and a time of a recording, got frame {frame} at {time_s:g} s; the line is damaged")


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A picture that was kept: the number of its video file, from 1, the frame that it is, and which one of that file, from 0."""

    video: int
    frame: int
    time_s: float
    at: int = 0

    def __post_init__(self) -> None:
        _check_moment(self.frame, self.time_s)
        if not 0 <= self.video <= _MOST_VIDEOS:
            raise RecordError(f"expected the number of a video, got {self.video}; the line is damaged")


@dataclass(frozen=True, slots=True)
class KeptLayout:
    """What lay there in a settled frame; outlines are pixels of the recorded picture."""

    frame: int
    time_s: float
    table: Table


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event of the game as JSON, or None for one that took the last back; and the scores after it."""

    frame: int
    time_s: float
    event: Any = None
    scores: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _check_moment(self.frame, self.time_s)


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording."""

    folder: Path
    heading: Heading
    pictures: tuple[KeptPicture, ...]
    layouts: tuple[KeptLayout, ...]
    events: tuple[KeptEvent, ...]
    """`pictures`, `layouts` and `events`: in order."""
    damaged: int = 0
    """Lines of these that cannot be read: a failing disk, or a change by hand."""

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Read a recording, also one whose program was killed, by its folder or the file in it that tells what it is of.

        Raises `RecordError`: the folder holds none, or one of a newer program.
        """
        folder = Path(folder)
        if folder.name == HEADING and folder.is_file():
            folder = folder.parent
        heading = _heading(folder)
        try:
            pictures, layouts = list(_pictures(folder)), list(_layouts(folder))
            lines = list(islice(read_lines(folder / "events.jsonl"), _MOST_EVENTS + 1))
            if len(lines) > _MOST_EVENTS:
                raise RecordError(f"expected at most {_MOST_EVENTS} events, got more")
            events = tuple(from_known_json(KeptEvent, line) for line in lines if line is not None)
            damaged = pictures.count(None) + layouts.count(None) + lines.count(None)
            return cls(folder, heading, _whole(pictures), _whole(layouts), events, damaged)
        except (RecordError, PieceError) as error:
            raise RecordError(
                f"{folder}: expected lines of a recording, got {error!s:.160}; it was changed by hand or the disk fails"
            ) from None

    @property
    def duration_s(self) -> float:
        """Seconds from the first thing kept to the last."""
        times = [part[at].time_s for part in (self.pictures, self.layouts, self.events) if part for at in (0, -1)]
        return max(times) - min(times) if times else 0.0

    def frames(self, first: int = 0) -> Iterator[Frame]:
        """Every picture that was kept, with the index and time of its frame, from frame `first` on."""
        by_video: dict[int, list[KeptPicture]] = {}
        for picture in self.pictures:
            by_video.setdefault(picture.video, []).append(picture)
        for video, pictures in by_video.items():
            if pictures[-1].frame < first:
                continue
            try:
                clip = Clip(self.folder / f"video-{video:03d}.avi")
            except SourceError:  # killed before the first picture reached the disk, or deleted to save room
                continue
            with clip:
                known = {picture.at: picture for picture in pictures}
                for at, frame in enumerate(clip):
                    if clip.ended and at < pictures[-1].at:
                        break  # the last picture of a video that was cut short may be torn
                    if (told := known.get(at)) is not None and told.frame >= first:
                        yield Frame(frame.image_bgr, told.frame, told.time_s)


def _heading(folder: Path) -> Heading:
    path = folder / HEADING
    if not path.is_file():
        raise RecordError(f"{folder}: expected a recording, got no {HEADING} in it; name a folder that visionset watch --record wrote")
    try:
        data = json_of(text_of(path))
        form = data.get("format", FORMAT) if isinstance(data, dict) else None
        if isinstance(form, int) and form > FORMAT:
            raise RecordError(f"{folder}: expected a recording of form {FORMAT} or less, got {form}; update visionset to read it")
        return from_known_json(Heading, data)
    except RecordError as error:
        if str(error).startswith(str(folder)):
            raise
        raise RecordError(f"{path}: expected what a recording is of, got something else ({error!s:.160}); the file is damaged") from None


@dataclass(frozen=True, slots=True)
class _LayoutLine:
    """A line of layouts: pieces and size are left out where the table is as it was."""

    frame: int
    time_s: float
    size: tuple[int, int] = (1, 1)
    pieces: Any = None

    def __post_init__(self) -> None:
        _check_moment(self.frame, self.time_s)
        if not all(0 < side <= _MOST_PX for side in self.size):
            raise RecordError(f"expected the size of a picture, got {self.size}; the line is damaged")


def _whole(lines: Iterable[LineT | None]) -> tuple[LineT, ...]:
    return tuple(line for line in lines if line is not None)


def _pictures(folder: Path) -> Iterator[KeptPicture | None]:
    """The pictures in order; None for a damaged line, whose picture is in the video all the same."""
    video = at = damaged = 0
    for data in read_lines(folder / "frames.jsonl"):
        if data is None:
            damaged += 1
            yield None
        elif "video" in data:
            picture = from_known_json(KeptPicture, data)
            if picture.video == video:
                at += damaged
            else:  # the first picture of a video tells its size: where it does not, it is not the first, and at least one before it is lost
                at = 0 if "size" in data else damaged if video == 0 else min(damaged, 1)
            video, damaged = picture.video, 0
            yield replace(picture, at=at)
            at += 1


def _layouts(folder: Path) -> Iterator[KeptLayout | None]:
    """The layouts in order; None for a damaged line: what lay there is not known until pieces are told again."""
    table: Table | None = None
    for data in read_lines(folder / "layouts.jsonl"):
        if data is None:
            table = None
            yield None
            continue
        line = from_known_json(_LayoutLine, data)
        if line.pieces is not None:
            width, height = line.size
            table = Table.from_json({"width": width, "height": height, "pieces": line.pieces}, line.frame)
        if table is not None:
            yield KeptLayout(line.frame, line.time_s, table)


def piece_picture(image_bgr: NDArray[np.uint8], outline_px: Quad, size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """Cut one piece out of a picture and straighten it, its longer sides upright; uint8 of shape (height, width, 3)."""
    quad = np.asarray(outline_px, np.float32)
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        quad = np.roll(quad, 1, axis=0)
    width, height = size_px
    to = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    return np.asarray(cv2.warpPerspective(image_bgr, cv2.getPerspectiveTransform(quad, to), size_px, flags=cv2.INTER_LINEAR), np.uint8)
