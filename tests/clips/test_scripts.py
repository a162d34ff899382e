"""The scripts of the films: what lies on the table in the last frame is what the rules have there."""

from __future__ import annotations

import pytest

from tests.clips.card_games import set_round, solitaire_game
from tests.clips.dice_games import NAMES, cubed_game, cubed_look, cubed_record, menu_keys, pip_game
from tests.clips.english_game import LOOK, english_game, source_record
from tests.clips.people_game import people_game
from tests.clips.scramble_game import WITH_AN_ERROR, scramble_game
from tests.clips.stage import Look, Stage
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.pip_sets.rules import Circle, EndTurn, Roll


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", [set_round, solitaire_game])
def test_cards_lie_as_the_rules_have_them(game, seed: int) -> None:  # type: ignore[no-untyped-def]
    moments, truth = game(Stage(Look()), seed)
    assert truth.state.is_over
    assert {str(one.piece) for one in moments[-1].lying} == {str(card) for card in truth.state.table if card is not None}
    assert {str(event.name) for event in truth.events} >= {"deal", "take"}


@pytest.mark.parametrize("seed", range(2))
def test_cards_lie_as_people_leave_them(seed: int) -> None:
    reel, truth = people_game(Stage(Look()), seed)
    assert {str(one.piece) for one in reel.lying} == {str(card) for card in truth.state.table if card is not None}
    assert sum(truth.state.scores) == sum(event.name == "take" for event in truth.events)
    assert {moment.shift_px for moment in reel.film(seed).moments} > {(0.0, 0.0)}
    assert reel.misread


def test_dice_of_cubed_lie_as_the_rules_have_them() -> None:
    truth = cubed_record(0, turns=6)
    look, middle = cubed_look(truth)
    moments = cubed_game(Stage(look), truth, middle)
    assert sorted(str(one.piece) for one in moments[-1].lying) == sorted(str(die.face) for die in truth.state.grid)


def test_dice_of_scramble_lie_as_the_rules_have_them() -> None:
    moments, truth = scramble_game(Stage(Look()), WITH_AN_ERROR)
    assert truth.state.is_over
    assert sorted(str(one.piece) for one in moments[-1].lying) == sorted(map(str, truth.state.table))
    assert [state.notice for state in truth.before if "no SET" in str(state.notice)]


def test_cards_of_the_source_lie_as_the_rules_have_them() -> None:
    truth = source_record()
    moments = english_game(Stage(LOOK), truth)
    state = truth.state
    wanted = {card for hand in state.hands for card in hand} | {c for graves in state.graveyards for g in graves for c in g.cards}
    assert {str(one.piece) for one in moments[-1].lying if one.piece is not None} == set(map(str, wanted))


def test_dice_are_thrown_as_often_as_the_turns_want() -> None:
    moments, truth = pip_game(Stage(Look()), 1, turns=2)
    assert truth.state.is_over
    assert len({moment.lying for moment in moments if len(moment.lying) == 2}) >= 2


def test_keys_choose_moves_from_all_pages_of_the_menu() -> None:
    state = pip_sets.GAME.start(players=(*NAMES, "Cy", "Di", "Ed")).after(Roll((1, 1)))
    assert menu_keys(pip_sets.GAME, state, EndTurn(0)) == "m2"
    assert menu_keys(pip_sets.GAME, state, Circle(4, 1, 6)) == "m916"
