"""Ghost SET: a player who sees every ghost."""

from __future__ import annotations

import random

from ghost_set.rules import Ghost, GhostState, Pass, is_ghost
from visionset.games.base import Event


def move(state: GhostState, player: int, rng: random.Random) -> Event | None:
    """Say ghost where there is one."""
    if is_ghost(state.table):
        return Ghost(player)
    return None if player in state.passed else Pass(player)
