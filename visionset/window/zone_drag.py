"""Zones dragged with the mouse: by the middle as a whole, by an edge or a corner to another size."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from visionset.calibration import Calibration
from visionset.geometry import Floats
from visionset.referee.zones import Zone, Zones, ZoneUnits

Point = tuple[float, float]
"""Pixels of the picture."""


@dataclass(frozen=True, slots=True)
class Pull:
    """The mouse with its button down, from where it was pressed to where it is; over once the button is let go."""

    start: Point
    end: Point
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class DragOptions:
    """How zones are dragged."""

    reach_px: float = 14.0
    """So near to an edge it is the edge that is dragged: fingers and mice are no surer."""
    least_px: float = 40.0
    """Least width and height: a card must find room in it."""


@dataclass(frozen=True, slots=True)
class Grip:
    """A zone as it was when it was gripped, and which of its sides follow: left, top, right, bottom; all of them to move it."""

    zone: Zone
    sides: tuple[bool, bool, bool, bool]


@dataclass(frozen=True, slots=True, eq=False)
class Dragging:
    """Zones while somebody drags them."""

    zones: Zones
    """As they are drawn now."""
    profile: Calibration | None = None
    """Of the camera, needed for zones in millimetres of the table."""
    grip: Grip | None = None
    """What is held just now."""
    options: DragOptions = DragOptions()

    def pulled(self, pull: Pull, size_px: tuple[int, int]) -> Dragging:
        """The zones after the mouse was pulled so far, in a picture of this size; a pull beside all zones does nothing."""
        grip = self.grip or self._gripped(pull.start, size_px)
        if grip is None:
            return self
        by = self._measured(pull.end, size_px) - self._measured(pull.start, size_px)
        zones = self.zones.moved(grip.zone.name, *self._box(grip, by, self._step(self.options.least_px, pull.end, size_px)))
        return replace(self, zones=zones, grip=None if pull.is_over else grip)

    def _gripped(self, at: Point, size_px: tuple[int, int]) -> Grip | None:
        x, y = self._measured(at, size_px)
        reach_x, reach_y = self._step(self.options.reach_px, at, size_px)
        zone = next((one for one in self.zones.zones if one.holds(float(x), float(y))), None)
        if zone is None:
            return None
        near = (x - zone.left < reach_x, y - zone.top < reach_y, zone.right - x < reach_x, zone.bottom - y < reach_y)
        left, top, right, bottom = (bool(side) for side in near)
        return Grip(zone, (left, top, right, bottom) if any(near) else (True, True, True, True))

    def _box(self, grip: Grip, by: Floats, least: Floats) -> tuple[float, float, float, float]:
        zone, (left, top, right, bottom) = grip.zone, grip.sides
        across = _span(zone.left, zone.right, float(by[0]), (left, right), float(least[0]), self.zones.ground)
        down = _span(zone.top, zone.bottom, float(by[1]), (top, bottom), float(least[1]), self.zones.ground)
        return across[0], down[0], across[1], down[1]

    def _measured(self, at: Point, size_px: tuple[int, int]) -> Floats:
        return np.asarray(self.zones.measured(np.array([at]), size_px, self.profile)[0])

    def _step(self, pixels: float, at: Point, size_px: tuple[int, int]) -> Floats:
        """What `pixels` are in the zones' own measure, about a point."""
        return np.abs(self._measured((at[0] + pixels, at[1] + pixels), size_px) - self._measured(at, size_px))


_DIGITS = 3
"""Decimals that are kept: a pixel in shares of the picture, and a file that people can read."""


def _span(low: float, high: float, by: float, follows: tuple[bool, bool], least: float, ground: ZoneUnits) -> tuple[float, float]:
    """One direction of a zone after it was dragged; zones of the picture stay in it."""
    first, last = (0.0, 1.0) if ground is ZoneUnits.PICTURE else (-np.inf, np.inf)
    if all(follows):
        by = min(max(by, first - low), last - high)
        low, high = low + by, high + by
    elif follows[0]:
        low = max(min(low + by, high - least), first)
    elif follows[1]:
        high = min(max(high + by, low + least), last)
    return round(low, _DIGITS), round(high, _DIGITS)
