"""Crossword SET (rules D14 to D16)."""
