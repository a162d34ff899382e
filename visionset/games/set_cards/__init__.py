"""SET with cards: rules, odds, hints, and its referee (rules S1 to S10)."""

from visionset.games.spec import GameSpec, TableGlance

LAYOUT = 9
"""SET cards that make a layout: fewer may be what was left of something else."""


def recognizes(seen: TableGlance) -> bool:
    """Many SET cards."""
    return seen.count >= LAYOUT


SPEC = GameSpec(__name__, "set", "SET with cards", ("set-cards",), recognizes, advises=("odds",))
