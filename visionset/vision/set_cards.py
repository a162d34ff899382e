"""SET cards: number, colour, shading and shape of each, how sure, and a better quad; and all of a table together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats, are_convex
from visionset.kinds import KIND_SPECS
from visionset.pieces import SET_DECK, Kind
from visionset.table import Sighting
from visionset.vision import inks
from visionset.vision.engine import expit, log_softmax, logit, network
from visionset.vision.inks import BURNT, InkOptions, Spoken, common_inks, ink_chroma, optical_density, symbol_count
from visionset.vision.judging import FEW_PIECES, SURE, Sightings, assign_cards, beside_others, named_sighting, size_evidence
from visionset.vision.options import ReadOptions
from visionset.vision.patches import (
    PAPER_QUANTILE,
    SET_CARD_PATCH,
    Pyramid,
    QuadReadings,
    asked_twice,
    corrected,
    refined,
    sampled,
    straightened,
)
from visionset.vision.quads import distinct, on_edges

_ASKED = KIND_SPECS[Kind.SET_CARD].attributes
_ANSWERS = list(dict.fromkeys((name, getattr(card, name)) for name in _ASKED for card in SET_DECK))
_COLUMNS = np.array([[_ANSWERS.index((name, getattr(card, name))) for name in _ASKED] for card in SET_DECK])
"""For each card of the deck the four columns of the network's output that speak for it, shape (81, 4)."""

_HAVING = np.array([np.flatnonzero(np.equal(_COLUMNS, column).any(axis=1)) for column in range(len(_ANSWERS))])
"""For each of these columns the 27 cards that it speaks for, shape (12, 27)."""

_COLOR = slice(_COLUMNS[:, 1].min(), _COLUMNS[:, 1].max() + 1)

_CARD_COLUMN = len(_ANSWERS)

_DARK, _DARKEST_CARDS = 0.01, 10.0
"""Share of a card's pixels that are its ink at its fullest, and percentile of the cards of a table: some are solid."""

_FULL_INK = 0.07
"""Share of paper white that the fullest ink keeps in its darkest colour at a usual exposure."""

_MOST_CONTRAST = 2.5
"""More than this would turn the grain of paper into ink."""

_KNOWN_DECKS = 0.5
"""Weight of the reader's number beside that counted by the ink alone: it tells numbers by where known decks have their symbols."""

_BURNT_BY = 1.05
"""By how much burnt paper is taken to have been brighter than a picture can show, where a card is read by itself."""


@dataclass(frozen=True, slots=True, eq=False)
class SetCardReadings(QuadReadings):
    """What the reader makes of n quads."""

    deck_log: Floats
    """Log probability of each card of `SET_DECK`, given that it is a card. Shape (n, 81)."""
    is_card: Floats
    """Probability that a SET card lies in the quad, 0 to 1. Shape (n,)."""
    chroma: Floats
    """Chroma of the ink, from `visionset.vision.inks.ink_chroma`. Shape (n, 2)."""


class SetCardReader:
    """Reads the SET cards of one picture, with the contrast that their inks should have.

    An over-exposure, or a camera that lifts the shadows, takes the same share of every density, so that solid looks striped. The darkest
    symbols of some cards tell how much is left, once; all patches get the rest back.
    """

    def __init__(self, picture: Pyramid) -> None:
        self._picture = picture
        self._exponent = 1.0
        self._cut = np.empty((0, 4, 2)), np.empty((0, 3, SET_CARD_PATCH.height_px, SET_CARD_PATCH.width_px), np.float32)

    def expose(self, quads: Floats) -> None:
        """Let quads, shape (n, 4, 2), that most likely hold a card tell how much contrast is missing, unless others have."""
        if not len(self._cut[0]) and len(quads) >= FEW_PIECES:
            self._cut = quads, _cut(self._picture, quads)
            self._exponent = _missing_contrast(self._cut[1])

    def __call__(self, quads: Floats) -> SetCardReadings:
        """Read n quads, shape (n, 4, 2), each beginning at a short side."""
        if not len(quads):
            return SetCardReadings(np.empty((0, 4, 2)), np.empty(0), np.empty((0, 81)), np.empty(0), np.empty((0, 2)))
        return _read(_with_contrast(self._straightened(quads), self._exponent), quads)

    def compare(self, readings: SetCardReadings, inked: SetCardReadings) -> SetCardReadings:
        """All cards of a table, given their readings before and after `with_common_inks`.

        The colours of those that are in doubt, or whose paper is burnt out, are judged beside all.
        """
        samples = sampled(self._picture[0], readings.quad_px)[..., :3]
        is_burnt = (samples >= BURNT).mean(axis=(1, 2)).max(axis=1) > 1 - PAPER_QUANTILE
        asked = np.flatnonzero(is_burnt | (_sureness(inked) < SURE))
        if not len(asked):
            return inked
        change = inks.changes(*self.beside_each_other(readings, inked))[asked]
        deck_log = inked.deck_log[asked] + change[:, _COLUMNS[:, 1] - _COLOR.start]
        return inked.replaced(asked, replace(inked.pick(asked), deck_log=log_softmax(deck_log)))

    def beside_each_other(self, readings: SetCardReadings, inked: SetCardReadings) -> tuple[inks.Cards, Callable[[float], Spoken]]:
        """The same cards, one at least, as `visionset.vision.inks` wants them, and what the reader thinks if more is burnt."""
        straight, white = straightened(self._picture, readings.quad_px, SET_CARD_PATCH)
        exponent, burnt = self._exponent, np.flatnonzero((white >= BURNT).any(axis=1))
        said = Spoken(_attributes(readings.deck_log), logit(readings.is_card), readings.chroma)
        as_they_are = _spoken(_with_contrast(straight, exponent))[0] if len(burnt) else said

        def read(by: float) -> Spoken:
            if by == 1 or not len(burnt):
                return as_they_are
            return as_they_are.replaced(burnt, _spoken(_with_contrast(unburnt(straight[burnt], white[burnt], by), exponent))[0])

        color_log = _attributes(inked.deck_log)[:, _COLOR]
        return inks.Cards(straight, white, exponent, said, color_log), read

    def _straightened(self, quads: Floats) -> NDArray[np.float32]:
        """The cards in n quads, shape (n, 3, 96, 64); those that told the contrast are cut already."""
        known, cards = self._cut
        same = (quads[:, None] == known[None]).all(axis=(2, 3))
        if not same.any():
            return _cut(self._picture, quads)
        is_new = ~same.any(axis=1)
        every: NDArray[np.float32] = cards[same.argmax(axis=1)]
        if is_new.any():
            every[is_new] = _cut(self._picture, quads[is_new])
        return every


def _cut(picture: Pyramid, quads: Floats) -> NDArray[np.float32]:
    """Straightened cards with their paper at 1, shape (n, 3, 96, 64)."""
    return unburnt(*straightened(picture, quads, SET_CARD_PATCH))


def unburnt(cards: NDArray[np.float32], white: NDArray[np.float32], by: float = _BURNT_BY) -> NDArray[np.float32]:
    """Cards, shape (n, 3, 96, 64), in whose colours with burnt paper, `white` (n, 3) of 255, all but the paper is darker; changed in place.

    An exposure that is too long takes the same from the density of every ink, until the faintest is paper. The colours that are not burnt
    keep theirs, so that thin purple turns green or red.
    """
    for card, channel in np.argwhere(white >= BURNT):
        plane = cards[card, channel]
        paper = np.clip((255 * plane - BURNT) / (255 - BURNT), 0, 1)
        plane /= by + (1 - by) * paper
    return cards


def _missing_contrast(cards: NDArray[np.float32]) -> float:
    """Exponent that gives washed-out cards, shape (n, 3, 96, 64), the contrast of a usual print; 1 for cards that have it."""
    blue, green, red = cards[:, :, *SET_CARD_PATCH.inner][..., ::2, ::2].transpose(1, 0, 2, 3)
    ink = np.minimum(np.minimum(blue, green), red).reshape(len(cards), -1)  # a minimum over triples takes sixty times as long
    at = int(_DARK * ink.shape[1])
    level = np.percentile(np.partition(ink, at, axis=1)[:, at], _DARKEST_CARDS, method="lower")  # of few cards one may be solid
    return contrast_of(float(level))


def _with_contrast(cards: NDArray[np.float32], exponent: float) -> NDArray[np.float32]:
    """Straightened cards, shape (n, 3, 96, 64), whose densities are so many times as large; OpenCV's powers take a fifth of the time."""
    if exponent == 1.0:
        return cards
    return np.reshape(np.asarray(cv2.pow(cards.reshape(-1, cards.shape[-1]), exponent), np.float32), cards.shape)


def contrast_of(full_ink: float) -> float:
    """Exponent that gives the contrast of a usual print to cards whose fullest ink keeps that share of paper white."""
    return float(1 / max(np.log(max(full_ink, _FULL_INK)) / np.log(_FULL_INK), 1 / _MOST_CONTRAST))


def _read(cards: NDArray[np.float32], quads: Floats) -> SetCardReadings:
    """What the network says of straightened cards, shape (n, 3, 96, 64), cut at `quads`."""
    spoken, shift = _spoken(cards)
    deck_log = spoken.log[:, _COLUMNS].sum(axis=2)
    return SetCardReadings(
        corrected(quads, shift, SET_CARD_PATCH), np.abs(shift).max(axis=(1, 2)), deck_log, expit(spoken.odds), spoken.chroma
    )


def _spoken(cards: NDArray[np.float32]) -> tuple[Spoken, Floats]:
    """What the network says of straightened cards, shape (n, 3, 96, 64), and by how much their corners are off, shape (n, 4, 2)."""
    out = network("reader")(cards).astype(np.float64)
    log = log_softmax(out[:, :_CARD_COLUMN].reshape(-1, 4, 3))
    density = optical_density(cards)
    log[:, 0] = log_softmax(_KNOWN_DECKS * log[:, 0] + symbol_count(density))
    shift = out[:, _CARD_COLUMN + 1 :].reshape(-1, 4, 2) * SET_CARD_PATCH.shift_px
    return Spoken(log.reshape(-1, _CARD_COLUMN), out[:, _CARD_COLUMN], ink_chroma(density)), shift


def with_common_inks(readings: SetCardReadings, ink: InkOptions) -> SetCardReadings:
    """The same readings with each card's colour judged beside all others; `ink` says what an unusual deck looks like."""
    if not len(readings):
        return readings
    color_log = _attributes(readings.deck_log)[:, _COLOR]
    change = common_inks(color_log, readings.chroma, ink) - color_log
    deck_log = readings.deck_log + change[:, _COLUMNS[:, 1] - _COLOR.start]
    return replace(readings, deck_log=log_softmax(deck_log))


def _attributes(deck_log: Floats) -> Floats:
    """Log probabilities of number, colour, shading and shape, three each, given those of all cards of the deck; shape (n, 12)."""
    log = np.logaddexp.reduce(deck_log[:, _HAVING], axis=2)
    return log_softmax(log.reshape(-1, 4, 3)).reshape(-1, 12)


_LEAST = float(np.finfo(np.float64).eps)
"""Probabilities stay by this from 0 and 1, whose odds are infinite."""


def sight_set_cards(
    read: Callable[[Floats], SetCardReadings],
    compare: Callable[[SetCardReadings, SetCardReadings], SetCardReadings],
    image_bgr: NDArray[np.uint8],
    quads: Floats,
    is_set: Floats,
    options: ReadOptions,
) -> Sightings:
    """Read n quads, shape (n, 4, 2), that hold a SET card with probability `is_set` as far as other readers know; judge all together.

    `compare` is that of the `SetCardReader` who reads.
    """
    readings = refined(read, quads, lambda readings: readings.is_card >= options.maybe, options.settled_px)
    # what the other reader is sure of is left to the own one: every other doubt would call for one more look
    is_card = readings.is_card * np.where(is_set >= SURE, 1.0, is_set)
    readings = replace(readings, is_card=np.clip(is_card, _LEAST, 1 - _LEAST))
    readings = readings.pick((readings.is_card >= options.maybe) & are_convex(readings.quad_px))
    maybe_px = readings.quad_px.mean(axis=1)
    cards = _distinct(readings, options)
    cards = asked_twice(read, cards, _sureness(cards) < SURE, _mean)
    cards = _coherent(compare(cards, with_common_inks(cards, options.ink)), options)
    cards = replace(cards, quad_px=on_edges(image_bgr, cards.quad_px))
    return Sightings(name(cards, options), maybe_px)


def _sureness(readings: SetCardReadings) -> Floats:
    return np.asarray(readings.is_card * np.exp(readings.deck_log.max(axis=1, initial=-np.inf)))


def _mean(one: SetCardReadings, other: SetCardReadings) -> SetCardReadings:
    """Two opinions of the same cards, as the first has laid them."""
    is_card = (one.is_card + other.is_card) / 2
    return replace(one, deck_log=np.logaddexp(one.deck_log, other.deck_log) - np.log(2), is_card=np.clip(is_card, _LEAST, 1 - _LEAST))


def name(readings: SetCardReadings, options: ReadOptions) -> list[Sighting]:
    """Give every card a name of its own."""
    deck_log = beside_others(readings.deck_log, options.decks)
    card, sure = assign_cards(deck_log, options.decks)
    return [
        named_sighting(readings.quad_px[at], SET_DECK, deck_log[at], int(index), float(confidence), options.min_confidence)
        for at, (index, confidence) in enumerate(zip(card, sure * readings.is_card, strict=True))
    ]


def _distinct(readings: SetCardReadings, options: ReadOptions) -> SetCardReadings:
    """Drop what was found twice."""
    surest = np.argsort(-(readings.is_card + np.exp(readings.deck_log.max(axis=1))))
    return readings.pick(distinct(readings.quad_px, surest, options.overlap))


def _coherent(readings: SetCardReadings, options: ReadOptions) -> SetCardReadings:
    """Let the table's plane speak for or against each card; drop what is no card after that."""
    odds = logit(readings.is_card) + size_evidence(readings.quad_px, _sureness(readings))
    readings = replace(readings, is_card=expit(odds))
    return readings.pick(readings.is_card >= options.min_card)
