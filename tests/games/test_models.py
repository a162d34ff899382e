"""Cubed, Crossword and Scramble against models written from the rules: random games, with random moves for and against the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

import pytest

from tests.games import moves
from tests.games.model_crossword import Crossword
from tests.games.model_cubed import Cubed
from tests.games.model_grid import Illegal, face_of
from tests.games.model_scramble import Scramble
from visionset.errors import RuleError
from visionset.games.crossword import rules as crossword
from visionset.games.cubed import rules as cubed
from visionset.games.cubed.board import Board, Bonus
from visionset.games.game import Game
from visionset.games.scramble import rules as scramble

NAMES = ("Ann", "Bo", "Cy", "Di", "Eve", "Flo")


class Model(Protocol):
    """A game that knows what is legal."""

    @property
    def is_over(self) -> bool: ...

    def do(self, event: dict[str, Any]) -> None: ...


def compare(
    game: Game,
    state: Any,
    model: Model,
    propose: Callable[[Any, random.Random], list[dict[str, Any]]],
    agree: Callable[[Any, Any], None],
    rng: random.Random,
    most: int,
) -> Counter[str]:
    """Tell both each proposed move, until the game is over: they take and refuse the same ones, and stand alike after each."""
    count: Counter[str] = Counter()
    for _ in range(most):
        if model.is_over:
            break
        for event in propose(model, rng):
            try:
                after = state.after(game.parse_event(event))
            except RuleError as error:
                after = None
                why = str(error)
            try:
                model.do(event)
            except Illegal:
                assert after is None, f"the rules refuse {event} in {state.to_json()}"
                count["refused"] += 1
                count[f"{event['event']} refused"] += 1
                continue
            assert after is not None, f"the rules allow {event} in {state.to_json()}: {why}"
            assert after.findings == ()
            count["taken"] += 1
            count[f"{event['event']} taken"] += 1
            state = after
            agree(state, model)
            if model.is_over:
                break
    assert state.is_over == model.is_over
    count["ended"] += model.is_over
    return count


def scramble_agrees(state: Any, model: Scramble) -> None:
    assert state.scores == tuple(model.sets)
    assert len(state.finished) == model.rounds
    assert sorted(state.winners) == sorted(model.winners)


def crossword_agrees(state: Any, model: Crossword) -> None:
    assert state.scores == tuple(model.points)
    assert (len(state.finished), state.bag) == (model.rounds, model.bag)
    assert [len(state.unused(player)) for player in model.players] == [model.unused(player) for player in model.players]
    assert state.winners == tuple(player for player in model.players if model.is_over and model.points[player] == max(model.points))


def scramble_games(seed: int, most: int) -> Counter[str]:
    rng = random.Random(seed)
    players = rng.randint(1, 6)
    return compare(
        scramble.GAME, scramble.GAME.start(players=NAMES[:players]), Scramble(players), moves.scramble, scramble_agrees, rng, most
    )


def crossword_games(seed: int, most: int) -> Counter[str]:
    rng = random.Random(seed)
    players, hand, touching = rng.choice([1, 2, 3, 3, 4, 4]), rng.choice([5, 8, 10, 10]), rng.random() < 0.3
    options = crossword.CrosswordOptions(hand, touching_joins=touching)
    model = Crossword(players, hand, touching)
    return compare(crossword.GAME, crossword.GAME.start(options, NAMES[:players]), model, moves.crossword, crossword_agrees, rng, most)


def cubed_agrees(state: Any, model: Cubed) -> None:
    assert state.scores == tuple(model.points)
    assert {die.cell: face_of(str(die.value)) for die in state.grid} == model.board
    assert [[face_of(str(face)) for face in hand] for hand in state.hands] == model.hands
    assert {die.cell for die in state.grid if die.face.is_wild} == model.wilds
    assert (state.bag, state.current) == (model.bag, model.current)
    assert state.winners == tuple(player for player in model.players if model.is_over and model.points[player] == max(model.points))


def cubed_games(seed: int, most: int) -> Counter[str]:
    rng = random.Random(seed)
    players, rows, cols = rng.randint(2, 4), rng.randint(3, 9), rng.randint(3, 9)
    row, col = rng.randrange(rows), rng.randrange(cols - 2)
    logo = [(row, col), (row, col + 1), (row, col + 2)]
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    bonus = {cell: rng.randint(1, 5) for cell in rng.sample(squares, min(len(squares), 8))}
    board = Board("small", rows, cols, tuple(logo), tuple(Bonus(*cell, points) for cell, points in bonus.items()))
    state = cubed.GAME.start(cubed.CubedOptions(board=board), NAMES[:players])
    return compare(cubed.GAME, state, Cubed(players, (rows, cols), logo, bonus), moves.cubed, cubed_agrees, rng, most)


@pytest.mark.parametrize("games", [scramble_games, crossword_games, cubed_games])
def test_a_few_games(games: Callable[[int, int], Counter[str]]) -> None:
    count = sum((games(seed, 60) for seed in range(6)), Counter[str]())
    assert min(count["taken"], count["refused"]) > 60


@pytest.mark.slow
@pytest.mark.parametrize(("games", "many"), [(scramble_games, 50), (crossword_games, 25), (cubed_games, 150)])
def test_many_games(games: Callable[[int, int], Counter[str]], many: int) -> None:
    """To their end, most of them."""
    count = sum((games(seed, 800) for seed in range(many)), Counter[str]())
    print(f"\n{games.__name__}: {dict(count)}")
