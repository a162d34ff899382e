"""SET on a table: whole matches of simple players, laid out card by card, and what can go wrong (rules S3 to S9)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.referee.tabletop import TableTop, bare, seeds, top
from visionset.games.base import Amend, Event
from visionset.games.game import History
from visionset.games.set_cards import rules as set_cards
from visionset.games.set_cards.referee import SetCardsReferee
from visionset.games.set_cards.rules import Agree, Deal, GiveUp, Phase, Take
from visionset.games.sets import find_sets, third
from visionset.games.virtual.runner import next_event
from visionset.messages import at_table
from visionset.pieces import SET_DECK, SetCard
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, CallSet, NoSet

NAMES = ("Ann", "Bo", "Cy")


def begun(options: Any = None, names: tuple[str, ...] = NAMES, seed: int = 0, unsure: float = 0.0, **more: Any) -> TableTop:
    history = History.begin(set_cards.GAME, options, names)
    return top(lambda correct: Director(history, SetCardsReferee(**more), correct=correct), random.Random(seed), unsure)


def spot(place: int) -> tuple[float, float]:
    return 150.0 + place % 7 * 150, 100.0 + place // 7 * 160


class Evening:
    """Plays a match by the rules core and does each event with cards and keys."""

    def __init__(self, table: TableTop, seed: int, noise: bool) -> None:
        self.table, self.rng, self.noise = table, random.Random(seed), noise
        self.truth = table.director.history
        self.spots: dict[SetCard, tuple[float, float]] = {}
        self.order: list[SetCard] = []
        self.vacant: dict[int, tuple[float, float]] = {}

    def play(self) -> None:
        while not self.truth.state.is_over:
            self.order = [card for card in self.truth.state.table if card is not None]
            self.do(*self.possible(next_event(self.truth.state, self.rng)))

    def possible(self, event: Event) -> tuple[Event, ...]:
        """What a camera can tell of what a simple player does.

        The second of two tied callers cannot pick up a wrong trio with a card that is in the other's hand. Nobody says that
        they give up: the time of a call runs out, and of two tied calls it runs out for both.
        """
        state = self.truth.state
        waiting = [claim.player for claim in state.claims if not (claim.cards or claim.is_late)]
        if isinstance(event, GiveUp):
            return tuple(GiveUp(player, at_s=event.at_s) for player in waiting)
        if isinstance(event, Take):
            shown = {place for claim in state.claims for place in claim.cards}
            if shown & set(event.at) and tuple(sorted(event.at)) not in find_sets(state.table):
                return (GiveUp(event.player, at_s=event.at_s),)
        return (event,)

    def do(self, *events: Event) -> None:
        """Do what leads to the first event, and expect them all."""
        state, table, event = self.truth.state, self.table, events[0]
        before = len(table.events)
        match event:
            case Deal():
                self.deal(event)
            case set_cards.Call():
                if not state.claims:
                    table.wait(1.0)
                    if self.noise and self.rng.random() < 0.15:
                        self.slip()
                table.say(CallSet(event.player))
            case Agree():
                table.say(NoSet(event.player))
            case GiveUp():
                table.hand(1.0)
                table.settle()
                table.wait(6.0)
            case Take():
                self.take(event)
        for one in events:
            self.truth = self.truth.then(one)
        assert bare(table.events[before:]) == bare(events), (table.director.showing, state)
        assert table.director.state.scores == self.truth.state.scores
        if isinstance(event, Take | GiveUp) and not self.truth.state.claims:
            self.clear()

    def slip(self) -> None:
        """Somebody swaps a card, or lays one too many, and puts it right when the table is frozen."""
        table = self.table
        stray = self.rng.choice([card for card in SET_DECK if card not in self.spots])
        if self.rng.random() < 0.5:
            track = table.lay(stray, (1200.0, 650.0), sure=True)
            table.settle()
            table.wait(1.5)
            assert table.director.showing.differ
            table.take(track)
        else:
            card = self.rng.choice([card for card in self.truth.state.table if card is not None])
            table.take(table.track(card))
            track = table.lay(stray, self.spots[card], sure=True)
            table.settle()
            table.wait(1.5)
            assert "the game has" in at_table(table.director.showing.differ)
            table.take(track)
            table.lay(card, self.spots[card], sure=True)
        table.settle()
        assert table.director.showing.differ == ""

    def deal(self, event: Deal) -> None:
        state, table = self.truth.state, self.table
        if not any(state.table):
            for track in list(table.lying):
                table.take(track)
            if table._shown:
                table.hand()
                table.settle()
            self.spots, self.vacant = {}, {}
        empty = [place for place, card in enumerate(state.table) if card is None]
        free = [spot(place) for place in range(21) if spot(place) not in self.spots.values()]
        targets = [self.target(place, free) for place in empty]
        for number, (card, at) in enumerate(zip(event.cards, targets, strict=True)):
            table.lay(card, at)
            self.spots[card] = at
            if self.noise and self.rng.random() < 0.2 and number + 1 < len(empty):
                table.settle()
        table.hand()
        table.settle()
        table.wait(0.5)

    def target(self, place: int, free: list[tuple[float, float]]) -> tuple[float, float]:
        return self.vacant[place] if place in self.vacant else free.pop(0)

    def take(self, event: Take) -> None:
        state, table = self.truth.state, self.table
        cards = [card for place in event.at if (card := state.table[place]) is not None]
        tracks = [table.track(card) for card in cards if any(table.truth(track) == card for track in table.lying)]
        waiting = [claim for claim in state.claims if not (claim.cards or claim.is_late)]
        if not tracks:
            table.say(CallSet(event.player))
            return
        others = [track for track in table.lying if track not in tracks]
        if self.noise and self.rng.random() < 0.15 and len(tracks) == 3 and others:
            other = self.rng.choice(others)
            card, at = table.truth(other), self.spots[table.truth(other)]  # type: ignore[index]
            table.take(other)
            table.hand()
            table.settle()
            table.lay(card, at, sure=True)  # type: ignore[arg-type]
        for track in tracks:
            table.take(track)
        table.hand()
        table.settle()
        question = table.director.showing.question
        if question is not None and question.key[0] == "taker":
            names = [option.value for option in question.options]
            assert len(waiting) == 2
            table.say(Answer(1 + names.index(event.player)))
        elif len(tracks) < 3:  # the rest is in the other caller's hand
            table.next()

    def clear(self) -> None:
        """After the judgement: wrong cards go back, and the empty places are those of the cards that were won."""
        state, table = self.truth.state, self.table
        on = {table.truth(track) for track in table.lying}
        back = [card for card in state.table if card is not None and card not in on]
        for card in back:
            table.lay(card, self.spots[card], sure=True)
        if back:
            table.hand()
            table.settle()
        assert isinstance(table.director.state, type(state))
        self.vacant = {}
        lying = {card for card in state.table if card is not None}
        gone = [card for card in self.order if card not in lying and card in self.spots]
        empty = [place for place, card in enumerate(state.table) if card is None]
        for place, card in zip(empty, gone, strict=False):
            self.vacant[place] = self.spots[card]
        for card in gone:
            del self.spots[card]


@pytest.mark.parametrize("seed", seeds(3))
def test_a_match_of_simple_players_is_followed_to_the_point(seed: int) -> None:
    options = list(set_cards.GAME.presets.values())[seed % 2]
    table = begun(options, seed=seed, unsure=0.05 if seed % 3 else 0.0)
    evening = Evening(table, seed, noise=seed >= 1)
    evening.play()
    assert table.director.state.is_over
    assert table.director.state.scores == evening.truth.state.scores
    assert table.director.state.winners == evening.truth.state.winners
    assert table.director.state.finished == evening.truth.state.finished


def test_two_tied_callers_who_wait_run_out_of_time_together() -> None:
    """S4, S6: a simple player who gives up has let the time of the other pass too."""
    table = begun()
    evening = Evening(table, 0, noise=False)
    evening.do(Deal(tuple(random.Random(3).sample(SET_DECK, 12))))
    for player in (1, 2):
        evening.do(set_cards.Call(player, at_s=1.0))
    evening.do(*evening.possible(GiveUp(2, at_s=11.0)))
    assert bare(table.events[-2:]) == bare([GiveUp(1), GiveUp(2)])
    assert table.director.state.scores == (0, -1, -1)


class Clumsy(random.Random):
    """Every slip that can happen does."""

    def random(self) -> float:
        return 0.0


def test_of_the_last_three_cards_none_can_be_picked_up_by_mistake() -> None:
    table = begun()
    evening = Evening(table, 0, noise=False)
    one, two = SET_DECK[:2]
    trio = (one, two, third(one, two))
    evening.truth = table.director._game.history = evening.truth.then(Amend.of("late in a round", table=trio, phase=Phase.OPEN))
    for place, card in enumerate(trio):
        table.lay(card, spot(place), sure=True)
    table.settle()
    evening.do(set_cards.Call(1, at_s=1.0))
    evening.noise, evening.rng = True, Clumsy(0)
    evening.do(Take(1, (0, 1, 2), at_s=1.1))
    assert table.director.state.scores == (0, 1, 0)
