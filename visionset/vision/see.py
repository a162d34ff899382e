"""From a picture to a table: find, straighten, read, settle by deck and pack, put in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from visionset.geometry import Floats
from visionset.layout import reading_order
from visionset.pieces import Kind
from visionset.table import Sighting, Table
from visionset.vision import dice_table, pack_table, set_cards, set_table
from visionset.vision.find import Looks, die_starts, find, without_outdone
from visionset.vision.frames import areas, inside, shared
from visionset.vision.options import ReadOptions, Stages
from visionset.vision.patches import CEILING, straighten
from visionset.vision.playing_cards import CARD_BACK, PLAYING_CARD
from visionset.vision.proposals import CARDS, Heat, Proposals
from visionset.vision.rectify import SET_CARD_PATCH
from visionset.vision.stages import drawn, montage

_HEATS = {
    Kind.SET_CARD: {Heat.SET_CARD},
    Kind.PLAYING_CARD: {Heat.PLAYING_CARD, Heat.INDEX, Heat.HIDDEN_CARD},
    Kind.CARD_BACK: {Heat.CARD_BACK},
    Kind.SET_DIE: {Heat.DIE},
    Kind.PIP_DIE: {Heat.DIE},
}
"""What the finder may see of each kind."""


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
    wanted = frozenset[Heat]().union(*(_HEATS[kind] for kind in options.kinds))
    looks = Looks(image_bgr, options.find, set_cards_only=options.kinds == {Kind.SET_CARD})
    proposals = find(looks, wanted)
    if stages:
        labels = [f"{Heat(heat).name[:4]} {score:.2f}" for heat, score in zip(proposals.heat, proposals.score, strict=True)]
        stages("proposals", drawn(image_bgr, proposals.quads(), labels))
    if options.kinds & {Kind.PIP_DIE, Kind.SET_DIE}:
        proposals = without_outdone(proposals, options.same_size)
    sightings = _cards(image_bgr, proposals, options, stages)
    if options.kinds & {Kind.PIP_DIE, Kind.SET_DIE}:
        known = _outlines([sighting for sighting in sightings if sighting.piece is not None])
        starts = proposals.of(Heat.DIE).quads(), die_starts(looks, proposals)
        sightings = _either(sightings, dice_table.sight(image_bgr, *starts, known, options), options)
    sightings = [sighting for sighting in sightings if sighting.kind in options.kinds]
    order = reading_order(_outlines(sightings))
    table = Table((image_bgr.shape[1], image_bgr.shape[0]), tuple(sightings[at] for at in order))
    if stages:
        stages("table", drawn(image_bgr, _outlines(table.sightings), [_label(sighting) for sighting in table.sightings]))
    return table


def read_whole_card(image_bgr: NDArray[np.uint8], options: ReadOptions | None = None, *, stages: Stages | None = None) -> Table:
    """Read a picture that one SET card fills, upright or rotated (a scan, a crop); one sighting at most."""
    options = options or ReadOptions()
    height, width = image_bgr.shape[:2]
    whole = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]) - 0.5
    upright = whole if height >= width else np.roll(whole, 1, axis=0)
    readings = set_cards.read(image_bgr, np.stack([upright, np.roll(upright, 1, axis=0)]))
    best = int(np.argmax(readings.is_card + readings.deck_log.max(axis=1).clip(-5, 0)))
    readings = readings.pick(np.array([best]))
    if stages:
        stages("straightened", montage(straighten(image_bgr, upright[None], SET_CARD_PATCH), CEILING))
    said_to_be_one = np.ones(1)
    readings = set_cards.pooled(replace(readings, quad_px=upright[None], is_card=said_to_be_one), options.ink)
    return Table((width, height), tuple(set_table.name(readings, options)))


def _cards(image_bgr: NDArray[np.uint8], proposals: Proposals, options: ReadOptions, stages: Stages | None) -> list[Sighting]:
    """SET cards, playing cards and backs; where the finder is in doubt, both readers are asked."""
    cards = proposals.of(*CARDS)
    as_set = cards.scores[:, Heat.SET_CARD] >= options.maybe_kind
    as_other = cards.scores[:, [Heat.PLAYING_CARD, Heat.CARD_BACK]].max(axis=1, initial=0) >= options.maybe_kind
    others = pack_table.read(image_bgr, cards.quads()[as_other], options)
    is_set = np.ones(len(cards))
    is_set[as_other] = 1 - others.kind[:, [PLAYING_CARD, CARD_BACK]].sum(axis=1)
    if stages and as_set.any():
        stages("straightened", montage(straighten(image_bgr, cards.quads()[as_set], SET_CARD_PATCH), CEILING))
    sightings = []
    if Kind.SET_CARD in options.kinds:
        sightings = set_table.sight(image_bgr, cards.quads()[as_set], is_set[as_set], options)
    if options.kinds & {Kind.PLAYING_CARD, Kind.CARD_BACK}:
        sightings += pack_table.sight(image_bgr, others, proposals.of(Heat.INDEX), _outlines(sightings), options)
    return sightings


def _either(cards: list[Sighting], dice: list[Sighting], options: ReadOptions) -> list[Sighting]:
    """Where a card and a die of about its size are seen in one place, keep the surer."""
    card_quads, die_quads = _outlines(cards), _outlines(dice)
    card_area, die_area = areas(card_quads), areas(die_quads)
    out_cards, out_dice = set(), set()
    for at, card in enumerate(cards):
        for other in np.flatnonzero(inside(die_quads.mean(axis=1), card_quads[at][None])[:, 0]):
            common = shared(card_quads[at], die_quads[other]) * min(card_area[at], die_area[other])
            if common > options.same_size * max(card_area[at], die_area[other]):
                if card.confidence >= dice[other].confidence:
                    out_dice.add(int(other))
                else:
                    out_cards.add(at)
    return [card for at, card in enumerate(cards) if at not in out_cards] + [die for at, die in enumerate(dice) if at not in out_dice]


def _outlines(sightings: Sequence[Sighting]) -> Floats:
    return np.array([sighting.outline_px for sighting in sightings]).reshape(-1, 4, 2)


def _label(sighting: Sighting) -> str:
    if sighting.guess is None:
        return f"{sighting.kind.value} {sighting.confidence:.2f}"
    return f"{sighting.guess.piece} {sighting.confidence:.2f}"
