"""What wronged callers of SET before the camera: time that ran while nobody could see, cards that were somebody else's, a second press."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.referee.tabletop import TableTop, top
from tests.referee.test_director import no_set, twelve
from tests.referee.test_set_cards import NAMES, begun, spot
from tests.referee.test_set_takes import a_set, asked, fresh, lift, put_back, refill, settle, told_first, two_sets
from visionset.errors import OutputError
from visionset.games.base import Event
from visionset.games.game import History
from visionset.games.set_cards import rules as set_cards
from visionset.games.set_cards.referee import SetCardsReferee
from visionset.games.set_cards.rules import GiveUp, Phase
from visionset.games.sets import find_sets
from visionset.messages import at_table
from visionset.pieces import SET_DECK, Kind, SetCard
from visionset.referee.director import Director
from visionset.referee.game_tracker import Log
from visionset.referee.player_input import Answer, AskHint, CallSet, Dispute, GameIsRight, Move, Next, NoSet, TableIsRight, Undo
from visionset.referee.shown import Tone
from visionset.table import Settled


def blind(table: TableTop, seconds: float, *, is_lit: bool = False) -> None:
    """The lamp goes off, or somebody closes the lid: frames come, and nobody could tell from them what lies there."""
    for _ in range(round(seconds / 0.25)):
        table.now_s += 0.25
        table.director.see(Settled(table._told(table.lying.values()), blind=not is_lit), table.now_s)


def bo_has_called() -> tuple[TableTop, tuple[int, ...]]:
    """Twelve cards lie there, Bo has said SET a second ago; the table, and the places of a SET."""
    table = begun()
    twelve(table)
    table.say(CallSet(1))
    table.wait(1.0)
    return table, a_set(table)


@pytest.mark.parametrize("is_lit", [False, True])
def test_the_time_of_a_caller_stands_while_the_camera_sees_nothing(is_lit: bool) -> None:
    table, places = bo_has_called()
    blind(table, 30.0, is_lit=is_lit)
    assert table.director.stands is not is_lit
    lift(table, places)
    settle(table)
    assert table.director.state.scores == ((0, -1, 0) if is_lit else (0, 1, 0))


@pytest.mark.parametrize("are_gone", [False, True])
def test_cards_that_the_camera_has_lost_from_its_picture_are_nobodys(are_gone: bool) -> None:
    """Somebody bumps the laptop while Bo has called: three cards are out of the picture until it is turned back, or people say next."""
    table, places = bo_has_called()
    here, out = dict(table.lying), [table.track(table.director.state.table[place]) for place in places]
    cards = tuple(piece for track in out if (piece := here[track].piece) is not None)
    rest = table._told(one for track, one in here.items() if track not in out)
    for number in range(40):
        table.now_s += 0.25
        assert not table.director.see(Settled(rest, beyond=cards), table.now_s)
        assert at_table(table.director.showing.remarks[0]).startswith("3 pieces of the game are out of the picture: turn the camera")
        if are_gone and number == 30:
            break
    if are_gone:
        table.say(Next())
        done = table.director.see(Settled(rest, beyond=cards), table.now_s + 0.25)
        assert [event.name for event in done] == ["take"]
        assert table.director.showing.remarks == ()
    else:
        table.wait(0.5)
        assert table.director.showing.remarks == ()
        lift(table, places)
        settle(table)
    assert table.director.state.scores == (0, 1, 0)


def test_of_an_empty_table_on_which_nothing_is_to_lie_time_goes_on() -> None:
    table = begun()
    table.wait(0.25)
    before_s = table.director.now_s
    blind(table, 10.0)
    assert table.director.now_s == pytest.approx(before_s + 10.0)


@pytest.mark.parametrize("gives_up", [True, False])
def test_cards_that_a_caller_did_not_take_are_not_that_callers(gives_up: bool) -> None:
    """S6: people say that neither took them; then one call ends, and they are still nobody's."""
    table = begun()
    twelve(table)
    places = a_set(table)
    table.say(CallSet(1))
    table.say(CallSet(2))
    cards = lift(table, places)
    settle(table)
    table.wait(1.5)
    assert asked(table).endswith("1 Bo / 2 Cy / 0 neither")
    table.say(Answer(0))
    if gives_up:
        table.say(Move(GiveUp(1)))
    table.wait(30.0)
    assert table.director.state.scores == (0, -1, -1)
    assert table.director.state.phase is Phase.OPEN
    assert told_first(table).startswith("put back")
    put_back(table, places, cards)
    assert table.director.state.table.count(None) == 0
    assert not asked(table)


def test_nobody_ends_the_time_of_a_caller_by_next() -> None:
    """S4: five seconds are the caller's own. And what comes after is dated when it happens (S6)."""
    table, places = bo_has_called()
    table.say(Next())
    assert table.director.state.scores == (0, 0, 0)
    assert at_table(table.director.showing.notice).startswith("first: pick up")
    lift(table, places)
    settle(table)
    assert table.director.state.scores == (0, 1, 0)
    assert table.director.state.clock_s <= table.now_s


@pytest.mark.parametrize("count", [1, 2])
def test_next_goes_on_with_what_the_dealer_has_laid(count: int) -> None:
    """S7: the cards that lie there are those of the game."""
    table = begun()
    twelve(table)
    places = a_set(table)
    table.say(CallSet(1))
    lift(table, places)
    settle(table)
    assert table.director.state.phase is Phase.DEAL
    laid = fresh(table, count)
    for place, card in zip(places, laid, strict=False):
        table.lay(card, (100.0 + 150 * (place % 4), 100.0 + 120 * (place // 4)), sure=True)
    settle(table)
    assert f"{3 - count} more to deal" in told_first(table)
    table.say(Next())
    table.wait(5.0)
    assert table.director.showing.differ == ""
    state = table.director.state
    assert len(state.table) == 9 + count
    assert set(laid) <= set(state.table)
    assert state.pack_left == 81 - 12 - count
    assert state.phase is Phase.OPEN


def test_a_second_press_is_no_refusal_and_costs_nothing() -> None:
    table = begun()
    twelve(table)
    places = a_set(table)
    table.say(CallSet(1))
    table.director.take_news()
    assert table.say(CallSet(1)) == []
    assert (table.director.take_news(), table.director.showing.notice) == ((), "")
    lift(table, places)
    settle(table)
    assert table.director.state.scores == (0, 1, 0)


def test_all_are_told_to_put_back_what_nobody_won_and_nobody_is_invited_to_call() -> None:
    table = begun()
    twelve(table)
    places = no_set(table)
    table.say(CallSet(1))
    cards = lift(table, places)
    settle(table)
    assert table.director.state.scores == (0, -1, 0)
    assert [(str(one.to), one.text.split()[0]) for one in table.director.showing.told] == [("All", "put")]
    table.say(CallSet(2))
    assert "have to lie again first" in str(table.director.showing.notice)
    put_back(table, places, cards)
    assert "have to lie again first" in str(table.director.showing.notice), "there is time to read it"
    table.wait(6.0)
    assert table.director.showing.notice == "", "it may be done now"
    table.say(CallSet(2))
    assert table.director.state.phase is Phase.CALLED


def test_a_free_hint_is_counted_for_nobody() -> None:
    table = begun()
    table.director.referee.hints = True
    twelve(table)
    table.say(AskHint(0))
    assert any("SET" in one.text for one in table.director.showing.told)
    assert not [line for line in map(str, table.director.showing.status) if "hint" in line]


def lay_before_oneself(table: TableTop, tracks: list[int]) -> None:
    for number, track in enumerate(tracks):
        table.move(track, (300.0 + 120 * number, 640.0))
    settle(table)


@pytest.mark.parametrize("is_set", [True, False])
@pytest.mark.parametrize("takes_them_away", [True, False])
def test_a_set_that_is_laid_where_the_camera_sees_it_is_a_take(is_set: bool, takes_them_away: bool) -> None:
    """S4: Bo lays three cards before himself, within the picture; he is told to take them away, and they are judged in the end."""
    table = begun()
    twelve(table)
    places = a_set(table) if is_set else no_set(table)
    tracks = [table.track(table.director.state.table[place]) for place in places]  # type: ignore[arg-type]
    table.say(CallSet(1))
    lay_before_oneself(table, tracks)
    assert told_first(table) == "take your three cards out of the picture"
    if takes_them_away:
        for track in tracks:
            table.take(track)
        settle(table)
    else:
        table.wait(30.0)
    assert table.director.state.scores == (0, 1 if is_set else -1, 0)
    if is_set and not takes_them_away:
        assert told_first(table).endswith("which were won, out of the picture")
        for track in tracks:
            table.take(track)
        settle(table)
        assert "deal" in told_first(table)


def test_a_pile_that_is_laid_before_the_camera_is_no_deal() -> None:
    table, places = bo_has_called()
    cards = lift(table, places)
    settle(table)
    for number, card in enumerate(cards):
        table.lay(card, (300.0 + 120 * number, 640.0), sure=True)
    settle(table)
    assert told_first(table).endswith("which were won, out of the picture")
    table.wait(200.0)
    assert table.director.state.scores == (0, 1, 0)


EDGE = (640.0, 705.0)
"""There a card reaches out of the picture, so that the camera has no name for it."""


def lay_across_the_edge(table: TableTop, cards: Sequence[SetCard | None]) -> None:
    for number, card in enumerate(cards):
        assert card is not None
        track = table.lay(card, (EDGE[0] + 120 * number, EDGE[1]), sure=False)
        table.unread.pop(track)
    settle(table)


def test_a_set_that_its_caller_lays_half_out_of_the_picture_is_taken() -> None:
    """S5: nobody is asked what the camera cannot read of it, then or while others are dealt and taken."""
    table, places = bo_has_called()
    cards = lift(table, places)
    lay_across_the_edge(table, cards)
    assert table.director.state.scores == (0, 1, 0)
    table.wait(3)
    assert (asked(table), told_first(table)) == ("", "deal 3 cards")
    put_back(table, places, fresh(table, 3))
    assert table.director.state.phase is Phase.OPEN
    for is_resumed in (False, True):
        if is_resumed:
            table.resume()
            table.settle()
        table.wait(3)
        assert (asked(table), table.director.showing.differ) == ("", "")
    table.say(CallSet(2))
    others = a_set(table)
    lift(table, others[:1])
    settle(table)
    table.wait(1.5)
    assert asked(table) == ""
    lift(table, others[1:])
    settle(table)
    assert table.director.state.scores == (0, 1, 1)


@pytest.mark.parametrize("comes_in_a_call", [False, True])
def test_a_won_card_that_is_read_across_the_edge_of_the_picture_keeps_nobody_waiting(comes_in_a_call: bool) -> None:
    """S5, S7: on a pile one card is seen."""
    table, places = bo_has_called()
    cards = lift(table, places)
    settle(table)
    if not comes_in_a_call:
        table.lay(cards[0], EDGE, sure=True)
    put_back(table, places, fresh(table, 3))
    table.wait(3)
    assert (table.director.state.phase, table.director.showing.differ) == (Phase.OPEN, "")
    table.say(CallSet(2))
    others = a_set(table)
    lift(table, others[:1])
    if comes_in_a_call:
        table.lay(cards[0], EDGE, sure=True)
    settle(table)
    table.wait(1.5)
    lift(table, others[1:])
    settle(table)
    assert table.director.state.scores == (0, 1, 1)


def test_a_card_that_a_sleeve_pushes_half_out_of_the_picture_is_none_of_those_that_were_taken() -> None:
    """S5: two of a SET and that one are no SET, and cost nothing while nobody has said what it is."""
    table, places = bo_has_called()
    other = next(place for place in range(12) if place not in places)
    card = table.director.state.table[other]
    lift(table, (*places[:2], other))
    lay_across_the_edge(table, [card])
    table.wait(20)
    assert asked(table).startswith("What is")
    assert table.director.state.scores == (0, 0, 0)
    table.take(next(track for track, one in table.lying.items() if one.piece is None))
    put_back(table, (other,), [card])
    lift(table, places[2:])
    settle(table)
    assert table.director.state.scores == (0, 1, 0)


def test_a_card_half_out_of_the_picture_is_asked_about_as_the_first_ones_are_dealt_and_known_after_a_pause() -> None:
    """S7: it is one of the twelve."""
    table = begun()
    cards = random.Random(3).sample(SET_DECK, 12)
    for place, card in enumerate(cards[:11]):
        table.lay(card, spot(place), sure=True)
    track = table.lay(cards[11], EDGE, sure=False)
    settle(table)
    assert asked(table) == ""
    assert table.asked > 0
    assert (table.director.state.phase, table.truth(track)) == (Phase.OPEN, cards[11])
    assert cards[11] in table.director.state.table
    table.resume()
    table.settle()
    table.wait(3)
    assert (asked(table), table.director.showing.differ) == ("", "")


def deal_at_the_edge(table: TableTop, cards: Sequence[SetCard], places: Sequence[int]) -> None:
    """Lay cards; of the last places of a layout and of three more there is only a part in the picture."""
    at_edge = {11: EDGE, 14: (EDGE[0] + 240, EDGE[1])}
    for place, card in zip(places, cards, strict=True):
        table.lay(card, at_edge.get(place, spot(place)), sure=place not in at_edge)
    settle(table)
    table.wait(3)
    assert (table.director.state.phase, asked(table), table.director.showing.differ) == (Phase.OPEN, "", "")


def test_a_row_at_the_edge_of_the_picture_is_filled_again() -> None:
    """S7: a card that is dealt where one lay is asked about, however little of it is seen."""
    layouts = (random.Random(seed).sample(SET_DECK, 12) for seed in range(500))
    cards, trio = next((some, one) for some in layouts for one in find_sets(some) if 11 in one)
    table = begun()
    deal_at_the_edge(table, cards, range(12))
    table.say(CallSet(1))
    table.wait(1)
    lift(table, trio)
    settle(table)
    assert table.director.state.scores == (0, 1, 0)
    deal_at_the_edge(table, others := fresh(table, 3), trio)
    assert set(table.director.state.table) == {*cards, *others} - {cards[place] for place in trio}


def test_three_more_cards_are_dealt_at_the_edge_of_the_picture() -> None:
    """S8: they have no places of their own."""
    cards = next(some for seed in range(500) if not find_sets((some := random.Random(seed).sample(SET_DECK, 15))[:12]))
    table = begun()
    deal_at_the_edge(table, cards[:12], range(12))
    table.say(NoSet(1))
    table.say(NoSet(2))
    deal_at_the_edge(table, cards[12:], range(12, 15))
    assert table.director.state.table == tuple(cards)


def test_cards_that_a_bumped_camera_shows_elsewhere_are_no_take() -> None:
    table, _ = bo_has_called()
    for track, one in list(table.lying.items()):
        x, y = map(float, one.center_px)
        table.move(track, (x + 200.0, y))
    settle(table)
    table.wait(30.0)
    assert [event.name for event in table.events][-1] == "give_up"


def test_undo_of_a_dispute_that_was_a_slip_leaves_nothing_behind() -> None:
    """A card is called another one by mistake, after a wrong take: with Undo the table is read as before, and the game goes on."""
    table, _ = bo_has_called()
    places = no_set(table)
    cards = lift(table, places)
    settle(table)
    put_back(table, places, cards)
    table.wait(1.0)
    before = table.director.state
    for said in (Dispute(), Answer(1), Answer(3), Undo(), Next()):
        table.say(said)
    table.wait(200.0)  # nor does it end in a traceback after two minutes
    assert table.director.state.table == before.table
    assert (table.director.showing.differ, table.director.state.scores) == ("", before.scores)
    table.say(CallSet(1))
    lift(table, a_set(table))
    settle(table)
    assert table.director.state.scores[1] == before.scores[1] + 1


@pytest.mark.parametrize("is_seen", [True, False])
def test_calls_that_are_seconds_apart_are_no_tie_while_time_stands(is_seen: bool) -> None:
    """S4, S6: the light is out, and Bo says SET two seconds before Cy."""
    table = begun()
    twelve(table)
    table.wait(1.0)
    began_s = table.now_s
    if not is_seen:
        blind(table, 5.0)
    else:
        table.wait(5.0)
    table.say(CallSet(1, said_s=began_s + 1.0))
    table.say(CallSet(2, said_s=began_s + 3.0))
    assert [claim.player for claim in table.director.state.claims] == [1]


def test_who_has_paid_for_a_hint_gets_it_and_who_cannot_pay_gets_none() -> None:
    table = begun(hints=True, hint_costs=True)
    twelve(table)
    table.say(AskHint(0))  # the dealer sits out
    assert not any("SET" in told.text and "there" in told.text for told in table.director.showing.told[1:])
    table.say(AskHint(1))
    assert table.director.state.scores == (0, -1, 0)
    assert table.director.showing.told[-1].text.startswith("there ")
    table.say(AskHint(1))
    assert [mark.tone for mark in table.director.showing.marks] == [Tone.HINT]
    assert table.director.state.scores == (0, -2, 0)


def test_undo_puts_a_paid_hint_away_and_gives_nothing_back() -> None:
    """What was seen stays seen: the next hint costs a point too, and what lies before the hint is taken back without it."""
    table = begun(hints=True, hint_costs=True)
    twelve(table)
    table.say(CallSet(2))
    table.wait(20.0)  # too late
    assert table.director.state.scores == (0, 0, -1)
    table.say(AskHint(1))
    table.say(Undo())
    assert table.director.state.scores == (0, -1, -1)
    assert "the hint is put away" in at_table(table.director.showing.notice)
    assert not any(told.text.startswith("there ") for told in table.director.showing.told)
    table.say(AskHint(1))
    assert len(table.director.showing.marks) == 1  # the second hint is stronger
    table.say(Undo())
    table.say(Undo())
    assert table.director.state.scores == (0, -2, 0)


def test_a_paid_hint_stays_paid_when_the_deal_before_it_is_taken_back() -> None:
    table = begun(hints=True, hint_costs=True)
    twelve(table)
    table.say(AskHint(1))
    for said in (Undo(), Undo(), Next()):
        table.say(said)
    assert table.director.state.scores == (0, -1, 0)
    assert sum(card is not None for card in table.director.state.table) == 12


def test_a_paid_hint_stays_when_somebody_sees_no_set() -> None:
    table = begun(hints=True, hint_costs=True)
    twelve(table)
    table.say(AskHint(1))
    table.say(NoSet(2))
    assert any(told.text.startswith("there ") for told in table.director.showing.told)
    table.say(AskHint(1))
    assert len(table.director.showing.marks) == 1


def test_two_who_share_a_card_in_a_tie_score_nothing_however_soon_they_put_back() -> None:
    """S6: Bo holds the shared card; Cy has lifted the two others of his SET."""
    table, one, two = two_sets(1)
    shared = set(one) & set(two)
    table.say(CallSet(1))
    table.say(CallSet(2))
    table.wait(0.5)
    lift(table, one)
    settle(table)
    table.wait(1.0)
    table.say(Answer(1))
    lift(table, [place for place in two if place not in shared])
    settle(table)
    assert table.director.state.scores == (0, 0, 0)
    assert at_table(table.director.showing.notice).count("its cards are shared: no point") == 2


def test_next_after_cards_were_laid_aside_ends_the_call_and_dates_nothing_ahead() -> None:
    """S6: the next two calls, seconds apart, are no tie."""
    table, places = bo_has_called()
    lay_before_oneself(table, [table.track(table.director.state.table[place]) for place in places])
    assert told_first(table) == "take your three cards out of the picture"
    table.say(Next())
    assert table.director.state.scores == (0, 1, 0)
    assert table.director.state.clock_s <= table.now_s


@pytest.mark.parametrize("is_first", [True, False])
def test_a_card_that_is_read_as_another_one_that_lies_there_stays_what_it_was(is_first: bool) -> None:
    """S5: of two cards of one name the game keeps the one that lies where that card lay, wherever the other one is."""
    table = begun()
    twelve(table)
    trio = a_set(table)
    others = [place for place in range(12) if place not in trio]
    misread, named = (table.track(table.director.state.table[place]) for place in (trio[0], others[0 if is_first else -1]))
    tracks = [misread, *(table.track(table.director.state.table[place]) for place in trio[1:])]
    table.lying[misread] = replace(table.lying[misread], piece=table.lying[named].piece)
    settle(table)
    table.wait(2)
    assert "lies there twice" in at_table(table.director.showing.differ)
    table.say(GameIsRight())
    assert table.director.showing.differ == ""
    table.say(CallSet(1))
    for track in tracks:
        table.take(track)
    settle(table)
    assert table.director.state.scores == (0, 1, 0)


@pytest.mark.parametrize("is_first", [True, False])
def test_a_dealt_card_that_is_read_as_one_that_lies_there_hides_no_set_with_that_one(is_first: bool) -> None:
    """S5: the new card is passed over, and a SET with the old one counts."""
    for seed in range(100):
        table = begun()
        cards = twelve(table, seed)
        if not find_sets(table.director.state.table):
            continue
        places = a_set(table)
        table.say(CallSet(1))
        lift(table, places)
        settle(table)
        new = fresh(table, 3)
        rest = [card for card in table.director.state.table if card is not None]
        named, lying = rest[0 if is_first else -1], [*rest, *new[1:]]
        trio = next((one for one in find_sets(lying) if lying.index(named) in one), ())
        if trio:
            break
    for place, card in zip(places, (named, *new[1:]), strict=True):
        table.lay(card, spot(place), sure=True)
    settle(table)
    table.wait(2)
    table.say(GameIsRight())
    table.next()  # there is no third card that can be read
    table.wait(1)
    table.say(CallSet(2))
    where = spot(cards.index(named))
    for card in (lying[place] for place in trio):
        table.take(table.track(card, where if card == named else None))
    settle(table)
    assert table.director.state.scores == (0, 1, 1)


def turn_down(table: TableTop, places: tuple[int, ...]) -> list[int]:
    tracks = [table.track(table.director.state.table[place]) for place in places]
    for track in tracks:
        table.lying[track] = replace(table.lying[track], kind=Kind.CARD_BACK, piece=None, guess=None)
    settle(table)
    return tracks


def turn_up(table: TableTop, tracks: list[int], cards: Sequence[SetCard | None]) -> None:
    for track, card in zip(tracks, cards, strict=True):
        table.lying[track] = replace(table.lying[track], kind=Kind.SET_CARD, piece=card)
        settle(table)
        table.wait(2)


@pytest.mark.parametrize("seconds", [1, 60])
def test_new_cards_that_are_laid_face_down_in_the_places_of_a_call_cost_its_caller_nothing(seconds: int) -> None:
    """S4: a back that shows where a card lay is that card turned over, or another one: only its face tells."""
    table, places = bo_has_called()
    tracks = turn_down(table, places)
    table.wait(seconds)
    assert (table.director.state.scores, table.director.showing.differ) == ((0, 0, 0), "")
    turn_up(table, tracks, fresh(table, 3))
    assert table.director.state.scores == (0, 1, 0)
    assert [event.name for event in table.events] == ["deal", "call", "take", "deal"]


@pytest.mark.parametrize("seconds", [1, 60])
def test_cards_that_are_turned_over_in_a_call_are_not_taken(seconds: int) -> None:
    """S4: nor do they give its caller more time."""
    table, places = bo_has_called()
    cards = [table.director.state.table[place] for place in places]
    tracks = turn_down(table, places)
    table.wait(seconds)
    turn_up(table, tracks, cards)
    table.wait(8)
    assert table.director.state.scores == (0, -1, 0)
    assert [event.name for event in table.events] == ["deal", "call", "give_up"]


def test_next_ends_a_call_in_which_a_card_lies_face_down_for_good() -> None:
    table, places = bo_has_called()
    turn_down(table, places[:1])
    table.next()
    table.wait(60)
    assert table.director.state.scores == (0, 0, 0)
    assert [one.text for one in table.director.showing.told][1].startswith("what was taken is told when all cards lie face up, or say next")
    table.next()
    assert table.director.state.scores == (0, -1, 0)


def test_a_card_that_lies_face_down_since_before_the_call_gives_nobody_time() -> None:
    table = begun()
    twelve(table)
    turn_down(table, (0,))
    table.say(CallSet(1))
    table.wait(8)
    assert table.director.state.scores == (0, -1, 0)


@pytest.mark.parametrize("too_many", [1, 3])
def test_a_dealer_who_lays_too_many_cards_is_told_how_many_go_back(too_many: int) -> None:
    """S7."""
    table, places = bo_has_called()
    lift(table, places)
    settle(table)
    for place, card in enumerate(fresh(table, 3 + too_many), 12):
        table.lay(card, spot(place), sure=True)
    settle(table)
    table.wait(2)
    assert at_table(table.director.showing.differ) == f"{12 + too_many} cards lie where 12 belong: take {too_many} back"


def test_nobody_is_told_to_look_again_at_cards_that_lie_there_no_more() -> None:
    """S8: the vote was about twelve cards, and all agree that there are fifteen."""
    table = begun()
    twelve(table)
    for player in (1, 2):
        table.say(NoSet(player))
    assert "look again" in told_first(table)
    for place, card in enumerate(fresh(table, 3), 12):
        table.lay(card, spot(place), sure=True)
    settle(table)
    table.wait(2)
    table.say(TableIsRight())
    assert len(table.director.state.table) == 15
    assert "say SET" in told_first(table)


def dealing(count: int, table: TableTop | None = None) -> TableTop:
    """So many of twelve cards have been told, and the hand of the dealer is over the table with the next."""
    table = table or begun()
    for place, card in enumerate(SET_DECK[:count]):
        table.lay(card, spot(place), sure=True)
    table.settle()
    table.hand()
    return table


@pytest.mark.parametrize("apart_s", [0.1, 0.75])
def test_a_call_as_the_last_card_lies_counts_once_it_is_read(apart_s: float) -> None:
    """Bo sees it lie and calls before the camera has told it; Cy calls after Bo, too late for a tie or not (S6, S7)."""
    table = dealing(11)
    table.lay(SET_DECK[11], spot(11), sure=True)
    first_s, match_s = table.now_s, table.director.now_s
    for player, said_s in ((1, first_s), (2, first_s + apart_s)):
        table.hand(0.25)
        table.say(CallSet(player, said_s=said_s))
        table.say(CallSet(player, said_s=said_s + 0.01))  # whoever is eager presses twice
        name = table.director.state.players[player]
        assert at_table(table.director.showing.notice) == f"{name} said SET: it counts if all lies there"
    table.settle()
    deal, *calls = table.director.history.events
    assert deal.name == "deal"
    assert [getattr(call, "player", None) for call in calls] == ([1, 2] if apart_s < 0.25 else [1])
    assert calls[0].at_s == pytest.approx(match_s, abs=0.01)


@pytest.mark.parametrize("is_heard_first", [True, False])
def test_of_two_calls_that_wait_each_has_its_time(is_heard_first: bool) -> None:
    """S4, S7: Bo's was too early, or is heard later than that of Cy, who called after Bo."""
    table = dealing(11)
    table.lay(SET_DECK[11], spot(11), sure=True)
    first_s = table.now_s
    if is_heard_first:
        table.say(CallSet(1, said_s=first_s))
    table.hand(1.5)
    table.say(CallSet(2, said_s=table.now_s))
    if is_heard_first:
        table.hand(0.75)
        assert at_table(table.director.showing.notice) == "Bo said SET before all lay there: it does not count"
    else:
        table.say(CallSet(1, said_s=first_s))
    table.settle()
    assert [claim.player for claim in table.director.state.claims] == [2 if is_heard_first else 1]


def test_a_call_waits_on_while_another_cannot_be_kept() -> None:
    """S6: they are a tie, and another program holds the file for a moment."""

    class Locked(Log):
        is_held = False

        def append(self, event: Event) -> None:
            if self.is_held and event.name == "call":
                self.is_held = False
                raise OutputError("held")

    log, history = Locked(), History.begin(set_cards.GAME, None, NAMES)
    table = dealing(11, top(lambda correct: Director(history, SetCardsReferee(), log, correct=correct)))
    table.lay(SET_DECK[11], spot(11), sure=True)
    for player in (1, 2):
        table.say(CallSet(player, said_s=table.now_s))
    log.is_held = True
    with pytest.raises(OutputError):
        table.settle()
    table.wait(0.5)
    assert [claim.player for claim in table.director.state.claims] == [1, 2]


def test_a_set_taken_before_the_refill_is_read_is_its_callers() -> None:
    table, first, second = two_sets(0)
    table.say(CallSet(1))
    lift(table, first)
    settle(table)
    refill(table, first)
    table.hand()
    table.say(CallSet(2))
    cards = set(lift(table, second))
    settle(table)
    assert table.director.state.scores == (0, 1, 1)
    assert set(table.director.state.kept[2]) == cards


@pytest.mark.parametrize("stays", [False, True])
def test_a_call_before_the_last_card_lies_does_not_count(stays: bool) -> None:
    table = dealing(10)
    table.say(CallSet(1))
    table.lay(SET_DECK[10], spot(10), sure=True)
    if stays:
        table.hand(2.0)
    else:
        table.settle()
    assert at_table(table.director.showing.notice) == "Bo said SET before all lay there: it does not count"
    table.lay(SET_DECK[11], spot(11), sure=True)
    table.hand()
    table.settle()
    assert table.director.state.phase is Phase.OPEN


@pytest.mark.parametrize("is_moved", [False, True])
def test_a_call_waits_while_it_is_asked_what_the_last_card_is_and_has_all_its_time_after_it(is_moved: bool) -> None:
    """S4, S7: the card lies there, whatever the camera makes of it; people name it, or move it a little as they are told."""
    table = dealing(11)
    table.lay(SET_DECK[11], spot(11), sure=False)
    table.say(CallSet(1))
    table.leave()
    table.wait(12.0)
    assert asked(table).startswith("What is the card")
    if is_moved:
        table.hand()
        table.take(table.track(SET_DECK[11]))
        table.lay(SET_DECK[11], spot(12), sure=True)
        table.leave()
    table.answer_doubts()
    table.wait(4.0)
    lift(table, a_set(table))
    settle(table)
    assert table.director.state.scores == (0, 1, 0)


def test_a_call_that_waits_is_taken_back_by_undo() -> None:
    table = dealing(11)
    table.lay(SET_DECK[11], spot(11), sure=True)
    table.say(CallSet(1))
    table.say(Undo())
    table.settle()
    assert table.director.state.phase is Phase.OPEN


def lay_again(table: TableTop, count: int = 3, *, are_read: bool = True) -> None:
    """Bo has taken three cards that are no SET, and lays so many of them down again."""
    twelve(table)
    places = no_set(table)
    table.say(CallSet(1))
    cards = lift(table, places)
    settle(table)
    for place, card in list(zip(places, cards, strict=True))[:count]:
        table.lay(card, spot(place), sure=are_read)
    table.hand()


@pytest.mark.parametrize("lie", [True, False])
def test_a_call_as_cards_lie_again_that_nobody_won_counts_once_they_are_read(lie: bool) -> None:
    """S5: Bo puts three cards back that are no SET, and Cy calls at once."""
    table = begun()
    lay_again(table, 3 if lie else 2)
    table.say(CallSet(2))
    table.settle()
    assert table.director.state.phase is (Phase.CALLED if lie else Phase.OPEN)
    if not lie:
        assert "have to lie again first" in at_table(table.director.showing.notice)


@pytest.mark.parametrize("stays", [False, True])
def test_a_call_that_waits_is_heard_once_no_card_is_misread(stays: bool) -> None:
    """A card that is read as another one for a moment, and a thirteenth card that lies there."""
    table = begun()
    lay_again(table)
    table.say(CallSet(2))
    track = table.lay(fresh(table, 1)[0], spot(18), sure=True)
    table.leave()
    if not stays:
        table.take(track)
    table.wait(1.5)
    if stays:
        assert at_table(table.director.showing.notice).startswith("settle the difference first")
    assert [claim.player for claim in table.director.state.claims] == ([] if stays else [2])


def test_a_call_that_waits_is_heard_once_a_dispute_is_over() -> None:
    table = begun()
    lay_again(table)
    table.say(CallSet(2))
    table.say(Dispute())
    table.leave()
    assert not table.director.state.claims
    table.say(Answer(0))
    table.wait(0.25)
    assert [claim.player for claim in table.director.state.claims] == [2]


def test_cards_are_to_be_put_back_until_so_many_lie_there_that_are_not_read() -> None:
    """S5: once they do, the call of Cy waits until people have named them."""
    table = begun()
    lay_again(table, 2, are_read=False)
    table.leave()
    assert told_first(table).startswith("put back")
    table = begun()
    lay_again(table, are_read=False)
    table.leave()
    assert "cannot be read" in told_first(table)
    table.say(CallSet(2))
    table.wait(3.0)
    table.answer_doubts()
    table.wait(0.25)
    assert [claim.player for claim in table.director.state.claims] == [2]
