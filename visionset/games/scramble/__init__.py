"""Scramble SET (rule D13)."""

from visionset.games.spec import GameSpec, TableGlance

SCATTERED = 36
"""Dice on the table that only Scramble SET has, which rolls all 42 of the box; some of them may be hidden."""


def recognizes(seen: TableGlance) -> bool:
    """Nearly all dice, in no grid."""
    return not seen.is_grid and seen.count >= SCATTERED


SPEC = GameSpec(__name__, "scramble", "Scramble SET", ("set-dice",), recognizes)
