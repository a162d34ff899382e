"""A thousand games of each kind between simple players, without a fault; and how long advice takes."""

import random
from functools import partial

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from visionset.games.crossword.advice import best_grid
from visionset.games.cubed.advice import best_move
from visionset.games.cubed.rules import Phase
from visionset.games.game import Game
from visionset.games.pip_sets.best_play import DiceTable
from visionset.games.pip_sets.rules import PipSetsOptions
from visionset.games.registry import GAMES
from visionset.games.scramble.advice import best_takes
from visionset.games.virtual.chance import roll_faces
from visionset.games.virtual.runner import play_out
from visionset.pieces import SetDie

GAMES_PLAYED = 1000
FEW = 2
"""Games when nothing is timed, so that the test run stays short."""


def play_many(game: Game, count: int) -> int:
    events = 0
    for seed in range(count):
        rng = random.Random(seed)
        players = [f"Bot {number}" for number in range(rng.randint(game.min_players, min(game.max_players, 4)))]
        steps = list(play_out(game, rng, rng.choice(list(game.presets.values())), players))
        events += len(steps)
        state = steps[-1][1]
        assert state.is_over
        assert state.findings == ()
    return events


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_bot_games(benchmark: BenchmarkFixture, game: Game) -> None:
    count = GAMES_PLAYED if benchmark.enabled else FEW
    events = benchmark.pedantic(play_many, args=(game, count), rounds=1, iterations=1)
    if benchmark.enabled:
        benchmark.extra_info["games_per_second"] = round(count / benchmark.stats.stats.mean, 1)
        print(f"\n{game.name}: {count} games, {events} events, {benchmark.extra_info['games_per_second']} games per second")


def test_crossword_of_ten_dice(benchmark: BenchmarkFixture) -> None:
    """Bar: 5 s in 95 % of random rolls."""
    rng = random.Random(3)
    benchmark.pedantic(lambda: best_grid(roll_faces(10, rng)), rounds=200 if benchmark.enabled else FEW, iterations=1)


@pytest.mark.parametrize("wilds", range(6))
def test_best_move_with_25_dice_on_the_board(benchmark: BenchmarkFixture, wilds: int) -> None:
    """Bar: 1 s."""
    rng = random.Random(wilds)
    game = GAMES["cubed"]
    grid = next(
        s.grid for _, s in play_out(game, rng, players=("A", "B", "C")) if s.phase is Phase.TURN and not s.fresh and len(s.grid) >= 25
    )
    hand = (*[face for face in roll_faces(20, rng) if not face.is_wild][: 5 - wilds], *[SetDie()] * wilds)
    benchmark.pedantic(partial(best_move, grid, hand, game.options().board), rounds=3 if benchmark.enabled else 1, iterations=1)


def test_most_sets_of_42_dice(benchmark: BenchmarkFixture) -> None:
    """Bar: 1 s."""
    benchmark(best_takes, roll_faces(42, random.Random(5)))


def test_table_of_best_play_with_two_dice(benchmark: BenchmarkFixture) -> None:
    """Bar: 60 s."""
    turns = 10 if benchmark.enabled else 2
    benchmark.pedantic(DiceTable.compute, args=(PipSetsOptions(turns=turns),), rounds=1, iterations=1)
