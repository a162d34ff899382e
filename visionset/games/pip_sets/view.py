"""What is shown of Sets with two dice: the sheets."""

from __future__ import annotations

from visionset.games.pip_sets.rules import PipSetsState, Row, Standing
from visionset.games.view import Grid, GridEntry, Stress, ViewPart
from visionset.messages import Message

_STRESSES = {
    Standing.SHORT: Stress.NONE,
    Standing.ELIGIBLE: Stress.GOOD,
    Standing.CIRCLED: Stress.FAINT,
    Standing.BONUS_DUE: Stress.DUE,
}


def view(state: PipSetsState) -> tuple[ViewPart, ...]:
    """The sheets of all players."""
    return (sheets(state),)


def sheets(state: PipSetsState) -> Grid:
    """The rows of the sheets, one column a player: values with and without a circle, and what may be done."""
    rolled = Message("sets-dice.view.turn_rolled", tracker=state.tracker, roll=state.roll)
    coming = Message("sets-dice.view.over") if state.is_over else Message("sets-dice.view.turn", tracker=state.tracker)
    title = rolled if state.roll else coming
    by_row = zip(*(state.rows(player) for player in range(len(state.players))), strict=True)
    rows = tuple((GridEntry(str(rows[0].number)), *map(_entry, rows)) for rows in by_row)
    return Grid(title, (Message("sets-dice.view.row"), *state.players), rows)


def _entry(row: Row) -> GridEntry:
    values = f"({row.number}) " * row.circled + f"{row.number} " * row.written
    return GridEntry(Message(f"sets-dice.view.{row.standing.name.lower()}", values=values.rstrip()), stress=_STRESSES[row.standing])
