"""Play a game to its end with simple players."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from visionset.errors import RuleError
from visionset.games.base import Event, State
from visionset.games.game import Game
from visionset.games.virtual.bots import bot_move
from visionset.games.virtual.chance import chance

MAX_EVENTS = 20_000
"""Events after which a game is held to hang; the longest of 1,000 games of each kind takes some 400."""


def next_event(state: State, rng: random.Random) -> Event:
    """Give what happens next: chance first, then a player picked at random among those with something to do.

    Raises `RuleError` when nobody has anything to do and the game is not over: a fault of the rules or of the players.
    """
    event = chance(state, rng)
    if event is not None:
        return event
    for player in rng.sample(range(len(state.players)), len(state.players)):
        event = bot_move(state, player, rng)
        if event is not None:
            return event
    raise RuleError(f"expected somebody to move in {state.game}, got nobody; the state is {state.to_json()}")


def play_out(game: Game, rng: random.Random, options: Any = None, players: Sequence[str] = ()) -> Iterator[tuple[Event, Any]]:
    """Play a game to its end and give each event with the state that it led to.

    Raises `RuleError` when a move is against the rules, or the game does not end.
    """
    state = game.start(options, players)
    for _ in range(MAX_EVENTS):
        if state.is_over:
            return
        event = next_event(state, rng)
        state = state.after(event)
        yield event, state
    raise RuleError(f"expected {game.name} to end, got {MAX_EVENTS} events; the state is {state.to_json()}")
