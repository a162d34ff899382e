"""The director: doubts, differences, time-outs, undo and resuming, shown with SET cards."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.referee.tabletop import TableTop, bare, top
from tests.referee.test_set_cards import NAMES, begun, spot
from visionset.errors import OutputError
from visionset.games.base import Amend, Event
from visionset.games.game import History
from visionset.games.set_cards import rules as set_cards
from visionset.games.set_cards.referee import SetCardsReferee
from visionset.games.set_cards.rules import Agree, Deal, GiveUp, Phase, Take
from visionset.games.sets import find_sets
from visionset.messages import at_table
from visionset.pieces import SET_DECK, SetCard
from visionset.referee.director import Director
from visionset.referee.game_referee import RefereeOptions
from visionset.referee.player_input import Answer, AskHint, CallSet, GameIsRight, NoSet, Said, TableIsRight, Undo
from visionset.referee.shown import Tone
from visionset.table import Settled, Table, Taken


def twelve(table: TableTop, seed: int = 3, count: int = 12) -> tuple[SetCard, ...]:
    cards = tuple(random.Random(seed).sample(SET_DECK, count))
    for place, card in enumerate(cards):
        table.lay(card, spot(place), sure=True)
    table.settle()
    return cards


def take(table: TableTop, places: tuple[int, ...], player: int | None = 1) -> None:
    if player is not None:
        table.say(CallSet(player))
    for place in places:
        card = table.director.state.table[place]
        table.take(table.track(card))
    table.hand()
    table.settle()


def no_set(table: TableTop) -> tuple[int, ...]:
    return next((0, 1, last) for last in range(2, 12) if (0, 1, last) not in find_sets(table.director.state.table))


def test_a_wrong_call_costs_a_point_and_says_why_in_words() -> None:
    """S2, S5."""
    table = begun()
    twelve(table)
    trio = no_set(table)
    take(table, trio)
    showing = table.director.showing
    assert "no SET" in str(showing.notice)
    assert "all the same nor all different" in str(showing.notice)
    assert "put back" in showing.told[0].text
    assert len([mark for mark in showing.marks if mark.tone is Tone.TODO]) == 3
    assert table.say(CallSet(2)) == []
    assert "lie again first" in str(table.director.showing.notice)
    assert table.director.state.scores == (0, -1, 0)


def test_an_overdue_caller_is_in_error_and_one_whose_hand_is_there_gets_a_little_longer() -> None:
    """S4."""
    table = begun()
    twelve(table)
    table.say(CallSet(1))
    table.wait(4)
    assert any("called" in at_table(line) for line in table.director.showing.status)
    assert table.director.state.phase is Phase.CALLED
    table.wait(2)
    assert isinstance(table.events[-1], GiveUp)
    assert table.director.state.scores == (0, -1, 0)
    table.say(CallSet(2))
    table.hand(9.0)
    assert table.director.state.phase is Phase.CALLED
    table.hand(3.0)
    assert table.director.state.scores == (0, -1, -1)


def test_the_time_in_which_the_table_settles_is_not_the_callers() -> None:
    table = begun()
    twelve(table)
    trio = find_sets(table.director.state.table)[0]
    table.say(CallSet(1))
    table.hand(4.75)
    for place in trio:
        table.take(table.track(table.director.state.table[place]))
    table.settle()
    assert table.director.state.scores == (0, 1, 0)


def test_a_card_that_lies_elsewhere_for_one_that_is_gone_is_told_without_counting() -> None:
    """Twelve lie where twelve belong, which explains nothing."""
    table = begun()
    cards = twelve(table)
    table.take(table.track(cards[0]))
    table.lay(next(card for card in SET_DECK if card not in cards), spot(18), sure=True)
    table.settle()
    table.wait(1.5)
    differ = at_table(table.director.showing.differ)
    assert differ.startswith("the game does not know ")
    assert "belong" not in differ


def test_thirteen_cards_freeze_the_scores_until_it_is_settled() -> None:
    for said, lie in ((TableIsRight(), 13), (GameIsRight(), 12)):
        table = begun()
        cards = twelve(table)
        other = next(card for card in SET_DECK if card not in cards)
        table.lay(other, spot(18), sure=True)
        table.settle()
        assert table.director.showing.differ == ""
        table.wait(1.5)
        assert "13 cards lie where 12 belong" in at_table(table.director.showing.differ)
        assert table.say(CallSet(1)) == table.say(NoSet(1)) == []
        table.say(said)
        assert table.director.showing.differ == ""
        assert len(table.director.state.table) == lie
        assert table.director.state.scores == (0, 0, 0)
        take(table, find_sets(table.director.state.table)[0])
        assert table.director.state.scores == (0, 1, 0)


def test_who_is_late_settles_no_later_difference_of_the_same_words() -> None:
    """Two people press at once; by then the same card has been picked up and laid there again."""
    table = begun()
    other = next(card for card in SET_DECK if card not in twelve(table))

    def lay() -> tuple[int, str | None]:
        track = table.lay(other, spot(18), sure=True)
        table.settle()
        table.wait(1.5)
        return track, table.director.showing.differ_id

    track, first = lay()
    words = table.director.showing.differ
    table.say(GameIsRight(first))
    assert table.director.showing.differ_id is None
    table.take(track)
    table.settle()
    _, second = lay()
    assert table.director.showing.differ == words
    table.say(TableIsRight(first))
    assert table.director.showing.differ == words
    table.say(TableIsRight(second))
    assert table.director.showing.differ == ""


def test_a_slip_that_is_corrected_at_once_disturbs_nobody() -> None:
    table = begun()
    cards = twelve(table)
    track = table.lay(next(card for card in SET_DECK if card not in cards), spot(18), sure=True)
    table.settle()
    table.take(track)
    table.settle()
    table.wait(5)
    assert table.director.showing.differ == ""
    assert len(table.events) == 1


def test_a_card_that_was_won_lies_there_again() -> None:
    for said, points in ((TableIsRight(), 0), (GameIsRight(), 1)):
        table = begun()
        twelve(table)
        take(table, find_sets(table.director.state.table)[0])
        won = next(iter(table.director.excluded))
        table.lay(won, spot(19), sure=True)
        table.settle()
        table.wait(1.5)
        assert "was already won" in at_table(table.director.showing.differ)
        table.say(said)
        assert table.director.state.scores == (0, points, 0)
        assert table.director.state.findings == ()


def test_a_swapped_card_is_settled_by_two_keys() -> None:
    for said, place in ((TableIsRight(), None), (GameIsRight(), 4)):
        table = begun()
        cards = twelve(table)
        other = next(card for card in SET_DECK if card not in cards)
        table.take(table.track(cards[4]))
        table.lay(other, spot(4), sure=True)
        table.settle()
        table.wait(1.5)
        assert "the game has" in at_table(table.director.showing.differ)
        table.say(said)
        assert table.director.showing.differ == ""
        state = table.director.state
        assert (state.table.index(cards[4]) if cards[4] in state.table else None) == place
        assert (other in state.table) is (place is None)


@pytest.mark.parametrize(("before_s", "points"), [(0.0, 0), (3.0, 1)])
def test_who_calls_while_it_is_asked_who_took_cards_has_not_taken_them(before_s: float, points: int) -> None:
    """S4: the call may be for the next SET; one that was said before anybody was asked, and came late, is for these."""
    table = begun()
    twelve(table)
    trio = find_sets(table.director.state.table)[0]
    take(table, trio, player=None)
    table.wait(1.5)
    assert "Who took" in str(table.director.showing.question)
    table.say(CallSet(2, table.now_s - before_s))
    assert table.director.state.scores == (0, 0, points)
    if not points:
        assert "first say who took" in str(table.director.showing.notice)
        table.say(Answer(1))
        assert table.director.state.scores == (0, 1, 0)


def test_nobody_settles_a_difference_and_the_game_goes_on() -> None:
    table = begun()
    cards = twelve(table)
    table.lay(next(card for card in SET_DECK if card not in cards), spot(18), sure=True)
    table.settle()
    table.wait(122)
    assert table.director.showing.differ == ""
    assert table.director.state.scores == (0, 0, 0)


def test_the_dealer_goes_on_with_fewer_cards_when_somebody_says_next() -> None:
    table = begun()
    twelve(table, count=9)
    assert "3 more to deal" in table.director.showing.told[0].text
    table.wait(31)
    assert table.director.showing.told[0].text == "3 more to deal (waiting for 31 s)"
    table.next()
    assert "first: 3 more to deal" in at_table(table.director.showing.notice)
    assert table.director.state.phase is Phase.DEAL
    rest = [card for card in SET_DECK if card not in {table.truth(track) for track in table.lying}][:3]
    for place, card in enumerate(rest):
        table.lay(card, spot(9 + place), sure=True)
    table.settle()
    take(table, find_sets(table.director.state.table)[0])
    table.next()
    assert table.director.state.phase is Phase.OPEN
    assert len(table.director.state.table) == 9
    assert isinstance(table.events[-1], Amend)


def test_an_unsure_card_is_asked_about_once_and_the_answer_sticks() -> None:
    corrected: list[tuple[int, Any]] = []
    history = History.begin(set_cards.GAME, None, NAMES)
    table = TableTop(Director(history, SetCardsReferee(), correct=lambda track, piece: corrected.append((track, piece))))
    cards = tuple(random.Random(3).sample(SET_DECK, 12))
    for place, card in enumerate(cards[:11]):
        table.lay(card, spot(place), sure=True)
    track = table.lay(cards[11], spot(11), sure=False)
    table.now_s += 0.5
    table.wait(0.25)
    assert table.director.showing.question is None
    table.wait(1.5)
    question = table.director.showing.question
    assert question is not None
    assert question.text.startswith("What is the card ")
    assert str(question).count(" / ") <= 1
    table.say(Answer(0))
    steps = 0
    while (question := table.director.showing.question) is not None:
        number = next(n for n, option in enumerate(question.options, 1) if getattr(cards[11], option.value[0]) == option.value[1])  # type: ignore[index]
        table.say(Answer(number))
        steps += 1
    assert steps == 4
    assert corrected == [(track, cards[11])]
    assert table.director.state.table == cards
    table.wait(60)
    assert table.director.showing.question is None


@pytest.mark.parametrize("shared", [False, True])
def test_a_tie_is_judged_by_who_took_what(shared: bool) -> None:
    """S6: the same SET goes to the rubbish heap, different ones stay."""
    seed = 0 if shared else next(seed for seed in range(50) if any(not set(a) & set(b) for a in _sets(seed) for b in _sets(seed)))
    table = begun()
    twelve(table, seed if not shared else 3)
    sets = find_sets(table.director.state.table)
    one, two = next((a, b) for a in sets for b in sets if (a == b if shared else not set(a) & set(b)))
    table.say(CallSet(1))
    table.now_s += 0.1
    table.say(CallSet(2))
    if shared:
        take(table, one, player=None)
        question = table.director.showing.question
        assert question is not None
        assert "Who took" in question.text
        table.say(Answer(1))
        table.say(CallSet(2))
        assert table.director.state.scores == (0, 0, 0)
        assert len(table.director.state.heap) == 3
    else:
        take(table, (*one, *two), player=None)
        table.say(Answer(1))
        assert table.director.state.scores == (0, 1, 1)


@pytest.mark.parametrize(("apart_s", "is_tie"), [(0.02, True), (0.24, True), (0.26, False)])
def test_two_calls_tie_by_when_they_were_said_not_by_when_they_are_heard(apart_s: float, is_tie: bool) -> None:
    """S6: the network brings the first a fifth of a second late, and the second half a second; the match begins with its first frame."""
    table = begun()
    twelve(table)
    said_s = table.now_s
    table.now_s += 0.2
    table.say(CallSet(1, said_s))
    table.wait(0.5)
    table.say(CallSet(2, said_s + apart_s))
    calls = [event for event in table.events if isinstance(event, set_cards.Call)]
    assert [(event.player, event.at_s) for event in calls] == [(1, 0.0), (2, pytest.approx(apart_s))][: 1 + is_tie]


@pytest.mark.parametrize(("apart_s", "is_tie"), [(0.02, True), (0.24, True), (0.26, False)])
def test_calls_between_two_frames_tie_by_when_they_were_said(apart_s: float, is_tie: bool) -> None:
    """S6: both are heard before the camera gives the next frame."""
    table = begun()
    twelve(table)
    table.say(CallSet(1, table.now_s + 0.1))
    table.say(CallSet(2, table.now_s + 0.1 + apart_s))
    calls = [(event.player, event.at_s) for event in table.events if isinstance(event, set_cards.Call)]
    assert calls == [(1, pytest.approx(0.1)), (2, pytest.approx(0.1 + apart_s))][: 1 + is_tie]


def test_a_call_from_the_future_is_said_about_now() -> None:
    table = begun()
    twelve(table)
    table.say(CallSet(1, table.now_s + 5))
    assert table.events[-1].at_s == RefereeOptions().frame_s


@pytest.mark.parametrize("own", [1, 2])
def test_in_a_tie_the_cards_in_the_hand_of_the_other_make_a_set_with_ones_own(own: int) -> None:
    """S6: who is second picks up what is left of the SET; a wrong trio of the first holds the rest."""
    table = begun()
    twelve(table)
    trio = find_sets(table.director.state.table)[0]
    others = (place for place in range(12) if place not in trio)
    wrong = (*trio[own:], *(next(others) for _ in range(own)))
    table.say(CallSet(1))
    table.say(CallSet(2))
    take(table, wrong, player=None)
    table.say(Answer(1))
    take(table, trio[:own], player=None)
    table.wait(6)
    assert bare(table.events[-2:]) == bare([Take(1, wrong), Take(2, trio)])
    assert table.director.state.scores == (0, -1, 1)


def test_in_a_tie_too_few_cards_of_ones_own_are_an_error() -> None:
    """S6: with one card that makes no SET with two of the other caller nothing is shown in time."""
    table = begun()
    twelve(table)
    trio = find_sets(table.director.state.table)[0]
    table.say(CallSet(1))
    table.say(CallSet(2))
    take(table, trio, player=None)
    table.say(Answer(1))
    take(table, (next(place for place in range(12) if place not in trio),), player=None)
    table.wait(6)
    assert bare(table.events[-2:]) == bare([Take(1, trio), GiveUp(2)])
    assert table.director.state.scores == (0, 1, -1)


def _sets(seed: int) -> tuple[tuple[int, int, int], ...]:
    return find_sets(random.Random(seed).sample(SET_DECK, 12))


def test_undo_waits_until_the_table_is_laid_as_it_was() -> None:
    table = begun()
    twelve(table)
    trio = find_sets(table.director.state.table)[0]
    cards = [table.director.state.table[place] for place in trio]
    take(table, trio)
    table.say(Undo())
    table.wait(5)
    assert table.director.state.scores == (0, 0, 0)
    assert "as it was" in table.director.showing.told[0].text
    table.say(Undo())
    for place, card in zip(trio, cards, strict=True):
        table.lay(card, spot(place), sure=True)
    table.settle()
    table.wait(5)
    assert table.director.state.phase is Phase.OPEN
    assert len(table.director.history.events) == 1
    assert table.director.showing.differ == ""


def test_a_card_that_loses_its_name_for_a_moment_does_not_end_what_rests_after_an_undo() -> None:
    table = begun()
    twelve(table)
    trio = find_sets(table.director.state.table)[0]
    take(table, trio)
    table.say(Undo())
    track, seen = next(iter(table.lying.items()))
    for shown in (replace(seen, piece=None, confidence=0.5), seen):
        table.lying[track] = shown
        table.wait(1)
    assert table.director.is_resting
    table.take(track)
    table.hand()
    table.settle()
    assert not table.director.is_resting


def test_a_card_that_is_read_rightly_again_takes_the_place_of_what_people_said_lies_there() -> None:
    """A card is pushed aside and misread there; the game is right, and what is seen there is looked past; then it is taken in a SET."""
    table = begun()
    twelve(table)
    trio = find_sets(table.director.state.table)[0]
    moved = table.director.state.table[trio[0]]
    stray = next(card for card in SET_DECK if card not in table.director.state.table)
    table.take(table.track(moved))
    track = table.lay(stray, (1150.0, 600.0), sure=True)
    table.hand()
    table.settle()
    table.wait(1.5)
    table.say(GameIsRight())
    table.lying[track] = replace(table.lying[track], piece=moved)
    table.hand()
    table.settle()
    take(table, trio)
    assert table.director.state.scores == (0, 1, 0)


def test_nothing_follows_from_a_table_that_is_passing() -> None:
    """While the view moves, pieces have no tracks; what changed meanwhile counts when the table has settled."""
    table = begun()
    twelve(table)
    (first, gone), *others = table.lying.items()
    seen = tuple(replace(one, track=None) for _, one in others)
    passing = Settled(Table((1280, 720), seen), changes=(Taken(gone),), passing=True)
    assert table.director.see(passing, table.now_s + 0.1) == ()
    assert table.director.ruling is None
    table.take(first)
    table.settle()
    assert table.director.ruling is not None


class Ledger:
    """A log that may be full."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.is_full = False

    def append(self, event: Event) -> None:
        if self.is_full:
            raise OutputError("no room")
        self.events.append(event)

    def undo(self) -> None:
        self.events.pop()


@pytest.mark.parametrize(
    ("said", "told"), [(CallSet(1), "taken back: Bo says SET"), (NoSet(1), "taken back: Bo says: I see none")], ids=["call", "vote"]
)
def test_what_is_taken_back_before_it_could_be_kept_is_named(said: Said, told: str) -> None:
    ledger = Ledger()
    table = top(lambda correct: Director(History.begin(set_cards.GAME, None, NAMES), SetCardsReferee(), ledger, correct))
    twelve(table)
    ledger.is_full = True
    with pytest.raises(OutputError):
        table.say(said)
    table.say(Undo())
    ledger.is_full = False
    table.wait(1.0)
    assert at_table(table.director.showing.notice) == told
    assert [event.name for event in ledger.events] == ["deal"]


def test_events_are_kept_before_they_are_told_and_a_match_is_resumed() -> None:
    ledger = Ledger()
    table = top(lambda correct: Director(History.begin(set_cards.GAME, None, NAMES), SetCardsReferee(), ledger, correct))
    cards = twelve(table)
    take(table, find_sets(table.director.state.table)[0])
    assert bare(ledger.events) == bare(table.events)
    ledger.is_full = True
    new = [card for card in SET_DECK if card not in cards][:3]
    for number, card in enumerate(new):
        table.lay(card, spot(14 + number), sure=True)
    with pytest.raises(OutputError):
        table.settle()
    assert table.director.state.phase is Phase.DEAL
    again = top(lambda correct: Director(table.director.history, SetCardsReferee(), None, correct))
    again.lying, again._next_track = dict(table.lying), 900
    assert "goes on" in again.director.showing.told[0].text
    again.settle()
    assert isinstance(again.events[0], Deal)
    assert set(again.events[0].cards) == set(new)
    gone = again.director.state.table[0]
    third = top(lambda correct: Director(again.director.history, SetCardsReferee(), None, correct))
    third.lying, third._next_track = dict(again.lying), 900
    third.take(third.track(gone))
    third.settle()
    third.wait(1.5)
    assert "left the table" in at_table(third.director.showing.differ)


def test_a_match_that_goes_on_says_what_to_do_as_soon_as_the_table_lies_as_it_was() -> None:
    table = begun()
    cards = twelve(table)
    again = top(lambda correct: Director(table.director.history, SetCardsReferee(), None, correct))
    again.lying, again._next_track = dict(table.lying), 900
    again.take(again.track(cards[0]))
    again.settle()
    assert "goes on" in again.director.showing.told[0].text
    again.lay(cards[0], spot(0), sure=True)
    again.settle()
    assert "say SET" in again.director.showing.told[0].text


def test_votes_and_hints() -> None:
    """S8: if all agree and there is a SET, the dealer says only "look again"."""
    table = begun(hints=True, hint_costs=True)
    twelve(table)
    assert not table.director.showing.marks
    for player in (1, 2):
        table.say(NoSet(player))
    assert isinstance(table.events[-1], Agree)
    assert any(told.text == "look again" for told in table.director.showing.told)
    table.say(AskHint(1))
    assert table.director.state.scores == (0, -1, 0)


def test_a_referee_gives_nothing_away() -> None:
    table = begun()
    twelve(table)
    table.say(AskHint(1))
    assert "without hints" in str(table.director.showing.notice)
    assert not table.director.showing.marks


def test_what_the_rules_refuse_is_said_and_changes_nothing() -> None:
    table = begun()
    table.wait(0.25)
    table.say(CallSet(1))
    assert str(table.director.showing.notice) == f"{table.director.state.players[1]} said SET before all lay there: it does not count"
    table.say(Undo())
    table.say(TableIsRight())
    table.say(GameIsRight())
    table.say(Answer(1))
    table.next()
    assert table.events == []


def test_a_clock_that_goes_back_stands_still() -> None:
    table = begun()
    twelve(table)
    trio = find_sets(table.director.state.table)[0]
    table.say(CallSet(1))
    table.now_s -= 100
    take(table, trio, player=None)
    assert isinstance(table.events[-1], Take)
    assert table.director.state.scores == (0, 1, 0)
