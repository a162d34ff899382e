"""SET with cards: the cards that the dealer lays, from a seeded generator."""

from __future__ import annotations

import random
from dataclasses import replace

from visionset.games.base import Event
from visionset.games.card_table.places import Deal
from visionset.games.set_cards.rules import GiveUp, Phase, SetCardsOptions, SetCardsState
from visionset.games.virtual.chance import Deadline, unseen_cards


def self_dealt(options: SetCardsOptions) -> SetCardsOptions:
    """Let the dealer play too, unless a house rule says otherwise: the pack is dealt by itself."""
    return replace(options, dealer_plays=True) if options.dealer_plays is None else options


def chance(state: SetCardsState, rng: random.Random) -> Event | None:
    """Give what the pack brings."""
    return Deal(unseen_cards(state.table, state.seen, rng)) if state.phase is Phase.DEAL else None


def deadline(state: SetCardsState) -> Deadline | None:
    """Give the time of the caller who is waited for (S4)."""
    claim = next((claim for claim in state.claims if claim.is_open), None)
    if claim is None:
        return None
    until_s = max(claim.called_s + state.options.take_limit_s, state.clock_s)
    return Deadline(claim.player, claim.called_s, until_s, GiveUp(claim.player, at_s=until_s))
