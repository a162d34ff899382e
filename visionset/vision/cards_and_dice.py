"""Cards and dice on one table: they do not lie in one place, and a card is far larger than a die."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visionset.geometry import Floats
from visionset.pieces import Kind
from visionset.table import Sighting
from visionset.vision.naming import SURE
from visionset.vision.quads import areas, inside, shared

_LARGER = 3.0
"""The area of a card is more than this multiple of a die's: 57 x 87 mm against 25 x 25 at most, be one nearer to the camera."""


def of_likely_size(cards: list[Sighting], dice: list[Sighting]) -> tuple[list[Sighting], list[Sighting]]:
    """Drop SET cards and backs no larger than dice, or dice no smaller than SET cards: the kind with more sure pieces is right.

    Of playing cards often no more than an index is seen; their size tells nothing.
    """
    whole = [card for card in cards if card.kind in (Kind.SET_CARD, Kind.CARD_BACK)]
    sure_cards, sure_dice = ([one for one in pieces if one.piece is not None and one.confidence >= SURE] for pieces in (whole, dice))
    if len(sure_dice) > len(sure_cards):
        least = _LARGER * float(np.median(areas(outlines(sure_dice))))
        small = {id(card) for card, area in zip(whole, areas(outlines(whole)), strict=True) if area < least}
        return [card for card in cards if id(card) not in small], dice
    if sure_cards:
        most = float(np.median(areas(outlines(sure_cards)))) / _LARGER
        dice = [die for die, area in zip(dice, areas(outlines(dice)), strict=True) if area <= most]
    return cards, dice


def either(cards: list[Sighting], dice: list[Sighting], overlap: float) -> list[Sighting]:
    """Where a card and a die of about its size are seen in one place, keep the surer."""
    card_quads, die_quads = outlines(cards), outlines(dice)
    card_area, die_area = areas(card_quads), areas(die_quads)
    out_cards, out_dice = set(), set()
    for at, card in enumerate(cards):
        for other in np.flatnonzero(inside(die_quads.mean(axis=1), card_quads[at][None])[:, 0]):
            common = shared(card_quads[at], die_quads[other]) * min(card_area[at], die_area[other])
            if common > overlap * max(card_area[at], die_area[other]):
                if card.confidence >= dice[other].confidence:
                    out_dice.add(int(other))
                else:
                    out_cards.add(at)
    return [card for at, card in enumerate(cards) if at not in out_cards] + [die for at, die in enumerate(dice) if at not in out_dice]


def outlines(sightings: Sequence[Sighting]) -> Floats:
    """Where they lie, shape (n, 4, 2)."""
    return np.array([sighting.outline_px for sighting in sightings]).reshape(-1, 4, 2)
