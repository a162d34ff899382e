"""SET cards in washed-out light: the table's darkest symbols tell how much contrast is missing."""

from collections import Counter

import cv2
import numpy as np
import pytest

import visionset
from visionset.pieces import SET_DECK, SetCard, Shading
from visionset.sample_files import samples_folder
from visionset.sources.picture import read_picture
from visionset.vision import pipeline, set_cards
from visionset.vision.options import SET_CARDS_ALONE
from visionset.vision.patches import SET_CARD_PATCH, Patch, Pyramid, straightened
from visionset.vision.set_cards import SetCardReader, unburnt


def over_exposed(image: np.ndarray, exponent: float) -> np.ndarray:
    return cv2.LUT(image, np.round(255 * (np.arange(256) / 255) ** exponent).astype(np.uint8))


@pytest.mark.parametrize("exponent", [0.5, 1.0])
def test_a_whole_deck_is_read_at_any_exposure(exponent: float) -> None:
    image = over_exposed(read_picture(samples_folder() / "deck-81.jpg"), exponent)
    read = Counter(visionset.read(image).pieces)
    assert sum(read[card] == 1 for card in SET_DECK) >= 80
    assert not [card for card in read - Counter(SET_DECK) if card is not None]


def over_exposed_cards() -> tuple[np.ndarray, np.ndarray]:
    image = over_exposed(read_picture(samples_folder() / "table-12.jpg"), 0.5)
    return image, np.stack([sighting.outline_px for sighting in visionset.read(image).sightings])


def test_two_cards_tell_no_exposure_and_twelve_do() -> None:
    image, quads = over_exposed_cards()
    reader = SetCardReader(Pyramid(image))
    pale = reader(quads).deck_log
    reader.measure_contrast(quads[:2])
    assert np.array_equal(reader(quads).deck_log, pale)
    reader.measure_contrast(quads)
    assert not np.allclose(reader(quads).deck_log, pale, atol=0.1)


def test_the_exposure_of_a_picture_is_told_once() -> None:
    image, quads = over_exposed_cards()
    reader = SetCardReader(Pyramid(image))
    reader.measure_contrast(quads)
    all_at_once = reader(quads)
    reader.measure_contrast(quads[::-1] * 0.5)
    one_by_one = [reader(quads[at : at + 1]) for at in range(len(quads))]
    assert np.allclose(np.concatenate([one.deck_log for one in one_by_one]), all_at_once.deck_log, atol=1e-3)
    assert all_at_once.quad_px.shape == (len(quads), *SET_CARD_PATCH.quad.shape)


def test_cards_that_told_the_contrast_are_not_cut_again_and_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    image, quads = over_exposed_cards()
    cut: list[int] = []

    def counted(picture: Pyramid, quads: np.ndarray, patch: Patch) -> tuple[np.ndarray, np.ndarray]:
        cut.append(len(quads))
        return straightened(picture, quads, patch)

    monkeypatch.setattr(set_cards, "straightened", counted)
    told, asked = quads[:6], quads[[8, 2, 11, 0]]
    reader, other = SetCardReader(Pyramid(image)), SetCardReader(Pyramid(image))
    reader.measure_contrast(told)
    mixed = reader(asked)
    assert cut == [6, 2]
    other.measure_contrast(told + 1e-9)  # the same pixels, of which it keeps none that is asked for
    again = other(asked)
    assert cut == [6, 2, 6, 4]
    assert np.allclose(mixed.deck_log, again.deck_log, atol=1e-6)
    assert np.allclose(mixed.chroma, again.chroma, atol=1e-6)


def test_in_colours_that_are_burnt_out_ink_is_darker_and_paper_stays_white() -> None:
    ink = np.linspace(0, 1, 256, dtype=np.float32)
    cards = np.tile(ink, (2, 3, 96, 1))
    white = np.array([[255.0, 252.0, 254.0], [90.0, 200.0, 252.9]], np.float32)
    lifted = unburnt(cards.copy(), white)
    assert np.array_equal(lifted[0, 1], cards[0, 1])
    assert np.array_equal(lifted[1], cards[1])
    for channel in (0, 2):
        assert np.allclose(lifted[0, channel, :, -1], 1)
        assert np.all(np.diff(lifted[0, channel, 0]) > 0)
        density = -np.log(np.maximum(cards[0, channel, 0, 1:250], 1e-6)), -np.log(np.maximum(lifted[0, channel, 0, 1:250], 1e-6))
        assert np.ptp(density[1] - density[0]) < 1e-5  # every ink has lost the same


def test_cards_whose_paper_is_burnt_out_are_read_as_before() -> None:
    image = read_picture(samples_folder() / "blue-cast.jpg")
    burnt = np.clip(image * np.float32(1.2), 0, 255).astype(np.uint8)
    before, after = (Counter(pipeline.read(one, SET_CARDS_ALONE).pieces) for one in (image, burnt))
    assert after == before


def test_one_solid_card_among_few_tells_how_dark_ink_is():
    table = visionset.read(read_picture(samples_folder() / "mixed" / "from-above.jpg"))
    shading = Counter(piece.shading for piece in table.pieces if isinstance(piece, SetCard))
    assert shading == {Shading.STRIPED: 4, Shading.OPEN: 2, Shading.SOLID: 1}
