"""Solitaire on a table (rule S11)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.referee.tabletop import TableTop, bare, seeds, top
from tests.referee.test_set_cards import spot
from visionset.games.game import History
from visionset.games.sets import find_sets
from visionset.games.solitaire import rules as solitaire
from visionset.games.solitaire.referee import SolitaireReferee
from visionset.games.solitaire.rules import Deal, FindNone, SolitaireState, Take
from visionset.games.virtual.runner import play_out
from visionset.messages import at_table
from visionset.pieces import SET_DECK, SetCard
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, AskHint, GameIsRight, Move, NoSet, TableIsRight
from visionset.table import Guess


def begun(seed: int = 0, unsure: float = 0.0, hints: bool = False) -> TableTop:
    history = History.begin(solitaire.GAME, None, ("Ann",))
    return top(lambda correct: Director(history, SolitaireReferee(hints=hints), correct=correct), random.Random(seed), unsure)


class Evening:
    """Cards lie on spots; an empty place is filled on the spot of the card that went."""

    def __init__(self, table: TableTop, noise: bool = False) -> None:
        self.table, self.noise = table, noise
        self.spots: dict[SetCard, tuple[float, float]] = {}
        self.vacant: list[tuple[float, float]] = []

    def deal(self, event: Deal) -> None:
        table = self.table
        free = [spot(place) for place in range(21) if spot(place) not in self.spots.values()]
        for card in event.cards:
            at = self.vacant.pop(0) if self.vacant else next(one for one in free if one not in self.spots.values())
            table.lay(card, at)
            self.spots[card] = at
            if self.noise and table.rng.random() < 0.2:
                table.settle()
        table.hand()
        table.settle()

    def take(self, event: Take, before: SolitaireState, after: SolitaireState) -> None:
        table = self.table
        cards = [card for place in event.at if (card := before.table[place]) is not None]
        for number, card in enumerate(cards):
            table.take(table.track(card))
            if self.noise and number < 2 and table.rng.random() < 0.2:
                table.settle()
        table.hand()
        table.settle()
        if len(after.kept) == len(before.kept):
            assert "put back" in table.director.showing.told[0].text
            for card in cards:
                table.lay(card, self.spots[card], sure=True)
            table.hand()
            table.settle()
            return
        order = sorted(cards, key=before.table.index)
        wanted = sum(card is None for card in after.table)
        self.vacant = [self.spots.pop(card) for card in order][:wanted]


@pytest.mark.parametrize("seed", seeds(3))
def test_whole_games_are_followed_to_the_point(seed: int) -> None:
    table = begun(seed, unsure=0.05 if seed else 0.0)
    evening, truth, state = Evening(table, noise=seed > 1), [], solitaire.GAME.start(None, ("Ann",))
    for event, after in play_out(solitaire.GAME, random.Random(seed), None, ("Ann",)):
        truth.append(event)
        if isinstance(event, Deal):
            evening.deal(event)
        elif isinstance(event, Take):
            evening.take(event, state, after)
        else:
            table.say(NoSet(0))
        state = after
        assert bare(table.events[-1:]) == bare(truth[-1:]), table.director.showing
    assert bare(table.events) == bare(truth)
    assert table.director.state.scores == state.scores
    assert table.director.state.winners == state.winners


def twelve() -> tuple[TableTop, Evening]:
    table = begun()
    evening = Evening(table)
    evening.deal(Deal(tuple(random.Random(3).sample(SET_DECK, 12))))
    return table, evening


def test_a_card_that_was_won_lies_there_again() -> None:
    for said, kept in ((TableIsRight(), 0), (GameIsRight(), 3)):
        table, evening = twelve()
        state = table.director.state
        event = Take(find_sets(state.table)[0])
        evening.take(event, state, state.after(event))
        cards = [card for card in table.director.excluded if isinstance(card, SetCard)]
        assert len(cards) == 3
        table.lay(cards[0], (1100.0, 600.0), sure=True)
        table.settle()
        table.wait(1.5)
        assert "was already won" in at_table(table.director.showing.differ)
        table.say(said)
        assert len(table.director.state.kept) == kept
        assert table.director.showing.differ == ""


def in_the_glare(likely: SetCard | None) -> tuple[TableTop, int, SetCard]:
    """Twelve cards are dealt of which one cannot be read, looks `likely` so, and is in a SET; nobody answers what it is."""
    cards = tuple(random.Random(3).sample(SET_DECK, 12))
    card = cards[find_sets(cards)[0][0]]
    table = begun()
    for place, one in enumerate(cards):
        track = table.lay(one, spot(place), sure=True)
        if one == card:
            glaring = track
            guess = None if likely is None else Guess(likely, 0.3, card, 0.2)
            table.lying[track] = replace(table.lying[track], piece=None, confidence=0.3, guess=guess)
    table.hand()
    table.leave()
    table.wait(130)
    return table, glaring, card


def test_a_card_for_which_nobody_answers_is_what_it_is_read_as_once_the_glare_has_gone() -> None:
    """S1: it was taken for what it looked like."""
    likely = next(card for card in SET_DECK if card not in random.Random(3).sample(SET_DECK, 12))
    table, track, card = in_the_glare(likely)
    assert likely in table.director.state.table
    table.lying[track] = replace(table.lying[track], piece=card, confidence=0.99, guess=Guess(card, 0.99))
    table.leave()
    table.wait(2)
    assert at_table(table.director.showing.differ).endswith(f"the game has {at_table(likely)} there")
    table.say(TableIsRight())
    assert card in table.director.state.table
    assert likely not in table.director.state.table


def test_a_card_that_was_passed_over_counts_when_it_is_read() -> None:
    """Nothing was known of it, and eleven lay there for all that anybody knew."""
    table, track, card = in_the_glare(None)
    assert not table.events
    table.lying[track] = replace(table.lying[track], piece=card, confidence=0.99, guess=Guess(card, 0.99))
    table.leave()
    assert card in table.director.state.table


def test_what_nobody_has_named_is_asked_about_before_a_take_is_judged_wrong() -> None:
    """S2: the three are a SET."""
    likely = next(card for card in SET_DECK if card not in random.Random(3).sample(SET_DECK, 12))
    table, track, card = in_the_glare(likely)
    places = find_sets(random.Random(3).sample(SET_DECK, 12))[0]
    for one in [table.director.state.table[place] for place in places]:
        table.take(track if one == likely else table.track(one))
    table.hand()
    table.leave()
    table.wait(2)
    question = table.director.showing.question
    assert question is not None
    table.say(Answer([option.value for option in question.options].index(card) + 1))
    assert table.director.state.wrong == 0
    assert len(table.director.state.kept) == 3


def test_one_card_missing_is_waited_for_and_settled_by_next() -> None:
    table, evening = twelve()
    card = table.director.state.table[0]
    assert isinstance(card, SetCard)
    table.take(table.track(card))
    table.settle()
    assert "take 2 more, or put back" in table.director.showing.told[0].text
    table.wait(31)
    assert "or say next" in table.director.showing.told[0].text
    table.next()
    assert "left the table" in at_table(table.director.showing.differ)
    table.say(GameIsRight())
    assert table.director.showing.differ == ""
    assert card in table.director.state.table
    table.lay(card, evening.spots[card], sure=True)
    table.settle()
    table.wait(2)
    assert table.director.showing.differ == ""
    assert len(table.events) == 1


def test_nothing_is_given_away_before_a_hint_is_asked_for() -> None:
    table = begun(hints=True)
    Evening(table).deal(Deal(tuple(random.Random(3).sample(SET_DECK, 12))))
    assert not table.director.showing.marks
    for count in (0, 1, 2, 3, 3):
        table.say(AskHint(0))
        assert len(table.director.showing.marks) == count
    assert "hints, Ann\t5" in list(map(at_table, table.director.showing.status))
    table.say(NoSet(0))
    assert isinstance(table.events[-1], FindNone)
    assert not table.director.showing.marks


def test_no_three_more_cards_are_asked_for_while_a_card_is_gone() -> None:
    """Whether it is called out, or clicked as what the game offers."""
    table = begun()
    Evening(table).deal(Deal(tuple(random.Random(3).sample(SET_DECK, 12))))
    table.take(next(iter(table.lying)))
    table.hand()
    table.settle()
    for said in (NoSet(0), Move(FindNone())):
        table.say(said)
        assert [type(event) for event in table.events] == [Deal]
        assert table.director.showing.notice


@pytest.mark.parametrize("taken", [2, 3])
def test_a_card_that_is_hardly_read_after_a_pause_is_none_of_those_that_were_taken_meanwhile(taken: int) -> None:
    """It looks like one of them, and is asked about: a right SET was judged to be none, or the wrong cards were asked back."""
    table, _ = twelve()
    state = table.director.state
    trio = find_sets(state.table)[0]
    gone = [card for place in trio[:taken] if (card := state.table[place]) is not None]
    other = next(card for place, card in enumerate(state.table) if card is not None and place not in trio)
    for card in gone:
        table.take(table.track(card))
    track = table.track(other)
    table.unread[track] = other
    table.lying[track] = replace(table.lying[track], piece=None, confidence=0.3, guess=Guess(gone[0], 0.3, SET_DECK[-1], 0.2))
    table._first_read[track] = table.lying[track]
    table.resume()
    table.leave()
    table.wait(2.0)
    assert table.director.showing.question is not None
    table.answer_doubts()
    assert table.director.state.wrong == 0
    assert len(table.director.state.kept) == (3 if taken == 3 else 0)
    told = table.director.showing.told[0].text
    assert taken == 3 or all(at_table(card) in told for card in gone)
    assert at_table(other) not in told
