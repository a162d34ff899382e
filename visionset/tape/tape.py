"""A recording read back: what it is of, its pictures, layouts and events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np

from visionset.errors import RecordError, SourceError, VisionsetError
from visionset.frame import Frame
from visionset.pieces import Kind
from visionset.sources.clip import Clip
from visionset.table import Table
from visionset.tape.codec import pieces_from_json
from visionset.tape.lines import read_lines
from visionset.tape.recorder import FORMAT, HEADING, Heading


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture that was kept: the number of its video file, from 1, and the frame that it is."""

    video: int
    frame: int
    time_s: float


@dataclass(frozen=True, slots=True)
class Layout:
    """What lay there in a settled frame; outlines are pixels of the recorded picture."""

    frame: int
    time_s: float
    table: Table


@dataclass(frozen=True, slots=True)
class Happening:
    """An event of the game as JSON, or None for one that took the last back; and the scores after it."""

    frame: int
    time_s: float
    event: dict[str, Any] | None
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tape:
    """A recording.

    Attributes
    ----------
    folder : Path
        Where it lies.
    heading : Heading
        What it is of.
    shots, layouts, happenings : tuple
        In order.
    """

    folder: Path
    heading: Heading
    shots: tuple[Shot, ...]
    layouts: tuple[Layout, ...]
    happenings: tuple[Happening, ...]

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Read a recording, also one whose program was killed.

        Raises
        ------
        RecordError
            The folder holds none, or one of a newer program.
        """
        folder = Path(folder)
        heading = _heading(folder)
        try:
            shots = tuple(
                Shot(line["video"], line["frame"], float(line["time_s"])) for line in read_lines(folder / "frames.jsonl") if "video" in line
            )
            happenings = tuple(
                Happening(line["frame"], float(line["time_s"]), line.get("event"), tuple(line.get("scores", ())))
                for line in read_lines(folder / "events.jsonl")
            )
            return cls(folder, heading, shots, tuple(_layouts(folder)), happenings)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, VisionsetError):
                raise
            raise RecordError(
                f"{folder}: expected lines of a recording, got {error!r:.60}; it was changed by hand or the disk fails"
            ) from None

    @property
    def duration_s(self) -> float:
        """Seconds from the first thing kept to the last."""
        times = [part[at].time_s for part in (self.shots, self.layouts, self.happenings) if part for at in (0, -1)]
        return max(times) - min(times) if times else 0.0

    def frames(self, first: int = 0) -> Iterator[Frame]:
        """Every picture that was kept, with the index and time of its frame, from frame `first` on."""
        by_video: dict[int, list[Shot]] = {}
        for shot in self.shots:
            by_video.setdefault(shot.video, []).append(shot)
        for video, shots in by_video.items():
            if shots[-1].frame < first:
                continue
            try:
                clip = Clip(self.folder / f"video-{video:03d}.avi")
            except SourceError:  # killed before the first picture reached the disk, or deleted to save room
                continue
            with clip:
                for shot, frame in zip(shots, clip, strict=False):
                    if clip.ended and shot is not shots[-1]:
                        break  # the last picture of a video that was cut short may be torn
                    if shot.frame >= first:
                        yield Frame(frame.image_bgr, shot.frame, shot.time_s)


def _heading(folder: Path) -> Heading:
    path = folder / HEADING
    if not path.is_file():
        raise RecordError(f"{folder}: expected a recording, got no {HEADING} in it; name a folder that visionset watch --record wrote")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        known = {field.name: data[field.name] for field in fields(Heading) if field.name in data}
        heading = Heading(**{**known, **{name: tuple(known.get(name, ())) for name in ("players", "pieces")}})
        newer = int(heading.format) > FORMAT
        unknown = sorted(set(heading.pieces) - {kind.value for kind in Kind})
    except (ValueError, TypeError, AttributeError):
        raise RecordError(f"{path}: expected what a recording is of, got something else; the file is damaged") from None
    if newer:
        raise RecordError(f"{folder}: expected a recording of form {FORMAT} or less, got {heading.format}; update visionset to read it")
    if unknown:
        raise RecordError(f"{folder}: expected kinds of pieces that are known, got {', '.join(unknown)}; update visionset to read it")
    return heading


def _layouts(folder: Path) -> Iterator[Layout]:
    table: Table | None = None
    for line in read_lines(folder / "layouts.jsonl"):
        if "pieces" in line:
            width, height = line["size"]
            table = Table((int(width), int(height)), pieces_from_json(line["pieces"]), line["frame"])
        if table is not None:
            yield Layout(line["frame"], float(line["time_s"]), table)


def card_picture(frame: Frame, outline_px: np.ndarray[Any, np.dtype[np.float64]], size_px: tuple[int, int]) -> np.ndarray[Any, Any]:
    """Cut one card out of a frame and straighten it, portrait."""
    quad = np.asarray(outline_px, np.float32)
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        quad = np.roll(quad, 1, axis=0)
    width, height = size_px
    to = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    return cv2.warpPerspective(frame.image_bgr, cv2.getPerspectiveTransform(quad, to), size_px, flags=cv2.INTER_AREA)
