"""The public interface: what `visionset` offers, that it is described, typed and loaded only when it is asked for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import visionset
from tests.builders import NINE, deal
from visionset.errors import ArrayError, OptionError, PieceError
from visionset.pieces import Color, Kind, Shading, Shape
from visionset.table import Sighting, Table

ROOT = Path(__file__).parents[1]
HEAVY = ("cv2", "numpy", "onnxruntime", "scipy")


def test_every_public_name_is_there_and_has_its_place_on_the_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for name in visionset.__all__:
        assert getattr(visionset, name) is not None
        assert f"`{name}`" in page or f"`{name}(" in page, f"docs/api.md says nothing of {name}"
    assert set(visionset.__all__) <= set(dir(visionset))


def test_every_public_name_has_its_docstring_on_the_page_of_docstrings() -> None:
    page = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    for name in {*visionset.__all__, "read_picture"} - {"__version__"}:
        assert re.search(rf"^::: visionset\S*\.{name}$", page, re.MULTILINE), name


def test_as_much_is_drawn_as_may_be_revealed() -> None:
    picture, table = np.full((360, 640, 3), 200, np.uint8), deal(NINE, (640, 360), card_px=90, gap_px=20)
    drawn = {hint: visionset.draw(picture, table, visionset.View(hint=hint)).tobytes() for hint in visionset.Reveal}
    assert len(set(drawn.values())) == len(drawn)


def test_nothing_heavy_is_loaded_before_it_is_asked_for() -> None:
    code = f"import sys, visionset; print([name for name in {HEAVY} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_modules_that_the_page_names_need_no_import_of_their_own() -> None:
    code = "import visionset as v; v.errors.VisionsetError, v.sources.read_picture, v.session.SessionOptions"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_name_that_is_not_public_is_refused_by_name() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'watch'"):
        visionset.watch  # noqa: B018


def test_type_checkers_are_told_that_there_are_types() -> None:
    assert (ROOT / "visionset" / "py.typed").is_file()


def test_draw_leaves_the_picture_as_it_was_and_turns_with_the_view() -> None:
    image_bgr = np.full((90, 160, 3), 200, np.uint8)
    card = visionset.SetCard.parse("1-red-open-oval")
    outline_px = np.array([[40, 20], [80, 20], [80, 80], [40, 80]], np.float64)
    table = Table((160, 90), (Sighting(Kind.SET_CARD, outline_px, card, 0.99),))
    drawn = visionset.draw(image_bgr, table)
    assert (image_bgr == 200).all()
    assert drawn.shape == image_bgr.shape
    assert (drawn != image_bgr).any()
    assert visionset.draw(image_bgr, table, visionset.View(quarter_turns=1)).shape == (160, 90, 3)


RED = (Color.RED, Shading.OPEN, Shape.OVAL)
CARDS = [visionset.SetCard.parse(name) for name in ("1-red-open-oval", "2-red-open-oval", "3-red-open-oval")]


def test_sets_are_found_among_whatever_gives_pieces_one_after_the_other() -> None:
    for given in (CARDS, tuple(CARDS), iter(CARDS), (card for card in CARDS), filter(None, CARDS)):
        assert visionset.find_sets(given) == ((0, 1, 2),)


def test_who_gives_a_table_for_its_pieces_is_told_where_they_are() -> None:
    with pytest.raises(PieceError, match=r"give those of a table as table\.pieces"):
        visionset.find_sets(Table((160, 90), ()))  # type: ignore[type-var]


@pytest.mark.parametrize("kinds", [Kind.SET_CARD, {Kind.SET_CARD}, [Kind.SET_CARD], (Kind.SET_CARD, Kind.SET_CARD)])
def test_kinds_may_be_one_or_several_of_any_sort(kinds: Any) -> None:
    assert visionset.ReadOptions(kinds=kinds) == visionset.ReadOptions(kinds=frozenset({Kind.SET_CARD}))


@pytest.mark.parametrize("kinds", ["set_card", 3, None, [], [None]])
def test_what_is_no_kind_is_refused(kinds: Any) -> None:
    with pytest.raises(OptionError, match="expected kinds, some of"):
        visionset.ReadOptions(kinds=kinds)


@pytest.mark.parametrize("attributes", [(5, *RED), (0, *RED), (True, *RED), ("2", *RED), (2, "red", *RED[1:]), (2, RED[0], "open", RED[2])])
def test_there_is_no_card_that_the_deck_does_not_hold(attributes: Any) -> None:
    with pytest.raises(PieceError, match="expected a"):
        visionset.SetCard(*attributes)
    with pytest.raises(PieceError, match="expected"):
        visionset.SetDie(attributes[0], attributes[1], "oval")  # type: ignore[arg-type]


def test_what_is_no_picture_cannot_be_drawn_on(nine: Table) -> None:
    gray: np.ndarray = np.full((40, 60), 90, np.uint8)
    with pytest.raises(ArrayError, match="expected a picture"):
        visionset.draw(gray, nine)
