import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visionset.vision.inks import InkOptions, common_inks, ink_chroma, optical_density
from visionset.vision.judging import size_evidence

RED, GREEN, PURPLE = range(3)


def at(hue_deg, strength=1.0):
    return strength * np.array([np.cos(np.deg2rad(hue_deg)), np.sin(np.deg2rad(hue_deg))])


def sure(color, probability=0.98):
    row = np.full(3, (1 - probability) / 2)
    row[color] = probability
    return np.log(row)


@given(st.floats(-25, 25))
def test_doubtful_colours_are_told_by_their_neighbours_under_any_cast(turn):
    hues = {RED: 150 + turn, GREEN: -57 + turn, PURPLE: 76 + turn}
    log = [sure(color) for color in hues for _ in range(3)] + [np.log([0.45, 0.1, 0.45])] * 2
    chroma = [at(hue) for hue in hues.values() for _ in range(3)] + [at(hues[RED]), at(hues[PURPLE])]
    told = common_inks(np.array(log), np.array(chroma), InkOptions())
    assert told[-2].argmax() == RED
    assert told[-1].argmax() == PURPLE
    assert np.allclose(np.exp(told).sum(axis=1), 1)


def test_without_ink_nothing_is_said():
    log = np.log([[0.2, 0.5, 0.3]])
    assert np.allclose(common_inks(log, np.zeros((1, 2)), InkOptions()), log)
    assert not ink_chroma(optical_density(np.ones((1, 3, 96, 64), np.float32))).any()


def test_a_sure_colour_is_not_overruled_by_a_faint_hue():
    told = common_inks(np.array([sure(PURPLE, 0.99), sure(RED), sure(RED)]), np.array([at(140, 0.15), at(150), at(150)]), InkOptions())
    assert told[0].argmax() == PURPLE


@pytest.mark.parametrize(("paint", "hue_deg"), [((0.2, 0.2, 0.95), 150), ((0.3, 0.7, 0.1), -57), ((0.6, 0.2, 0.35), 76)])
def test_hue_of_common_inks(paint, hue_deg):
    patch = np.ones((1, 3, 96, 64), np.float32)
    patch[..., 40:56, 20:44] = np.array(paint)[:, None, None]
    x, y = ink_chroma(optical_density(patch))[0]
    assert abs((np.rad2deg(np.arctan2(y, x)) - hue_deg + 180) % 360 - 180) < 25


def test_cards_say_the_same_together_as_alone():
    cards = np.random.default_rng(3).uniform(0, 1.3, (5, 3, 96, 64)).astype(np.float32)
    alone = np.concatenate([ink_chroma(optical_density(card[None])) for card in cards])
    assert ink_chroma(optical_density(cards)) == pytest.approx(alone, rel=1e-4, abs=1e-6)


def quads_at(centers, scale):
    corner = np.array([[-28.0, -43.0], [28.0, -43.0], [28.0, 43.0], [-28.0, 43.0]])
    return np.array([corner * s + c for c, s in zip(centers, scale, strict=True)])


def test_a_frame_of_another_size_is_a_stranger_also_in_perspective():
    centers = np.array([[x, y] for y in (100, 300, 500) for x in (100, 300, 500)] + [[400, 200], [250, 420]], float)
    scale = 0.6 + centers[:, 1] / 700
    scale[-2] *= 0.4
    evidence = size_evidence(quads_at(centers, scale), np.array([0.95] * 9 + [0.6] * 2))
    assert evidence[-2] < -3
    assert np.delete(evidence, -2).min() > 0.5


def test_a_few_cards_are_no_table_to_compare_with():
    evidence = size_evidence(quads_at(np.zeros((3, 2)), [1, 2, 3]), np.ones(3))
    assert (evidence == evidence[0]).all()
    assert evidence[0] < -1
    assert len(size_evidence(np.empty((0, 4, 2)), np.empty(0))) == 0
