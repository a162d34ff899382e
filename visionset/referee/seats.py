"""Whose part of the table a piece lies in."""

from __future__ import annotations

from visionset.table import Sighting, Table


def seat_by_side(table: Table, one: Sighting, players: int) -> int:
    """Part the picture: left and right for two players, quarters from the top left clockwise for more."""
    if players == 1:
        return 0
    right, low = (float(at) > size / 2 for at, size in zip(one.center_px, table.size_px, strict=True))
    quarter = (0, 1, 3, 2)[2 * low + right]
    return int(right) if players == 2 else min(quarter, players - 1)
