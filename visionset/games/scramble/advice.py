"""Scramble SET: the largest number of SETs that can be taken from what lies there, exact (rule D13).

Only dice without WILDs need a search. A WILD completes any two dice, so with M SETs at most among the n others and w
WILDs the best is min(M + w, (n + w) // 3): each WILD makes one more SET of two dice that are left, until dice run out,
and when they run out, taking back a SET without a WILD frees three dice and loses nothing that cannot be made up.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np

from visionset.games.base import Hint
from visionset.games.scramble.rules import ScrambleState
from visionset.games.sets import DIE_FACE_INDEX, DIE_THIRD, WILD_INDEX, Triple
from visionset.messages import Message
from visionset.pieces import SetDie

_KINDS: tuple[Triple, ...] = tuple(
    (a, b, DIE_THIRD[a][b])
    for a, b in combinations_with_replacement(range(WILD_INDEX), 2)
    if DIE_THIRD[a][b] > b or DIE_THIRD[a][b] == a == b
)
"""Every SET of three faces, WILD apart: 117 of different faces and 27 of equal ones."""


def best_takes(dice: Sequence[SetDie | None]) -> tuple[Triple, ...]:
    """Find the largest number of SETs with no die in two of them, as positions; dice that were not read are left out."""
    places: list[list[int]] = [[] for _ in range(WILD_INDEX + 1)]
    for position, die in enumerate(dice):
        if die is not None:
            places[DIE_FACE_INDEX[die]].append(position)
    wilds = places.pop()
    takes = _without_wilds(places)
    left = [position for same in places for position in same]
    # A WILD takes two dice that are left; where fewer are left, two dice of a SET without a WILD do, and its third die
    # waits for the next WILD; where no such SET is left, WILDs complete each other.
    plain = len(takes)
    while wilds:
        if len(left) < 2 and plain and len(left) + len(wilds) >= 3:
            plain -= 1
            left += takes.pop(plain)
        if len(left) < 2 and len(left) + len(wilds) < 3:
            break
        take = [wilds.pop()]
        while len(take) < 3:
            take.append((left or wilds).pop())
        takes.append((take[0], take[1], take[2]))
    return tuple((a, b, c) for a, b, c in (sorted(take) for take in takes))


def _without_wilds(places: list[list[int]]) -> list[Triple]:
    """Pack SETs of plain faces by integer programming; takes the dice used out of `places`."""
    possible = [kind for kind in _KINDS if all(len(places[face]) >= kind.count(face) for face in kind)]
    if not possible:
        return []
    from scipy.optimize import Bounds, LinearConstraint, milp

    uses = np.array([[kind.count(face) for kind in possible] for face in range(WILD_INDEX)])
    there = np.array([len(same) for same in places])
    solved = milp(
        -np.ones(len(possible)), integrality=np.ones(len(possible)), bounds=Bounds(0), constraints=LinearConstraint(uses, ub=there)
    )
    if solved.x is None:
        raise RuntimeError(f"expected a packing, got none: {solved.message}; report this table")
    takes: list[Triple] = []
    for kind, count in zip(possible, np.rint(solved.x).astype(int), strict=True):
        for _ in range(count):
            takes.append((places[kind[0]].pop(), places[kind[1]].pop(), places[kind[2]].pop()))
    return takes


STRONGEST = 4
"""Level of a hint that gives a whole SET away. The first tells how many can be taken, each further one a die more of one of them."""


def graded_hint(state: ScrambleState, player: int, level: int) -> Hint:
    """Give the hint of a level: the same SET until other dice lie there."""
    takes = best_takes(state.table)
    if level == 1 or not takes:
        return Hint(advice_words(state))
    at = takes[0][: min(level, STRONGEST) - 1]
    return Hint(Message(f"scramble.advice.dice_{len(at)}", dice=tuple(state.table[place] for place in at)), at)


def advice_words(state: ScrambleState, player: int = 0, cache: Path | None = None) -> Message:
    """Say how many SETs can be taken."""
    return Message("scramble.advice.sets_at_most", count=len(best_takes(state.table)))
