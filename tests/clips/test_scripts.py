"""The scripts of the films: what lies on the table in the last frame is what the rules have there."""

from __future__ import annotations

import pytest

from tests.clips.card_games import set_round, solitaire_game
from tests.clips.stage import Look, Stage


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", [set_round, solitaire_game])
def test_cards_lie_as_the_rules_have_them(game, seed: int) -> None:  # type: ignore[no-untyped-def]
    moments, truth = game(Stage(Look()), seed)
    assert truth.state.is_over
    assert {str(one.piece) for one in moments[-1].lying} == {str(card) for card in truth.state.table if card is not None}
    assert {str(event.name) for event in truth.events} >= {"deal", "take"}
