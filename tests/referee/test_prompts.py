"""What people are told: never two things that contradict each other, never a word of the program's own."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.referee.tabletop import TableTop, top
from tests.referee.test_set_cards import begun, spot
from visionset.errors import RuleError
from visionset.games.base import Amend
from visionset.games.correction import Correct
from visionset.games.game import Game, History
from visionset.games.house import settable
from visionset.games.registry import GAMES
from visionset.games.scramble import rules as scramble
from visionset.games.scramble.referee import ScrambleReferee
from visionset.games.set_cards import rules as set_cards
from visionset.games.set_cards.rules import SetCardsOptions
from visionset.games.sets import find_sets
from visionset.games.telling import event_words
from visionset.messages import at_table
from visionset.pieces import SET_DECK, SET_DIE_FACES, Kind
from visionset.referee.director import Director
from visionset.referee.news import Refused
from visionset.referee.player_input import CallSet


def twelve(table: TableTop) -> None:
    for place, card in enumerate(random.Random(3).sample(SET_DECK, 12)):
        table.lay(card, spot(place), sure=True)
    table.settle()


def lines(table: TableTop) -> list[str]:
    return [str(told) for told in table.director.showing.told]


def test_the_dealer_is_told_one_number_of_cards() -> None:
    table = begun()
    twelve(table)
    state = table.director.state
    trio = find_sets(state.table)[0]
    table.say(CallSet(1))
    for place in trio:
        table.take(table.track(state.table[place]))
    table.settle()
    assert lines(table) == ["Dealer (Ann): deal 3 cards"]
    new = [card for card in SET_DECK if card not in table.director.state.seen][:2]
    for card, place in zip(new, trio, strict=False):
        table.lay(card, spot(place), sure=True)
    table.settle()
    assert lines(table) == ["Dealer (Ann): 1 more to deal"]


def test_nobody_is_told_to_say_set_while_somebody_takes() -> None:
    history = History.begin(scramble.GAME, None, ("Ann", "Bo"))
    table = top(lambda correct: Director(history, ScrambleReferee(), correct=correct))
    rng = random.Random(4)
    for number in range(42):
        table.lay(rng.choice(SET_DIE_FACES), (60.0 + number % 14 * 80, 100.0 + number // 14 * 80), sure=True)
    table.settle()
    assert lines(table) == ["All: say SET and take three dice"]
    table.say(CallSet(0))
    assert lines(table) == ["Ann: take your three dice out of the picture"]


def test_who_sits_out_is_said_all_the_time_and_not_told_to_call() -> None:
    """S3."""
    table = begun()
    assert "round 1\tAnn deals and sits out" in list(map(at_table, table.director.showing.status))
    twelve(table)
    assert lines(table)[0].startswith("Bo and Cy: say SET")
    assert "round 1\tAnn deals and sits out" in list(map(at_table, table.director.showing.status))
    four = set_cards.GAME.start(None, ("Ann", "Bo", "Cy", "Di"))
    dealt = four.after(set_cards.Deal(tuple(random.Random(3).sample(SET_DECK, 12))))
    assert str(dealt.prompts[0].to) == "All but Ann"


@pytest.mark.parametrize(("options", "count", "plays"), [(None, 2, True), (None, 3, False), (SetCardsOptions(dealer_plays=True), 3, True)])
def test_with_two_players_the_dealer_plays(options: SetCardsOptions | None, count: int, plays: bool) -> None:
    """S3: of two players one alone has nobody to play with."""
    state = set_cards.GAME.start(options, ("Ann", "Bo", "Cy")[:count])
    assert state.options.dealer_plays is plays
    assert (0 in state.callers) is plays
    for preset in set_cards.GAME.presets.values():
        assert len(set_cards.GAME.start(preset, ("Ann", "Bo")).callers) == 2


def test_who_deals_first_is_a_house_rule() -> None:
    """S3."""
    state = set_cards.GAME.start(SetCardsOptions(first_dealer=3), ("Ann", "Bo", "Cy"))
    assert str(state.prompts[0].to) == "Dealer (Cy)"
    with pytest.raises(RuleError, match="a seat that is taken"):
        set_cards.GAME.start(SetCardsOptions(first_dealer=3), ("Ann", "Bo"))
    for wrong in ({"take_limit_s": float("nan")}, {"rounds": 0}, {"tie_window_s": -1.0}, {"first_dealer": 0}):
        with pytest.raises(RuleError, match="set it again"):
            SetCardsOptions(**wrong)


def test_a_late_tied_call_is_not_told_that_it_may_be_made() -> None:
    """S6: what is allowed is told for the time of the call."""
    table = begun()
    twelve(table)
    table.say(CallSet(1))
    table.wait(1.0)
    table.director.take_news()
    assert table.say(CallSet(2)) == []
    (refused,) = table.director.take_news()
    assert isinstance(refused, Refused)
    assert refused.said == CallSet(2)
    assert "not allowed: a call by Cy" in at_table(refused.why)
    assert "SET too" not in at_table(refused.why)
    table.say(CallSet(1))
    assert table.director.take_news() == (), "who is eager presses twice"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_event_has_words_of_its_own(game: Game) -> None:
    state = game.start()
    for kind in (*game.state.events, Amend, Correct):
        event = kind.__new__(kind)
        object.__setattr__(event, "at_s", None)
        if "player" in kind.__dataclass_fields__:
            object.__setattr__(event, "player", 0)
        words = str(event_words(event, state))
        assert " " in words or words.startswith("Player 1 ")
        assert "_" not in words
        assert words != event.name


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_option_has_words(game: Game) -> None:
    fields = set(game.options.__dataclass_fields__) - set(game.from_file)
    assert set(game.spec.book.options) == fields


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_preset_has_a_name_and_says_in_one_line_what_it_means(game: Game) -> None:
    said = game.spec.book.presets
    assert set(said) == set(game.presets)
    assert not [name for name, words in said.items() if not words.name or not words.means]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_value_that_a_house_rule_may_have_has_words(game: Game) -> None:
    for rule in settable(game).values():
        assert set(rule.values) == set(game.spec.book.values.get(rule.name, {}))


def test_a_card_that_lies_face_down_has_not_left_the_table() -> None:
    table = begun()
    twelve(table)
    card = table.director.state.table[4]
    track = table.track(card)
    face = table.lying[track]
    table.lying[track] = replace(face, kind=Kind.CARD_BACK, piece=None, guess=None)
    table.settle()
    table.wait(10.0)
    assert lines(table)[0] == f"All: face down: {at_table(card)}; turn it up"
    assert table.director.showing.differ == ""
    assert table.director.showing.question is None
    trio = next(one for one in find_sets(table.director.state.table) if 4 not in one)
    table.say(CallSet(1))
    for place in trio:
        table.take(table.track(table.director.state.table[place]))
    table.settle()
    assert table.director.state.scores == (0, 1, 0)
    table.lying[track] = face
    table.settle()
    assert not any("face down" in line for line in lines(table))
    table.lying[track] = replace(face, kind=Kind.CARD_BACK, piece=None, guess=None)
    table.settle()
    table.take(track)
    table.settle()
    assert not any("face down" in line for line in lines(table))
