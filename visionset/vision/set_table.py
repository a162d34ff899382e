"""The SET cards of one table: read each, judge all together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from visionset.geometry import Floats, are_convex
from visionset.pieces import SET_DECK
from visionset.table import Sighting
from visionset.vision import set_cards
from visionset.vision.card_edges import on_edges
from visionset.vision.naming import SURE, Sightings, assign_cards, named_sighting
from visionset.vision.odds import expit, logit
from visionset.vision.options import ReadOptions
from visionset.vision.plane import size_evidence
from visionset.vision.quads import distinct
from visionset.vision.readers import Readers, refined
from visionset.vision.set_cards import SetCardReadings

_LEAST = float(np.finfo(np.float64).eps)
"""Probabilities stay by this from 0 and 1, whose odds are infinite."""


def sight_set_cards(readers: Readers, quads: Floats, is_set: Floats, options: ReadOptions) -> Sightings:
    """Read n quads, shape (n, 4, 2), that hold a SET card with probability `is_set` as far as other readers know."""
    readings = refined(readers.set_cards, quads, lambda readings: readings.is_card >= options.maybe, options.settled_px)
    # what the other reader is sure of is left to the own one: every other doubt would call for one more look
    is_card = readings.is_card * np.where(is_set >= SURE, 1.0, is_set)
    readings = replace(readings, is_card=np.clip(is_card, _LEAST, 1 - _LEAST))
    readings = readings.pick((readings.is_card >= options.maybe) & are_convex(readings.quad_px))
    maybe_px = readings.quad_px.mean(axis=1)
    cards = _coherent(set_cards.with_common_inks(_distinct(readings, options), options.ink), options)
    cards = replace(cards, quad_px=on_edges(readers.cut_from[0], cards.quad_px))
    return Sightings(name(cards, options), maybe_px)


def name(readings: SetCardReadings, options: ReadOptions) -> list[Sighting]:
    """Give every card a name of its own."""
    card, sure = assign_cards(readings.deck_log, options.decks)
    return [
        named_sighting(readings.quad_px[at], SET_DECK, readings.deck_log[at], int(index), float(confidence), options.min_confidence)
        for at, (index, confidence) in enumerate(zip(card, sure * readings.is_card, strict=True))
    ]


def _distinct(readings: SetCardReadings, options: ReadOptions) -> SetCardReadings:
    """Drop what was found twice."""
    if not len(readings):
        return readings
    surest = np.argsort(-(readings.is_card + np.exp(readings.deck_log.max(axis=1))))
    return readings.pick(distinct(readings.quad_px, surest, options.overlap))


def _coherent(readings: SetCardReadings, options: ReadOptions) -> SetCardReadings:
    """Let the table's plane speak for or against each card; drop what is no card after that."""
    sure = readings.is_card * np.exp(readings.deck_log.max(axis=1)) if len(readings) else np.empty(0)
    odds = logit(readings.is_card) + size_evidence(readings.quad_px, sure)
    readings = replace(readings, is_card=expit(odds))
    return readings.pick(readings.is_card >= options.min_card)
