"""All games by name: a new game is one module and one line here."""

from visionset.games import crossword, cubed, english_sets, pip_sets, scramble, set_cards, solitaire
from visionset.games.game import Game

GAMES: dict[str, Game] = {
    module.GAME.name: module.GAME for module in (set_cards, solitaire, cubed, scramble, crossword, pip_sets, english_sets)
}
"""Every game, by the name that the command line uses."""
