"""Whole games that are stopped and resumed after events and between them: the table as it lies is the table as it was."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.referee import (
    tabletop,
    test_crossword,
    test_cubed,
    test_english_sets,
    test_pip_sets,
    test_scramble,
    test_set_cards,
    test_solitaire,
)
from tests.referee.tabletop import TableTop
from visionset.games.base import Event
from visionset.games.card_table.referee import CardReferee
from visionset.referee.player_input import Answer, CallSet, Said
from visionset.referee.recall import thought_of
from visionset.referee.rulings import Differ, Wait

STILL_S = 1.75
"""After so long a question and a difference would have been told."""

WHOSE = "says SET"
"""Words that ask who laid the first SET without a call."""

BEGUN = ("one die was not thrown", " more, or put back", WHOSE)
"""Words about what is half done."""

GAMES: dict[str, Callable[[int], None]] = {
    "set": test_set_cards.test_a_match_of_simple_players_is_followed_to_the_point,
    "solitaire": test_solitaire.test_whole_games_are_followed_to_the_point,
    "cubed": test_cubed.test_whole_games_are_followed_to_the_point,
    "scramble": test_scramble.test_rounds_of_simple_players_are_followed_to_the_point,
    "crossword": test_crossword.test_rounds_of_simple_players_are_followed_to_the_point,
    "sets-dice": test_pip_sets.test_ten_turns_are_followed_to_the_point,
    "english-sets": test_english_sets.test_whole_games_are_followed_to_the_point,
}


EVERY_DAY = 1
"""The seed of the games that are played each time; the others are for the proof."""


class Cut(TableTop):
    """A table before which the match is stopped and resumed time and again.

    Attributes
    ----------
    settled, between : float
        How often that happens where the table is settled, and where something was done that nobody saw.
    """

    settled, between = 0.3, 0.0
    cuts = 0

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.chance = random.Random(1)
        self._is_cutting = False
        self._unheard: CallSet | None = None
        self._lost: CallSet | None = None

    def settle(self) -> list[Event]:
        if self._may_cut(self.between):
            self._stop()
        done = super().settle()
        question = self.director.showing.question
        if self._lost is not None and any(WHOSE in told.text for told in self.director.showing.told):
            done += super().say(self._lost)
            self._lost = None
        elif self._lost is not None and question is not None and question.key[0] == "whose":
            number = 1 + [option.value for option in question.options].index(self._lost.player)
            done += super().say(Answer(number))
            self._lost = None
        self._unheard = None if done else self._unheard
        self.cut()
        return done

    def say(self, said: Said) -> list[Event]:
        done = super().say(said)
        if isinstance(said, CallSet):
            self._lost, self._unheard = None, None if any(event.name in {"call", "take"} for event in done) else said
        if not (isinstance(said, CallSet) and done):  # a second call may tie
            self.cut()
        return done

    def _stop(self) -> None:
        """Stop and go on; a call that is no event of the game is lost by that, and made up for when it is asked for."""
        self._lost, self._unheard = self._unheard or self._lost, None
        before = self.director.referee
        self.resume()
        after = self.director.referee
        if isinstance(before, CardReferee) and isinstance(after, CardReferee):
            after._spots = before._spots  # which new card fills which place means nothing: it is to be as in the truth

    def _may_cut(self, share: float) -> bool:
        return not self._is_cutting and bool(self.director.history.events) and self.chance.random() < share

    def _is_settled(self) -> bool:
        """Whether the log and the table tell all: nobody has said or begun anything that is no event yet."""
        ruling, game = self.director.ruling, Counter(self.director.referee.lying(self.director.state))
        said = [one.piece for track, one in self.lying.items() if track in self._first_read]
        missing = set(game - Counter(one.piece for track, one in self.lying.items() if track not in self._first_read)) | set(said)
        likely = {track: thought_of(one) for track, one in self._first_read.items() if track in self.lying}
        if any(self.lying[track].piece not in pieces or pieces & missing != {self.lying[track].piece} for track, pieces in likely.items()):
            return False  # the reading does not tell what it is
        if isinstance(self.director.referee, CardReferee) and likely and len(missing) > len(likely):
            return False  # others are gone, and what is hardly read may look like one of them: it is asked about
        is_begun = isinstance(ruling, Wait) and (ruling.is_hands_off or any(words in ruling.text for words in BEGUN))
        is_open = self.director.showing.question is not None or isinstance(ruling, Differ) or is_begun
        return not (is_open or self.unread or self.director.state.is_over or Counter(said) - game)

    def cut(self) -> None:
        """Stop at a settled table: nothing happens when the match is resumed, and nobody is asked."""
        before = self.director.showing
        if not self._is_settled() or not self._may_cut(self.settled):
            return
        self._is_cutting = True
        type(self).cuts += 1
        history, asked = self.director.history, self.asked
        self._stop()
        super().settle()
        self.wait(STILL_S)
        after = self.director.showing
        assert self.director.history.events == history.events, (before, after)
        assert self.director.state == history.state
        assert (after.question, after.differ, self.asked) == (None, "", asked), (before, after)
        assert [told.text for told in after.told] or not before.told
        self._is_cutting = False


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [EVERY_DAY, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, *range(2, 18)))])
def test_a_game_that_is_cut_at_settled_tables_goes_on_as_if_it_were_not(game: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabletop, "TableTop", Cut)
    monkeypatch.setattr(Cut, "cuts", 0)
    GAMES[game](seed)
    assert Cut.cuts or seed != EVERY_DAY
