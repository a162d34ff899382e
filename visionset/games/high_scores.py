"""The scores of all who ever played a game, for games that keep them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class HighScore:
    """One line of the high-score table."""

    player: str
    score: int


@dataclass(frozen=True, slots=True)
class HighScores:
    """The table of all players so far, best first; equal scores stay in the order they came."""

    lines: tuple[HighScore, ...] = ()

    @classmethod
    def of(cls, lines: Iterable[HighScore]) -> Self:
        """Make the table of scores in the order they came."""
        return cls(tuple(sorted(lines, key=lambda line: -line.score)))

    def with_scores(self, players: Sequence[str], scores: Sequence[int]) -> Self:
        """Return the table with the scores of one more game."""
        return self.of((*self.lines, *(HighScore(name, score) for name, score in zip(players, scores, strict=True))))

    def rank(self, score: int) -> int:
        """Place of a score among all players so far, 1 for the best."""
        return 1 + sum(line.score > score for line in self.lines)
