from __future__ import annotations

import numpy as np
import pytest

from tests.builders import NINE, ONE_SET, Clock, FakeTracker, deal, picture
from visionset.assistant import Assistant, caption_of
from visionset.frame import Frame
from visionset.overlay import Reveal, View
from visionset.pieces import PipDie, SetCard
from visionset.table_sets import sets_on_table


def cards(*names: str) -> list[SetCard | None]:
    return [None if name == "?" else SetCard.parse(name) for name in names]


def test_unread_cards_keep_their_place() -> None:
    assert sets_on_table(cards("?", *ONE_SET)) == ((1, 2, 3),)


def test_other_pieces_take_no_part() -> None:
    assert sets_on_table([PipDie(3), *cards(*ONE_SET)]) == ((1, 2, 3),)


def test_a_card_twice_is_a_misreading_with_one_deck_and_a_copy_with_two() -> None:
    pieces = cards(*ONE_SET, ONE_SET[1])
    assert sets_on_table(pieces) == ()
    assert sets_on_table(pieces, decks=2) == ((0, 1, 2), (0, 2, 3))


def test_one_look_holds_everything_about_a_frame() -> None:
    table = deal(NINE)
    frame = Frame(picture(table), 7, 0.5)
    look = Assistant(FakeTracker(table)).look(frame)
    assert (look.frame, look.table) == (frame, table)
    assert look.sets == sets_on_table(table.pieces)
    assert list(look.timings_ms) == ["motion", "read", "SETs", "draw", "all"]


def test_a_table_is_called_held_only_when_that_lasts() -> None:
    tracker = FakeTracker(deal(NINE))
    assistant = Assistant(tracker)
    told = []
    for index in range(12):
        tracker.held = 2 <= index < 9
        told.append(caption_of(assistant.look(Frame(picture(tracker.table), index, index / 10)), View())[0])
    plain = told[0]
    assert [text == plain for text in told] == [not 4 <= index < 9 for index in range(12)]
    assert told[8] == f"{plain} · held while something moves"


def test_remarks_take_the_place_of_the_count_while_they_matter() -> None:
    tracker = FakeTracker(deal(NINE), remarks=("a hand is in the way", "the camera moved"))
    assistant, frame = Assistant(tracker), Frame(picture(deal(NINE)))
    assert caption_of(assistant.look(frame), View()) == ("a hand is in the way", True)
    tracker.remarks = ()
    assert caption_of(assistant.look(frame), View()) == ("9 cards (1 not sure) · 1 SET", False)


def test_pace_is_measured_over_frames() -> None:
    clock = Clock(step_s=0.01)  # looked at three times a frame
    table = deal(NINE)
    looks = list(Assistant(FakeTracker(table), clock=clock).looks(Frame(picture(table), index) for index in range(50)))
    assert looks[0].fps == 0
    assert looks[-1].fps == pytest.approx(1 / 0.03)
    assert looks[-1].timings_ms["all"] == pytest.approx(20.0)


def test_drawing_leaves_the_frame_alone_and_follows_the_view() -> None:
    table = deal(NINE, (640, 360), 90, 20)
    image = picture(table)
    assistant = Assistant(FakeTracker(table))
    look = assistant.look(Frame(image.copy()))
    plain, hinted = (assistant.draw(look, View(hint=hint)) for hint in (Reveal.OFF, Reveal.ALL))
    assert np.array_equal(look.frame.image_bgr, image)
    assert (plain != image).any()
    assert (plain != hinted).any()
    assert np.array_equal(assistant.draw(look, View(hint=Reveal.OFF)), plain)
    assert assistant.draw(look, View(quarter_turns=1)).shape == (640, 360, 3)


def test_a_table_that_did_not_change_is_not_laid_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from visionset import assistant as module

    calls: list[View] = []
    draw = module.draw_table
    monkeypatch.setattr(module, "draw_table", lambda table, sets, view: calls.append(view) or draw(table, sets, view))
    table = deal(NINE)
    assistant = Assistant(FakeTracker(table))
    for index in range(5):
        assistant.draw(assistant.look(Frame(picture(table), index)), View())
    assert len(calls) == 1
    assistant.draw(assistant.look(Frame(picture(table), 9)), View(labels=False))
    assert len(calls) == 2
