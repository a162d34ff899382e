"""English Sets on a table: zones, starters, replenishing, and the game of the source (rules E1 to E6)."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.games import test_english_sets as source
from tests.referee.tabletop import TableTop, bare, seeds, top
from visionset.games.base import Amend, Event
from visionset.games.english_sets import rules as english_sets
from visionset.games.english_sets.referee import EnglishSetsReferee
from visionset.games.english_sets.rules import Deal, Draw, EnglishSetsState, Exchange, Grave, Phase, Starter
from visionset.games.game import History
from visionset.games.virtual.runner import play_out
from visionset.messages import at_table
from visionset.pieces import PACK, PlayingCard, Rank
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, Dispute, GameIsRight, Move, TableIsRight, Undo
from visionset.referee.zones import ENGLISH_ZONES, Zones, zone_named
from visionset.table import Guess, Settled, Table

NAMES = ("A", "B")
HAND_Y = (650.0, 70.0)
GRAVE_Y = (500.0, 220.0)


def begun(seed: int = 0, unsure: float = 0.0) -> TableTop:
    history = History.begin(english_sets.GAME, None, NAMES)
    return top(lambda correct: Director(history, EnglishSetsReferee(), correct=correct), random.Random(seed), unsure)


class Evening:
    def __init__(self, table: TableTop, lazy: float = 0.0, left_lying: float = 0.0) -> None:
        self.table, self.lazy, self.left_lying = table, lazy, left_lying
        self.slots: dict[PlayingCard, tuple[int, int]] = {}

    def hand_spot(self, player: int, card: PlayingCard) -> tuple[float, float]:
        taken = {slot for seat, slot in self.slots.values() if seat == player}
        slot = next(slot for slot in range(14) if slot not in taken)
        self.slots[card] = player, slot
        return 60.0 + 85 * slot, HAND_Y[player]

    def track(self, card: PlayingCard) -> int | None:
        return next((track for track in self.table.lying if self.table.truth(track) == card), None)

    def do(self, event: Event, state: EnglishSetsState) -> None:
        """Do an event after which the game stands so."""
        table = self.table
        again = self.track(event.card) if isinstance(event, Draw | Starter) else None
        if again is not None:  # all that go back were shuffled back, and it comes again
            self.tidy(table.director.state)
        match event:
            case Deal():
                for player, cards in enumerate(event.hands):
                    for card in cards:
                        table.lay(card, self.hand_spot(player, card))
                table.hand()
                table.settle()
            case Draw():
                table.lay(event.card, self.hand_spot(event.player, event.card))
                table.hand()
                table.settle()
            case Starter():
                beside = sum(310 < one.center_px[1] < 410 and one.center_px[0] > 390 for one in table.lying.values())
                table.lay(event.card, (430.0 + 80 * (beside % 10), 360.0))
                table.hand()
                table.settle()
            case _:
                table.say(Move(event))
        lies_still = isinstance(event, Starter) and event.card in state.bottom and table.rng.random() < self.left_lying
        if not lies_still and (state.phase is not Phase.REPLENISH or table.rng.random() >= self.lazy):
            self.tidy(state)

    def lay_all(self, state: EnglishSetsState) -> None:
        """Lay every card where the game has it, on a bare table."""
        for player, hand in enumerate(state.hands):
            for card in hand:
                self.table.lay(card, self.hand_spot(player, card))
        for card in (card for graves in state.graveyards for grave in graves for card in grave.cards):
            self.table.lay(card, (640.0, 360.0))
        self.tidy(state)

    def tidy(self, state: EnglishSetsState) -> None:
        """Lay every card where the game has it."""
        table, touched = self.table, False
        stay = set()
        for player in (0, 1):
            for card in state.hands[player]:
                stay.add(card)
                track = self.track(card)
                if self.slots.get(card, (-1, 0))[0] != player and track is not None:
                    table.move(track, self.hand_spot(player, card))
                    touched = True
            for column, grave in enumerate(state.graveyards[player]):
                for place, card in enumerate(grave.cards):
                    stay.add(card)
                    track = self.track(card)
                    at = (70.0 + 160 * column + 32 * place, GRAVE_Y[player] + (0 if grave.is_complete else 12 * place - 20))
                    if track is not None and tuple(table.lying[track].center_px) != at:
                        table.move(track, at, upright=grave.is_complete)
                        self.slots.pop(card, None)
                        touched = True
        for track in list(table.lying):
            card = table.truth(track)
            if card not in stay:
                table.take(track)
                self.slots.pop(card, None)  # type: ignore[arg-type]
                touched = True
        if touched:
            table.hand()
            table.settle()


@pytest.mark.parametrize("seed", seeds(4))
def test_whole_games_are_followed_to_the_point(seed: int) -> None:
    table = begun(seed, unsure=0.05 if seed else 0.0)
    evening, truth = Evening(table, lazy=0.5 if seed > 1 else 0.0, left_lying=0.5 if seed % 2 else 0.0), []
    state: Any = None
    for event, state in play_out(english_sets.GAME, random.Random(seed), None, NAMES):
        truth.append(event)
        evening.do(event, state)
        assert bare(table.events) == bare(truth), table.director.showing
        if len(truth) > 300:
            break
    assert table.director.state.scores == state.scores
    assert table.director.state.graveyards == state.graveyards


def test_the_game_of_the_source_ends_4_to_7_on_the_table_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """E6."""
    events: list[tuple[Event, EnglishSetsState]] = []
    after = EnglishSetsState.after

    def recorded(self: EnglishSetsState, event: Event) -> EnglishSetsState:
        state = after(self, event)
        events.append((event, state))
        return state

    with monkeypatch.context() as patch:
        patch.setattr(EnglishSetsState, "after", recorded)
        source.test_the_game_told_in_the_source_ends_4_to_7()
    table = begun()
    evening = Evening(table)
    notices = []
    for event, state in events:
        evening.do(event, state)
        notices.append(str(table.director.state.notice))
    assert bare(table.events) == bare([event for event, _ in events])
    assert table.director.state.scores == (4, 7)
    assert "B declares 'set 8'" in notices


def dealt(first: str, second: str) -> tuple[TableTop, Evening]:
    table = begun()
    evening = Evening(table)
    hands = source.hand(first), source.hand(second)
    evening.do(Deal(hands), english_sets.GAME.start(players=NAMES).after(Deal(hands)))
    return table, evening


def say_it_is(table: TableTop, read: PlayingCard, truth: PlayingCard) -> None:
    """Dispute a card that lies there."""
    table.say(Dispute())
    if (question := table.director.showing.question) and "one that lies there" in (texts := [option.text for option in question.options]):
        table.say(Answer(texts.index("one that lies there") + 1))
    for wanted in (at_table(read), truth):
        question = table.director.showing.question
        assert question is not None
        choices = [option.value if isinstance(wanted, PlayingCard) else option.text.split(" (")[0] for option in question.options]
        table.say(Answer(choices.index(wanted) + 1))


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_card_that_was_misread_as_it_was_dealt_is_disputed_where_it_lies(is_turned: bool) -> None:
    """E1, E2: no event is judged by it, but the starter that matches it went under the pack."""
    table = begun()
    evening = Evening(table)
    (card, read), (starter,) = source.cards("9C 8C"), source.cards("9S")
    for player, hand in enumerate((source.hand("JC 4D 9C 6C"), source.hand("2H 3S KC 7C"))):
        for one in hand:
            track = table.lay(one, evening.hand_spot(player, one), sure=True)
            if one == card:
                table.lying[track] = replace(table.lying[track], piece=read, guess=Guess(read, 0.97, card))
    table.hand()
    table.settle()
    assert read in table.director.state.hands[0]
    if is_turned:
        table.lay(starter, (430.0, 360.0), sure=True)
        table.hand()
        table.settle()
        assert table.director.state.bottom == (starter,)
    say_it_is(table, read, card)
    table.wait(3.0)
    state = table.director.state
    assert not table.director.showing.differ
    assert (card in state.hands[0], read in state.pack) == (not is_turned, True)
    assert [set(grave.cards) for grave in state.graveyards[0]] == ([{card, starter}] if is_turned else [])


def turn_misread(table: TableTop, truth: str, read: str) -> int:
    """Turn up a starter that is surely read as another card."""
    (card,), (other,) = source.cards(truth), source.cards(read)
    track = table.lay(card, (430.0, 360.0), sure=True)
    table.lying[track] = replace(table.lying[track], piece=other, guess=Guess(other, 0.97, card))
    table.hand()
    table.settle()
    return track


@pytest.mark.parametrize("is_undone", [False, True])
@pytest.mark.parametrize(("truth", "bottom"), [("9S", "9S"), ("8H", "")])
def test_a_misread_starter_that_sent_cards_back_is_disputed_once(truth: str, bottom: str, is_undone: bool) -> None:
    """E2: nobody has moved a card, and none that lies there comes from the pack because the starter is another one."""
    table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 8D")
    turn_misread(table, truth, "8S")
    assert at_table(table.director.showing.notice) == "both hold one 8: the three go back"
    table.say(Dispute())
    table.say(Answer(1))
    table.say(Answer(1))
    if is_undone:
        table.say(Undo())
        table.wait(3.0)
        assert [event.name for event in table.director.history.events] == ["deal", "starter"]
        assert not table.director.showing.differ
        return
    table.wait(3.0)
    assert [event.name for event in table.director.history.events] == ["deal", "starter", "correct"]
    assert table.director.state.phase is (Phase.STARTER if bottom else Phase.REPLENISH)
    assert " ".join(map(str, table.director.state.bottom)) == bottom
    told = table.director.showing.told[0].text
    assert told == (
        "put 9 of spades under the pack" if bottom else "put 8 of clubs, 8 of diamonds, 8 of hearts back into the pack and shuffle it"
    )


def test_a_card_that_the_game_did_not_have_where_it_lay_counts_where_it_is_moved_to() -> None:
    """E3: "it belongs in a hand" is told, the game is right, and so the card is laid there."""
    table, _ = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    before = len(table.director.history.events)
    track = table.lay(source.cards("AS")[0], (800.0, GRAVE_Y[0]), sure=True)
    table.hand()
    table.settle()
    table.next()
    assert "it belongs in a hand" in at_table(table.director.showing.differ)
    table.say(GameIsRight())
    assert len(table.director.history.events) == before
    table.move(track, (880.0, HAND_Y[0]))
    table.hand()
    table.settle()
    assert [event.name for event in table.director.history.events[before:]] == ["draw"]


@pytest.mark.parametrize("goes_on", [False, True])
def test_the_card_for_which_a_starter_was_taken_is_itself_when_it_comes(goes_on: bool) -> None:
    """E2: the starter was another card and went under the pack; it does not come again."""
    table, evening = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    track = turn_misread(table, "9S", "8S")
    table.say(Dispute())
    table.say(Answer(1))
    table.say(Answer(1))
    if goes_on:  # while it lies beside the pack
        table.resume()
        table.settle()
        table.wait(2.0)
        assert [event.name for event in table.director.history.events] == ["deal", "starter", "correct"]
        assert table.director.showing.told[0].text == "put 9 of spades under the pack"
    table.take(track)
    table.lay(source.cards("8S")[0], (430.0, 360.0), sure=True)
    table.hand()
    table.settle()
    assert table.director.history.events[-1] == replace(Starter(source.cards("8S")[0]), at_s=table.director.state.clock_s)
    evening.tidy(table.director.state)
    table.resume()
    table.settle()
    table.wait(2.0)
    assert [told.text for told in table.director.showing.told] == ["draw 1 card"]


def test_a_misread_card_is_disputed_and_not_the_one_that_went_back_before() -> None:
    """E3: the card for which it is taken lay there before, and left."""
    table, evening = dealt("JC 4D 8C 6C", "2H 3S KC 8D")
    evening.do(Starter(source.cards("8S")[0]), table.director.state.after(Starter(source.cards("8S")[0])))
    track = table.lay(source.cards("7S")[0], (800.0, HAND_Y[0]), sure=True)
    table.lying[track] = replace(table.lying[track], piece=source.cards("8S")[0])
    table.hand()
    table.settle()
    table.say(Dispute())
    question = table.director.showing.question
    assert question is not None
    assert question.tracks == (track,)
    table.say(Answer(1))
    question = table.director.showing.question
    assert question is not None
    table.say(Answer([option.value for option in question.options].index(source.cards("7S")[0]) + 1))
    assert source.cards("7S")[0] in table.director.state.hands[0]
    assert [told.text for told in table.director.showing.told] == ["draw 1 card"]


def test_a_picture_of_another_shape_is_told_of_as_long_as_the_zones_lie_elsewhere() -> None:
    director = begun().director

    def told(width: int, height: int) -> list[str]:
        director.see(Settled(Table((width, height))), 0.0)
        return [at_table(one) for one in director.showing.remarks]

    assert told(1280, 720) == told(1920, 1080) == []
    for _ in range(2):
        assert told(720, 1280)[0].startswith("the picture has another shape than at first")
    assert told(1280, 720) == []
    told(720, 1280)
    director.rearrange(ENGLISH_ZONES.moved("pack", 0.0, 0.42, 0.3, 0.58))  # as they lie now
    assert told(720, 1280) == []
    director.rearrange(Zones(()))
    assert told(1280, 720) == []


def test_a_card_that_comes_to_a_full_hand_is_no_starter() -> None:
    """E2: it goes back on the pack, or is turned beside it."""
    table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    before = table.director.history.events
    track = table.lay(source.cards("JH")[0], (800.0, HAND_Y[0]), sure=True)
    table.hand()
    table.settle()
    assert table.director.history.events == before
    assert "jack of hearts" in table.director.showing.told[0].text
    table.move(track, (430.0, 360.0))
    table.settle()
    assert [event.name for event in table.director.history.events[len(before) :]] == ["starter"]


def test_a_card_that_joins_a_set_goes_back_from_the_hand_of_who_has_four_and_counts_beside_the_sets() -> None:
    """E3: who draws it lays it in no other one's hand."""
    table, _ = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    track = table.lay(source.cards("JH")[0], (800.0, HAND_Y[1]), sure=True)
    table.hand()
    table.settle()
    table.wait(2.0)
    assert table.director.showing.told[0].text == "jack of hearts lies in hand of B and should not: put it back on the pack"
    assert table.director.showing.differ == ""
    table.move(track, (130.0, GRAVE_Y[0]), upright=False)
    table.hand()
    table.settle()
    assert table.director.history.events[-1].name == "draw"


def test_eight_cards_of_which_one_hand_has_five_are_not_dealt() -> None:
    """E1."""
    table = begun()
    cards = random.Random(3).sample(english_sets.GAME.start(None, NAMES).pack, 8)
    for number, card in enumerate(cards):
        table.lay(card, (60.0 + 85 * number, HAND_Y[number > 4]), sure=True)
    table.settle()
    table.wait(3.0)
    assert table.director.history.events == ()
    table.move(next(track for track in table.lying if table.truth(track) == cards[0]), (900.0, HAND_Y[1]))
    table.settle()
    assert [event.name for event in table.director.history.events] == ["deal"]


def test_cards_of_a_set_are_sent_to_their_graveyard() -> None:
    table = begun()
    evening = Evening(table, lazy=1.0)
    for player, text in enumerate(("JC JD 8C 6C", "2H 3S KC 7C")):
        for card in source.cards(text):
            table.lay(card, evening.hand_spot(player, card))
    table.settle()
    assert str(table.director.showing.told[0]) == "A: lay jack of clubs, jack of diamonds sideways in the graveyard of A"


def test_a_complete_set_is_turned_upright() -> None:
    table, evening = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    for card in source.cards("JH JS"):
        evening.do(Draw(0, card), table.director.state.after(Draw(0, card)))
    assert table.director.state.scores == (1, 0)
    table.move(table.track(source.cards("JC")[0]), (70.0, GRAVE_Y[0]), upright=False)
    table.settle()
    assert table.director.showing.told[0].text == "set jack! turn its four cards upright"


def test_a_card_that_was_swapped_is_settled_by_two_keys() -> None:
    for said, name in ((TableIsRight(), "8D"), (GameIsRight(), "8C")):
        table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
        track = table.track(PlayingCard.parse("8C"))
        at = tuple(float(value) for value in table.lying[track].center_px)
        table.take(track)
        table.lay(PlayingCard.parse("8D"), at, sure=True)  # type: ignore[arg-type]
        table.settle()
        table.wait(1.5)
        assert at_table(table.director.showing.differ) == "8 of diamonds lies where the game has 8 of clubs"
        table.say(said)
        assert PlayingCard.parse(name) in table.director.state.hands[0]
        assert table.director.showing.differ == ""
        assert not any(isinstance(event, Draw | Starter) for event in table.events)


def test_next_tells_a_difference_that_nobody_has_seen_before_it_settles_it() -> None:
    table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    track = table.track(PlayingCard.parse("8C"))
    at = tuple(float(value) for value in table.lying[track].center_px)
    table.take(track)
    table.lay(PlayingCard.parse("8D"), at, sure=True)  # type: ignore[arg-type]
    table.settle()
    assert table.director.showing.differ == ""
    table.next()
    assert at_table(table.director.showing.differ) == "8 of diamonds lies where the game has 8 of clubs"
    table.next()  # two have said it at once, and nobody has read what it does
    assert table.director.showing.differ != ""
    table.wait(1)
    table.next()
    assert table.director.showing.differ == ""


def test_cards_of_a_set_may_lie_on_top_of_each_other_in_the_graveyard() -> None:
    table, evening = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    below = evening.track(source.cards("JC")[0])
    assert below is not None
    table.take(below)
    table.settle()
    table.wait(1.5)
    assert not any("jack" in one.text for one in table.director.showing.told)
    jack = source.cards("JH")[0]
    table.lay(jack, evening.hand_spot(0, jack))
    table.settle()
    table.wait(1.5)
    assert table.director.showing.differ == ""
    assert [str(card) for card in table.director.state.graveyards[0][0].cards] == ["JC", "JD", "JH"]


def test_nobody_is_asked_about_a_card_that_the_game_knows_to_lie_there() -> None:
    table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    eight = PlayingCard.parse("8C")
    x, y = (float(value) for value in table.lying[table.track(eight)].center_px)
    table.take(table.track(eight))
    table.lay(eight, (x + 20, y), sure=False)
    table.hand()
    table.settle()
    table.wait(1.5)
    assert table.asked == 0
    assert table.director.showing.differ == ""
    assert not any("8 of clubs" in one.text for one in table.director.showing.told)
    table.lay(PlayingCard.parse("9C"), (600.0, HAND_Y[0]), sure=False)
    table.hand()
    table.settle()
    assert table.asked > 0


def test_an_unread_card_in_a_graveyard_keeps_nobody_from_drawing() -> None:
    table, evening = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    table.lay(PlayingCard.parse("JC"), (400.0, GRAVE_Y[0]), upright=False, sure=False)
    table.hand()
    table.settle()
    drawn = Draw(0, PlayingCard.parse("9D"))
    table.lay(drawn.card, evening.hand_spot(0, drawn.card), sure=True)
    table.hand()
    table.settle()
    assert bare(table.events)[-1:] == bare([drawn])


@pytest.mark.parametrize(
    ("likely", "is_asked", "is_asked_again"),
    [("JC 9D", False, False), ("9D TC", False, False), ("JC JH", True, False), ("JH JC", True, False), ("JH 9D", True, True)],
)
def test_in_a_graveyard_nobody_is_asked_about_a_card_that_is_seen_twice(likely: str, is_asked: bool, is_asked_again: bool) -> None:
    """As in a fan, where a card and its corner are seen: it looks like none that may come there, or, after a resume, not so first of all.

    After a resume it is enough that it looks at all like a card of that graveyard.
    """
    table, _ = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    first, second = source.cards(likely)
    track = table.lay(first, (400.0, GRAVE_Y[0]), upright=False, sure=True)
    table.lying[track] = replace(table.lying[track], piece=None, confidence=0.1, guess=Guess(first, 0.1, second, 0.1))
    table.settle()
    table.wait(1.5)
    assert (table.director.showing.question is not None) is is_asked
    table.resume()
    seen = table.lying.pop(track)
    table.settle()
    table.lying[track] = seen  # the first reading of a table overlooks some
    table.settle()
    table.wait(1.5)
    assert (table.director.showing.question is not None) is is_asked_again


@pytest.mark.parametrize(("likely", "is_old"), [("JH JC", True), ("JH 9D", False)])
def test_a_card_of_a_graveyard_that_is_seen_twice_and_named_otherwise_at_a_resume_was_not_drawn(likely: str, is_old: bool) -> None:
    """What may be a card that lies in that graveyard came only once it is surely read, and what may not be one came at once."""
    table, _ = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    first, second = source.cards(likely)
    before = len(table.events)
    table.resume()
    track = table.lay(first, (400.0, GRAVE_Y[0]), upright=False, sure=True)
    table.lying[track] = replace(table.lying[track], confidence=0.6, guess=Guess(first, 0.6, second, 0.1))
    table.settle()
    table.wait(3.0)
    assert (len(table.events) == before) is is_old
    table.lying[track] = replace(table.lying[track], confidence=0.98, guess=Guess(first, 0.98, second, 0.01))
    table.hand()
    table.lay(PlayingCard.parse("9S"), (600.0, HAND_Y[0]), sure=True)
    table.settle()
    assert {str(event.card) for event in table.events[before:] if isinstance(event, Draw)} == {str(first), "9S"}


def unread(table: TableTop, track: int, likely: str) -> None:
    """A piece loses its name, and looks like one card or another."""
    first, second = source.cards(likely)
    table.lying[track] = replace(table.lying[track], piece=None, confidence=0.1, guess=Guess(first, 0.1, second, 0.1))


def seen_in_a_fan(table: TableTop, likely: str) -> None:
    """The camera sees something in the first graveyard twice."""
    track = table.lay(source.cards("KD")[0], (400.0, GRAVE_Y[0]), upright=False, sure=True)
    unread(table, track, likely)
    table.hand()
    table.settle()


def test_a_card_that_is_misread_in_a_graveyard_does_not_hold_back_the_starter() -> None:
    """Nothing comes to a graveyard from the pack now; the one wrong name comes first in reading order."""
    table, evening = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    for card in source.cards("9H TD"):
        evening.do(Draw(0, card), table.director.state.after(Draw(0, card)))
    table.lay(source.cards("5D")[0], (400.0, GRAVE_Y[1]), upright=False, sure=True)
    turned(table, "5C", 700.0)
    assert bare(table.events)[-1:] == bare([Starter(source.cards("5C")[0])])
    assert "5 of diamonds" in str(table.director.showing.told[0])


def test_a_card_of_a_set_that_is_misread_where_it_lies_is_not_drawn() -> None:
    """E3: it lies in the graveyard under the number that it had, and would match a set as it is read now."""
    table, evening = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    evening.do(Draw(0, source.cards("9H")[0]), table.director.state.after(Draw(0, source.cards("9H")[0])))
    evening.do(Draw(0, source.cards("JS")[0]), table.director.state.after(Draw(0, source.cards("JS")[0])))
    (jack, other), events = source.cards("JD JH"), table.director.history.events
    track = table.track(jack)
    seen = table.lying[track]
    table.lying[track] = replace(seen, piece=other, guess=Guess(other, 0.97, jack))
    table.leave()
    table.wait(1.5)
    assert table.director.history.events == events
    assert at_table(table.director.showing.differ) == "jack of hearts lies where the game has jack of diamonds"
    table.lying[track] = seen
    table.leave()
    assert table.director.history.events == events
    assert table.director.showing.differ == ""


def test_a_card_for_which_another_was_taken_is_known_when_it_comes() -> None:
    """A card that goes back has left, and another looks like it: the true one comes again all the same."""
    table, evening = dealt("JC 4D 8C 6C", "2H 3S JD 7C")
    turned(table, "JH", 800.0)
    wrong = table.lay(source.cards("JC")[0], (400.0, GRAVE_Y[1]), upright=False, sure=True)
    for card in source.cards("JH JD JC"):
        table.take(table.track(card))
        evening.slots.pop(card, None)
    table.hand()
    table.settle()
    for player, card in enumerate(source.cards("QC KD")):
        table.lay(card, evening.hand_spot(player, card))
        table.hand()
        table.settle()
    unread(table, wrong, "QC JC")
    turned(table, "JC", 700.0)
    assert bare(table.events)[-1:] == bare([Starter(source.cards("JC")[0])])


def test_a_card_on_its_way_back_to_the_pack_that_is_laid_beside_the_others_was_not_drawn() -> None:
    table = begun()
    evening = Evening(table)
    for player, text in enumerate(("KC KD 8C 6C", "KH KS 7C 2C")):
        for card in source.cards(text):
            table.lay(card, evening.hand_spot(player, card))
    table.settle()
    for place, card in enumerate(source.cards("KC KD")):
        table.take(table.track(card))
        table.lay(card, (900.0 + 85 * place, HAND_Y[1]), sure=True)
        table.hand()
        table.settle()
    assert [event.name for event in table.events] == ["deal"]
    assert "king" in table.director.showing.told[0].text


def test_a_card_that_was_shuffled_back_before_a_pause_is_drawn_while_others_lie_there_still() -> None:
    """E2, E3: it went under the pack before, and nobody has seen it lie there since."""
    table, _ = dealt("JC 4D 8C 6C", "2H 3S JD 7C")
    table.take(turned(table, "9S", 700.0))
    turned(table, "JH", 800.0)
    table.resume()
    table.settle()
    table.wait(2.0)
    drawn = Draw(0, source.cards("9S")[0])
    table.lay(drawn.card, (800.0, HAND_Y[0]), sure=True)
    table.hand()
    table.settle()
    assert bare(table.events)[-1:] == bare([drawn])


@pytest.mark.parametrize("is_named", [False, True])
def test_a_card_that_goes_back_is_not_drawn_when_it_was_hardly_read_as_it_was_sent_back(is_named: bool) -> None:
    """E2: as the starter was turned it had no name; it gets one from people, or is read again."""
    table, _ = dealt("JC 4D 8C 6C", "2H 3S JD 7C")
    track = table.track(source.cards("JC")[0])
    seen = table.lying[track]
    unread(table, track, "JC JS")
    table.leave()
    turned(table, "JH", 800.0)
    table.wait(2.0)
    if is_named and (question := table.director.showing.question) is not None:
        table.say(Answer([option.value for option in question.options].index(seen.piece) + 1))
    else:
        table.lying[track] = seen
        table.leave()
    table.wait(2.0)
    assert [event.name for event in table.events] == ["deal", "starter"]
    assert "jack of clubs" in table.director.showing.told[0].text


@pytest.mark.parametrize("x", [60.0, 800.0])
def test_a_card_that_goes_back_is_not_drawn_when_it_is_laid_back_by_mistake(x: float) -> None:
    """E2, E3: it was lifted while others that go back with it lie there, so that nobody has shuffled the pack."""
    table, evening = dealt("JC 4D 8C 6C", "2H 3S JD 7C")
    turned(table, "JH", 800.0)
    jack = source.cards("JC")[0]
    table.take(table.track(jack))
    table.hand()
    table.settle()
    table.lay(source.cards("9D")[0], (800.0, HAND_Y[1]), sure=True)  # the jack is in somebody's fingers meanwhile
    table.hand()
    table.settle()
    table.lay(jack, (x, HAND_Y[0]), sure=True)
    table.hand()
    table.settle()
    table.wait(2.0)
    assert [event.name for event in table.events] == ["deal", "starter", "draw"]
    assert "jack of clubs" in table.director.showing.told[0].text
    for card in source.cards("JC JD JH"):
        table.take(table.track(card))
    table.hand()
    table.settle()
    evening.do(Draw(0, jack), table.director.state.after(Draw(0, jack)))
    assert bare(table.events)[-1:] == bare([Draw(0, jack)])


@pytest.mark.parametrize("likely", ["JC 5C", "5C 9D", "9D TC"])
def test_what_lies_in_a_graveyard_at_a_resume_is_no_card_that_went_under_the_pack(likely: str) -> None:
    """Nobody lays a starter there: the card that comes again is another one."""
    table, evening = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    for card in source.cards("9H TD"):
        evening.do(Draw(0, card), table.director.state.after(Draw(0, card)))
    table.take(turned(table, "5C", 700.0))
    seen_in_a_fan(table, likely)
    table.resume()
    table.settle()
    assert table.director.ruling is None
    turned(table, "5C", 700.0)
    table.wait(1.5)
    assert at_table(table.director.showing.differ).startswith("5 of clubs was put under the pack and comes from its top")


def test_a_card_that_went_under_the_pack_and_lies_in_a_hand_at_a_resume_was_drawn() -> None:
    """The pack was shuffled meanwhile."""
    table, evening = dealt("JC 4D 8C 6C", "2H 3S 8D 7C")
    for card in source.cards("5C 8H"):
        evening.do(Starter(card), table.director.state.after(Starter(card)))
    drawn = Draw(1, source.cards("5C")[0])
    table.lay(drawn.card, evening.hand_spot(1, drawn.card), sure=True)
    table.hand()
    table.resume()
    table.settle()
    assert bare(table.events)[-1:] == bare([drawn])


def test_what_lies_in_a_graveyard_at_a_resume_is_no_card_of_a_hand() -> None:
    table, _ = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    table.take(table.track(PlayingCard.parse("8C")))
    seen_in_a_fan(table, "8C 9D")
    table.resume()
    table.settle()
    table.wait(1.5)
    assert str(table.director.showing.told[0]) == "All: lay 8 of clubs where the camera sees them"


def test_a_card_that_came_to_a_hand_before_a_resume_is_no_starter_that_went_under_the_pack() -> None:
    table, evening = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    for card in source.cards("5C 4H"):
        evening.do(Starter(card), table.director.state.after(Starter(card)))
    drawn = source.cards("5D")[0]
    track = table.lay(drawn, evening.hand_spot(0, drawn), sure=True)
    unread(table, track, "5D 5C")
    table.hand()
    table.resume()
    table.settle()
    table.wait(1.5)
    assert table.director.showing.question is not None
    assert table.director.showing.question.tracks == (table._numbers[track],)


def test_nobody_is_asked_about_a_card_of_a_graveyard_that_is_read_at_a_resume_and_not_later() -> None:
    table, _ = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    table.resume()
    table.settle()
    unread(table, table.track(PlayingCard.parse("JC")), "JC JH")
    table.lay(PlayingCard.parse("JC"), (400.0, GRAVE_Y[0]), upright=False, sure=True)
    table.hand()
    table.settle()
    table.wait(1.5)
    assert table.director.showing.question is None


def test_an_index_alone_does_not_tell_how_a_card_lies() -> None:
    table, _ = dealt("JC JD 8C 6C", "2H 3S KC 7C")
    track = table.track(PlayingCard.parse("JC"))
    jack = table.lying[track]
    corner = np.array(jack.outline_px.min(axis=0)) + np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 14.0], [0.0, 14.0]])
    table.lying[track] = replace(jack, outline_px=corner)
    table.hand()
    table.settle()
    assert not any("sideways" in one.text for one in table.director.showing.told)


def turned(table: TableTop, card: str, x: float) -> int:
    track = table.lay(PlayingCard.parse(card), (x, 360.0))
    table.hand()
    table.settle()
    return track


def test_a_second_starter_beside_the_first_sends_both_under_the_pack() -> None:
    """E2."""
    table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    turned(table, "9S", 700.0)
    assert str(table.director.showing.told[0]) == "Dealer: put 9 of spades under the pack"
    turned(table, "5D", 800.0)
    assert str(table.director.showing.told[0]) == "Dealer: put 9 of spades, 5 of diamonds under the pack"
    assert [str(card) for card in table.director.state.bottom] == ["9S", "5D"]


@pytest.mark.parametrize("likely", ["9S 5D", "5D 4S"])
def test_a_starter_that_goes_under_the_pack_is_the_same_when_it_is_hardly_read_for_a_while(likely: str) -> None:
    """E2: nobody is asked about it, and it does not come from the top of the pack when it is read again."""
    table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    track = turned(table, "9S", 700.0)
    seen = table.lying[track]
    events, told = table.director.history.events, table.director.showing.told
    for one in (None, seen):
        if one is None:
            unread(table, track, likely)
        else:
            table.lying[track] = one
        table.leave()
        table.wait(3.0)
        assert table.director.showing.question is None
        assert table.director.showing.differ == ""
        assert table.director.showing.told == told
    assert table.director.history.events == events


def test_what_is_shuffled_back_goes_before_what_goes_under_the_pack() -> None:
    """E2: one card in each hand, and a starter that matches nothing turned before they are back."""
    table, evening = dealt("JC 4D 8C 6C", "2H 3S JD 7C")
    table.take(turned(table, "9S", 700.0))
    turned(table, "JH", 800.0)
    assert (
        str(table.director.showing.told[0])
        == "Dealer: put jack of clubs, jack of diamonds, jack of hearts back into the pack and shuffle it"
    )
    for player, card in enumerate(source.cards("QC KD")):
        table.lay(card, evening.hand_spot(player, card))
        table.hand()
        table.settle()
    turned(table, "5D", 900.0)
    assert table.director.showing.told[0].text.endswith("back into the pack and shuffle it, then 5 of diamonds under the pack")


@pytest.mark.parametrize(("said", "events"), [(TableIsRight(), ["amend", "starter"]), (GameIsRight(), [])])
def test_a_card_from_under_the_pack_is_settled_by_two_keys(said: Any, events: list[str]) -> None:
    """E2: it comes again at once where people shuffled it back."""
    table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    table.take(turned(table, "9S", 700.0))
    table.take(turned(table, "5D", 700.0))
    table.hand()
    table.settle()
    before = len(table.events)
    track = turned(table, "9S", 700.0)
    table.wait(1.5)
    assert at_table(table.director.showing.differ).startswith("9 of spades was put under the pack and comes from its top")
    table.say(said)
    assert [event.name for event in table.events[before:]] == events
    assert table.director.showing.differ == ""
    table.take(track)
    turned(table, "QD", 700.0)
    assert [str(card) for card in table.director.state.bottom][-1] == "QD"


def test_a_zone_is_called_by_its_player_and_one_of_nobody_by_its_name() -> None:
    assert str(zone_named("hand 2", ("Ann", "Bo"))) == "hand of Bo"
    for name in ("hand 3", "hand 0", "hand", "graveyard " + "9" * 5000, "sideboard"):
        assert zone_named(name, ("Ann", "Bo")) == name


@pytest.mark.parametrize("is_drawing", [False, True])
@pytest.mark.parametrize(("at", "zone"), [((800.0, HAND_Y[1]), "hand of B"), ((800.0, GRAVE_Y[0]), "graveyard of A")])
def test_a_starter_that_comes_out_from_under_the_pack_is_sent_back_there(at: tuple[float, float], zone: str, is_drawing: bool) -> None:
    """E2: neither on the pack, nor to a place where it cannot count."""
    table, evening = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    table.take(turned(table, "9S", 700.0))
    table.hand()
    table.settle()
    if is_drawing:
        turned(table, "JD", 700.0)
        evening.tidy(table.director.state)
    before = table.director.history.events
    table.lay(source.cards("9S")[0], at, sure=True)
    table.hand()
    table.settle()
    table.wait(2.0)
    assert table.director.history.events == before
    assert table.director.showing.told[0].text == f"9 of spades lies in {zone} and was put under the pack: put it back there"


def test_a_starter_that_lies_there_still_and_is_hardly_read_after_a_resume_is_no_new_one() -> None:
    """E2: it may be either of two that went under the pack, and people name it, twice since one of that was a slip."""
    table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    table.take(turned(table, "5D", 700.0))
    track = turned(table, "9S", 700.0)
    events = table.director.history.events
    unread(table, track, "5D 9S")
    table.resume()
    for _ in range(2):
        table.leave()
        table.wait(2.0)
        question = table.director.showing.question
        assert question is not None
        table.say(Answer([option.value for option in question.options].index(PlayingCard.parse("9S")) + 1))
        table.wait(2.0)
        assert table.director.showing.differ == ""
        assert table.director.showing.told[0].text == "put 9 of spades under the pack"
        table.say(Undo())
    assert table.director.history.events == events


def test_two_starters_that_lie_there_still_are_known_after_a_resume() -> None:
    """E2."""
    table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    for card, x in (("9S", 700.0), ("5D", 800.0)):
        turned(table, card, x)
    history = table.director.history
    again = top(lambda correct: Director(history, EnglishSetsReferee(), correct=correct))
    for track, one in table.lying.items():
        x, y = (float(value) for value in one.center_px)
        again.lay(PlayingCard.parse(str(table.truth(track))), (x, y))
    again.settle()
    assert again.events == []
    assert "Dealer: put 9 of spades, 5 of diamonds under the pack" in [str(one) for one in again.director.showing.told]


def with_few_cards_left(first: str, second: str, lacks: str, bottom: str = "", lost: str = "") -> TableTop:
    """Two hands, and all other ranks in graveyards but for those cards that the deck lacks, or that lie under the pack.

    Of those that it lacks people know that some are `lost`.
    """
    hands, away = (source.hand(first), source.hand(second)), {*source.cards(lacks), *source.cards(bottom)}
    held = {card.rank for hand in hands for card in hand} | {card.rank for card in source.cards(bottom)}
    sets = [tuple(card for card in PACK if card.rank is rank and card not in away) for rank in Rank if rank not in held]
    graves = tuple(Grave(cards) for cards in sets[::2]), tuple(Grave(cards) for cards in sets[1::2])
    state = replace(
        english_sets.GAME.start(players=NAMES),
        phase=Phase.STARTER,
        hands=hands,
        graveyards=graves,
        bottom=source.cards(bottom),
        lost=source.cards(lost),
    )
    assert not state.findings
    changes = {"phase": state.phase, "hands": hands, "graveyards": graves, "bottom": state.bottom, "lost": state.lost}
    table = begun()
    table.director._game.history = table.director.history.then(Amend.of("late in the game", **changes))
    Evening(table).lay_all(state)
    return table


@pytest.mark.parametrize("is_found", [False, True])
def test_a_deck_that_lacks_a_card_can_be_played_to_its_end(is_found: bool) -> None:
    """E4, E5: "next" says twice that the pack is out, though a card should be in it; it is not where that comes after all."""
    table = with_few_cards_left("8S 8H 8D 5C", "5S 5H 5D 8C", "KC")
    assert table.director.showing.told[0].text == "turn up the top card of the pack"
    table.wait(20)
    table.next()
    assert at_table(table.director.showing.notice) == "still to come from the pack: king of clubs; if the pack is out, say next once more"
    table.wait(2.0)
    table.next()
    state = table.director.state
    assert (state.phase, state.lost, state.pack) == (Phase.STALEMATE, source.cards("KC"), ())
    if not is_found:
        table.say(Move(Exchange()))
        assert table.director.state.is_over
        assert sum(table.director.state.scores) == 12
        return
    turned(table, "KC", 430.0)
    assert table.director.state.lost == ()
    assert all(grave.is_complete for graves in table.director.state.graveyards for grave in graves)


def test_a_starter_comes_again_where_the_deck_lacks_the_last_card_above_it() -> None:
    """E2, E4: in a pack that nobody has shuffled it is on top once all others have come."""
    table = with_few_cards_left("8S 8H 8D 5C", "5S 5H 5D 8C", "KC", "QS QH QD QC")
    table.wait(31.0)
    assert "or say next to go on" in table.director.showing.told[0].text
    table.next()
    table.wait(2.0)
    table.next()
    assert table.director.state.phase is Phase.STALEMATE
    table.say(Undo())
    assert table.director.state.phase is Phase.STARTER


def test_the_next_card_of_a_pack_that_is_through_came_before_a_resume_and_the_last_starter_lies_there_still() -> None:
    """E2."""
    table = with_few_cards_left("8S 8H 8D QC", "5S 5H 5D 8C", "", "KC KD KH KS QS QH QD 5C")
    track = turned(table, "KC", 700.0)
    events = table.director.history.events
    assert bare(events)[-1:] == bare([Starter(PlayingCard.parse("KC"))])
    table.resume()
    table.leave()
    table.wait(2.0)
    assert table.director.history.events == events
    assert table.director.showing.told[0].text == "put king of clubs under the pack"
    table.take(track)
    table.resume()
    turned(table, "KD", 700.0)
    assert bare(table.director.history.events)[len(events) :] == bare([Starter(PlayingCard.parse("KD"))])


@pytest.mark.parametrize(("lost", "is_out"), [("KC", True), ("KC KD", False)])
def test_no_more_than_three_cards_are_lost_in_all(lost: str, is_out: bool) -> None:
    table = with_few_cards_left("8S 8H 8D 5C", "5S 5H 5D 8C", f"{lost} QC QD", lost=lost)
    for _ in range(2):
        table.next()
        table.wait(2.0)
    assert (table.director.state.pack == ()) is is_out


def test_next_ends_no_pack_of_which_many_cards_are_to_come() -> None:
    table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    events = table.director.history.events
    for _ in range(2):
        table.next()
        table.wait(2.0)
    assert table.director.history.events == events
