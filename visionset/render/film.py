"""Films: what is seen of a table from frame to frame, each frame with its truth, and the files of pictures and films.

Any frame can be rendered by itself: the noise of frame 57 depends on the seed and on 57, not on frames 0 to 56.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.errors import OutputError
from visionset.render.table_plan import Body, LaidFlat, TablePlan
from visionset.render.table_truth import TruePiece, true_pieces, truth_kind
from visionset.render.tables import NOISE, Lit, over
from visionset.saving import save_text, saved
from visionset.video_file import VideoFile

FPS = 15.0

_DRIFT, _DRIFT_PERIOD_S = 0.012, 3.7  # slow wander of the automatic exposure, as a share, and its period
_HAND_RESPONSE = 0.12  # how much a picture full of hand changes the exposure
_STILL_COVER = 1e-6  # share of a picture that a hand may cover and be out of it all the same


_truth = lru_cache(maxsize=4)(true_pieces)


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happens to a piece, or to none, from one time to another."""

    action: str
    piece: str | None
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True, eq=False)
class Instant:
    """What the camera sees while its shutter is open, or for a part of that time."""

    table: Lit  # what lies still; the dice in its picture may be more than those that its plan has lying
    bodies: tuple[Body, ...] = ()
    held: LaidFlat | None = None
    blur_px: tuple[float, float] = (0.0, 0.0)
    moving: int = 0  # pieces in sight that do not lie still: they have no value yet


@dataclass(frozen=True, slots=True, eq=False)
class ClipFrame:
    """One frame."""

    image_bgr: NDArray[np.uint8]
    index: int
    lying: tuple[TruePiece, ...]  # what lies still
    moving: int  # pieces in sight that do not
    covered: float  # share of the picture that a hand or a card in the air covers

    @property
    def quiet(self) -> bool:
        """Nothing moves, no hand is there."""
        return not self.moving and self.covered < _STILL_COVER


@dataclass(frozen=True, slots=True, eq=False)
class TableClip:
    """A clip to be rendered frame by frame."""

    plan: TablePlan  # the table when all is done
    happenings: tuple[Happening, ...]  # in the order of their start
    frames: int  # how many
    shows: Callable[[int], list[Instant]]  # ``(index) -> list of Instant``: what is averaged for a frame

    def __iter__(self) -> Iterator[ClipFrame]:
        """Render the frames, first to last."""
        return map(self.frame, range(self.frames))

    def frame(self, index: int) -> ClipFrame:
        """Render one frame."""
        instants = self.shows(index)
        radiances, covers = zip(*(over(one.table, one.bodies, one.held, one.blur_px) for one in instants), strict=True)
        radiance, cover = (np.asarray(np.mean(parts, axis=0), np.float32) for parts in (radiances, covers))
        covered = float(cover.mean())
        gain = 1 + _DRIFT * np.sin(2 * np.pi * index / FPS / _DRIFT_PERIOD_S) + _HAND_RESPONSE * covered
        image = self.plan.sensor.take(np.random.default_rng([self.plan.seed, NOISE, index]), radiance, float(gain))
        plan = instants[0].table.plan
        return ClipFrame(image, index, true_pieces(plan, cover) if covered else _truth(plan), instants[0].moving, covered)


_LINE = 150  # longest line of a truth file that holds a list or an object
_BARELY_COVERED = 0.98  # a piece of which more is seen is not listed as hidden: a shadow's edge, rounding
JPEG_QUALITY = 92
ENDINGS = (".jpg", ".jpeg", ".png")


def write_truth(path: Path, value: Any) -> None:
    """Write JSON in which short lists stay on one line: a truth that people can read in a diff."""
    save_text(path, _lines(value, 0) + "\n", "name another folder")


def _lines(part: Any, depth: int) -> str:
    flat = json.dumps(part)
    if len(flat) + depth <= _LINE or not isinstance(part, dict | list) or not part:
        return flat
    pad = " " * (depth + 1)
    named = [(f"{json.dumps(key)}: ", item) for key, item in part.items()] if isinstance(part, dict) else [("", item) for item in part]
    return flat[0] + "\n" + ",\n".join(pad + name + _lines(item, depth + 1) for name, item in named) + "\n" + " " * depth + flat[-1]


def write_still(path: Path, image_bgr: NDArray[np.uint8]) -> None:
    """Write a picture; raises `OutputError`: its ending is no picture's, or it cannot be written."""
    if path.suffix.lower() not in ENDINGS:
        raise OutputError(f"{path}: expected a picture ending in {', '.join(ENDINGS)}, got {path.suffix or 'no ending'}; name it table.jpg")
    settings = [] if path.suffix.lower() == ".png" else [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
    with saved(path, "name another folder") as part:
        part.write_bytes(cv2.imencode(path.suffix, image_bgr, settings)[1].tobytes())


def write_clip(path: Path, clip: TableClip, frames: Iterable[ClipFrame], more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Write a video, then its truth, which ends in ``.json`` instead and has `more` in it, and return that."""
    video = VideoFile(path, FPS)
    # from the first frame that is not before a time
    spans = [(one, ceil(one.start_s * FPS - 1e-6), ceil(one.end_s * FPS - 1e-6)) for one in clip.happenings]
    actions = [(one.action, one.piece, first, min(clip.frames, after) - 1) for one, first, after in spans if first < clip.frames]
    kind = truth_kind(piece.kind for piece in true_pieces(clip.plan))
    truth: dict[str, Any] = {"kind": kind, "clip": path.name, "size_px": list(clip.plan.view.size_px), "fps": FPS, "frames": clip.frames}
    truth["actions"] = [dict(zip(("action", "piece", "first", "last"), action, strict=True)) for action in actions]
    truth |= {"quiet": [], "intervals": [], "hidden": {}, **(more or {})}
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


def _note(frame: ClipFrame, truth: dict[str, Any]) -> None:
    """Lengthen the interval of what lies there, or begin another."""
    entries, intervals, quiet = [piece.entry() for piece in frame.lying], truth["intervals"], truth["quiet"]
    cells = [None if one.cell is None else list(one.cell) for one in frame.lying]
    keys = {"kinds": "kind", "pieces": "name", "corners": "corners"}
    state: dict[str, Any] = {name: [entry[key] for entry in entries] for name, key in keys.items()}
    state |= ({"cells": cells} if any(cells) else {}) | {"moving": frame.moving}
    if not intervals or any(intervals[-1].get(key) != value for key, value in state.items()):
        intervals.append({"first": frame.index, "last": frame.index, **state})
    intervals[-1]["last"] = frame.index
    if frame.quiet:
        if not quiet or quiet[-1][1] != frame.index - 1:
            quiet.append([frame.index, frame.index])
        quiet[-1][1] = frame.index
        return
    if covered := {entry["name"]: entry["visible"] for entry in entries if entry["name"] and entry["visible"] < _BARELY_COVERED}:
        truth["hidden"][str(frame.index)] = covered
