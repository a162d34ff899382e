"""Dice that lie stay where they are while others are taken, and nobody is told to do what comes by itself."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest

from visionset.games.game import History
from visionset.games.registry import GAMES, SPECS
from visionset.games.scramble.rules import GAME, Rolled, Take
from visionset.games.sets import is_set
from visionset.games.virtual.bots import bot_move
from visionset.games.virtual.chance import chance, roll_faces, self_dealt
from visionset.messages import at_table
from visionset.store import Origin, Store
from visionset.web.places import places_kept
from visionset.web.showing import view_json
from visionset.web.virtual_table import VirtualTable

SEEDS = range(3)
MOST_MOVES = 80


def shown(history: History) -> list[str | None]:
    """What is drawn in each place."""
    (part,) = view_json(SPECS["scramble"].part("view")(history.state), history.players, places_kept(history))
    drawn: list[str | None] = [None] * part["room"]
    for place, piece in zip(part["places"], part["pieces"], strict=True):
        drawn[place] = piece["code"]
    return drawn


@pytest.mark.parametrize("seed", SEEDS)
def test_dice_stay_where_they_were_rolled_until_they_are_rolled_again(seed: int) -> None:
    rng = random.Random(seed)
    history = History.begin(GAME, players=("Ann", "Bo")).then(Rolled(roll_faces(42, rng)))
    while len(history.state.finished) == 0:
        table, before = history.state.table, shown(history)
        ways = list(combinations(range(len(table)), 3))
        at = next(three for three in rng.sample(ways, len(ways)) if is_set(*(table[place] for place in three)))
        wrong = history.then(Take(0, next(three for three in ways if not is_set(*(table[place] for place in three)))))
        assert shown(wrong) == before
        history = history.then(Take(rng.randrange(2), at))
        after = shown(history)
        gone = [place for place, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
        assert [before[place] for place in gone] == [str(table[place]) for place in sorted(at)]
        assert [after[place] for place in gone] == [None] * 3
        assert shown(history.undone()) == before
    rolled = history.then(Rolled(roll_faces(42, rng)))
    assert None not in shown(rolled)


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.min_players <= 2 <= game.max_players])
def test_nobody_is_told_to_do_what_comes_by_itself(name: str, tmp_path: Path) -> None:
    game, rng = GAMES[name], random.Random(1)
    told = set()
    with Store(tmp_path / "matches.sqlite3", lambda: 0.0) as store:
        match = store.begin(History.begin(game, self_dealt(game, game.options()), ("Ann", "Bo")), (), Origin.VIRTUAL)
        for _ in range(MOST_MOVES):
            state = match.history.state
            shown = VirtualTable(store, match, lambda: 0.0, 1).showing()
            comes, own = chance(state, rng), {at_table(one.message) for one in state.prompts}
            if comes is None:
                assert {one["text"] for one in shown["prompts"]} == own
            else:
                told |= {one["text"] for one in shown["prompts"]}
                assert not told & own
                assert comes.name not in {one["event"] for one in shown["choices"]}
            event = comes or next((move for player in (0, 1) if (move := bot_move(state, player, rng)) is not None), None)
            if event is None or state.is_over:
                break
            match = store.append(match, event)
    assert told or name == "sets-dice"  # whose people roll themselves
