"""A camera that is bumped in mid-game: all lies elsewhere in the picture, and nobody has touched anything."""

from __future__ import annotations

import numpy as np

from tests.referee.tabletop import outline
from tests.referee.test_english_sets import dealt
from tests.referee.test_set_takes import begun, fresh, lift, no_set_and_a_fourth, settle, spot, twelve
from visionset.geometry import Quad, apply
from visionset.messages import at_table
from visionset.pieces import SET_DECK, Kind, Piece, PlayingCard
from visionset.referee.eyes import Eyes
from visionset.referee.player_input import CallSet
from visionset.referee.rulings import Differ
from visionset.referee.sightings import view_moved
from visionset.table import Moved, Sighting, Table

SIZE_PX = (1280, 720)
HALF_A_CARD_PX = (45.0, 10.0)


def test_cards_that_were_dealt_in_the_places_of_a_wrong_take_give_nobody_a_set_after_a_bump() -> None:
    """S5: three that are no SET were taken and dealt for, and who looks at a fourth card has it in the hand."""
    table = begun()
    seed, three, fourth = no_set_and_a_fourth()
    twelve(table, seed)
    table.say(CallSet(1))
    lift(table, (*three, fourth))
    table.bump(*HALF_A_CARD_PX)
    for place, card in zip(three, fresh(table, 3), strict=True):
        table.lay(card, (spot(place)[0] + HALF_A_CARD_PX[0], spot(place)[1] + HALF_A_CARD_PX[1]), sure=True)
    settle(table)
    table.wait(2)
    assert table.director.state.scores == (0, 0, 0)
    assert table.director.showing.differ != ""


def test_a_playing_card_in_the_place_of_another_is_asked_about_and_has_not_come_from_the_pack() -> None:
    table, _ = dealt("JC 4D 8C 6C", "2H 3S KC 7C")
    table.bump(30.0, 10.0)
    track = table.track(PlayingCard.parse("8C"))
    right, down = table.lying[track].center_px
    table.take(track)
    table.lay(PlayingCard.parse("8D"), (float(right), float(down)), sure=True)
    table.settle()
    table.wait(1.5)
    assert at_table(table.director.showing.differ) == "8 of diamonds lies where the game has 8 of clubs"


def seen(track: int, at_px: tuple[float, float], piece: Piece | None = None) -> Sighting:
    return Sighting(Kind.SET_CARD, outline(Kind.SET_CARD, at_px), piece or SET_DECK[track], 0.99, None, track)


BEFORE = Table(SIZE_PX, tuple(seen(track, (150.0 + 150 * track, 300.0)) for track in range(5)))
TILT = np.array([[0.998, -0.05, 60.0], [0.05, 0.998, -20.0], [0.0, 0.0, 1.0]])


def bumped(outline_px: Quad) -> Quad:
    return apply(TILT, outline_px)


def test_the_view_is_told_by_the_pieces_that_nobody_moved() -> None:
    nudged = seen(4, (900.0, 500.0))
    now = tuple(Sighting(one.kind, bumped(one.outline_px), one.piece, 0.99, None, one.track) for one in BEFORE.sightings[:4])
    for changes in ((Moved(BEFORE.sightings[4], nudged),), ()):  # a push that is too short is not told
        view = view_moved(BEFORE, Table(SIZE_PX, (*now, nudged)), changes)
        assert view is not None
        assert np.allclose(view, TILT, atol=0.5)


def test_pieces_that_hands_move_are_no_bump() -> None:
    pushed = tuple(seen(track, (150.0 + 150 * track, 330.0)) for track in range(2))
    assert view_moved(BEFORE, Table(SIZE_PX, (*pushed, *BEFORE.sightings[2:])), ()) is None
    assert view_moved(Table(SIZE_PX, BEFORE.sightings[:2]), Table(SIZE_PX, pushed), ()) is None
    assert view_moved(BEFORE, BEFORE, ()) is None


def test_a_piece_that_people_passed_over_for_good_stays_passed_over() -> None:
    eyes = Eyes(frozenset({Kind.SET_CARD}), lambda track, piece: None)
    eyes.look(BEFORE)
    too_early = Differ("it does not belong there yet", (4,))
    eyes.overrule(too_early)
    eyes.count_again()
    eyes.overrule(too_early)
    now = tuple(Sighting(one.kind, bumped(one.outline_px), one.piece, 0.99, None, one.track) for one in BEFORE.sightings)
    eyes.follow_view(TILT)
    eyes.look(Table(SIZE_PX, now))
    assert [one.track for one in eyes.table().sightings] == [0, 1, 2, 3]
