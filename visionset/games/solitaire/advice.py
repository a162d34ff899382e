"""SET for one player: the hints of SET with cards."""

from visionset.games.set_cards.advice import advice_words

__all__ = ["advice_words"]
