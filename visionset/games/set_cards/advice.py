"""SET with cards: how many SETs there are, which gives none away, and hints that give away more."""

from visionset.games.card_table.hints import advice_words, graded_hint

__all__ = ["advice_words", "graded_hint"]
