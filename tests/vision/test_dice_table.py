"""When the dice of a table call for more frames, and which."""

import numpy as np
import pytest

from visionset.pieces import SET_DIE_FACES
from visionset.vision import dice_table
from visionset.vision.dice import DieReadings
from visionset.vision.options import ReadOptions
from visionset.vision.readers import Readers

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
    return DieReadings(kind, values, faces, quads, np.zeros(len(row)), np.full(len(row), 200.0))


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
    readers = Readers.of(np.zeros((200, 400, 3), np.uint8))
    seen, maybe_px = dice_table.sight_dice(readers, starts, np.ones(3, bool), lambda *_: NOWHERE, NOWHERE, ReadOptions())
    assert sorted(round(float(one.center_px[0])) for one in seen) == row
    assert len(maybe_px) == 5
    assert sum(len(quads) > 0 for quads in asked) == 3
