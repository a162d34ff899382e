"""Laws of the random tables that train and test readers."""

import numpy as np
import pytest

from visionset.geometry import is_convex
from visionset.render.scene import random_scene

SIZE_PX = (320, 240)
SEEDS = range(12)


def test_the_same_seed_gives_the_same_bytes():
    first, second = (random_scene(np.random.default_rng(5), SIZE_PX, 70) for _ in range(2))
    assert first.image_bgr.tobytes() == second.image_bgr.tobytes()
    assert [(c.card, c.visible) for c in first.cards] == [(c.card, c.visible) for c in second.cards]


def test_another_seed_gives_another_picture():
    first, second = (random_scene(np.random.default_rng(seed), SIZE_PX, 70) for seed in (5, 6))
    assert first.image_bgr.tobytes() != second.image_bgr.tobytes()


@pytest.mark.parametrize("seed", SEEDS)
def test_truth_is_possible(seed):
    scene = random_scene(np.random.default_rng(seed), SIZE_PX, 70)
    assert scene.image_bgr.shape == (240, 320, 3)
    assert scene.image_bgr.dtype == np.uint8
    names = [card.card for card in scene.cards]
    assert len(set(names)) == len(names), "one deck holds each card once"
    for card in scene.cards:
        assert 0 <= card.visible <= 1
        assert is_convex(card.outline_px), "a card is seen from above"
        inside = np.all(card.outline_px >= -2) and np.all(card.outline_px <= np.array(SIZE_PX) + 1)
        assert inside or card.visible < 1


def test_a_table_without_cards_has_no_truth():
    assert random_scene(np.random.default_rng(3), SIZE_PX, 70, with_cards=False).cards == ()
