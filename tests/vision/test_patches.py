import cv2
import numpy as np
import pytest

from visionset.vision.patches import DIE_PATCH, SET_CARD_PATCH, Pyramid, cut_all, padded, paper_white


def cut(image, corners, patch=SET_CARD_PATCH):
    """One piece straightened, shape (height, width, 3)."""
    return np.stack(cut_all(Pyramid(image), corners[None], patch), axis=3)[0]


def scene(scale, turn_deg, center=(400, 300)):
    """A white card with a red bar near its first short side, on green; the card's corners."""
    card = np.array([[-25, -38], [25, -38], [25, 38], [-25, 38]], np.float64) * scale
    bar = np.array([[-20, -30], [20, -30], [20, -20], [-20, -20]], np.float64) * scale
    turn = np.deg2rad(turn_deg)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    image = np.full((600, 800, 3), (40, 160, 40), np.uint8)
    corners = card @ matrix + center
    cv2.fillPoly(image, [np.round(corners * 16).astype(np.int32)], (240, 240, 240), cv2.LINE_AA, 4)
    cv2.fillPoly(image, [np.round((bar @ matrix + center) * 16).astype(np.int32)], (0, 0, 220), cv2.LINE_AA, 4)
    return image, corners


@pytest.mark.parametrize("scale", [0.6, 1.0, 2.0, 4.0, 6.0])
@pytest.mark.parametrize("turn_deg", [0, 30, 90, 155, 270])
def test_any_size_and_turn_gives_the_same_patch(scale, turn_deg):
    straight, turned = (cut(*scene(s, t)).astype(int) for s, t in ((1.0, 0), (scale, turn_deg)))
    assert straight.shape == (SET_CARD_PATCH.height_px, SET_CARD_PATCH.width_px, 3)
    assert np.abs(straight - turned)[14:82, 11:53].mean() < 6  # the card itself; its rim is a matter of sampling


def test_a_card_over_the_edge_repeats_the_last_pixels():
    image, corners = scene(1.0, 0, center=(10, 20))
    assert cut(image, corners).shape == (SET_CARD_PATCH.height_px, SET_CARD_PATCH.width_px, 3)


@pytest.mark.parametrize("scale", [0.6, 1.0, 2.3, 5.0])
@pytest.mark.parametrize("center", [(400, 300), (10, 20)])
def test_a_padded_picture_and_a_known_pyramid_give_the_same_bytes(scale, center):
    image, corners = scene(scale, 25, center)
    noisy = np.random.default_rng(0).integers(0, 256, image.shape, np.uint8)
    for picture in (image, noisy):
        known = Pyramid(padded(picture))
        for _ in range(2):
            assert np.array_equal(np.stack(cut_all(known, corners[None], SET_CARD_PATCH), axis=3)[0], cut(picture, corners))


@pytest.mark.parametrize("size", [(7, 9), (64, 48), (1, 5)])
def test_a_picture_is_halved_as_long_as_something_is_left(size):
    picture = np.random.default_rng(1).integers(0, 256, (*size, 3), np.uint8)
    pyramid = Pyramid(picture)
    assert pyramid[0] is picture
    for times in range(1, 9):
        before, halved = pyramid[times - 1].astype(float), pyramid[times]
        height, width = before.shape[0] // 2, before.shape[1] // 2
        if height and width:
            mean = before[: 2 * height, : 2 * width].reshape(height, 2, width, 2, 3).mean(axis=(1, 3))
            assert np.abs(mean - halved).max() <= 0.5
        else:
            assert halved.shape == before.shape


def test_the_picture_is_not_touched():
    image, corners = scene(5.0, 20)
    before = image.copy()
    cut(image, corners)
    assert np.array_equal(image, before)


def test_paper_white_is_the_paper_under_a_cast_and_beside_much_ink():
    patch = np.full((SET_CARD_PATCH.height_px, SET_CARD_PATCH.width_px, 3), (200.0, 180.0, 120.0), np.float32)
    for top in (14, 38, 62):
        patch[top : top + 16, 15:49] = (60, 10, 40)
    pieces = np.stack([patch, np.zeros_like(patch), patch / 2])
    white = paper_white(pieces.transpose(3, 0, 1, 2))
    assert white[[0, 2]].tolist() == [[200, 180, 120], [100, 90, 60]]
    assert white[1].min() > 0


def test_the_frame_lies_in_the_middle_of_the_patch():
    assert SET_CARD_PATCH.quad.mean(axis=0).tolist() == [(SET_CARD_PATCH.width_px - 1) / 2, (SET_CARD_PATCH.height_px - 1) / 2]


@pytest.mark.parametrize("patch", [SET_CARD_PATCH, DIE_PATCH])
@pytest.mark.parametrize("count", [1, 5])
def test_many_pieces_are_cut_as_each_alone(patch, count):
    scenes = [scene(scale, 25) for scale in np.linspace(0.6, 5, 5)]
    picture = scenes[-1][0]
    quads = np.array([corners for _, corners in scenes[:count]])
    planes = cut_all(Pyramid(picture), quads, patch)
    alone = np.array([cut(picture, quad, patch) for quad in quads])
    assert np.array_equal(np.stack(planes, axis=3), alone)
