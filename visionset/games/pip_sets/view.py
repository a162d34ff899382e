"""What is shown of Sets with two dice: the dice and the sheets."""

from __future__ import annotations

from visionset.games.pip_sets.rules import ROWS, PipSetsState, ScoreSheet
from visionset.games.view import Grid, GridEntry, Stress, ViewPart, spread
from visionset.messages import Message
from visionset.pieces import PipDie

_STRESSES = {"short": Stress.NONE, "eligible": Stress.GOOD, "circled": Stress.FAINT, "bonus_due": Stress.DUE}
"""How a row stands, as its Circle button shows (P6): too few values, or nothing may be circled now; it may be; it was, in this turn; it
was, and the bonus value is still to be written."""


def view(state: PipSetsState) -> tuple[ViewPart, ...]:
    """The two dice once they lie, and the sheets of all players."""
    dice = tuple(PipDie(value) for value in state.roll or ())
    return (*spread(dice, len(dice), Message("sets-dice.view.dice"), is_numbered=False), sheets(state))


def sheets(state: PipSetsState) -> Grid:
    """The rows of the sheets, one column a player: values with and without a circle, and what may be done."""
    rolled = Message("sets-dice.view.turn_rolled", tracker=state.tracker, roll=state.roll)
    coming = Message("sets-dice.view.over") if state.is_over else Message("sets-dice.view.turn", tracker=state.tracker)
    title = rolled if state.roll else coming
    rows = tuple((GridEntry(str(row)), *(_entry(state, sheet, row) for sheet in state.sheets)) for row in range(1, ROWS + 1))
    return Grid(title, (Message("sets-dice.view.row"), *state.players), rows)


def _entry(state: PipSetsState, sheet: ScoreSheet, row: int) -> GridEntry:
    values = f"({row}) " * sheet.circled[row - 1] + f"{row} " * sheet.written[row - 1]
    standing = "circled" if row in sheet.closed else "eligible" if state.roll is not None and row in sheet.ready else "short"
    standing = "bonus_due" if row == sheet.due else standing
    return GridEntry(Message(f"sets-dice.view.{standing}", values=values.rstrip()), stress=_STRESSES[standing])
