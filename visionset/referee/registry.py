"""The referees by game: a new game is one module and one line here."""

from __future__ import annotations

from collections.abc import Callable

from visionset.referee.crossword import CrosswordReferee
from visionset.referee.cubed import CubedReferee
from visionset.referee.english_sets import EnglishSetsReferee
from visionset.referee.game_referee import GameReferee
from visionset.referee.lattice_fit import CellsOf
from visionset.referee.pip_sets import PipSetsReferee
from visionset.referee.scramble import ScrambleReferee
from visionset.referee.set_cards import SetCardsReferee
from visionset.referee.solitaire import SolitaireReferee
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
