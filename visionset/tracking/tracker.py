"""TableTracker: from a stream of frames to settled tables and what changed between them.

Longer than most modules: what was seen, what is being read and what is known hang on the same few fields.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count, cycle
from typing import Protocol, TypeAlias, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, Frame
from visionset.pieces import Piece
from visionset.table import Change, Moved, Reread, Settled, Sighting, Table, Taken, Thrown
from visionset.tracking.association import Settling, find_again, is_frozen, readings_needed
from visionset.tracking.glance import Glance
from visionset.tracking.occlusion import Surroundings
from visionset.tracking.options import MotionOptions, TrackerOptions
from visionset.tracking.remarks import Remarks
from visionset.tracking.tracks import Background, Draft, Track, moved, name_all, within
from visionset.tracking.view import Motion, MotionDetector, small_grey

Reader: TypeAlias = Callable[[Frame], Table]
"""Reads one frame by itself, such as ``lambda frame: visionset.vision.pipeline.read(frame.image_bgr)``."""


@runtime_checkable
class AsyncReader(Protocol):
    """Reads one frame at a time, perhaps in a thread of its own, as `visionset.sources.Aside` does."""

    def begin(self, frame: Frame) -> bool:
        """Begin to read a frame; False while another is read."""

    def take(self) -> tuple[Frame, Table] | None:
        """Take the outcome away, with its frame; None while there is none."""


class AtOnce:
    """Reads a frame while everybody waits: a stream gives the same each time it is followed."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._done: tuple[Frame, Table] | None = None

    def begin(self, frame: Frame) -> bool:
        """Read a frame."""
        self._done = frame, self._reader(frame)
        return True

    def take(self) -> tuple[Frame, Table] | None:
        """Take the outcome away."""
        done, self._done = self._done, None
        return done


_SHIFT_PX = 3
"""Way of a shift: cells of the finder are some 3 to 5 pixels of a picture wide, and this reaches another part of one."""

_SHIFTS_PX = ((0, 0), (_SHIFT_PX, _SHIFT_PX), (_SHIFT_PX, 0), (0, _SHIFT_PX))
"""Shifts of one reading after the other, right and down; the first is none."""

_SMALL = MotionOptions()
_LATELY = 2
"""Number of pictures before this one against which it must not have slid: a hand that holds the camera stands still for one as it turns."""


def dithered(reader: Reader) -> Reader:
    """Read each frame in a shifted picture, another shift each time (dithering); outlines are those in the frame itself.

    The finder sees a grid of cells. While neither camera nor table moves, a piece that is overlooked at the edge of a cell is overlooked in
    each reading, and no number of readings helps. A camera that moves shifts the picture by itself: then there is no shift.
    """
    shifts, lately = cycle(_SHIFTS_PX), deque[NDArray[np.float32]](maxlen=_LATELY)

    def read(frame: Frame) -> Table:
        nonlocal shifts
        small = small_grey(frame.image_bgr, _SMALL.long_side_px).astype(np.float32)
        if any(one.shape != small.shape or np.linalg.norm(cv2.phaseCorrelate(one, small)[0]) > _SMALL.least_way_px for one in lately):
            shifts = cycle(_SHIFTS_PX)
        lately.append(small)
        right, down = next(shifts)
        if not (right or down):
            return reader(frame)
        table = reader(shifted(frame, right, down))
        back = np.array([right, down], np.float64)
        return replace(table, sightings=tuple(replace(one, outline_px=one.outline_px - back) for one in table.sightings))

    return read


def shifted(frame: Frame, right: int, down: int) -> Frame:
    """The frame with its picture pushed right and down; what is pushed over the edge is lost, the other edge is repeated."""
    height, width = frame.image_bgr.shape[:2]
    wider = cv2.copyMakeBorder(frame.image_bgr, down, 0, right, 0, cv2.BORDER_REPLICATE)
    return replace(frame, image_bgr=np.asarray(wider[:height, :width], np.uint8))


def follow(frames: Iterable[Frame], reader: Reader, options: TrackerOptions | None = None) -> Iterator[Settled]:
    """Follow a table through a stream, one `Settled` a frame."""
    tracker = TableTracker(reader, options)
    for frame in frames:
        yield tracker.see(frame)


class TableTracker:
    """Follows a table; time is that of the frames.

    Parameters
    ----------
    reader : Reader or AsyncReader
        Takes a `Frame`, returns the `Table` in it, or does so aside while the next frames are looked at; asked only when
        something changed. What is read aside counts as of its own frame, and not at all when something moved meanwhile.
    options : TrackerOptions, optional
        Numbers.

    Attributes
    ----------
    timings_ms : dict of str to float
        Milliseconds of each stage of the last frame.
    """

    def __init__(self, reader: Reader | AsyncReader, options: TrackerOptions | None = None) -> None:
        self.options = options or TrackerOptions()
        self.timings_ms: dict[str, float] = {}
        self._readings: AsyncReader = reader if isinstance(reader, AsyncReader) else AtOnce(reader)
        self._excluded: frozenset[Piece] = frozenset()
        self._pending: list[Change] = []
        self._numbers = count(1)
        self._size_px = (0, 0)
        self._reset()

    def _reset(self) -> None:
        self._detector = MotionDetector(self.options.motion, self.options.view)
        self._remarks = Remarks(self.options.remarks)
        self._tracks: tuple[Track, ...] = ()
        self._sightings: tuple[Sighting, ...] = ()  # what is shown of them
        self._draft: Draft | None = None  # the readings that are collected for the next settled table
        self._asked: Draft | None = None  # the draft for which a frame is being read
        self._glance: Glance | None = self._new_glance() if self.options.has_glance else None
        self._glanced: Glance | None = None  # the glance for which a frame is being read
        self._now_from_settled: Floats = np.eye(3)  # homography from the frame of the last settled table, as far as the camera is followed
        self._background: Background | None = None  # the table as it is remembered; None before anything has settled
        self._far: NDArray[np.uint8] | None = None  # grey picture of the last settled table, in which the view is found again
        self._settled_s = self._now_s = -np.inf  # times of the last settled table and of the last frame
        self._moving_since_s = 0.0
        self._stale = True  # the settled table is no longer known to hold: it must be read again
        self._news = True  # something moved or changed since it settled, so that a reading may change it
        self._lost_since_s: float | None = None  # since when the camera moves and cannot be followed
        self._level = 0.0  # mean brightness of the last settled table, 0 to 255
        self._waits = 0  # readings that may still be spent on what is hidden, held or unclear
        self._holds = False  # a new piece may still be in a hand
        self._covered = False
        self._hidden: tuple[int, ...] = ()
        self._beyond: tuple[Piece, ...] = ()  # named pieces out of the picture

    def _begin_anew(self) -> None:
        """Know nothing of what was seen before: it is another table."""
        self._pending += [Taken(track.sighting) for track in self._tracks]
        self._reset()

    def _begin_in(self, frame: Frame) -> None:
        """Begin anew in a picture of another size, as of a phone that was turned; tracks stay, astray: only their readings find them."""
        wider, higher = (now / max(before, 1) for now, before in zip(frame.size_px, self._size_px, strict=True))
        there = np.diag([wider, higher, 1.0])
        out_of_it = np.array([[1.0, 0.0, 2.0 * frame.size_px[0]], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        unseen = Background.of(frame.image_bgr, self.options.motion.long_side_px).moved(out_of_it)
        tracks = [replace(one, sighting=moved(one.sighting, there), background=unseen, astray=True) for one in self._tracks]
        self._reset()
        self._size_px, self._tracks = frame.size_px, tuple(tracks)

    @property
    def _has_settled(self) -> bool:
        return self._background is not None

    @property
    def tracks(self) -> tuple[Track, ...]:
        """What lies on the table, also what is out of the picture just now."""
        return self._tracks

    def exclude(self, pieces: Iterable[Piece]) -> None:
        """Say which pieces cannot lie on the table, such as cards that were won; this replaces what was said before."""
        self._excluded = frozenset(pieces)
        self._rename(self._tracks)

    def correct(self, track: int, piece: Piece | None) -> None:
        """Say what a piece is; that holds until it leaves, or is taken back by None. Raises `KeyError`: no piece there has that number."""
        if all(one.number != track for one in self._tracks):
            raise KeyError(f"expected the number of a piece on the table, got {track}; take it from a sighting's track")
        self._rename(tuple(one.corrected_to(piece) if one.number == track else one for one in self._tracks))

    def see(self, frame: Frame) -> Settled:
        """Look at the next frame."""
        start_s = time.perf_counter()
        if frame.size_px != self._size_px:
            self._begin_in(frame)
        if frame.time_s < self._now_s:
            self._set_back(frame.time_s)
        has_stalled = frame.time_s - self._now_s >= self.options.wait_s
        self._now_s = frame.time_s
        motion = self._detector.look(frame.image_bgr, frame.time_s)
        self._follow(motion, frame.time_s)
        self._follow_by_eye(motion)
        self.timings_ms = {"motion": 1000 * (time.perf_counter() - start_s)}
        if motion.moving:
            self._stale = self._news = True
        else:
            self._moving_since_s = frame.time_s
            if has_stalled and motion.image_from_before is not None:  # what the view's motion does not explain was moved meanwhile
                self._detector.last_moved_s[motion.where] = frame.time_s
                self._news = True
        wanted = self._wants_reading(frame, motion)
        if not self._fetch(frame, motion) and (wanted or self._glance is not None):
            self._order(frame, wanted)
            self._fetch(frame, motion)
        return self._answer(frame, motion)

    def _set_back(self, time_s: float) -> None:
        """Set times back with the clock: this frame's time is before that of the last one."""
        self._settled_s = self._moving_since_s = time_s
        # what moved before is no longer known by its time: any piece may have been touched
        self._tracks = tuple(replace(track, settled_s=-np.inf) for track in self._tracks)
        self._draft, self._lost_since_s, self._stale, self._news = None, None, True, True
        self._remarks = Remarks(self.options.remarks)

    def _rename(self, tracks: tuple[Track, ...]) -> None:
        named = name_all(tracks, self._excluded, self.options.settle.names)
        before = {track.number: track.sighting for track in self._tracks}
        for track in named:
            if track.sighting.piece != before[track.number].piece:
                self._pending.append(Reread(before[track.number], track.sighting))
        self._show(named)

    def _show(self, tracks: tuple[Track, ...]) -> None:
        """Take over tracks; shown are those in the picture that are not astray, in reading order."""
        self._tracks = tracks
        known = [track.sighting for track in tracks if not track.astray]
        shown = within(known, self._size_px)
        self._beyond = tuple(one.piece for one in known if one.piece is not None and one not in shown)
        if shown != self._sightings:  # sightings are the same where they are the same object
            self._sightings = shown

    def _follow(self, motion: Motion, time_s: float) -> None:
        """Move tracks and draft with the camera, or note since when it is lost."""
        if not motion.lost and not motion.moving:
            self._lost_since_s = None
        elif motion.lost and self._lost_since_s is None:
            self._lost_since_s = time_s
        if motion.image_from_before is not None:
            if not motion.lost:
                self._follow_view(motion.image_from_before)
            if self._draft is not None:
                self._draft.move(motion.image_from_before)

    def _new_glance(self, tracks: Sequence[Track] = ()) -> Glance:
        return Glance(tracks, self.options.unsure_readings)

    def _follow_by_eye(self, motion: Motion) -> None:
        """Keep, begin or end the glance, which shows each reading while the camera moves or nothing has settled.

        It begins with the places of the tracks, or without any where the camera cannot be followed.
        """
        if not self.options.has_glance or self._is_blind():
            self._glance = None
        elif motion.moving:
            is_astray = self._lost_since_s is not None or not self._has_settled
            self._glance = self._new_glance() if is_astray else None
        elif motion.image_from_last is not None:
            if self._glance is not None:
                self._glance.move(motion.image_from_last)
            elif motion.lost or self._is_off():
                self._glance = self._new_glance(self._tracks if not motion.lost else ())

    def _is_off(self) -> bool:
        """Whether the camera has moved since the table settled by more than an outline may lie off: less is a shake, and no other view."""
        then_from_now = np.asarray(np.linalg.inv(self._now_from_settled))
        frozen = (is_frozen(moved(one.sighting, then_from_now).outline_px, one, self.options.settle) for one in self._tracks)
        return not self._tracks or not all(frozen)

    def _follow_view(self, image_from_before: Floats) -> None:
        """Move tracks and background with the camera."""
        self._now_from_settled = image_from_before @ self._now_from_settled

        @cache  # many pieces were last seen at the same moment
        def now(then: Background) -> Background:
            return then.moved(image_from_before)

        self._show(
            tuple(replace(one, sighting=moved(one.sighting, image_from_before), background=now(one.background)) for one in self._tracks)
        )
        if self._background is not None:
            self._background = now(self._background)

    def _wants_reading(self, frame: Frame, motion: Motion) -> bool:
        """Decide whether this frame is worth the cost of a reading, and drop readings that are out of date."""
        now_s, options, draft = frame.time_s, self.options, self._draft
        if self._is_blind():
            self._draft, self._stale, self._news = None, True, True
            return False
        spaced = draft is None or now_s - draft.last_s >= options.reread_s
        if motion.moving and now_s - self._moving_since_s >= options.patience_s:
            return spaced
        if motion.moving or (self._lost_since_s is not None and now_s - self._lost_since_s < options.wait_s):
            self._draft = None
            return False
        if motion.image_from_before is not None:
            self._stale = True
            return spaced
        if not self._stale:
            waited = self._waits > 0 and now_s - self._settled_s >= options.reread_s
            drifted = motion.changed > options.motion.changed and now_s - self._settled_s >= options.wait_s
            self._waits -= waited
            self._stale = waited or drifted
            self._news |= drifted
        return self._stale

    def _is_blind(self) -> bool:
        """Whether it is too dark to see the table, with the light out or something before the lens: what is not seen then is not gone."""
        level = float(self._detector.grey.mean())
        return self._has_settled and level < self.options.remarks.dark and level < self.options.blind * self._level

    def _order(self, frame: Frame, to_settle: bool) -> None:
        """Have a frame read, unless another still is: for the glance, and `to_settle` the table also for the draft."""
        start_s = time.perf_counter()
        if self._readings.begin(frame):
            self._asked, self._glanced = None, self._glance
            if self._glance is not None:
                self._glance.ask()
            if to_settle:
                self._draft = self._asked = self._draft or Draft(frame.time_s)
                self._draft.ask(frame.time_s)
        self.timings_ms["read"] = 1000 * (time.perf_counter() - start_s)

    def _fetch(self, frame: Frame, motion: Motion) -> bool:
        """Take in what was read, if anything was; True where that settles the table. A reading whose draft or glance is gone is dropped."""
        taken, draft = self._readings.take(), self._draft
        if taken is not None and self._glance is not None and self._glance is self._glanced:
            self._glance.add(taken[1])
        if taken is None or draft is None or draft is not self._asked:
            return False
        draft.add(taken[1])
        is_moving = motion.moving or motion.image_from_before is not None
        needed = self.options.unsure_readings if is_moving else readings_needed(draft, self._tracks, self.options)
        if draft.readings >= needed:
            self._settle(frame, motion, draft)
        return draft.readings >= needed

    def _settle(self, frame: Frame, motion: Motion, draft: Draft) -> None:
        """Make the observations of a draft the settled table: follow the camera, decide what lies there, remember the background."""
        start_s = time.perf_counter()
        far, lost = small_grey(frame.image_bgr, self.options.far_long_px), self._lost_since_s is not None
        drift = None if lost else self._detector.take_drift()
        if drift is not None:  # a piece that is not read for long would be left behind, a little at each look
            self._follow_view(drift)
        if self._far is not None:  # when most pieces are not where they were, perhaps the camera moved; then all of them move with it
            view = find_again(self._tracks, draft.observations(), (self._far, far), frame.size_px, lost, self.options)
            if view is not None:
                self._follow_view(view)
                self._remarks.camera_moved(frame.time_s)
                lost = False
        around = Surroundings(frame, self._detector, self._background, self._tracks, draft, self.options)
        if self._tracks and around.is_elsewhere(self._tracks, draft.observations()):
            self._begin_anew()
            self._detector.look(frame.image_bgr, frame.time_s)
            return
        follows = motion.image_from_before is not None
        settling = Settling(self._tracks, draft.observations(), around, self._news, lost, follows, self._numbers, self.options.settle)
        tracks, changes = settling.run(self._excluded)
        if self._news or not settling.waiting:
            self._waits = self.options.waiting_readings if settling.waiting else 0
        self._holds = settling.held
        foreign = around.foreign([one.before.outline_px for one in changes if isinstance(one, Taken | Moved | Thrown)])
        self._hidden = tuple(settling.covered)
        self._covered = bool(self._hidden) or around.reaches_in(foreign)
        self._show(tracks)
        self._pending += changes
        self._remarks.settled(frame.image_bgr, self._sightings, settling.hidden, frame.time_s)
        # what is not understood yet is compared with what was there before it came
        if not settling.waiting or self._background is None:
            self._background = around.remembered(foreign, settling.hidden, settling.under)
        self._far, self._draft, self._lost_since_s = far, None, None
        if self._glance is not None:
            self._sightings = self._glance.doubting(self._sightings, moving=follows)
        if not follows:
            self._glance = None
        self._settled_s, self._now_from_settled = frame.time_s, np.eye(3)
        self._level = float(self._detector.grey.mean())
        self._stale = self._news = motion.moving
        self._detector.hold()
        self.timings_ms["settle"] = 1000 * (time.perf_counter() - start_s)

    def _answer(self, frame: Frame, motion: Motion) -> Settled:
        changes, self._pending = tuple(self._pending), []
        following = motion.image_from_before is not None and not motion.lost
        glance = None if changes and motion.image_from_before is None else self._glance
        begins = glance is not None and not self._has_settled
        awaited = self._stale and self._news and not following and not begins  # without news the settled table still stands
        passing = () if glance is None else glance.sightings(frame.size_px)
        # what is read in this very frame is not from before
        held = (motion.moving or awaited or self._holds) and not passing and not changes
        sightings = self._sightings if glance is None else passing
        table = Table(frame.size_px, sightings, frame.index)
        is_lost = self._lost_since_s is not None and frame.time_s - self._lost_since_s >= self.options.wait_s
        lost = is_lost and not motion.moving and self._has_settled
        dark = self._is_blind()
        remarks = self._remarks.lines(self._detector.grey, table, motion.moving, lost, dark, frame.time_s)
        blind = dark or lost or (self._has_settled and not sightings and not motion.moving)
        said = remarks if self._has_settled else ()
        return Settled(table, held, changes, said, self._covered, glance is not None, blind, self._beyond, self._hidden)
