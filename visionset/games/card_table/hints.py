"""Hints about SET cards, from weak to strong (rule S2)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

from visionset.games.base import Hint
from visionset.games.sets import duplicates, find_sets
from visionset.messages import Message
from visionset.pieces import SetCard


class HintLevel(IntEnum):
    """How much a hint gives away."""

    COUNT = 1
    ONE_CARD = 2
    TWO_CARDS = 3
    WHOLE_SET = 4


def hint(cards: Sequence[SetCard | None], level: HintLevel, seed: int = 0) -> Hint:
    """Give a hint about the cards on the table, of which None were not read.

    `seed` picks the SET: higher levels with the same seed go on with the same one.
    """
    if twice := duplicates(cards):
        position = twice[0][0]
        return Hint(Message("set.hint.twice", card=cards[position]), twice[0])
    sets = find_sets(cards)
    unread = sum(card is None for card in cards)
    doubt = Message("set.hint.unread", count=unread) if unread else ""
    if not sets:
        return Hint(Message("set.hint.none", number=len(cards) - unread, doubt=doubt))
    if level is HintLevel.COUNT:
        return Hint(Message("set.hint.sets", count=len(sets), doubt=doubt))
    chooser = random.Random(seed)
    chosen = list(chooser.choice(sets))
    chooser.shuffle(chosen)
    at = tuple(sorted(chosen[: level - 1]))
    return Hint(Message(f"set.hint.cards_{len(at)}", cards=tuple(cards[position] for position in at)), at)


def advice_words(state: Any, player: int = 0, cache: Path | None = None) -> Message:
    """Say how many SETs there are, which gives none away."""
    return hint(state.table, HintLevel.COUNT).message


def graded_hint(state: Any, player: int, level: int) -> Hint:
    """Give the hint of a level about what lies on the table: the same SET until another table lies there."""
    return hint(state.table, HintLevel(min(level, max(HintLevel))), seed=len(state.seen))
