"""What can be printed, each with its options: one list for the command line and for the page.

Nothing heavy is imported before something is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from visionset.errors import RecordError
from visionset.games.registry import SPECS


@dataclass(frozen=True, slots=True)
class PrintOption:
    """Something that can be chosen about a print."""

    name: str
    told: str
    """What it means, for ``--help``."""
    usual: str | float | bool
    """What holds where nobody chooses: one of the choices, a number, or no. Where it is an `int`, only whole numbers can be chosen."""
    choices: tuple[str, ...] = ()
    """Of an option with a few named values."""
    least: float = 0.0
    """Of a number."""
    most: float = 0.0
    leads: bool = False
    """Whether it is written without its name, and is part of the file's name."""
    counts_with: tuple[str, str] | None = None
    """The other option, and its value, with which alone this one counts; None where it always does."""

    @property
    def is_whole(self) -> bool:
        """Whether it is a number of things, of which there is no half."""
        return isinstance(self.usual, int) and not isinstance(self.usual, bool)

    def read(self, text: str) -> str | float | bool:
        """Read what somebody wrote; raises `RecordError` for what cannot be chosen."""
        if self.choices:
            if text not in self.choices:
                raise RecordError(f"expected {self.name} out of {', '.join(self.choices)}, got {text!r:.40}; choose one of them")
            return text
        if isinstance(self.usual, bool):
            if text not in ("0", "1"):
                raise RecordError(f"expected 0 or 1 for {self.name}, got {text!r:.40}; write one of them")
            return text == "1"
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not self.least <= number <= self.most:
            raise RecordError(f"expected {self.name} from {self.least:g} to {self.most:g}, got {text!r:.40}; choose one in between")
        if self.is_whole:
            if not number.is_integer():
                raise RecordError(f"expected a whole number of {self.name}, got {text!r:.40}; choose the one above or below")
            return int(number)
        return number


@dataclass(frozen=True, slots=True)
class Printable:
    """Something to print."""

    name: str
    told: str
    """What it is, for ``--help``."""
    options: tuple[PrintOption, ...]
    draw: Callable[[Mapping[str, Any]], bytes]
    """Write the PDF; every option has a value. Raises `OutputError` without the extra `print`."""

    def settled(self, chosen: Mapping[str, str]) -> dict[str, Any]:
        """All options, the usual ones where nobody chose; raises `RecordError` for one that there is not, or that cannot be chosen."""
        names = [option.name for option in self.options]
        unknown = set(chosen) - set(names)
        if unknown:
            raise RecordError(f"expected options of {self.name} out of {', '.join(names)}, got {min(unknown)!r:.40}; choose one of them")
        return {option.name: option.read(chosen[option.name]) if option.name in chosen else option.usual for option in self.options}


def _deck(wanted: Mapping[str, Any]) -> bytes:
    from visionset.printing.deck import CardSize, FlipEdge, deck_pdf
    from visionset.printing.pdf import Paper

    backs = None if wanted["backs"] == "none" else FlipEdge(wanted["backs"])
    return deck_pdf(Paper[wanted["paper"].upper()], CardSize(wanted["size"]), backs, wanted["colour-blind"])


def _dice(wanted: Mapping[str, Any]) -> bytes:
    from visionset.printing.dice import DiceForm, dice_pdf
    from visionset.printing.pdf import Paper

    return dice_pdf(Paper[wanted["paper"].upper()], DiceForm(wanted["form"]), wanted["die-mm"], wanted["colour-blind"])


def _board(wanted: Mapping[str, Any]) -> bytes:
    from visionset.games.cubed.board import default_board, load_board
    from visionset.printing.board import board_pdf
    from visionset.printing.pdf import Paper

    file = wanted.get("board")
    return board_pdf(Paper[wanted["paper"].upper()], default_board() if file is None else load_board(file), wanted["square-mm"])


def _sheets(wanted: Mapping[str, Any]) -> bytes:
    from visionset.printing.pdf import Paper
    from visionset.printing.score_sheets import score_sheets_pdf

    return score_sheets_pdf(Paper[wanted["paper"].upper()], wanted["players"], not wanted["empty"])


def _mat(wanted: Mapping[str, Any]) -> bytes:
    from visionset.printing.deck import CardSize
    from visionset.printing.mats import english_mat_pdf, set_mat_pdf
    from visionset.printing.pdf import Paper

    paper = Paper[wanted["paper"].upper()]
    return english_mat_pdf(paper) if wanted["layout"] == "english-sets" else set_mat_pdf(paper, CardSize(wanted["size"]))


def _leaflet(wanted: Mapping[str, Any]) -> bytes:
    from visionset.printing.leaflet import leaflet_pdf
    from visionset.printing.pdf import Paper

    return leaflet_pdf(Paper[wanted["paper"].upper()], wanted["game"])


def _calibration_sheet(wanted: Mapping[str, Any]) -> bytes:
    from visionset.printing.pdf import Paper
    from visionset.printing.sheet import sheet_pdf

    return sheet_pdf(Paper[wanted["paper"].upper()])


_PAPER = PrintOption("paper", "size of paper", "a4", ("a4", "letter"))
_PLAIN = PrintOption(
    "colour-blind", "letters, patterns and inks for people who do not tell red from green; read by the camera like the others", False
)
_SIZE = PrintOption(
    "size", "compact: as large as 21 cards to a sheet allow; full: 57 x 87 mm, nine to a sheet", "compact", ("compact", "full")
)
_BACKS = PrintOption(
    "backs",
    "a page of backs behind each sheet, for a printer that flips the paper on its long or short edge",
    "none",
    ("none", "long", "short"),
)
_FORM = PrintOption("form", "cubes to fold and glue, or stickers for blank dice", "cubes", ("cubes", "stickers"))
_DIE = PrintOption("die-mm", "side of a die", 16.0, least=10.0, most=30.0)

_SQUARE = PrintOption("square-mm", "side of a square; dice of 16 mm stand well on 17.5 mm", 17.5, least=10.0, most=45.0)
_PLAYERS = PrintOption("players", "how many player sheets, two on a page", 4, least=1.0, most=20.0)
_EMPTY = PrintOption("empty", "rows without their first value, as the preset empty-sheet plays", False)
_LAYOUT = PrintOption("layout", "set: places for a layout of SET; english-sets: the zones", "set", ("set", "english-sets"), leads=True)
_PLACES = replace(_SIZE, told=f"cards for which the places of set are; {_SIZE.told}", counts_with=("layout", "set"))
_GAME = PrintOption("game", "whose rules", "set", tuple(SPECS), leads=True)

PRINTS: dict[str, Printable] = {
    one.name: one
    for one in (
        Printable("deck", "the 81 SET cards", (_PAPER, _SIZE, _BACKS, _PLAIN), _deck),
        Printable("dice", "the 42 SET dice", (_PAPER, _FORM, _DIE, _PLAIN), _dice),
        Printable("board", "the board of SET Cubed with its bonus squares", (_PAPER, _SQUARE), _board),
        Printable("sheets", "player sheets, trackers and the list of ranks for Sets with two dice", (_PAPER, _PLAYERS, _EMPTY), _sheets),
        Printable("mat", "a mat for a layout of SET or for English Sets", (_LAYOUT, _PAPER, _PLACES), _mat),
        Printable("leaflet", "the rules of a game, to be folded once", (_GAME, _PAPER), _leaflet),
        Printable("calibration-sheet", "the sheet by which a camera is calibrated", (_PAPER,), _calibration_sheet),
    )
}
"""By name, in the order of the help."""
