"""The high scores of a game: all matches in the store that were played to their end."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from visionset.errors import StoreError
from visionset.games.high_scores import HighScore, HighScores
from visionset.store.database import Store
from visionset.store.match import Match, Summary


def high_scores(summaries: Iterable[Summary], game: str, but: int | None = None) -> HighScores:
    """Give the scores of all people so far, with a shuffled pack or before a camera; the match `but` is left out, as it is played now."""
    ended = [one for one in summaries if one.game == game and one.is_over and one.id != but]
    return HighScores.of(
        HighScore(name, score)
        for one in reversed(ended)
        for name, score in zip(one.players, one.scores, strict=True)
        if name not in one.bots
    )


def all_scores(store: Store, match: Match, complain: Callable[[str], object]) -> HighScores:
    """Give the scores of all other matches of a game that keeps them; where another match is damaged, that is said and none count."""
    if not match.history.game.keeps_scores:
        return HighScores()
    try:
        return high_scores(store.summaries(), match.history.game.name, but=match.id)
    except StoreError as error:
        complain(str(error))
        return HighScores()


def places(store: Store, match: Match, complain: Callable[[str], object]) -> tuple[tuple[str, int, int, int], ...]:
    """Give name, score, place and the number of all scores for each person where the game keeps scores and is over; else nothing."""
    summary = match.summary
    if not match.history.game.keeps_scores or not summary.is_over:
        return ()
    mine = [(name, score) for name, score in zip(summary.players, summary.scores, strict=True) if name not in summary.bots]
    table = all_scores(store, match, complain).with_scores([name for name, _ in mine], [score for _, score in mine])
    return tuple((name, score, table.rank(score), len(table.lines)) for name, score in mine)
