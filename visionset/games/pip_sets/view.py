"""What is shown of Sets with two dice: the sheets."""

from __future__ import annotations

from visionset.games.pip_sets.rules import PipSetsState, Row, Standing
from visionset.games.view import Grid, GridEntry, Stress, ViewPart

_STANDINGS = {
    Standing.SHORT: ("", Stress.NONE),
    Standing.ELIGIBLE: (": may be circled", Stress.GOOD),
    Standing.CIRCLED: (": circled in this turn", Stress.FAINT),
    Standing.BONUS_DUE: (": the bonus is due", Stress.DUE),
}
"""What is said of a row beside its values, and how it stands out."""


def view(state: PipSetsState) -> tuple[ViewPart, ...]:
    """The rows of the sheets, one column a player."""
    title = f"turn {state.tracker}, roll {state.roll}" if state.roll else f"turn {state.tracker}"
    sheets = zip(*(state.rows(player) for player in range(len(state.players))), strict=True)
    return (Grid(title, ("row", *state.players), tuple((GridEntry(str(rows[0].number)), *map(_entry, rows)) for rows in sheets)),)


def _entry(row: Row) -> GridEntry:
    now, stress = _STANDINGS[row.standing]
    return GridEntry(f"{row.written} open, {row.circled} circled{now}", stress=stress)
