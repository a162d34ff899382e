"""What is shown while the view moves: a name only where place and reading agree, and nothing that was not read."""

from __future__ import annotations

import numpy as np

from tests.tracking.table import SIZE_PX, card
from visionset.table import Table
from visionset.tracking.glance import Glance

FIRST, SECOND = card(3, 0), card(40, 0)


def reading(*lying: object, right_px: float = 0.0) -> Table:
    view = np.array([[1.0, 0.0, right_px], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    return Table(SIZE_PX, tuple(one.sighting(view, np.zeros((4, 2))) for one in lying))  # type: ignore[attr-defined]


def shown(glance: Glance) -> list[object]:
    return [one.piece for one in glance.sightings(SIZE_PX)]


def test_a_name_that_the_place_contradicts_is_not_shown_until_readings_have_said_it_often() -> None:
    glance = Glance((), 3)
    for table, names in ((FIRST, [FIRST.face]), (FIRST, [FIRST.face]), (SECOND, [None])):
        glance.ask()
        glance.add(reading(table))
        assert shown(glance) == names
    for _ in range(3):
        glance.add(reading(SECOND))
    assert shown(glance) == [SECOND.face]


def test_what_is_not_read_is_not_shown_and_what_is_follows_the_view() -> None:
    glance, right = Glance((), 3), np.array([[1.0, 0.0, 30.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    glance.add(reading(FIRST))
    glance.ask()
    glance.move(right)
    (followed,) = glance.sightings(SIZE_PX)
    assert np.allclose(followed.outline_px, FIRST.outline() + np.array([30.0, 0.0]))
    glance.add(reading())
    assert shown(glance) == []


def test_a_settled_table_lacks_the_names_that_the_last_reading_contradicts() -> None:
    glance = Glance((), 3)
    glance.add(reading(FIRST))
    settled = reading(SECOND).sightings
    assert [one.piece for one in glance.doubting(settled, moving=False)] == [None]
    assert [one.piece for one in glance.doubting(reading(FIRST).sightings, moving=True)] == [FIRST.face]
    assert [one.piece for one in glance.doubting(reading(card(9, 5)).sightings, moving=True)] == [None]
