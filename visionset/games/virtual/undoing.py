"""Taking back at a table without a camera."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from visionset.errors import RuleError
from visionset.games.base import Event
from visionset.games.game import History
from visionset.games.virtual.chance import chance, deadline
from visionset.messages import Message


class SameChance:
    """What pack and dice bring at each step of a game: what is taken back comes again, so that nobody takes back until the dice please.

    Parameters
    ----------
    rng : random.Random
        What they follow from.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._states: dict[tuple[Event, ...], Any] = {}

    def at(self, history: History) -> random.Random:
        """The generator as it was when just this had happened before; who plays on otherwise gets what comes after that."""
        happened = tuple(replace(event, at_s=None) for event in history.standing)
        if happened in self._states:
            self._rng.setstate(self._states[happened])
        else:
            self._states[happened] = self._rng.getstate()
        return self._rng


def steps_back(history: History, rng: random.Random, *, beyond_deadlines: bool = False) -> int:
    """How many events are to be taken back until the table waits for a player again: a deal taken back alone would only be dealt anew.

    Parameters
    ----------
    history : History
        The game so far.
    rng : random.Random
        Of pack and dice.
    beyond_deadlines : bool
        Time passes at this table: back to where nobody's time runs, since it would be over at once.

    Raises
    ------
    RuleError
        Nobody has moved yet.
    """
    earlier, steps = history, 0
    while steps == 0 or chance(earlier.state, rng) is not None or (beyond_deadlines and deadline(earlier.state) is not None):
        if not earlier.events:
            raise RuleError(Message("play.nothing_to_take_back"))
        earlier, steps = earlier.undone(), steps + 1
    return steps
