"""Who has called at a table without a camera, and when: also while no time passes in the game."""

from __future__ import annotations

from visionset.errors import RequestError
from visionset.games.base import Event, State
from visionset.games.game import History
from visionset.messages import Message

SAID_AS = {"set": ("call",), "no_set": ("agree", "find_none", "pass")}
"""What a word said at the table is in games that know it: names of their events."""


class Callers:
    """The time of the first call, by the clock."""

    def __init__(self) -> None:
        self._first_s = 0.0

    def note(self, event: Event, state: State, said_s: float) -> bool:
        """Remember when the first call came; whether this is one."""
        is_first = event.name in SAID_AS["set"] and not getattr(state, "claims", ())
        if is_first:
            self._first_s = said_s
        return is_first

    def refuse_late(self, event: Event, history: History, said_s: float) -> None:
        """In a pause and about one no time passes in the game: a call that comes after the time of a tie is refused all the same."""
        window_s = getattr(history.state.options, "tie_window_s", 0.0)
        if not self.note(event, history.state, said_s) and said_s - self._first_s > window_s:
            refuse_after_another(event, history)


def refuse_after_another(event: Event, history: History) -> None:
    """Raise `RequestError`, which tells who was first, where an event is a call and somebody else has called."""
    claims = getattr(history.state, "claims", ()) if event.name in SAID_AS["set"] else ()
    first = next((claim.player for claim in claims if claim.player != getattr(event, "player", None)), None)
    if first is not None:
        raise RequestError("late", Message("web.refused.late_call", name=history.players[first]))


def has_called(player: int | None, state: State) -> bool:
    """Whether somebody's call runs."""
    return any(claim.player == player for claim in getattr(state, "claims", ()))
