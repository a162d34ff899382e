"""Taking back at a table without a camera."""

from __future__ import annotations

import math
import random
from collections.abc import Collection
from typing import Any

from visionset.errors import RuleError
from visionset.games.base import Event, Form
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


def brought_anew(history: History, event: Event, rng: random.Random) -> Event:
    """The same move with what bag or dice bring now; as it is where chance takes no part in it."""
    choices = (one for one in history.state.legal if one.event == event.name and one.player in (None, getattr(event, "player", None)))
    needs = next((one.needs for one in choices), ())
    if not any(need.form is Form.CHANCE for need in needs):
        return event
    data = event.to_json()
    values = {need.field: data[need.field] for need in needs if need.form is not Form.CHANCE}
    return history.game.parse_event({**data, **history.game.spec.given("brings", dict, event.name, values, rng)})


def steps_back(history: History, *, people: Collection[int] | None = None, now_s: float = -math.inf) -> int:
    """How many events are to be taken back until the table waits for a player again: a deal taken back alone would only be dealt anew.

    Parameters
    ----------
    history : History
        The game so far.
    people : collection of int, optional
        Players who are waited for; by default all. A simple player who is, and plays at once, would do the same again.
    now_s : float, optional
        Where time passes at this table, seconds since the game began: back to where nobody's time would be over by then.

    Raises
    ------
    RuleError
        Nobody has moved yet.
    """
    earlier, steps = history, 0
    while steps == 0 or not _waits(earlier.state, people) or _is_over(earlier.state, now_s):
        if not earlier.events:
            raise RuleError(Message("play.nothing_to_take_back"))
        earlier, steps = earlier.undone(), steps + 1
    return steps


def _is_over(state: Any, now_s: float) -> bool:
    """Whether somebody's time has run out by then."""
    ends = deadline(state)
    return ends is not None and ends.until_s <= now_s


def _waits(state: Any, people: Collection[int] | None) -> bool:
    """Whether nothing comes by itself, and one of these players may move."""
    if chance(state, random.Random(0)) is not None:
        return False
    return people is None or any(choice.player is None or choice.player in people for choice in state.legal)
