"""All games by name: a new game is one module and one line here."""

from visionset.games.crossword import rules as crossword
from visionset.games.cubed import rules as cubed
from visionset.games.english_sets import rules as english_sets
from visionset.games.game import Game
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.scramble import rules as scramble
from visionset.games.set_cards import rules as set_cards
from visionset.games.solitaire import rules as solitaire

GAMES: dict[str, Game] = {
    module.GAME.name: module.GAME for module in (set_cards, solitaire, cubed, scramble, crossword, pip_sets, english_sets)
}
"""Every game, by the name that the command line uses."""
