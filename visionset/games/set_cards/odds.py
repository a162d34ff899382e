"""How often n cards hold no SET: exact for fresh deals, simulated for games in play (rule S10)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from importlib.resources import files
from math import comb, sqrt

from visionset.games.card_table.places import Deal
from visionset.games.set_cards import rules as set_cards
from visionset.games.sets import find_sets
from visionset.games.virtual.chance import unseen_cards
from visionset.pieces import SET_DECK
from visionset.untrusted import toml_of

_COUNTED = toml_of(files(__package__).joinpath("odds.toml").read_text(encoding="utf-8"))

SETLESS: tuple[int, ...] = tuple(_COUNTED["setless"])
"""Layouts of n cards without a SET, n from 0 to 20; none has more. ``scripts/count_setless.py`` counts them."""

QUOTED_ODDS: dict[int, int] = {int(cards): odds for cards, odds in _COUNTED["quoted"].items()}
"""By the number of cards: the odds to one that there is a SET among them, as the source quotes them (S10)."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share found by simulation."""

    share: float
    """0 to 1."""
    error: float
    """Standard error of `share`."""
    looks: int
    """How many tables were looked at."""

    @classmethod
    def of(cls, hits: int, looks: int) -> Estimate:
        """Estimate from hits among looks; two are added to each side so that the error of a rare event is not 0."""
        smooth = (hits + 2) / (looks + 4)
        return cls(hits / looks if looks else 0.0, sqrt(smooth * (1 - smooth) / max(looks, 1)), looks)


def no_set_share(cards: int) -> float:
    """Give the share of fresh deals of 0 to 81 cards that hold no SET, exactly."""
    if not 0 <= cards <= len(SET_DECK):
        raise ValueError(f"expected 0 to {len(SET_DECK)} cards, got {cards}; a deck holds no more")
    return SETLESS[cards] / comb(len(SET_DECK), cards) if cards < len(SETLESS) else 0.0


def odds_to_one(share: float) -> float:
    """Turn the share of tables without a SET into odds to one that there is a SET."""
    return (1 - share) / share if share else float("inf")


def simulate_play(games: int, seed: int) -> dict[int, Estimate]:
    """Play rounds and estimate the share of tables without a SET, by cards on the table.

    A table is looked at whenever calls are open and the pack is not out. SETs are taken at random, and three cards
    come where there is none: what stays on the table after a SET is taken is poorer in SETs than a fresh deal.
    """
    rng = random.Random(seed)
    looks: Counter[int] = Counter()
    without: Counter[int] = Counter()
    options = set_cards.SetCardsOptions(dealer_plays=True, rounds=1)
    for _ in range(games):
        state = set_cards.GAME.start(options, ("one", "two"))
        while not state.is_over:
            if state.phase is set_cards.Phase.DEAL:
                state = state.after(Deal(unseen_cards(state.table, state.seen, rng)))
                continue
            sets = find_sets(state.table)
            if state.pack_left:
                looks[len(state.table)] += 1
                without[len(state.table)] += not sets
            if sets:
                state = state.after(set_cards.Call(0)).after(set_cards.Take(0, rng.choice(sets)))
            else:
                state = state.after(set_cards.Agree(0)).after(set_cards.Agree(1))
    return {cards: Estimate.of(without[cards], looks[cards]) for cards in sorted(looks)}
