"""The last minute of a recording in one file for a fault report: the table, and nothing of the room around it.

Names of players, the address of the camera and the person's own folder are left out.
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from visionset.recording.heading import Heading
from visionset.recording.recorder import Crop, Recorder, RecorderOptions
from visionset.recording.recording import KeptLayout, Recording
from visionset.saving import saved

_NOTE = """\
What is in this file: the last {seconds:.0f} seconds of a recording by visionset.

recording/video-001.avi    {pictures} pictures, cut to the table: {cut}
recording/layouts.jsonl    what was read in each settled frame
recording/events.jsonl     what happened in the game
recording/recording.json   how it was recorded; players are numbered, the camera is not named
doctor.txt                 versions, and what visionset doctor says on that machine

Look at the video before you send it. To look into the fault: unpack it, then visionset replay recording
"""


@dataclass(frozen=True, slots=True)
class BundleOptions:
    """What to pack."""

    last_s: float = 60.0
    """Seconds before the end."""
    margin: float = 0.35
    """Rim kept around the pieces, in lengths of the longest piece: enough for a reader to see where a card ends."""


@dataclass(frozen=True, slots=True)
class Packed:
    """What was packed: pictures, and why there are none where there are none."""

    pictures: int
    remark: str = ""


def bundle(recording: Recording, path: Path, doctor: str, options: BundleOptions = BundleOptions()) -> Packed:
    """Pack the last minute as a zip file, with what ``visionset doctor`` prints.

    Raises `OutputError`: the file cannot be written.
    """
    ends = [part[-1].time_s for part in (recording.pictures, recording.layouts, recording.events) if part]
    from_s = max(ends, default=0.0) - options.last_s
    layouts = [layout for layout in recording.layouts if layout.time_s >= from_s]
    box = table_box(layouts, options.margin)
    with (
        saved(path, "name another with --out") as part,
        tempfile.TemporaryDirectory() as scratch,
        zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        folder = Path(scratch) / "recording"
        pictures = _copy(recording, folder, from_s, layouts, box)
        for file in sorted(folder.iterdir()):
            packed.write(file, f"recording/{file.name}")
        cut = "left out, for no table was found" if box is None else f"left {box[0]}, top {box[1]}, right {box[2]}, bottom {box[3]}"
        packed.writestr("doctor.txt", without_home(doctor))
        packed.writestr("README.txt", _NOTE.format(seconds=min(options.last_s, recording.duration_s), pictures=pictures, cut=cut))
    return Packed(pictures, "" if box else "no piece was read in that time, so no picture is packed: it could show the room")


def table_box(layouts: Sequence[KeptLayout], margin: float) -> Crop | None:
    """What all pieces of some layouts cover in the recorded picture, with a margin; None where there is no piece."""
    sightings = [sighting for layout in layouts for sighting in layout.table.sightings]
    if not sightings:
        return None
    corners = np.concatenate([sighting.outline_px for sighting in sightings])
    rim = margin * max(sighting.long_side_px for sighting in sightings)
    width, height = layouts[-1].table.size_px
    low, high = np.floor(corners.min(axis=0) - rim).astype(int), np.ceil(corners.max(axis=0) + rim).astype(int)
    return max(0, int(low[0])), max(0, int(low[1])), min(width, int(high[0])), min(height, int(high[1]))


def without_home(text: str, home: Path | None = None) -> str:
    """Write ``~`` for the person's own folder, whose name is often theirs."""
    own = str(home or Path.home())
    return text.replace(own, "~") if len(own) > len(os.sep) else text


def _copy(recording: Recording, folder: Path, from_s: float, layouts: Sequence[KeptLayout], box: Crop | None) -> int:
    """Record that minute again, cut to the table."""
    by_frame = {layout.frame: layout.table for layout in layouts}
    kept = RecorderOptions(least_free=0)  # a full disk fails at once and is told
    first = next((picture.frame for picture in recording.pictures if picture.time_s >= from_s), None)
    heading = _nameless(recording.heading)
    with Recorder(folder, heading, box, kept) as recorder:
        if box is not None and first is not None:
            for frame in recording.frames(first):
                recorder.write(frame, by_frame.pop(frame.index, None))
        pictures = recorder.frames
    if pictures == 0:
        _lines(folder / "layouts.jsonl", [_whole(layout) for layout in layouts])
    happened = [asdict(event) for event in recording.events if event.time_s >= from_s]
    names = dict(zip(recording.heading.players, heading.players, strict=True))
    _lines(folder / "events.jsonl", [{k: v for k, v in line.items() if k != "event"} | _event(line, names) for line in happened])
    return pictures


def _event(line: dict[str, Any], names: Mapping[str, str]) -> dict[str, object]:
    """The event as a line has it: why all agree to something names players, who are numbers everywhere else."""
    event = line["event"]
    if event is None:
        return {"undo": True}
    return {"event": event | {"reason": _renamed(event["reason"], names)} if "reason" in event else event}


def _renamed(words: Any, names: Mapping[str, str]) -> Any:
    if isinstance(words, dict) and "args" in words:  # a message: a piece is told in another way
        return words | {"args": {key: _renamed(value, names) for key, value in words["args"].items()}}
    if isinstance(words, list):
        return [_renamed(value, names) for value in words]
    return names.get(words, words) if isinstance(words, str) else words


def _whole(layout: KeptLayout) -> dict[str, object]:
    table = layout.table
    return {"frame": layout.frame, "time_s": layout.time_s, "size": table.size_px, "pieces": table.to_json()["pieces"]}


def _lines(path: Path, lines: Sequence[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _nameless(heading: Heading) -> Heading:
    players = tuple(f"player {number}" for number in range(1, len(heading.players) + 1))
    source = "camera" if heading.source.startswith("camera ") else "stream" if "://" in heading.source else "video"
    return replace(heading, source=source, players=players)
