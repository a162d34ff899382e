"""The rounds of an evening added up: who won how many, and the points of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from visionset.store import Summary
from visionset.web.showing import Json


def standings(summaries: Iterable[Summary], evening: Collection[int]) -> list[Json]:
    """Add up the matches of an evening that were played to their end, who won most first."""
    won, points, rounds = Counter[str](), Counter[str](), Counter[str]()
    for one in summaries:
        if one.id in evening and one.is_over:
            for name, score in zip(one.players, one.scores, strict=True):
                points[name] += score
                rounds[name] += 1
                won[name] += score == max(one.scores)
    order = sorted(rounds, key=lambda name: (-won[name], -points[name], name))
    return [{"name": name, "won": won[name], "points": points[name], "rounds": rounds[name]} for name in order]
