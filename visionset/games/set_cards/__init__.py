"""SET with cards: rules, odds, hints, and its referee (rules S1 to S10)."""
