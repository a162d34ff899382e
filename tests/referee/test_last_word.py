"""Undo takes back what was said last: an answer, a piece that was named, "the game is right"; and who is late answers nothing else."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.referee import test_english_sets
from tests.referee.tabletop import TableTop, bare, seeds
from tests.referee.test_cubed import opened
from tests.referee.test_cubed_doubts import look, read_as
from tests.referee.test_director import twelve
from tests.referee.test_dispute import pick
from tests.referee.test_pip_sets import begun as two_dice
from tests.referee.test_pip_sets import throw
from tests.referee.test_scramble import Evening as ScrambleEvening
from tests.referee.test_scramble import begun as scramble_begun
from tests.referee.test_set_cards import begun
from tests.referee.test_set_fairness import blind
from visionset.games.base import Event
from visionset.games.cubed.rules import Phase as CubedPhase
from visionset.games.english_sets import rules as english_sets
from visionset.games.pip_sets.rules import EndTurn
from visionset.games.set_cards.rules import Phase
from visionset.games.sets import find_sets
from visionset.games.virtual.chance import roll_faces
from visionset.games.virtual.runner import play_out
from visionset.messages import Message, at_table
from visionset.pieces import SET_DECK, PipDie, SetCard, SetDie
from visionset.referee.player_input import Answer, CallSet, Dispute, GameIsRight, Move, Next, TableIsRight, Undo
from visionset.referee.rulings import Exhibit, Option, Question
from visionset.table import Settled

WILD = SetDie.parse("wild")


def asked(table: TableTop) -> Question:
    question = table.director.showing.question
    assert question is not None
    return question


def taken() -> tuple[TableTop, list[SetCard], list[tuple[float, float]]]:
    """Ann has taken a SET: the cards that come next, and the places where they will lie."""
    table = begun(names=("Ann", "Bo"))
    twelve(table)
    table.wait(1)
    state = table.director.state
    trio = find_sets(state.table)[0]
    spots = [table.lying[table.track(state.table[place])].center_px for place in trio]
    pick(table, trio, 0)
    assert table.director.state.scores == (1, 0)
    cards = [card for card in SET_DECK if card not in state.table]
    return table, cards, [(float(x), float(y)) for x, y in spots]


def one_unread() -> tuple[TableTop, SetCard]:
    """Three cards are dealt after that, of which the first cannot be read."""
    table, cards, spots = taken()
    for card, spot in zip(cards, spots, strict=False):
        table.lay(card, spot, sure=card is not cards[0])
    table._shown = {track: one for track, one in table.lying.items() if track not in table.unread}
    table.now_s += 0.5
    table.events += table.director.see(Settled(table._table(), changes=table._changes()), table.now_s)
    table._shown = dict(table.lying)
    table.wait(2)
    return table, cards[0]


def test_undo_takes_back_a_slip_in_naming_a_card_and_asks_again() -> None:
    table, truth = one_unread()
    question, before = asked(table), len(table.director.history.events)
    wrong = next(number for number, option in enumerate(question.options, 1) if option.value != truth)
    table.say(Answer(wrong))
    assert table.director.state.phase is Phase.OPEN  # that was the last card of the deal
    table.say(Undo())
    assert len(table.director.history.events) == before
    table.wait(2)
    assert asked(table).id == question.id
    table.say(Answer(1 + [option.value for option in question.options].index(truth)))
    assert table.director.state.scores == (1, 0)
    assert truth in table.director.state.table
    table.say(Undo())
    table.say(Undo())
    assert table.director.state.scores == (0, 0)  # and then the SET before it


def test_a_deal_that_ends_later_with_the_named_card_is_taken_back_with_the_name() -> None:
    """Another card of it becomes sure by itself meanwhile: whoever has made a slip says Undo once, and is asked again."""
    table, cards, spots = taken()
    first, second, _ = [table.lay(card, spot, sure=card is cards[2]) for card, spot in zip(cards[:3], spots, strict=True)]
    table.now_s += 0.5
    table.director.see(Settled(table._table(), changes=table._changes()), table.now_s)
    table._shown = dict(table.lying)
    table.wait(2)
    question, before = asked(table), table.director.history.events
    table.say(Answer(1))
    assert table.director.history.events == before
    left = second if question.tracks == (first,) else first
    table.lying[left] = replace(table.lying[left], piece=table.unread.pop(left), confidence=0.99)
    table.wait(1)
    assert len(table.director.history.events) == len(before) + 1
    table.say(Undo())
    assert table.director.history.events == before
    table.wait(2)
    assert asked(table).id == question.id


def test_undo_takes_back_the_traits_of_a_card_that_is_being_spelled_out() -> None:
    table, _ = one_unread()
    first = asked(table).id
    table.say(Answer(0))
    table.say(Answer(1))
    assert asked(table).key[0] == "spell"
    table.say(Undo())
    assert table.director.state.scores == (1, 0)
    table.wait(1.5)
    assert asked(table).id == first


def test_a_call_after_a_half_spelled_card_is_what_undo_takes_back() -> None:
    table, _ = one_unread()
    table.say(Answer(0))
    table.say(Next())  # the rest is not spelled
    table.say(Undo())
    assert table.director.state.scores == (0, 0)


def test_undo_takes_back_that_the_game_is_right() -> None:
    table, cards, spots = taken()
    for card, spot in zip(cards, spots, strict=False):
        table.lay(card, spot)
    table.settle()
    table.wait(1)
    track = table.track(table.director.state.table[5])
    spot = table.lying[track].center_px
    table.take(track)
    table.lay(cards[5], (float(spot[0]), float(spot[1])))
    table.settle()
    table.wait(1.5)
    differ, before = at_table(table.director.showing.differ), len(table.director.history.events)
    assert differ
    table.say(GameIsRight())
    table.wait(1)
    assert not table.director.showing.differ
    table.say(Undo())
    table.wait(1.5)
    assert at_table(table.director.showing.differ) == differ
    assert len(table.director.history.events) == before


def laid_wild() -> tuple[TableTop, Any]:
    """Bo lays a WILD and a die beside Ann's row, and is asked what the WILD is."""
    table, evening = opened()
    evening.lay((7, 9), WILD, None)
    evening.lay((7, 10), WILD, None)
    evening.table.hand()
    evening.table.settle()
    table.wait(1.5)
    return table, evening


def test_undo_takes_back_what_was_said_of_a_wild() -> None:
    table, _ = laid_wild()
    first, points = asked(table), table.director.state.scores
    table.say(Answer(1))
    table.wait(0.5)
    assert asked(table).id != first.id
    table.say(Undo())
    table.wait(0.5)
    assert asked(table).id == first.id
    assert table.director.state.scores == points


def test_undo_takes_back_a_dispute_and_not_what_was_said_of_a_wild_before() -> None:
    table, _ = laid_wild()
    before = table.director.history.events
    table.say(Answer(1))
    table.say(Dispute())
    table.say(Answer(1))
    table.say(Answer(1))
    assert table.director.history.events[-1].name == "correct"
    table.say(Undo())
    assert table.director.history.events == before


def test_wilds_that_were_laid_are_asked_about_again_once_that_is_taken_back() -> None:
    table, _ = laid_wild()
    points = table.director.state.scores
    for _ in range(8):
        if table.director.showing.question is None:
            break
        table.say(Answer(1))
        table.wait(0.5)
    assert table.director.state.scores != points
    table.say(Undo())
    table.wait(1)
    table.next()
    table.wait(1.5)
    assert asked(table).key[0] == "wild"


def test_who_answers_a_question_that_another_has_answered_answers_none() -> None:
    table, _, _ = taken()
    table.wait(1)
    table.say(Dispute())
    first = asked(table)
    table.say(Answer(1, first.id))
    second = asked(table)
    assert second.id != first.id
    table.say(Answer(1, first.id))
    assert asked(table).id == second.id
    assert table.director.state.scores == (1, 0)
    table.say(Answer(1, second.id))
    assert table.director.showing.question is None
    table.say(Answer(1, second.id))  # nothing is asked any more, and nobody is told off


@pytest.mark.parametrize("side", [GameIsRight, TableIsRight])
def test_who_settles_a_difference_that_another_has_settled_settles_none(side: type[GameIsRight | TableIsRight]) -> None:
    table, cards, spots = taken()
    for card, spot in zip(cards, spots, strict=False):
        table.lay(card, spot)
    table.settle()
    table.wait(1)

    def differ_at(place: int) -> str:
        """Another card lies there: which difference that is."""
        track = table.track(table.director.state.table[place])
        x, y = table.lying[track].center_px
        table.take(track)
        table.lay(cards[5 + place], (float(x), float(y)))
        table.settle()
        table.wait(1.5)
        told = table.director.showing.differ_id
        assert told is not None
        return told

    first = differ_at(5)
    table.say(GameIsRight(first))
    second = differ_at(6)
    assert second != first
    events, told = len(table.director.history.events), table.director.showing.differ
    table.say(side(first))
    assert table.director.showing.differ == told != ""
    assert len(table.director.history.events) == events
    table.say(side(second))
    assert table.director.showing.differ == ""
    table.say(side(second))  # nothing differs any more, and nobody is told off
    assert table.director.showing.notice != Message("referee.refused.no_difference")


def test_cards_that_leave_after_a_call_that_was_taken_back_are_asked_about() -> None:
    table = begun(names=("Ann", "Bo"))
    twelve(table)
    table.wait(1)
    trio = find_sets(table.director.state.table)[0]
    table.say(CallSet(0))
    table.wait(7)
    assert table.director.state.scores == (-1, 0)
    table.say(Undo())
    assert table.director.state.scores == (0, 0)
    for place in trio:
        table.take(table.track(table.director.state.table[place]))
    table.settle()
    table.wait(1.5)
    assert at_table(asked(table).message).startswith("Who took")


def test_who_took_is_asked_again_once_the_answer_is_taken_back() -> None:
    table = begun()
    twelve(table)
    table.wait(1)
    trio = find_sets(table.director.state.table)[0]
    pick(table, trio, None)
    table.wait(1.5)
    first = asked(table)
    table.say(Answer(2))
    assert table.director.state.scores == (0, 0, 1)
    table.say(Undo())
    assert table.director.state.scores == (0, 0, 0)
    table.wait(1.5)
    assert asked(table).id == first.id
    table.say(Answer(1))
    assert table.director.state.scores == (0, 1, 0)


def test_a_question_stays_the_same_while_its_piece_is_read_a_little_otherwise() -> None:
    cards = [SetCard.parse(name) for name in ("1-red-solid-oval", "2-red-solid-oval", "3-red-solid-oval")]
    options = (Option(Message("referee.answer.more"), 1),)
    message, moved = Message("referee.ask.wild"), Message("referee.ask.thrown")

    def about(*key: object, said: Message = message, values: tuple[Option, ...] = options) -> str:
        return Question(key, said, values).id

    assert about("doubt", 0, Exhibit(cards[0], 0.91, cards[1], 4)) == about("doubt", 0, Exhibit(cards[0], 0.93, None, 4))
    assert about("doubt", 0, Exhibit(cards[0], 0.91)) != about("doubt", 0, Exhibit(cards[1], 0.91))
    assert about("whose", frozenset(cards)) == about("whose", frozenset(cards[::-1])) != about("whose", frozenset(cards[:2]))
    assert about("piece", 3) == about("piece", 3, said=moved) != about("piece", 4)
    assert about("piece", 3) != about("piece", 3, values=(*options, Option(cards[0], cards[0])))  # its numbers mean something else


def test_undo_brings_back_no_name_of_a_die_that_was_thrown_since() -> None:
    table = two_dice(names=("Ann",))
    spots = [(300.0, 300.0), (800.0, 300.0)]
    dice = [table.lay(PipDie(value), spot, sure=False) for value, spot in zip((2, 5), spots, strict=True)]
    table.hand()
    table.settle()
    table.wait(1)
    assert table.director.state.roll == (2, 5)  # both were named
    table.say(Move(EndTurn(0)))
    for die, value, (x, _) in zip(dice, (6, 3), spots, strict=True):
        table.roll(die, PipDie(value), (x + 100, 400.0))
    table.hand()
    table.settle()
    table.wait(1)
    assert table.director.state.roll == (6, 3)
    for _ in range(3):
        table.say(Undo())
        table.wait(0.5)
    assert table.director.state.roll is None
    table.next()
    table.wait(1)
    assert table.director.state.roll == (6, 3)


def test_undo_of_a_word_after_that_of_an_event_leaves_the_event_taken_back() -> None:
    table, cards, spots = taken()
    for card, spot in zip(cards, spots, strict=False):
        table.lay(card, spot)
    stray = table.lay(cards[5], (1150.0, 650.0))
    table.settle()
    table.wait(1.5)
    assert table.director.showing.differ
    table.say(GameIsRight())
    assert stray in table.lying
    pick(table, find_sets(table.director.state.table)[0], 1)
    points = table.director.state.scores
    counts = []
    while table.director.history.events:
        table.say(Undo())
        table.wait(1)
        counts.append(len(table.director.history.events))
        assert len(counts) < 20
    assert points == (1, 1)
    assert counts == sorted(counts, reverse=True)


def test_undo_takes_back_what_was_said_of_a_wild_and_not_what_a_die_was_called_before() -> None:
    table, evening = opened()
    evening.lay((7, 9), WILD, None)
    unread = table.lay(WILD, evening.spot((7, 10)), sure=False)
    table.hand()
    table.now_s += 0.5
    table.director.see(Settled(table._table(), changes=table._changes()), table.now_s)
    table._shown = dict(table.lying)
    table.wait(2)
    while asked(table).key[0] != "wild":
        table.answer(asked(table))
        table.wait(0.5)
    first = asked(table)
    table.say(Answer(1))
    table.wait(0.5)
    table.say(Undo())
    table.wait(1.5)
    assert asked(table).id == first.id
    assert unread in table.lying


def test_next_is_heard_while_the_time_of_the_match_stands() -> None:
    table, _ = one_unread()
    blind(table, 2.0)
    table.say(Next())
    told = table.director.now_s
    assert "next once more" in at_table(table.director.showing.notice)
    blind(table, 5.0)
    assert table.director.now_s == told
    table.say(Next())
    assert "next once more" not in at_table(table.director.showing.notice)


def test_a_card_that_was_half_spelled_and_then_read_is_nothing_to_take_back() -> None:
    table, truth = one_unread()
    table.say(Answer(0))
    table.say(Answer(1))
    (track,) = table.unread
    table.lying[track] = replace(table.lying[track], piece=truth, confidence=0.99)
    table.unread.pop(track)
    table._shown = dict(table.lying)
    table.wait(2)
    before = len(table.director.history.events)
    assert table.director.state.phase is Phase.OPEN
    table.say(Undo())
    assert len(table.director.history.events) == before - 1


@pytest.mark.parametrize("answer", [1, 2])
def test_undo_of_what_a_die_shows_asks_it_again_whatever_came_of_it(answer: int) -> None:
    """One answer takes back what was laid, the other leaves it; both are a word."""
    table, evening = opened()
    evening.lay((7, 9), SetDie.parse("1-red-oval"), None)
    evening.settle()
    read_as(table, evening.tracks[7, 9], "1-red-diamond", 0.97)
    look(table)
    first, points = asked(table), table.director.state.points
    table.say(Answer(answer))
    table.say(Undo())
    table.wait(2)
    assert asked(table).tracks == first.tracks
    assert table.director.state.points[0] == points[0]  # Ann's opening stands


@pytest.mark.parametrize("seed", seeds(3, 30))
def test_a_slip_that_is_taken_back_leaves_a_game_as_if_nobody_had_made_it(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """English Sets: many cards are unread, now and then one is named wrongly, which is taken back, and then rightly."""
    rng, answer, slips = random.Random(seed), TableTop.answer, 0

    def slip_first(table: TableTop, question: Question) -> list[Event]:
        nonlocal slips
        if rng.random() < 0.4:
            slips += 1
            events, before = list(table.events), len(table.director.history.events)
            table.say(Answer(rng.randint(0, len(question.options))))
            table.wait(0.25)
            said = len(table.director.history.events)
            table.say(Undo())
            assert len(table.director.history.events) <= said
            while table.director.showing.question is None:
                table.wait(0.5)
            question = asked(table)
            assert before == len(table.director.history.events)
            table.events = events
        return answer(table, question)

    monkeypatch.setattr(TableTop, "answer", slip_first)
    table = test_english_sets.begun(seed, unsure=0.4)
    evening, truth = test_english_sets.Evening(table, lazy=0.5, left_lying=0.5), list[Event]()
    for event, state in play_out(english_sets.GAME, random.Random(seed), None, test_english_sets.NAMES):
        truth.append(event)
        evening.do(event, state)
        assert bare(table.director.history.events) == bare(truth)
        if len(truth) > 120:
            break
    assert slips > 3


def test_what_one_word_settled_is_taken_back_by_one_word_after_a_resume_too() -> None:
    """The turns that it ended and the roll; those that were ended one by one before are taken back one by one."""
    table = two_dice(names=("Ann", "Bo", "Cy"))
    throw(table, (2, 5))
    table.wait(1)
    table.say(Move(EndTurn(0)))
    before = table.director.history.events
    table.wait(1)
    throw(table, (6, 6))
    table.wait(1.5)
    table.say(TableIsRight())
    assert len(table.director.history.events) == len(before) + 3
    table.resume()
    table.settle()
    table.say(Undo())
    assert table.director.history.events == before
    table.say(Undo())
    assert table.director.history.events == before[:-1]


def test_the_rolls_that_one_next_ends_are_taken_back_by_one_undo() -> None:
    """D10: nobody wants to roll once more."""
    table, _ = opened()
    table.wait(3)
    table.next()
    table.wait(1)
    assert table.director.state.phase is CubedPhase.EXTRA
    before = table.director.history.events
    table.wait(3)
    table.next()
    assert table.director.state.phase is CubedPhase.TURN
    table.say(Undo())
    assert table.director.history.events == before


def test_of_two_clicks_at_one_moment_one_is_taken_back_after_a_resume_too() -> None:
    table = two_dice(names=("Ann", "Bo", "Cy"))
    throw(table, (2, 5))
    for player in (0, 1):
        table.say(Move(EndTurn(player)))
    table.resume()
    table.settle()
    for _ in range(2):
        before = table.director.history.events
        table.say(Undo())
        assert table.director.history.events == before[:-1]


def test_after_undo_of_the_wrong_ones_call_it_is_asked_at_once_who_took_the_cards() -> None:
    """S4: Bo took them and says so; before, that was refused, and nobody was asked until somebody said next."""
    table, _, _ = taken()
    table.say(Undo())
    table.say(CallSet(1))
    assert asked(table).key[0] == "whose"
    table.say(Answer(2))
    assert table.director.state.scores == (0, 1)


def test_after_undo_of_the_wrong_ones_call_it_is_asked_at_once_who_took_the_dice() -> None:
    """D13, as with cards."""
    table = scramble_begun()
    evening = ScrambleEvening(table, 5, noise=False)
    evening.roll(roll_faces(42, random.Random(5)))
    table.say(CallSet(0))
    for place in find_sets(table.director.state.table)[0]:
        table.take(evening.order[place])
    table.hand()
    table.settle()
    assert table.director.state.scores == (1, 0, 0)
    table.say(Undo())
    table.say(CallSet(1))
    assert asked(table).key[0] == "whose"
    table.say(Answer(2))
    assert table.director.state.scores == (0, 1, 0)
