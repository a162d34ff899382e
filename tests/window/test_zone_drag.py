from __future__ import annotations

import pytest

from visionset.calibration import Calibration, Lens
from visionset.referee.zones import Zone, Zones, ZoneUnits
from visionset.window.zone_drag import Dragging, Pull

SIZE_PX = (1000, 500)
ZONES = Zones((Zone("a", 0.1, 0.2, 0.5, 0.6), Zone("b", 0.5, 0.2, 0.9, 0.6)))


def box(dragging: Dragging, name: str = "a") -> tuple[float, float, float, float]:
    zone = next(one for one in dragging.zones.zones if one.name == name)
    return zone.left, zone.top, zone.right, zone.bottom


@pytest.mark.parametrize(
    ("start", "end", "becomes"),
    [
        ((300, 200), (350, 225), (0.15, 0.25, 0.55, 0.65)),  # the middle: it moves
        ((105, 200), (55, 300), (0.05, 0.2, 0.5, 0.6)),  # the left edge
        ((300, 105), (300, 55), (0.1, 0.1, 0.5, 0.6)),  # the top edge
        ((495, 295), (595, 345), (0.1, 0.2, 0.6, 0.7)),  # the corner at the lower right
        ((300, 200), (-900, -900), (0.0, 0.0, 0.4, 0.4)),  # no farther than the picture
        ((495, 200), (0, 200), (0.1, 0.2, 0.14, 0.6)),  # no smaller than a card
        ((50, 50), (400, 400), (0.1, 0.2, 0.5, 0.6)),  # beside all zones
    ],
)
def test_a_zone_follows_the_mouse(start: tuple[float, float], end: tuple[float, float], becomes: tuple[float, float, float, float]) -> None:
    dragging = Dragging(ZONES).pulled(Pull(start, end, True), SIZE_PX)
    assert box(dragging) == pytest.approx(becomes)
    assert box(dragging, "b") == box(Dragging(ZONES), "b")


def test_what_was_gripped_is_held_until_the_button_is_let_go() -> None:
    """Over the other zone it is still the first that follows, and the way is measured from where it began."""
    dragging = Dragging(ZONES)
    for x in (400, 500, 700, 350):
        dragging = dragging.pulled(Pull((300, 200), (x, 200)), SIZE_PX)
        assert dragging.grip is not None
    dragging = dragging.pulled(Pull((300, 200), (320, 200), True), SIZE_PX)
    assert dragging.grip is None
    assert box(dragging) == pytest.approx((0.12, 0.2, 0.52, 0.6))


def test_zones_of_the_table_are_dragged_in_millimetres() -> None:
    zones = Zones((Zone("a", -100.0, -50.0, 100.0, 50.0),), ZoneUnits.TABLE)
    half_mm_a_px = (2.0, 0.0, 500.0, 0.0, 2.0, 250.0, 0.0, 0.0, 1.0)
    profile = Calibration("a", "camera 0", SIZE_PX, lens=Lens((800.0, 800.0), (500.0, 250.0)), image_from_table=half_mm_a_px)
    dragging = Dragging(zones, profile).pulled(Pull((500, 250), (400, 290), True), SIZE_PX)
    assert box(dragging) == pytest.approx((-150.0, -30.0, 50.0, 70.0))
    assert Zones.parse(str(dragging.zones)) == dragging.zones
