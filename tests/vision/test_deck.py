from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from tests.vision.pattern import pattern_photo
from visionset.art import DeckStyle
from visionset.errors import CalibrationError
from visionset.pieces import Color
from visionset.table import Table
from visionset.vision.deck import ATTRIBUTES, PATTERN, deck_profile, laid_out, scored
from visionset.vision.inks import InkOptions
from visionset.vision.pipeline import read


def test_the_pattern_is_balanced() -> None:
    for attribute in ATTRIBUTES:
        values = [getattr(card, attribute) for card in PATTERN]
        assert sorted(values.count(value) for value in set(values)) == [3, 3, 3]
    for one, other in combinations(ATTRIBUTES, 2):
        assert len({(getattr(card, one), getattr(card, other)) for card in PATTERN}) == 9


@pytest.mark.parametrize("turned", [0, 1, *(pytest.param(turned, marks=pytest.mark.slow) for turned in (2, 3))])
def test_the_pattern_is_known_from_every_side(turned: int) -> None:
    table = read(pattern_photo(turned=turned))
    laid = laid_out(table)
    assert laid is not None
    assert [sighting.piece for sighting in laid] == list(PATTERN)
    found, right = scored([table])
    assert (found, set(right.values())) == (1.0, {1.0})


def test_other_tables_are_not_the_pattern() -> None:
    table = read(pattern_photo())
    assert laid_out(Table(table.size_px, table.sightings[:8])) is None
    mixed = tuple(table.sightings[at] for at in (4, 0, 8, 1, 7, 2, 6, 3, 5))
    assert laid_out(Table(table.size_px, mixed)) is None


def test_a_common_deck_has_the_usual_inks() -> None:
    image = pattern_photo()
    laid = laid_out(read(image))
    assert laid is not None
    deck = deck_profile(image, laid)
    assert deck.ink_deg is not None
    assert deck.fill is not None
    off = np.abs((np.array(deck.ink_deg) - InkOptions().usual_deg + 180) % 360 - 180)
    assert off.max() < 25
    solid, striped, opened = deck.fill
    assert solid == 1.0
    assert 0.02 < opened < striped < 0.8


def test_an_unusual_deck_has_its_own() -> None:
    """A deck printed in orange, teal and blue."""
    style = replace(DeckStyle(), ink_rgb={Color.RED: (235, 120, 20), Color.GREEN: (0, 150, 140), Color.PURPLE: (40, 60, 190)})
    image = pattern_photo(style)
    usual = pattern_photo()
    hues = []
    for picture in (image, usual):
        table = read(picture)
        assert len(table.sightings) == 9
        hues.append(deck_profile(picture, table.sightings).ink_deg)
    off = np.abs((np.array(hues[0]) - np.array(hues[1]) + 180) % 360 - 180)
    assert off.min() > 10


def test_one_ink_for_all_is_refused() -> None:
    image = pattern_photo(replace(DeckStyle(), ink_rgb=dict.fromkeys(Color, (90, 40, 140))))
    table = read(image)
    assert len(table.sightings) == 9
    with pytest.raises(CalibrationError, match="three inks of different hues"):
        deck_profile(image, table.sightings)


def test_what_was_not_named_counts_as_wrong() -> None:
    table = read(pattern_photo())
    unsure = replace(table, sightings=(replace(table.sightings[0], piece=None), *table.sightings[1:]))
    found, right = scored([table, unsure, Table(table.size_px)])
    assert found == pytest.approx(18 / 27)
    assert right == dict.fromkeys(ATTRIBUTES, pytest.approx(17 / 27))
