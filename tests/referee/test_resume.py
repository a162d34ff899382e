"""A match that is resumed: its times go on, and the table as it lies is the table as it was."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

import pytest

from tests.referee import test_crossword, test_english_sets, test_pip_sets, test_scramble, test_solitaire
from tests.referee.tabletop import TableTop, top
from tests.referee.test_director import no_set, take, twelve
from tests.referee.test_dispute import choose, disputed, name_it
from tests.referee.test_set_cards import begun, spot
from visionset.games.base import Amend
from visionset.games.crossword import rules as crossword
from visionset.games.english_sets import rules as english_sets
from visionset.games.game import History
from visionset.games.pip_sets import rules as pip_sets
from visionset.games.pip_sets.referee import PipSetsReferee
from visionset.games.set_cards.rules import GiveUp, Phase
from visionset.games.sets import find_sets, third
from visionset.games.solitaire import rules as solitaire
from visionset.games.solitaire.referee import SolitaireReferee
from visionset.games.virtual.chance import roll_faces
from visionset.messages import at_table
from visionset.pieces import SET_DECK, SET_DIE_FACES, Piece, PipDie, PlayingCard, SetDie
from visionset.referee.director import Director
from visionset.referee.player_input import Answer, AskHint, CallSet, Dispute, Move, Undo
from visionset.table import Guess

HOUR_S = 3600.0


def late_in_the_evening() -> TableTop:
    """A match in which the last event was an hour after the first."""
    table = begun()
    twelve(table)
    table.now_s = HOUR_S
    table.say(CallSet(1))
    table.wait(7)
    assert isinstance(table.events[-1], GiveUp)
    assert table.director.state.clock_s > HOUR_S
    return table


@pytest.mark.parametrize("is_disputed", [False, True])
def test_after_undo_and_a_pause_cards_are_dealt_for_no_set_before_it_is_said_who_took_it(is_disputed: bool) -> None:
    """S5: neither a call that was too late nor a dispute of before has left them in a hand."""
    table = begun()
    twelve(table)
    table.wait(1)
    table.say(Dispute() if is_disputed else CallSet(1))
    for _ in range(2):
        table.say(Answer(1))
    table.wait(8)
    assert table.director.history.events[-1].name == ("correct" if is_disputed else "give_up")
    trio = find_sets(table.director.state.table)[0]
    take(table, trio, 2)
    table.say(Undo())
    table.resume()
    table.settle()
    for _ in range(2):
        table.next()
        table.wait(1)
    for place, card in zip(trio, [card for card in SET_DECK if card not in table.director.state.table], strict=False):
        table.lay(card, spot(place), sure=True)
    table.hand()
    table.settle()
    assert table.director.state.heap == ()
    assert "Who took" in str(table.director.showing.question)


def test_two_calls_after_a_pause_are_as_far_apart_as_they_were_said() -> None:
    table = late_in_the_evening()
    table.resume()
    table.settle()
    table.say(CallSet(1))
    table.wait(4)
    table.say(CallSet(2))
    assert [claim.player for claim in table.director.state.claims] == [1]
    assert "claimed" in str(table.director.showing.notice)
    assert any(at_table(line).startswith("Bo called\t1") for line in table.director.showing.status)


def test_a_call_after_a_pause_runs_out_of_time() -> None:
    table = late_in_the_evening()
    table.resume()
    table.settle()
    table.say(CallSet(1))
    table.wait(6)
    assert isinstance(table.events[-1], GiveUp)
    assert table.director.state.scores == (0, -2, 0)


def test_a_pause_is_not_the_time_of_a_caller() -> None:
    table = late_in_the_evening()
    trio = find_sets(table.director.state.table)[0]
    table.say(CallSet(2))
    table.resume()
    table.now_s = 3 * HOUR_S
    table.settle()
    assert table.director.state.phase is Phase.CALLED
    take(table, trio, player=None)
    assert table.director.state.scores == (0, -1, 1)


def test_every_event_has_its_time_and_none_goes_back() -> None:
    table = begun()
    twelve(table)
    table.wait(20)
    take(table, find_sets(table.director.state.table)[0])
    table.resume()
    table.settle()
    table.wait(2)
    table.next()
    times = [event.at_s for event in table.director.history.events]
    assert None not in times
    assert times == sorted(times)  # type: ignore[type-var]


def again(table: TableTop) -> None:
    """Stop, go on, and look at the table for a while."""
    table.resume()
    table.settle()
    table.wait(3)


def is_as_it_was(table: TableTop, events: int) -> bool:
    showing = table.director.showing
    return len(table.director.history.events) == events and showing.question is None and showing.differ == ""


def between_two_turns(values: tuple[int, int] = (2, 5)) -> TableTop:
    table = test_pip_sets.begun(names=("Ann",))
    test_pip_sets.throw(table, values)
    table.say(Move(pip_sets.EndTurn(0)))
    return table


def test_the_dice_of_the_last_turn_are_no_roll() -> None:
    table = between_two_turns()
    again(table)
    assert is_as_it_was(table, 2)
    test_pip_sets.throw(table, (2, 5))
    assert table.director.state.roll == (2, 5)


@pytest.mark.parametrize(("answer", "roll"), [(1, None), (2, (3, 4))])
def test_other_dice_are_asked_about_once(answer: int, roll: tuple[int, int] | None) -> None:
    table = between_two_turns()
    for track, value in zip(table.lying, (3, 4), strict=True):
        table.roll(track, PipDie(value), (300.0 * track, 300.0))
    again(table)
    question = table.director.showing.question
    assert question is not None
    assert question.text == "Were the dice that lie there thrown for turn 9?"
    table.say(Answer(answer))
    assert table.director.showing.question is None
    assert table.director.state.roll == roll


def hardly_read(table: TableTop, track: int, likely: Piece, other: Piece) -> None:
    """A piece cannot be read, and looks like two others."""
    one = table.lying[track]
    assert one.piece is not None
    table.unread[track] = one.piece
    table.lying[track] = table._first_read[track] = replace(one, piece=None, confidence=0.3, guess=Guess(likely, 0.3, other, 0.2))


def test_a_die_that_was_thrown_and_is_hardly_read_after_a_pause_is_none_of_the_last_turn() -> None:
    """P2: it looks like one of those, and the other die shows that both were thrown."""
    table = between_two_turns()
    for track, value in zip(table.lying, (3, 4), strict=True):
        table.roll(track, PipDie(value), (300.0 * track, 300.0))
    hardly_read(table, track, PipDie(5), PipDie(6))
    again(table)
    table.say(Answer(2))
    table.answer_doubts()
    assert table.asked > 0
    assert table.director.state.roll == (3, 4)


def test_a_die_that_is_hardly_read_after_a_pause_is_none_of_a_set_that_was_taken_meanwhile() -> None:
    """D13: a right SET was judged to be none."""
    table, rng = test_scramble.begun(), random.Random(2)
    for place, face in enumerate(roll_faces(42, rng)):
        table.lay(face, test_scramble.spot(place, rng), sure=True)
    table.settle()
    dice = table.director.state.table
    trio = next(
        three
        for three in find_sets(dice)
        if len({dice[place] for place in three}) == 3 and all(dice.count(dice[place]) == 1 for place in three)
    )
    for place in trio:
        table.take(table.track(dice[place]))
    track = next(track for track in table.lying if dice.count(table.lying[track].piece) == 1)
    hardly_read(table, track, dice[trio[0]], next(face for face in SET_DIE_FACES if face not in dice))
    again(table)
    for _ in range(3):
        table.answer_doubts()
        table.wait(2)
        if (question := table.director.showing.question) is not None:
            assert question.text.startswith("Nobody said SET: who took")
            table.say(Answer(2))
    assert table.director.state.scores == (0, 1, 0)


def test_dice_thrown_before_the_turn_has_ended_are_a_difference_after_a_pause_too() -> None:
    table = test_pip_sets.begun()
    test_pip_sets.throw(table, (2, 5))
    again(table)
    assert is_as_it_was(table, 1)
    for track in list(table.lying):
        table.roll(track, PipDie(6), (300.0 * track, 300.0))
    again(table)
    assert "the dice show 6 and 6, the turn has 2 and 5" in at_table(table.director.showing.differ)


def test_the_grids_of_the_round_before_are_no_roll() -> None:
    table, evening = test_crossword.rolled(test_crossword.TEN)
    for player in (0, 1):
        for _ in range(11):
            face = SetDie.parse("1-red-oval")
            table.director._game.history = table.director.history.then(crossword.Draw(player, face))
            at = evening.aside(player, len(evening.tracks[player]))
            evening.tracks[player].append(table.lay(face, at, sure=True))
    table.settle()
    for player in (0, 1):
        table.say(Move(crossword.Stuck(player)))
    assert table.director.state.hands == ((), ())
    for track in [*evening.tracks[0][10:], *evening.tracks[1][10:]]:
        table.take(track)
    table.settle()
    events = len(table.director.history.events)
    again(table)
    assert is_as_it_was(table, events)
    assert "20 dice were not thrown" in table.director.showing.told[0].text


@pytest.mark.parametrize("are_dealt", [True, False])
def test_cards_that_are_being_dealt_when_it_stopped_are_not_those_of_the_round_before(are_dealt: bool) -> None:
    """S7, S9: where one of them did not lie there as the round ended, they have been dealt since."""
    table = begun()
    twelve(table)
    trio = find_sets(table.director.state.table)[0]
    last = [card for place, card in enumerate(table.director.state.table) if place not in trio]
    table.say(Move(Amend.of("the pack is out", heap=tuple(card for card in SET_DECK if card not in table.director.state.table))))
    while find_sets(table.director.state.table):
        take(table, find_sets(table.director.state.table)[0])
    assert table.director.state.finished
    if are_dealt:
        for track in list(table.lying):
            table.take(track)
        others = [card for card in SET_DECK if card not in last]
        for place, card in enumerate((*last[:2], *others[:2])):
            table.lay(card, spot(place), sure=True)
    again(table)
    told = table.director.showing.told[0].text
    assert ("of the round before" in told) is not are_dealt
    if are_dealt:
        assert told == "8 more to deal"


def test_cards_that_went_back_are_not_drawn_again() -> None:
    """E2, case 3: the starter and one card of each hand are to be shuffled into the pack, and lie there still."""
    table, evening = test_english_sets.dealt("JC 4D 8C 6C", "2H 3S 8D 7C")
    table.lay(PlayingCard.parse("8H"), (700.0, 360.0), sure=True)
    table.settle()
    assert table.director.state.phase is english_sets.Phase.REPLENISH
    assert "shuffle" in table.director.showing.told[0].text
    again(table)
    assert is_as_it_was(table, 2)
    assert "shuffle" in table.director.showing.told[0].text
    drawn = PlayingCard.parse("KD")
    table.lay(drawn, evening.hand_spot(0, drawn), sure=True)
    table.settle()
    assert drawn in table.director.state.hands[0]


def test_a_starter_under_the_pack_is_not_turned_again() -> None:
    table, _ = test_english_sets.dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    table.lay(PlayingCard.parse("QH"), (700.0, 360.0), sure=True)
    table.settle()
    again(table)
    assert is_as_it_was(table, 2)


def test_the_cards_of_a_wrong_call_still_have_to_go_back() -> None:
    table = begun()
    twelve(table)
    take(table, no_set(table))
    again(table)
    assert is_as_it_was(table, 3)
    assert "put back" in table.director.showing.told[0].text
    assert table.director.state.scores == (0, -1, 0)


def test_a_wrong_take_in_solitaire_is_not_counted_twice() -> None:
    table, evening = test_solitaire.twelve()
    state = table.director.state
    event = solitaire.Take(no_set(table))
    for place in event.at:
        table.take(table.track(state.table[place]))
    table.settle()
    assert table.director.state.wrong == 1
    again(table)
    assert is_as_it_was(table, 2)
    assert evening.spots


def test_the_dice_of_a_wrong_call_still_have_to_go_back() -> None:
    table = test_scramble.begun()
    evening = test_scramble.Evening(table, 5, noise=False)
    evening.roll(roll_faces(42, random.Random(5)))
    table.say(CallSet(0))
    faces = table.director.state.table
    for track in [evening.order[place] for place in next(trio for trio in combinations(range(42), 3) if trio not in find_sets(faces))]:
        table.take(track)
    table.settle()
    again(table)
    assert is_as_it_was(table, 2)
    assert "put back" in table.director.showing.told[0].text


@pytest.mark.parametrize("player", [1, None])
def test_a_card_that_was_called_another_one_is_that_one_after_a_pause(player: int | None) -> None:
    """Three that were read as a SET are disputed and lie again, read as before; so they are when the match goes on."""
    first, second, *others = random.Random(11).sample(SET_DECK, 16)
    read = third(first, second)
    truth = next(one for one in SET_DECK if one != read and replace(one, shading=read.shading) == read)
    cards = (first, second, truth, *[card for card in others if card not in (read, truth)][:9])
    alone = History.begin(solitaire.GAME, None, ("Ann",))
    table = top(lambda correct: Director(alone, SolitaireReferee(), correct=correct)) if player is None else begun()

    shown = (first, second, read, *cards[3:])

    def lay(places: Iterable[int]) -> None:
        for place in places:
            table.lay(shown[place], spot(place), sure=True)
        table.settle()

    def pick(places: Iterable[int]) -> None:
        if player is not None:
            table.say(CallSet(player))
        for place in places:
            table.take(table.track(shown[place]))
        table.hand()
        table.settle()

    lay(range(12))
    pick((0, 1, 2))
    table.say(Dispute())
    choose(table, at_table(read))
    choose(table, at_table(truth))
    lay((0, 1, 2))
    scores = table.director.state.scores
    again(table)
    table.wait(5.0)
    assert table.director.state.table == cards
    assert not table.director.showing.differ
    pick(next(trio for trio in find_sets(cards) if 2 in trio))
    assert sum(table.director.state.scores) == sum(scores) + 1


def test_undo_takes_back_after_a_pause_what_a_dispute_had_said_of_a_card() -> None:
    """A dispute was wrong; the three cards are laid back as they were."""
    table, truth, wrong = disputed()
    again(table)
    table.say(Undo())
    assert table.director.state.scores == (0, -1, 0)
    trio = [card for card in table.director.state.table if card not in [one.piece for one in table.lying.values()]]
    for place, card in enumerate(trio):
        table.lay(card, spot(20 + place), sure=True)
    table.settle()
    table.wait(5.0)
    assert wrong in table.director.state.table
    assert truth not in table.director.state.table
    assert not table.director.showing.differ
    assert "put back" not in table.director.showing.told[0].text


def test_undo_after_a_pause_gives_no_card_that_lies_there_the_name_of_a_won_one() -> None:
    """S7: a card that was won was called by a slip what one of those is that are being dealt."""
    table = begun()
    twelve(table)
    state = table.director.state
    trio = find_sets(state.table)[0]
    take(table, trio)
    won = state.table[trio[0]]
    dealt = next(card for card in SET_DECK if card not in state.table)
    track = table.lay(dealt, spot(trio[0]), sure=True)
    table.hand()
    table.settle()
    events, told = table.director.history.events, table.director.showing.told
    table.say(Dispute())
    choose(table, at_table(won))
    name_it(table, dealt)
    assert table.director.history.events[-1].name == "correct"
    again(table)
    table.say(Undo())
    table.wait(2)
    assert table.director.history.events == events
    assert table.lying[track].piece == dealt
    assert table.director.showing.told[0] == told[0]


def test_a_hint_that_was_paid_for_is_known_after_a_pause() -> None:
    table = begun(hints=True, hint_costs=True)
    twelve(table)
    table.say(AskHint(1))
    told = [one.text for one in table.director.showing.told]
    again(table)
    assert [one.text for one in table.director.showing.told] == told
    assert table.director.state.scores == (0, -1, 0)
    table.say(AskHint(1))
    assert [one.text for one in table.director.showing.told] != told


def test_what_was_taken_back_does_not_happen_again_by_itself() -> None:
    table = begun()
    twelve(table)
    take(table, find_sets(table.director.state.table)[0])
    table.say(Undo())
    events = len(table.director.history.events)
    table.wait(60.0)
    told = table.director.showing.told[0].text
    assert told.count("say next") == 1
    assert "waiting for" in told
    again(table)
    assert is_as_it_was(table, events)
    assert "as it was" in table.director.showing.told[0].text


def test_nobody_is_asked_again_about_a_card_that_the_game_knows() -> None:
    table = begun()
    cards = random.Random(3).sample(SET_DECK, 12)
    for place, card in enumerate(cards):
        table.lay(card, spot(place), sure=place > 2)
    table.settle()
    asked = table.asked
    assert asked
    again(table)
    assert is_as_it_was(table, 1)
    assert table.asked == asked


def test_dice_that_were_rolling_when_it_stopped_are_asked_about() -> None:
    """One of two lay there already: it may be new, or one that nobody has taken up yet."""
    table = between_two_turns()
    for track in list(table.lying):
        table.take(track)
    table.settle()
    table.lay(PipDie(5), (300.0, 300.0))
    again(table)
    assert is_as_it_was(table, 2)
    table.lay(PipDie(1), (700.0, 300.0))
    table.settle()
    question = table.director.showing.question
    assert question is not None
    table.say(Answer(2))
    assert sorted(table.director.state.roll) == [1, 5]


@pytest.mark.parametrize("is_paused", [False, True])
def test_a_set_that_a_dispute_won_while_it_lay_there_is_not_dealt_anew(is_paused: bool) -> None:
    """All three of its cards were misread, and are read so again where they lie."""
    rng = random.Random(5)
    while True:
        cards = tuple(rng.sample(SET_DECK, 12))
        trio = next(iter(find_sets(cards)), None)
        others = iter([card for card in SET_DECK if card not in cards])
        shown = tuple(next(others) if trio and place in trio else card for place, card in enumerate(cards))
        if trio is not None and trio not in find_sets(shown):
            break
    table = begun()
    for place, card in enumerate(shown):
        table.lay(card, spot(place), sure=True)
    table.settle()
    table.say(CallSet(1))
    for place in trio:
        table.take(table.track(shown[place]))
    table.hand()
    table.settle()
    assert table.director.state.scores == (0, -1, 0)
    for place in trio:
        table.lay(shown[place], spot(place), sure=True)
    table.settle()
    for place in trio:
        table.say(Dispute())
        choose(table, at_table(shown[place]))
        while table.director.showing.question is not None:
            options = [one.text for one in table.director.showing.question.options]
            choose(table, at_table(cards[place]) if at_table(cards[place]) in options else "something else")
    assert table.director.state.scores == (0, 1, 0)
    if is_paused:
        again(table)
    table.wait(5.0)
    assert table.director.state.phase is Phase.DEAL
    assert "which were won" in table.director.showing.told[0].text


def test_dice_that_were_called_other_ones_are_those_after_a_pause() -> None:
    history = History.begin(pip_sets.GAME, None, ("Ann", "Bo"))
    table = top(lambda correct: Director(history, PipSetsReferee(), correct=correct))
    for place in range(2):
        table.lay(PipDie(6), (300.0 + 500 * place, 300.0), sure=True)
    table.settle()
    table.say(Dispute())
    choose(table, at_table(PipDie(6)))
    choose(table, at_table(PipDie(5)))
    assert sorted(table.director.state.roll) == [5, 6]
    for track, one in table.lying.items():
        table.lying[track] = replace(one, piece=PipDie(6), confidence=0.99)  # as the camera alone reads it
    table.resume()
    table.settle()
    table.wait(5.0)
    assert sorted(table.director.state.roll) == [5, 6]
    assert not table.director.showing.differ


def test_a_die_of_scramble_that_was_called_another_one_is_that_one_after_a_pause() -> None:
    table = test_scramble.begun()
    evening = test_scramble.Evening(table, 5, noise=False)
    evening.roll(roll_faces(42, random.Random(5)))
    read = dict(table.lying)
    table.say(Dispute())
    table.say(Answer(1))
    table.say(Answer(1))
    (track,) = (track for track, one in table.lying.items() if one.piece != read[track].piece)
    said = table.lying[track].piece
    faces = table.director.state.table
    assert said in faces
    table.lying[track] = replace(read[track], confidence=0.999)
    again(table)
    assert table.director.state.table == faces
    assert not table.director.showing.differ
    assert "put back" not in table.director.showing.told[0].text


def test_undo_after_a_pause_is_about_the_die_that_was_called_another_one_where_others_show_the_same() -> None:
    """D14: which die lies where in a grid is how it was."""
    table, evening = test_crossword.rolled(test_crossword.TEN)
    mine = evening.tracks[0]
    for col, die in enumerate((0, 1, 2)):
        table.move(mine[die], (40 + test_crossword.PITCH_PX * col, 60.0))
    table.hand()
    table.settle()
    before, read = table.director.history, table.lying[mine[2]]
    table.say(Dispute())
    choose(table, at_table(SetDie.parse("3-red-oval")))
    choose(table, at_table(SetDie.parse("1-red-oval")))
    assert test_crossword.shape(table.director.state, 0) != test_crossword.shape(before.state, 0)
    table.lying[mine[2]] = read  # as the camera alone reads it
    again(table)
    table.say(Undo())
    table.wait(2)
    assert table.director.history.events == before.events
    assert test_crossword.shape(table.director.state, 0) == test_crossword.shape(before.state, 0)


def test_the_die_that_people_called_another_one_is_found_after_a_pause_where_others_show_what_it_was_read_as() -> None:
    """D14: the camera reads it as before, and less surely than the one that shows that."""
    table, evening = test_crossword.rolled(test_crossword.TEN.replace("3-red-oval", "1-red-oval"))
    mine = evening.tracks[0]
    wrong, truth = (SetDie.parse(name) for name in ("1-red-oval", "3-red-oval"))
    table.lying[mine[2]] = replace(table.lying[mine[2]], confidence=0.96, guess=Guess(wrong, 0.96, truth, 0.03))
    for col, die in enumerate((0, 1, 2)):
        table.move(mine[die], (40 + test_crossword.PITCH_PX * col, 60.0))
    table.hand()
    table.settle()
    read = table.lying[mine[2]]
    table.say(Dispute())
    table.say(Answer(3))
    choose(table, at_table(truth))
    before = table.director.history
    assert before.state.faults(0) == ()
    table.lying[mine[2]] = read  # as the camera alone reads it
    again(table)
    assert table.director.history.events == before.events
    assert not table.director.showing.question
    assert test_crossword.shape(table.director.state, 0) == test_crossword.shape(before.state, 0)
