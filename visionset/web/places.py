"""Where pieces lie on a table that closes up: eye and finger find them where they were until new ones come."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from visionset.games.game import History


def places_kept(history: History) -> tuple[tuple[int, ...], int]:
    """The place of each piece of the state's table, and how many places there are, those that takes left empty among them.

    Examples
    --------
    >>> from visionset.games.scramble.rules import GAME, Rolled, Take
    >>> from visionset.pieces import SET_DIE_FACES
    >>> dice = (*SET_DIE_FACES[:3], *SET_DIE_FACES, *SET_DIE_FACES[:11])
    >>> history = History.begin(GAME, players=("Ann",)).then(Rolled(dice)).then(Take(0, (0, 1, 2)))
    >>> places_kept(history)[0][:2], places_kept(history)[1]
    ((3, 4), 42)
    """
    tables = [getattr(state, "table", ()) for state in (*history.before, history.state)]
    places, room = _all(tables[0])
    for event, (before, after) in zip(history.standing, pairwise(tables), strict=True):
        taken = getattr(event, "at", ())
        if after == before:
            continue
        if taken and len(after) < len(before) and after == _without(before, taken):
            places = _without(places, taken)
        else:
            places, room = _all(after)
    return places, room


def _all(table: Sequence[Any]) -> tuple[tuple[int, ...], int]:
    return tuple(range(len(table))), len(table)


def _without(row: Sequence[Any], taken: Sequence[int]) -> tuple[Any, ...]:
    return tuple(one for place, one in enumerate(row) if place not in taken)
