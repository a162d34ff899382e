"""Dither: the same still picture is read through another part of the readers' grid each time."""

from __future__ import annotations

import numpy as np

from visionset.geometry import Frame, as_quad
from visionset.pieces import Kind, SetDie
from visionset.table import Sighting, Table
from visionset.tracking import TableTracker, dithered

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
    found = [sighting for _ in range(4) for sighting in seen(picture(100, 60)).sightings]
    assert len(found) == 2
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


def test_a_hand_that_turns_back_stands_still_for_one_picture_and_is_not_dithered() -> None:
    pushed = []

    def noted(frame: Frame) -> Table:
        pushed.append(paper(frame)[0])
        return read(frame)

    seen, lefts = dithered(noted), [100, 106, 112, 112, 106, 100]
    for left in lefts:
        seen(picture(left, 60))
    assert pushed == lefts
