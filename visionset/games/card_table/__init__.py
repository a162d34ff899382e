"""SET cards on a table, for every game that is played with them: places, hints, and what a referee makes of both."""

from visionset.games.spec import TableGlance

FEW = 9
"""SET cards that make a layout: fewer may be what was left of something else."""


def recognizes(seen: TableGlance) -> bool:
    """Many SET cards."""
    return seen.count >= FEW
