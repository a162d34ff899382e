"""The public interface: what `visionset` offers, that it is described, typed and loaded only when it is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import visionset
from visionset.pieces import Kind
from visionset.table import Sighting, Table

ROOT = Path(__file__).parents[1]
HEAVY = ("cv2", "numpy", "onnxruntime", "scipy")


def test_every_public_name_is_there_and_has_its_place_on_the_page() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for name in visionset.__all__:
        assert getattr(visionset, name) is not None
        assert f"`{name}`" in page or f"`{name}(" in page, f"docs/api.md says nothing of {name}"
    assert set(visionset.__all__) <= set(dir(visionset))


def test_nothing_heavy_is_loaded_before_it_is_asked_for() -> None:
    code = f"import sys, visionset; print([name for name in {HEAVY} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


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
