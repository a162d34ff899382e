"""What to play: one module a game. The rules themselves never import it."""
