"""SET for one player: how many SETs there are, which gives none away."""

from visionset.games.card_table.hints import advice_words

__all__ = ["advice_words"]
