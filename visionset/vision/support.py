"""What lies there: where several kinds are looked for, dice and playing cards are believed if one surely read piece speaks for them.

A room is full of things that resemble a die or the back of a card a little. Where people say which kind lies there, a
doubtful piece is one that the reader should tell of; where nobody says anything, it is most likely no piece.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visionset.pieces import Kind, PipDie
from visionset.table import Sighting
from visionset.vision.frames import areas

_SURELY = 0.93
"""A piece read with this confidence speaks for its kind: of other things on 129 photographs the likeliest had 0.91."""

_DOTS, _SIZES = 4, 2.0
"""So many dice that all show a one and are of sizes that differ by this factor are dots, such as stars."""

_FACES = frozenset({Kind.SET_CARD, Kind.PLAYING_CARD})
"""Backs are believed beside faces alone: any rectangle with a pattern could be one."""


def supported(sightings: list[Sighting], wanted: frozenset[Kind]) -> list[Sighting]:
    """Drop what is of a kind that no surely read piece speaks for; SET cards, of which doubtful ones are rare, all stay.

    Parameters
    ----------
    sightings : list of Sighting
        Of all kinds.
    wanted : frozenset of Kind
        The kinds that are looked for. One alone, or playing cards with their backs, is known to lie there: all of it stays.
    """
    if len(wanted - {Kind.CARD_BACK}) <= 1:
        return sightings
    there = {one.kind for one in sightings if one.confidence >= _SURELY}
    if _are_dots([one for one in sightings if one.kind is Kind.PIP_DIE and one.piece is not None]):
        there.discard(Kind.PIP_DIE)
    if not there & _FACES:
        there.discard(Kind.CARD_BACK)
    return [one for one in sightings if one.kind in there | {Kind.SET_CARD}]


def _are_dots(dice: Sequence[Sighting]) -> bool:
    if len(dice) < _DOTS or any(one.piece != PipDie(1) for one in dice):
        return False
    area = areas(np.stack([one.outline_px for one in dice]))
    return bool(area.max() > _SIZES**2 * area.min())
