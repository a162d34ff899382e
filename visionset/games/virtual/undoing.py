"""Taking back at a table without a camera."""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Any

from visionset.errors import RuleError
from visionset.games.game import History
from visionset.games.virtual.chance import chance, deadline
from visionset.messages import Message


class SameChance:
    """What pack and dice bring: the same at each deal and roll of a game, however it came to it.

    Cards that are taken back lie on top of the pack again, and so do dice: nobody takes back until they please, nor moves otherwise for
    others.

    Parameters
    ----------
    seed : int or str
        What they follow from.
    """

    def __init__(self, seed: int | str) -> None:
        self._seed = seed

    def at(self, history: History) -> random.Random:
        """The generator for what comes next, after so many deals and rolls."""
        return random.Random(f"{self._seed} {sum(bool(event.readings) for event in history.standing)}")


def steps_back(history: History, *, people: Collection[int] | None = None, beyond_deadlines: bool = False) -> int:
    """How many events are to be taken back until the table waits for a player again: a deal taken back alone would only be dealt anew.

    Parameters
    ----------
    history : History
        The game so far.
    people : collection of int, optional
        Players who are waited for; by default all. A simple player who is, and plays at once, would do the same again.
    beyond_deadlines : bool
        Time passes at this table: back to where nobody's time runs, since it would be over at once.

    Raises
    ------
    RuleError
        Nobody has moved yet.
    """
    earlier, steps = history, 0
    while steps == 0 or not _waits(earlier.state, people) or (beyond_deadlines and deadline(earlier.state) is not None):
        if not earlier.events:
            raise RuleError(Message("play.nothing_to_take_back"))
        earlier, steps = earlier.undone(), steps + 1
    return steps


def _waits(state: Any, people: Collection[int] | None) -> bool:
    """Whether nothing comes by itself, and one of these players may move."""
    if chance(state, random.Random(0)) is not None:
        return False
    return people is None or any(choice.player is None or choice.player in people for choice in state.legal)
