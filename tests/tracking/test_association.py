"""What happens on the table is told once, when it is quiet again, and nothing else is."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.tracking.table import FPS, IN_AND_OUT, SPOTS, Lying, Moment, Script, card, changes, die, twelve
from visionset.geometry import Frame
from visionset.messages import at_table
from visionset.pieces import SET_DECK, SET_DIE_FACES, Kind, PipDie, SetCard
from visionset.sample_files import samples_folder
from visionset.sources import read_picture
from visionset.table import Appeared, Moved, Reread, Settled, Swapped, Table, Taken, Thrown, TurnedOver
from visionset.tracking import TableTracker
from visionset.tracking.association import pair
from visionset.tracking.options import PairOptions
from visionset.tracking.tracks import Draft
from visionset.vision.pipeline import read
from visionset.vision.unread import is_cut_off

TABLE = Moment(twelve())


def without(moment: Moment, *spots: int) -> Moment:
    return replace(moment, lying=tuple(one for at, one in enumerate(moment.lying) if at not in spots))


def put(moment: Moment, *more: Lying) -> Moment:
    return replace(moment, lying=(*moment.lying, *more))


def visit(before: Moment, after: Moment, way: list[tuple[float, float]] = IN_AND_OUT) -> Script:
    """A quiet table, a hand that changes it, a quiet table."""
    return Script().stay(before, 8).pass_over(before, way, 18, after).stay(after, 12)


def later(script: Script) -> tuple[list[str], list[object]]:
    """What is told after the first settling, and whether a hand leaves without a trace."""
    told = script.follow()
    first = next(at for at, one in enumerate(told) if one.changes)
    assert {type(change) for change in told[first].changes} == {Appeared}
    return changes(told[first + 1 :]), [change for one in told[first + 1 :] for change in one.changes]


def test_what_lies_there_at_first_appears_in_reading_order() -> None:
    told = Script().stay(TABLE, 8).follow()
    settled = [one for one in told if one.changes]
    assert len(settled) == 1
    assert settled[0].table.pieces == tuple(one.face for one in TABLE.lying)
    assert [one.track for one in settled[0].table.sightings] == list(range(1, 13))
    assert len(settled[0].changes) == 12


def test_a_hand_that_passes_changes_nothing_and_the_table_is_held_meanwhile() -> None:
    told = visit(TABLE, TABLE).follow()
    assert changes(told[8:]) == []
    assert any(one.held for one in told[8:])
    assert not told[-1].held
    # not one sighting was made anew: nothing to flicker
    assert all(one is other for one, other in zip(told[7].table.sightings, told[-1].table.sightings, strict=True))


def test_taken_and_dealt() -> None:
    after = put(without(TABLE, 5, 6), card(80, 6))
    named, told = later(visit(TABLE, after))
    assert named == [f"Taken {TABLE.lying[5].face}", f"Swapped {SET_DECK[80]}"] or named == [
        f"Swapped {SET_DECK[80]}",
        f"Taken {TABLE.lying[5].face}",
    ]
    assert {type(one) for one in told} == {Taken, Swapped}


def test_settled_within_half_a_second_after_the_hand_has_gone() -> None:
    after = without(TABLE, 5)
    script = visit(TABLE, after)
    told = script.follow()
    gone = max(at for at, moment in enumerate(script.moments) if moment.hand is not None and moment.hand[1] < 430)
    settled = next(at for at, one in enumerate(told) if any(isinstance(change, Taken) for change in one.changes))
    assert 0 < (settled - gone) / FPS <= 0.5


def test_a_moved_card_keeps_its_number() -> None:
    lying = TABLE.lying[5]
    start = without(TABLE, 11)
    after = put(without(start, 5), replace(lying, x=SPOTS[11][0], y=SPOTS[11][1], turn_rad=0.5))
    _, told = later(visit(start, after))
    (moved,) = told
    assert isinstance(moved, Moved)
    assert moved.before.track == moved.after.track
    assert moved.after.piece == lying.face


def test_a_card_that_is_hardly_seen_where_it_was_laid_does_not_hold_the_place_that_it_left() -> None:
    """In a fan or under a lamp it may be read in every third picture; meanwhile another card may come to where it lay."""
    lying = TABLE.lying[5]
    start = without(TABLE, 11)
    laid = put(without(start, 5), replace(lying, x=SPOTS[11][0], y=SPOTS[11][1]))
    script = visit(start, laid).pass_over(laid, IN_AND_OUT, 18, after := put(laid, card(80, 5))).stay(after, 12)
    script.misread = lambda reading, one: None if one.face == lying.face and one.x == SPOTS[11][0] and reading % 3 else one
    named, _ = later(script)
    assert named == [f"Taken {lying.face}", f"Appeared {SET_DECK[80]}"]


def test_a_bare_place_that_is_now_and_then_taken_for_the_back_of_a_card_is_not_the_card_that_left() -> None:
    """Wood between two cards looks like a back in the second shifted picture, and so does each time that the table is looked at again."""
    lying = TABLE.lying[5]
    start = without(TABLE, 11)
    laid = put(without(start, 5), replace(lying, x=SPOTS[11][0], y=SPOTS[11][1]))
    after = put(laid, card(80, 5))
    script = visit(start, laid).stay(laid, 20).pass_over(laid, IN_AND_OUT, 18, after).stay(after, 12)
    bare = replace(lying, face=None, kind=Kind.CARD_BACK).sighting(np.eye(3), np.zeros((4, 2)))
    read_at: list[int] = []

    def read(frame: Frame) -> Table:
        read_at.append(frame.index)
        is_second = frame.index - 1 in read_at and frame.index - 2 not in read_at
        is_bare = script.moments[frame.index] == laid and is_second
        table = script.read(frame)
        return replace(table, sightings=(*table.sightings, bare)) if is_bare else table

    tracker = TableTracker(read)
    told = changes([tracker.see(frame) for frame in script.frames()])
    assert told[len(start.lying) :] == [f"Moved {lying.face}", f"Appeared {SET_DECK[80]}"]


def test_cards_that_a_hand_pushes_slowly_are_moved() -> None:
    """They are read all the while, also where they are still on their way."""
    cards = tuple(replace(card(20 + 7 * row, 0), x=265.0, y=90.0 + 75 * row) for row in range(3))
    still = tuple(card(row, 0, x=70.0, y=90.0 + 75 * row) for row in range(3))
    script, hand = Script().stay(Moment((*still, *cards)), 8), (185.0, 300.0)
    script.pass_over(script.moments[-1], [(185.0, 470.0), hand], 6)
    for step in range(1, 31):
        pushed = tuple(replace(one, x=one.x + 10 * step) for one in cards)
        script.moments.append(Moment((*still, *pushed), hand=(hand[0] + 10 * step, hand[1])))
    after = Moment((*still, *pushed))
    script.pass_over(after, [(485.0, 300.0), (485.0, 470.0)], 6).stay(after, 20)
    _, told = later(script)
    assert [type(change) for change in told] == [Moved] * 3


@pytest.mark.parametrize("way", [(40.0, 0.0), *(pytest.param(way, marks=pytest.mark.slow) for way in ((0.0, 40.0), (0.0, -34.0)))])
def test_dice_that_are_pushed_too_slowly_to_be_seen_moving_take_their_names_along(way: tuple[float, float]) -> None:
    """Each ends near to where another one lay, all a little turned: no camera moves like that."""
    board = tuple(Lying(SET_DIE_FACES[at], 160 + 46.0 * (at % 8), 90 + 46.0 * (at // 8), kind=Kind.SET_DIE) for at in range(24))
    hand = (330.0, 300.0)
    script = Script().stay(Moment(board), 8).pass_over(Moment(board), [(330.0, 470.0), hand], 6)
    for step in range(1, 16):
        share, turn = step / 15, 0.05 * step / 15
        cos, sin = np.cos(turn), np.sin(turn)
        pushed = tuple(
            replace(
                one,
                x=320 + cos * (one.x - 320) - sin * (one.y - 135) + share * way[0],
                y=135 + sin * (one.x - 320) + cos * (one.y - 135) + share * way[1],
                turn_rad=-turn,
            )
            for one in board
        )
        script.moments.append(Moment(pushed, (hand[0] + share * way[0], hand[1] + share * way[1])))
    told = script.pass_over(Moment(pushed), [hand, (330.0, 470.0)], 6).stay(Moment(pushed), 20).follow()
    for one in pushed:
        shown = min(told[-1].table.sightings, key=lambda sighting: np.linalg.norm(sighting.center_px - (one.x, one.y)))
        assert shown.piece == one.face


def test_two_cards_that_change_places_are_moved() -> None:
    one, other = TABLE.lying[5], TABLE.lying[6]
    lying = list(TABLE.lying)
    lying[5], lying[6] = replace(other, x=one.x, y=one.y), replace(one, x=other.x, y=other.y)
    _, told = later(visit(TABLE, replace(TABLE, lying=tuple(lying))))
    assert [type(change) for change in told] == [Moved, Moved]


def test_another_card_in_the_same_place_is_swapped_and_has_a_number_of_its_own() -> None:
    lying = list(TABLE.lying)
    lying[5] = replace(lying[5], face=SET_DECK[80])
    _, told = later(visit(TABLE, replace(TABLE, lying=tuple(lying))))
    (swapped,) = told
    assert isinstance(swapped, Swapped)
    assert swapped.after.piece == SET_DECK[80]
    assert swapped.after.track != swapped.before.track


@pytest.mark.parametrize("confidence", [0.65, *(pytest.param(share, marks=pytest.mark.slow) for share in (0.8, 0.94))])
def test_another_card_in_the_same_place_is_swapped_though_it_is_not_read_surely(confidence: float) -> None:
    """A reading that is not sure is believed where the marks are others too, and only there."""
    lying = list(TABLE.lying)
    lying[5] = replace(lying[5], face=SET_DECK[80], confidence=confidence)
    named, _ = later(visit(TABLE, replace(TABLE, lying=tuple(lying))))
    assert named == [f"Swapped {SET_DECK[80]}"]

    script = visit(TABLE, TABLE)
    script.misread = lambda reading, one: lying[5] if one is TABLE.lying[5] and reading > 2 else one
    assert not [name for name in later(script)[0] if name.startswith("Swapped")]


def test_another_card_in_the_same_place_is_swapped_though_nobody_knows_which_it_is() -> None:
    """Its readings tell of others than the one that lay there, and its marks are others: it had the name of that one."""
    lying = list(TABLE.lying)
    lying[5] = replace(lying[5], face=SET_DECK[80], confidence=0.42, named=False, runner_up=SET_DECK[3])
    assert later(visit(TABLE, replace(TABLE, lying=tuple(lying))))[0] == ["Swapped None"]

    script = visit(TABLE, TABLE)
    script.misread = lambda reading, one: lying[5] if one is TABLE.lying[5] and reading > 2 else one
    assert later(script)[0] == []


def test_a_card_turned_over_keeps_its_number() -> None:
    back = replace(TABLE.lying[5], face=None, kind=Kind.CARD_BACK)
    lying = list(TABLE.lying)
    lying[5] = back
    _, told = later(visit(TABLE, replace(TABLE, lying=tuple(lying))))
    (turned,) = told
    assert isinstance(turned, TurnedOver)
    assert turned.after.kind is Kind.CARD_BACK
    assert turned.after.piece is None
    assert turned.before.track == turned.after.track


def test_dice_are_rolled_when_they_rest() -> None:
    before = Moment((die(3, 250, 150), die(5, 350, 150)))
    after = Moment((die(6, 300, 230, 0.6), die(5, 410, 120, 1.1)))
    _, told = later(visit(before, after))
    assert [type(change) for change in told] == [Thrown, Thrown]
    assert sorted(change.after.piece.value for change in told) == [5, 6]  # type: ignore[attr-defined, union-attr]
    assert {change.before.track for change in told} == {change.after.track for change in told} == {1, 2}  # type: ignore[attr-defined]


def test_a_die_that_is_overlooked_where_it_lies_did_not_roll_to_where_another_comes() -> None:
    before = Moment((die(3, 250, 150), die(5, 350, 150)))
    after = put(before, die(2, 450, 230))
    script = visit(before, after, [(450.0, 470.0), (450.0, 230.0), (450.0, 470.0)])
    script.misread = lambda reading, one: None if reading > 2 and one.x == 250 else one
    _, told = later(script)
    (came,) = told
    assert isinstance(came, Appeared)
    assert came.after.piece == PipDie(2)
    assert came.after.track == 3


@pytest.mark.parametrize("seed", range(4))
def test_dice_that_land_elsewhere_with_the_same_faces_are_no_camera_that_moved(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = (tuple(map(tuple, rng.uniform((150, 90), (490, 270), (20, 2)))) for _ in range(2))
    values = rng.integers(1, 7, 2)

    def thrown(spots: tuple[tuple[float, float], ...]) -> Moment:
        one = spots[0]
        other = next(spot for spot in spots if np.hypot(spot[0] - one[0], spot[1] - one[1]) > 60)
        return Moment(tuple(die(int(value), *spot, float(rng.uniform(0, 6.28))) for value, spot in zip(values, (one, other), strict=True)))

    before, after = thrown(first), thrown(second)
    script = Script().stay(before, 8).pass_over(before, [(300.0, 470.0), (300.0, 200.0), (300.0, 470.0)], 18, after).stay(after, 25)
    _, told = later(script)
    assert [type(change) for change in told] == [Thrown, Thrown]


def test_a_die_turned_in_its_place_is_rolled() -> None:
    before, after = Moment((die(3, 300, 150),)), Moment((die(4, 303, 151, 0.3),))
    _, told = later(visit(before, after))
    (rolled,) = told
    assert isinstance(rolled, Thrown)
    assert (rolled.before.piece, rolled.after.piece) == (PipDie(3), PipDie(4))


def test_a_card_under_a_resting_hand_is_not_taken_until_its_place_is_seen_bare() -> None:
    x, y = SPOTS[6]
    resting = replace(TABLE, hand=(x, y + 10))
    bare = without(TABLE, 6)
    way = [(x, 470.0), (x, y + 10)]
    script = Script().stay(TABLE, 8).pass_over(TABLE, way, 8).stay(resting, 40)
    told = script.follow()
    assert changes(told[8:]) == []
    assert any("covers" in at_table(remark) for one in told for remark in one.remarks) is False  # two seconds are no nuisance
    script.stay(replace(resting, lying=bare.lying), 3).pass_over(bare, way[::-1], 8).stay(bare, 12)
    told = script.follow()
    assert changes(told[8:]) == [f"Taken {TABLE.lying[6].face}"]
    assert [told[at].covered for at in (7, 40, -1)] == [False, True, False]
    assert not told[40].held


def test_a_cup_on_a_card_does_not_take_it() -> None:
    x, y = SPOTS[5]
    covered = replace(TABLE, cup=(x + 10, y))
    script = visit(TABLE, covered)
    script.stay(covered, 75)
    told = script.follow()
    assert changes(told[8:]) == []
    assert any("covers" in at_table(remark) for remark in told[-1].remarks)
    assert told[7].hidden == ()
    assert [one.piece for one in told[-1].table.sightings if one.track in told[-1].hidden] == [TABLE.lying[5].face]


def test_a_cup_that_has_stood_on_a_card_for_long_does_not_take_it_while_others_are_taken() -> None:
    """A cup becomes no part of the table, by which the card under it would seem gone, and won with two others of a SET."""
    x, y = SPOTS[1]
    script, lying = Script().stay(TABLE, 8), replace(TABLE, cup=(x + 5, y))
    script.stay(lying, 12 * int(FPS))
    for place in (8, 11):
        across, down = SPOTS[place]
        left = replace(lying, lying=tuple(one for one in lying.lying if one is not TABLE.lying[place]))
        script.pass_over(lying, [(across, 520.0), (across, down), (across, 520.0)], 18, left).stay(left, 12)
        lying = left
    lifted = len(script.moments)
    script.stay(replace(lying, lying=tuple(one for one in lying.lying if one is not TABLE.lying[1]), cup=None), 30)
    told = script.follow()
    assert changes(told[8:lifted]) == [f"Taken {TABLE.lying[place].face}" for place in (8, 11)]
    assert changes(told[lifted:]) == [f"Taken {TABLE.lying[1].face}"]


def test_a_cup_beside_the_bare_place_of_a_card_that_is_taken_becomes_table() -> None:
    """Else the card would seem to lie there for as long as the cup stands."""
    x, y = SPOTS[5]
    start = without(TABLE, 6)
    script, left = Script().stay(start, 8), replace(without(TABLE, 5, 6), cup=(x + 97, y))
    script.pass_over(start, [(x, 520.0), (x, y), (x, 520.0)], 18, left).stay(left, 12 * int(FPS))
    for across in (SPOTS[0][0], SPOTS[3][0]):
        script.pass_over(left, [(across, 520.0), (across, 300.0), (across, 520.0)], 18).stay(left, 12)
    assert changes(script.follow()[8:]) == [f"Taken {TABLE.lying[5].face}"]


def test_a_card_that_is_half_under_another_stays() -> None:
    x, y = SPOTS[5]
    start = without(TABLE, 6, 7)
    after = put(start, replace(card(80, 5), x=x + 38, y=y + 20))
    named, _ = later(visit(start, after))
    assert named == [f"Appeared {SET_DECK[80]}"]


def test_a_bumped_camera_moves_all_tracks_and_tells_no_event() -> None:
    cos, sin = np.cos(0.06), np.sin(0.06)
    view = ((cos, -sin, 34.0), (sin, cos, -22.0), (0.0, 0.0, 1.0))
    bumped = replace(TABLE, view=view)
    told = Script().stay(TABLE, 8).stay(bumped, 15).follow()
    assert changes(told[8:]) == []
    assert [one.track for one in told[-1].table.sightings] == [one.track for one in told[7].table.sightings]
    for shown, lying in zip(told[-1].table.sightings, bumped.lying, strict=True):
        assert np.abs(shown.outline_px - (lying.outline() @ np.array(view)[:2, :2].T + np.array(view)[:2, 2])).max() < 4


@pytest.mark.parametrize("right_px", [1.0, *(pytest.param(px, marks=pytest.mark.slow) for px in (4.0, 16.0))])
def test_a_card_is_swapped_while_pictures_stall_and_the_view_slides(right_px: float) -> None:
    """Nothing was seen to move there: what the sliding of the view does not explain tells that something did."""
    lying = list(TABLE.lying)
    lying[5] = replace(lying[5], face=SET_DECK[80])
    view = ((1.0, 0.0, right_px), (0.0, 1.0, right_px / 2), (0.0, 0.0, 1.0))
    script = Script().stay(TABLE, 10).stay(Moment(tuple(lying), view=view), 25)
    tracker = TableTracker(script.read)
    told = [tracker.see(replace(frame, time_s=frame.time_s + (0 if frame.index < 10 else 5))) for frame in script.frames()]
    assert changes(told[10:]) == [f"Swapped {SET_DECK[80]}"]


@pytest.mark.parametrize("right_px", [*(pytest.param(px, marks=pytest.mark.slow) for px in (8.0, 16.0)), 25.0])
def test_a_card_is_taken_by_a_hand_that_nudges_the_table(right_px: float) -> None:
    """By less than half a card: the others are where they were, but the table around the one that is gone has slid."""
    nudged = replace(without(TABLE, 5), view=((1.0, 0.0, right_px), (0.0, 1.0, right_px / 3), (0.0, 0.0, 1.0)))
    x, y = SPOTS[5]
    script = Script().stay(TABLE, 12).pass_over(TABLE, [(x, 470.0), (x, y), (x, 470.0)], 16, nudged).stay(nudged, 60)
    named, _ = later(script)
    assert named == [f"Taken {TABLE.lying[5].face}"]


def follow_uncut(views: list[tuple[tuple[float, ...], ...]]) -> list[Settled]:
    """Follow the table through views of it; cards that are cut off are not read."""
    script = Script([replace(TABLE, view=view) for view in views])

    def read(frame: Frame) -> Table:
        table = script.read(frame)
        return replace(table, sightings=tuple(one for one in table.sightings if not is_cut_off(one.outline_px, table.size_px)))

    tracker = TableTracker(read)
    return [tracker.see(frame) for frame in script.frames()]


@pytest.mark.parametrize("way", [(-300.0, 0.0), pytest.param((400.0, 100.0), marks=pytest.mark.slow)])
def test_cards_that_leave_the_picture_and_come_back_with_the_view_are_neither_taken_nor_new(way: tuple[float, float]) -> None:
    views = [((1.0, 0.0, way[0] * step / 40), (0.0, 1.0, way[1] * step / 40), (0.0, 0.0, 1.0)) for step in range(41)]
    told = follow_uncut([*views[:1] * 8, *views, *views[::-1], *views[:1] * 15])
    assert changes(told[8:]) == []
    assert told[-1].table.pieces == told[7].table.pieces


@pytest.mark.parametrize(
    ("left_px", "steps"), [(95.0, 12), *(pytest.param(*cut, marks=pytest.mark.slow) for cut in ((85.0, 40), (95.0, 40)))]
)
def test_cards_that_a_camera_which_rests_has_cut_off_are_not_taken(left_px: float, steps: int) -> None:
    """What is left of them in the picture looks as it did, though nobody can read it."""
    views = [((1.0, 0.0, -left_px * step / steps), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)) for step in range(steps + 1)]
    told = follow_uncut([*views[:1] * 8, *views, *views[-1:] * 25])
    assert changes(told[8:]) == []


def test_a_bump_too_large_to_follow_is_told_and_the_table_found_again() -> None:
    view = ((1.0, 0.0, 95.0), (0.0, 1.0, 60.0), (0.0, 0.0, 1.0))
    start = without(TABLE, 3, 7, 8, 9, 10, 11)
    told = Script().stay(start, 8).stay(replace(start, view=view), 15).follow()
    assert changes(told[8:]) == []
    assert any("camera moved" in at_table(remark) for one in told for remark in one.remarks)


def test_another_table_is_not_the_one_of_before_with_things_over_it() -> None:
    """Somebody turns the camera elsewhere: another cloth, other cards. All that lay there before is gone, in one picture."""
    pictures = [cv2.resize(read_picture(samples_folder() / f"{name}.jpg"), (1280, 720)) for name in ("table-12", "plaid")]
    there = [read(picture) for picture in pictures]
    tracker = TableTracker(lambda frame: there[frame.index >= 10])
    told = [tracker.see(Frame(pictures[index >= 10], index, index / FPS)) for index in range(30)]
    assert Counter(told[9].table.pieces) == Counter(there[0].pieces)
    assert Counter(told[-1].table.pieces) == Counter(there[1].pieces)
    assert not told[-1].hidden
    assert Counter(type(change) for one in told[10:] for change in one.changes) == {Taken: 12, Appeared: 15}


def test_a_lamp_switched_on_changes_nothing() -> None:
    bright = replace(TABLE, gain=1.5, lamp=0.25)
    told = Script().stay(TABLE, 8).stay(bright, 20).stay(TABLE, 12).follow()
    assert changes(told[8:]) == []


def test_pieces_around_lasting_motion_are_still_followed() -> None:
    """Somebody fidgets at the right; a card at the left is taken all the same."""
    after = without(TABLE, 0)
    fidget = [(560.0, 300.0 + 40 * (step % 2)) for step in range(60)]
    script = Script().stay(TABLE, 8)
    script.pass_over(TABLE, [(160.0, 470.0), (130.0, 90.0), (160.0, 470.0)], 14, after)
    script.pass_over(after, fidget, 60)
    assert f"Taken {TABLE.lying[0].face}" in changes(script.follow())


def test_a_correction_sticks_until_the_piece_leaves() -> None:
    script = visit(TABLE, TABLE)
    start = len(script.moments)
    after = without(TABLE, 5)
    script.pass_over(TABLE, IN_AND_OUT, 18, after).stay(after, 12)
    tracker, told = TableTracker(script.read), []
    for frame in script.frames():
        told.append(tracker.see(frame))
        if frame.index == 7:
            track = next(one.track for one in told[-1].table.sightings if one.piece == TABLE.lying[5].face)
            assert track is not None
            tracker.correct(track, SET_DECK[79])
    corrected = told[8].changes
    assert [type(change) for change in corrected] == [Reread]
    assert corrected[0].after.piece == SET_DECK[79]  # type: ignore[union-attr]
    assert SET_DECK[79] in told[start - 1].table.pieces
    assert changes(told[9:]) == [f"Taken {SET_DECK[79]}"]
    with pytest.raises(KeyError, match="take it from a sighting"):
        tracker.correct(track, SET_DECK[1])


def test_a_correction_that_is_taken_back_leaves_what_was_read() -> None:
    script = Script().stay(TABLE, 14)
    tracker, told = TableTracker(script.read), []
    for frame in script.frames():
        told.append(tracker.see(frame))
        if frame.index in (7, 9):
            track = next(one.track for one in told[7].table.sightings if one.piece == TABLE.lying[5].face)
            assert track is not None
            tracker.correct(track, SET_DECK[79] if frame.index == 7 else None)
    assert SET_DECK[79] in told[9].table.pieces
    assert told[-1].table.pieces == told[7].table.pieces
    assert changes(told[10:]) == [f"Reread {TABLE.lying[5].face}"]


def test_a_piece_is_called_what_people_say_though_its_kind_was_misread() -> None:
    script = Script().stay(TABLE, 9)
    tracker, told = TableTracker(script.read), []
    for frame in script.frames():
        told.append(tracker.see(frame))
        if frame.index == 7:
            tracker.correct(next(one.track for one in told[-1].table.sightings if one.track is not None), PipDie(3))
    assert PipDie(3) in told[-1].table.pieces


def test_what_went_astray_is_known_by_its_reading_and_not_by_its_place() -> None:
    """Where a camera that comes back is a card's width beside its way, each card lies where its neighbour is thought to be."""
    script = Script().stay(TABLE, 8)
    tracker = TableTracker(script.read)
    for frame in script.frames():
        tracker.see(frame)
    draft = Draft(0.0)
    draft.add(script.read(frame))
    tracks = tracker.tracks
    beside = [replace(one.at(other.outline_px), astray=True) for one, other in zip(tracks, tracks[1:] + tracks[:1], strict=True)]
    found = pair(beside, draft.observations(), [False] * len(tracks), PairOptions())
    assert [draft.observations()[column].belief.top[0] for _, column in found] == [one.face for one in tracks]
    unlike = [replace(one, astray=True) for one in tracks[:1]]
    assert pair(unlike, draft.observations()[1:], [False], PairOptions()) == ()


def test_of_two_dice_that_were_moved_each_is_the_one_that_reads_alike() -> None:
    """Each now lies nearer to where the other one lay."""
    dice = (die(2, *SPOTS[0]), die(5, *SPOTS[3]))
    moved = tuple(replace(one, x=x, y=y + 150.0) for one, (x, y) in zip(dice, (SPOTS[3], SPOTS[0]), strict=True))
    script = Script().stay(Moment(dice), 8)
    tracker = TableTracker(script.read)
    for frame in script.frames():
        tracker.see(frame)
    elsewhere = Script().stay(Moment(moved), 1)
    draft = Draft(0.0)
    for frame in elsewhere.frames():
        draft.add(elsewhere.read(frame))
    tracks, observations = tracker.tracks, draft.observations()
    for touched in (False, True):
        found = pair(tracks, observations, [touched] * len(tracks), PairOptions())
        assert {tracks[row].face: observations[column].belief.top[0] for row, column in found} == {
            PipDie(2): PipDie(2),
            PipDie(5): PipDie(5),
        }


def test_a_card_that_is_hardly_read_elsewhere_leaves_nothing_where_another_one_like_it_lies_now() -> None:
    """Two names in one place: people were asked about both, and the second was a card that lay twice."""
    here, aside, there = (SPOTS[at] for at in (3, 1, 9))
    hard, alike = SetCard.parse("1-red-striped-squiggle"), SetCard.parse("2-green-open-squiggle")
    before = Moment((*twelve()[4:8], Lying(hard, *here, confidence=0.55), Lying(alike, *there)))
    hardly = Lying(hard, *aside, confidence=0.42, named=False)
    told = visit(before, Moment((*before.lying[:4], Lying(alike, *here), hardly))).follow()[-1]
    places = [one.center_px for one in told.table.sightings]
    assert [one.piece for one in told.table.sightings if np.linalg.norm(one.center_px - here) < 20] == [alike]
    assert len(places) == 6
