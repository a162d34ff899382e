"""When the dice of a table call for more frames, and which."""

from dataclasses import replace

import numpy as np
import pytest

from visionset.pieces import SET_DIE_FACES, Kind, PlayingCard, SetCard
from visionset.table import Sighting
from visionset.vision import dice, dice_table, pipeline
from visionset.vision.dice import DieReadings
from visionset.vision.finder import DetectorClass, Proposals
from visionset.vision.options import ReadOptions
from visionset.vision.pipeline import Readers

SIDE = 30.0


def frame(x: float, y: float) -> np.ndarray:
    return np.array([x, y]) + np.array([[-SIDE, -SIDE], [SIDE, -SIDE], [SIDE, SIDE], [-SIDE, SIDE]]) / 2


def readings(*row: tuple[float, float, float], pips: bool = False) -> DieReadings:
    """Dice at places (x, y), each read with a probability; SET dice, or pips."""
    sure = np.array([share for *_, share in row])
    kind = np.zeros((len(row), 3))
    kind[:, 0], kind[:, 1 if pips else 2] = 1 - sure, sure
    faces = np.log(np.full((len(row), len(SET_DIE_FACES)), 1e-6))
    values = np.log(np.full((len(row), 6), 1e-6))
    faces[:, 3] = values[:, 3] = 0.0
    quads = np.array([frame(x, y) for x, y, _ in row]).reshape(-1, 4, 2)
    return DieReadings(quads, np.zeros(len(row)), kind, values, faces, np.full(len(row), 200.0))


NOWHERE = np.empty((0, 4, 2))
ROW = [(100.0, 100.0, 0.98), (131.0, 100.0, 0.98), (300.0, 200.0, 0.98)]


def asked(*row, quads=NOWHERE, cards=NOWHERE, pips=False):
    """Where more starts are looked for: around these quads, None for everywhere; and whether some may lie far away."""
    calls = []

    def more(*call):
        calls.append(call)
        return NOWHERE

    dice_table._more_starts(readings(*row, pips=pips), quads, NOWHERE, more, cards)
    return calls[0]


def reading(monkeypatch, *row):
    """Let dice be read at places (x, y) with a probability; what is asked about."""
    asked = []

    def read(readers, quads, options):
        asked.append(quads)
        return readings(*row)

    monkeypatch.setattr(dice_table, "_read", read)
    return asked


def asked_around(*row, quads=NOWHERE, cards=NOWHERE):
    return asked(*row, quads=quads, cards=cards)[0]


def test_large_sizes_are_looked_at_around_what_led_to_no_die_alone():
    led_nowhere = frame(400.0, 100.0)
    quads = np.concatenate([readings(*ROW).quad_px, led_nowhere[None]])
    assert np.array_equal(asked_around(*ROW, quads=quads), led_nowhere[None])
    assert asked_around(*ROW[:2], quads=quads) is None  # too few to know what the others look like
    cards = np.array([frame(100.0 * at, 300.0) for at in range(2)])
    assert len(asked_around(*ROW[:2], quads=quads, cards=cards)) == 2  # beside cards no more than what may be a die


def test_pip_dice_alone_are_looked_for_far_away():
    told = [asked(*row, pips=pips)[1] for row in (ROW, ROW[:2]) for pips in (False, True)]
    assert told == [None, pytest.approx(SIDE), None, None]


@pytest.mark.parametrize(
    ("row", "cards", "alone"),
    [([], 0, False), ([], 1, False), ([], 2, True), ([(400.0, 100.0, 0.45)], 2, True), ([(400.0, 100.0, 0.55)], 2, False)],
)
def test_no_dice_are_looked_for_among_cards_where_nothing_may_be_one(row, cards, alone):
    assert dice_table._are_cards_alone(readings(*row), np.array([frame(100.0 * at, 300.0) for at in range(cards)])) is alone


def test_free_squares_beside_set_dice_are_looked_at_in_any_case_and_beside_pip_dice_where_there_is_doubt():
    squares, turned = dice_table._like_the_others(readings(*ROW), NOWHERE)
    assert not len(turned)
    middles = squares.mean(axis=1)
    assert len(squares) == 6
    assert all(np.hypot(*(middles - (100, 100)).T) > 20)
    assert np.hypot(*(middles - (69, 100)).T).min() < 3
    assert [part.shape for part in dice_table._like_the_others(readings(*ROW, pips=True), NOWHERE)] == [(0, 4, 2)] * 2
    assert [len(part) for part in dice_table._like_the_others(readings(*ROW, pips=True), frame(500.0, 300.0)[None])] == [7, 1]


def test_dice_that_lie_side_by_side_by_chance_have_no_free_squares():
    """A neighbour that is turned by an eighth was not laid there."""
    row = readings(*ROW)
    turned = np.array([[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]]) * SIDE / np.sqrt(2)
    row.quad_px[1] = row.quad_px[1].mean(axis=0) + turned
    assert len(dice_table._next_squares(row)) == 0


def test_a_die_that_is_likely_is_looked_for_as_the_others_are_seen():
    likely = frame(500.0, 300.0)[None]
    for frames in dice_table._like_the_others(readings(*ROW), likely):
        assert np.hypot(*(frames[0].mean(axis=0) - (500, 300))) < 1


def test_a_die_in_a_free_square_shows_the_next_one(monkeypatch):
    """Three dice are found; the fourth and the fifth in their row are overlooked by every start."""
    row = [100.0 + 31 * at for at in range(5)]
    asked = []

    def read(readers, quads, options):
        asked.append(quads)
        there = [(x, 100.0, 0.98) for x in row if len(quads) and np.hypot(*(quads.mean(axis=1) - (x, 100.0)).T).min() < 8]
        return readings(*there)

    monkeypatch.setattr(dice_table, "_read", read)
    starts = np.array([frame(x, 100.0) for x in row[:3]])
    readers = Readers(np.zeros((200, 400, 3), np.uint8))
    seen, maybe_px = dice_table.sight_dice(readers.dice, starts, np.ones(3, bool), lambda *_: NOWHERE, [], ReadOptions())
    assert sorted(round(float(one.center_px[0])) for one in seen) == row
    assert len(maybe_px) == 5
    assert sum(len(quads) > 0 for quads in asked) == 3


def proposed(label: DetectorClass, score: float, *places: tuple[float, float, float]) -> Proposals:
    """Squares at places (x, y), so many sides of a die across."""
    across = np.array([times for *_, times in places])[:, None]
    squares = Proposals.of_dice(np.array([frame(x, y) for x, y, _ in places]))
    scores = np.zeros((len(places), len(DetectorClass)))
    scores[:, label] = score
    labels = np.full(len(places), int(label))
    return replace(squares, long_px=across * squares.long_px, short_px=across * squares.short_px, label=labels, scores=scores)


@pytest.mark.parametrize(
    ("label", "likely", "kinds", "left"),
    [
        (DetectorClass.SET_CARD, 0.2, frozenset(Kind), [132, 400]),
        (DetectorClass.PLAYING_CARD, 0.2, frozenset(Kind), [132, 400]),
        (DetectorClass.INDEX, 0.2, frozenset(Kind), [101, 132, 301, 400]),
        (DetectorClass.SET_CARD, 0.9, frozenset(Kind), [101, 132, 301, 400]),
        (DetectorClass.SET_CARD, 0.2, frozenset({Kind.SET_CARD}), [101, 132, 301, 400]),
    ],
)
def test_where_dice_are_most_cards_no_larger_than_a_die_in_its_place_are_dropped(label, likely, kinds, left, monkeypatch):
    """Three dice are surely read; of four cards one is larger than three of these, and one lies elsewhere."""
    reading(monkeypatch, *ROW)
    cards = proposed(label, likely, (101.0, 100.0, 1.0), (132.0, 100.0, 2.0), (301.0, 200.0, 1.7), (400.0, 200.0, 1.0))
    both = proposed(DetectorClass.DIE, 0.9, *((x, y, 1.0) for x, y, _ in ROW)).joined_to(cards)
    readers = Readers(np.zeros((300, 500, 3), np.uint8))
    found = pipeline._without_dice(readers, both, ReadOptions(kinds=kinds))
    assert found.center_px[:3, 0].tolist() == [x for x, *_ in ROW]
    assert found.center_px[3:, 0].tolist() == left


def set_cards(shadings: str) -> list[Sighting]:
    """Cards as large as dice in a row, surely read; their shadings by first letters."""
    shading = {"s": "solid", "o": "open", "t": "striped"}
    return [
        Sighting(Kind.SET_CARD, frame(100.0 * at, 100.0), SetCard.parse(f"{1 + at % 3}-red-{shading[letter]}-oval"), 0.97)
        for at, letter in enumerate(shadings)
    ]


def aces(count: int) -> list[Sighting]:
    return [Sighting(Kind.PLAYING_CARD, frame(100.0 * at, 200.0), PlayingCard.parse("AS"), 0.97) for at in range(count)]


@pytest.mark.parametrize(
    ("named", "dice", "are_certain"),
    [
        (set_cards("soto"), 8, True),
        (set_cards("soto"), 9, False),  # so many dice outvote them
        (set_cards("ssss"), 0, False),
        (set_cards("ssso"), 0, False),  # one in four may be misread
        (set_cards("sot"), 0, False),
        (aces(4), 8, True),
        (aces(3), 0, False),
        ([*aces(4), *set_cards("ssss")], 16, True),
        ([], 0, False),
    ],
)
def test_whatever_lies_on_cards_is_their_print_where_they_look_like_no_faces_of_dice(named, dice, are_certain):
    assert (dice_table._printed_part(named, dice) == np.inf) is are_certain


@pytest.mark.parametrize(("shadings", "looked_at"), [("soto", 1), ("ssss", 5)])
def test_on_cards_of_several_shadings_no_dice_are_looked_for_and_on_faces_of_one_they_are(shadings, looked_at, monkeypatch):
    """Four dice may lie where four cards as large are surely read, and one beside them; one is read elsewhere."""
    asked = reading(monkeypatch, (450.0, 250.0, 0.98))
    quads = np.array([frame(100.0 * at, 100.0) for at in range(5)])
    readers = Readers(np.zeros((300, 500, 3), np.uint8))
    dice_table.sight_dice(readers.dice, quads, np.ones(5, bool), lambda *_: quads, set_cards(shadings), ReadOptions())
    assert [len(part) for part in asked[:2]] == [looked_at, looked_at]


@pytest.mark.parametrize(
    ("large", "small", "left"),
    [
        ((0.6, 4), (0.98, 4), [0, 1, 2, 3]),  # four dice in a square look like a large four
        ((0.95, 4), (0.98, 4), [4]),  # that is surely one: they are parts of it
        ((0.6, 4), (0.98, 1), [4]),  # a single pip on its own looks like the one of a small die
        ((0.6, 4), (0.7, 4), [4]),
        ((0.4, 4), (0.98, 4), [0, 1, 2, 3, 4]),  # it rather is none, and speaks against nothing
    ],
)
def test_dice_laid_as_the_pips_of_a_face_are_no_large_die(large, small, left):
    (sure, value), (sure_of_each, value_of_each) = large, small
    corners = [(100.0, 100.0), (160.0, 100.0), (160.0, 160.0), (100.0, 160.0)]
    row = [*((x, y, sure_of_each) for x, y in corners), (130.0, 130.0, sure)]
    found = readings(*row, pips=True)
    quads, values = found.quad_px.copy(), np.log(np.full((5, 6), 1e-6))
    quads[4] = (quads[4] - 130) * 4 + 130
    values[range(5), [value_of_each - 1] * 4 + [value - 1]] = 0.0
    kept = dice.whole_dice(replace(found, quad_px=quads, value_log=values))
    assert kept.quad_px.tolist() == quads[left].tolist()
