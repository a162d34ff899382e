"""Taking back without a camera: pack and dice bring the same again, and tell nobody what comes."""

from __future__ import annotations

import math
import random

from visionset.games.game import History
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.registry import GAMES
from visionset.games.virtual.runner import play_out
from visionset.games.virtual.undoing import SameChance, steps_back


def rolled(history: History, chances: SameChance) -> History:
    left, right = chances.at(history).choices(range(1, 7), k=2)
    return history.then(pip_sets.Roll((left, right)))


def rolls(history: History) -> list[tuple[int, ...]]:
    return [event.values for event in history.standing if isinstance(event, pip_sets.Roll)]


def circled(history: History) -> History:
    """A row is circled where one may be."""
    row = next((dict(one.fixed)["row"] for one in history.state.legal if one.event == "circle"), None)
    return history if row is None else history.then(pip_sets.Circle(0, int(row), 1))


def test_what_is_taken_back_comes_again_whatever_is_played_otherwise() -> None:
    """As cards that are taken back lie on top of the pack: nobody plays otherwise for other dice."""
    evenings = set()
    for seed in range(40):
        chances = SameChance(seed)
        first = rolled(History.begin(pip_sets.GAME, pip_sets.PipSetsOptions(), ("Ann",)), chances)
        one_way = other = first
        for _ in range(4):
            one_way = rolled(circled(one_way).then(pip_sets.EndTurn(0)), chances)
            assert rolls(rolled(one_way.undone(), chances)) == rolls(one_way)
            other = rolled(other.then(pip_sets.EndTurn(0)), chances)
        assert rolls(other) == rolls(one_way)
        evenings.add(tuple(rolls(other)))
    assert len(evenings) == 40


def test_back_no_further_than_to_a_choice_whose_time_is_not_over() -> None:
    """D10: a slip in the extra roll is taken back alone while the time for it lasts, and with the turn before it once that is over."""
    game, rng = GAMES["cubed"], random.Random(2)
    history = History.begin(game, None, ("Ann", "Bo"))
    for event, _ in play_out(game, rng, history.options, history.players):
        history = history.then(event)
        if getattr(history.state, "rolled_extra", ()):
            break
    assert steps_back(history) == 1
    assert steps_back(history, now_s=history.state.clock_s) == 1
    assert steps_back(history, now_s=math.inf) > 1
