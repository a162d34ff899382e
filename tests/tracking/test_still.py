"""A still table stays still: no label, number or outline flickers, and a quiet frame is not read."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.tracking.table import IN_AND_OUT, SIZE_PX, SPOTS, Lying, Moment, Script, card, changes, die, paint, twelve
from visionset.geometry import Frame
from visionset.messages import at_table
from visionset.pieces import SET_DECK, Kind
from visionset.table import Reread, Settled, Sighting, Table, Taken
from visionset.tracking import TableTracker, TrackerOptions, follow
from visionset.tracking.options import RemarkOptions
from visionset.tracking.remarks import Remarks

TABLE = Moment(twelve())


def view(x: float, y: float) -> tuple[tuple[float, ...], ...]:
    return (1.0, 0.0, x), (0.0, 1.0, y), (0.0, 0.0, 1.0)


def test_a_quiet_table_is_read_twice_and_never_again() -> None:
    script = Script().stay(TABLE, 60)
    told = script.follow()
    assert script.readings == TrackerOptions().readings
    assert all(one.table.sightings is told[5].table.sightings for one in told[5:])
    assert [one.table.frame_index for one in told] == list(range(60))


def test_flicker_fading_light_and_a_shaking_camera_are_no_news() -> None:
    rng = np.random.default_rng(1)
    script = Script()
    for index in range(90):
        fade = 1 - 0.4 * index / 90 + 0.02 * (index % 2)
        script.moments.append(replace(TABLE, gain=fade, view=view(*rng.uniform(-1.2, 1.2, 2))))
    told = script.follow()
    assert len(changes(told)) == 12
    assert all(one.table.sightings is told[5].table.sightings for one in told[5:])
    assert not any(one.held for one in told[5:])


def test_a_camera_that_is_bumped_by_less_than_outlines_may_lie_off_takes_no_name_away() -> None:
    def misread(reading: int, lying: Lying) -> Lying:
        return replace(lying, face=SET_DECK[80], confidence=0.96) if reading > 2 and reading % 2 and lying.face == SET_DECK[25] else lying

    script = Script(misread=misread).stay(TABLE, 8)
    for step in range(20):
        script.stay(replace(TABLE, view=view(2.0 * (step % 2), 2.0 * (step // 2 % 2))), 3)
    told = script.follow()
    assert script.readings > 10
    assert {one.table.pieces for one in told[5:]} == {told[5].table.pieces}
    assert not any(one.passing for one in told[5:])


def test_readings_that_differ_are_pooled_not_counted() -> None:
    """Two of three readings say one thing faintly, the third says another for sure."""
    right, wrong = SET_DECK[40], SET_DECK[41]
    start = Moment((card(40, 5),))

    def misread(reading: int, lying: Lying) -> Lying:
        if reading % 3 == 0:
            return replace(lying, face=right, confidence=0.98, runner_up=wrong)
        return replace(lying, face=wrong, confidence=0.52, runner_up=right, named=False)

    told = Script(misread=misread).stay(start, 12).follow()
    assert told[-1].table.pieces == (right,)


def test_one_wrong_reading_does_not_change_a_settled_piece() -> None:
    def misread(reading: int, lying: Lying) -> Lying:
        return replace(lying, face=SET_DECK[80], confidence=0.9) if reading == 3 and lying.face == SET_DECK[25] else lying

    script = Script(misread=misread).stay(TABLE, 8)
    for _ in range(2):
        script.pass_over(TABLE, [(320.0, 470.0), (320.0, 170.0), (320.0, 470.0)], 12).stay(TABLE, 10)
    assert changes(script.follow()[8:]) == []


def test_one_overlooked_piece_and_one_phantom_are_no_news() -> None:
    def misread(reading: int, lying: Lying) -> Lying | None:
        return None if reading in {3, 5} and lying.face == SET_DECK[25] else lying

    script = Script(misread=misread).stay(TABLE, 8)
    for _ in range(2):
        script.pass_over(TABLE, [(320.0, 470.0), (320.0, 170.0), (320.0, 470.0)], 12).stay(TABLE, 12)
    assert changes(script.follow()[8:]) == []


def test_an_unsure_piece_is_there_to_be_asked_about() -> None:
    unsure = replace(card(40, 5), confidence=0.5, named=False, runner_up=SET_DECK[41])
    told = Script().stay(Moment((*twelve()[:5], unsure)), 12).follow()
    (doubt,) = [one for one in told[-1].table.sightings if one.piece is None]
    assert doubt.guess is not None
    assert (doubt.guess.piece, doubt.guess.runner_up) == (SET_DECK[40], SET_DECK[41])
    assert doubt.track is not None


def test_cards_that_are_out_of_the_deck_help_the_reading() -> None:
    unsure = replace(card(40, 5), confidence=0.55, named=False, runner_up=SET_DECK[41])
    script = Script().stay(Moment((unsure,)), 12)
    tracker, told = TableTracker(script.read), []
    for frame in script.frames():
        told.append(tracker.see(frame))
        if frame.index == 8:
            tracker.exclude([SET_DECK[40]])
    assert told[8].table.pieces == (None,)
    assert told[9].table.pieces == (SET_DECK[41],)
    assert [type(one) for one in told[9].changes] == [Reread]


def test_what_is_out_of_the_deck_is_still_believed_when_it_is_plain_to_see() -> None:
    """A card that was won lies on the table again: the game has to be told, not the reader overruled."""
    script = Script().stay(Moment((replace(card(40, 5), confidence=0.98),)), 8)
    tracker = TableTracker(script.read)
    tracker.exclude([SET_DECK[40]])
    told = [tracker.see(frame) for frame in script.frames()]
    assert told[-1].table.pieces == (SET_DECK[40],)


def test_no_card_is_named_twice_with_one_deck() -> None:
    twice = Moment((card(40, 5), replace(card(40, 6), confidence=0.8)))
    assert Script().stay(twice, 10).follow()[-1].table.pieces == (SET_DECK[40], None)
    options = TrackerOptions()
    two = replace(options, settle=replace(options.settle, names=replace(options.settle.names, decks=2)))
    assert Script().stay(twice, 10).follow(two)[-1].table.pieces == (SET_DECK[40], SET_DECK[40])


_QUARTER = np.array([[0.0, -1.0], [1.0, 0.0]])


def turned(frame: Frame) -> Frame:
    """What a phone sees that is turned by a quarter: the picture has another shape."""
    return replace(frame, image_bgr=np.ascontiguousarray(np.rot90(frame.image_bgr)))


def follow_a_turned_phone(script: Script, first: int) -> list[Settled]:
    """Follow a table whose pictures are turned from one of them on."""

    def read(frame: Frame) -> Table:
        table = script.read(frame)
        if frame.index < first:
            return table
        seen = [replace(one, outline_px=one.outline_px @ _QUARTER + np.array([0, SIZE_PX[0]])) for one in table.sightings]
        return replace(table, size_px=SIZE_PX[::-1], sightings=tuple(seen))

    tracker = TableTracker(read, TrackerOptions(has_glance=False))
    return [tracker.see(frame if frame.index < first else turned(frame)) for frame in script.frames()]


@pytest.mark.parametrize("lying", [TABLE.lying, (die(3, *SPOTS[5]), die(5, *SPOTS[6]))])
def test_pieces_stay_the_same_while_a_phone_is_turned(lying: tuple[Lying, ...]) -> None:
    """From a new track a game would take them for gone and laid again, and dice for thrown."""
    told = follow_a_turned_phone(Script().stay(Moment(lying), 30), 10)
    assert changes(told[10:]) == []
    assert told[10].held
    assert not told[-1].held
    before, after = ({one.track: one.piece for one in told[at].table.sightings} for at in (9, -1))
    assert after == before
    assert told[-1].table.size_px == SIZE_PX[::-1]


def test_what_lies_there_no_more_once_a_phone_was_turned_is_taken() -> None:
    fewer = Moment(TABLE.lying[3:])
    told = follow_a_turned_phone(Script().stay(TABLE, 10).stay(fewer, 20), 10)
    assert sorted(changes(told[10:])) == sorted(f"Taken {one.face}" for one in TABLE.lying[:3])
    assert Counter(told[-1].table.pieces) == Counter(one.face for one in fewer.lying)


def test_a_clock_set_back_is_survived() -> None:
    script = Script().stay(TABLE, 10)
    tracker = TableTracker(script.read)
    told = [
        tracker.see(Frame(frame.image_bgr, frame.index, frame.time_s if frame.index < 6 else frame.time_s - 0.3))
        for frame in script.frames()
    ]
    assert len(changes(told)) == 12
    assert not told[-1].held


@pytest.mark.parametrize("back_s", [0.3, 3600.0])
def test_what_changed_as_the_clock_was_set_back_is_seen(back_s: float) -> None:
    lying = list(TABLE.lying)
    lying[5] = replace(lying[5], face=SET_DECK[80])
    swapped = replace(TABLE, lying=tuple(lying))
    script = Script().stay(TABLE, 15).stay(swapped, 30)
    tracker = TableTracker(script.read)
    told = [
        tracker.see(Frame(frame.image_bgr, frame.index, 5000.0 + frame.time_s - (0 if frame.index < 15 else back_s)))
        for frame in script.frames()
    ]
    assert changes(told[15:]) == [f"Swapped {SET_DECK[80]}"]


def test_what_was_said_to_be_lasts_no_longer_where_the_clock_is_set_back() -> None:
    start = replace(TABLE, lying=TABLE.lying[:3] + TABLE.lying[4:7])
    script = Script().stay(start, 8).stay(replace(start, view=view(95.0, 60.0)), 75)
    tracker = TableTracker(script.read)
    told = [tracker.see(replace(frame, time_s=5000.0 + frame.time_s - (0 if frame.index < 40 else 3600))) for frame in script.frames()]
    assert [any("camera moved" in at_table(remark) for remark in told[at].remarks) for at in (39, -1)] == [True, False]


def test_follow_gives_one_answer_a_frame() -> None:
    script = Script().stay(TABLE, 5)
    assert [one.table.frame_index for one in follow(script.frames(), script.read)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("moment", "says"),
    [
        (replace(TABLE, lying=(), gain=0.05), "too dark"),
        (Moment(()), "nothing seen"),
        (replace(TABLE, blur=7.0), "out of focus"),
    ],
)
def test_remarks_come_when_they_matter(moment: Moment, says: str) -> None:
    script = Script(misread=lambda reading, lying: None).stay(moment, 60)
    told = script.follow()
    assert any(says in at_table(remark) for remark in told[-1].remarks)


def test_a_light_that_goes_out_takes_no_card() -> None:
    told = Script().stay(TABLE, 8).stay(replace(TABLE, gain=0.03), 30).stay(TABLE, 12).follow()
    assert changes(told[8:]) == []
    assert all(one.held for one in told[12:36])
    assert any("too dark" in at_table(remark) for remark in told[30].remarks)
    assert [all(one.blind for one in told[12:36]), told[7].blind, told[-1].blind] == [True, False, False]
    assert not told[-1].held


def test_remarks_go_when_mended() -> None:
    dark, light = Moment((), gain=0.05), TABLE
    told = Script().stay(dark, 50).stay(light, 15).follow()
    assert any("too dark" in at_table(remark) for remark in told[49].remarks)
    assert told[-1].remarks == ()


def test_a_dark_table_that_is_read_is_not_remarked_on() -> None:
    told = Script().stay(replace(TABLE, gain=0.2), 60).follow()
    assert told[-1].remarks == ()
    assert not any(one.blind for one in told)


def test_an_empty_table_is_seen_as_one_that_nobody_sees() -> None:
    assert Script().stay(TABLE, 8).stay(Moment(()), 60).follow()[-1].blind


@pytest.mark.slow
def test_a_hand_is_remarked_on_only_after_several_seconds() -> None:
    way = [(320.0, 200.0), (380.0, 220.0)] * 20
    told = Script().stay(TABLE, 8).pass_over(TABLE, way, 90).follow()
    said = [at for at, one in enumerate(told) if any("hand" in at_table(remark) for remark in one.remarks)]
    assert said
    assert said[0] >= 8 + 3 * 15 - 2


def test_an_unread_card_at_the_edge_and_one_in_glare_are_explained() -> None:
    unread = {"named": False, "confidence": 0.4}
    cut = replace(card(40, 0), x=30.0, **unread)
    told = Script().stay(Moment((cut, card(41, 6))), 12).follow()
    assert tuple(map(at_table, told[-1].remarks)) == ("the card at top left is cut off by the edge of the picture",)
    glaring = Moment((replace(card(40, 5), **unread),))

    def read(frame: Frame) -> Table:
        return Table(SIZE_PX, (glaring.lying[0].sighting(np.eye(3), np.zeros((4, 2))),))

    tracker = TableTracker(read)
    for index in range(10):
        image = paint(glaring, index)
        x, y = (int(v) for v in (glaring.lying[0].x, glaring.lying[0].y))
        image[y - 20 : y + 20, x - 30 : x + 10] = 255
        told_now = tracker.see(Frame(image, index, index / 15))
    assert tuple(map(at_table, told_now.remarks)) == (
        "glare on the card in the middle: tilt the camera or move the lamp",
    ) or "glare" in at_table(told_now.remarks[0])


def test_a_table_that_is_only_read_again_is_not_held() -> None:
    """A new card that every other reading misses is waited for; what lies there otherwise still stands."""
    new = card(70, 5)
    before = Moment(tuple(one for at, one in enumerate(twelve()) if at != 5))
    after = Moment((*before.lying, new))
    script = Script(misread=lambda reading, lying: None if lying == new and reading % 3 else lying)
    told = script.stay(before, 8).pass_over(before, IN_AND_OUT, 18, after).stay(after, 40).follow()
    quiet = [at for at, one in enumerate(told) if at >= 26 and not one.held]
    assert quiet[0] < 26 + 12
    assert quiet == list(range(quiet[0], len(told)))
    assert script.readings > 10


def test_small_print_in_a_sharp_picture_is_not_out_of_focus() -> None:
    picture = np.full((120, 120, 3), 240, np.uint8)
    picture[54:66, 56:60] = picture[54:58, 56:66] = 20
    outline = np.array([[52.0, 50.0], [68.0, 50.0], [68.0, 70.0], [52.0, 70.0]])
    remarks = Remarks(RemarkOptions())
    for blur, said in ((0.6, False), (2.5, True)):
        image = cv2.GaussianBlur(picture, (0, 0), blur)
        index = Sighting(Kind.PLAYING_CARD, outline, None, 0.5, track=1)
        remarks.settled(image, [index], (), 0.0)
        lines = remarks.lines(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), Table((120, 120), (index,)), False, False, False, 0.0)
        assert any("out of focus" in at_table(line) for line in lines) is said


@pytest.mark.parametrize(("side_px", "said"), [(24, ["the card in the middle is too small to read: bring the camera closer"]), (60, [])])
def test_an_unread_card_that_is_small_is_told_to_be_small(side_px: int, said: list[str]) -> None:
    image = np.full((120, 120, 3), 90, np.uint8)
    outline = 60 + np.array([[-0.33, -0.5], [0.33, -0.5], [0.33, 0.5], [-0.33, 0.5]]) * side_px
    cv2.fillConvexPoly(image, outline.round().astype(np.int32), (200, 200, 200))
    card = Sighting(Kind.PLAYING_CARD, outline, None, 0.5, track=1)
    remarks = Remarks(RemarkOptions())
    remarks.settled(image, [card], (), 0.0)
    told = remarks.lines(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), Table((120, 120), (card,)), False, False, False, 0.0)
    assert [at_table(line) for line in told] == said


def test_what_is_read_in_the_very_frame_is_not_held_back_where_a_moving_view_rests_for_a_moment() -> None:
    """A hand passed while the view moved, so that the table of before is in doubt: what is shown meanwhile is not that table."""

    def misread(reading: int, lying: Lying) -> Lying:
        return replace(lying, face=SET_DECK[80 - reading % 3], confidence=0.7) if lying.face == SET_DECK[25] else lying

    steps_px = (4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 0.8, 4.0, 0.8, 4.0)
    script = Script(misread=misread).stay(TABLE, 8)
    for step, x in enumerate(np.cumsum(steps_px)):
        script.moments.append(replace(TABLE, view=view(x, 0.0), hand=(300.0, 200.0) if step == 5 else None))
    told = script.follow()
    assert told[13].held
    assert told[15].passing
    assert not any(one.held for one in told[14:])


def test_cards_out_of_the_picture_are_told_of_until_the_camera_is_back() -> None:
    script = Script().stay(TABLE, 8)
    way = [*range(0, 200, 8), *[200] * 20, *range(200, 0, -8), *[0] * 12]
    for shift in way:
        script.stay(replace(TABLE, view=view(-shift, 0)), 1)
    told = script.follow()
    assert told[7].beyond == ()
    away = told[8 + 44]
    assert len(away.beyond) >= 3
    assert set(away.beyond) | set(away.table.pieces) == {one.face for one in TABLE.lying}
    assert (told[-1].beyond, set(told[-1].table.pieces)) == ((), {one.face for one in TABLE.lying})
    assert not any(isinstance(one, Taken) for one in changes(told))


@pytest.mark.parametrize("step_px", [1.3, pytest.param(0.7, marks=pytest.mark.slow)])
def test_a_card_that_is_overlooked_for_long_is_not_left_behind_by_a_view_that_moves_slowly(step_px: float) -> None:
    """It is known by its place alone; each look that lost some of the way had it told as taken, and as new once it was read again."""
    there = np.arange(0, 60, step_px)
    way = np.concatenate([there, there[::-1]])
    script = Script().stay(TABLE, 8)
    script.moments += [replace(TABLE, view=view(x, 0.3 * x)) for x in way]
    script.stay(TABLE, 12)
    tracker = TableTracker(script.read)
    told: list[Settled] = []
    glare = range(16, 8 + len(way))
    script.misread = lambda _, one: None if one.face == TABLE.lying[5].face and len(told) in glare else one
    for frame in script.frames():
        told.append(tracker.see(frame))
    assert changes(told)[len(TABLE.lying) :] == []
