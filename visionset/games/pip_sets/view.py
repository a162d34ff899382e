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
    """The rows of the sheets, one column a player."""
    rolled = Message("sets-dice.view.turn_rolled", tracker=state.tracker, roll=state.roll)
    title = rolled if state.roll else Message("sets-dice.view.turn", tracker=state.tracker)
    sheets = zip(*(state.rows(player) for player in range(len(state.players))), strict=True)
    return (
        Grid(
            title,
            (Message("sets-dice.view.row"), *state.players),
            tuple((GridEntry(str(rows[0].number)), *map(_entry, rows)) for rows in sheets),
        ),
    )


def _entry(row: Row) -> GridEntry:
    text = Message(f"sets-dice.view.{row.standing.name.lower()}", written=row.written, circled=row.circled)
    return GridEntry(text, stress=_STRESSES[row.standing])
