"""House rules on the command line and in the set-up before a game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from visionset.cli import main
from visionset.commands import house_rules as module
from visionset.commands.house_rules import House, asked, house_rules, refuse_when_resumed
from visionset.errors import RuleError
from visionset.games.crossword.rules import CrosswordOptions
from visionset.games.house import settable
from visionset.games.registry import GAMES
from visionset.games.set_cards.rules import Penalty, SetCardsOptions
from visionset.messages import Catalogue, languages, speak

PLAYABLE = {"take_limit_s": (2.5,), "tie_window_s": (0, 2.5), "extra_roll_s": (0, 2.5)}
"""Odd values that a house rule may have."""


def given(*house: str, preset: str | None = None) -> House:
    return House(preset, house)


def test_every_house_rule_is_set_by_a_line() -> None:
    wanted = given("take_limit_s=8", "dealer_plays=no", "penalty = heap", "rounds=2", "tie_window_s=0.5", "first_dealer=2")
    options = house_rules(GAMES["set"], wanted)
    assert options == SetCardsOptions(False, Penalty.HEAP, 8.0, 0.5, 2, 2)
    assert house_rules(GAMES["set"], given("rounds=default", preset="family")).rounds is None
    assert house_rules(GAMES["crossword"], given("touching_joins=yes", "hand=8")) == CrosswordOptions(hand=8, touching_joins=True)


@pytest.mark.parametrize("wrong", ["take_limit_s", "take_limit_s=soon", "nonsense=1", "penalty=beer", "rounds=0", "take_limit_s=nan"])
def test_a_rule_that_makes_no_sense_is_told_in_one_line(wrong: str) -> None:
    with pytest.raises(RuleError) as caught:
        house_rules(GAMES["set"], given(wrong))
    assert "\n" not in str(caught.value)
    assert "expected" in str(caught.value)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", GAMES)
def test_a_house_rule_that_cannot_be_played_is_refused_in_the_language_that_is_spoken(name: str, language: str) -> None:
    game, refused = GAMES[name], []
    players = ("Ann", "Bo", "Cy", "Di")[: game.max_players]
    speak(Catalogue.load(language))
    try:
        for rule, value in product(settable(game), (0, -1, 10**9, 2.5, "x", "nan")):
            try:
                game.start(house_rules(game, given(f"{rule}={value}")), players)
            except RuleError as error:
                refused.append(str(error))
            else:
                assert value in PLAYABLE.get(rule, ())
    finally:
        speak(None)
    assert refused or not settable(game)
    assert language == "en" or not [told for told in refused if "expected" in told]


def test_a_match_that_goes_on_keeps_its_rules() -> None:
    with pytest.raises(RuleError, match="leave --house out"):
        refuse_when_resumed(House(rules=("rounds=2",)), 0)
    refuse_when_resumed(House(rules=("rounds=2",)), None)
    refuse_when_resumed(House(), 3)


def answers(*lines: str) -> Any:
    coming: Iterator[str] = iter(lines)

    def read(_: str) -> str:
        try:
            return next(coming)
        except StopIteration:
            raise EOFError from None

    return read


@pytest.fixture
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_is_terminal", lambda: True)


@pytest.mark.usefixtures("_terminal")
def test_enter_takes_all_rules_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    game = GAMES["set"]
    assert asked(game, game.options(), 3, answers("")) == game.options()
    told = capsys.readouterr().out
    assert "sitting out is suggested" in told
    assert "seconds to take the three cards: 5" in told


@pytest.mark.usefixtures("_terminal")
def test_a_number_changes_a_rule_and_nonsense_changes_none(capsys: pytest.CaptureFixture[str]) -> None:
    game = GAMES["set"]
    rules = list(game.options().__dataclass_fields__)
    limit, dealer = str(rules.index("take_limit_s") + 1), str(rules.index("first_dealer") + 1)
    options = asked(game, game.options(), 2, answers("x", "9" * 5000, limit, "soon", limit, "9", dealer, "3", ""))
    assert options == SetCardsOptions(take_limit_s=9.0)
    told = capsys.readouterr().out
    assert "expected a number from 1 to 6" in told
    assert "a seat that is taken" in told
    for left in ((limit,), ("q",)):  # Ctrl-D, and the letter that stops everywhere
        with pytest.raises(KeyboardInterrupt):
            asked(game, options, 2, answers(*left))


@pytest.mark.usefixtures("_terminal")
def test_what_may_be_answered_is_told_and_answered_in_the_language_that_is_spoken(capsys: pytest.CaptureFixture[str]) -> None:
    game, asked_for = GAMES["set"], []

    def read(prompt: str) -> str:
        asked_for.append(prompt)
        return ["1", "ja", "1", "wie üblich", "1", "nein", ""][len(asked_for) - 1]

    speak(Catalogue.load("de"))
    try:
        assert asked(game, game.options(), 3, read) == SetCardsOptions(dealer_plays=False)
    finally:
        speak(None)
    assert asked_for[1].endswith("(ja, nein): ")
    assert "Hausregeln von SET mit Karten" in capsys.readouterr().out


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", GAMES)
def test_a_value_is_given_as_it_is_told_in_the_language_that_is_spoken(name: str, language: str) -> None:
    game = GAMES[name]
    speak(Catalogue.load(language))
    try:
        for rule in settable(game).values():
            for value in (getattr(game.options(), rule.name), *PLAYABLE.get(rule.name, ())):
                if rule.kind != "choice":  # of which codes are told beside the words
                    assert getattr(house_rules(game, given(f"{rule.name}={rule.called(value)}")), rule.name) == value
    finally:
        speak(None)


def test_nobody_is_asked_without_a_terminal() -> None:
    game = GAMES["set"]
    assert asked(game, game.options(), 2, answers("1", "yes", "")) == game.options()


def test_the_rules_of_a_game_name_what_may_be_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "set"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "--house penalty=... what a wrong call costs (point: a point; heap: a kept SET): a point" in told
