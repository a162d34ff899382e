"""The stewards by game: a new game is one module and one line here."""

from __future__ import annotations

from collections.abc import Callable

from visionset.dealer.crossword import CrosswordSteward
from visionset.dealer.cubed import CubedSteward
from visionset.dealer.english_sets import EnglishSteward
from visionset.dealer.lattice_fit import CellsOf
from visionset.dealer.pip_sets import PipSetsSteward
from visionset.dealer.scramble import ScrambleSteward
from visionset.dealer.set_cards import SetSteward
from visionset.dealer.solitaire import SolitaireSteward
from visionset.dealer.steward import Steward
from visionset.dealer.terms import DealerOptions

STEWARDS: dict[str, Callable[[CellsOf, DealerOptions, bool], Steward]] = {
    "set": lambda cells_of, options, hints: SetSteward(options, hints),
    "solitaire": lambda cells_of, options, hints: SolitaireSteward(options, hints),
    "cubed": CubedSteward,
    "scramble": lambda cells_of, options, hints: ScrambleSteward(options, hints),
    "crossword": CrosswordSteward,
    "sets-dice": lambda cells_of, options, hints: PipSetsSteward(options, hints),
    "english-sets": lambda cells_of, options, hints: EnglishSteward(options, hints),
}
"""Makes the steward of each game, by the name that the command line uses."""
