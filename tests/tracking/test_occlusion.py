"""What is hidden is not gone, and what is gone is not hidden: arms in sleeves over cards, on tables that differ from place to place."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

import numpy as np
import pytest

from tests.clips.arms import FPS, SIZE_PX, Case, case, dice_table, pose
from tests.clips.moments import Item, Moment
from tests.clips.stage import Look, Stage
from tests.tracking.table import IN_AND_OUT, Script, card, changes, twelve
from tests.tracking.table import Moment as Scene
from visionset.geometry import Frame
from visionset.pieces import SET_DECK, SET_DIE_FACES, Kind, Piece, PipDie, SetCard, SetDie
from visionset.render.layouts import Spot
from visionset.table import Appeared, Change, Moved, Sighting, Swapped, Table, Taken, Thrown
from visionset.tracking import TableTracker

TOLD_S = 0.5
"""Bar: from the hand's going until a card that was taken is told."""


def follow(made: Case, seed: int) -> list[tuple[int, Change]]:
    """What is told after the cards were first seen, with the frame."""
    tracker = TableTracker(made.read)
    told = [(frame.index, change) for frame in made.frames(seed) for change in tracker.see(frame).changes]
    assert all(isinstance(change, Appeared) for index, change in told if index == told[0][0])
    return [(index, change) for index, change in told if index > told[0][0]]


def check(seed: int) -> list[float]:
    """All that is told are the cards that were taken, each once; seconds from the hand's going until then."""
    made = case(seed)
    told = follow(made, seed)
    assert all(isinstance(change, Taken) for _, change in told), made.name
    gone = {change.before.piece: index for index, change in told if isinstance(change, Taken)}
    assert set(gone) == set(made.taken), made.name
    assert len(gone) == len(told), made.name
    return [(gone[piece] - index) / FPS for piece, index in made.taken.items()]


@pytest.mark.parametrize("seed", [31, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (25, 51))])
def test_cards_are_gone_when_they_are_taken_and_not_when_an_arm_rests_over_them(seed: int) -> None:
    """A sleeve like the felt rests over a card; cards are taken from a stained marble table, and from place mats on terrazzo."""
    assert all(delay <= TOLD_S for delay in check(seed))


RED, PURPLE, OTHER = SetCard.parse("2-red-solid-oval"), SetCard.parse("2-purple-solid-squiggle"), SetCard.parse("1-green-open-diamond")


def lying(card: SetCard, x_mm: float) -> Item:
    return Item(card, Spot(x_mm, 40.0, 0.0))


def test_a_card_that_is_refilled_by_one_with_marks_of_much_the_same_form_is_swapped() -> None:
    stage = Stage(Look(SIZE_PX, 480.0, 20.0, 0.0, 1000.0, (0.5, 0.5), "oak"))
    before, after = (lying(RED, 0.0), lying(OTHER, 90.0)), (lying(PURPLE, 0.0), lying(OTHER, 90.0))
    hand = [
        Moment(now, pose(np.array([0.0, y]), -np.pi / 2, 20.0))
        for y, now in ((120.0, before), (60.0, before), (60.0, after), (120.0, after))
    ]
    made = Case("refilled", stage, [Moment(before)] * 8 + hand + [Moment(after)] * 10)
    (told,) = follow(made, 0)
    assert isinstance(told[1], Swapped)
    assert (told[1].before.piece, told[1].after.piece) == (RED, PURPLE)


def test_an_arm_that_rests_beside_the_cards_is_told_and_gone_when_it_leaves() -> None:
    stage = Stage(Look(SIZE_PX, 480.0, 20.0, 0.0, 1000.0, (0.5, 0.5), "oak"))
    cards = (lying(RED, 0.0), lying(OTHER, 90.0))
    arm = Moment(cards, pose(np.array([-150.0, 60.0]), -np.pi / 2, 12.0))
    made = Case("beside", stage, [Moment(cards)] * 8 + [arm] * 12 + [Moment(cards)] * 10)
    tracker = TableTracker(made.read)
    told = [tracker.see(frame) for frame in made.frames()]
    assert [told[at].covered for at in (7, 19, -1)] == [False, True, False]
    assert told[19].hidden == ()  # it lies beside them
    assert not told[19].held


def test_the_table_is_held_until_all_dice_that_a_hand_has_laid_side_by_side_are_told() -> None:
    """One beside the shadow of another may still be in the hand; until then nobody's turn is over and nobody has left a place empty."""
    stage = Stage(Look(SIZE_PX, 300.0, 25.0, 0.0, 1000.0, (0.5, 0.5), "oak"))
    faces = [SetDie.parse(name) for name in ("1-red-oval", "2-green-oval", "3-purple-oval")]
    first, *more = (Item(face, Spot(25.0 * number, 40.0, 0.0)) for number, face in enumerate(faces))
    hand = pose(np.array([50.0, 40.0]), -np.pi / 2, 20.0)
    laid = [Moment((first,))] * 8 + [Moment((first,), hand)] * 3 + [Moment((first, *more), hand)] * 3
    made = Case("side by side", stage, laid + [Moment((first, *more))] * 30)
    tracker = TableTracker(made.read)
    told = [tracker.see(frame) for frame in made.frames()]
    last = max(number for number, one in enumerate(told) if one.changes)
    assert len(told[last].table.sightings) == len(faces)
    assert all(one.held or one.changes for one in told[len(laid) : last])
    assert not any(one.held for one in told[last:])


@pytest.mark.parametrize("taken", [(2,), (3,), (0, 1), (1, 2), (2, 3)])
def test_dice_that_are_taken_from_beside_others_are_gone_though_they_took_their_shadows_along(taken: tuple[int, ...]) -> None:
    """The bare table was never seen there, and the side and the shadow of another die show now where it lay."""
    stage = Stage(Look(SIZE_PX, 300.0, 40.0, 0.0, 1000.0, (0.5, 0.5), "oak"))
    dice = [Item(face, Spot(25.0 * (place % 3), 25.0 * (place // 3), 0.0)) for place, face in enumerate(SET_DIE_FACES[:4])]
    rest = tuple(one for at, one in enumerate(dice) if at not in taken)
    hand = pose(np.array([dice[taken[0]].place.x_mm, dice[taken[0]].place.y_mm]), -np.pi / 2, 20.0)
    made = Case("taken", stage, [Moment(tuple(dice))] * 8 + [Moment(tuple(dice), hand)] * 4 + [Moment(rest)] * 12)
    told = [change for _, change in follow(made, 0)]
    assert {change.before.piece for change in told if isinstance(change, Taken)} == {dice[at].piece for at in taken}
    assert len(told) == len(taken)


@pytest.mark.parametrize(("die_mm", "tip_mm", "high_mm"), [(30.0, 27.0, 26.0), (20.0, 8.0, 18.0)])
def test_fingertips_that_rest_over_a_die_at_the_edge_of_the_picture_do_not_take_it(die_mm: float, tip_mm: float, high_mm: float) -> None:
    """Little is seen of them: the first time more than a die and its shadow, the second time less."""
    stage = Stage(Look(SIZE_PX, 300.0, 40.0, 0.0, 1000.0, (0.5, 0.5), "oak"))
    near = float(stage.view.table_mm()[2:, 1].max())
    dice = tuple(Item(face, Spot(60.0 * number, near - die_mm, 0.0)) for number, face in enumerate(SET_DIE_FACES[:2]))
    hand = pose(np.array([0.0, near - tip_mm]), -np.pi / 2, high_mm)
    assert follow(Case("rests", stage, [Moment(dice)] * 8 + [Moment(dice, hand)] * 30), 0) == []


FULL, BARE = Scene(twelve()), Scene(())
WHITE, DARK = 235.0, 45.0


def under_a_sheet(share: float, brightness: float, after: Scene) -> list[str]:
    """What is told when a sheet slides over twelve cards, rests, and slides off what lies there then."""
    script = Script().stay(FULL, 8)
    for scene, shares in ((FULL, np.linspace(0.1, 1, 10)), (after, np.ones(15)), (after, np.linspace(0.9, 0, 10))):
        script.moments += [replace(scene, sheet=(share * float(part), brightness)) for part in shares]
    return changes(script.stay(after, 12).follow())[len(FULL.lying) :]


@pytest.mark.parametrize(("share", "brightness"), [(0.95, WHITE), (0.95, DARK), (0.7, WHITE), (0.5, WHITE)])
def test_a_plain_sheet_over_the_picture_is_no_lamp_on_a_table_from_which_the_cards_are_gone(share: float, brightness: float) -> None:
    """A newspaper, a cloth, the lid of a laptop: the marks on the table have gone with the cards."""
    assert under_a_sheet(share, brightness, FULL) == []


def test_cards_that_were_taken_under_a_sheet_are_told_when_it_goes() -> None:
    assert set(under_a_sheet(0.95, WHITE, BARE)) == {f"Taken {one.face}" for one in FULL.lying}


@pytest.mark.parametrize("gain", [1.0, 1.7])
def test_all_cards_are_taken_at_once_although_the_camera_makes_the_bare_table_brighter(gain: float) -> None:
    after = replace(BARE, gain=gain)
    told = changes(Script().stay(FULL, 8).pass_over(FULL, IN_AND_OUT, 18, after).stay(after, 12).follow())
    assert set(told[len(FULL.lying) :]) == {f"Taken {one.face}" for one in FULL.lying}


@pytest.mark.slow
def test_a_hundred_tables() -> None:
    delays = [delay for seed in range(100) for delay in check(seed)]
    assert len(delays) > 80
    assert median(delays) <= TOLD_S / 2
    assert max(delays) <= 2 * TOLD_S


@pytest.mark.slow
def test_forty_tables_of_dice() -> None:
    """Of dice an arm hides the more: all but few of those that were taken are told, hardly any of those that it hides."""
    taken, told = set[tuple[int, Piece]](), set[tuple[int, Piece | None]]()
    for seed in range(40):
        made = case(seed, dice_table)
        taken |= {(seed, piece) for piece in made.taken}
        told |= {(seed, change.before.piece) for _, change in follow(made, seed) if isinstance(change, Taken)}
    assert len(taken) > 30
    assert len(taken - told) <= len(taken) / 10
    assert len(told - taken) <= 1


SIZE_OF_FRAME = 640, 360


def picture(die_px: tuple[int, int], arm_px: int = 0) -> np.ndarray:
    """A cloth with a white die and its shadow, and a dark arm so many pixels into the picture from the right."""
    width, height = SIZE_OF_FRAME
    image = np.random.default_rng(1).integers(90, 130, (height // 8, width // 8, 3), np.uint8).repeat(8, axis=0).repeat(8, axis=1)
    x, y = die_px
    image[y + 6 : y + 44, x + 14 : x + 58] //= 2
    image[y : y + 30, x : x + 30] = 235
    image[60:150, width - arm_px :] = (30, 40, 90)
    return np.ascontiguousarray(image)


def test_the_shadow_of_a_die_that_lay_at_the_edge_is_no_arm_when_it_is_gone() -> None:
    """Who is done is not judged while an arm rests over the table: a bare place at the edge is none."""
    at_edge, elsewhere = (SIZE_OF_FRAME[0] - 48, 200), (200, 100)
    where = [*[(at_edge, 0)] * 10, *[(elsewhere, 0)] * 20, *[(elsewhere, 200)] * 20]
    now = iter(range(len(where)))

    def read(frame: Frame) -> Table:
        x, y = where[frame.index][0]
        corners = np.array([[x, y], [x + 30, y], [x + 30, y + 30], [x, y + 30]], float)
        return Table(SIZE_OF_FRAME, (Sighting(Kind.PIP_DIE, corners, PipDie(3), 0.99),), frame.index)

    tracker = TableTracker(read)
    told = [tracker.see(Frame(picture(*where[at]), at, at / FPS)) for at in now]
    assert [told[at].covered for at in (9, 29)] == [False, False]
    assert any(isinstance(change, Moved | Thrown) for one in told for change in one.changes)
    assert told[-1].covered


def test_a_card_that_is_laid_across_the_edge_of_the_picture_is_no_arm() -> None:
    """Nobody waits for hands to leave where there are none."""
    after = replace(FULL, lying=(*FULL.lying, replace(card(80, 7), x=610.0)))
    told = Script().stay(FULL, 8).pass_over(FULL, IN_AND_OUT, 18, after).stay(after, 12).follow()
    assert changes(told[8:]) == [f"Appeared {SET_DECK[80]}"]
    assert not told[-1].covered
