"""The high scores of a game: all matches in the store that were played to their end."""

from __future__ import annotations

from collections.abc import Iterable

from visionset.games.high_scores import HighScore, HighScores
from visionset.store.match import Summary


def high_scores(summaries: Iterable[Summary], game: str, but: int | None = None) -> HighScores:
    """Give the scores of all people so far, with a shuffled pack or before a camera.

    Parameters
    ----------
    summaries : iterable of Summary
        Of a store, the newest first.
    game : str
        Name of the game.
    but : int, optional
        A match that is left out: the one that is played now.
    """
    ended = [one for one in summaries if one.game == game and one.is_over and one.id != but]
    return HighScores.of(
        HighScore(name, score)
        for one in reversed(ended)
        for name, score in zip(one.players, one.scores, strict=True)
        if name not in one.bots
    )
