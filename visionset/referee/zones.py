"""Zones of the table: where hands, graveyards, starter and pack of English Sets lie, and pack and rubbish heap of SET."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

import numpy as np

from visionset.calibration import Calibration
from visionset.codec import from_json
from visionset.errors import RecordError
from visionset.geometry import Floats, Quad, as_quad
from visionset.messages import Message, Words
from visionset.numbers import int_or_none
from visionset.saving import save_text
from visionset.untrusted import text_of, toml_of

_FARTHEST = 1e5
"""Millimetres from the middle of a table to anything at it."""


class ZoneUnits(Enum):
    """What the numbers of a zone measure."""

    PICTURE = "picture"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Zone:
    """An upright rectangle: in shares of the picture, 0 to 1, or in millimetres of the table."""

    name: str
    left: float
    top: float
    right: float
    bottom: float

    def __post_init__(self) -> None:
        if not all(abs(side) <= _FARTHEST for side in (self.left, self.top, self.right, self.bottom)):
            raise RecordError(f"expected a zone on the table, got {self.name} up to {_FARTHEST:g} and beyond; draw it again")
        if not (self.left < self.right and self.top < self.bottom):
            corners = f"from {self.left}, {self.top} to {self.right}, {self.bottom}"
            raise RecordError(f"expected a zone with a size, got {self.name} {corners}; draw it again")

    def holds(self, x: float, y: float) -> bool:
        """Tell whether a point lies in it."""
        return self.left <= x < self.right and self.top <= y < self.bottom


@dataclass(frozen=True, slots=True)
class _ZonesFile:
    """Zones as their TOML has them."""

    zones: dict[str, tuple[float, float, float, float]]
    ground: ZoneUnits = ZoneUnits.PICTURE


@dataclass(frozen=True, slots=True)
class Zones:
    """All zones; `parse` and ``str`` are inverse."""

    zones: tuple[Zone, ...]
    """The first that holds a point counts."""
    ground: ZoneUnits = ZoneUnits.PICTURE
    """What their numbers measure."""

    @classmethod
    def parse(cls, text: str) -> Zones:
        """Read zones from TOML; raises `RecordError` for what is none."""
        try:
            plain = from_json(_ZonesFile, toml_of(text))
            return cls(tuple(Zone(name, *box) for name, box in plain.zones.items()), plain.ground)
        except RecordError as error:
            raise RecordError(
                f"expected zones in TOML as name = [left, top, right, bottom], got none ({error!s:.160}); save the defaults and edit them"
            ) from None

    def __str__(self) -> str:
        lines = [f"{json.dumps(zone.name)} = [{zone.left}, {zone.top}, {zone.right}, {zone.bottom}]" for zone in self.zones]
        return "\n".join([f'ground = "{self.ground.value}"', "", "[zones]", *lines]) + "\n"

    @classmethod
    def load(cls, path: Path) -> Zones:
        """Read zones from a file; raises `RecordError` for one that holds none."""
        text = text_of(path)
        try:
            return cls.parse(text)
        except RecordError as error:
            raise RecordError(f"{path}: {error}") from None

    def save(self, path: Path) -> None:
        """Write zones to a file; raises `OutputError` where that fails."""
        save_text(path, str(self), "name a file in a folder that you may write to", make_folder=True)

    def moved(self, name: str, left: float, top: float, right: float, bottom: float) -> Zones:
        """The same zones with one in another place, as somebody dragged it, or with one more."""
        there = Zone(name, left, top, right, bottom)
        if name not in [zone.name for zone in self.zones]:
            return replace(self, zones=(*self.zones, there))
        return replace(self, zones=tuple(there if zone.name == name else zone for zone in self.zones))

    def without(self, name: str) -> Zones:
        """The same zones but for one."""
        return replace(self, zones=tuple(zone for zone in self.zones if zone.name != name))

    def check(self, profile: Calibration | None) -> None:
        """Raise `RecordError` where the zones are in millimetres and the profile does not know the table."""
        if self.ground is ZoneUnits.TABLE and (profile is None or profile.image_from_table is None):
            raise RecordError("expected a calibrated camera for zones in millimetres, got none; calibrate it, or draw zones in the picture")

    def suit(self, needed: Sequence[str], optional: Sequence[str] = ()) -> None:
        """Raise `RecordError` where a zone lies beside the picture, is of another game, or one of the needed names is missing.

        Zones that people name themselves may be there too.
        """
        names = [zone.name for zone in self.zones]
        if missing := [name for name in needed if name not in names]:
            raise RecordError(
                f"expected zones named {', '.join(missing)}, got {', '.join(names) or 'none'}; add them, or name a new file: the usual "
                "zones are written there"
            )
        if foreign := [one.name for one in ENGLISH_ZONES.zones if one.name in names and one.name not in (*needed, *optional)]:
            own = " and ".join((*needed, *optional))
            raise RecordError(f"expected zones of this game, which has {own}, got {', '.join(foreign)} of another; name another file")
        for zone in self.zones if self.ground is ZoneUnits.PICTURE else ():
            if zone.right <= 0 or zone.bottom <= 0 or zone.left >= 1 or zone.top >= 1:
                corners = f"from {zone.left}, {zone.top} to {zone.right}, {zone.bottom}"
                raise RecordError(f"expected a zone in shares of the picture, 0 to 1, got {zone.name} {corners}, beside it; draw it again")

    def at(self, center_px: Floats, size_px: tuple[int, int], profile: Calibration | None = None) -> str:
        """Name the zone of a point of the picture, shape (2,); empty where there is none, and raises as `check` does.

        Examples
        --------
        >>> ENGLISH_ZONES.at(np.array([640, 700]), (1280, 720)), ENGLISH_ZONES.at(np.array([10, 360]), (1280, 720))
        ('hand 1', 'pack')
        """
        x, y = (float(value) for value in self.measured(np.asarray(center_px)[None], size_px, profile)[0])
        return next((zone.name for zone in self.zones if zone.holds(x, y)), "")

    def measured(self, points_px: Floats, size_px: tuple[int, int], profile: Calibration | None = None) -> Floats:
        """Points of the picture, shape (n, 2), in what the numbers of the zones measure; raises as `check` does."""
        self.check(profile)
        if self.ground is ZoneUnits.PICTURE or profile is None:
            return np.asarray(points_px / np.array(size_px, np.float64))
        return profile.table_mm(points_px)

    def outline_px(self, name: str, size_px: tuple[int, int], profile: Calibration | None = None) -> Quad:
        """Corners of a zone in the picture, to draw it; raises as `check` does."""
        self.check(profile)
        zone = next(zone for zone in self.zones if zone.name == name)
        corners = np.array([[zone.left, zone.top], [zone.right, zone.top], [zone.right, zone.bottom], [zone.left, zone.bottom]])
        if self.ground is ZoneUnits.PICTURE or profile is None:
            return as_quad(corners * np.array(size_px, np.float64))
        return as_quad(profile.image_px(corners))


PACK_ZONE, STARTER_ZONE, HEAP_ZONE = "pack", "starter", "heap"


def hand_zone(player: int) -> str:
    """Name of the zone of a hand."""
    return f"hand {player + 1}"


def grave_zone(player: int) -> str:
    """Name of the zone of a graveyard."""
    return f"graveyard {player + 1}"


def zone_named(name: str, players: Sequence[str]) -> Words:
    """What people call a zone: a player's by the player; one that they named themselves keeps its name."""
    kind, _, number = name.partition(" ")
    seat = int_or_none(number)
    if kind in ("hand", "graveyard") and seat is not None and 0 < seat <= len(players):
        return Message(f"zone.{kind}", player=players[seat - 1])
    return Message(f"zone.{name}") if name in (PACK_ZONE, STARTER_ZONE, HEAP_ZONE) else name


ENGLISH_ZONES = Zones(
    (
        Zone(hand_zone(1), 0.0, 0.0, 1.0, 0.2),
        Zone(grave_zone(1), 0.0, 0.2, 1.0, 0.41),
        Zone(PACK_ZONE, 0.0, 0.41, 0.3, 0.59),
        Zone(STARTER_ZONE, 0.3, 0.41, 1.0, 0.59),
        Zone(grave_zone(0), 0.0, 0.59, 1.0, 0.8),
        Zone(hand_zone(0), 0.0, 0.8, 1.0, 1.0),
    )
)
"""The first player sits below, the second above; the pack lies at the left of the middle, the starter beside it."""
