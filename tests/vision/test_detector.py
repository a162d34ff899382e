from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.geometry import signed_area
from visionset.vision import finder
from visionset.vision.detector import closer, die_starts, find, first_look, index_starts, merge, with_set_cards
from visionset.vision.finder import AXIS_UNIT_PX, STRIDE_PX, DetectorClass, Looks, Proposals, decode, windows
from visionset.vision.options import FindOptions

EVERYWHERE = np.empty((0, 4, 2))
"""No doubts: all of the picture is looked at."""

angle = st.floats(0, 2 * np.pi)


def cell_map(center, long_axis, short_axis, score=0.9, label=DetectorClass.SET_CARD, size=24):
    """The network's map with one piece on it, as training would have it."""
    cells = np.zeros((18, size, size), np.float32)
    cells[:6] = -8.0
    column, row = round(center[0] / STRIDE_PX), round(center[1] / STRIDE_PX)
    cells[label, row, column] = np.log(score / (1 - score))
    cells[6:8, row, column] = center[0] / STRIDE_PX - column, center[1] / STRIDE_PX - row
    if label == DetectorClass.DIE:
        u, v = complex(*long_axis), complex(*short_axis)
        side = abs(u * v) ** 0.5
        p, q = (u * u + v * v) / side / AXIS_UNIT_PX, (u * v) ** 2 / side**3 / AXIS_UNIT_PX
        cells[14:18, row, column] = p.real, p.imag, q.real, q.imag
        return cells
    for at, axis in ((8, long_axis), (11, short_axis)):
        x, y = axis
        cells[at : at + 3, row, column] = np.array([x * x, x * y, y * y]) / np.hypot(x, y) / AXIS_UNIT_PX
    return cells


@given(st.tuples(st.floats(20, 70), st.floats(20, 70)), angle, st.floats(10, 60), st.floats(0.3, 2.8), st.floats(0.2, 0.9))
def test_a_card_on_the_map_comes_back(center, turn, length, between, slim):
    long_axis = length * np.array([np.cos(turn), np.sin(turn)])
    short_axis = slim * length * np.array([np.cos(turn + between), np.sin(turn + between)])
    found = decode(cell_map(center, long_axis, short_axis), min_score=0.25)
    assert len(found) == 1
    assert found.label[0] == DetectorClass.SET_CARD
    assert np.allclose(found.center_px[0], center, atol=1e-3)
    assert found.score[0] == pytest.approx(0.9, abs=1e-4)
    for got, want in ((found.long_px[0], long_axis), (found.short_px[0], short_axis)):
        assert min(np.abs(got - want).max(), np.abs(got + want).max()) < 1e-3 * length
    quad = found.quads()[0]
    assert signed_area(quad) > 0
    assert np.allclose(quad.mean(axis=0), center, atol=1e-3)
    assert np.linalg.norm(quad[3] - quad[0]) == pytest.approx(2 * length, rel=1e-3)  # the quad begins at a short side


@given(st.tuples(st.floats(20, 70), st.floats(20, 70)), angle, st.floats(4, 60), st.floats(0.6, 2.5), st.floats(0.3, 1.0))
def test_a_die_on_the_map_comes_back_whatever_the_order_of_its_axes(center, turn, length, between, slim):
    u = length * np.array([np.cos(turn), np.sin(turn)])
    v = slim * length * np.array([np.cos(turn + between), np.sin(turn + between)])
    (quad,) = decode(cell_map(center, u, v, label=DetectorClass.DIE), min_score=0.25).quads()
    (same,) = decode(cell_map(center, -v, u, label=DetectorClass.DIE), min_score=0.25).quads()
    assert np.allclose(quad, same, atol=1e-3 * length)
    assert signed_area(quad) > 0
    for corner in (u + v, u - v, -u + v, -u - v):
        assert np.linalg.norm(quad - center - corner, axis=1).min() < 2e-3 * length


def test_kinds_of_card_are_alternatives_and_other_things_are_not():
    cells = cell_map((40, 40), (20, 0), (0, 13))
    cells[DetectorClass.PLAYING_CARD, 10, 10] = 0.0
    cells[DetectorClass.INDEX, 10, 10] = 1.0
    found = decode(cells, min_score=0.25)
    assert sorted(found.label) == [DetectorClass.SET_CARD, DetectorClass.INDEX]
    card = found.of(DetectorClass.SET_CARD)
    assert card.scores[0, [DetectorClass.PLAYING_CARD, DetectorClass.INDEX]].tolist() == [0.5, 0.0]


def test_low_scores_are_no_proposals():
    assert len(decode(cell_map((40, 40), (20, 0), (0, 13), score=0.2), min_score=0.25)) == 0


@given(st.permutations(range(3)))
def test_merge_keeps_the_best_of_each_card(order):
    center = np.array([[100.0, 100.0], [104.0, 98.0], [170.0, 100.0]])[order]
    score = np.array([0.5, 0.9, 0.7])[order]
    long_px, short_px = np.tile([0.0, 40.0], (3, 1)), np.tile([26.0, 0.0], (3, 1))
    scores = np.zeros((3, 6))
    scores[:, DetectorClass.SET_CARD] = score
    kept = merge(Proposals(center, long_px, short_px, np.zeros(3, np.int64), scores), same_piece=0.45)
    assert kept.score.tolist() == [0.9, 0.7]
    other = np.where(score == 0.5, DetectorClass.DIE, DetectorClass.SET_CARD)
    assert len(merge(Proposals(center, long_px, short_px, other, scores), same_piece=0.45)) == 3


def test_dice_are_looked_for_at_sizes_the_finder_knows(monkeypatch):
    looked = []

    def look(image_bgr, long_side_px, *_how):
        looked.append(long_side_px)
        return nothing

    options = FindOptions()
    nothing = decode(np.full((18, 4, 4), -9.0, np.float32), min_score=0.25)
    monkeypatch.setattr(finder, "propose", look)
    for side_px in (16, 40, 120, 300):
        looked.clear()
        half = side_px / 2
        die = Proposals(
            np.full((1, 2), 300.0),
            np.array([[half, 0]]),
            np.array([[0, half]]),
            np.array([DetectorClass.DIE]),
            np.eye(6)[[DetectorClass.DIE]],
        )
        looks = Looks(np.zeros((720, 1280, 3), np.uint8), options)
        assert die_starts(looks, die, EVERYWHERE, None).shape == (0, 4, 2)
        assert die_starts(looks, die, EVERYWHERE, None).shape == (0, 4, 2)
        assert len(looked) == len(set(looked))
        assert looked
        low, high = options.die_range_px
        assert all(low <= side_px * px / 1280 <= high for px in {*looked} - {*options.coarse_px})
    looked.clear()
    die_starts(Looks(np.zeros((120, 160, 3), np.uint8), options), nothing, EVERYWHERE, None)
    assert looked
    assert max(looked) < options.most_enlarged * 160


def test_a_hint_at_a_die_near_the_camera_is_a_start_in_every_size_and_one_at_a_smaller_die_is_none(monkeypatch):
    """Where no die is sure: cloths hint at hundreds of small ones."""
    hints = [(DetectorClass.DIE, 0.2, 300.0, 400.0), (DetectorClass.DIE, 0.2, 900.0, 100.0), (DetectorClass.SET_CARD, 0.2, 600.0, 400.0)]
    monkeypatch.setattr(finder, "propose", lambda *_: proposals(*hints))
    looks = Looks(np.zeros((720, 1280, 3), np.uint8), FindOptions())
    starts = die_starts(looks, Proposals.none(), EVERYWHERE, None)
    assert {*starts.mean(axis=1)[:, 0]} == {300.0}
    assert len(starts) == len(looks.looked_at_px) > len(looks.options.coarse_px)


def test_one_look_at_dice_takes_in_what_a_coarse_one_shows_of_a_die_nearer_to_the_camera(monkeypatch):
    options = FindOptions()
    dice, near = [(DetectorClass.DIE, 0.9, 100.0 * at, 90.0) for at in range(1, 4)], (DetectorClass.DIE, 0.5, 900.0, 500.0)
    small, card = (DetectorClass.DIE, 0.5, 1100.0, 90.0), (DetectorClass.SET_CARD, 0.9, 700.0, 150.0)

    def seen(*first):
        asked = []

        def look(_image, px, *_how):
            asked.append(px)
            return proposals(near, small) if px == options.coarse_px[0] else proposals(*first)

        monkeypatch.setattr(finder, "propose", look)
        return sorted(first_look(Looks(np.zeros((720, 1280, 3), np.uint8), options))[0].center_px[:, 0]), asked

    assert seen(*dice) == ([100.0, 200.0, 300.0, 900.0], [options.first_px, options.coarse_px[0]])
    assert seen(card) == ([700.0], [options.first_px])  # beside cards nothing is asked for


@given(st.lists(st.floats(-40, 40), min_size=8, max_size=8))
def test_dice_are_proposed_as_they_lie_by_the_parallelogram_that_is_nearest(off):
    """Its sides join the middles of theirs."""
    quad = np.array([[100.0, 100.0], [300.0, 110.0], [310.0, 290.0], [90.0, 300.0]]) + np.reshape(off, (4, 2))
    (there,) = Proposals.of_dice(quad[None]).quads()
    middles, wanted = ((one + np.roll(one, -1, axis=0)) / 2 for one in (there, quad))
    assert min(np.abs(np.roll(middles, turn, axis=0) - wanted).max() for turn in range(4)) < 1e-9


@pytest.mark.parametrize("doubts", [EVERYWHERE, np.array([[[900.0, 500.0], [940.0, 500.0], [940.0, 540.0], [900.0, 540.0]]])])
def test_a_die_that_is_surely_read_is_kept_as_it_lies_where_more_looks_are_taken(monkeypatch, doubts):
    worse = (DetectorClass.DIE, 0.9, 290.0, 130.0)
    monkeypatch.setattr(finder, "propose", lambda *_: proposals(worse))
    sure_px = np.array([[[250.0, 250.0], [350.0, 250.0], [350.0, 350.0], [250.0, 350.0]]])
    looks = Looks(np.zeros((720, 1280, 3), np.uint8), FindOptions())
    found, _ = closer(looks, frozenset(DetectorClass), doubts, sure_px)
    near = found.pick(np.abs(found.center_px - (300.0, 300.0)).max(axis=1) < 50)
    (kept,) = near.quads()
    assert {*map(tuple, kept)} == {*map(tuple, sure_px[0])}
    found, _ = closer(looks, frozenset(DetectorClass), doubts, EVERYWHERE)
    assert (290.0, 300.0) in map(tuple, found.center_px)


def test_all_of_the_largest_picture_is_looked_at_where_strewn_dice_are_small_there(monkeypatch):
    looked = []

    def look(image_bgr, long_side_px, *_how):
        looked.append((image_bgr.shape[1], long_side_px))
        return Proposals.none()

    monkeypatch.setattr(finder, "propose", look)
    options = FindOptions()
    places = np.array([[[600.0, 300.0], [640.0, 300.0], [640.0, 340.0], [600.0, 340.0]]])
    for side_px, smallest_px, is_looked_at in ((40, np.inf, True), (60, np.inf, False), (60, 40.0, True), (40, None, False)):
        looked.clear()
        near, far = (DetectorClass.DIE, 0.9, 100.0, 90.0), (DetectorClass.DIE, 0.9, 900.0, float(side_px))
        dice = proposals(near, near, far)
        dice = replace(dice, short_px=dice.long_px[:, ::-1])
        die_starts(Looks(np.zeros((720, 1280, 3), np.uint8), options), dice, EVERYWHERE, places, smallest_px)
        assert ((1280, max(options.die_px)) in looked) == is_looked_at
    small = Looks(np.zeros((360, 640, 3), np.uint8), options)
    looked.clear()
    die_starts(small, dice, EVERYWHERE, places, np.inf)
    assert max(px for _, px in looked) <= options.most_enlarged * 640


def proposals(*pieces):
    """DetectorClass, score, middle and long side in pixels of a picture of 1280."""
    center = np.array([(x, 300.0) for _, _, x, _ in pieces])
    long_px = np.array([(side / 2, 0.0) for *_, side in pieces])
    label = np.array([label for label, *_ in pieces])
    scores = np.eye(6)[label] * np.array([[score] for _, score, *_ in pieces])
    return Proposals(center, long_px, long_px[:, ::-1] * 0.7, label, scores)


def test_what_looks_like_a_card_as_small_as_several_dice_is_proposed_as_a_die_too(monkeypatch):
    card, dice = (DetectorClass.SET_CARD, 0.5, 900.0, 90.0), [(DetectorClass.DIE, 0.9, 100.0 * at, 75.0) for at in range(1, 5)]

    def labels_at_card(*pieces):
        monkeypatch.setattr(finder, "propose", lambda *_: proposals(*pieces))
        found = find(Looks(np.zeros((720, 1280, 3), np.uint8), FindOptions()), frozenset(DetectorClass))
        return sorted(found.pick(found.center_px[:, 0] == 900.0).label.tolist())

    assert labels_at_card(*dice, card) == [DetectorClass.SET_CARD, DetectorClass.DIE]
    assert labels_at_card(*dice[:2], card) == [DetectorClass.SET_CARD]
    assert labels_at_card(*dice, (DetectorClass.SET_CARD, 0.5, 900.0, 260.0)) == [DetectorClass.SET_CARD]


def test_the_first_look_brings_what_is_likely_and_hints_apart_from_it_unless_these_are_many_or_a_piece_is_small(monkeypatch):
    def shown(*pieces):
        monkeypatch.setattr(finder, "propose", lambda *_: proposals(*pieces))
        found, hints_px = first_look(Looks(np.zeros((720, 1280, 3), np.uint8), FindOptions()))
        return sorted(found.center_px[:, 0].tolist()), sorted(hints_px[:, 0].tolist())

    cards = [(DetectorClass.SET_CARD, 0.9, 100.0 * at, 150.0) for at in range(1, 31)]
    middles = [100.0 * at for at in range(1, 31)]
    assert shown(*cards) == (middles, [])
    apart, within = (DetectorClass.SET_CARD, 0.2, 4000.0, 150.0), (DetectorClass.DIE, 0.3, 210.0, 20.0)
    assert shown(*cards, apart, within) == ([*middles, 4000.0], [210.0])
    weak = [(DetectorClass.SET_CARD, 0.2, 4000.0 + 100 * at, 150.0) for at in range(9)]
    assert len(shown(*cards, *weak)[0]) == 39
    assert len(shown(*cards[:2], *weak[:8])[0]) == 10
    assert shown(*cards[:2], *weak)[0] == []
    for label, small, large in (
        (DetectorClass.PLAYING_CARD, 95.0, 105.0),
        (DetectorClass.SET_CARD, 95.0, 105.0),
        (DetectorClass.DIE, 60.0, 70.0),
    ):
        assert shown((label, 0.9, 100.0, small))[0] == []
        assert shown((label, 0.9, 100.0, large))[0] == [100.0]
    assert shown((DetectorClass.SET_CARD, 0.2, 100.0, 150.0))[0] == []
    somewhat_small = [(DetectorClass.SET_CARD, 0.9, 100.0 * at, 120.0) for at in range(1, 11)]
    assert len(shown(*somewhat_small, *weak[:1])[0]) == 11
    assert shown(*somewhat_small, *weak[:2])[0] == []
    assert shown(*((DetectorClass.SET_CARD, 0.9, 150.0 * at, 120.0) for at in range(40)))[0] == []
    die_sized = (DetectorClass.SET_CARD, 0.9, 2000.0, 90.0)
    dice = [(DetectorClass.DIE, 0.9, 100.0 * at, 75.0) for at in range(1, 5)]
    assert len(shown(*dice, die_sized)[0]) == 5  # no card that calls for a closer look: a die that looks like one
    assert shown(*dice[:2], die_sized)[0] == []


def test_the_finest_look_leaves_out_what_is_likely_and_large_enough(monkeypatch):
    """Two cards that are well seen and one that is small: what is looked at finest is around the small one."""
    looked = []

    def look(image, px, *_):
        looked.append((image.shape[:2], px))
        if image.shape[:2] != (1080, 1920):
            return Proposals.none()
        return proposals((DetectorClass.SET_CARD, 0.9, 300.0, 160.0), (DetectorClass.SET_CARD, 0.9, 700.0, 160.0), *small)

    monkeypatch.setattr(finder, "propose", look)
    small = [(DetectorClass.SET_CARD, 0.9, 1500.0, 60.0)]
    find(Looks(np.zeros((1080, 1920, 3), np.uint8), FindOptions()), frozenset(DetectorClass))
    first_px, *fine_px = FindOptions().first_px, *FindOptions().fine_px
    assert [px for size, px in looked if size == (1080, 1920)] == [first_px, fine_px[0]]
    ((height, width), _) = looked[-1]
    assert max(height, width) < 200
    looked.clear()
    small = []
    find(Looks(np.zeros((1080, 1920, 3), np.uint8), FindOptions()), frozenset(DetectorClass))
    assert fine_px[1] not in [px for _, px in looked]


def test_other_cards_keep_their_places_beside_hundreds_of_set_cards_that_a_cloth_looks_like(monkeypatch):
    options = FindOptions()
    squares = [(DetectorClass.SET_CARD, 0.9, 500.0 * at, 150.0) for at in range(1, 300)]
    monkeypatch.setattr(finder, "propose", lambda *_: proposals(*squares))
    cards = [(DetectorClass.PLAYING_CARD, 0.5, 500.0 * 400, 150.0), (DetectorClass.CARD_BACK, 0.5, 500.0 * 401, 150.0)]
    hint = (DetectorClass.PLAYING_CARD, 0.3, 500.0 * 402, 150.0)
    found = proposals(*((DetectorClass.SET_CARD, 0.45, x, side) for _, _, x, side in squares[:9]), *cards, hint)
    kept = with_set_cards(found, np.zeros((720, 1280, 3), np.uint8), options, EVERYWHERE)
    assert len(kept.of(DetectorClass.SET_CARD)) == options.most
    assert kept.pick(~kept.is_any(DetectorClass.SET_CARD)).center_px[:, 0].tolist() == [x for _, _, x, _ in cards]


def test_what_the_first_look_hints_at_is_not_forgotten_beside_a_card_near_the_camera(monkeypatch):
    near, weak = (DetectorClass.SET_CARD, 0.9, 600.0, 700.0), (DetectorClass.SET_CARD, 0.2, 1200.0, 90.0)
    options = FindOptions()
    monkeypatch.setattr(finder, "propose", lambda _image, px, *_: proposals(near if px == options.coarse_px[0] else weak))
    found, hints_px = first_look(Looks(np.zeros((720, 1280, 3), np.uint8), options))
    assert found.center_px[:, 0].tolist() == [600.0]
    assert hints_px[:, 0].tolist() == [1200.0]


PLACES = st.lists(st.tuples(st.floats(-50, 700), st.floats(-50, 500), st.floats(5, 90)), max_size=12)


@given(PLACES, st.floats(0, 3))
def test_windows_lie_apart_in_the_picture_and_hold_every_place_in_it(places, margin):
    quads = np.array([[[x, y], [x + side, y], [x + side, y + side], [x, y + side]] for x, y, side in places]).reshape(-1, 4, 2)
    boxes = windows(quads, margin, (640, 480))
    assert boxes.shape == (len(boxes), 4)
    assert (boxes[:, :2] >= 0).all()
    assert (boxes[:, 2:] <= (640, 480)).all()
    for at, (left, top, right, bottom) in enumerate(boxes):
        assert left <= right
        assert top <= bottom
        for other in boxes[:at]:
            assert left >= other[2] or other[0] >= right or top >= other[3] or other[1] >= bottom
    for quad in quads:
        center = quad.mean(axis=0)
        if (center > 1).all() and (center < (639, 479)).all():
            assert any((box[:2] <= center).all() and (center <= box[2:]).all() for box in boxes)


def test_what_the_edge_of_a_window_cuts_is_left_to_a_look_that_shows_all_of_it(monkeypatch):
    """Cut off it may seem likelier than where it lies; what the edge of the picture cuts off is all there is."""

    def look(image, *_):
        height, width = image.shape[:2]
        centers = np.array([[30.0, 30.0], [width - 5.0, 30.0], [30.0, height - 5.0], [width - 5.0, height - 5.0]])
        scores = np.tile(0.9 * np.eye(6)[DetectorClass.SET_CARD], (4, 1))
        return Proposals(centers, np.tile([8.0, 0], (4, 1)), np.tile([0, 6.0], (4, 1)), np.full(4, int(DetectorClass.SET_CARD)), scores)

    monkeypatch.setattr(finder, "propose", look)
    for left, top, kept in ((0, 0, 1), (600, 0, 2), (600, 400, 4)):
        place = np.array([[[left, top], [left + 120, top], [left + 120, top + 120], [left, top + 120]]], float)
        assert len(Looks(np.zeros((480, 720, 3), np.uint8), FindOptions()).around(place, 0.5, 640)) == kept


def test_large_sizes_are_looked_at_around_what_is_in_doubt_alone(monkeypatch):
    """What is seen in a window is told in pixels of the picture."""
    seen = []

    def look(image, px, *_):
        seen.append((max(image.shape[:2]), px))
        return Proposals(
            np.full((1, 2), 10.0),
            np.array([[8.0, 0]]),
            np.array([[0, 3.0]]),
            np.array([DetectorClass.INDEX]),
            np.eye(6)[[DetectorClass.INDEX]],
        )

    monkeypatch.setattr(finder, "propose", look)
    place = np.array([[[600.0, 400.0], [657.0, 400.0], [657.0, 487.0], [600.0, 487.0]]])
    nothing = Proposals.none()
    looks = Looks(np.zeros((720, 1280, 3), np.uint8), FindOptions(index_range_px=(0.0, 1e9)))
    starts = index_starts(looks, nothing, place)
    assert len(starts) == len(seen) > 0
    assert all(long_side_px < 320 for long_side_px, _ in seen)
    for (long_side_px, px), whole in zip(seen, looks.options.large_px, strict=True):
        assert px / long_side_px == pytest.approx(whole / 1280, rel=0.02)
    assert np.allclose(starts.mean(axis=1), (600 - 0.5 * 87 + 10, 400 - 0.5 * 87 + 10), atol=1)
    again = index_starts(looks, nothing, place)
    assert np.array_equal(again, starts)
    assert len(seen) == len(starts)  # no window is looked at twice
    seen.clear()
    assert index_starts(looks, nothing, np.empty((0, 4, 2))).shape == (0, 4, 2)
    assert not seen
    everywhere = np.array([[[0.0, 0.0], [1280.0, 0.0], [1280.0, 720.0], [0.0, 720.0]]])
    index_starts(looks, nothing, everywhere)
    assert [px for _, px in seen] == list(looks.options.large_px)


@pytest.mark.parametrize(
    "size",
    [(1280, 720), (960, 541), (200, 100), *(pytest.param(one, marks=pytest.mark.slow) for one in ((1281, 720), (384, 288), (2003, 1127)))],
)
@pytest.mark.parametrize("long_side_px", [160, 384, 768, 1100])
def test_a_picture_is_shrunk_about_as_if_pixels_were_averaged(size: tuple[int, int], long_side_px: int) -> None:
    """As sharp, and nothing moves: both would show in the mean of what differs, and in how much the pictures vary."""
    scale = long_side_px / max(size)
    grain = np.random.default_rng(0).normal(0, 1, (size[1], size[0], 3))
    rough = cv2.GaussianBlur(grain, (0, 0), max(1.0, 0.6 / scale))  # what is finer is lost either way
    picture = np.clip(127 + 40 * rough / rough.std(), 0, 255).astype(np.uint8)
    small = (round(size[0] * scale), round(size[1] * scale))
    got = finder._resized(picture, small).astype(float)
    want = cv2.resize(picture, small, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR).astype(float)
    assert got.shape == want.shape
    assert np.abs(got - want).mean() < 4
    assert got.std() == pytest.approx(want.std(), rel=0.08)
