"""Simple players: they keep the rules, err now and then where a person would, and do not think ahead."""

from __future__ import annotations

import random
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


def pick(state: Any, sets: tuple[tuple[int, int, int], ...], rng: random.Random) -> tuple[int, ...]:
    """Pick one of the SETs on a table, now and then three pieces that are none."""
    if not sets or rng.random() < HABITS.wrong:
        return tuple(rng.sample(range(len(state.table)), 3))
    return rng.choice(sets)


def bot_move(state: State, player: int, rng: random.Random) -> Event | None:
    """Give what a simple player does now; None while the game waits for chance, or there is nothing for this player to do."""
    move: Event | None = None if state.is_over else SPECS[state.game].part("bot")(state, player, rng)
    return move
