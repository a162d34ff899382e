"""Sets, with two pip dice (rules P1 to P6)."""

from visionset.games.spec import GameSpec, TableGlance


def recognizes(seen: TableGlance) -> bool:
    """Two dice that serve everybody."""
    return seen.count == 2


SPEC = GameSpec(__name__, "sets-dice", "Sets, with two dice", ("pip-dice",), recognizes)
