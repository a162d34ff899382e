"""Hints for SET cards: stronger each time they are asked for, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from visionset.games.base import EVERYONE
from visionset.games.set_cards.advice import Hint, HintLevel, hint
from visionset.messages import Message, Words
from visionset.pieces import SetCard
from visionset.referee.game_referee import outlined, tracks_of
from visionset.referee.terms import Mark, Told, Tone
from visionset.table import Table


class Hints:
    """The hint that is shown now, and how many each player asked for."""

    def __init__(self) -> None:
        self._level = 0
        self._hint: Hint | None = None
        self._asked: Counter[int] = Counter()

    def next(self, cards: Sequence[SetCard | None], player: int) -> None:
        """Give the next stronger hint."""
        self._level = min(self._level + 1, max(HintLevel))
        self._hint = hint(cards, HintLevel(self._level), seed=len(cards))
        self._asked[player] += 1

    def forget(self) -> None:
        """The table is another one: the next hint is a weak one again."""
        self._level, self._hint = 0, None

    def told(self, players: Sequence[str]) -> tuple[Told, ...]:
        """The hint in words."""
        return () if self._hint is None else (Told(EVERYONE, self._hint.message),)

    def marks(self, cards: Sequence[SetCard | None], table: Table) -> tuple[Mark, ...]:
        """Outlines of the cards that it gives away."""
        if self._hint is None:
            return ()
        wanted = {cards[place] for place in self._hint.at}
        return outlined(table, tracks_of(one for one in table.sightings if one.piece in wanted), Tone.HINT)

    def status(self, players: Sequence[str]) -> tuple[Words, ...]:
        """How many hints each player asked for."""
        return tuple(Message("set.status.hints", player=players[player], count=count) for player, count in sorted(self._asked.items()))
