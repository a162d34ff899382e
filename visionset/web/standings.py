"""The rounds of an evening added up: who won how many, and the points of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from visionset.web.showing import Json

Round = tuple[Sequence[str], Sequence[int]]
"""Names and points of a match that was played to its end."""


def standings(rounds: Iterable[Round]) -> list[Json]:
    """Add up rounds, who won most first; alone nobody is beaten.

    >>> [(one["name"], one["won"], one["points"]) for one in standings([(["Ann", "Bo"], [3, 5]), (["Ann"], [4])])]
    [('Bo', 1, 5), ('Ann', 0, 7)]
    """
    won, points, played = Counter[str](), Counter[str](), Counter[str]()
    for names, scores in rounds:
        for name, score in zip(names, scores, strict=True):
            points[name] += score
            played[name] += 1
            won[name] += len(names) > 1 and score == max(scores)
    order = sorted(played, key=lambda name: (-won[name], -points[name], name))
    return [{"name": name, "won": won[name], "points": points[name], "rounds": played[name]} for name in order]
