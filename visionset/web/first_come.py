"""Who says SET first takes first, in games where nobody calls: those of SET dice (D5, D13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from visionset.errors import RequestError
from visionset.games.base import Event, State
from visionset.messages import Message

WITHIN_S = 5.0
"""So long nobody else takes dice: as long as with cards a caller has (S4)."""

_CLAIMS = frozenset({"take", "open"})
"""Events of who has said SET, in games without calls."""


def claims(event: Event) -> bool:
    """Whether somebody takes dice that others may want too."""
    return event.name in _CLAIMS


@dataclass
class FirstCome:
    """Who has said SET and has not taken yet, and what others took meanwhile: it waits."""

    player: int | None = None
    until_s: float = 0.0
    _waiting: list[Event] = field(default_factory=list)
    _has_passed: set[int] = field(default_factory=set)
    """Who let the time run out: no more of it before something else happens, or the table would be theirs for ever."""

    @staticmethod
    def counts(state: State) -> bool:
        """Whether several people may take now, and nobody need call before."""
        is_called = any(event.name == "call" for event in state.events)
        return not is_called and len({choice.player for choice in state.legal if choice.event in _CLAIMS}) > 1

    def say(self, state: State, player: int, now_s: float) -> None:
        """Somebody says SET. Raises `RequestError`: another one was first, or this one has had the time."""
        if self.player is not None and self.player != player:
            raise RequestError("late", Message("web.refused.late_call", name=state.players[self.player]))
        if player in self._has_passed:
            raise RequestError("late", Message("web.refused.had_time"))
        if self.player is None:
            self.player, self.until_s = player, now_s + WITHIN_S

    def holds_up(self, event: Event) -> bool:
        """Whether this is taken in another one's time; then it waits."""
        is_held = self.player is not None and claims(event) and getattr(event, "player", None) != self.player
        if is_held:
            self._waiting.append(event)
        return is_held

    def after(self, event: Event, before: State, now: State) -> tuple[Event, ...]:
        """What has waited for this event, as it is to be taken now; nothing where the event changes what it was about."""
        self._has_passed.clear()
        if claims(event) and getattr(event, "player", None) != self.player:
            return ()  # it was taken in nobody's time
        waiting, self.player, self._waiting = self._waiting, None, []
        if not claims(event):
            return ()
        return closed_up(waiting, event, before, now)

    def pass_on(self) -> tuple[Event, ...]:
        """The time has run out: what has waited is taken now."""
        if self.player is not None:
            self._has_passed.add(self.player)
        waiting, self.player, self._waiting = self._waiting, None, []
        return tuple(waiting)


def _table(state: State) -> Sequence[Any]:
    return cast(Sequence[Any], getattr(state, "table", ()))


def closed_up(waiting: Sequence[Event], event: Event, before: State, now: State) -> tuple[Event, ...]:
    """What is to be taken after an event, where the same dice lie by then; what that event has taken is left out."""
    gone = getattr(event, "at", ()) if len(_table(now)) < len(_table(before)) else ()
    moved = (_closed_up(one, gone) for one in waiting)
    return tuple(one for one in moved if one is not None)


def _closed_up(event: Event, gone: Sequence[int]) -> Event | None:
    """The same dice where they lie once others are gone; None where one of them is."""
    at = getattr(event, "at", None)
    if at is None or not gone:
        return event
    if set(at) & set(gone):
        return None
    return replace(event, at=tuple(place - sum(one < place for one in gone) for place in at))  # type: ignore[call-arg]
