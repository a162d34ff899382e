from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

import visionset
from visionset.cli import main
from visionset.kinds import BY_INK
from visionset.pieces import Kind
from visionset.render.table_plan import TableSpec
from visionset.render.tables import render_table
from visionset.sample_files import samples_folder
from visionset.sources import read_picture
from visionset.vision.colour import has_colour, has_tint
from visionset.vision.pipeline import read_whole_card

Image = np.ndarray
NOWHERE = np.empty((0, 4, 2))


def coded(image: Image, quality: int) -> Image:
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR))


def noisy(image: Image, levels: float) -> Image:
    return np.clip(image + np.random.default_rng(1).normal(0, levels, image.shape), 0, 255).astype(np.uint8)


def gray(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR))


def sepia(image: Image) -> Image:
    """The usual matrix, which clips red and green of what is bright."""
    tone = np.array([[0.272, 0.534, 0.131], [0.349, 0.686, 0.168], [0.393, 0.769, 0.189]])
    return np.clip(image @ tone.T, 0, 255).astype(np.uint8)


def blue_print(image: Image) -> Image:
    level = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[..., None] / 255
    return np.asarray(255 * level ** np.array([0.7, 1.1, 1.6])).astype(np.uint8)


COLOURED: dict[str, Callable[[Image], Image]] = {
    "as it is": lambda image: image,
    "coarse JPEG": lambda image: coded(image, 30),
    "blue": lambda image: (image * np.array([1.0, 0.9, 0.45])).astype(np.uint8),
    "amber": lambda image: (image * np.array([0.4, 0.8, 1.0])).astype(np.uint8),
    "dim": lambda image: coded(noisy(image * 0.2, 4), 80),
    "haze": lambda image: (image * 0.6 + 90).astype(np.uint8),
    "blurred": lambda image: cv2.GaussianBlur(image, (0, 0), 1.5),
}
COLOURLESS: dict[str, Callable[[Image], Image]] = {
    "gray": gray,
    "gray, coarse JPEG": lambda image: coded(gray(image), 30),
    "gray, dim": lambda image: gray((image * 0.2).astype(np.uint8)),
    "gray with the noise of a sensor": lambda image: noisy(gray(image), 4),
    "gray with noise, as JPEG": lambda image: coded(noisy(gray(image), 8), 80),
    "sepia": sepia,
    "sepia, dim": lambda image: sepia((image * 0.3).astype(np.uint8)),
    "blue print": blue_print,
}


@pytest.fixture(scope="module")
def tables() -> list[Image]:
    """Tables with few pieces and many, in all sorts of light."""
    specs = [
        TableSpec(layout, (kind,), seed, "any", light, "any", (None, 1, 4)[seed % 3], (480, 270))
        for seed, light in enumerate(("window", "dim", "lamp", "any", "overcast", "any"))
        for layout, kind in ((("row", "set-cards"), ("scattered", "set-dice"))[seed % 2],)
    ]
    return [render_table(spec)[0] for spec in specs]


@pytest.mark.parametrize("how", COLOURED)
def test_colour_is_seen_in_any_light(tables: list[Image], how: str) -> None:
    assert [has_colour(COLOURED[how](table), NOWHERE) for table in tables] == [True] * len(tables)


@pytest.mark.parametrize("how", COLOURLESS)
def test_gray_and_toned_pictures_have_no_colour(tables: list[Image], how: str) -> None:
    assert [has_colour(COLOURLESS[how](table), NOWHERE) for table in tables] == [False] * len(tables)


def test_one_small_card_of_one_ink_on_a_gray_table_is_coloured() -> None:
    image = np.full((720, 1280, 3), 120, np.uint8)
    cv2.rectangle(image, (600, 300), (628, 344), (235, 235, 235), -1)
    cv2.ellipse(image, (614, 322), (9, 4), 0, 0, 360, (40, 40, 200), 2)
    card = np.array([[[600.0, 300], [628, 300], [628, 344], [600, 344]]])
    assert has_colour(image, card)
    assert not has_colour(gray(image), card)


@pytest.mark.parametrize(("name", "kinds"), [("table-12.jpg", {Kind.SET_CARD}), ("set_dice/scattered-42.jpg", {Kind.SET_DIE})])
def test_what_is_named_by_its_ink_has_no_name_without_colour(name: str, kinds: set[Kind]) -> None:
    image = read_picture(samples_folder() / name)
    coloured, colourless = visionset.read(image), visionset.read(gray(image))
    assert not coloured.lacks_colour
    assert colourless.lacks_colour
    assert len(colourless.sightings) >= 0.8 * len(coloured.sightings)
    assert {one.piece for one in colourless.sightings if one.kind in BY_INK} == {None}
    assert kinds <= {one.kind for one in colourless.sightings}


@pytest.mark.parametrize("folder", ["pip_dice"])
def test_pips_and_ranks_are_read_without_colour(folder: str) -> None:
    image = read_picture(sorted((samples_folder() / folder).glob("*.jpg"))[0])
    coloured, colourless = visionset.read(image), visionset.read(gray(image))
    named = [one.piece for one in coloured.sightings if one.piece is not None]
    assert len(named) > 2
    assert sum(one.piece in named for one in colourless.sightings if one.piece is not None) >= 0.8 * len(named)


def test_a_gray_card_that_fills_the_picture_has_no_name() -> None:
    card = np.full((300, 200, 3), 240, np.uint8)
    cv2.ellipse(card, (100, 150), (70, 30), 0, 0, 360, (50, 50, 210), -1)
    assert has_tint(card)
    assert not read_whole_card(card).lacks_colour
    assert read_whole_card(gray(card)).pieces == (None,)


def test_that_a_picture_is_gray_is_said_where_no_die_is_sure_enough_to_be_believed() -> None:
    board = gray(read_picture(samples_folder() / "set_dice" / "board.jpg"))
    table = visionset.read(board)
    assert not table.sightings
    assert table.lacks_colour
    assert not visionset.read(board, visionset.ReadOptions(kinds=frozenset({Kind.PLAYING_CARD}))).lacks_colour
    assert not visionset.read(read_picture(samples_folder() / "no-card.jpg")).lacks_colour


def test_a_line_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gray.png"
    cv2.imwrite(str(path), gray(read_picture(samples_folder() / "table-12.jpg")))
    assert main(["read", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[1].strip() == "no colour in the picture: SET cards and SET dice cannot be named"
    assert main(["read", "--json", str(path)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert "no colour" in answer["reason"]
    assert {piece["name"] for piece in answer["pieces"]} == {None}
    assert main(["read", "--json", str(samples_folder() / "table-12.jpg")]) == 0
    assert "reason" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("array", "got"),
    [
        (None, "None"),
        ("table.jpg", "str"),
        ([[1, 2], [3, 4]], "list"),
        (np.zeros((40, 60), np.uint8), r"uint8 \(40, 60\)"),
        (np.zeros((40, 60, 3)), "float64"),
        (np.zeros((40, 60, 4), np.uint8), r"\(40, 60, 4\)"),
        (np.zeros((0, 60, 3), np.uint8), r"\(0, 60, 3\)"),
    ],
)
def test_what_is_no_picture_is_refused_in_words(array: object, got: str) -> None:
    for read in (visionset.read, read_whole_card):
        with pytest.raises(ValueError, match=rf"expected a picture as uint8 \(height, width, 3\).* got .*{got}"):
            read(array)  # type: ignore[arg-type]


def test_views_of_pictures_are_read() -> None:
    image = read_picture(samples_folder() / "one-card.jpg")
    assert visionset.read(image[:, ::-1][:, ::-1]).pieces == visionset.read(image).pieces
    assert len(visionset.read(np.asfortranarray(image)).pieces) == len(visionset.read(image).pieces)
    assert visionset.read(image[:1, :1]).sightings == ()


def test_a_single_faint_open_symbol_is_colour_enough_for_its_card() -> None:
    """A scan or a crop in poor light: a thin outline on a card that ranges from shadow to paper, and the same in gray."""
    card = np.full((240, 160, 3), 180, np.float32)
    card[:24] = 20  # shadow of the hand that holds it
    ink = card.copy()
    cv2.ellipse(ink, (80, 130), (18, 50), 0, 0, 360, (134, 120, 124), 5)
    coded = [cv2.imdecode(cv2.imencode(".jpg", np.clip(one, 0, 255).astype(np.uint8))[1], cv2.IMREAD_COLOR) for one in (ink, card)]
    assert has_tint(coded[0])
    assert not has_tint(coded[1])
    assert not has_tint(cv2.cvtColor(cv2.cvtColor(coded[0], cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR))
