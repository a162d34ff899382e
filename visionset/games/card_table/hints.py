"""Hints about SET cards, from weak to strong (rule S2)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from visionset.games.base import Hint
from visionset.games.sets import duplicates, find_sets
from visionset.messages import Message
from visionset.pieces import SetCard

STRONGEST = 4
"""Level of a hint that gives a whole SET away. The first tells how many there are, each further one a card more of one of them."""


def hint(cards: Sequence[SetCard | None], level: int, seed: int = 0) -> Hint:
    """Give a hint of a level from 1 to `STRONGEST` about the cards on the table, of which None were not read.

    `seed` picks the SET: higher levels with the same seed go on with the same one.
    """
    if twice := duplicates(cards):
        position = twice[0][0]
        return Hint(Message("set.hint.twice", card=cards[position]), twice[0])
    sets = find_sets(cards)
    unread = sum(card is None for card in cards)
    unread_too = Message("set.hint.unread", count=unread) if unread else ""
    if not sets:
        return Hint(Message("set.hint.none", number=len(cards) - unread, unread=unread_too))
    if level == 1:
        return Hint(Message("set.hint.sets", count=len(sets), unread=unread_too))
    chooser = random.Random(seed)
    chosen = list(chooser.choice(sets))
    chooser.shuffle(chosen)
    at = tuple(sorted(chosen[: level - 1]))
    return Hint(Message(f"set.hint.cards_{len(at)}", cards=tuple(cards[position] for position in at)), at)


def advice_words(state: Any, player: int = 0, cache: Path | None = None) -> Message:
    """Say how many SETs there are, which gives none away."""
    return hint(state.table, 1).message


def graded_hint(state: Any, player: int, level: int) -> Hint:
    """Give the hint of a level about what lies on the table: the same SET until another table lies there."""
    return hint(state.table, min(level, STRONGEST), seed=len(state.seen))
