"""Pages to print, exact in millimetres."""
