"""What lies there: where several kinds are looked for, dice and playing cards are believed if one surely read piece speaks for them.

A room is full of things that resemble a die or the back of a card a little. Where people say which kind lies there, a
doubtful piece is one that the reader should tell of; where nobody says anything, it is most likely no piece. Cards and dice do not
lie in one place, and a card is far larger than a die.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visionset.geometry import Floats
from visionset.kinds import CARD_FACES, DICE
from visionset.pieces import Kind, PipDie
from visionset.table import Sighting
from visionset.vision.naming import SURE
from visionset.vision.quads import areas, inside, shared

_SURELY = 0.96
"""A piece read with this confidence speaks for its kind. With .95 a third more of rendered pictures without pieces have a name, and no
more dice are read on rendered tables."""

_DOTS, _ONES = 4, 0.8
"""At least `_DOTS` dice, `_ONES` or more of them showing a one, of which one is `_OTHER_SIZE` larger than another, are dots, such as
stars."""

_OTHER_SIZE = 4.0
"""Ratio of areas of what is of another size. Backs are believed beside faces alone, and where they are not so much smaller than the largest
face: squares of cloth look so."""

_LARGER = 16.0
"""A die without a name is believed unless one with a name is so much larger: half as large and twice as far away it is no smaller."""


_CARD_TO_DIE = 3.0
"""The area of a card is more than this multiple of a die's: 57 x 87 mm against 25 x 25 at most, be one nearer to the camera."""


def supported(sightings: list[Sighting], wanted: frozenset[Kind]) -> list[Sighting]:
    """Drop what is of a kind that no surely read piece speaks for; SET cards, of which doubtful ones are rare, all stay.

    Of what is wanted, one kind alone, or playing cards with their backs, is known to lie there: all of it stays.
    """
    if len(wanted - {Kind.CARD_BACK}) <= 1:
        return sightings
    there = {one.kind for one in sightings if one.confidence >= _SURELY}
    if _are_dots([one for one in sightings if one.kind is Kind.PIP_DIE and one.piece is not None]):
        there.discard(Kind.PIP_DIE)
    least = _least_back([one for one in sightings if one.kind in CARD_FACES and one.confidence >= _SURELY])
    believed = [one for one in sightings if one.kind in there | {Kind.SET_CARD}]
    named = {kind: max((_area(one) for one in believed if one.kind is kind and one.piece is not None), default=0.0) for kind in DICE}
    return [
        one
        for one in believed
        if (one.kind is not Kind.CARD_BACK or _area(one) >= least)
        and (one.piece is not None or one.kind not in named or _area(one) * _LARGER >= named[one.kind])
    ]


def _least_back(faces: Sequence[Sighting]) -> float:
    """Area of the smallest back that is believed beside these faces; none is beside no face."""
    return max((_area(face) for face in faces), default=np.inf) / _OTHER_SIZE


def _area(one: Sighting) -> float:
    return float(areas(one.outline_px[None])[0])


def _are_dots(dice: Sequence[Sighting]) -> bool:
    area = [_area(one) for one in dice if one.piece == PipDie(1)]
    return len(area) >= max(_DOTS, _ONES * len(dice)) and max(area) > _OTHER_SIZE * min(area)


def of_likely_size(cards: list[Sighting], dice: list[Sighting]) -> tuple[list[Sighting], list[Sighting]]:
    """Drop SET cards and backs no larger than dice, or dice no smaller than SET cards: the kind with more sure pieces is right.

    Of playing cards often no more than an index is seen; their size tells nothing.
    """
    whole = [card for card in cards if card.kind in (Kind.SET_CARD, Kind.CARD_BACK)]
    sure_cards, sure_dice = ([one for one in pieces if one.piece is not None and one.confidence >= SURE] for pieces in (whole, dice))
    if len(sure_dice) > len(sure_cards):
        least = _CARD_TO_DIE * float(np.median(areas(outlines(sure_dice))))
        small = {id(card) for card, area in zip(whole, areas(outlines(whole)), strict=True) if area < least}
        return [card for card in cards if id(card) not in small], dice
    if sure_cards:
        most = float(np.median(areas(outlines(sure_cards)))) / _CARD_TO_DIE
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
