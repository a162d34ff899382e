"""SET cards beside each other: all cards of a table tell together what a light has done to their colours."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.rendering import tables
from visionset.pieces import SET_DECK, Color, Kind
from visionset.sample_files import samples_folder
from visionset.sources.picture import read_picture
from visionset.vision import inks, pipeline, set_cards
from visionset.vision.engine import network
from visionset.vision.judging import SURE
from visionset.vision.options import SET_CARDS_ALONE
from visionset.vision.patches import SET_CARD_PATCH, Pyramid, straightened
from visionset.vision.set_cards import SetCardReader, SetCardReadings, with_common_inks


def brightened(image: np.ndarray, by: float) -> np.ndarray:
    return np.clip(image * np.float32(by), 0, 255).astype(np.uint8)


def read_of(image: np.ndarray, quads: np.ndarray) -> tuple[SetCardReader, SetCardReadings]:
    reader = SetCardReader(Pyramid(image))
    return reader, reader(quads)


@pytest.fixture(scope="module")
def twelve() -> tuple[np.ndarray, np.ndarray]:
    """The picture of twelve cards, and where they lie."""
    image = read_picture(samples_folder() / "table-12.jpg")
    return image, np.stack([sighting.outline_px for sighting in pipeline.read(image, SET_CARDS_ALONE).sightings])


@pytest.mark.slow
def test_too_bright_fewer_names_are_wrong_and_no_fewer_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    lit = []
    for image, known in tables(Kind.SET_CARD, range(30, 42)):
        _, white = straightened(Pyramid(image), np.stack([card.outline_px for card in known]), SET_CARD_PATCH)
        too_bright = brightened(image, 1.25 * 255 / float(np.median(white.max(axis=1))))
        lit.append((too_bright, Counter(str(card.piece) for card in known)))

    def named() -> tuple[int, int]:
        """Names that are right, and wrong ones."""
        names = [
            (Counter(str(piece) for piece in pipeline.read(image, SET_CARDS_ALONE).pieces if piece is not None), true)
            for image, true in lit
        ]
        return sum((name & true).total() for name, true in names), sum((name - true).total() for name, true in names)

    right, wrong = named()
    monkeypatch.setattr(SetCardReader, "compare", lambda reader, readings, inked: inked)
    right_alone, wrong_alone = named()
    assert wrong < 0.75 * wrong_alone
    assert right >= right_alone


def test_sure_cards_stay_and_those_in_doubt_or_burnt_are_compared(twelve: tuple[np.ndarray, np.ndarray]) -> None:
    image, quads = twelve
    half = image.copy()
    half[:, : image.shape[1] // 2] = brightened(image[:, : image.shape[1] // 2], 1.5)
    for picture, in_doubt in ((brightened(image, 0.9), []), (brightened(image, 0.9), [3]), (half, [3, 8])):
        reader, readings = read_of(picture, quads)
        readings = replace(readings, is_card=np.full(len(quads), 0.999))
        inked = with_common_inks(readings, inks.InkOptions())
        inked.is_card[in_doubt] = 0.5
        told = reader.compare(readings, inked)
        is_burnt = (straightened(Pyramid(picture), readings.quad_px, SET_CARD_PATCH)[1] >= inks.BURNT).any(axis=1)
        wanted = is_burnt | (np.exp(inked.deck_log.max(axis=1)) * inked.is_card < SURE)
        assert wanted.sum() in ((len(in_doubt),) if picture is not half else range(4, 11))
        assert np.array_equal(np.abs(told.deck_log - inked.deck_log).max(axis=1) > 1e-9, wanted)
    none = readings.pick(np.arange(0))
    assert len(reader.compare(none, none)) == 0


def test_colours_alone_are_changed(twelve: tuple[np.ndarray, np.ndarray]) -> None:
    image, quads = twelve
    reader, readings = read_of(brightened(image, 1.5), quads)
    inked = with_common_inks(readings, inks.InkOptions())
    told = reader.compare(readings, inked)
    added = told.deck_log - inked.deck_log
    assert np.allclose(np.exp(told.deck_log).sum(axis=1), 1)
    for color in Color:
        group = [at for at, card in enumerate(SET_DECK) if card.color is color]
        assert np.ptp(added[:, group], axis=1).max() < 1e-9
    assert (np.abs(added).max(axis=1) > 1e-6).all()


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many cards the reader is asked about, each time from now on."""
    asked: list[int] = []
    spoken = set_cards._reader_output

    def counting(cards: np.ndarray) -> tuple[inks.ReaderOutput, np.ndarray]:
        asked.append(len(cards))
        return spoken(cards)

    monkeypatch.setattr(set_cards, "_reader_output", counting)
    return asked


@pytest.mark.parametrize(("by", "readings_more"), [(0.9, 0), (1.5, 3)])
def test_a_light_that_burns_nothing_costs_no_more_reading(
    twelve: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch, by: float, readings_more: int
) -> None:
    image, quads = twelve
    reader, readings = read_of(brightened(image, by), quads)
    inked = with_common_inks(readings, inks.InkOptions())
    asked = counted(monkeypatch)
    assert inks.evidence(*reader.beside_each_other(readings, inked)).shape == (len(quads), 91)
    assert asked == [len(quads)] * readings_more


def test_of_cards_in_a_light_that_burns_some_these_alone_are_read_again(
    twelve: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, quads = twelve
    image = plain.copy()
    image[:, : image.shape[1] // 3] = brightened(image[:, : image.shape[1] // 3], 1.5)
    reader, readings = read_of(image, quads)
    spoken, asked = set_cards._reader_output, counted(monkeypatch)
    cards, read = reader.beside_each_other(readings, with_common_inks(readings, inks.InkOptions()))
    assert (cards.white.max(axis=1) >= inks.BURNT).sum() == 3
    for by in (1.0, 1.2):
        every, _ = spoken(set_cards.unburnt(cards.straight.copy(), cards.white, by))
        for told, whole in zip(read(by).columns(), every.columns(), strict=True):
            assert np.allclose(told, whole, atol=1e-4)
    assert asked == [12, 3]


def test_the_order_of_cards_says_nothing() -> None:
    rng = np.random.default_rng(3)
    cards = rng.normal(0, 1, (9, 91)).astype(np.float32)
    order = rng.permutation(9)
    compare = network("comparison")
    assert np.allclose(compare(cards[None])[0][order], compare(cards[None, order])[0], atol=1e-4)


def test_cards_beside_it_matter() -> None:
    rng = np.random.default_rng(4)
    cards = rng.normal(0, 1, (9, 91)).astype(np.float32)
    compare = network("comparison")
    assert not np.allclose(compare(cards[None])[0, 0], compare(cards[None, :1])[0, 0], atol=1e-2)


@pytest.mark.parametrize("level", [255, 254, 0])
def test_an_even_picture_is_evidence_without_a_number_that_is_none(level: int) -> None:
    image = np.full((200, 300, 3), level, np.uint8)
    quads = np.array([[[20.0, 20], [80, 20], [80, 110], [20, 110]], [[120.0, 20], [180, 20], [180, 110], [120, 110]]])
    for count in (1, 2):
        reader, readings = read_of(image, quads[:count])
        told = reader.compare(readings, with_common_inks(readings, inks.InkOptions()))
        assert np.isfinite(told.deck_log).all()
        assert told.deck_log.shape == (count, 81)


def test_ink_is_measured_as_place_by_place() -> None:
    rng = np.random.default_rng(5)
    ink = (rng.exponential(0.2, (6, 3, 748)) * (rng.random((6, 1, 748)) < np.array([0, 0.001, 0.002, 0.05, 0.5, 1])[:, None, None])).astype(
        np.float32
    )
    measured = np.concatenate(inks._inks(ink), axis=1)
    for card, row in zip(ink, measured, strict=True):
        places = sorted((place for place in card.T if place.mean() > inks.GRAIN), key=lambda place: -place.mean())
        wanted = [len(places) / 748]
        for start, stop in inks._PARTS:
            first = int(start * len(places))
            part = places[first : max(int(stop * len(places)), first + 1)]
            wanted += list(np.mean(part, axis=0)) if len(places) > 2 else [0, 0, 0]
        wanted += list(np.mean([place < inks._LOST for place in places], axis=0)) if len(places) > 2 else [0, 0, 0]
        assert row == pytest.approx(wanted, abs=1e-5)
