"""Laws of the drawn faces, over the whole deck."""

import cv2
import numpy as np
import pytest

from visionset.art import DeckStyle, hatch, rounded_rectangle, set_card_symbols, symbol_outline
from visionset.geometry import signed_area
from visionset.pieces import SET_DECK, Shading, Shape
from visionset.render.faces import ink, set_card

STYLES = {
    "common": DeckStyle(),
    "stripes along": DeckStyle(stripes_across=False, stripe_pitch_mm=1.4, stroke_mm=0.6),
    "wavy": DeckStyle(squiggle_bend=1.6, corner_mm=0.0),
}
TOLERANCE_MM = 1e-6


def same_polygon(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether each corner of one outline lies on the other, as symmetry asks for."""
    ring = second.astype(np.float32)
    return max(abs(cv2.pointPolygonTest(ring, (float(x), float(y)), True)) for x, y in first) < 1e-3


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_ink_has_as_many_components_as_the_card_has_symbols(style):
    for card in SET_DECK:
        mask = ink(set_card_symbols(card, style), style)
        count, _, stats, _ = cv2.connectedComponentsWithStats((mask > 127).astype(np.uint8))
        assert count - 1 == card.number, f"{card}: {count - 1} components of {stats[1:, cv2.CC_STAT_AREA]} px"


def test_every_card_of_the_deck_has_its_own_face():
    faces = {set_card(card, DeckStyle(), px_mm=2.0).picture.tobytes() for card in SET_DECK}
    assert len(faces) == 81


@pytest.mark.parametrize("shape", Shape)
def test_outlines_look_the_same_upside_down(shape):
    outline = symbol_outline(shape, 38.0, 18.0)
    assert same_polygon(-outline, outline)


@pytest.mark.parametrize("shape", Shape)
def test_only_the_squiggle_differs_from_its_mirror_image(shape):
    outline = symbol_outline(shape, 38.0, 18.0)
    assert same_polygon(outline * [-1, 1], outline) == (shape is not Shape.SQUIGGLE)


@pytest.mark.parametrize("bend", [0.6, 1.0, 1.6])
@pytest.mark.parametrize("shape", Shape)
def test_outlines_fill_the_size_asked_for(shape, bend):
    outline = symbol_outline(shape, 38.0, 18.0, bend)
    np.testing.assert_allclose(np.abs(outline).max(axis=0), [19.0, 9.0], rtol=1e-3)


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_stripes_stay_inside_the_outline_and_reach_across_it(style):
    for shape in Shape:
        outline = symbol_outline(shape, style.symbol_length_mm, style.symbol_width_mm, style.squiggle_bend)
        stripes = hatch(outline, style.stripe_pitch_mm, style.stripes_across)
        ring = outline.astype(np.float32)
        depth = [cv2.pointPolygonTest(ring, (float(x), float(y)), True) for x, y in stripes.reshape(-1, 2)]
        assert np.max(np.abs(depth)) < 1e-3, "both ends of a stripe lie on the outline"
        middle = [cv2.pointPolygonTest(ring, (float(x), float(y)), True) for x, y in stripes.mean(axis=1)]
        assert np.min(middle) >= -1e-3
        area = style.stripe_pitch_mm * np.sum(np.linalg.norm(stripes[:, 1] - stripes[:, 0], axis=1))
        assert area == pytest.approx(abs(signed_area(outline)), rel=0.02), "stripes times their pitch add up to the area"


def test_symbols_carry_the_shading_and_stay_on_the_card():
    style = DeckStyle()
    edge = np.array([style.width_mm, style.height_mm]) / 2 - style.stroke_mm
    for card in SET_DECK:
        symbols = set_card_symbols(card, style)
        assert len(symbols) == card.number
        for symbol in symbols:
            assert symbol.filled == (card.shading is Shading.SOLID)
            assert bool(len(symbol.stripes_mm)) == (card.shading is Shading.STRIPED)
            assert np.all(np.abs(symbol.outline_mm) < edge)


def test_symbols_of_a_card_do_not_touch():
    style = DeckStyle()
    assert style.symbol_pitch_mm > style.symbol_width_mm + style.stroke_mm


@pytest.mark.parametrize("corner_mm", [0.0, 2.0, 6.0])
def test_rounded_rectangle_has_its_size_and_loses_only_its_corners(corner_mm):
    outline = rounded_rectangle(57.0, 87.0, corner_mm)
    np.testing.assert_allclose(np.ptp(outline, axis=0), [57.0, 87.0], atol=TOLERANCE_MM)
    assert abs(signed_area(outline)) == pytest.approx(57 * 87 - (4 - np.pi) * corner_mm**2, rel=1e-3)
