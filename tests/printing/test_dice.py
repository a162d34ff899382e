"""The dice on paper: the bag as chance deals it, cubes that close, faces that are read."""

from __future__ import annotations

from collections import Counter
from itertools import product

import cv2
import numpy as np
import pytest

import visionset
from tests.printing.photographs import Cutting, folded, from_above, page_picture, pages_of, paths_mm, photograph, size_mm
from visionset.games.sets import DICE_COUNT
from visionset.pieces import SET_DIE_FACES, SetDie
from visionset.printing.deck import MARGIN_MM
from visionset.printing.dice import NET, STICKER, DiceForm, bag_of_dice, cube_places, dice_pdf, face_centers_mm, sticker_places
from visionset.printing.pdf import Paper
from visionset.render.layouts import Spot

DIE_MM = 16.0


def test_the_bag_is_dealt_as_chance_deals_it() -> None:
    bag = bag_of_dice()
    assert len(bag) == DICE_COUNT
    assert Counter(face for die in bag for face in die) == dict.fromkeys(SET_DIE_FACES, 9)
    assert all(len(set(die)) == 6 for die in bag)


def test_the_net_closes_to_a_cube() -> None:
    """Rolled from face to face each comes to lie on a side of its own."""
    ups = {NET[2]: np.array([0, 0, 1])}
    turned = {NET[2]: np.eye(3, dtype=int)}
    open_ends = [NET[2]]
    while open_ends:
        cell = open_ends.pop()
        for (x, y), axis in (((1, 0), 1), ((-1, 0), 1), ((0, 1), 0), ((0, -1), 0)):
            there = (cell[0] + x, cell[1] + y)
            if there in NET and there not in turned:
                sign = x + y
                roll = np.array([[0, 0, -sign], [0, 1, 0], [sign, 0, 0]] if axis else [[1, 0, 0], [0, 0, -sign], [0, sign, 0]])
                turned[there] = turned[cell] @ roll
                ups[there] = turned[there] @ np.array([0, 0, 1])
                open_ends.append(there)
    assert len({tuple(up) for up in ups.values()}) == 6


@pytest.mark.parametrize(
    ("paper", "form", "mm"),
    [
        (Paper.A4, DiceForm.CUBES, 10.0),
        pytest.param(Paper.LETTER, DiceForm.CUBES, 30.0, marks=pytest.mark.slow),
        pytest.param(Paper.A4, DiceForm.STICKERS, 30.0, marks=pytest.mark.slow),
    ],
)
def test_all_dice_are_whole_on_their_pages(paper: Paper, form: DiceForm, mm: float) -> None:
    data = dice_pdf(paper, form, mm)
    places = cube_places(paper, mm) if form is DiceForm.CUBES else sticker_places(paper, mm)
    assert pages_of(data) == -(-DICE_COUNT // len(places))
    assert size_mm(data) == pytest.approx(paper.value, abs=0.01)
    points = np.concatenate(paths_mm(data))
    assert (points >= MARGIN_MM - 0.5).all()
    assert (points <= np.array(paper.value) - MARGIN_MM + 0.5).all()


@pytest.mark.parametrize(
    ("paper", "form"), [(Paper.A4, DiceForm.CUBES), pytest.param(Paper.LETTER, DiceForm.STICKERS, marks=pytest.mark.slow)]
)
def test_lengths_of_dice_in_the_file(paper: Paper, form: DiceForm) -> None:
    """Each symbol lies about the middle of its face, and is as long as planned."""
    data, side = dice_pdf(paper, form, DIE_MM), DIE_MM * (STICKER if form is DiceForm.STICKERS else 1.0)
    inked = [path for path in paths_mm(data) if np.ptp(path[:, 0]) < 0.7 * side]
    for number, die in enumerate(bag_of_dice()[:6]):
        for face, center in zip(die, face_centers_mm(paper, form, DIE_MM, number), strict=True):
            near = [path for path in inked if np.abs(path.mean(axis=0) - center).max() < 0.4 * side]
            assert len([path for path in near if abs(np.ptp(path[:, 0]) - 0.65 * side) < 0.02]) == (face.number or 0)


def dice_read(paper: Paper, form: DiceForm, faces: list[SetDie], plain: bool = False, tilt_deg: float = 12.0) -> list[SetDie]:
    """Which of these faces are read, each on top of a folded or pasted cube of its own."""
    data, bag = dice_pdf(paper, form, DIE_MM, plain), bag_of_dice()
    places = cube_places(paper, DIE_MM) if form is DiceForm.CUBES else sticker_places(paper, DIE_MM)
    pages: dict[int, np.ndarray] = {}
    good: list[SetDie] = []
    for start in range(0, len(faces), 14):
        dice = []
        for at, top in enumerate(faces[start : start + 14]):
            number = next(number for number, die in enumerate(bag) if top in die)
            page = number // len(places)
            if page not in pages:
                pages[page] = page_picture(data, page)
            cuts = [_cut(pages[page], form, center) for center in face_centers_mm(paper, form, DIE_MM, number)]
            first = bag[number].index(top)
            place = Spot((at % 5 - 2) * 30.0, (at // 5 - 1) * 30.0, 0.4 * at)
            dice.append(folded([cuts[first], *cuts[:first], *cuts[first + 1 :]], top, DIE_MM).at(place))
        table = visionset.read(photograph([], from_above((1280, 720), 5.6, tilt_deg), dice))
        read = Counter(one.piece for one in table.sightings if one.piece is not None)
        assert set(read) <= set(faces[start : start + 14])
        good += [top for top in faces[start : start + 14] if read[top] == 1]
    return good


def _cut(page: np.ndarray, form: DiceForm, center: tuple[float, float]) -> np.ndarray:
    if form is DiceForm.CUBES:
        return Cutting(center, (DIE_MM, DIE_MM)).of(page)
    sticker = Cutting(center, (STICKER * DIE_MM, STICKER * DIE_MM)).of(page)
    rim = round((DIE_MM - STICKER * DIE_MM) * 4)
    return cv2.copyMakeBorder(sticker, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(250, 250, 250))


def test_printed_dice_are_read() -> None:
    faces = [SET_DIE_FACES[0], SET_DIE_FACES[5], SetDie()]  # of the first page
    assert dice_read(Paper.A4, DiceForm.CUBES, faces) == faces


@pytest.mark.slow
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(("paper", "form", "tilt_deg"), list(product(Paper, DiceForm, (12.0, 35.0))))
def test_all_28_printed_faces_are_read(paper: Paper, form: DiceForm, tilt_deg: float, plain: bool) -> None:
    good = dice_read(paper, form, list(SET_DIE_FACES), plain, tilt_deg)
    # of those with a letter and a pattern in each symbol one green squiggle is at times not sure enough for a name
    assert len(good) >= len(SET_DIE_FACES) - plain
