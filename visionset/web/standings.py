"""The rounds of an evening added up: who won how many, and the points of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import pairwise

from visionset.store import Store, Summary
from visionset.web.showing import Json

Result = tuple[Sequence[str], Sequence[int], Sequence[int]]
"""Names, points and the seats of the winners of a match that was played to its end."""


_GAP_S = 6 * 3600.0
"""Between the ends of two matches of one evening at most: longer than a meal, shorter than a night's sleep."""


def last_evening(played: Iterable[Summary]) -> list[Summary]:
    """Those of some matches that were played one soon after another, up to the last; the newest first."""
    newest_first = sorted(played, key=lambda one: -one.last_s)
    gaps = (at for at, (later, earlier) in enumerate(pairwise(newest_first), 1) if later.last_s - earlier.last_s > _GAP_S)
    return newest_first[: next(gaps, None)]


def results(store: Store, played: Container[int], but: int | None) -> list[Result]:
    """Results of the matches that were `played` one soon after another and are over; the match `but` is left out, as it is shown now."""
    of_evening = last_evening(one for one in store.summaries() if one.id in played)
    return [(one.players, one.scores, _winners(one, store)) for one in of_evening if one.is_over and one.id != but]


def _winners(one: Summary, store: Store) -> Sequence[int]:
    """Who won: of those who are level the one who won the roll-off, where there was one (D13)."""
    best = [place for place, points in enumerate(one.scores) if points == max(one.scores)]
    return best if len(best) == 1 else store.load(one.id).history.state.winners


def standings(rounds: Iterable[Result]) -> list[Json]:
    """Add up rounds, who won most first; alone nobody is beaten.

    >>> [(one["name"], one["won"], one["points"]) for one in standings([(["Ann", "Bo"], [3, 5], [1]), (["Ann"], [4], [0])])]
    [('Bo', 1, 5), ('Ann', 0, 7)]
    """
    won, points, played = Counter[str](), Counter[str](), Counter[str]()
    for names, scores, winners in rounds:
        for place, (name, score) in enumerate(zip(names, scores, strict=True)):
            points[name] += score
            played[name] += 1
            won[name] += len(names) > 1 and place in winners
    order = sorted(played, key=lambda name: (-won[name], -points[name], name))
    return [{"name": name, "won": won[name], "points": points[name], "rounds": played[name]} for name in order]
