"""SET Cubed (rules D5 to D12)."""

from visionset.games.spec import GameSpec, TableGlance


def recognizes(seen: TableGlance) -> bool:
    """Dice in one grid, which all players build."""
    return seen.is_grid and len(seen.grids) == 1


SPEC = GameSpec(__name__, "cubed", "SET Cubed", ("set-dice",), recognizes)
