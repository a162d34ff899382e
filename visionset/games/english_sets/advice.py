"""English Sets: who is ahead, and which ranks are dead (rules E2, E4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from visionset.games.english_sets.rules import HAND, EnglishSetsState
from visionset.messages import Message
from visionset.pieces import Rank


class RankStatus(Enum):
    """What can still become of a rank."""

    COMPLETE = "complete"
    OWNED = "owned"
    IN_ONE_HAND = "in one hand"
    CONTESTED = "contested"
    IN_PACK = "in the pack"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class RankReport:
    """One rank."""

    rank: Rank
    status: RankStatus
    """COMPLETE: four lie together. OWNED: an incomplete set, which its owner is sure to complete. IN_ONE_HAND, CONTESTED: in one hand or
    both, with cards to come. IN_PACK: in no hand yet. DEAD: all four cards are held, so no starter can bring it out; only the end or an
    exchange moves it."""
    owner: int | None
    """Who has it, will get it, or holds more of it now; None for an even split."""


def rank_report(state: EnglishSetsState) -> tuple[RankReport, ...]:
    """Tell for every rank what can still become of it."""
    held = [Counter(card.rank for card in hand) for hand in state.hands]
    graves = {grave.rank: (player, grave) for player, graves in enumerate(state.graveyards) for grave in graves}
    reports = []
    for rank in Rank:
        first, second = held[0][rank], held[1][rank]
        owner = None if first == second else int(second > first)
        if rank in graves:
            owner, grave = graves[rank]
            status = RankStatus.COMPLETE if grave.is_complete else RankStatus.OWNED
        elif first + second == HAND:
            status = RankStatus.DEAD
        elif first and second:
            status = RankStatus.CONTESTED
        elif first or second:
            status = RankStatus.IN_ONE_HAND
        else:
            status = RankStatus.IN_PACK
        reports.append(RankReport(rank, status, owner))
    return tuple(reports)


def outlook(state: EnglishSetsState) -> tuple[int, int]:
    """Count for each player the sets that are complete or sure: whoever has more is ahead."""
    sure = [one.owner for one in rank_report(state) if one.status in (RankStatus.COMPLETE, RankStatus.OWNED)]
    return sure.count(0), sure.count(1)


def advice_words(state: EnglishSetsState, player: int = 0, cache: Path | None = None) -> Message:
    """Say who is ahead and which ranks are dead."""
    first, second = outlook(state)
    ahead = Message("english-sets.advice.ahead", player=state.players[int(second > first)])
    leader = Message("english-sets.advice.nobody_ahead") if first == second else ahead
    dead = tuple(one.rank for one in rank_report(state) if one.status is RankStatus.DEAD)
    open_ranks = sum(one.status in (RankStatus.IN_ONE_HAND, RankStatus.CONTESTED, RankStatus.IN_PACK) for one in rank_report(state))
    lost = Message("english-sets.advice.dead", ranks=dead) if dead else ""
    return Message("english-sets.advice.standing", leader=leader, first=first, second=second, open=open_ranks, dead=lost)


def in_full(state: EnglishSetsState) -> Iterator[str]:
    """Say who is ahead, and how each rank stands."""
    yield str(advice_words(state))
    for one in rank_report(state):
        status = Message(f"english-sets.rank.{one.status.name.lower()}")
        if one.owner is None:
            yield str(Message("english-sets.rank.line", rank=one.rank, status=status))
        else:
            yield str(Message("english-sets.rank.of", rank=one.rank, status=status, player=state.players[one.owner]))
