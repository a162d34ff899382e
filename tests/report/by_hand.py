"""What a report says of SETs, by the words of the rules: from events and what lay there, without what the game remembers of calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, combinations

from visionset.games.base import Amend
from visionset.games.game import History
from visionset.games.sets import is_set
from visionset.pieces import SetCard
from visionset.report.lives import End
from visionset.report.story import Judgement

Lived = tuple[frozenset[SetCard], float, float, End, int | None]
"""Cards, birth, death, end and who took them."""


@dataclass(frozen=True)
class Call:
    """What became of a call, or of three cards that are taken without one in solitaire."""

    player: int
    cards: frozenset[SetCard]
    is_late: bool
    judgement: Judgement
    judged_by: int


def calls_by_hand(history: History) -> Iterator[Call]:
    """Judge each call by S4 to S6, when all who called have taken or given up; one of a match that has no calls at its take."""
    called_s: dict[int, float] = {}
    open_calls: dict[int, tuple[frozenset[SetCard], bool]] = {}
    limit_s = getattr(history.options, "take_limit_s", 0.0)
    for number, (event, before) in enumerate(zip(history.standing, history.before, strict=True)):
        player = getattr(event, "player", 0)
        if event.name == "call":
            called_s[player] = event.at_s or 0.0
        elif isinstance(event, Amend):
            called_s, open_calls = {}, {}  # the call is void
        elif event.name in ("take", "give_up"):
            cards = frozenset(before.cards_at(event.at)) if event.name == "take" else frozenset()
            # by the moment at which the time is over: a difference may be rounded to more than the limit
            is_late = player in called_s and (event.at_s or 0.0) > called_s.pop(player) + limit_s
            open_calls[player] = cards, is_late
            if called_s:
                continue
            right = [cards for cards, is_late in open_calls.values() if len(cards) == 3 and is_set(*cards) and not is_late]
            held = Counter(card for cards in right for card in cards)
            for player, (cards, is_late) in open_calls.items():
                judgement = Judgement.WRONG
                if cards in right and not is_late:
                    judgement = Judgement.KEPT if all(held[card] == 1 for card in cards) else Judgement.SHARED
                yield Call(player, cards, is_late, judgement, number)
            open_calls = {}


def lives_by_hand(history: History) -> list[Lived]:
    """Of every three cards that are a SET, when all of them lay there: each state is asked anew."""
    states = [*history.before[1:], history.state]
    times_s = list(accumulate((event.at_s or 0.0 for event in history.standing), max))  # what mends points has no time of its own
    ends = {
        (call.judged_by, call.cards): (End.TAKEN, call.player) if call.judgement is Judgement.KEPT else (End.SHARED, None)
        for call in calls_by_hand(history)
        if call.judgement is not Judgement.WRONG
    }
    found: list[Lived] = []
    tables = [frozenset(card for card in state.table if card is not None) for state in states]
    seen = frozenset[SetCard]().union(*tables)
    for trio in combinations(sorted(seen, key=lambda card: card.index), 3):
        if not is_set(*trio):
            continue
        there = [table.issuperset(trio) for table in tables]
        for at, is_there in enumerate(there):
            if not is_there or (at and there[at - 1]):
                continue
            gone = next((later for later in range(at, len(there)) if not there[later]), None)
            if gone is None:
                found.append((frozenset(trio), times_s[at], times_s[-1], End.LEFT, None))
                continue
            end, player = ends.get((gone, frozenset(trio)), (End.BROKEN, None))
            found.append((frozenset(trio), times_s[at], times_s[gone], end, player))
    return found
