"""A piece that was read wrongly: asked about before it costs a point, disputed until the round ends (rules S5, S11)."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tests.referee.tabletop import TableTop, top
from tests.referee.test_set_cards import begun, spot
from tests.referee.test_set_takes import lift, put_back, settle
from tests.referee.test_solitaire import begun as alone
from visionset.errors import RuleError
from visionset.games.base import Amend
from visionset.games.correction import Correct
from visionset.games.english_sets import rules as english_sets
from visionset.games.game import History
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.pip_sets.referee import PipSetsReferee
from visionset.games.pip_sets.rules import EndTurn
from visionset.games.scramble import rules as scramble
from visionset.games.scramble.referee import ScrambleReferee
from visionset.games.set_cards import rules as set_cards
from visionset.games.set_cards.rules import Phase
from visionset.games.sets import find_sets, third
from visionset.games.solitaire import rules as solitaire
from visionset.games.solitaire.referee import SolitaireReferee
from visionset.games.telling import event_words
from visionset.games.virtual.runner import play_out
from visionset.messages import at_table, in_words
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, PipDie, SetCard
from visionset.referee.director import Director
from visionset.referee.dispute import Hearing
from visionset.referee.player_input import Answer, CallSet, Dispute, GameIsRight, Move, NoSet, TableIsRight, Undo
from visionset.referee.rulings import Exhibit
from visionset.referee.shown import Tone
from visionset.table import Guess


def other_shading(card: SetCard) -> SetCard:
    return next(one for one in SET_DECK if one != card and replace(one, shading=card.shading) == card)


def layout(table: TableTop, confidence: float, seed: int = 3) -> tuple[tuple[int, int, int], SetCard, SetCard, tuple[SetCard, ...]]:
    """Twelve cards of which one of a SET is read as another: the places of the SET, what the card is, what it is read as, all others."""
    rng = random.Random(seed)
    while True:
        cards = list(rng.sample(SET_DECK, 12))
        sets = find_sets(cards)
        if not sets:
            continue
        trio = sets[0]
        truth = cards[trio[0]]
        wrong = other_shading(truth)
        if wrong not in cards:
            break
    for place, card in enumerate(cards):
        track = table.lay(card, spot(place), sure=True)
        if card == truth:
            one = table.lying[track]
            table.lying[track] = replace(one, piece=wrong, confidence=confidence, guess=Guess(wrong, confidence, truth, 1 - confidence))
    table.settle()
    return trio, truth, wrong, tuple(cards)


def pick(table: TableTop, places: tuple[int, ...], player: int | None = 1) -> None:
    if player is not None:
        table.say(CallSet(player))
    for place in places:
        table.take(table.track(table.director.state.table[place]))
    table.hand()
    table.settle()


def choose(table: TableTop, text: str) -> list[Any]:
    question = table.director.showing.question
    assert question is not None, table.director.showing
    number = next(number for number, option in enumerate(question.options, 1) if option.text.startswith(text))
    return table.say(Answer(number))


def disputed() -> tuple[TableTop, SetCard, SetCard]:
    """A SET that was refused on a misread card and given back: the table, what the card is, what it was read as."""
    table = begun()
    trio, truth, wrong, _ = layout(table, 0.97)
    pick(table, trio)
    table.say(Dispute())
    choose(table, at_table(wrong))
    choose(table, at_table(truth))
    assert table.director.state.scores == (0, 1, 0)
    return table, truth, wrong


def test_a_right_set_is_not_refused_on_a_card_that_was_read_with_some_doubt() -> None:
    """S5: the card is asked about first, and the answer is what counts."""
    table = begun()
    trio, truth, wrong, _ = layout(table, 0.94)
    pick(table, trio)
    showing = table.director.showing
    assert showing.question is not None
    assert showing.exhibits[0].piece == wrong
    assert showing.exhibits[0].runner_up == truth
    assert table.director.state.scores == (0, 0, 0)
    table.wait(10.0)
    choose(table, at_table(truth))
    state = table.director.state
    assert state.scores == (0, 1, 0)
    assert truth in state.kept[1]
    assert wrong not in state.seen
    assert table.director.excluded >= {truth}


def test_a_card_that_is_what_it_was_read_as_is_asked_about_once_and_then_judged() -> None:
    table = begun()
    trio, _, wrong, _ = layout(table, 0.94)
    pick(table, trio)
    choose(table, at_table(wrong))
    assert table.director.state.scores == (0, -1, 0)
    assert "put back" in table.director.showing.told[0].text


def test_a_card_that_was_surely_read_is_not_asked_about() -> None:
    table = begun()
    trio, *_ = layout(table, 0.97)
    pick(table, trio)
    assert table.director.showing.question is None
    assert table.director.state.scores == (0, -1, 0)


@pytest.mark.parametrize("is_back", [False, True])
def test_a_misread_card_is_disputed_and_the_take_is_judged_again(is_back: bool) -> None:
    """The rightful caller gets the SET, whether the cards are still in the hand or lie there again."""
    table = begun()
    trio, truth, wrong, cards = layout(table, 0.97)
    pick(table, trio)
    assert table.director.state.scores == (0, -1, 0)
    if is_back:
        for place in trio:
            table.lay(cards[place] if cards[place] != truth else wrong, spot(place), sure=True)
        table.settle()
    table.say(Dispute())
    showing = table.director.showing
    assert {one.piece for one in showing.exhibits} >= {wrong}
    assert next(one for one in showing.exhibits if one.piece == wrong).runner_up == truth
    choose(table, at_table(wrong))
    assert table.director.showing.question is not None
    assert table.director.showing.question.options[0].text == at_table(truth)
    choose(table, at_table(truth))
    state = table.director.state
    assert isinstance(table.events[-1], Correct)
    assert state.scores == (0, 1, 0)
    assert wrong not in state.seen
    assert state.pack_left == 69
    assert state.phase is Phase.DEAL
    if is_back:
        assert "which were won" in table.director.showing.told[0].text
        for place in trio:
            table.take(table.track(wrong if cards[place] == truth else cards[place]))
        table.settle()
    deal(table, 3)
    assert state.scores == (0, 1, 0)
    assert table.director.state.phase is Phase.OPEN
    table.wait(3.0)
    assert not table.director.showing.differ


def test_what_a_card_was_taken_for_may_come_in_the_next_round() -> None:
    table, truth, wrong = disputed()
    fresh = set_cards.GAME.start(None, table.director.state.players)
    table.say(Move(Amend.of("the next round", table=fresh.table, kept=fresh.kept, heap=fresh.heap, phase=fresh.phase)))
    for track in list(table.lying):
        table.take(track)
    table.hand()
    table.settle()
    cards = (wrong, *[card for card in SET_DECK if card not in (wrong, truth)][:11])
    for place, card in enumerate(cards):
        table.lay(card, spot(place), sure=True)
    table.hand()
    table.settle()
    assert set(table.director.state.table) == set(cards)
    table.resume()
    table.settle()
    table.wait(5.0)
    assert set(table.director.state.table) == set(cards)
    assert not table.director.showing.differ


def deal(table: TableTop, count: int, seed: int = 9) -> None:
    state = table.director.state
    new = random.Random(seed).sample([card for card in SET_DECK if card not in state.seen], count)
    empty = [place for place, card in enumerate(state.table) if card is None]
    for card, place in zip(new, empty, strict=True):
        table.lay(card, spot(place), sure=True)
    table.settle()


def test_a_dispute_is_undone_like_any_event() -> None:
    table, _, wrong = disputed()
    table.say(Undo())
    assert table.director.state.scores == (0, -1, 0)
    assert wrong in table.director.state.seen


def test_a_dispute_that_is_closed_changes_nothing() -> None:
    table = begun()
    trio, *_ = layout(table, 0.97)
    pick(table, trio)
    before = table.director.history
    table.say(Dispute())
    table.say(CallSet(2))
    assert "a dispute is open" in str(table.director.showing.notice)
    table.say(Answer(0))
    assert table.director.history == before
    table.say(Dispute())
    table.wait(130.0)
    assert table.director.history == before
    assert table.director.showing.question is None


def test_who_goes_by_the_right_piece_meets_it_again() -> None:
    table = begun()
    trio, truth, wrong, _ = layout(table, 0.97)
    pick(table, trio)
    table.say(Dispute())
    choose(table, at_table(wrong))
    pages = [table.director.showing.question]
    while not pages[1:] or pages[-1] != pages[0]:
        choose(table, "something else")
        pages.append(table.director.showing.question)
        assert len(pages) < 20
    told = [option.text for page in pages[:-1] for option in page.options if option.text != "something else"]
    assert len(told) == len(set(told))
    assert at_table(truth) in told
    choose(table, at_table(truth))
    assert table.director.showing.question is None


def test_nothing_can_be_disputed_before_anything_was_dealt() -> None:
    table = begun()
    table.say(Dispute())
    assert "nothing to dispute" in str(table.director.showing.notice)


@pytest.mark.parametrize("is_second", [False, True])
def test_a_card_that_is_put_back_has_its_place_marked_under_its_other_name(is_second: bool) -> None:
    """S5: three cards were a SET as they were read, and one of them is another card, which may have lain elsewhere in the round before."""
    table = begun()
    if is_second:
        for place, card in enumerate(SET_DECK[::-1][:12]):
            table.lay(card, (spot(place)[0] + 50, spot(place)[1] + 300), sure=True)
        table.settle()
        fresh = set_cards.GAME.start(None, table.director.state.players)
        table.say(Move(Amend.of("the next round", table=fresh.table, phase=fresh.phase)))
        for track in list(table.lying):
            table.take(track)
        table.hand()
        table.settle()
    cards, trio = SET_DECK[:12], (0, 1, 2)
    for place, card in enumerate(cards):
        table.lay(card, spot(place), sure=True)
    table.settle()
    assert table.director.state.table == cards
    pick(table, trio)
    table.say(Dispute())
    choose(table, at_table(cards[0]))
    name_it(table, SET_DECK[-1])
    assert table.director.state.scores == (0, -1, 0)
    assert "put back" in table.director.showing.told[0].text
    marked = [mark.outline_px.mean(axis=0) for mark in table.director.showing.marks if mark.tone is Tone.TODO]
    assert {tuple(map(round, one)) for one in marked} == {tuple(map(round, spot(place))) for place in trio}


def test_only_the_points_are_mended_where_later_events_contradict_the_dispute() -> None:
    """The game went on after the cards were put back: another SET was taken and refilled."""
    table = begun()
    trio, truth, wrong, cards = layout(table, 0.97, seed=5)
    pick(table, trio)
    for place in trio:
        table.lay(cards[place] if cards[place] != truth else wrong, spot(place), sure=True)
    table.settle()
    other = next((one for one in find_sets(table.director.state.table)), None)
    if other is None:
        pytest.skip("this layout has no other SET")
    pick(table, other, player=2)
    assert table.director.state.scores == (0, -1, 1)
    deal(table, 3)
    table.say(Dispute())
    choose(table, "an earlier one")
    choose(table, at_table(wrong))
    choose(table, at_table(truth))
    assert table.director.state.scores == (0, 1, 1)
    assert "only the points are mended" in str(table.director.showing.notice)
    assert "what came later (Cy says SET)" in str(table.director.showing.notice)
    table.wait(3.0)
    assert not table.director.showing.differ
    assert History.from_json(set_cards.GAME, table.director.history.to_json()).state == table.director.state
    history = table.director.history
    assert str(event_words(history.standing[-1], history.state)) == "points follow a corrected reading"
    table.say(Undo())
    assert "taken back: points follow a corrected reading" in str(table.director.showing.notice)


def test_a_set_that_was_none_is_disputed_before_and_after_the_refill() -> None:
    """The other way round: a misread card made a SET of three that are none."""
    for refilled in (False, True):
        table = begun()
        rng = random.Random(11)
        cards = list(rng.sample(SET_DECK, 12))
        right = third(cards[0], cards[1])
        if right in cards:
            cards[cards.index(right)] = cards[11]
        truth = next(one for one in SET_DECK if one not in cards and replace(one, shading=right.shading) == right and one != right)
        cards = [cards[0], cards[1], truth, *[one for one in cards[2:] if one != right]][:12]
        for place, card in enumerate(cards):
            read = right if card == truth else card
            track = table.lay(card, spot(place), sure=True)
            table.lying[track] = replace(table.lying[track], piece=read, guess=Guess(read, 0.99, truth, 0.005))
        table.settle()
        pick(table, (0, 1, 2))
        assert table.director.state.scores == (0, 1, 0)
        if refilled:
            deal(table, 3)
        table.say(Dispute())
        choose(table, at_table(right))
        choose(table, at_table(truth))
        assert table.director.state.scores == (0, -1, 0)
        if not refilled:
            assert "put back" in table.director.showing.told[0].text
            assert table.director.state.table[2] == truth
        table.say(Dispute())  # a second card of the same take: it is wrong already, and costs no more
        choose(table, at_table(cards[1]))
        choose(table, table.director.showing.question.options[0].text)
        assert table.director.state.scores == (0, -1, 0)
        if refilled:
            table.say(Undo())
            table.say(Dispute())  # people were wrong: it was what it had been read as
            choose(table, at_table(truth))
            assert table.director.showing.question.options[0].text == at_table(right)
            choose(table, at_table(right))
            assert table.director.state.scores == (0, 1, 0)


def test_undo_of_a_take_undoes_its_call_too() -> None:
    """Laying the cards back as asked costs nothing."""
    table = begun()
    cards = tuple(random.Random(3).sample(SET_DECK, 12))
    for place, card in enumerate(cards):
        table.lay(card, spot(place), sure=True)
    table.settle()
    trio = find_sets(cards)[0]
    pick(table, trio)
    assert table.director.state.scores == (0, 1, 0)
    table.say(Undo())
    assert table.director.state.phase is Phase.OPEN
    for place in trio:
        table.lay(cards[place], spot(place), sure=True)
    table.settle()
    table.wait(20.0)
    assert table.director.state.scores == (0, 0, 0)
    assert table.director.state.phase is Phase.OPEN


def test_solitaire_is_disputed_too() -> None:
    history = History.begin(solitaire.GAME, None, ("Ann",))
    table = top(lambda correct: Director(history, SolitaireReferee(), correct=correct))
    trio, truth, wrong, _ = layout(table, 0.97)
    pick(table, trio, player=None)
    assert table.director.state.wrong == 1
    table.say(Dispute())
    choose(table, at_table(wrong))
    choose(table, at_table(truth))
    assert table.director.state.wrong == 0
    assert table.director.state.scores == (1,)
    deal(table, 3)
    assert not table.director.showing.differ


def test_scramble_is_disputed_too() -> None:
    """D13: a die of a SET was misread; the SET is its caller's after all, and a die that shows what it was read as stays what it is."""
    history = History.begin(scramble.GAME, None, ("Ann", "Bo"))
    table = top(lambda correct: Director(history, ScrambleReferee(), correct=correct))
    rng = random.Random(4)
    faces = [rng.choice([face for face in SET_DIE_FACES if not face.is_wild]) for _ in range(42)]
    trio = find_sets(faces)[0]
    truth = faces[trio[0]]
    wrong = next(face for face in SET_DIE_FACES if replace(face, color=truth.color) == truth and face != truth)
    tracks = []
    for number, face in enumerate(faces):
        track = table.lay(face, (60.0 + number % 14 * 80, 100.0 + number // 14 * 80), sure=True)
        tracks.append(track)
        if number == trio[0]:
            table.lying[track] = replace(table.lying[track], piece=wrong, guess=Guess(wrong, 0.97, truth, 0.02))
    table.settle()
    table.say(CallSet(0))
    for place in trio:
        table.take(tracks[place])
    table.hand()
    table.settle()
    assert table.director.state.scores == (0, 0)
    lying = [one.piece for one in table.lying.values()]
    assert wrong in lying
    table.say(Dispute())
    choose(table, at_table(wrong))
    choose(table, at_table(truth))
    assert table.director.state.scores == (1, 0)
    assert len(table.director.state.table) == 39
    assert [one.piece for one in table.lying.values()] == lying
    table.wait(3.0)
    assert not table.director.showing.differ


def test_a_roll_of_two_dice_is_disputed_too() -> None:
    """P2: what was written and circled since follows."""
    history = History.begin(pip_sets.GAME, None, ("Ann", "Bo"))
    table = top(lambda correct: Director(history, PipSetsReferee(), correct=correct))
    table.lay(PipDie(6), (300.0, 300.0), sure=True)
    track = table.lay(PipDie(6), (800.0, 300.0), sure=True)
    table.settle()
    truth = table.director.state.scores
    table.say(Dispute())
    choose(table, at_table(PipDie(6)))
    choose(table, at_table(PipDie(5)))
    assert sorted(table.director.state.roll or ()) == [5, 6]
    assert table.director.state.scores != truth
    assert track in table.lying
    table.wait(3.0)
    assert not table.director.showing.differ
    assert len(table.events) == 2


@pytest.mark.parametrize("other", [2, 3])
def test_a_roll_that_was_disputed_lies_there_as_people_say(other: int) -> None:
    """The sheets have numbers too, and none of them is a die: after a click that is taken back the table is as it was."""
    history = History.begin(pip_sets.GAME, None, ("Ann",))
    table = top(lambda correct: Director(history, PipSetsReferee(), correct=correct))
    table.lay(PipDie(other), (300.0, 300.0), sure=True)
    table.lay(PipDie(2), (800.0, 300.0), sure=True)
    table.settle()
    table.say(Dispute())
    table.say(Answer(2))
    choose(table, at_table(PipDie(5)))
    assert table.director.state.roll == (other, 5)
    table.say(Move(EndTurn(0)))
    table.say(Undo())
    assert at_table(table.director.showing.notice) == "taken back: Ann ends the turn"
    table.wait(3.0)
    assert not table.director.showing.differ


@pytest.mark.parametrize("is_right", [False, True])
def test_a_die_of_an_earlier_roll_is_called_otherwise_and_not_what_it_shows_now(is_right: bool) -> None:
    history = History.begin(pip_sets.GAME, None, ("Ann",))
    table = top(lambda correct: Director(history, PipSetsReferee(), correct=correct))
    dice = [table.lay(PipDie(value), (300.0 + 200 * value, 300.0), sure=True) for value in (2, 5)]
    table.settle()
    table.say(Move(EndTurn(0)))
    for track, value in zip(dice, (6, 4), strict=True):
        table.roll(track, PipDie(value), (200.0 * value, 500.0))
    table.settle()
    table.say(Dispute())
    table.say(Answer(3))  # an earlier one
    assert [mark for mark in table.director.showing.marks if mark.tone is Tone.ASKED] == []  # its dice lie there no more
    choose(table, at_table(PipDie(5)))
    choose(table, at_table(PipDie(3)))
    assert isinstance(table.director.history.events[-1], Correct)
    if not is_right:
        table.say(Undo())
    assert [table.lying[track].piece for track in dice] == [PipDie(6), PipDie(4)]
    assert sorted(table.director.state.roll or ()) == [4, 6]
    assert not table.director.showing.differ


def test_a_die_that_fell_from_the_table_is_none_of_the_roll_that_is_disputed() -> None:
    """It showed a 2, and so does the die that was thrown for it, which is called otherwise."""
    history = History.begin(pip_sets.GAME, None, ("Ann",))
    table = top(lambda correct: Director(history, PipSetsReferee(), correct=correct))
    fallen = table.lay(PipDie(2), (800.0, 300.0), sure=True)
    table.settle()
    table.take(fallen)
    table.settle()
    table.lay(PipDie(5), (300.0, 300.0), sure=True)
    track = table.lay(PipDie(2), (800.0, 500.0), sure=True)
    table.settle()
    table.say(Dispute())
    assert track in table.director.showing.question.tracks
    choose(table, at_table(PipDie(2)))
    choose(table, at_table(PipDie(3)))
    assert table.lying[track].piece == PipDie(3)


def test_a_drawn_card_is_disputed_too() -> None:
    """E2: the starter was another one, so nothing of what it did holds."""
    history = History.begin(english_sets.GAME, None, ("Ann", "Bo"))
    events = list(play_out(english_sets.GAME, random.Random(3), None, ("Ann", "Bo")))
    number = max(number for number, (event, _) in enumerate(events[:30]) if isinstance(event, english_sets.Starter))
    for event, _ in events[: number + 1]:
        history = history.then(event)
    starter = history.standing[number]
    other = next(card for card in PACK if str(card) not in str(history.to_json()))
    correct = history.correction(number, 0, other)
    again = history.then(correct)
    assert again.standing[number] == english_sets.Starter(other, at_s=starter.at_s)
    assert again.then(again.correction(number, 0, starter.card)).standing == history.standing


def test_nobody_is_asked_what_a_card_is_that_can_be_nothing_else() -> None:
    """S1: all 81 cards are known, so that there is no answer."""
    history = History.begin(set_cards.GAME, None, ("Ann", "Bo"))
    for event, after in play_out(set_cards.GAME, random.Random(1), None, history.players):
        history = history.then(event)
        if not after.pack_left and after.phase is Phase.OPEN and isinstance(history.standing[-1], set_cards.Take):
            break
    hearing = Hearing(history, lambda number, pieces: tuple(map(Exhibit, pieces)), 0.0)
    asked = hearing.question
    with pytest.raises(RuleError, match="can be nothing else"):
        hearing.answered(1, 1.0)
    assert hearing.question is asked


def test_once_a_round_is_over_its_cards_are_known_to_a_dispute_as_before() -> None:
    """S1: the next round knows nothing of them, and people were offered cards that lay elsewhere."""
    history = History.begin(set_cards.GAME, None, ("Ann", "Bo"))
    for event, after in play_out(set_cards.GAME, random.Random(1), None, history.players):
        history = history.then(event)
        if after.finished:
            break
    assert not history.state.seen
    last = history.standing[-1]
    assert isinstance(last, set_cards.Take)
    other = history.before[1].table[0]
    hearing = Hearing(history, lambda number, pieces: tuple(Exhibit(piece, 0.9, other) for piece in pieces), 0.0)
    hearing.answered(1, 1.0)
    assert [option.value for option in hearing.question.options] == [other]
    with pytest.raises(RuleError, match=f"got {in_words(other)}; it is known to be elsewhere"):
        hearing.answered(1, 2.0)


def one_misread(has_set: bool, make: Callable[[], TableTop] = begun) -> tuple[TableTop, SetCard, SetCard]:
    """Twelve cards of which one is surely read as another for good, so that there is a SET that is none, or none though there is one.

    The table, what the card is, what it is read as.
    """
    rng = random.Random(1)
    while True:
        cards = rng.sample(SET_DECK, 12)
        read = (other_shading(cards[0]), *cards[1:])
        if read[0] not in cards and bool(find_sets(cards)) is has_set and bool(find_sets(read)) is not has_set:
            break
    table = make()
    for place, card in enumerate(read):
        table.lay(card, spot(place), sure=True)
    table.settle()
    return table, cards[0], read[0]


def dispute_lying(table: TableTop, read: SetCard, truth: SetCard) -> None:
    table.say(Dispute())
    for wanted in (read, truth):
        name_it(table, wanted)


def name_it(table: TableTop, wanted: SetCard) -> None:
    """Say the card, on whichever of the pages of answers it stands."""
    for _ in SET_DECK:
        question = table.director.showing.question
        if question is None or any(option.text.startswith(at_table(wanted)) for option in question.options):
            break
        table.say(Answer(len(question.options)))
    choose(table, at_table(wanted))


@pytest.mark.parametrize("goes_on", ["", "vote", "call"])
def test_look_again_ends_when_the_misread_card_that_lies_there_is_disputed(goes_on: str) -> None:
    """S8: whoever sees no SET need not lay three cards by force; what came of it meanwhile stands."""
    table, truth, read = one_misread(has_set=False)

    def vote() -> None:
        for player in (1, 2):
            table.say(NoSet(player))

    vote()
    told = [one.text for one in table.director.showing.told]
    assert told == ["look again", "if there is none, dispute the card that was read wrongly"]
    if goes_on == "vote":
        vote()
    elif goes_on == "call":
        table.say(CallSet(1))
        table.wait(10)
    points = table.director.state.scores
    dispute_lying(table, read, truth)
    state = table.director.state
    assert (truth in state.table, read in state.table, state.scores) == (True, False, points)
    table.wait(2)
    if goes_on:
        vote()
    assert table.director.state.phase is Phase.DEAL
    assert len(table.director.state.table) == 15
    assert table.director.showing.differ == ""
    for place, card in enumerate([card for card in SET_DECK if card not in state.seen][:3], 12):
        table.lay(card, spot(place), sure=True)
    table.settle()
    table.wait(2)
    assert table.director.state.phase is Phase.OPEN
    assert [one.text for one in table.director.showing.told if "dispute" in one.text] == []


def test_a_misread_card_that_hides_the_only_set_is_disputed_before_the_vote() -> None:
    table, truth, read = one_misread(has_set=True)
    table.say(Dispute())
    question = table.director.showing.question
    assert question is not None
    assert question.text == "Which card was read wrongly?"
    name_it(table, read)
    name_it(table, truth)
    for player in (1, 2):
        table.say(NoSet(player))
    assert table.director.state.look_again
    pick(table, find_sets(table.director.state.table)[0])
    assert table.director.state.scores == (0, 1, 0)


def test_a_misread_card_is_disputed_in_solitaire_and_where_all_have_agreed_how_the_table_lies() -> None:
    table, truth, read = one_misread(has_set=False, make=alone)
    table.lay(next(card for card in SET_DECK if card not in (*table.director.state.seen, truth)), spot(12), sure=True)
    table.settle()
    table.wait(2)
    table.say(TableIsRight())
    assert isinstance(table.events[-1], Amend)
    dispute_lying(table, read, truth)
    assert truth in table.director.state.table
    assert read not in table.director.state.table


def test_only_cards_that_are_seen_to_lie_there_since_they_were_dealt_are_disputed() -> None:
    table, *_ = one_misread(has_set=True)
    hidden, moved = list(table.lying)[:2]
    table.take(hidden)
    table.hand()
    table.settle()
    table.wait(3)
    table.say(GameIsRight())
    table.move(moved, (1100.0, 600.0))
    table.lay(next(card for card in SET_DECK if card not in table.director.state.seen), (1000.0, 600.0), sure=True)
    table.settle()
    director = table.director
    lying = director.referee.disputable(director.history, director._game.table)
    assert {one.exhibit.track for one in lying} == set(list(table.lying)[:11])


def test_a_card_is_not_said_to_be_one_that_lies_beside_it() -> None:
    """S1: what the camera thought of second lies there itself, and whoever chose it was told of a rule about dealing."""
    table = begun()
    cards = [card for card in SET_DECK if card.shape is SET_DECK[0].shape][:12]
    for place, (card, second) in enumerate(zip(cards, (*cards[1:], cards[0]), strict=True)):
        track = table.lay(card, spot(place), sure=True)
        table.lying[track] = replace(table.lying[track], guess=Guess(card, 0.96, second, 0.04))
    table.settle()
    table.say(Dispute())
    table.say(Answer(1))
    question = table.director.showing.question
    assert question is not None
    assert {option.value for option in question.options}.isdisjoint(cards)


@pytest.mark.parametrize("is_passed_over", [False, True])
def test_a_card_that_lies_there_twice_since_it_was_misread_is_disputed(is_passed_over: bool) -> None:
    """S1: the one for which it was taken is dealt; it need not be lifted, and no other is dealt for it."""
    cards = random.Random(1).sample(SET_DECK, 12)
    truth, read = cards[0], other_shading(cards[0])
    layout_read = (read, *cards[1:])
    trio = next(trio for trio in find_sets(layout_read) if 0 not in trio)
    table = begun()
    for place, card in enumerate(layout_read):
        table.lay(card, spot(place), sure=True)
    table.settle()
    pick(table, trio)
    fresh = [card for card in SET_DECK if card not in (*layout_read, truth)][:2]
    for place, card in zip(trio, (*fresh, read), strict=True):
        table.lay(card, spot(place), sure=True)
    settle(table)
    table.wait(2)
    assert at_table(table.director.showing.differ).startswith(f"{at_table(read)} lies there twice")
    if is_passed_over:
        table.say(GameIsRight())
        assert [one.text for one in table.director.showing.told] == ["1 more to deal"]
    dispute_lying(table, read, truth)
    table.wait(2)
    state = table.director.state
    assert (state.phase, state.scores, table.director.showing.differ) == (Phase.OPEN, (0, 1, 0), "")
    assert set(state.table) == {*(card for place, card in enumerate(cards) if place not in trio), *fresh, read}
    table.say(Undo())
    assert table.director.state.phase is Phase.DEAL
    assert truth not in table.director.state.table


def test_what_a_card_was_said_to_be_where_it_lies_can_be_said_of_it_in_a_take_too() -> None:
    """S5: its name is known since, but as that of this very card."""
    table, truth, read = one_misread(has_set=True)
    layout_now = table.director.state.table
    place = layout_now.index(read)
    trio = next(trio for trio in find_sets([truth if card == read else card for card in layout_now]) if place in trio)
    table.say(CallSet(1))
    cards = lift(table, trio)
    settle(table)
    table.wait(2)
    assert table.director.state.scores == (0, -1, 0)
    put_back(table, trio, cards)
    table.wait(2)
    table.lay(next(card for card in SET_DECK if card not in (*table.director.state.seen, truth)), spot(13), sure=True)
    table.settle()
    table.wait(3)
    table.say(TableIsRight())
    table.wait(2)
    table.say(Dispute())
    choose(table, "one that lies there")
    for wanted in (read, truth):
        name_it(table, wanted)
    table.wait(2)
    assert (truth in table.director.state.table, table.director.state.scores) == (True, (0, -1, 0))
    table.say(Dispute())
    for wanted in (read, truth):
        name_it(table, wanted)
    assert table.director.state.scores == (0, 0, 0)


@pytest.mark.parametrize("are_back", [True, False])
def test_undo_takes_a_dispute_back_and_no_answer_that_was_given_before(are_back: bool) -> None:
    """S4: three cards had left that nobody took."""
    table = begun()
    trio, truth, wrong, cards = layout(table, 0.97)
    pick(table, trio)
    assert table.director.state.scores == (0, -1, 0)
    for place in trio:
        table.lay(cards[place] if cards[place] != truth else wrong, spot(place), sure=True)
    table.settle()
    others = tuple(place for place in range(12) if place not in trio)[:3]
    pick(table, others, player=None)
    table.wait(2)
    table.say(Answer(0))
    if are_back:
        for place in others:
            table.lay(cards[place], spot(place), sure=True)
        table.settle()
    before = table.director.history.events
    table.say(Dispute())
    choose(table, at_table(wrong))
    choose(table, at_table(truth))
    assert table.director.state.scores == (0, 1, 0)
    table.say(Undo())
    assert table.director.history.events == before


@pytest.mark.parametrize("goes_on", [False, True])
@pytest.mark.parametrize("is_taken", [False, True])
def test_who_took_cards_without_a_call_is_asked_on_after_a_card_was_disputed(is_taken: bool, goes_on: bool) -> None:
    """S4: they are in somebody's hand as before, and nobody has to put them back; one of them may be the one that was misread."""
    table = begun()
    trio, truth, wrong, cards = layout(table, 0.97)
    pick(table, trio, None)
    asked = table.director.showing.question
    read = wrong if is_taken else next(card for place, card in enumerate(cards) if place not in trio)
    said = truth if is_taken else other_shading(read)
    dispute_lying(table, read, said)
    if goes_on:
        table.resume()
        table.settle()
        table.wait(3)
    assert "put back" not in table.director.showing.told[0].text
    assert (table.director.showing.question == asked) is not is_taken
    choose(table, "Bo")
    history = table.director.history
    assert (truth if is_taken else wrong) in history.judged(len(history.standing) - 1)
    assert history.state.scores == (0, 1 if is_taken else -1, 0)


@pytest.mark.parametrize("is_won", [True, False])
def test_the_card_for_which_another_was_taken_is_itself_when_it_is_dealt(is_won: bool) -> None:
    """S1: the other one lies there, or is won."""
    table = begun()
    trio, truth, wrong, cards = layout(table, 0.97)
    dispute_lying(table, wrong, truth)
    places = trio if is_won else tuple(place for place in range(12) if place not in trio)[:3]
    pick(table, places, player=1 if is_won else None)
    pack = [card for card in SET_DECK if card not in (*table.director.state.seen, *cards, wrong)]
    for place, card in zip(places, (wrong, *pack), strict=False):
        table.lay(card, spot(place), sure=True)
    table.settle()
    if not is_won:
        choose(table, "Bo")
    assert wrong in table.director.state.table
    assert (truth in table.director.state.table) is not is_won


def test_a_card_of_a_wrong_take_that_was_disputed_goes_back_in_a_match_that_goes_on_too() -> None:
    """S5: it left by a call, whatever it is called by now; the two others lie there again."""
    table = begun()
    trio, _, _, cards = layout(table, 0.97)
    places = next(
        three
        for three in combinations([place for place in range(12) if place != trio[0]], 3)
        for held, *others in [[cards[place] for place in three]]
        if other_shading(held) not in cards and third(*others) not in (held, other_shading(held))
    )
    held, *others = (cards[place] for place in places)
    pick(table, places)
    put_back(table, places[1:], others)
    dispute_lying(table, held, other_shading(held))
    for _ in range(2):
        assert table.director.showing.told[0].text == f"put back {at_table(other_shading(held))}"
        assert table.director.state.scores == (0, -1, 0)
        table.resume()
        table.settle()
        table.wait(3)


@pytest.mark.parametrize("goes_on", ["", "before", "after"])
def test_a_card_for_which_another_was_taken_stays_itself_when_that_one_is_taken(goes_on: str) -> None:
    """S5: both lay there, and are read alike after a pause."""
    table = begun()
    trio, truth, wrong, cards = layout(table, 0.97)
    misread = table.lying[table.track(wrong)]
    dispute_lying(table, wrong, truth)

    def pause() -> None:
        track = table.track(truth)
        table.lying[track] = replace(misread, track=table.lying[track].track)
        table.resume()
        table.settle()
        table.wait(2)

    if goes_on == "before":
        pause()
    places = tuple(place for place in range(12) if place not in trio)[:3]
    others = [card for card in SET_DECK if card not in (*cards, wrong)]
    pick(table, places, player=1)
    for place, card in zip(places, (wrong, *others), strict=False):
        table.lay(card, spot(place), sure=True)
    table.settle()
    table.wait(2)
    assert {wrong, truth} <= set(table.director.state.table)
    if goes_on == "after":
        pause()
    table.say(CallSet(2))
    for place in trio:
        table.take(next(track for track, one in table.lying.items() if np.allclose(one.center_px, spot(place))))
    table.hand()
    table.settle()
    assert table.director.state.scores[2] == 1
    assert wrong in table.director.state.table


def test_a_card_is_not_taken_after_a_pause_for_the_won_one_that_had_been_read_so() -> None:
    """S5: it was dealt after that one was won; before the pause another card is disputed."""
    table = begun()
    trio, truth, wrong, cards = layout(table, 0.97)
    dispute_lying(table, wrong, truth)
    pick(table, trio, player=1)
    others = [card for card in SET_DECK if card not in (*cards, wrong)]
    for place, card in zip(trio, (wrong, *others), strict=False):
        table.lay(card, spot(place), sure=True)
    table.settle()
    read = next(card for place, card in enumerate(cards) if place not in trio and other_shading(card) not in table.director.state.seen)
    table.say(Dispute())
    choose(table, "one that lies there")
    name_it(table, read)
    name_it(table, other_shading(read))
    table.resume()
    table.settle()
    table.wait(3)
    assert "were won" not in table.director.showing.told[0].text
    assert table.director.showing.differ == ""
