"""English Sets, with 52 cards (rules E1 to E6)."""

from visionset.games.spec import GameSpec, TableGlance

_HANDS = 4
"""Cards of the smaller of two hands."""


def recognizes(seen: TableGlance) -> bool:
    """Some playing cards."""
    return seen.count >= _HANDS


SPEC = GameSpec(__name__, "english-sets", "English Sets", ("playing-cards",), recognizes, picture_px=(1920, 1080))
