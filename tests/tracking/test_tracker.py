"""Frames that are read aside: the same events, a little later, and nothing from a reading that is out of date."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.tracking.table import IN_AND_OUT, Moment, Script, card, changes, twelve
from visionset.geometry import Frame
from visionset.table import Settled, Table
from visionset.tracking import TableTracker

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


@pytest.mark.parametrize("frames", [pytest.param(1, marks=pytest.mark.slow), 3])
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
