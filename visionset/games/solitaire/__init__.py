"""SET for one player (rule S11)."""

from visionset.games.card_table import recognizes
from visionset.games.spec import GameSpec

SPEC = GameSpec(__name__, "solitaire", "SET solitaire", ("set-cards",), recognizes)
