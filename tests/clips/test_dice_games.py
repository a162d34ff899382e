"""Rendered clips of dice games, from pixels to points."""

from __future__ import annotations

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
from tests.clips.scramble_game import LOOK as SCRAMBLE_LOOK
from tests.clips.scramble_game import WITH_AN_ERROR, scramble_event, scramble_game
from tests.clips.sitting import Outcome, sit
from tests.clips.stage import Stage
from visionset.messages import at_table

RIGHT = 0.99


def check(outcome: Outcome) -> None:
    assert outcome.share >= RIGHT, outcome
    assert outcome.scores == outcome.true_scores, outcome
    assert outcome.wrong_points == 0, outcome


@pytest.mark.slow
def test_ten_turns_with_two_dice_are_followed_to_the_point() -> None:
    stage = Stage(PIP_LOOK)
    moments, truth = pip_game(stage, 0)
    assert truth.state.is_over
    check(sit(Film(stage, moments), truth, pip_event))


@pytest.mark.slow
def test_fifteen_turns_of_cubed_are_followed_to_the_point() -> None:
    truth = cubed_record(0, 15)
    look, middle = cubed_look(truth, seed=0)
    stage = Stage(look)
    check(sit(Film(stage, cubed_game(stage, truth, middle, 0)), truth, cubed_event))


@pytest.mark.slow
def test_a_round_of_crossword_is_followed_to_the_point() -> None:
    stage = Stage(CROSSWORD_LOOK)
    moments, truth = crossword_game(stage, 0)
    assert truth.state.is_over
    check(sit(Film(stage, moments), truth, crossword_event))


@pytest.mark.slow
def test_a_round_of_scramble_is_followed_to_the_point() -> None:
    """D13."""
    stage = Stage(SCRAMBLE_LOOK)
    moments, truth = scramble_game(stage, WITH_AN_ERROR)
    assert truth.state.is_over
    assert any("no SET" in at_table(state.notice) for state in truth.before)
    check(sit(Film(stage, moments), truth, scramble_event))
