"""English Sets, with 52 cards (rules E1 to E6)."""
