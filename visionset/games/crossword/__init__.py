"""Crossword SET (rules D14 to D16)."""

from visionset.games.spec import GameSpec, TableGlance

_ROLLS = (10, 20, 30)
"""Dice that one to three players begin with; those of four may as well be the whole box, which Scramble SET rolls, some of it hidden."""


def recognizes(seen: TableGlance) -> bool:
    """Several grids, or as many dice as players begin with."""
    return len(seen.grids) > 1 if seen.is_grid else seen.count in _ROLLS


SPEC = GameSpec(__name__, "crossword", "Crossword SET", ("set-dice",), recognizes)
