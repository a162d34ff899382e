"""The referees by game: a new game is one module and one line here."""

from __future__ import annotations

from collections.abc import Callable

from visionset.games.crossword.referee import CrosswordReferee
from visionset.games.cubed.referee import CubedReferee
from visionset.games.english_sets.referee import EnglishSetsReferee
from visionset.games.pip_sets.referee import PipSetsReferee
from visionset.games.scramble.referee import ScrambleReferee
from visionset.games.set_cards.referee import SetCardsReferee
from visionset.games.solitaire.referee import SolitaireReferee
from visionset.referee.game_referee import GameReferee
from visionset.referee.lattice_fit import CellsOf
from visionset.referee.terms import RefereeOptions

REFEREES: dict[str, Callable[[CellsOf, RefereeOptions, bool], GameReferee]] = {
    "set": lambda cells_of, options, hints: SetCardsReferee(options, hints),
    "solitaire": lambda cells_of, options, hints: SolitaireReferee(options, hints),
    "cubed": CubedReferee,
    "scramble": lambda cells_of, options, hints: ScrambleReferee(options, hints),
    "crossword": CrosswordReferee,
    "sets-dice": lambda cells_of, options, hints: PipSetsReferee(options, hints),
    "english-sets": lambda cells_of, options, hints: EnglishSetsReferee(options, hints),
}
"""Makes the referee of each game, by the name that the command line uses."""
