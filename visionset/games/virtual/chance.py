"""What the pack, the bag and the dice do next, from a seeded generator.

A pack whose order nobody knows is the same as a pack that is drawn from at random, so nothing is kept between calls:
the state knows which cards can still come. No source lists the faces of the SET dice one by one; 42 dice have 252
faces, which is nine for each of the 28, so every face is equally likely here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from visionset.games.base import Event, State
from visionset.games.game import Game
from visionset.games.registry import SPECS
from visionset.pieces import SET_DECK, SET_DIE_FACES, SetCard, SetDie


@dataclass(frozen=True, slots=True)
class Deadline:
    """A player's time runs out."""

    player: int
    """Whose."""
    from_s: float
    """When it began, in seconds since the game began."""
    until_s: float
    """When it ends."""
    event: Event
    """What happens then."""


def roll_faces(count: int, rng: random.Random) -> tuple[SetDie, ...]:
    """Roll SET dice."""
    return tuple(rng.choices(SET_DIE_FACES, k=count))


def unseen_cards(table: Sequence[SetCard | None], seen: Sequence[SetCard], rng: random.Random) -> tuple[SetCard, ...]:
    """Draw SET cards that nobody has seen, one for each empty place of a table; raises `ValueError` where fewer are left."""
    out = set(seen)
    return tuple(rng.sample([card for card in SET_DECK if card not in out], sum(card is None for card in table)))


def chance(state: State, rng: random.Random) -> Event | None:
    """Give the event that pack, bag or dice bring now; None while the table waits for a player."""
    return None if state.is_over else SPECS[state.game].next_event("chance", state, rng)


def self_dealt(game: Game, options: Any) -> Any:
    """The house rules of a game whose pack and dice come by themselves: what they leave open is set for that."""
    return options if game.spec.find("self_dealt") is None else game.spec.given("self_dealt", game.options, options)


def deadline(state: State) -> Deadline | None:
    """Give the time that runs for a player now; None where none does, or the game knows none."""
    spec = SPECS[state.game]
    ends: Deadline | None = None if state.is_over or spec.find("deadline") is None else spec.given("deadline", Deadline | None, state)
    return ends
