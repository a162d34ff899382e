"""An amendment, whatever is in it, is refused or leads to a state that can be played on to its end."""

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from visionset.errors import RecordError, RuleError
from visionset.games.base import Amend
from visionset.games.game import Game
from visionset.games.registry import GAMES
from visionset.games.virtual.runner import next_event, play_out

NAMES = ("Ann", "Bo", "Cy")
MOST_PLAYED_ON = 40
"""Events that are played on after an amendment: enough to get through every phase."""

each_game = pytest.mark.parametrize("name", GAMES)
quick = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
long = settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-2, 12) | st.floats() | st.text(max_size=6) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@cache
def states(name: str) -> tuple[Any, ...]:
    """States of some games, each phase among them."""
    game, found = GAMES[name], []
    for seed in range(4):
        rng = random.Random(seed)
        players = NAMES[: rng.randint(game.min_players, min(game.max_players, len(NAMES)))]
        options = list(game.presets.values())[seed % len(game.presets)]
        begun = game.start(options, players)
        found += [begun, *(state for _, state in islice(play_out(game, rng, options, players), 150))]
    return tuple(found)


def paths(value: Any) -> Iterator[tuple[Any, ...]]:
    """Places in a JSON value, the whole among them."""
    yield ()
    items = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, inner in items:
        yield from ((key, *path) for path in paths(inner))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    return value if not path else at(value[path[0]], path[1:])


def changed(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(value)
    inner = changed(value[path[0]], path[1:], change)
    if isinstance(value, list):
        return [*value[: path[0]], inner, *value[path[0] + 1 :]]
    return {**value, path[0]: inner}


@st.composite
def amendments(draw: st.DrawFn, game: str) -> tuple[Any, dict[str, Any]]:
    """A state, and changes to it: anything, values of other states, or its own with something put otherwise."""
    places = st.integers(0, len(states(game)) - 1)  # of `sampled_from` the hashes of all states would take longer than the games
    state = states(game)[draw(places)]
    whole, changes = state.to_json(), {}
    for field in draw(st.lists(st.sampled_from(sorted(set(whole) - {"game"})), min_size=1, max_size=3, unique=True)):
        other = states(game)[draw(places)].to_json()[field]
        start = draw(st.sampled_from([whole[field], other]))
        path = draw(st.sampled_from(list(paths(start))))
        place = draw(st.sampled_from(list(paths(other))))
        values = [draw(anything), at(other, place), draw(st.integers(-2, 7))]
        ways: list[Callable[[Any], Any]] = [
            *(lambda old, new=new: new for new in values),
            lambda old: old[:-1] if isinstance(old, list) else old,
            lambda old: [*old, *old[:1]] if isinstance(old, list) else old,
            lambda old: old[1:] if isinstance(old, list) else old,
            lambda old: [] if isinstance(old, list) else old,
            lambda old: old,
        ]
        changes[field] = changed(start, path, draw(st.sampled_from(ways)))
    return state, changes


def looked_at(state: Any) -> None:
    """Every property answers."""
    for name in dir(type(state)):
        if not name.startswith("_") and isinstance(getattr(type(state), name), property):
            getattr(state, name)
    assert json.loads(json.dumps(state.to_json()))
    assert len(state.scores) == len(state.players)
    assert [str(prompt) for prompt in state.prompts]


def tried(game: Game, state: Any) -> None:
    """What may be done without filling anything in is accepted; one value that is offered is too."""
    for choice in state.legal:
        if all(need.values and need.count is None for need in choice.needs):
            for value in (0, -1):
                state.after(game.parse_event(choice.filled(**{need.field: need.values[value] for need in choice.needs})))


def amended(game: Game, state: Any, changes: dict[str, Any]) -> None:
    try:
        state = state.after(Amend(json.dumps(changes), "so it lies"))
    except RuleError:
        return
    assert state.findings == () or state.is_over
    rng = random.Random(0)
    for _ in range(MOST_PLAYED_ON):
        looked_at(state)
        if state.is_over:
            return
        tried(game, state)
        state = state.after(next_event(state, rng))


@each_game
@quick
@given(data=st.data())
def test_an_amendment_is_refused_or_can_be_played_on(name: str, data: st.DataObject) -> None:
    amended(GAMES[name], *data.draw(amendments(name)))


@pytest.mark.slow
@each_game
@long
@given(data=st.data())
def test_no_amendment_of_thousands_leaves_a_dead_state(name: str, data: st.DataObject) -> None:
    amended(GAMES[name], *data.draw(amendments(name)))


@each_game
@quick
@given(data=st.data())
def test_findings_explain_any_state_that_can_be_read(name: str, data: st.DataObject) -> None:
    state, changes = data.draw(amendments(name))
    try:
        odd = GAMES[name].parse_state({**state.to_json(), **changes})
    except RecordError:
        return
    assert isinstance(odd.findings, tuple)


def guests() -> tuple[Any, dict[str, Any]]:
    """A die of Bo in the grid of Ann, who may not lay her dice otherwise (D15)."""
    hand = ["1-red-oval", "2-red-oval", "3-red-oval", "1-green-oval", "2-green-oval", "3-green-oval"]
    grid = [{"player": player, "placing": {"die": 0, "row": 50, "col": player, "stated": None}} for player in (0, 1)]
    return GAMES["crossword"].start(None, NAMES), {"hands": [hand, ["1-red-oval"], hand], "grids": [grid, [], []]}


def no_cards() -> tuple[Any, dict[str, Any]]:
    """A call with nothing on the table."""
    claim = {"player": 1, "called_s": 0, "cards": [], "is_late": False}
    return GAMES["set"].start(None, NAMES), {"phase": "called", "claims": [claim], "table": []}


@pytest.mark.parametrize("odd", [guests, no_cards])
def test_simple_players_go_on_from_odd_tables(odd: Callable[[], tuple[Any, dict[str, Any]]]) -> None:
    state, changes = odd()
    state = state.after(Amend(json.dumps(changes), "so it lies"))
    for seed in range(5):
        after, rng = state, random.Random(seed)
        for _ in range(12):
            after = after.after(next_event(after, rng))
