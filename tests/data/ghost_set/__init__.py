"""Ghost SET: six cards in three pairs, a small game that stands outside visionset (rules G1 to G4)."""

from visionset.games.spec import GameSpec, TableGlance

CARDS = 6
"""Cards on the table, three pairs."""


def recognizes(glance: TableGlance) -> bool:
    """Six cards, of which no other game has so few."""
    return glance.count == CARDS


SPEC = GameSpec(__name__, "ghost-set", "Ghost SET", ("set-cards",), recognizes)
