"""A recording run again through today's reader: which names changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from visionset.geometry import Frame
from visionset.recording.recording import Recording
from visionset.table import Settled, Sighting, Table

See = Callable[[Frame], Settled]


class Verdict(Enum):
    """What became of a reading."""

    SAME = "same"
    OTHER = "other name"
    UNSURE = "not sure any more"
    SURE = "read now"
    GONE = "not found any more"
    NEW = "found now"


@dataclass(frozen=True, slots=True)
class Difference:
    """One piece that is read otherwise than it was, over a run of settled frames."""

    first: int
    last: int
    """`first` and `last`: the frames it concerns."""
    first_s: float
    last_s: float
    center_px: tuple[int, int]
    """Where the piece lies in the recorded picture."""
    was: str
    now: str
    """`was` and `now`: names; ``?`` for a piece without a name, empty for no piece."""

    @property
    def verdict(self) -> Verdict:
        """What became of the reading."""
        if not self.was or not self.now:
            return Verdict.NEW if not self.was else Verdict.GONE
        if self.was == self.now:
            return Verdict.SAME
        if self.now == "?":
            return Verdict.UNSURE
        return Verdict.SURE if self.was == "?" else Verdict.OTHER


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome."""

    frames: int
    """Settled frames that were read again."""
    unsettled: int
    """Frames that were settled when they were recorded and are not today: the table is compared a little later."""
    readings: int
    """Pieces in them, as they were recorded."""
    differences: tuple[Difference, ...]
    """In order; the same difference in frame after frame is one."""
    counts: dict[Verdict, int]
    """Readings of each sort, frame by frame."""
    lost: int = 0
    """Pictures that were recorded and cannot be read any more."""
    damaged: int = 0
    """Lines of the recording that cannot be read."""


def replay(recording: Recording, see: See, step: Callable[[], object] = lambda: None) -> Replay:
    """Follow a recording again: today's tracker is given every picture in order, as it was live; `step` is called once a picture.

    Settled frames whose picture was not kept are passed over.
    """
    layouts = {layout.frame: layout for layout in recording.layouts}
    frames = unsettled = readings = 0
    lost = len(recording.pictures)
    counts = dict.fromkeys(Verdict, 0)
    running: dict[tuple[str, str, int, int], Difference] = {}
    done: list[Difference] = []
    for frame in recording.frames():
        step()
        lost -= 1
        settled = see(frame)
        layout = layouts.get(frame.index)
        if layout is None:
            continue
        if settled.held or settled.passing:
            unsettled += 1
            continue
        frames += 1
        readings += len(layout.table.sightings)
        still: dict[tuple[str, str, int, int], Difference] = {}
        for found in compare_readings(layout.table, settled.table, frame.index, frame.time_s):
            counts[found.verdict] += 1
            if found.verdict is Verdict.SAME:
                continue
            key = _place(found, layout.table)
            before = running.pop(key, None)
            still[key] = found if before is None else replace(before, last=found.last, last_s=found.last_s)
        done += running.values()
        running = still
    done += running.values()
    return Replay(frames, unsettled, readings, tuple(sorted(done, key=lambda d: (d.first, d.center_px))), counts, lost, recording.damaged)


def compare_readings(was: Table, now: Table, index: int = 0, time_s: float = 0.0) -> Iterator[Difference]:
    """Pair the pieces of two readings of one frame by where they lie, and say what each became."""
    left = list(now.sightings)
    for piece in was.sightings:
        near = min(left, key=piece.apart_px, default=None)
        if near is not None and piece.apart_px(near) < _REACH * piece.long_side_px:
            left.remove(near)
            yield _difference(piece, near, index, time_s)
        else:
            yield _difference(piece, None, index, time_s)
    for piece in left:
        yield _difference(None, piece, index, time_s)


_REACH = 0.35
"""Share of a card's length: centres closer than this are of one card. Cards that touch are at least 0.65 apart."""


def _difference(was: Sighting | None, now: Sighting | None, index: int, time_s: float) -> Difference:
    piece = was or now
    assert piece is not None
    x, y = piece.center_px
    return Difference(index, index, time_s, time_s, (round(float(x)), round(float(y))), _name(was), _name(now))


def _name(sighting: Sighting | None) -> str:
    if sighting is None:
        return ""
    return "?" if sighting.piece is None else str(sighting.piece)


def _place(found: Difference, table: Table) -> tuple[str, str, int, int]:
    """The same difference at the same place; places are told apart by a coarse grid, so that jitter makes no new one."""
    cell = max(1.0, _REACH * max((s.long_side_px for s in table.sightings), default=100.0))
    return found.was, found.now, int(found.center_px[0] // cell), int(found.center_px[1] // cell)
