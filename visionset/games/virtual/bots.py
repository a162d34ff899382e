"""Simple players: they keep the rules, err now and then where a person would, and do not think ahead."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from visionset.games.base import Event, State
from visionset.games.registry import SPECS


@dataclass(frozen=True, slots=True)
class BotHabits:
    """How often a simple player errs."""

    wrong: float = 0.05
    """Share of takes that are no SET."""
    late: float = 0.02
    """Share of calls after which nothing is picked up."""
    overlook: float = 0.02
    """Share of looks at the table in which a SET is not seen."""
    tie: float = 0.05
    """Share of calls that a second player makes too, within the tie window."""
    thinking_s: float = 3.0
    reaction_s: float = 0.1
    """`thinking_s` and `reaction_s`: mean time until somebody calls, and the lag of the second call in a tie: of the order that people
    show."""


HABITS = BotHabits()

STRENGTHS = {
    1: BotHabits(wrong=0.08, late=0.04, overlook=0.35, tie=0.05, thinking_s=14.0),
    2: BotHabits(wrong=0.04, overlook=0.12, tie=0.05, thinking_s=7.0),
    3: BotHabits(wrong=0.01, late=0.0, overlook=0.02, tie=0.05, thinking_s=3.5),
}
"""How simple players of three strengths err and how long they think, where people play against them: a practised person takes some 5 s
for a SET among twelve cards, a beginner a quarter of a minute."""

_LEAST_S = 1.5
"""No simple player speaks sooner: nobody sees a SET among twelve cards in less, be it by chance."""

_habits: ContextVar[BotHabits] = ContextVar("habits", default=HABITS)


def habits() -> BotHabits:
    """How often the simple player errs that moves now."""
    return _habits.get()


@contextmanager
def with_habits(those: BotHabits) -> Iterator[None]:
    """Let simple players move with these habits inside."""
    before = _habits.set(those)
    try:
        yield
    finally:
        _habits.reset(before)


def thought_s(rng: random.Random) -> float:
    """Seconds until the simple player speaks that moves now: `thinking_s` in the mean."""
    return _LEAST_S + rng.expovariate(1 / (habits().thinking_s - _LEAST_S))


def pick(state: Any, sets: tuple[tuple[int, int, int], ...], rng: random.Random) -> tuple[int, ...]:
    """Pick one of the SETs on a table, now and then three pieces that are none."""
    if not sets or rng.random() < habits().wrong:
        return tuple(rng.sample(range(len(state.table)), 3))
    return rng.choice(sets)


def bot_move(state: State, player: int, rng: random.Random) -> Event | None:
    """Give what a simple player does now; None while the game waits for chance, or there is nothing for this player to do."""
    return None if state.is_over else SPECS[state.game].next_event("bot", state, player, rng)
