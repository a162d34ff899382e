"""Laws that hold in every state of every game, over random games of simple players."""

import json
import random
from dataclasses import FrozenInstanceError, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from visionset.errors import RecordError, RuleError
from visionset.games.base import Event
from visionset.games.game import Game, History
from visionset.games.registry import GAMES
from visionset.games.virtual.runner import play_out

NAMES = ("Ann", "Bo", "Cy", "Di")
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
few = settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def played(game: Game, seed: int, most: int = 400) -> tuple[Any, tuple[str, ...], list[tuple[Event, Any]]]:
    rng = random.Random(seed)
    players = NAMES[: rng.randint(game.min_players, min(game.max_players, len(NAMES)))]
    options = rng.choice(list(game.presets.values()))
    return options, players, list(islice(play_out(game, rng, options, players), most))


@each_game
@few
@given(seed=st.integers(0, 10_000))
def test_no_state_is_reached_that_a_rule_forbids(game: Game, seed: int) -> None:
    """`findings` counts cards, dice and points: 81, 42 and 52 in every state."""
    for _, state in played(game, seed)[2]:
        assert state.findings == ()


@each_game
@few
@given(seed=st.integers(0, 10_000))
def test_every_game_ends_with_winners_and_nothing_left_to_do(game: Game, seed: int) -> None:
    state = played(game, seed, most=20_000)[2][-1][1]
    assert state.is_over
    assert state.legal == ()
    assert len(state.prompts) >= 1
    if game.name != "solitaire":
        best = max(state.scores)
        assert state.winners
        assert all(state.scores[player] == best for player in state.winners)


@each_game
@few
@given(seed=st.integers(0, 10_000))
def test_after_never_changes_its_argument(game: Game, seed: int) -> None:
    options, players, steps = played(game, seed)
    before = game.start(options, players)
    for event, after in steps:
        written = json.dumps(before.to_json())
        assert before.after(event) == after
        assert json.dumps(before.to_json()) == written
        before = after


@each_game
@few
@given(seed=st.integers(0, 10_000))
def test_json_round_trip_of_states_and_events(game: Game, seed: int) -> None:
    for event, state in played(game, seed, most=120)[2]:
        assert game.parse_event(json.loads(json.dumps(event.to_json()))) == event
        again = game.parse_state(json.loads(json.dumps(state.to_json())))
        assert again.notice == str(state.notice)  # a state keeps what happened as it was said
        assert replace(again, notice=state.notice) == state
        assert again.prompts == state.prompts


@each_game
@few
@given(seed=st.integers(0, 10_000), back=st.integers(1, 5))
def test_undo_is_replaying_fewer_events(game: Game, seed: int, back: int) -> None:
    options, players, steps = played(game, seed, most=40)
    history = History.begin(game, options, players)
    for event, _ in steps:
        history = history.then(event)
    for _ in range(back):
        history = history.undone()
    kept = [event for event, _ in steps][: len(steps) - back]
    assert list(history.events) == kept
    assert history.state == game.replay(kept, options, players)
    for event, _ in steps[len(steps) - back :]:
        history = history.then(event)
    assert history.state == steps[-1][1]
    assert History.from_json(game, json.loads(json.dumps(history.to_json()))) == history


@each_game
@few
@given(seed=st.integers(0, 10_000))
def test_choices_that_need_nothing_are_accepted_and_what_happens_was_legal(game: Game, seed: int) -> None:
    options, players, steps = played(game, seed, most=120)
    state = game.start(options, players)
    for event, after in steps:
        names = {(choice.event, choice.player) for choice in state.legal}
        assert (event.name, getattr(event, "player", None)) in names or event.at_s is not None
        for choice in state.legal:
            if not choice.needs:
                state.after(game.parse_event(choice.filled()))
        state = after


@each_game
@pytest.mark.parametrize("change", [{"game": "whist"}, {"events": 3}, {"players": "Ann"}, {"options": []}, {"events": [{}]}])
def test_what_is_no_record_is_a_record_error(game: Game, change: dict[str, Any]) -> None:
    with pytest.raises(RecordError):
        History.from_json(game, {**History.begin(game).to_json(), **change})


@each_game
def test_same_seed_same_game(game: Game) -> None:
    assert played(game, 3)[2] == played(game, 3)[2]


@each_game
def test_states_are_frozen(game: Game) -> None:
    state = game.start()
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        state.clock_s = 1.0


@each_game
def test_events_of_other_games_and_times_that_run_backwards_are_refused(game: Game) -> None:
    class Odd(Event):
        name = "odd"

    state = game.start()
    with pytest.raises(RuleError, match="does not know"):
        state.after(Odd())
    event, after = played(game, 1)[2][0]
    with pytest.raises(RuleError, match="after one at 5"):
        replace(state, clock_s=5.0).after(replace(event, at_s=4.0))
    assert state == game.start()
    assert replace(after, clock_s=0.0) == after


@each_game
def test_nothing_happens_after_the_end(game: Game) -> None:
    _, _, steps = played(game, 2, most=20_000)
    with pytest.raises(RuleError, match="allowed now: nothing, the game is over"):
        steps[-1][1].after(steps[-1][0])


@each_game
def test_too_many_players_and_equal_names(game: Game) -> None:
    with pytest.raises(RuleError, match=r"players? for"):
        game.start(players=[str(number) for number in range(game.max_players + 1)])
    if game.max_players > 1:
        with pytest.raises(RuleError, match="different names"):
            game.start(players=["Ann", "Ann"])


@each_game
@pytest.mark.parametrize("data", [None, 3, [], {}, {"event": "nothing"}, {"event": "deal", "cards": 3}, {"event": "roll", "values": [1]}])
def test_what_is_no_event_is_a_record_error(game: Game, data: Any) -> None:
    with pytest.raises(RecordError):
        game.parse_event(data)


@each_game
@few
@given(
    data=st.recursive(st.none() | st.integers() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=3), max_leaves=6),
    key=st.integers(0, 30),
)
def test_what_is_no_state_is_a_record_error_or_a_state(game: Game, data: Any, key: int) -> None:
    whole = game.start().to_json()
    name = list(whole)[key % len(whole)]
    try:
        state = game.parse_state({**whole, name: data})
    except RecordError:
        return
    assert state.to_json()["game"] == game.name


@each_game
def test_players_who_do_not_sit_there_are_refused(game: Game) -> None:
    for event, _ in played(game, 4)[2]:
        if hasattr(event, "player"):
            with pytest.raises(RuleError, match="player number 9"):
                game.start().after(replace(event, player=9))
            return


@each_game
def test_every_rule_and_option_is_told(game: Game) -> None:
    named = {option for rule in game.rules for option in rule.options}
    assert named == set(getattr(game.options, "__dataclass_fields__", {}))
    assert len({rule.number for rule in game.rules}) == len(game.rules)


def test_records_of_before_are_read_with_the_scores_that_they_had() -> None:
    """Some of each game, kept before events had their times and amendments had to leave a move."""
    lines = Path(__file__).with_name("old_records.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        old = json.loads(line)
        game = GAMES[old["record"]["game"]]
        assert list(History.from_json(game, old["record"]).state.scores) == old["scores"]
    assert {json.loads(line)["record"]["game"] for line in lines} == set(GAMES)
