"""The hues that lie over the live picture stay apart for every common kind of colour vision, as those of the window do."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from skimage.color import deltaE_ciede2000

from tests.messages_in_code import PAGE
from tests.overlay.test_colour_blindness import APART, SIGHT, seen_lab

TONES = dict(re.findall(r"--tone-(\w+): (#[0-9a-f]{6});", (PAGE / "page.css").read_text(encoding="utf-8")))


@pytest.mark.parametrize("sight", SIGHT)
def test_any_two_tones_of_marks_differ_clearly(sight: str) -> None:
    assert set(TONES) == {"todo", "good", "wrong", "asked", "zone"}
    rgb = np.array([[int(tone[at : at + 2], 16) for at in (1, 3, 5)] for tone in TONES.values()], float)
    for one, other in combinations(seen_lab(rgb, sight), 2):
        assert deltaE_ciede2000(one, other) >= APART
