"""From pixels to pieces. Nothing here knows a game."""
