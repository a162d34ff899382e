"""Rendered clips of dice games, from pixels to points."""

from __future__ import annotations

import pytest

from tests.clips.dice_games import PIP_LOOK, pip_event, pip_game
from tests.clips.film import Film
from tests.clips.sitting import Outcome, sit
from tests.clips.stage import Stage

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
