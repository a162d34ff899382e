"""A rendered clip of the game of English Sets that the source tells, from pixels to points."""

from __future__ import annotations

import pytest

from tests.clips.english_game import LOOK, english_event, english_game, source_record
from tests.clips.film import Film
from tests.clips.sitting import sit
from tests.clips.stage import Stage


@pytest.mark.slow
def test_the_game_of_the_source_ends_4_to_7_before_the_camera() -> None:
    truth = source_record()
    stage = Stage(LOOK)
    outcome = sit(Film(stage, english_game(stage, truth)), truth, english_event)
    print(outcome, *outcome.trouble, sep="\n")
    assert outcome.share >= 0.99, outcome
    assert outcome.scores == (4, 7)
    assert outcome.wrong_points == 0
