"""SET with cards: a simple player."""

from __future__ import annotations

import random

from visionset.games.base import Event
from visionset.games.set_cards.rules import Agree, Call, GiveUp, Phase, SetCardsState, Take
from visionset.games.sets import find_sets
from visionset.games.virtual.bots import habits, pick, thought_s


def move(state: SetCardsState, player: int, rng: random.Random) -> Event | None:
    """Give what a simple player does now."""
    if player not in state.callers:
        return None
    claim = next((claim for claim in state.claims if claim.player == player), None)
    if state.phase is Phase.CALLED:
        if claim is None:
            ties = len(state.claims) == 1 and state.clock_s == state.claims[0].called_s and rng.random() < habits().tie
            return Call(player, at_s=state.clock_s + habits().reaction_s) if ties else None
        if not claim.is_open:
            return None
        if rng.random() < habits().late or len(state.table) < 3:
            return GiveUp(player, at_s=state.clock_s + 2 * state.options.take_limit_s)
        return Take(player, pick(state, find_sets(state.table), rng), at_s=state.clock_s + habits().reaction_s)
    if find_sets(state.table) and rng.random() >= habits().overlook:
        return Call(player, at_s=state.clock_s + thought_s(rng))
    return None if player in state.agreed else Agree(player, at_s=state.clock_s + thought_s(rng))
