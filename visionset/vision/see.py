"""From a picture to a table: find, straighten, read, settle by the deck, put in order."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from visionset.frame import Frame
from visionset.geometry import Floats, is_convex
from visionset.layout import reading_order
from visionset.pieces import SET_DECK, Kind
from visionset.table import Guess, Sighting, Table
from visionset.vision import set_cards
from visionset.vision.find import FindOptions, Proposals, find
from visionset.vision.ink import InkOptions
from visionset.vision.plane import size_evidence
from visionset.vision.set_cards import Readings

Stages: TypeAlias = Callable[[str, NDArray[np.uint8]], None]
"""Called with a short name and a BGR picture for every step of the pipeline."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read a picture.

    Attributes
    ----------
    decks : int
        Decks on the table: each card is named at most so often.
    min_confidence : float
        A card read with less is reported without a name: a wrong SET is worse than a closer look.
    min_card : float
        Frames that hold a SET card with less than this probability, given the whole table, are no sightings.
    maybe_card : float
        The same for a frame by itself, before it is judged beside the others.
    settled_px : float
        A frame whose corners the reader would move by more than this (patch pixels) is cut again and read again.
    overlap : float
        Two readings that share more than this part of the smaller frame are one card.
    find : FindOptions
        Numbers of the finder.
    ink : InkOptions
        Where the inks lie; a profile of an unusual deck brings its own.
    """

    decks: int = 1
    min_confidence: float = 0.6
    min_card: float = 0.9
    maybe_card: float = 0.5
    settled_px: float = 4.5
    overlap: float = 0.5
    find: FindOptions = field(default_factory=FindOptions)
    ink: InkOptions = field(default_factory=InkOptions)


def read(image_bgr: NDArray[np.uint8], options: ReadOptions | None = None, *, stages: Stages | None = None) -> Table:
    """Read everything on a table in one picture.

    Parameters
    ----------
    image_bgr : ndarray of uint8, shape (height, width, 3)
        Not modified.
    options : ReadOptions, optional
        How to read.
    stages : callable, optional
        Receives one picture per step, for finding faults.

    Returns
    -------
    Table
        Sightings in reading order; those that could not be read for sure have ``piece`` None.
    """
    options = options or ReadOptions()
    proposals = find(image_bgr, options.find)
    if stages:
        stages("proposals", _drawn(image_bgr, proposals.quads(), [f"{s:.2f}" for s in proposals.score]))
    readings = _read_closely(image_bgr, proposals, options)
    if stages and len(readings):
        stages("straightened", _montage(image_bgr, readings.quad_px))
        stages("readings", _drawn(image_bgr, readings.quad_px, [_short(r) for r in readings.deck_log]))
    kept = _coherent(set_cards.pooled(_distinct(readings, options), options.ink), options)
    table = _table(image_bgr, kept, options)
    if stages:
        stages("table", _drawn(image_bgr, kept.quad_px, [_short(r) for r in kept.deck_log]))
    return table


def read_whole_card(image_bgr: NDArray[np.uint8], options: ReadOptions | None = None, *, stages: Stages | None = None) -> Table:
    """Read a picture that one card fills, upright or rotated (a scan, a crop); one sighting at most."""
    options = options or ReadOptions()
    height, width = image_bgr.shape[:2]
    whole = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]) - 0.5
    upright = whole if height >= width else np.roll(whole, 1, axis=0)
    readings = set_cards.read(image_bgr, np.stack([upright, np.roll(upright, 1, axis=0)]))
    best = int(np.argmax(readings.is_card + readings.deck_log.max(axis=1).clip(-5, 0)))
    readings = readings.pick(np.array([best]))
    if stages:
        stages("straightened", _montage(image_bgr, upright[None]))
    said_to_be_one = np.ones(1)
    return _table(image_bgr, set_cards.pooled(replace(readings, quad_px=upright[None], is_card=said_to_be_one), options.ink), options)


def _read_closely(image_bgr: NDArray[np.uint8], proposals: Proposals, options: ReadOptions) -> Readings:
    """Read every proposal; cut those again whose frame was off, and turn those by a right angle that make no sense."""
    readings = set_cards.read(image_bgr, proposals.quads())
    unsettled = np.flatnonzero((readings.is_card > 0.1) & (readings.shift > options.settled_px) & _sound(readings.quad_px))
    if len(unsettled):
        readings = readings.replaced(unsettled, set_cards.read(image_bgr, readings.quad_px[unsettled]))
    return readings.pick(_sound(readings.quad_px))


def _sound(quads: Floats) -> NDArray[np.bool_]:
    return np.array([is_convex(quad) for quad in quads], dtype=bool)


def _distinct(readings: Readings, options: ReadOptions) -> Readings:
    """Drop what is no card and what was found twice."""
    readings = readings.pick(readings.is_card >= options.maybe_card)
    surest = np.argsort(-(readings.is_card + np.exp(readings.deck_log.max(axis=1)))) if len(readings) else np.empty(0, np.intp)
    low, high = readings.quad_px.min(axis=1), readings.quad_px.max(axis=1)
    near = ((low[:, None] < high[None]) & (low[None] < high[:, None])).all(axis=2)
    kept: list[int] = []
    for at in surest:
        neighbours = [other for other in kept if near[at, other]]
        if all(_shared(readings.quad_px[at], readings.quad_px[other]) < options.overlap for other in neighbours):
            kept.append(int(at))
    return readings.pick(np.array(kept, dtype=np.intp))


def _coherent(readings: Readings, options: ReadOptions) -> Readings:
    """Let the table's plane speak for or against each card; drop what is no card after that."""
    sure = readings.is_card * np.exp(readings.deck_log.max(axis=1)) if len(readings) else np.empty(0)
    odds = np.log(readings.is_card / (1 - readings.is_card)) + size_evidence(readings.quad_px, sure)
    readings = replace(readings, is_card=1 / (1 + np.exp(-odds)))
    return readings.pick(readings.is_card >= options.min_card)


def _shared(one: Floats, other: Floats) -> float:
    """Common area over the smaller area of two convex quads."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    common, _ = cv2.intersectConvexConvex(a, b)
    return float(common) / max(1e-6, min(cv2.contourArea(a), cv2.contourArea(b)))


def _table(image_bgr: NDArray[np.uint8], readings: Readings, options: ReadOptions) -> Table:
    order = reading_order(readings.quad_px)
    readings = readings.pick(order)
    card, sure = set_cards.settle(readings.deck_log, options.decks)
    sightings = []
    for at, (index, confidence) in enumerate(zip(card, sure * readings.is_card, strict=True)):
        ranking = np.argsort(-readings.deck_log[at])[:2]
        second = ranking[1] if ranking[0] == index else ranking[0]
        guess = Guess(SET_DECK[index], float(confidence), SET_DECK[second], float(min(confidence, np.exp(readings.deck_log[at, second]))))
        named = SET_DECK[index] if confidence >= options.min_confidence else None
        sightings.append(Sighting(Kind.SET_CARD, readings.quad_px[at], named, float(confidence), guess))
    return Table((image_bgr.shape[1], image_bgr.shape[0]), tuple(sightings))


def _short(deck_log: Floats) -> str:
    best = int(deck_log.argmax())
    card = SET_DECK[best]
    return f"{card.number}{card.color.value[0]}{card.shading.value[:2]}{card.shape.value[0]} {np.exp(deck_log[best]):.2f}"


def _drawn(image_bgr: NDArray[np.uint8], quads: Floats, labels: list[str]) -> NDArray[np.uint8]:
    picture = image_bgr.copy()
    size = max(0.4, max(picture.shape) / 2200)
    for quad, label in zip(quads, labels, strict=True):
        cv2.polylines(picture, [np.round(quad).astype(np.int32)], True, (255, 0, 255), 2, cv2.LINE_AA)
        at = (int(quad[:, 0].min()), int(quad[:, 1].mean()))
        cv2.putText(picture, label, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 4, cv2.LINE_AA)
        cv2.putText(picture, label, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 255, 255), 1, cv2.LINE_AA)
    return picture


def _montage(image_bgr: NDArray[np.uint8], quads: Floats) -> NDArray[np.uint8]:
    cards = (set_cards.patches(image_bgr, quads) / 1.3 * 255).astype(np.uint8)
    columns = min(len(cards), 12)
    rows = -(-len(cards) // columns)
    sheet = np.zeros((rows * columns, *cards.shape[1:]), np.uint8)
    sheet[: len(cards)] = cards
    return np.ascontiguousarray(sheet.reshape(rows, columns, *cards.shape[1:]).swapaxes(1, 2).reshape(rows * 96, columns * 64, 3))


class Watcher:
    """Reads a stream: a frame in which nothing changed since the last reading costs next to nothing.

    Attributes
    ----------
    timings_ms : dict of str to float
        Milliseconds of each stage of the last frame.
    """

    _SMALL = (160, 90)
    _CHANGE_LEVELS = 9
    """A block of the small picture that differs by more than this (of 255) is a change, less is noise and flicker."""

    def __init__(self, options: ReadOptions | None = None) -> None:
        self.options = options or ReadOptions()
        self.timings_ms: dict[str, float] = {}
        self._reference: NDArray[np.uint8] | None = None
        self._table: Table | None = None

    def see(self, frame: Frame) -> Table:
        """Read one frame."""
        start = time.perf_counter()
        small = cv2.cvtColor(cv2.resize(frame.image_bgr, self._SMALL, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        changed = (
            self._table is None
            or self._reference is None
            or self._table.size_px != frame.size_px
            or int(cv2.absdiff(small, self._reference).max()) > self._CHANGE_LEVELS
        )
        compared = time.perf_counter()
        self.timings_ms = {"compare": 1000 * (compared - start)}
        if changed or self._table is None:
            self._table = read(frame.image_bgr, self.options)
            self._reference = np.asarray(small, np.uint8)
            self.timings_ms["read"] = 1000 * (time.perf_counter() - compared)
        self._table = Table(self._table.size_px, self._table.sightings, frame.index)
        return self._table
