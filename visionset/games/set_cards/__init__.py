"""SET with cards: rules, odds, and its referee (rules S1 to S10)."""

from visionset.games.card_table import recognizes
from visionset.games.spec import GameSpec

SPEC = GameSpec(__name__, "set", "SET with cards", ("set-cards",), recognizes, advises=("odds",))
