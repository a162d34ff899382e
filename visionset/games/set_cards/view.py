"""What is shown of SET with cards: the cards on the table."""

from visionset.games.card_table.view import view

__all__ = ["view"]
