"""Scramble SET from rule D13 alone: all dice at once, no turns, five rounds, a tie rolled off."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from tests.games.model_grid import Face, allow, can_be_set, face_of

DICE = 42
ROUNDS = 5


class Scramble:
    """A game of some players; `do` changes it, or raises Illegal and leaves it as it was."""

    def __init__(self, players: int) -> None:
        self.players = range(players)
        self.table: list[Face | None] = []
        self.sets = [0] * players
        self.rounds = 0
        self.is_open = False
        self.tied: list[int] = []
        self.winners: list[int] = []

    @property
    def is_over(self) -> bool:
        return bool(self.winners)

    def _has_set(self) -> bool:
        return any(can_be_set(*three) for three in combinations(self.table, 3))

    def do(self, event: dict[str, Any]) -> None:
        allow(not self.is_over)
        if event["event"] == "rolled":
            # Where too few dice are left over for a SET, all are rolled (ours).
            wanted = len(self.table) if self.tied and len(self.table) >= 3 else DICE
            allow(not self.is_open and len(event["faces"]) == wanted)
            self.table = [face_of(name) for name in event["faces"]]
            self.is_open = True
            self._end_round() if not self.tied else self._roll_off_again()
            return
        allow(self.is_open and event["player"] in self.players and event["player"] in (self.tied or self.players))
        at = event["at"]
        allow(len(at) == len(set(at)) == 3 and all(0 <= place < len(self.table) for place in at))
        if not can_be_set(*(self.table[place] for place in at)):
            return
        if self.tied:
            self.winners = [event["player"]]
            return
        self.sets[event["player"]] += 1
        self.table = [face for place, face in enumerate(self.table) if place not in at]
        self._end_round()

    def _roll_off_again(self) -> None:
        self.is_open = self._has_set()

    def _end_round(self) -> None:
        """The round lasts until no dice or no SET is left."""
        if self._has_set():
            return
        self.is_open, self.rounds = False, self.rounds + 1
        if self.rounds == ROUNDS:
            best = [player for player in self.players if self.sets[player] == max(self.sets)]
            self.tied, self.winners = (best, []) if len(best) > 1 else ([], best)
