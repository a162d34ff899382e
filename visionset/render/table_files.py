"""Rendered tables and clips to files, the truth beside them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import ceil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.errors import OutputError
from visionset.render.film import FPS, ClipFrame, TableClip
from visionset.render.table_spec import KINDS
from visionset.render.table_truth import true_pieces, truth_kind
from visionset.saving import save_text, saved
from visionset.untrusted import json_of, text_of
from visionset.video_file import VideoFile

LINE = 150
"""Longest line of a truth file that holds a list or an object."""

BARELY_COVERED = 0.98
"""A piece of which more is seen is not listed as hidden: a shadow's edge, rounding."""

JPEG_QUALITY = 92
ENDINGS = (".jpg", ".jpeg", ".png")


def write_truth(path: Path, value: Any) -> None:
    """Write JSON in which short lists stay on one line: a truth that people can read in a diff.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    save_text(path, _lines(value, 0) + "\n", "name another folder")


def _lines(part: Any, depth: int) -> str:
    flat = json.dumps(part)
    if len(flat) + depth <= LINE or not isinstance(part, dict | list) or not part:
        return flat
    pad = " " * (depth + 1)
    if isinstance(part, dict):
        inner = [f"{pad}{json.dumps(key)}: {_lines(item, depth + 1)}" for key, item in part.items()]
        return "{\n" + ",\n".join(inner) + "\n" + " " * depth + "}"
    return "[\n" + ",\n".join(pad + _lines(item, depth + 1) for item in part) + "\n" + " " * depth + "]"


def write_still(
    path: Path, image_bgr: NDArray[np.uint8], entry: dict[str, Any], kinds: Iterable[str], truth: Path, add: bool = True
) -> None:
    """Write a picture, and its entry into a truth file in the form of ``visionset score``; `add` keeps the entries that are there.

    Raises
    ------
    OutputError
        A file cannot be written, or the truth file is none.
    """
    if path.suffix.lower() not in ENDINGS:
        raise OutputError(f"{path}: expected a picture ending in {', '.join(ENDINGS)}, got {path.suffix or 'no ending'}; name it table.jpg")
    settings = [] if path.suffix.lower() == ".png" else [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
    with saved(path, "name another folder") as part:
        part.write_bytes(cv2.imencode(path.suffix, image_bgr, settings)[1].tobytes())
    kind, photos = truth_kind(KINDS[name] for name in kinds), {}
    if add and truth.exists():
        try:
            known = json_of(text_of(truth))
            photos, before = dict(known["photos"]), str(known["kind"])
        except (ValueError, KeyError, TypeError):  # RecordError is a ValueError
            raise OutputError(f"{truth}: expected a truth file to add to, got something else; name another folder") from None
        kind = kind if before == kind or not set(photos) - {path.name} else "any"
    write_truth(truth, {"kind": kind, "photos": photos | {path.name: entry}})


def write_clip(path: Path, clip: TableClip, frames: Iterable[ClipFrame]) -> dict[str, Any]:
    """Write a video and its truth, which ends in ``.json`` instead, and return that.

    Raises
    ------
    OutputError
        The video cannot be written.
    """
    video = VideoFile(path, FPS)
    truth = {
        "kind": truth_kind(piece.kind for piece in true_pieces(clip.plan)),
        "clip": path.name,
        "size_px": list(clip.plan.view.size_px),
        "fps": FPS,
        "frames": clip.frames,
        "actions": [
            {"action": one.action, "piece": one.piece, "first": _first(one.start_s), "last": min(clip.frames, _first(one.end_s)) - 1}
            for one in clip.happenings
            if _first(one.start_s) < clip.frames
        ],
        "quiet": [],
        "intervals": [],
        "hidden": {},
    }
    try:
        for frame in frames:
            video.add(frame.image_bgr)
            if video.missing:
                raise OutputError(f"{path}: expected room for the clip, got a full disk; free some space")
            _note(frame, truth)
        video.close()
    finally:
        video.discard()
    write_truth(path.with_suffix(".json"), truth)
    return truth


def _first(time_s: float) -> int:
    """First frame that is not before a time."""
    return ceil(time_s * FPS - 1e-6)


def _note(frame: ClipFrame, truth: dict[str, Any]) -> None:
    """Lengthen the interval of what lies there, or begin another."""
    entries, intervals, quiet = [piece.entry() for piece in frame.lying], truth["intervals"], truth["quiet"]
    cells = [None if one.cell is None else list(one.cell) for one in frame.lying]
    state: dict[str, Any] = {
        name: [entry[key] for entry in entries] for name, key in (("kinds", "kind"), ("pieces", "name"), ("corners", "corners"))
    }
    state |= ({"cells": cells} if any(cells) else {}) | {"moving": frame.moving}
    if not intervals or any(intervals[-1].get(key) != value for key, value in state.items()):
        intervals.append({"first": frame.index, "last": frame.index, **state})
    intervals[-1]["last"] = frame.index
    if frame.quiet:
        if not quiet or quiet[-1][1] != frame.index - 1:
            quiet.append([frame.index, frame.index])
        quiet[-1][1] = frame.index
        return
    if covered := {entry["name"]: entry["visible"] for entry in entries if entry["name"] and entry["visible"] < BARELY_COVERED}:
        truth["hidden"][str(frame.index)] = covered
