"""Frames that are read aside, the same events a little later; and a still picture, each time through another part of the grid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.tracking.table import IN_AND_OUT, Moment, Script, card, changes, twelve
from visionset.frame import Frame
from visionset.geometry import as_quad
from visionset.pieces import Kind, SetDie
from visionset.table import Settled, Sighting, Table
from visionset.tracking import TableTracker, dithered

TABLE = Moment(twelve())
STEP_PX = 5.0


class Later:
    """Reads at once, and hands the outcome out so many frames later."""

    def __init__(self, script: Script, frames: int) -> None:
        self.script, self.frames = script, frames
        self.done: tuple[Frame, Table] | None = None
        self.now = 0

    def begin(self, frame: Frame) -> bool:
        if self.done is not None:
            return False
        self.done = frame, self.script.read(frame)
        return True

    def take(self) -> tuple[Frame, Table] | None:
        if self.done is None or self.now < self.done[0].index + self.frames:
            return None
        done, self.done = self.done, None
        return done

    def follow(self) -> list[Settled]:
        tracker, told = TableTracker(self), []
        for frame in self.script.frames():
            self.now = frame.index
            told.append(tracker.see(frame))
        return told


def hand_takes_three() -> Script:
    fewer = replace(TABLE, lying=TABLE.lying[3:])
    return Script().stay(TABLE, 20).pass_over(TABLE, IN_AND_OUT, 16, fewer).stay(fewer, 25)


@pytest.mark.parametrize("frames", [1, 3])
def test_events_are_the_same_and_a_little_later(frames: int) -> None:
    at_once, aside = hand_takes_three().follow(), Later(hand_takes_three(), frames).follow()
    assert changes(aside) == changes(at_once)
    assert aside[-1].table.pieces == at_once[-1].table.pieces
    last, last_aside = (max(at for at, one in enumerate(told) if one.changes) for told in (at_once, aside))
    assert last < last_aside <= last + 5 * (frames + 1)


def test_a_reading_from_before_a_hand_came_is_dropped() -> None:
    """The frame that is being read shows twelve cards; when it is read a hand has begun to take three of them."""
    fewer = replace(TABLE, lying=TABLE.lying[3:])
    script = Script().stay(TABLE, 1).pass_over(TABLE, IN_AND_OUT, 16, fewer).stay(fewer, 25)
    told = Later(script, 3).follow()
    assert sorted(changes(told)) == sorted(f"Appeared {lying.face}" for lying in fewer.lying)


def test_what_was_read_aside_follows_a_view_that_moves() -> None:
    """The camera drifts by 5 pixels a frame while frames are read three frames late: outlines lie where the cards are now."""
    script = Script()
    for index in range(26):
        shift = ((1.0, 0.0, STEP_PX * index), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        script.moments.append(Moment((card(0, 5), card(7, 6), card(20, 9), card(30, 0)), view=shift))
    told = Later(script, 3).follow()
    settled = [at for at, one in enumerate(told) if one.changes]
    assert settled
    for at in range(settled[0], 26):
        shown = {one.piece: one for one in told[at].table.sightings}
        for lying in script.moments[at].lying:
            off = shown[lying.face].center_px - (lying.x + STEP_PX * at, lying.y)
            assert np.abs(off).max() < 1.5 * STEP_PX, at


SIDE_PX = 30


def paper(frame: Frame) -> tuple[int, int]:
    """Left and top of the white square."""
    rows, columns = np.nonzero(frame.image_bgr[..., 0] > 128)
    return int(columns.min()), int(rows.min())


def picture(left: int, top: int, index: int = 0) -> Frame:
    image = np.full((200, 300, 3), 40, np.uint8)
    image[top : top + SIDE_PX, left : left + SIDE_PX] = 250
    return Frame(image, index, index / 10)


def read(frame: Frame) -> Table:
    """A reader that overlooks what begins at every fourth column."""
    left, top = paper(frame)
    box = as_quad(np.array([[left, top], [left + SIDE_PX, top], [left + SIDE_PX, top + SIDE_PX], [left, top + SIDE_PX]], np.float64))
    die = SetDie.parse("2-red-oval")
    return Table(frame.size_px, () if left % 4 == 0 else (Sighting(Kind.SET_DIE, box, die, 1.0),), frame.index)


def test_outlines_are_those_of_the_frame_whatever_the_shift() -> None:
    seen = dithered(read)
    found = [sighting for _ in range(5) for sighting in seen(picture(100, 60)).sightings]
    assert len(found) == 3
    for sighting in found:
        np.testing.assert_array_equal(sighting.outline_px.min(axis=0), [100, 60])


def test_what_lies_at_the_edge_of_a_cell_is_seen_by_other_readings() -> None:
    """Without dither each reading of a table that stands still overlooks the same piece."""
    tables = {}
    for name, reader in (("plain", read), ("dithered", dithered(read))):
        tracker = TableTracker(reader)
        tables[name] = [tracker.see(picture(100, 60, index)).table for index in range(12)][-1]
    assert not tables["plain"].sightings
    assert [str(one.piece) for one in tables["dithered"].sightings] == ["2-red-oval"]
