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
from visionset.vision.inks import BURNT, InkOptions, ReaderOutput, common_inks, ink_chroma, optical_density, symbol_count
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
"""The network's first 12 outputs, as (attribute, value): number, colour, shading and shape, three values each."""
_COLUMNS = np.array([[_ANSWERS.index((name, getattr(card, name))) for name in _ASKED] for card in SET_DECK])
"""For each card of the deck the outputs that are its four attributes, shape (81, 4)."""

_HAVING = np.array([np.flatnonzero(np.equal(_COLUMNS, column).any(axis=1)) for column in range(len(_ANSWERS))])
"""For each output the 27 cards of the deck that have this value, shape (12, 27)."""

_COLOR = slice(_COLUMNS[:, 1].min(), _COLUMNS[:, 1].max() + 1)
"""The outputs that are colours."""

_CARD_COLUMN = len(_ANSWERS)
"""The output that is the log odds of a card; after it come 8 corrections of corners."""

_DARK, _DARKEST_CARDS = 0.01, 10.0
"""The fullest ink of a card is the brightness below which this share of its pixels lies; that of a table is this percentile of its cards',
of which some are solid."""

_FULL_INK = 0.07
"""Brightness of the fullest ink in its darkest colour, of the paper's, at a usual exposure."""

_MOST_CONTRAST = 2.5
"""Densities are multiplied by no more than this: the grain of paper would become ink."""

_KNOWN_DECKS = 0.5
"""Weight of the reader's log probabilities of numbers beside those of `symbol_count`: the reader tells numbers also by where the decks that
it learned from have their symbols."""

_BURNT_BY = 1.05
"""Factor by which burnt paper is taken to have been brighter than a picture can show, before cards are compared."""


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
    """Reads the SET cards of one picture, after giving their inks the contrast of a usual print.

    An over-exposure, or a camera that lifts the shadows, takes the same share of every density, so that solid looks striped. It is measured
    once for a picture how much is missing (`measure_contrast`); before a card is read its densities are multiplied by that (`_exponent`).
    """

    def __init__(self, picture: Pyramid) -> None:
        self._picture = picture
        self._exponent = 1.0
        self._cut = np.empty((0, 4, 2)), np.empty((0, 3, SET_CARD_PATCH.height_px, SET_CARD_PATCH.width_px), np.float32)

    def measure_contrast(self, quads: Floats) -> None:
        """Measure the missing contrast on quads, shape (n, 4, 2), that most likely hold a card; only once for a picture."""
        if not len(self._cut[0]) and len(quads) >= FEW_PIECES:
            self._cut = quads, _cut(self._picture, quads)
            self._exponent = _missing_contrast(self._cut[1])

    def __call__(self, quads: Floats) -> SetCardReadings:
        """Read n quads, shape (n, 4, 2), each beginning at a short side."""
        if not len(quads):
            return SetCardReadings(np.empty((0, 4, 2)), np.empty(0), np.empty((0, 81)), np.empty(0), np.empty((0, 2)))
        return _read(_with_contrast(self._straightened(quads), self._exponent), quads)

    def compare(self, readings: SetCardReadings, inked: SetCardReadings) -> SetCardReadings:
        """All cards of a table, with the colours of doubtful and of burnt ones corrected by the network that compares all cards.

        Given their readings before `with_common_inks` and after it, `inked`.
        """
        samples = sampled(self._picture[0], readings.quad_px)[..., :3]
        is_burnt = (samples >= BURNT).mean(axis=(1, 2)).max(axis=1) > 1 - PAPER_QUANTILE
        asked = np.flatnonzero(is_burnt | (_sureness(inked) < SURE))
        if not len(asked):
            return inked
        change = inks.changes(*self.beside_each_other(readings, inked))[asked]
        deck_log = inked.deck_log[asked] + change[:, _COLUMNS[:, 1] - _COLOR.start]
        return inked.replaced(asked, replace(inked.pick(asked), deck_log=log_softmax(deck_log)))

    def beside_each_other(self, readings: SetCardReadings, inked: SetCardReadings) -> tuple[inks.Cards, Callable[[float], ReaderOutput]]:
        """The arguments of `inks.changes` for these cards, one at least: the cards, and what reads them with burnt paper brighter."""
        straight, white = straightened(self._picture, readings.quad_px, SET_CARD_PATCH)
        exponent, burnt = self._exponent, np.flatnonzero((white >= BURNT).any(axis=1))
        said = ReaderOutput(_attributes(readings.deck_log), logit(readings.is_card), readings.chroma)
        as_they_are = _reader_output(_with_contrast(straight, exponent))[0] if len(burnt) else said

        def read(by: float) -> ReaderOutput:
            if by == 1 or not len(burnt):
                return as_they_are
            return as_they_are.replaced(burnt, _reader_output(_with_contrast(unburnt(straight[burnt], white[burnt], by), exponent))[0])

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
    """Darken the ink of cards, shape (n, 3, 96, 64), in colours whose paper is burnt out, as if paper were `by` times as bright; in place.

    An exposure that is too long takes the same from the density of every ink, until the faintest is paper. It does so only in the colours
    that are burnt, those where `white`, shape (n, 3), is 255 or nearly, so that thin purple turns green or red.
    """
    for card, channel in np.argwhere(white >= BURNT):
        plane = cards[card, channel]
        paper = np.clip((255 * plane - BURNT) / (255 - BURNT), 0, 1)
        plane /= by + (1 - by) * paper
    return cards


def _missing_contrast(cards: NDArray[np.float32]) -> float:
    """Exponent that gives washed-out cards, shape (n, 3, 96, 64), the contrast of a usual print; 1 for cards that have it."""
    blue, green, red = cards[:, :, *SET_CARD_PATCH.inner][..., ::2, ::2].transpose(1, 0, 2, 3)
    ink = np.minimum(np.minimum(blue, green), red).reshape(len(cards), -1)  # a minimum over an axis of 3 takes sixty times as long
    at = int(_DARK * ink.shape[1])
    level = np.percentile(np.partition(ink, at, axis=1)[:, at], _DARKEST_CARDS, method="lower")  # of few cards one may be solid
    return contrast_of(float(level))


def _with_contrast(cards: NDArray[np.float32], exponent: float) -> NDArray[np.float32]:
    """Straightened cards, shape (n, 3, 96, 64), with their densities multiplied by `exponent`; cv2.pow takes a fifth of numpy's time."""
    if exponent == 1.0:
        return cards
    return np.reshape(np.asarray(cv2.pow(cards.reshape(-1, cards.shape[-1]), exponent), np.float32), cards.shape)


def contrast_of(full_ink: float) -> float:
    """Exponent, 1 to `_MOST_CONTRAST`, that brings the fullest ink of a table, as a share of paper white, to `_FULL_INK`."""
    return float(1 / max(np.log(max(full_ink, _FULL_INK)) / np.log(_FULL_INK), 1 / _MOST_CONTRAST))


def _read(cards: NDArray[np.float32], quads: Floats) -> SetCardReadings:
    """Readings of straightened cards, shape (n, 3, 96, 64), that were cut at `quads`."""
    spoken, shift = _reader_output(cards)
    deck_log = spoken.log[:, _COLUMNS].sum(axis=2)
    return SetCardReadings(
        corrected(quads, shift, SET_CARD_PATCH), np.abs(shift).max(axis=(1, 2)), deck_log, expit(spoken.odds), spoken.chroma
    )


def _reader_output(cards: NDArray[np.float32]) -> tuple[ReaderOutput, Floats]:
    """The network's output for straightened cards, shape (n, 3, 96, 64); and how far their corners are off, in patch pixels, (n, 4, 2)."""
    out = network("reader")(cards).astype(np.float64)
    log = log_softmax(out[:, :_CARD_COLUMN].reshape(-1, 4, 3))
    density = optical_density(cards)
    log[:, 0] = log_softmax(_KNOWN_DECKS * log[:, 0] + symbol_count(density))
    shift = out[:, _CARD_COLUMN + 1 :].reshape(-1, 4, 2) * SET_CARD_PATCH.shift_px
    return ReaderOutput(log.reshape(-1, _CARD_COLUMN), out[:, _CARD_COLUMN], ink_chroma(density)), shift


def with_common_inks(readings: SetCardReadings, ink: InkOptions) -> SetCardReadings:
    """The same readings with each card's colour judged beside all others; `ink` says what an unusual deck looks like."""
    if not len(readings):
        return readings
    color_log = _attributes(readings.deck_log)[:, _COLOR]
    change = common_inks(color_log, readings.chroma, ink) - color_log
    deck_log = readings.deck_log + change[:, _COLUMNS[:, 1] - _COLOR.start]
    return replace(readings, deck_log=log_softmax(deck_log))


def _attributes(deck_log: Floats) -> Floats:
    """Marginal log probabilities of number, colour, shading and shape, three each, of those of the deck's cards; (n, 81) to (n, 12)."""
    log = np.logaddexp.reduce(deck_log[:, _HAVING], axis=2)
    return log_softmax(log.reshape(-1, 4, 3)).reshape(-1, 12)


def sight_set_cards(
    read: Callable[[Floats], SetCardReadings],
    compare: Callable[[SetCardReadings, SetCardReadings], SetCardReadings],
    image_bgr: NDArray[np.uint8],
    quads: Floats,
    is_set: Floats,
    options: ReadOptions,
) -> Sightings:
    """Read n quads, shape (n, 4, 2), and judge all cards together.

    `is_set`, shape (n,), is the probability of a SET card by the reader of playing cards. `read` and `compare` are those of one
    `SetCardReader`.
    """
    readings = refined(read, quads, lambda readings: readings.is_card >= options.maybe, options.settled_px)
    # from SURE on `is_set` counts as 1: else the small doubt left would call for one more look
    readings = replace(readings, is_card=readings.is_card * np.where(is_set >= SURE, 1.0, is_set))
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
    """The mean probabilities of two readings of the same cards, with the corners of the first."""
    deck_log = np.logaddexp(one.deck_log, other.deck_log) - np.log(2)
    return replace(one, deck_log=deck_log, is_card=(one.is_card + other.is_card) / 2)


def name(readings: SetCardReadings, options: ReadOptions) -> list[Sighting]:
    """Give every card a name of its own."""
    deck_log = beside_others(readings.deck_log, options.decks)
    card, sure = assign_cards(deck_log, options.decks)
    return [
        named_sighting(readings.quad_px[at], SET_DECK, deck_log[at], int(index), float(confidence), options.min_confidence)
        for at, (index, confidence) in enumerate(zip(card, sure * readings.is_card, strict=True))
    ]


def _distinct(readings: SetCardReadings, options: ReadOptions) -> SetCardReadings:
    """Without cards that were found twice: the surer reading stays."""
    surest = np.argsort(-(readings.is_card + np.exp(readings.deck_log.max(axis=1))))
    return readings.pick(distinct(readings.quad_px, surest, options.overlap))


def _coherent(readings: SetCardReadings, options: ReadOptions) -> SetCardReadings:
    """Add to each card's log odds what its size says beside the others (`size_evidence`); drop what is no card then."""
    odds = logit(readings.is_card) + size_evidence(readings.quad_px, _sureness(readings))
    readings = replace(readings, is_card=expit(odds))
    return readings.pick(readings.is_card >= options.min_card)
