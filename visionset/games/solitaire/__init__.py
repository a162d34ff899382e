"""SET for one player (rule S11)."""
