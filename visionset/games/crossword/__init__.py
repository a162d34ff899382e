"""Crossword SET (rules D14 to D16)."""

from visionset.games.scramble import SCATTERED
from visionset.games.spec import GameSpec, TableGlance

_ROLL = 10
"""Dice that each player begins with."""


def recognizes(seen: TableGlance) -> bool:
    """Several grids, or as many dice as players begin with."""
    return len(seen.grids) > 1 if seen.is_grid else seen.count < SCATTERED and seen.count % _ROLL == 0


SPEC = GameSpec(__name__, "crossword", "Crossword SET", ("set-dice",), recognizes)
