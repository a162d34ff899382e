from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.builders import NINE, ONE_SET, deal, picture
from visionset.geometry import signed_area
from visionset.overlay import Line, Reveal, Tag, View, draw_table, paint, shown_groups
from visionset.overlay.drawing import OKABE_ITO, WHITE
from visionset.overlay.outline import Outline
from visionset.pieces import PACK, SET_DECK, SET_DIE_FACES, Kind, Piece, PipDie, PlayingCard, SetDie
from visionset.table import Sighting, Table
from visionset.table_sets import sets_of, sets_on_table
from visionset.words import label_lines

DECK = [str(card) for card in SET_DECK]


SHOW_ALL = View()


def tags(table: Table, view: View = SHOW_ALL) -> list[Tag]:
    return [mark for mark in draw_table(table, sets_on_table(table.pieces), view).marks if isinstance(mark, Tag)]


def lines(table: Table, view: View = SHOW_ALL) -> list[Line]:
    return [mark for mark in draw_table(table, sets_on_table(table.pieces), view).marks if isinstance(mark, Line)]


def touch(first: Tag, second: Tag) -> bool:
    a, b = first.box, second.box
    return a.left < b.left + b.width and b.left < a.left + a.width and a.top < b.top + b.height and b.top < a.top + a.height


@settings(max_examples=40)
@given(
    names=st.lists(st.sampled_from([*DECK, "?"]), min_size=1, max_size=18, unique=True),
    card_px=st.floats(45, 130),
    gap_px=st.floats(0, 40),
    turn_deg=st.floats(0, 360),
)
def test_symbols_stay_as_they_are_and_tags_apart(names: list[str], card_px: float, gap_px: float, turn_deg: float) -> None:
    table = deal(names, (640, 400), card_px, gap_px, columns=6, turn_deg=turn_deg)
    drawing = draw_table(table, sets_on_table(table.pieces))
    before = picture(table)
    rng = np.random.default_rng(0)
    before = np.asarray(before + rng.integers(0, 10, before.shape), np.uint8)
    changed = (paint(drawing, before) != before).any(axis=2)
    for card in table.sightings:
        if card.piece is None:
            continue  # where a "?" finds no other room it lies on the card it asks about
        zone = np.round(Outline.of(card).symbols(card)).astype(np.int32)
        inside = np.zeros(changed.shape, np.uint8)
        cv2.fillConvexPoly(inside, zone, 1)
        inside = cv2.erode(inside, np.ones((5, 5), np.uint8))  # the zone has more than two pixels to spare
        assert not (changed & (inside > 0)).any(), str(card.piece)
    placed = [mark for mark in drawing.marks if isinstance(mark, Tag)]
    for number, first in enumerate(placed):
        assert first.box.left >= 0
        assert first.box.top >= 0
        assert first.box.left + first.box.width <= 640
        assert first.box.top + first.box.height <= 400
        assert not any(touch(first, second) for second in placed[number + 1 :] if first.lines != ("?",))


def test_cards_with_room_are_labelled_in_words() -> None:
    table = deal(NINE, gap_px=80)
    assert {" ".join(tag.lines) for tag in tags(table, View(hint=Reveal.OFF))} == {
        "1 red solid oval",
        "2 red solid ovals",
        "3 red solid ovals",
        "1 green open diamond",
        "2 purple solid squiggles",
        "1 purple solid oval",
        "2 green open ovals",
        "3 red open diamonds",
        "?",
    }


def test_no_name_is_shortened_where_there_is_room_for_all() -> None:
    for gap_px in (30, 45):
        table = deal(DECK[40:52], (960, 540), 110, gap_px, columns=6)
        for tag, piece in zip(tags(table, View(hint=Reveal.OFF)), table.pieces, strict=True):
            assert piece is not None
            assert " ".join(tag.lines) == label_lines(piece)[0][0]


def test_a_note_lies_where_no_piece_does_and_labels_beside_it() -> None:
    table = deal(DECK[:12], (960, 540), 110, 30, columns=6)
    marks = [mark for mark in draw_table(table, (), note="51 SETs, 8 of them drawn").marks if isinstance(mark, Tag)]
    (note,) = [tag for tag in marks if tag.lines == ("51 SETs, 8 of them drawn",)]
    assert not any(touch(note, tag) for tag in marks if tag is not note)


def test_values_of_pip_dice_are_large() -> None:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    for width, height in ((1280, 720), (4000, 3000)):
        for share in (0.03, 0.1):
            seen = Sighting(Kind.PIP_DIE, square * share * width + width / 3, PipDie(5), 0.9)
            (tag,) = tags(Table((width, height), (seen,)))
            assert tag.size_px >= 0.018 * np.sqrt(width * height)


def test_labels_go_below_their_cards() -> None:
    table = deal(NINE[:6])
    for card, tag in zip(table.sightings, tags(table, View(hint=Reveal.OFF)), strict=True):
        assert tag.box.center[0] == pytest.approx(float(card.center_px[0]), abs=40)
        assert tag.box.top > card.center_px[1]


def test_labels_can_be_left_out() -> None:
    assert [tag.lines for tag in tags(deal(NINE), View(hint=Reveal.OFF, labels=False))] == [("?",)]


def test_unread_card_is_dashed_white_with_a_question_mark() -> None:
    table = deal(["?"])
    assert [tag.lines for tag in tags(table)] == [("?",)]
    (line,) = lines(table)
    assert line.color_bgr == WHITE
    assert line.dash_px > 0


def test_each_hint_gives_away_so_much() -> None:
    table = deal(NINE)
    sets = sets_on_table(table.pieces)
    assert sets[0] == (0, 1, 2)
    outlined = {hint: len({position for group in shown_groups(sets, View(hint=hint)) for position in group.positions}) for hint in Reveal}
    everything = len({position for trio in sets for position in trio})
    assert outlined == {Reveal.OFF: 0, Reveal.COUNT: 0, Reveal.ONE: 1, Reveal.TWO: 2, Reveal.ALL: everything}


def test_stepping_wraps_round_both_ways() -> None:
    table = deal(DECK[:12], columns=6, card_px=120)
    sets = sets_on_table(table.pieces)
    assert len(sets) == 13
    assert [shown_groups(sets, View(step=step))[0].positions for step in (0, 13, -1)] == [sets[0], sets[0], sets[12]]


def test_groups_can_be_told_apart_and_are_no_more_than_that() -> None:
    table = deal(DECK[:12], columns=6, card_px=120)
    groups = shown_groups(sets_on_table(table.pieces), View())
    assert len(groups) == 8
    assert len({(group.color_bgr, group.is_dashed) for group in groups}) == 8
    assert [group.letter for group in groups] == list("ABCDEFGH")
    assert shown_groups(tuple((0, 1, 2) for _ in range(30)), View(step=26))[0].letter == "27"


def test_one_set_needs_no_badge_several_do() -> None:
    assert not [tag for tag in tags(deal(ONE_SET)) if tag.is_round]
    table = deal(DECK[:9], card_px=140)
    badges = [tag.lines[0] for tag in tags(table) if tag.is_round]
    assert {badge: badges.count(badge) for badge in badges} == dict.fromkeys("ABCDEFGH", 3)


def test_lines_of_several_sets_on_a_card_do_not_cover_each_other() -> None:
    table = deal(DECK[:9])
    for card in table.sightings:
        around = [line for line in lines(table) if np.abs(line.points_px.mean(axis=0) - card.center_px).max() < 1]
        areas = sorted(abs(signed_area(line.points_px)) for line in around)
        assert 1 <= len(around) <= 3
        assert all(small < large for small, large in pairwise(areas))


@settings(max_examples=20)
@example(seed=0, side_px=64.5, die=0.359375)
@given(seed=st.integers(0, 2**31), side_px=st.floats(57, 90), die=st.floats(0.35, 1.0))
def test_faces_of_dice_and_indices_of_playing_cards_stay_as_they_are(seed: int, side_px: float, die: float) -> None:
    rng = np.random.default_rng(seed)
    pieces: list[Piece] = [*rng.choice(np.array(SET_DIE_FACES, object), 8), *rng.choice(np.array(PACK, object), 4), PipDie(3)]
    seen = []
    for place, piece in enumerate(pieces):
        row, column = divmod(place, 5)
        size = side_px * (np.array([1.0, 1.4]) if isinstance(piece, PlayingCard) else np.array([die, die]))
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size + np.array([column, row]) * side_px * 1.45 + 5
        seen.append(Sighting(piece.kind, corners, piece, 0.9))
    table = Table((700, 420), tuple(seen))
    before = picture(table)
    changed = (paint(draw_table(table, sets_of(table).sets), before) != before).any(axis=2)
    for thing in table.sightings:
        inside = np.zeros(changed.shape, np.uint8)
        cv2.fillConvexPoly(
            inside, np.round(0.85 * (Outline.of(thing).symbols(thing) - thing.center_px) + thing.center_px).astype(np.int32), 1
        )
        inside = cv2.erode(inside, np.ones((3, 3), np.uint8))  # its corners are rounded to pixels, outwards too
        assert inside.any()
        assert not (changed & (inside > 0)).any(), str(thing.piece)
    for tag in tags(table, View(hint=Reveal.OFF)):
        assert any(tag.lines in label_lines(piece) for piece in pieces)


def test_dice_and_playing_cards_with_room_are_labelled() -> None:
    names = [SetDie.parse("2-red-oval"), SetDie(), PipDie(5), PlayingCard.parse("QH"), PlayingCard.parse("TS")]
    square = np.array([[0, 0], [80, 0], [80, 80], [0, 80]])
    seen = [Sighting(piece.kind, square + np.array([40 + 180 * at, 100]), piece, 0.9) for at, piece in enumerate(names)]
    back = Sighting(Kind.CARD_BACK, square + np.array([40, 300]), None, 0.9)
    table = Table((960, 540), (*seen, back))
    assert [" ".join(tag.lines) for tag in tags(table)] == ["2 red ovals", "WILD", "5", "Q hearts", "10 spades"]
    assert len(lines(table)) == 6  # a card that lies face down is outlined and asks for nothing


def test_drawing_scales_with_the_picture() -> None:
    small, large = lines(deal(ONE_SET, (640, 360), 80, 20)), lines(deal(ONE_SET, (2560, 1440), 320, 80))
    for a, b in zip(small, large, strict=True):
        assert b.width_px == pytest.approx(4 * a.width_px, rel=0.05)
        assert b.points_px == pytest.approx(4 * a.points_px, abs=2)


@pytest.mark.parametrize(
    "corners",
    [[[5, 5], [5, 5], [5, 5], [5, 5]], [[0, 0], [50, 0], [100, 0], [150, 0]], [[-900, -900], [-800, -900], [-800, -850], [-900, -850]]],
)
def test_degenerate_outlines_do_no_harm(corners: list[list[float]]) -> None:
    from tests.builders import sighting

    table = Table((320, 240), (sighting("1-red-open-oval", corners), sighting("?", corners)))
    image = np.zeros((240, 320, 3), np.uint8)
    assert paint(draw_table(table, ()), image).shape == image.shape


def test_an_empty_table_is_left_alone() -> None:
    assert draw_table(Table((640, 480)), ()).marks == ()


def test_colours_are_those_of_the_palette() -> None:
    hexes = {f"#{red:02X}{green:02X}{blue:02X}" for blue, green, red in OKABE_ITO}
    assert hexes == {"#F0E442", "#56B4E9", "#D55E00", "#0072B2"}
