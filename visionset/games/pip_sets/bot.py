"""Sets with two dice: a simple player."""

from __future__ import annotations

import random

from visionset.games.base import Event
from visionset.games.pip_sets.chance import roll_pips
from visionset.games.pip_sets.rules import ROWS, Circle, EndTurn, PipSetsState, Roll, WriteBonus
from visionset.games.virtual.bots import habits


def move(state: PipSetsState, player: int, rng: random.Random) -> Event | None:
    """Give what a simple player does now."""
    if state.roll is None:
        return Roll(roll_pips(rng))
    sheet = state.sheets[player]
    if sheet.has_ended:
        return None
    if sheet.due:
        return WriteBonus(player, rng.randint(1, ROWS))
    if not sheet.ready or rng.random() < habits().overlook:
        return EndTurn(player)
    return Circle(player, rng.choice(sheet.ready), rng.randint(1, ROWS))
