"""Rendered clips of SET, solitaire and English Sets, from pixels to points."""

from __future__ import annotations

import pytest

from tests.clips.card_games import LIVELY, card_event, set_round, solitaire_game
from tests.clips.english_game import LOOK, english_event, english_game, source_record
from tests.clips.film import Film
from tests.clips.keys import SEAT_KEYS
from tests.clips.people_game import people_game
from tests.clips.sitting import sit
from tests.clips.stage import Look, Stage
from visionset.games.set_cards import rules as set_cards

RIGHT = 0.99
SMALL = Look(size_px=(640, 360))


@pytest.mark.parametrize(
    ("game", "seed", "turns"),
    [(set_round, 1, 1), *(pytest.param(game, 2, 2, marks=pytest.mark.slow) for game in (set_round, solitaire_game))],
)
def test_a_few_turns_are_followed(game, seed: int, turns: int) -> None:
    stage = Stage(SMALL)
    moments, truth = game(stage, seed, turns=turns)
    outcome = sit(Film(stage, moments), truth, card_event)
    assert outcome.derived == outcome.truth, outcome
    assert outcome.scores == truth.state.scores


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_people_who_take_cards_one_by_one_and_forget_keys_get_their_points(seed: int) -> None:
    stage = Stage(SMALL)
    moments, truth = set_round(stage, seed, turns=10, habits=LIVELY)
    outcome = sit(Film(stage, moments), truth, card_event)
    calls = sum(isinstance(event, set_cards.Call) for event in truth.events)
    keys = sum(moment.key in SEAT_KEYS for moment in moments if moment.key)
    assert outcome.derived == outcome.truth, outcome
    assert outcome.scores == truth.state.scores
    assert outcome.asked <= calls - keys + 1, outcome.trouble


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_no_trouble_at_the_table_costs_anybody_a_point(seed: int) -> None:
    """Disputes and doubts, forgotten keys, late refills, arms that rest, cards that are straightened, a table that is bumped."""
    stage = Stage(SMALL)
    reel, truth = people_game(stage, seed)
    outcome = sit(reel.film(seed), truth, card_event)
    assert outcome.scores == truth.state.scores, outcome.trouble
    assert outcome.wrong_points == 0
    assert outcome.share >= RIGHT, outcome
    assert outcome.asked <= reel.needed + 1, outcome.trouble


@pytest.mark.slow
@pytest.mark.parametrize("game", [set_round, solitaire_game])
def test_a_whole_game_is_followed_to_the_point(game) -> None:  # type: ignore[no-untyped-def]
    stage = Stage(SMALL)
    moments, truth = game(stage, 0)
    assert truth.state.is_over
    outcome = sit(Film(stage, moments), truth, card_event)
    assert outcome.share >= RIGHT, outcome
    assert outcome.scores == truth.state.scores
    assert outcome.wrong_points == 0


@pytest.mark.slow
def test_the_english_game_of_the_source_is_followed_to_the_point() -> None:
    truth = source_record()
    stage = Stage(LOOK)
    outcome = sit(Film(stage, english_game(stage, truth)), truth, english_event)
    assert outcome.share >= RIGHT, outcome
    assert outcome.scores == truth.state.scores == (4, 7)
    assert outcome.wrong_points == 0
