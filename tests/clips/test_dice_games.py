"""Rendered clips of dice games, from pixels to points."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.clips.dice_games import (
    CROSSWORD_LOOK,
    PIP_LOOK,
    crossword_event,
    crossword_game,
    cubed_event,
    cubed_game,
    cubed_look,
    cubed_record,
    pip_event,
    pip_game,
)
from tests.clips.film import Film
from tests.clips.sitting import Outcome, sit
from tests.clips.stage import Stage

RIGHT = 0.99
SEEDS = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(2)]


def check(outcome: Outcome) -> None:
    print(outcome, *outcome.trouble, sep="\n")
    assert outcome.share >= RIGHT, outcome
    assert outcome.scores == outcome.true_scores, outcome
    assert outcome.wrong_points == 0, outcome


@pytest.mark.parametrize("seed", SEEDS)
def test_ten_turns_with_two_dice_are_followed_to_the_point(seed: int) -> None:
    stage = Stage(replace(PIP_LOOK, seed=seed))
    moments, truth = pip_game(stage, seed)
    check(sit(Film(stage, moments), truth, pip_event))


@pytest.mark.parametrize("seed", SEEDS)
def test_fifteen_turns_of_cubed_are_followed_to_the_point(seed: int) -> None:
    truth = cubed_record(seed)
    look, middle = cubed_look(truth, seed=seed)
    stage = Stage(look)
    check(sit(Film(stage, cubed_game(stage, truth, middle, seed)), truth, cubed_event))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_crossword_is_followed_to_the_point(seed: int) -> None:
    stage = Stage(replace(CROSSWORD_LOOK, seed=seed))
    moments, truth = crossword_game(stage, seed)
    check(sit(Film(stage, moments), truth, crossword_event))
