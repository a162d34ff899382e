"""Scripted tables: what lies where in each frame, and that frames are the same whichever way they are reached."""

import itertools

import numpy as np
import pytest
from sample_recipes.clips import CLIPS, SET_TAKEN, Action, Script, moments, script_clip, spans

from visionset.art import DeckStyle
from visionset.pieces import SET_DECK
from visionset.render.camera import Sensor, Viewpoint
from visionset.render.layouts import Spot
from visionset.render.materials import MATERIALS
from visionset.render.stage import Light, Pose
from visionset.render.table_pieces import set_flat
from visionset.render.table_plan import LaidFlat, TablePlan

LEFT, RIGHT = Pose(Spot(-50.0, 0.0, 0.0)), Pose(Spot(50.0, 5.0, 0.1))
FIRST, SECOND, THIRD = (LaidFlat(set_flat(SET_DECK[at], DeckStyle()), pose) for at, pose in ((4, LEFT), (40, RIGHT), (77, LEFT)))
PLAN = TablePlan(3, Viewpoint((200, 150), 0.7, 25.0, 0.0, 700.0, (100.0, 75.0)), Light(), Sensor(), MATERIALS["felt"])
SMALL = Script(
    PLAN,
    (
        Action("rest", 0.3),
        Action("deal", 0.93, SECOND),
        Action("rest", 0.2),
        Action("take", 1.0, FIRST),
        Action("deal", 0.93, THIRD),
        Action("pass", 1.8, way_mm=((0.0, 300.0), (0.0, 0.0), (0.0, 300.0))),
    ),
    (FIRST,),
)


def test_spans_follow_one_another_without_a_gap():
    found = spans(SMALL)
    assert found[0][1] == 0
    assert all(after == first for (_, _, after), (_, first, _) in itertools.pairwise(found))
    assert len(moments(SMALL)) == found[-1][2]


def test_cards_lie_after_their_deal_and_not_after_their_take():
    story = moments(SMALL)
    for action, first, after in spans(SMALL):
        before_it, after_it = set(story[first].lying), set(story[after - 1].lying)
        if action.kind == "deal":
            assert action.card not in before_it
            assert action.card in after_it
        elif action.kind == "take":
            assert action.card in before_it
            assert action.card not in after_it
        else:
            assert before_it == after_it


def test_a_card_never_lies_and_moves_at_once():
    for moment in moments(SMALL):
        if moment.held:
            assert moment.held.flat not in {one.flat for one in moment.lying}
            assert moment.hand is not None, "cards do not move by themselves"


def test_a_dealt_card_arrives_where_it_then_lies():
    story = moments(SMALL)
    _, first, after = spans(SMALL)[1]
    way = [m.held.pose.place for m in story[first:after] if m.held]
    gaps = [float(np.hypot(p.x_mm - RIGHT.place.x_mm, p.y_mm - RIGHT.place.y_mm)) for p in way]
    assert gaps[-1] < 10.0, "what is left is within a frame's reach"
    assert all(a > b for a, b in itertools.pairwise(gaps)), "the way goes straight there"


def test_any_frame_can_be_rendered_by_itself():
    clip = script_clip(SMALL)
    whole = [clip.frame(at) for at in range(6, 12)]
    assert script_clip(SMALL).frame(9).image_bgr.tobytes() == whole[3].image_bgr.tobytes()


def test_quiet_frames_differ_by_noise_and_drift_alone():
    first, second = map(script_clip(SMALL).frame, (0, 1))
    change = np.abs(first.image_bgr.astype(int) - second.image_bgr)
    assert first.quiet
    assert second.quiet
    assert change.max() > 0, "each frame has its own noise"
    assert change.mean() < 3


def test_a_hand_hides_what_is_under_it():
    _, first, after = spans(SMALL)[-1]
    shown = script_clip(SMALL).frame((first + after) // 2)
    assert shown.covered > 0.05
    assert any(card.visible < 0.9 for card in shown.lying)
    assert all(0 <= card.visible <= 1 for card in shown.lying)


@pytest.mark.parametrize("name", CLIPS)
def test_clips_deal_each_card_once(name):
    script = CLIPS[name]()
    cards = [one.flat.piece for one in script.start] + [a.card.flat.piece for a in script.actions if a.kind == "deal"]
    assert len(set(cards)) == len(cards)


def test_the_round_takes_a_set():
    taken = [str(a.card.flat.piece) for a in CLIPS["round-1280x720"]().actions if a.kind == "take"]
    assert taken == list(SET_TAKEN)
    for values in zip(*(name.split("-") for name in taken), strict=True):
        assert len(set(values)) in (1, 3)
