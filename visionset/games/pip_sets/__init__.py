"""Sets, with two pip dice (rules P1 to P6)."""
